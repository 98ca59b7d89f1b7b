//! The options of each client that matter here, from `clients.toml`.

use super::client::Client;

/// The meaning of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A text to run.
    Text,
    /// A text to run before the client goes on reading.
    TextFirst,
    /// A file with such a text.
    File,
    /// A file that is read before the client goes on.
    FileFirst,
    /// A file that is written.
    Output,
    Host,
    Database,
    Password,
    /// Only a value that is attached is a password; alone it asks for one.
    AttachedPassword,
    /// An address that may hold host, database and password.
    Address,
    /// Something else that takes a value.
    Other,
    /// Takes no value, and the client runs nothing.
    Nothing,
}

/// The way in which a client reads its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `-abc value`, `-cvalue`, `--long=value`, beginnings of long names.
    Getopt,
    /// As before, but what follows the first letter is its value, never another option.
    FirstLetter,
    /// `-long value` as well as `--long value`; no clusters.
    SingleDash,
}

/// The options of a client.
struct Options {
    style: Style,
    /// Names without dashes, and what they take.
    names: &'static [(&'static str, Role)],
}

include!(concat!(env!("OUT_DIR"), "/clients.rs"));

fn options(client: Client) -> &'static Options {
    match client {
        Client::Postgres => &POSTGRES,
        Client::MySql => &MYSQL,
        Client::Sqlite => &SQLITE,
        Client::DuckDb => &DUCKDB,
        Client::ClickHouse => &CLICKHOUSE,
        Client::Mongo => &MONGO,
        Client::Redis => &REDIS,
        Client::Cassandra => &CASSANDRA,
        Client::SqlServer => &SQLSERVER,
        Client::Oracle => &ORACLE,
        // The table of programs says where its texts are.
        Client::Cypher => &Options { style: Style::Getopt, names: &[] },
    }
}

/// The way in which a client reads its arguments.
pub(super) fn style(client: Client) -> Style {
    options(client).style
}

/// The names of a client's options without dashes, and what they take.
pub(super) fn table(client: Client) -> &'static [(&'static str, Role)] {
    options(client).names
}
