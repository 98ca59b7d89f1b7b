//! The notation of the tables of every client, and their comparison.

use checkrein_sql::Client::{
    self, Cassandra, ClickHouse, DuckDb, Mongo, MySql, Oracle, Postgres, Redis, SqlServer, Sqlite,
};
use checkrein_sql::{Object, Scope, Statement, statements};

pub(crate) const ALL: [Client; 10] =
    [Postgres, MySql, Sqlite, DuckDb, ClickHouse, Mongo, Redis, Cassandra, SqlServer, Oracle];

/// A statement in a few words: `table accounts`, `rows orders`, `key a some`, `table t throwaway`.
pub(crate) fn short(statement: &Statement) -> String {
    match statement {
        Statement::Destroy { what, name, scope, throwaway } => {
            let what = match what {
                Object::Database => "database",
                Object::Schema => "schema",
                Object::Table => "table",
                Object::Rows => "rows",
                Object::Column => "column",
                Object::Keys => "keys",
                Object::View => "view",
                Object::Index => "index",
                Object::Role => "role",
                Object::Other => "other",
            };
            let scope = match scope {
                Scope::All => "",
                Scope::Some => " some",
            };
            let name = if name.is_empty() { String::new() } else { format!(" {name}") };
            format!("{what}{name}{scope}{}", if *throwaway { " throwaway" } else { "" })
        }
        Statement::Change => "change".to_owned(),
        Statement::Read => "read".to_owned(),
        Statement::Shell(command) => format!("shell {command}"),
        Statement::ReadFile(file) => format!("reads {file}"),
        Statement::WriteFile(file) => format!("writes {file}"),
        Statement::Grant => "grant".to_owned(),
        Statement::Unknown => "unknown".to_owned(),
        Statement::TooMuch => "too much".to_owned(),
    }
}

pub(crate) fn said(client: Client, text: &str) -> String {
    statements(client, text).iter().map(short).collect::<Vec<_>>().join("; ")
}

pub(crate) fn check(cases: &[(Client, &str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(client, text, expected)| said(*client, text) != *expected)
        .map(|(client, text, expected)| {
            format!("{client:?} {text:?}\n  expected {expected}\n  got      {}", said(*client, text))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
