//! The options of each client that matter here: what their values are. An option that is not listed takes no value, which
//! errs to reading too much of a command line as text, never too little.

use super::client::Client;

/// What an option's value is.
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

/// How a client reads its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `-abc value`, `-cvalue`, `--long=value`, beginnings of long names.
    Getopt,
    /// As before, but what follows the first letter is its value, never another option.
    FirstLetter,
    /// `-long value` as well as `--long value`; no clusters.
    SingleDash,
}

pub(super) fn style(client: Client) -> Style {
    match client {
        Client::Sqlite | Client::DuckDb => Style::SingleDash,
        Client::Redis | Client::SqlServer => Style::FirstLetter,
        Client::Postgres
        | Client::MySql
        | Client::ClickHouse
        | Client::Mongo
        | Client::Cassandra
        | Client::Oracle
        | Client::Cypher => Style::Getopt,
    }
}

/// Names without dashes, and what they take.
pub(super) fn table(client: Client) -> &'static [(&'static str, Role)] {
    match client {
        Client::Postgres => POSTGRES,
        Client::MySql => MYSQL,
        Client::Sqlite => SQLITE,
        Client::DuckDb => DUCKDB,
        Client::ClickHouse => CLICKHOUSE,
        Client::Mongo => MONGO,
        Client::Redis => REDIS,
        Client::Cassandra => CASSANDRA,
        Client::SqlServer => SQLSERVER,
        Client::Oracle => ORACLE,
        // The table of programs says where its texts are.
        Client::Cypher => &[],
    }
}

const POSTGRES: &[(&str, Role)] = &[
    ("c", Role::Text),
    ("command", Role::Text),
    ("f", Role::File),
    ("file", Role::File),
    ("d", Role::Database),
    ("dbname", Role::Database),
    ("h", Role::Host),
    ("host", Role::Host),
    ("o", Role::Output),
    ("output", Role::Output),
    ("L", Role::Output),
    ("log-file", Role::Output),
    ("p", Role::Other),
    ("port", Role::Other),
    ("U", Role::Other),
    ("username", Role::Other),
    ("v", Role::Other),
    ("set", Role::Other),
    ("variable", Role::Other),
    ("P", Role::Other),
    ("pset", Role::Other),
    ("F", Role::Other),
    ("field-separator", Role::Other),
    ("R", Role::Other),
    ("record-separator", Role::Other),
    ("T", Role::Other),
    ("table-attr", Role::Other),
    ("l", Role::Nothing),
    ("list", Role::Nothing),
    ("V", Role::Nothing),
    ("version", Role::Nothing),
    ("?", Role::Nothing),
    ("help", Role::Nothing),
];

const MYSQL: &[(&str, Role)] = &[
    ("e", Role::Text),
    ("execute", Role::Text),
    ("init-command", Role::TextFirst),
    ("init-command-add", Role::TextFirst),
    ("D", Role::Database),
    ("database", Role::Database),
    ("h", Role::Host),
    ("host", Role::Host),
    ("p", Role::AttachedPassword),
    ("password", Role::AttachedPassword),
    ("tee", Role::Output),
    ("u", Role::Other),
    ("user", Role::Other),
    ("P", Role::Other),
    ("port", Role::Other),
    ("S", Role::Other),
    ("socket", Role::Other),
    ("delimiter", Role::Other),
    ("prompt", Role::Other),
    ("protocol", Role::Other),
    ("default-character-set", Role::Other),
    ("defaults-file", Role::Other),
    ("defaults-extra-file", Role::Other),
    ("defaults-group-suffix", Role::Other),
    ("login-path", Role::Other),
    ("ssl-ca", Role::Other),
    ("ssl-cert", Role::Other),
    ("ssl-key", Role::Other),
    ("ssl-mode", Role::Other),
    ("max-allowed-packet", Role::Other),
    ("connect-timeout", Role::Other),
    ("plugin-dir", Role::Other),
    ("default-auth", Role::Other),
    ("bind-address", Role::Other),
    ("V", Role::Nothing),
    ("version", Role::Nothing),
    ("?", Role::Nothing),
    ("help", Role::Nothing),
];

const SQLITE: &[(&str, Role)] = &[
    ("e", Role::Text),
    ("execute", Role::Text),
    ("cmd", Role::TextFirst),
    ("init", Role::FileFirst),
    ("separator", Role::Other),
    ("newline", Role::Other),
    ("nullvalue", Role::Other),
    ("mmap", Role::Other),
    ("vfs", Role::Other),
    ("maxsize", Role::Other),
    ("heap", Role::Other),
    ("escape", Role::Other),
    ("version", Role::Nothing),
    ("help", Role::Nothing),
];

const DUCKDB: &[(&str, Role)] = &[
    ("c", Role::Text),
    ("s", Role::Text),
    ("f", Role::File),
    ("cmd", Role::TextFirst),
    ("init", Role::FileFirst),
    ("separator", Role::Other),
    ("newline", Role::Other),
    ("nullvalue", Role::Other),
    ("storage-version", Role::Other),
    ("version", Role::Nothing),
    ("help", Role::Nothing),
];

const CLICKHOUSE: &[(&str, Role)] = &[
    ("q", Role::Text),
    ("query", Role::Text),
    ("queries-file", Role::File),
    ("h", Role::Host),
    ("host", Role::Host),
    ("d", Role::Database),
    ("database", Role::Database),
    ("password", Role::Password),
    ("connection", Role::Other),
    ("u", Role::Other),
    ("user", Role::Other),
    ("port", Role::Other),
    ("f", Role::Other),
    ("format", Role::Other),
    ("output-format", Role::Other),
    ("input-format", Role::Other),
    ("c", Role::Other),
    ("config-file", Role::Other),
    ("C", Role::Other),
    ("config", Role::Other),
    ("S", Role::Other),
    ("structure", Role::Other),
    ("N", Role::Other),
    ("table", Role::Other),
    ("path", Role::Other),
    ("F", Role::Other),
    ("file", Role::Other),
    ("V", Role::Nothing),
    ("version", Role::Nothing),
    ("help", Role::Nothing),
];

const MONGO: &[(&str, Role)] = &[
    ("eval", Role::Text),
    ("f", Role::File),
    ("file", Role::File),
    ("host", Role::Host),
    ("p", Role::Password),
    ("password", Role::Password),
    ("u", Role::Other),
    ("username", Role::Other),
    ("port", Role::Other),
    ("authenticationDatabase", Role::Other),
    ("authenticationMechanism", Role::Other),
    ("tlsCertificateKeyFile", Role::Other),
    ("tlsCAFile", Role::Other),
    ("sslCAFile", Role::Other),
    ("sslPEMKeyFile", Role::Other),
    ("retryWrites", Role::Other),
    ("apiVersion", Role::Other),
    ("version", Role::Nothing),
    ("help", Role::Nothing),
];

const REDIS: &[(&str, Role)] = &[
    ("eval", Role::File),
    ("h", Role::Host),
    ("n", Role::Database),
    ("a", Role::Password),
    ("pass", Role::Password),
    ("u", Role::Address),
    ("rdb", Role::Output),
    ("functions-rdb", Role::Output),
    ("p", Role::Other),
    ("s", Role::Other),
    ("t", Role::Other),
    ("r", Role::Other),
    ("i", Role::Other),
    ("d", Role::Other),
    ("D", Role::Other),
    ("X", Role::Other),
    ("user", Role::Other),
    ("pattern", Role::Other),
    ("quoted-pattern", Role::Other),
    ("count", Role::Other),
    ("cacert", Role::Other),
    ("cacertdir", Role::Other),
    ("cert", Role::Other),
    ("key", Role::Other),
    ("sni", Role::Other),
    ("tls-ciphers", Role::Other),
    ("tls-ciphersuites", Role::Other),
    ("show-pushes", Role::Other),
    ("pipe-timeout", Role::Other),
    ("memkeys-samples", Role::Other),
    ("keystats-samples", Role::Other),
    ("lru-test", Role::Other),
    ("intrinsic-latency", Role::Other),
    ("scan", Role::Nothing),
    ("bigkeys", Role::Nothing),
    ("memkeys", Role::Nothing),
    ("hotkeys", Role::Nothing),
    ("keystats", Role::Nothing),
    ("stat", Role::Nothing),
    ("latency", Role::Nothing),
    ("latency-history", Role::Nothing),
    ("latency-dist", Role::Nothing),
    ("replica", Role::Nothing),
    ("slave", Role::Nothing),
    ("version", Role::Nothing),
    ("help", Role::Nothing),
];

const CASSANDRA: &[(&str, Role)] = &[
    ("e", Role::Text),
    ("execute", Role::Text),
    ("f", Role::File),
    ("file", Role::File),
    ("k", Role::Database),
    ("keyspace", Role::Database),
    ("p", Role::Password),
    ("password", Role::Password),
    ("u", Role::Other),
    ("username", Role::Other),
    ("cqlshrc", Role::Other),
    ("credentials", Role::Other),
    ("cqlversion", Role::Other),
    ("protocol-version", Role::Other),
    ("encoding", Role::Other),
    ("request-timeout", Role::Other),
    ("connect-timeout", Role::Other),
    ("version", Role::Nothing),
    ("help", Role::Nothing),
];

const SQLSERVER: &[(&str, Role)] = &[
    ("Q", Role::Text),
    ("query", Role::Text),
    ("q", Role::TextFirst),
    ("initial-query", Role::TextFirst),
    ("i", Role::File),
    ("input-file", Role::File),
    ("o", Role::Output),
    ("output-file", Role::Output),
    ("S", Role::Host),
    ("server", Role::Host),
    ("d", Role::Database),
    ("database-name", Role::Database),
    ("P", Role::Password),
    ("U", Role::Other),
    ("user-name", Role::Other),
    ("v", Role::Other),
    ("variables", Role::Other),
    ("s", Role::Other),
    ("w", Role::Other),
    ("h", Role::Other),
    ("l", Role::Other),
    ("t", Role::Other),
    ("m", Role::Other),
    ("V", Role::Other),
    ("a", Role::Other),
    ("c", Role::Other),
    ("H", Role::Other),
    ("K", Role::Other),
    ("f", Role::Other),
    ("y", Role::Other),
    ("Y", Role::Other),
    ("z", Role::Password),
    ("Z", Role::Password),
    ("version", Role::Nothing),
    ("?", Role::Nothing),
    ("help", Role::Nothing),
];

const ORACLE: &[(&str, Role)] = &[
    ("c", Role::Other),
    ("C", Role::Other),
    ("m", Role::Other),
    ("M", Role::Other),
    ("r", Role::Other),
    ("R", Role::Other),
    ("v", Role::Nothing),
    ("V", Role::Nothing),
    ("version", Role::Nothing),
    ("help", Role::Nothing),
];
