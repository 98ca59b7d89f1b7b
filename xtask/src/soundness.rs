//! Compares what commands really do, in boxes, with what the guard predicts.

use crate::{Failed, Result, cannot, cargo, output, root, run, say};
use std::fs;

/// The pages with the figures, and the marks around them.
const PAGES: &[&str] = &["docs/measured.md"];
const START: &str = "<!-- soundness: written by `cargo xtask soundness --update` -->\n";
const END: &str = "<!-- end of the soundness figures -->";

const PACKAGE: [&str; 5] = ["run", "--quiet", "--package", "checkrein-soundness", "--"];

pub(crate) fn soundness(arguments: &[&str]) -> Result<()> {
    let rest: Vec<&str> = arguments.iter().copied().filter(|word| *word != "--update").collect();
    if rest.len() == arguments.len() {
        return run(cargo().args(PACKAGE).args(arguments));
    }
    let figures = output(cargo().args(PACKAGE).args(&rest))?;
    print!("{figures}");
    for page in PAGES {
        let file = root().join(page);
        let text = fs::read_to_string(&file).map_err(|error| cannot("read", page, &error))?;
        let text = with_figures(&text, &rest, &figures)
            .ok_or_else(|| Failed::Because(format!("`{page}` has no place for the figures")))?;
        fs::write(&file, text).map_err(|error| cannot("write", page, &error))?;
        say(&format!("wrote the figures into {page}"));
    }
    Ok(())
}

/// Replaces what is between the marks. `arguments`: those that the figures were made with.
fn with_figures(page: &str, arguments: &[&str], figures: &str) -> Option<String> {
    let (before, rest) = page.split_once(START)?;
    let (_, after) = rest.split_once(END)?;
    let command = [&["$ cargo xtask soundness"], arguments].concat().join(" ");
    Some(format!("{before}{START}```text\n{command}\n{figures}```\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_replace_the_old_ones_and_nothing_else() {
        let page = format!("a\n{START}old\n{END}\nb\n");
        let new = with_figures(&page, &["--runs", "1"], "1 run\n");
        let text = "```text\n$ cargo xtask soundness --runs 1\n1 run\n```\n";
        assert_eq!(new, Some(format!("a\n{START}{text}{END}\nb\n")));
        assert_eq!(with_figures("no place", &[], "1 run\n"), None);
    }
}
