//! Texts that destroy nothing of value: it is rolled back, or was made to be thrown away.

use crate::table::check;
use checkrein_sql::{
    Client::{ClickHouse, Mongo, MySql, Postgres, Redis, SqlServer},
    is_throwaway,
};

#[test]
fn what_a_rollback_takes_back() {
    check(&[
        (Postgres, "BEGIN; DELETE FROM accounts; ROLLBACK;", "read; change; read"),
        (Postgres, "BEGIN; DROP TABLE accounts; ROLLBACK", "read; change; read"),
        (Postgres, "BEGIN; DELETE FROM accounts; COMMIT", "read; rows accounts; read"),
        (Postgres, "BEGIN; DELETE FROM accounts; COMMIT; ROLLBACK", "read; rows accounts; read; read"),
        (Postgres, "BEGIN; DELETE FROM accounts; END; ROLLBACK", "read; rows accounts; read; read"),
        (Postgres, "BEGIN; DELETE FROM accounts; ROLLBACK; SELECT 1", "read; rows accounts; read; read"),
        (Postgres, "DELETE FROM accounts; ROLLBACK", "rows accounts; read"),
        (Postgres, "BEGIN; DELETE FROM accounts; ROLLBACK TO a", "read; rows accounts; read"),
        (
            Postgres,
            "BEGIN; DELETE FROM accounts; \\i a.sql\nROLLBACK",
            "read; rows accounts; reads a.sql; read",
        ),
        (MySql, "START TRANSACTION; DELETE FROM accounts; ROLLBACK;", "read; change; read"),
        (MySql, "BEGIN; DROP TABLE accounts; ROLLBACK;", "read; table accounts; read"),
        (
            MySql,
            "BEGIN; DELETE FROM accounts; CREATE TABLE x (a int); ROLLBACK;",
            "read; rows accounts; change; read",
        ),
        (ClickHouse, "BEGIN; DELETE FROM accounts; ROLLBACK;", "read; rows accounts; read"),
    ]);
}

#[test]
fn what_is_thrown_away() {
    check(&[
        (Postgres, "CREATE TEMP TABLE x (a int); DROP TABLE x", "change; table x throwaway"),
        (
            Postgres,
            "CREATE TABLE x (a int); DELETE FROM x; DROP TABLE IF EXISTS x",
            "change; rows x throwaway; table x throwaway",
        ),
        (
            Postgres,
            "CREATE TEMP TABLE x (a int); DROP TABLE x; DROP TABLE x",
            "change; table x throwaway; table x",
        ),
        (Postgres, "CREATE TABLE IF NOT EXISTS x (a int); DROP TABLE x", "change; table x"),
        (Postgres, "DROP TABLE IF EXISTS x; CREATE TABLE x (a int)", "table x; change"),
        (Postgres, "CREATE TABLE x (a int); DROP DATABASE x", "change; database x"),
        (Postgres, "CREATE TABLE x (a int); DROP TABLE x, y", "change; table x, y"),
        (Postgres, "DROP DATABASE IF EXISTS shop_test", "database shop_test throwaway"),
        (Postgres, "DROP TABLE test_a, accounts", "table test_a, accounts"),
        (MySql, "DROP TEMPORARY TABLE x", "table x throwaway"),
        (SqlServer, "DROP TABLE #x", "table #x throwaway"),
        (Mongo, "db.tmp_a.drop()", "table tmp_a throwaway"),
        (Redis, "DEL test:1 tmp:2", "keys test:1, tmp:2 some throwaway"),
        (Redis, "DEL test:1 user:2", "keys test:1, user:2 some"),
    ]);
    for name in ["test", "test_x", "x_tmp", "public.temp_a", ":memory:", "pg_temp.a", "TEST_A", "shop-test"] {
        assert!(is_throwaway(name), "{name}");
    }
    for name in ["", "contest", "attempts", "latest", "test.accounts", "tested", "prod"] {
        assert!(!is_throwaway(name), "{name}");
    }
}
