//! The string literals of Rust sources, so that tables in tests are cases too.

use std::{iter::Peekable, str::CharIndices};

/// Returns every string literal of a source with its line number.
pub(crate) fn literals(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut chars = source.char_indices().peekable();
    let mut line = 1;
    let mut before = ' ';
    while let Some((place, char)) = chars.next() {
        let rest = source.get(place..).unwrap_or_default();
        let start = line;
        match char {
            '\n' => line += 1,
            '/' if rest.starts_with("//") => {
                let _ = advance(&mut chars, rest.find('\n').unwrap_or(rest.len()) - 1);
            }
            '/' if rest.starts_with("/*") => {
                let length = rest.find("*/").unwrap_or(rest.len());
                line += advance(&mut chars, length);
            }
            'r' if !is_name(before) && raw(rest).is_some() => {
                if let Some((text, length)) = raw(rest) {
                    line += advance(&mut chars, length - 1);
                    found.push((start, text.to_owned()));
                }
            }
            '"' => {
                let (text, length) = quoted(rest);
                line += advance(&mut chars, length - 1);
                found.push((start, text));
            }
            // A quote as a character literal, not the start of a string.
            '\'' if rest.starts_with("'\"'") => {
                let _ = advance(&mut chars, 2);
            }
            '\'' if rest.starts_with("'\\") => {
                let _ = advance(&mut chars, 2);
            }
            _ => {}
        }
        before = char;
    }
    found
}

const fn is_name(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

/// Skips this many bytes, and returns the number of line ends among them.
fn advance(chars: &mut Peekable<CharIndices<'_>>, bytes: usize) -> usize {
    let Some((first, _)) = chars.peek().copied() else { return 0 };
    let mut lines = 0;
    while let Some((_, char)) = chars.next_if(|(place, _)| *place < first + bytes) {
        lines += usize::from(char == '\n');
    }
    lines
}

/// Returns a raw literal: its content, and its length with delimiters.
fn raw(rest: &str) -> Option<(&str, usize)> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let text = after.get(hashes..)?.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = text.find(&end)?;
    Some((text.get(..length)?, 1 + hashes + 1 + length + end.len()))
}

/// Returns a literal with escapes: its value, and its length with quotes.
fn quoted(rest: &str) -> (String, usize) {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((place, char)) = chars.next() {
        match char {
            '"' => return (text, place + 1),
            '\\' => match chars.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, 't')) => text.push('\t'),
                Some((_, 'r')) => text.push('\r'),
                Some((_, '0')) => text.push('\0'),
                Some((_, '\n')) => while chars.next_if(|(_, char)| char.is_whitespace()).is_some() {},
                Some((_, 'x')) => {
                    let digits: String = (0..2).filter_map(|_| Some(chars.next()?.1)).collect();
                    text.extend(u8::from_str_radix(&digits, 16).ok().map(char::from));
                }
                Some((_, 'u')) => {
                    let digits: String = chars
                        .by_ref()
                        .map(|(_, char)| char)
                        .skip(1)
                        .take_while(|char| *char != '}')
                        .collect();
                    text.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
                }
                Some((_, other)) => text.push(other),
                None => {}
            },
            other => text.push(other),
        }
    }
    (text, rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_have_the_values_that_the_compiler_gives_them() {
        let source = "let a = \"x \\\"y\\\"\\n\"; // \"no\"\nlet b = ['\"', '\\'']; /* \"no\"\n */ f(r#\"z \"q\" \\n\"#, \"\\x41\\u{42}\\\n   c\");\n\"last\"";
        let texts = literals(source);
        let expected = [
            (1, "x \"y\"\n".to_owned()),
            (3, "z \"q\" \\n".to_owned()),
            (3, "ABc".to_owned()),
            (5, "last".to_owned()),
        ];
        assert_eq!(texts, expected);
    }
}
