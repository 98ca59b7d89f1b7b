//! Wrapping of long lines.

use std::{io::IsTerminal, os::fd::AsFd};

/// The widest line: longer ones are hard to read, however wide the terminal is.
const WIDEST: usize = 100;

/// The narrowest line: below that, wrapping does not help.
const NARROWEST: usize = 40;

/// Returns the width of a terminal; `None` if the stream is not a terminal, or its width is unknown.
fn terminal_width(stream: &(impl IsTerminal + AsFd)) -> Option<usize> {
    let size = stream.is_terminal().then(|| rustix::termios::tcgetwinsize(stream).ok()).flatten()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Breaks a text into lines that fit the terminal after `indent` columns. Where stdout is not a terminal, programs read it,
/// and every line of the text stays one line.
pub(crate) fn fitted(text: &str, indent: usize) -> Vec<String> {
    match terminal_width(&std::io::stdout()) {
        Some(width) => wrapped(text, width.clamp(NARROWEST, WIDEST).saturating_sub(indent)),
        None => text.lines().map(str::to_owned).collect(),
    }
}

/// Breaks a text for stdout where it would be wider than the terminal. Tables may be as wide as that.
pub(crate) fn fitted_to_stdout(text: &str) -> String {
    match terminal_width(&std::io::stdout()) {
        Some(width) => text
            .split('\n')
            .map(|line| wrapped(line, width.max(NARROWEST)).join("\n"))
            .collect::<Vec<_>>()
            .join("\n"),
        None => text.to_owned(),
    }
}

/// Returns the width of stdout, if it is a terminal.
pub(crate) fn stdout_width() -> Option<usize> {
    terminal_width(&std::io::stdout()).map(|width| width.max(NARROWEST))
}

/// Breaks a text for stderr into lines that fit the terminal. Lines that quote a file keep their columns.
pub(crate) fn fitted_to_stderr(text: &str) -> String {
    let Some(width) = terminal_width(&std::io::stderr()) else { return text.to_owned() };
    let quotes = |line: &str| {
        let rest = line.trim_start().trim_start_matches(|char: char| char.is_ascii_digit());
        line.starts_with([' ', '\t', '+', '{', '}']) || rest.trim_start().starts_with('|')
    };
    let fit = |line: &str| {
        if quotes(line) { line.to_owned() } else { wrapped(line, width.clamp(NARROWEST, WIDEST)).join("\n") }
    };
    text.split('\n').map(fit).collect::<Vec<_>>().join("\n")
}

/// Breaks a text into lines of at most `width` characters, between words. Continued lines are indented by two more columns.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(NARROWEST / 2);
    text.lines().flat_map(|line| line_wrapped(line, width)).collect()
}

fn line_wrapped(text: &str, width: usize) -> Vec<String> {
    if columns(text) <= width {
        return vec![text.to_owned()];
    }
    let rest = text.trim_start_matches(' ');
    let indent = text.len() - rest.len();
    let next = " ".repeat((indent + 2).min(width / 2));
    let (mut lines, mut line, mut is_empty) = (Vec::new(), " ".repeat(indent), true);
    for word in rest.split(' ') {
        if !is_empty && columns(&line) + 1 + columns(word) > width {
            lines.push(std::mem::replace(&mut line, next.clone()).trim_end().to_owned());
            is_empty = true;
        }
        // Between columns of a table are several spaces, which a continued line does not begin with.
        if is_empty && word.is_empty() {
            continue;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    if !is_empty {
        lines.push(line);
    }
    lines
}

/// Returns the columns that a text takes on a terminal, without its colors.
pub(crate) fn columns(text: &str) -> usize {
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

    #[test]
    fn an_indented_line_continues_below_itself() {
        assert_eq!(
            wrapped("    aaaa bbbb cccc dddd eeee\n  f", 20),
            ["    aaaa bbbb cccc", "      dddd eeee", "  f"]
        );
        assert_eq!(
            wrapped("name            first second", 20),
            ["name           ", "  first second"].map(str::trim_end)
        );
        assert_eq!(wrapped("", 20), [""; 0]);
    }
}
