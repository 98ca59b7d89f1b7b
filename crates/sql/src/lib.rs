//! Finds the effects of a text that a database client gets.
//!
//! `psql -c`, `sqlite3 db '…'`, `mongosh --eval` and others carry a second language inside a shell word. This crate
//! reads it far enough to tell what is destroyed, changed, read, run in a shell, or fetched from a file, and whether all rows
//! or only some are affected: by keywords where they have their meaning, never by their mere mention in a string or a comment.
//!
//! ```
//! use checkrein_sql::{Client, Object, Scope, Statement, statements};
//!
//! let found = statements(Client::Postgres, "SELECT 'DROP TABLE a'; DELETE FROM orders -- WHERE id = 1");
//! assert_eq!(found[0], Statement::Read);
//! assert!(matches!(&found[1], Statement::Destroy { what: Object::Rows, name, scope: Scope::All, .. } if name == "orders"));
//! ```
//!
//! Three steps: [`text_of`] finds the texts among a client's arguments, `token` and `split` cut a text into statements, and
//! `meaning` decides what each would do. MongoDB and Redis speak no SQL and have a reader each. Names such as `test_x`, or what
//! the same text created, are marked as disposable; the rules decide if that matters.
//!
//! The tokenizer is our own. `sqlparser` 0.63 was measured: its tokenizer gives up the whole text where a quote is not closed
//! (a client runs what is before), knows nothing of the clients' own commands (`\!`, `.shell`, `GO`, `DELIMITER`), which
//! must be found by the same reader that knows where strings end, and its dialects tie the whole parser in, which makes a
//! release binary with LTO 1.8 MiB larger.
//!
//! Everything here is total and its work is bounded by the length of the text: what is not understood is
//! [`Statement::Unknown`], and what is too long or too deep to be read is [`Statement::TooMuch`], never silence.

#![forbid(unsafe_code)]

mod client;
mod client_commands;
mod client_lines;
mod commands;
mod cypher;
mod definition;
mod files;
mod filter;
mod functions;
mod invocation;
mod mongo;
mod names;
mod options;
mod procedure;
mod redis;
mod split;
mod statement;
mod token;

pub use client::Client;
pub use invocation::{Invocation, text_of};
pub use names::{is_production, is_throwaway};

use checkrein_shell::{SourceRef, work};

/// The longest text that is read, in bytes.
pub const MAX_TEXT: usize = 64 * 1024;

/// The placeholder in a text for what depends on the run. The readers take it for a letter of a name, so that a statement that begins
/// with it is unknown, and a name that holds it is kept.
pub const PLACEHOLDER: char = checkrein_shell::HOLE;

/// An effect of a statement. A statement that does several things has several of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Data, or what holds it, is gone afterwards.
    Destroy {
        /// The kind of thing.
        what: Object,
        /// Its name as written, without quotes; several are joined by `, `. Empty if the text does not say.
        name: String,
        /// All of it or a part.
        scope: Scope,
        /// True if the text itself created it, or its name is plainly that of a throw-away thing.
        throwaway: bool,
    },
    /// Data or definitions change, no more than is named.
    Change,
    /// Nothing changes.
    Read,
    /// The client or the server runs this in a shell.
    Shell(String),
    /// This file is read by the client or the server.
    ReadFile(String),
    /// This file is written by the client or the server.
    WriteFile(String),
    /// Someone gets rights.
    Grant,
    /// It cannot be said before it runs.
    Unknown,
    /// A part of the text was not read, because it is too long, too deep or too much.
    TooMuch,
}

/// The kind of thing that is destroyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    /// A database, a keyspace, or all keys of a Redis server.
    Database,
    /// A schema with what is in it.
    Schema,
    /// A table or a collection.
    Table,
    /// Rows or documents of a table that stays.
    Rows,
    /// A column with its data.
    Column,
    /// Keys of a key-value store.
    Keys,
    /// A view: its definition, no data.
    View,
    /// An index: it can be built again.
    Index,
    /// A user, a role, a login.
    Role,
    /// Anything else: a function, a sequence, a log.
    Other,
}

/// The part of it that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The whole object, or all its rows.
    All,
    /// A part.
    Some,
}

impl Statement {
    pub(crate) fn destroy(what: Object, name: impl Into<String>, scope: Scope) -> Self {
        let name = name.into();
        let throwaway = names::all_throwaway(&name);
        Self::Destroy { what, name, scope, throwaway }
    }

    /// Returns whether it does no more than read or change what a database holds.
    fn is_plain(&self) -> bool {
        match self {
            Self::Read | Self::Change => true,
            Self::Destroy { .. }
            | Self::Shell(_)
            | Self::ReadFile(_)
            | Self::WriteFile(_)
            | Self::Grant
            | Self::Unknown
            | Self::TooMuch => false,
        }
    }
}

/// The cost of reading a byte.
const READ: usize = 32;

/// Returns the effects of the text, in its order. An empty text does nothing.
pub fn statements(client: Client, text: &str) -> Vec<Statement> {
    if text.len() > MAX_TEXT || !work::burn(READ * text.len()) {
        return vec![Statement::TooMuch];
    }
    match client {
        Client::Mongo => mongo::statements(text),
        Client::Redis => redis::statements(text),
        Client::Cypher => cypher::statements(text),
        Client::Postgres
        | Client::MySql
        | Client::Sqlite
        | Client::DuckDb
        | Client::ClickHouse
        | Client::Cassandra
        | Client::SqlServer
        | Client::Oracle => split::statements(client, text),
    }
}

/// Returns the string constants of each `SELECT` in a text: what such a statement prints may be statements for another client.
pub fn selected_texts(client: Client, text: &str) -> Vec<Vec<String>> {
    let is_sql = !matches!(client, Client::Mongo | Client::Redis | Client::Cypher);
    if !is_sql || text.len() > MAX_TEXT || !work::burn(READ * text.len()) {
        return Vec::new();
    }
    let tokens = token::tokens(client, text);
    let statements = tokens.split(|token| token.kind == token::Kind::End);
    let selects = statements.filter(|statement| statement.first().is_some_and(|first| first.is("SELECT")));
    let texts = |statement: &[token::Token<'_>]| {
        let texts = statement.iter().filter(|token| token.kind == token::Kind::Text);
        texts.map(|token| token.text.clone().into_owned()).collect()
    };
    selects.map(texts).collect()
}

/// Returns the effects of a file that a client is given. That of Redis is a script, and not a list of commands.
pub fn statements_of_file(client: Client, text: &str) -> Vec<Statement> {
    match client {
        Client::Redis if text.len() <= MAX_TEXT => redis::script(text),
        _ => statements(client, text),
    }
}

/// Returns the effects of a text with holes. A hole is read as a part of a name ([`PLACEHOLDER`]): in the place of a value or a table
/// it is ordinary, in the place of a statement it makes that unknown.
pub fn statements_of<'a>(client: Client, source: impl Into<SourceRef<'a>>) -> Vec<Statement> {
    statements(client, source.into().text())
}
