//! Statements whose purpose is a file: copies, loads, backups, attached databases.

use super::split::State;
use super::token::{Kind, Token};
use super::{Object, Scope, Statement, names};

/// `COPY t FROM 'file'`, `COPY t TO PROGRAM 'command'`.
pub(super) fn copy(tokens: &[Token<'_>]) -> Vec<Statement> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        if token.is_symbol('(') {
            depth = depth.saturating_add(1);
        } else if token.is_symbol(')') {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && token.is_any(&["FROM", "TO"]) {
            let writes_file = token.is("TO");
            let base = if writes_file { Statement::Read } else { Statement::Change };
            let Some(next) = tokens.get(at.saturating_add(1)) else { break };
            if next.is("PROGRAM") {
                let command = tokens.get(at.saturating_add(2)).filter(|token| token.kind == Kind::Text);
                return vec![
                    base,
                    command.map_or(Statement::Unknown, |token| {
                        Statement::Shell(token.text.clone().into_owned())
                    }),
                ];
            }
            if next.is_any(&["STDIN", "STDOUT", "PSTDIN", "PSTDOUT", "DATABASE"]) {
                return vec![base];
            }
            // psql's own form takes a name without quotes.
            let file: String = match next.kind {
                Kind::Text | Kind::Name => next.text.clone().into_owned(),
                Kind::Word | Kind::Number | Kind::Symbol | Kind::Command | Kind::End | Kind::Broken => {
                    let rest = tokens.get(at.saturating_add(1)..).unwrap_or_default();
                    rest.iter()
                        .take_while(|token| {
                            !token.is_any(&["WITH", "CSV", "DELIMITER", "HEADER", "WHERE"])
                                && !token.is_symbol('(')
                        })
                        .map(|token| token.text.as_ref())
                        .collect()
                }
            };
            let file = if writes_file { Statement::WriteFile(file) } else { Statement::ReadFile(file) };
            return vec![base, file];
        }
    }
    vec![Statement::Unknown]
}

/// `LOAD DATA INFILE` reads a file; any other `LOAD` brings code into the server.
pub(super) fn load(tokens: &[Token<'_>]) -> Vec<Statement> {
    match tokens.first() {
        Some(first) if first.is_any(&["DATA", "XML"]) => {
            file_after(tokens, &["INFILE"], Statement::ReadFile, Statement::Change)
        }
        // An extension of DuckDB by its name.
        Some(first) if first.kind == Kind::Word => vec![Statement::Change],
        Some(_) | None => vec![Statement::Unknown],
    }
}

pub(super) fn restore(state: &mut State<'_>, tokens: &[Token<'_>]) -> Vec<Statement> {
    let mut found = file_after(tokens, &["DISK", "FILE", "URL"], Statement::ReadFile, Statement::Change);
    if tokens.iter().any(|token| token.is("REPLACE")) {
        let name = names::list(tokens.get(1..).unwrap_or_default());
        found.push(state.destroy(Object::Database, &name, Scope::All));
    }
    found
}

pub(super) fn attach(tokens: &[Token<'_>]) -> Vec<Statement> {
    let is_for_reading = tokens.iter().any(|token| token.is("READ_ONLY"));
    match tokens.iter().find(|token| matches!(token.kind, Kind::Text | Kind::Name)) {
        Some(file) if matches!(file.text.as_ref(), ":memory:" | "") => vec![Statement::Read],
        Some(file) => {
            let name = file.text.clone().into_owned();
            let mut found = vec![Statement::ReadFile(name.clone())];
            if !is_for_reading {
                found.push(Statement::WriteFile(name));
            }
            found
        }
        None => vec![Statement::Unknown],
    }
}

/// The first string after one of these words as a file, and what the statement does in addition.
pub(super) fn file_after(
    tokens: &[Token<'_>],
    keywords: &[&str],
    file: fn(String) -> Statement,
    base: Statement,
) -> Vec<Statement> {
    let at = tokens.iter().position(|token| token.is_any(keywords));
    let after = at.and_then(|at| tokens.get(at..)).unwrap_or_default();
    let name = after.iter().find(|token| token.kind == Kind::Text);
    match name {
        Some(name) => vec![base, file(name.text.clone().into_owned())],
        None => vec![base],
    }
}
