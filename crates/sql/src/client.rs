//! The clients that are known, and how their languages are written.

/// A family of database clients that speak one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// `psql` and what takes its texts.
    Postgres,
    /// `mysql`, `mariadb`.
    MySql,
    /// `sqlite3`.
    Sqlite,
    /// `duckdb`.
    DuckDb,
    /// `clickhouse-client`, `clickhouse-local`.
    ClickHouse,
    /// `mongosh`, `mongo`: JavaScript.
    Mongo,
    /// `redis-cli`, `valkey-cli`: a command per line.
    Redis,
    /// `cqlsh`.
    Cassandra,
    /// `sqlcmd`: statements need no separator.
    SqlServer,
    /// `sqlplus`.
    Oracle,
    /// `cypher-shell`: patterns of a graph.
    Cypher,
}

impl Client {
    /// The client that a program is, by its name without directories.
    pub fn of(program: &str) -> Option<Self> {
        Some(match program.strip_suffix(".exe").unwrap_or(program) {
            "psql" | "pgcli" => Self::Postgres,
            "mysql" | "mariadb" | "mycli" => Self::MySql,
            "sqlite3" | "sqlite" | "litecli" => Self::Sqlite,
            "duckdb" => Self::DuckDb,
            "clickhouse" | "clickhouse-client" | "clickhouse-local" => Self::ClickHouse,
            "mongosh" | "mongo" => Self::Mongo,
            "redis-cli" | "valkey-cli" | "keydb-cli" => Self::Redis,
            "cqlsh" => Self::Cassandra,
            "sqlcmd" => Self::SqlServer,
            "sqlplus" => Self::Oracle,
            // Those that the table of programs describes, by the names of its entries.
            "bq query" | "hive" | "spark-sql" | "beeline" | "impala-shell" | "pscale shell"
            | "wp db query" | "drush sql:query" | "drush sqlq" | "drush sql-query" => Self::MySql,
            "turso db shell" | "wrangler d1 execute" | "libsql" | "osqueryi" => Self::Sqlite,
            "mssql-cli" | "tsql" | "isql" => Self::SqlServer,
            "clickhouse local" | "clickhouse client" => Self::ClickHouse,
            "cypher-shell" | "memgraph-cli" | "mgconsole" => Self::Cypher,
            _ => return None,
        })
    }

    /// Returns whether a backslash in `'…'` hides the next character. Postgres and DuckDB want `E'…'` for it.
    pub(super) fn escapes(self) -> bool {
        matches!(self, Self::MySql | Self::ClickHouse)
    }

    /// Returns whether `/* /* */ */` is one comment.
    pub(super) fn nests_comments(self) -> bool {
        matches!(self, Self::Postgres | Self::DuckDb | Self::SqlServer)
    }

    /// Returns whether `$tag$ … $tag$` is a string.
    pub(super) fn dollars(self) -> bool {
        matches!(self, Self::Postgres | Self::DuckDb | Self::ClickHouse | Self::Cassandra)
    }

    /// Returns whether this character quotes a name.
    pub(super) fn quotes_name(self, char: char) -> bool {
        match char {
            '"' => self != Self::MySql,
            '`' => matches!(self, Self::MySql | Self::Sqlite | Self::ClickHouse),
            '[' => matches!(self, Self::SqlServer | Self::Sqlite),
            _ => false,
        }
    }

    /// Returns whether a transaction can take back the dropping of a table, too.
    pub(super) fn rolls_back_definitions(self) -> bool {
        matches!(self, Self::Postgres | Self::Sqlite | Self::DuckDb | Self::SqlServer)
    }

    /// Returns whether there are transactions over several statements at all.
    pub(super) fn rolls_back(self) -> bool {
        self.rolls_back_definitions() || matches!(self, Self::MySql | Self::Oracle)
    }
}
