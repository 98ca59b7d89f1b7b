//! Texts that destroy, and texts that only look like it: an object, all rows, a condition that excludes none.

use crate::table::{check, said};
use checkrein_sql::Client::{
    Cassandra, ClickHouse, DuckDb, Mongo, MySql, Oracle, Postgres, Redis, SqlServer, Sqlite,
};

#[test]
fn what_destroys_and_its_harmless_twin() {
    check(&[
        (Postgres, "DROP TABLE accounts", "table accounts"),
        (Postgres, "CREATE TABLE accounts (id int)", "change"),
        (Postgres, "DROP DATABASE shop;", "database shop"),
        (Postgres, "CREATE DATABASE shop;", "change"),
        (Postgres, "DROP SCHEMA public CASCADE", "schema public"),
        (
            Postgres,
            "drop table if exists public.accounts, public.orders cascade",
            "table public.accounts, public.orders",
        ),
        (Postgres, "DROP MATERIALIZED VIEW totals", "view totals"),
        (Postgres, "DROP INDEX CONCURRENTLY by_name", "index by_name"),
        (Postgres, "DROP ROLE bob", "role bob"),
        (Postgres, "DROP OWNED BY bob", "schema bob"),
        (Postgres, "TRUNCATE accounts, orders", "rows accounts, orders"),
        (Postgres, "TRUNCATE TABLE ONLY accounts RESTART IDENTITY", "rows accounts"),
        (Postgres, "DELETE FROM accounts", "rows accounts"),
        (Postgres, "DELETE FROM accounts WHERE id = 7", "change"),
        (Postgres, "DELETE FROM accounts a USING orders o WHERE o.a = a.id", "change"),
        (Postgres, "UPDATE accounts SET plan = 'free'", "rows accounts"),
        (Postgres, "UPDATE accounts SET plan = 'free' WHERE id = 7", "change"),
        (Postgres, "UPDATE accounts SET plan = (SELECT p FROM plans WHERE id = 1)", "rows accounts"),
        (Postgres, "ALTER TABLE accounts DROP COLUMN email", "column accounts.email some"),
        (Postgres, "ALTER TABLE accounts DROP IF EXISTS email", "column accounts.email some"),
        (Postgres, "ALTER TABLE accounts ADD COLUMN email text", "change"),
        (Postgres, "ALTER TABLE accounts DROP CONSTRAINT one", "change"),
        (Postgres, "ALTER TABLE accounts ALTER COLUMN email DROP NOT NULL", "change"),
        (MySql, "ALTER TABLE logs DROP PARTITION p1", "rows logs some"),
        (MySql, "CREATE OR REPLACE TABLE accounts (id int)", "table accounts"),
        (MySql, "CREATE OR REPLACE VIEW v AS SELECT 1", "change"),
        (MySql, "RESET MASTER", "other"),
        (Postgres, "SELECT lo_unlink(photo) FROM products", "other large objects"),
        (Postgres, "SELECT lo_unlink(4711)", "change"),
        (MySql, "DELETE FROM logs ORDER BY at LIMIT 10", "rows logs"),
        (MySql, "DELETE FROM logs WHERE level = 3 ORDER BY at LIMIT 10", "change"),
        (MySql, "UPDATE t SET `limit` = 5", "rows t"),
        (MySql, "DELETE a FROM a JOIN b ON a.id = b.id", "change"),
        (MySql, "DELETE a FROM a LEFT JOIN b ON a.id = b.id", "rows a"),
        (Sqlite, "delete from accounts", "rows accounts"),
        (DuckDb, "CREATE OR REPLACE TABLE t AS SELECT 1", "table t"),
        (ClickHouse, "DROP TABLE events NO DELAY", "table events"),
        (ClickHouse, "TRUNCATE DATABASE shop", "database shop"),
        (ClickHouse, "ALTER TABLE events DELETE WHERE 1", "rows events"),
        (ClickHouse, "ALTER TABLE events DELETE WHERE day < '2020-01-01'", "change"),
        (Cassandra, "DROP KEYSPACE shop", "database shop"),
        (Cassandra, "DELETE FROM t WHERE k = 1 // all", "change"),
        (SqlServer, "DROP TABLE [dbo].[accounts]", "table dbo.accounts"),
        (SqlServer, "DELETE TOP (5) FROM accounts", "rows accounts"),
        (SqlServer, "DELETE TOP (5) FROM accounts WHERE closed = 1", "change"),
        (
            SqlServer,
            "RESTORE DATABASE shop FROM DISK = 'x.bak' WITH REPLACE",
            "change; reads x.bak; database shop",
        ),
        (Oracle, "TRUNCATE TABLE accounts", "rows accounts"),
        (Mongo, "db.dropDatabase();", "database"),
        (Mongo, "db.accounts.drop()", "table accounts"),
        (Mongo, "db.runCommand({delete: 'logs', deletes: [{q: {}, limit: 0}]})", "rows logs"),
        (Mongo, "db.runCommand({delete: 'logs', deletes: [{q: {level: 3}, limit: 0}]})", "change"),
        (
            Mongo,
            "db.runCommand({update: 'logs', updates: [{q: {}, u: {$set: {a: 1}}, multi: true}]})",
            "rows logs",
        ),
        (Mongo, "db.accounts.deleteMany({})", "rows accounts"),
        (Mongo, "db.accounts.deleteMany({_id: {$exists: true}})", "rows accounts"),
        (Mongo, "db.accounts.deleteMany({plan: 'free'})", "change"),
        (Mongo, "db.accounts.updateMany({}, {$set: {a: 1}})", "rows accounts"),
        (Mongo, "db.getSiblingDB('shop').getCollection('a').remove({})", "rows shop.a"),
        (Mongo, "db.runCommand({drop: 'accounts'})", "table accounts"),
        (Mongo, "db.runCommand({ping: 1})", "read"),
        (Mongo, "db.accounts.find({a: 1}).limit(3).toArray()", "read"),
        (Mongo, "show dbs", "read"),
        (Mongo, "db.getCollectionNames().forEach(c => db[c].drop())", "table c"),
        (Redis, "flushall", "database"),
        (Redis, "FLUSHDB ASYNC", "database"),
        (Redis, "SHUTDOWN", "database"),
        (Redis, "shutdown save", "change"),
        (Redis, "FUNCTION FLUSH", "other functions"),
        (Redis, "FUNCTION LIST", "read"),
        (Redis, "DEL a b", "keys a, b some"),
        (Redis, "SET a \"DEL b\"\nHGETALL h", "change; read"),
        (Redis, "REPLICAOF other 6379", "database"),
        (Redis, "EVAL \"return redis.call('FLUSHALL')\" 0", "database"),
        (Redis, "EVAL \"return redis.call('GET', KEYS[1])\" 1 a", "read"),
    ]);
}

#[test]
fn a_condition_that_every_row_passes_is_none() {
    for condition in [
        "1=1",
        "true",
        "1",
        "(1 = 1)",
        "'a' = 'a'",
        "id = id",
        "NOT false",
        "x = 1 OR 1=1",
        "1=1 AND true",
        "2 > 1",
        "1 <> 2",
        "name LIKE '%'",
        "id > 0",
        "id IS NOT NULL",
        "((true)) -- all",
    ] {
        let text = format!("DELETE FROM accounts WHERE {condition}");
        assert_eq!(said(Postgres, &text), "rows accounts", "{text}");
    }
    for condition in [
        "1=0",
        "false",
        "id = 1",
        "a = b",
        "x = 1 AND 1=1",
        "id > 100",
        "name LIKE 'a%'",
        "a IS NOT NULL",
        "x BETWEEN 1 AND 2",
        "id IN (SELECT 1)",
        "(a = 1) OR (b = 1)",
        "NULL = NULL",
    ] {
        let text = format!("UPDATE accounts SET x = 1 WHERE {condition}");
        assert_eq!(said(Postgres, &text), "change", "{text}");
    }
}
