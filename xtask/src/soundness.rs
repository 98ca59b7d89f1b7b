//! Compares what commands really do, in boxes, with what the guard predicts.

use crate::{Failed, Result, cannot, cargo, output, root, run, say};
use std::fs;

/// The pages with the figures, and the marks around them.
const PAGES: &[&str] = &["docs/measured.md"];
const START: &str = "<!-- soundness: written by `cargo xtask soundness --update` -->\n";
const END: &str = "<!-- end of the soundness figures -->";

const PACKAGE: [&str; 5] = ["run", "--quiet", "--package", "checkrein-soundness", "--"];

pub(crate) fn soundness(arguments: &[&str]) -> Result<()> {
    if arguments != ["--update"] {
        return run(cargo().args(PACKAGE).args(arguments));
    }
    let figures = output(cargo().args(PACKAGE))?;
    print!("{figures}");
    for page in PAGES {
        let file = root().join(page);
        let text = fs::read_to_string(&file).map_err(|error| cannot("read", page, &error))?;
        let text = with_figures(&text, &figures)
            .ok_or_else(|| Failed::Because(format!("`{page}` has no place for the figures")))?;
        fs::write(&file, text).map_err(|error| cannot("write", page, &error))?;
        say(&format!("wrote the figures into {page}"));
    }
    Ok(())
}

/// Replaces what is between the marks.
fn with_figures(page: &str, figures: &str) -> Option<String> {
    let (before, rest) = page.split_once(START)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{START}```text\n$ cargo xtask soundness\n{figures}```\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_replace_the_old_ones_and_nothing_else() {
        let page = format!("a\n{START}old\n{END}\nb\n");
        let new = with_figures(&page, "1 run\n");
        assert_eq!(new, Some(format!("a\n{START}```text\n$ cargo xtask soundness\n1 run\n```\n{END}\nb\n")));
        assert_eq!(with_figures("no place", "1 run\n"), None);
    }
}
