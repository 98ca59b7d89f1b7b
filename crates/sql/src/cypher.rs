//! Cypher: patterns of nodes and edges, and what is done with all that match.
//!
//! It matters whether something is deleted, and whether the pattern chooses: by a label, a property, a condition or a
//! number. Words in strings, names in backquotes and comments are not words of the language.

use super::{Object, Scope, Statement};

/// Returns the effects of the text.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    plain(text).split(';').filter(|text| !text.trim().is_empty()).map(statement).collect()
}

fn statement(text: &str) -> Statement {
    let upper = text.to_ascii_uppercase();
    let words: Vec<&str> = upper
        .split(|char: char| !(char.is_ascii_alphanumeric() || char == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    let has = |wanted: &str| words.contains(&wanted);
    match words.first() {
        Some(&"DROP") => {
            let what = match words.get(1) {
                Some(&"DATABASE") => Object::Database,
                Some(&"INDEX" | &"CONSTRAINT") => Object::Index,
                Some(&"USER" | &"ROLE") => Object::Role,
                _ => Object::Other,
            };
            let name = words.get(2).map(|name| name.to_ascii_lowercase()).unwrap_or_default();
            Statement::destroy(what, name, Scope::All)
        }
        Some(&"GRANT") => Statement::Grant,
        Some(_) if has("DELETE") => {
            let chooses = has("WHERE") || has("LIMIT") || text.contains([':', '{']);
            Statement::destroy(Object::Rows, "", if chooses { Scope::Some } else { Scope::All })
        }
        Some(_) if ["CREATE", "MERGE", "SET", "REMOVE", "LOAD"].into_iter().any(has) => Statement::Change,
        Some(_) if text.contains(super::PLACEHOLDER) => Statement::Unknown,
        Some(_) | None => Statement::Read,
    }
}

/// The text without what is in strings, in backquotes and in comments.
fn plain(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\'' | '"' | '`' => {
                made.push(' ');
                while let Some(inner) = chars.next().filter(|inner| *inner != char) {
                    if inner == '\\' {
                        chars.next();
                    }
                }
            }
            '/' if chars.peek() == Some(&'/') => {
                made.push(' ');
                while chars.next().is_some_and(|inner| inner != '\n') {}
            }
            _ => made.push(char),
        }
    }
    made
}
