//! From a text in JavaScript to names, strings and brackets.

use crate::PLACEHOLDER;

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MongoToken {
    Word(String),
    Text(String),
    Symbol(char),
    /// A quote that is not closed.
    Broken,
}

/// The text as a row of tokens, without comments.
pub(super) fn tokens(text: &str) -> Vec<MongoToken> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let length = match char {
            _ if char.is_whitespace() => char.len_utf8(),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => match rest.find("*/") {
                Some(end) => end.saturating_add(2),
                None => {
                    tokens.push(MongoToken::Broken);
                    rest.len()
                }
            },
            '\'' | '"' | '`' => quoted(rest, char, &mut tokens),
            '/' if is_before_pattern(tokens.last()) => pattern(rest, &mut tokens),
            _ if char == '_' || char == '$' || char.is_alphanumeric() || char == PLACEHOLDER => {
                let belongs = |c: char| c == '_' || c == '$' || c.is_alphanumeric() || c == PLACEHOLDER;
                let end = rest.find(|c: char| !belongs(c)).unwrap_or(rest.len());
                tokens.push(MongoToken::Word(rest.get(..end).unwrap_or_default().to_owned()));
                end
            }
            _ => {
                tokens.push(MongoToken::Symbol(char));
                char.len_utf8()
            }
        };
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    tokens
}

/// A string; the length that it takes. A template with code in it is not a constant.
fn quoted(rest: &str, quote: char, tokens: &mut Vec<MongoToken>) -> usize {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some((_, 'x' | 'u' | '0'..='9')) => text.push(PLACEHOLDER),
                Some((_, other)) => text.push(other),
                None => break,
            },
            _ if char == quote => {
                let has_code = quote == '`' && text.contains("${") || text.contains(PLACEHOLDER);
                tokens.push(if has_code {
                    MongoToken::Word(PLACEHOLDER.into())
                } else {
                    MongoToken::Text(text)
                });
                return at.saturating_add(1);
            }
            _ => text.push(char),
        }
    }
    tokens.push(MongoToken::Broken);
    rest.len()
}

/// Returns whether a slash after this token starts a pattern and is not a division.
fn is_before_pattern(last: Option<&MongoToken>) -> bool {
    match last {
        None | Some(MongoToken::Broken) => true,
        Some(MongoToken::Symbol(symbol)) => !matches!(symbol, ')' | ']' | '}'),
        Some(MongoToken::Word(word)) => word == "return",
        Some(MongoToken::Text(_)) => false,
    }
}

/// `/a[/]b/i`; the length that it takes.
fn pattern(rest: &str, tokens: &mut Vec<MongoToken>) -> usize {
    let mut in_class = false;
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => {
                chars.next();
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => {
                tokens.push(MongoToken::Word("pattern".to_owned()));
                return at.saturating_add(1);
            }
            '\n' => break,
            _ => {}
        }
    }
    tokens.push(MongoToken::Broken);
    rest.len()
}
