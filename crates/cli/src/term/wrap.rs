//! Wrapping of long lines.

use std::io::IsTerminal;

/// The widest line: longer ones are hard to read, however wide the terminal is.
const WIDEST: usize = 100;

/// The narrowest line: below that, wrapping does not help.
const NARROWEST: usize = 40;

/// Returns the width of the terminal on stdout; `None` if stdout is not a terminal, or its width is unknown.
fn terminal_width() -> Option<usize> {
    let stdout = std::io::stdout();
    let size = stdout.is_terminal().then(|| rustix::termios::tcgetwinsize(stdout).ok()).flatten()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Breaks a text into lines that fit the terminal after `indent` columns. Where stdout is not a terminal, programs read it,
/// and every line of the text stays one line.
pub(crate) fn fitted(text: &str, indent: usize) -> Vec<String> {
    match terminal_width() {
        Some(width) => wrapped(text, width.min(WIDEST).saturating_sub(indent)),
        None => text.lines().map(str::to_owned).collect(),
    }
}

/// Breaks a text into lines of at most `width` characters, between words. Continued lines are indented.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(NARROWEST);
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::replace(&mut line, "  ".to_owned()));
            } else if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_fit() {
        let text = "guard: this permanently deletes the root, a system directory or an entire home directory\nsecond";
        let lines = wrapped(text, 50);
        assert!(lines.iter().all(|line| line.chars().count() <= 50), "{lines:?}");
        assert_eq!(
            lines,
            [
                "guard: this permanently deletes the root, a system",
                "  directory or an entire home directory",
                "second"
            ]
        );
    }

    #[test]
    fn a_long_word_stays_whole_and_a_narrow_terminal_counts_as_wider() {
        let word = "x".repeat(60);
        assert_eq!(
            wrapped(&format!("a {word} b"), 50),
            ["a".to_owned(), format!("  {word}"), "  b".to_owned()]
        );
        assert_eq!(wrapped("a few short words", 1), ["a few short words"]);
    }
}
