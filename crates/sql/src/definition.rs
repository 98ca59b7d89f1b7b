//! `DROP`, `ALTER`, `CREATE`: which kind of thing they are about, and whether data goes with it.

use super::filter::restricts;
use super::split::{State, is_routine};
use super::token::{Kind, Token};
use super::{Client, Object, Scope, Statement, names, procedure};

/// The kind of thing that a `DROP` or `CREATE` is about, and where its name starts.
fn object(tokens: &[Token<'_>]) -> (Object, usize) {
    const BEFORE: [&str; 14] = [
        "OR",
        "REPLACE",
        "TEMP",
        "TEMPORARY",
        "GLOBAL",
        "LOCAL",
        "UNLOGGED",
        "FOREIGN",
        "EXTERNAL",
        "MATERIALIZED",
        "UNIQUE",
        "VIRTUAL",
        "SERVER",
        "TRANSIENT",
    ];
    let at = tokens.iter().take_while(|token| token.is_any(&BEFORE)).count();
    let what = match tokens.get(at).map(|token| token.text.to_ascii_uppercase()).as_deref() {
        Some("DATABASE" | "KEYSPACE" | "CATALOG" | "PLUGGABLE") => Object::Database,
        Some("SCHEMA" | "OWNED") => Object::Schema,
        Some("TABLE" | "TABLES" | "TABLESPACE" | "COLUMNFAMILY") => Object::Table,
        Some("VIEW") => Object::View,
        Some("INDEX") => Object::Index,
        Some("USER" | "ROLE" | "LOGIN" | "GROUP") => Object::Role,
        Some(_) | None => Object::Other,
    };
    let kind_is_last = tokens.get(at.saturating_add(1)).is_some_and(|next| next.is("BY"));
    (what, at.saturating_add(if kind_is_last { 2 } else { 1 }))
}

pub(super) fn drop(state: &mut State<'_>, tokens: &[Token<'_>]) -> Vec<Statement> {
    // `DROP PREPARE x` ends a prepared statement, no data.
    if tokens.first().is_some_and(|first| first.is_any(&["PREPARE", "PREPARED"])) {
        return vec![Statement::Read];
    }
    let (what, at) = object(tokens);
    let is_temporary = tokens.first().is_some_and(|first| first.is_any(&["TEMP", "TEMPORARY"]));
    let name = names::list(tokens.get(at..).unwrap_or_default());
    match state.destroy(what, &name, Scope::All) {
        Statement::Destroy { what, name, scope, throwaway } => {
            vec![Statement::Destroy { what, name, scope, throwaway: throwaway || is_temporary }]
        }
        other => vec![other],
    }
}

pub(super) fn alter(state: &mut State<'_>, tokens: &[Token<'_>]) -> Vec<Statement> {
    const RIGHTS: [&str; 11] = [
        "SUPERUSER",
        "CREATEROLE",
        "CREATEDB",
        "BYPASSRLS",
        "REPLICATION",
        "LOGIN",
        "PASSWORD",
        "IDENTIFIED",
        "ADD",
        "GRANT",
        "ENCRYPTED",
    ];
    const NO_DATA: [&str; 14] = [
        "CONSTRAINT",
        "INDEX",
        "KEY",
        "PRIMARY",
        "FOREIGN",
        "DEFAULT",
        "NOT",
        "CHECK",
        "EXPRESSION",
        "IDENTITY",
        "PROJECTION",
        "STATISTICS",
        "POLICY",
        "SUBSCRIPTION",
    ];
    let (what, at) = object(tokens);
    if what == Object::Role || tokens.first().is_some_and(|first| first.is("DEFAULT")) {
        let gives = tokens.iter().any(|token| token.is_any(&RIGHTS));
        return vec![if gives { Statement::Grant } else { Statement::Change }];
    }
    if tokens.first().is_some_and(|first| first.is("SYSTEM")) {
        return set_system(tokens);
    }
    if what != Object::Table {
        return vec![Statement::Change];
    }
    let table = names::list(tokens.get(at..).unwrap_or_default().iter().as_slice());
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at.saturating_add(1));
        let is_action = token.is_any(&["DROP", "TRUNCATE", "CLEAR", "DISCARD"]);
        let starts_action =
            tokens.get(at.saturating_sub(1)).is_some_and(|before| before.is("ALTER") || before.is("COLUMN"));
        if is_action && !starts_action {
            let Some(next) = next else { continue };
            // `ALTER COLUMN c DROP DEFAULT` and the like lose no data.
            if next.is_any(&NO_DATA) {
                continue;
            }
            let (what, skipped) = match next.text.to_ascii_uppercase().as_str() {
                "PARTITION" | "PART" | "DETACHED" => (Object::Rows, 1),
                "TABLESPACE" => (Object::Table, 1),
                "COLUMN" => (Object::Column, 1),
                _ => (Object::Column, 0),
            };
            let (column, _) = names::name(part_after(tokens, at.saturating_add(1).saturating_add(skipped)));
            let name = if what == Object::Column { format!("{table}.{column}") } else { table.clone() };
            let scope = if what == Object::Table { Scope::All } else { Scope::Some };
            let throwaway = matches!(
                state.destroy(Object::Rows, &table, scope),
                Statement::Destroy { throwaway: true, .. }
            );
            found.push(Statement::Destroy { what, name, scope, throwaway });
        } else if state.client == Client::ClickHouse
            && at > 1
            && token.is_any(&["DELETE", "UPDATE"])
            && !restricts(tokens.get(at..).unwrap_or_default())
        {
            found.push(state.destroy(Object::Rows, &table, Scope::All));
        }
    }
    if found.is_empty() {
        found.push(Statement::Change);
    }
    found
}

/// The tokens from there on, after `IF EXISTS`.
fn part_after<'t, 'a>(tokens: &'t [Token<'a>], at: usize) -> &'t [Token<'a>] {
    let rest = tokens.get(at..).unwrap_or_default();
    let skipped = rest.iter().take_while(|token| token.is_any(&["IF", "EXISTS"])).count();
    rest.get(skipped..).unwrap_or_default()
}

/// Settings of the server: some are commands that it runs.
fn set_system(tokens: &[Token<'_>]) -> Vec<Statement> {
    let is_command = tokens.iter().any(|token| token.text.to_ascii_lowercase().ends_with("_command"));
    let value = tokens.iter().find(|token| token.kind == Kind::Text);
    match value.filter(|_| is_command) {
        Some(value) if !value.text.is_empty() => vec![Statement::Shell(value.text.clone().into_owned())],
        Some(_) | None => vec![Statement::Change],
    }
}

pub(super) fn create(state: &mut State<'_>, tokens: &[Token<'_>]) -> Vec<Statement> {
    let rest = tokens.get(1..).unwrap_or_default();
    if is_routine(tokens) {
        return procedure::routine(tokens);
    }
    let (what, at) = object(rest);
    let replaces = rest.iter().take(at).any(|token| token.is("REPLACE"));
    let is_temporary = rest.iter().take(at).any(|token| token.is_any(&["TEMP", "TEMPORARY"]));
    let after = rest.get(at..).unwrap_or_default();
    let keeps_old = after.first().is_some_and(|token| token.is("IF"));
    let skipped = after.iter().take_while(|token| token.is_any(&["IF", "NOT", "EXISTS"])).count();
    let (name, _) = names::name(after.get(skipped..).unwrap_or_default());
    let mut found = vec![match what {
        Object::Role => Statement::Grant,
        Object::Table | Object::Database | Object::Schema if replaces && !is_temporary => {
            state.destroy(what, &name, Scope::All)
        }
        Object::Database
        | Object::Schema
        | Object::Table
        | Object::Rows
        | Object::Column
        | Object::Keys
        | Object::View
        | Object::Index
        | Object::Other => Statement::Change,
    }];
    // With `IF NOT EXISTS` it may have been there before; with `OR REPLACE` it is new.
    if is_temporary || !keeps_old {
        state.create(what, &name);
    }
    for pair in rest.windows(2) {
        if let [key, value] = pair
            && value.kind == Kind::Text
        {
            if key.is("PROGRAM") {
                found.push(Statement::Shell(value.text.clone().into_owned()));
            } else if key.is("FILENAME") {
                found.push(Statement::ReadFile(value.text.clone().into_owned()));
            }
        }
    }
    found
}
