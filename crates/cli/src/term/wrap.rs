//! Wrapping of long lines.

use std::{io::IsTerminal, os::fd::AsFd};

/// The widest line: longer ones are hard to read, however wide the terminal is.
const WIDEST: usize = 100;

/// The narrowest line: below that, wrapping does not help.
const NARROWEST: usize = 40;

/// Returns the width of a terminal; `None` if the stream is none, or its width is unknown.
fn terminal_width(stream: &(impl IsTerminal + AsFd)) -> Option<usize> {
    let size = stream.is_terminal().then(|| rustix::termios::tcgetwinsize(stream).ok()).flatten()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Breaks a text into lines that fit the terminal after `indent` columns. Where stdout is not a terminal, programs read it,
/// and every line of the text stays one line.
pub(crate) fn fitted(text: &str, indent: usize) -> Vec<String> {
    match terminal_width(&std::io::stdout()) {
        Some(width) => wrapped(text, width.min(WIDEST).saturating_sub(indent)),
        None => text.lines().map(str::to_owned).collect(),
    }
}

/// Breaks a text for stderr into lines that fit the terminal. Lines that quote a file keep their columns.
pub(crate) fn fitted_to_stderr(text: &str) -> String {
    let Some(width) = terminal_width(&std::io::stderr()) else { return text.to_owned() };
    let quotes = |line: &str| {
        let rest = line.trim_start().trim_start_matches(|char: char| char.is_ascii_digit());
        line.starts_with([' ', '\t', '+', '{', '}']) || rest.trim_start().starts_with('|')
    };
    let fit =
        |line: &str| if quotes(line) { line.to_owned() } else { wrapped(line, width.min(WIDEST)).join("\n") };
    text.split('\n').map(fit).collect::<Vec<_>>().join("\n")
}

/// Breaks a text into lines of at most `width` characters, between words. Continued lines are indented.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(NARROWEST);
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && columns(&line) + 1 + columns(word) > width {
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

/// Returns the columns that a text takes on a terminal, without its colors.
fn columns(text: &str) -> usize {
    let mut count = 0;
    let mut is_escape = false;
    for char in text.chars() {
        match char {
            '\x1b' => is_escape = true,
            'm' if is_escape => is_escape = false,
            _ if is_escape => {}
            _ => count += 1,
        }
    }
    count
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
