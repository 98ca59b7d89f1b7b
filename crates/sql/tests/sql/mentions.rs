//! A mention in a string, a comment or a definition has no effect.

use crate::table::check;
use checkrein_sql::Client::{Mongo, MySql, Postgres, Redis, SqlServer, Sqlite};

#[test]
fn mentions_are_nothing() {
    check(&[
        (Postgres, "SELECT 'DROP TABLE accounts'", "read"),
        (Postgres, "SELECT \"DROP TABLE accounts\" FROM t", "read"),
        (Postgres, "-- DROP TABLE accounts", ""),
        (Postgres, "/* DROP TABLE accounts; */ SELECT 1", "read"),
        (Postgres, "SELECT $$DROP TABLE accounts;$$", "read"),
        (Postgres, "EXPLAIN DELETE FROM accounts", "read"),
        (Postgres, "EXPLAIN (ANALYZE false) DELETE FROM accounts", "read"),
        (Postgres, "INSERT INTO notes VALUES ('x; DELETE FROM accounts')", "change"),
        (Postgres, "COMMENT ON TABLE a IS 'DROP TABLE a'", "change"),
        (Postgres, "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DELETE FROM accounts $$", "change"),
        (
            Postgres,
            "CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC DELETE FROM a; SELECT CASE WHEN true THEN 1 END; END; SELECT 1",
            "change; read",
        ),
        (Postgres, "CREATE TABLE b (a int REFERENCES a ON DELETE CASCADE)", "change"),
        (Postgres, "SELECT * FROM a FOR UPDATE", "read"),
        (Postgres, "COPY t FROM stdin;\nDROP TABLE accounts;\n\\.\nSELECT 1;", "change; read"),
        (MySql, "SELECT 1 # DROP TABLE accounts", "read"),
        (MySql, "SELECT \"DROP TABLE accounts\"", "read"),
        (MySql, "SELECT REPLACE(a, 'x', 'y') FROM t", "read"),
        (Sqlite, "SELECT '\n.shell id\n'", "read"),
        (SqlServer, "GRANT DELETE ON a TO b", "grant"),
        (SqlServer, "CREATE PROC p AS BEGIN DELETE FROM a; DROP TABLE b; END\nGO\nSELECT 1", "change; read"),
        (
            SqlServer,
            "ALTER TABLE a ADD CONSTRAINT c FOREIGN KEY (x) REFERENCES b ON DELETE CASCADE",
            "change",
        ),
        (Mongo, "print('db.dropDatabase()')", "read"),
        (Mongo, "// db.dropDatabase()\ndb.a.find({op: 'drop', drop: 1})", "read"),
        (Mongo, "db.a.find({name: /drop(/ })", "read"),
        (Redis, "ECHO \"FLUSHALL\"", "read"),
        (Redis, "GET FLUSHALL", "read"),
    ]);
}
