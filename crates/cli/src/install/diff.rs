//! The difference between two texts, in unified format.

use crate::term::style;
use similar::TextDiff;

/// Returns the difference with colors, escaped for a terminal.
pub(crate) fn unified(path: &str, before: Option<&str>, after: Option<&str>) -> String {
    let text = plain(path, before, after);
    let painted = text.lines().enumerate().map(|(at, line)| {
        let line = style::harmless(line);
        match line.as_bytes().first() {
            _ if at < 2 => format!("\x1b[1m{line}\x1b[0m"),
            Some(b'+') => format!("\x1b[32m{line}\x1b[0m"),
            Some(b'-') => format!("\x1b[31m{line}\x1b[0m"),
            Some(b'@') => format!("\x1b[36m{line}\x1b[0m"),
            _ => line,
        }
    });
    painted.collect::<Vec<_>>().join("\n")
}

/// Returns the difference as text. `None` is a file that does not exist.
pub(crate) fn plain(path: &str, before: Option<&str>, after: Option<&str>) -> String {
    let name = |text: Option<&str>| {
        if text.is_some() { style::harmless(path) } else { "/dev/null".to_owned() }
    };
    let (old, new) = (lines(before), lines(after));
    let changes = TextDiff::configure().newline_terminated(true).diff_slices(&old, &new);
    format!("--- {}\n+++ {}\n{}", name(before), name(after), changes.unified_diff())
}

/// Splits at `
/// ` only: a line may contain any other character, and is shown as one line.
fn lines(text: Option<&str>) -> Vec<&str> {
    text.unwrap_or_default().split_inclusive('\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    #[test]
    fn differences_are_shown_with_their_context() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n";
        let new = old.replace("2\n", "two\n").replace("9\n", "").replace("13\n", "13\nnew\n");
        assert_snapshot!(plain("f", Some(old), Some(&new)), @"
        --- f
        +++ f
        @@ -1,14 +1,14 @@
         1
        -2
        +two
         3
         4
         5
         6
         7
         8
        -9
         10
         11
        -12
        +1two
         13
        +new
         14
        ");
        assert_snapshot!(plain("f", None, Some("a\n")), @"
        --- /dev/null
        +++ f
        @@ -0,0 +1 @@
        +a
        ");
        assert_snapshot!(plain("f", Some("a"), None), @r"
        --- f
        +++ /dev/null
        @@ -1 +0,0 @@
        -a
        \ No newline at end of file
        ");
        assert_eq!(plain("f", Some("a\n"), Some("a\n")), "--- f\n+++ f\n");
    }

    /// A character that could hide a change in a terminal neither splits nor ends a line.
    #[test]
    fn a_carriage_return_ends_no_line() {
        assert_eq!(
            plain("f", Some("a\rb\n"), Some("a\rc\r\n")),
            "--- f\n+++ f\n@@ -1 +1 @@\n-a\rb\n+a\rc\r\n"
        );
    }
}
