//! What texts for database clients would do: tables of dangerous texts, their harmless twins, disguises and mentions.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_guard::sql::Client::{
    self, Cassandra, ClickHouse, DuckDb, Mongo, MySql, Oracle, Postgres, Redis, SqlServer, Sqlite,
};
use checkrein_guard::sql::{
    MAX_TEXT, Object, PLACEHOLDER, Scope, Statement, is_throwaway, statements, statements_of, text_of,
};
use checkrein_guard::{Part, Setting, Word, read};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const ALL: [Client; 10] =
    [Postgres, MySql, Sqlite, DuckDb, ClickHouse, Mongo, Redis, Cassandra, SqlServer, Oracle];

/// A statement in a few words: `table accounts`, `rows orders`, `key a some`, `table t throwaway`.
fn short(statement: &Statement) -> String {
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
    }
}

fn said(client: Client, text: &str) -> String {
    statements(client, text).iter().map(short).collect::<Vec<_>>().join("; ")
}

fn check(cases: &[(Client, &str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(client, text, expected)| said(*client, text) != *expected)
        .map(|(client, text, expected)| {
            format!("{client:?} {text:?}\n  expected {expected}\n  got      {}", said(*client, text))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

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
        (MySql, "DELETE FROM logs ORDER BY at LIMIT 10", "change"),
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
        (SqlServer, "DELETE TOP (5) FROM accounts", "change"),
        (
            SqlServer,
            "RESTORE DATABASE shop FROM DISK = 'x.bak' WITH REPLACE",
            "change; reads x.bak; database shop",
        ),
        (Oracle, "TRUNCATE TABLE accounts", "rows accounts"),
        (Mongo, "db.dropDatabase();", "database"),
        (Mongo, "db.accounts.drop()", "table accounts"),
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

#[test]
fn disguises() {
    check(&[
        (Postgres, "dRoP/**/tAbLe\n\t/* x /* y */ z */accounts--;", "table accounts"),
        (Postgres, "SELECT 1;;; -- '\nDROP TABLE accounts", "read; table accounts"),
        (Postgres, "SELECT '\\'; DROP TABLE accounts; --'", "read; table accounts"),
        (Postgres, "SELECT E'\\'; DROP TABLE accounts; --'", "read"),
        (Postgres, "SELECT $a$ ' $b$ $a$; DROP TABLE accounts", "read; table accounts"),
        (
            Postgres,
            "WITH gone AS (DELETE FROM accounts RETURNING *) SELECT count(*) FROM gone",
            "rows accounts; read",
        ),
        (Postgres, "WITH a AS (SELECT 1) DELETE FROM accounts", "rows accounts"),
        (Postgres, "(((SELECT 1)))", "read"),
        (Postgres, "EXPLAIN ANALYZE DELETE FROM accounts", "rows accounts"),
        (Postgres, "EXPLAIN (COSTS, ANALYZE true) DELETE FROM accounts", "rows accounts"),
        (Postgres, "DO $$ BEGIN EXECUTE 'DROP TABLE accounts'; END $$", "table accounts"),
        (Postgres, "DO $$ BEGIN IF true THEN DELETE FROM accounts; END IF; END $$", "rows accounts"),
        (
            Postgres,
            "DO $$ DECLARE r record; BEGIN FOR r IN SELECT tablename FROM pg_tables LOOP \
             EXECUTE format('DROP TABLE %I', r.tablename); END LOOP; END $$",
            "read; table",
        ),
        (Postgres, "DO $$ BEGIN EXECUTE 'DROP' || ' TABLE ' || 'accounts'; END $$", "table accounts"),
        (Postgres, "PREPARE x AS DELETE FROM accounts; EXECUTE x", "rows accounts; read"),
        (Postgres, "EXECUTE nobody", "unknown"),
        (Postgres, "SELECT dblink_exec('dbname=shop', 'DROP TABLE accounts')", "table accounts"),
        (Postgres, "SELECT 'DROP TABLE accounts' \\gexec", "table accounts; unknown; unknown; read"),
        (Postgres, "\\set q 'DROP TABLE accounts'\n:q;", "table accounts; read; unknown"),
        (Postgres, "SELECT 1 \\; DROP TABLE accounts", "read; table accounts"),
        (Postgres, "DROP \\echo x\nTABLE accounts;", "read; table accounts"),
        (Postgres, "SET standard_conforming_strings = off; SELECT 1", "unknown; read"),
        (Postgres, "SELECT 1; SELECT 'open", "read; read; unknown"),
        (Postgres, "DROP TABLE accounts /* open", "table accounts; unknown"),
        (MySql, "/*!50000 DROP TABLE accounts */", "table accounts"),
        (MySql, "/*!DROP*/ /*!40000 TABLE*/ accounts", "table accounts"),
        (MySql, "DELETE FROM accounts /*!99999 WHERE id = 1 */", "change; unknown"),
        (MySql, "SELECT 1 --1; # x\n; DROP TABLE accounts", "read; table accounts"),
        (MySql, "SELECT '\\'; DROP TABLE accounts; -- '", "read"),
        (MySql, "SELECT \"'\"; DROP TABLE accounts", "read; table accounts"),
        (MySql, "DROP TABLE `a;b`", "table a;b"),
        (MySql, "DELIMITER //\nDROP TABLE accounts//\nDELIMITER ;\nSELECT 1;", "table accounts; read"),
        (MySql, "PREPARE x FROM 'DROP TABLE accounts'", "table accounts"),
        (
            MySql,
            "SET @q = 'DROP TABLE accounts'; PREPARE x FROM @q; EXECUTE x",
            "read; table accounts; unknown; read",
        ),
        (MySql, "EXECUTE IMMEDIATE 'DROP TABLE accounts'", "table accounts"),
        (MySql, "SELECT 1\\G DROP TABLE accounts", "read; table accounts"),
        (Sqlite, "SELECT [';]; DROP TABLE accounts", "read; table accounts"),
        (Sqlite, "SELECT a\n.print '\n'; DROP TABLE accounts; --'", "read; table accounts"),
        (
            Sqlite,
            "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END; DROP TABLE accounts;",
            "change; table accounts",
        ),
        (Sqlite, "CREATE INDEX trigger ON a (b); DROP TABLE accounts", "change; table accounts"),
        (
            Sqlite,
            "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; DROP TABLE accounts;",
            "change; unknown",
        ),
        (SqlServer, "CREATE INDEX event ON a (b); DROP TABLE accounts", "change; table accounts"),
        (SqlServer, "xp_cmdshell 'dir'", "change; shell dir"),
        (SqlServer, "SELECT 1 DROP TABLE accounts", "read; table accounts"),
        (SqlServer, "IF EXISTS (SELECT 1 FROM x) DROP TABLE accounts", "table accounts"),
        (SqlServer, "SELECT 1\nGO\nDROP TABLE accounts\nGO 2", "read; table accounts"),
        (SqlServer, "EXEC('DROP TABLE accounts')", "table accounts"),
        (SqlServer, "EXEC sp_executesql N'DROP TABLE accounts'", "table accounts"),
        (SqlServer, "DECLARE @q nvarchar(99) = N'DROP TABLE accounts' EXEC(@q)", "table accounts; unknown"),
        (SqlServer, "EXEC sp_MSforeachtable 'DROP TABLE ?'", "table; unknown"),
        (Oracle, "BEGIN EXECUTE IMMEDIATE 'DROP TABLE accounts'; END;\n/", "table accounts"),
        (Oracle, "SELECT q'[it's; DROP TABLE x]' FROM dual", "read"),
        (Mongo, "db['accounts']['drop']()", "table accounts"),
        (Mongo, "db.accounts['dr' + 'op']()", "unknown"),
        (Mongo, "const f = db.accounts.drop; f()", "unknown; unknown"),
        (Mongo, "eval('db.dropDatabase()')", "unknown"),
        (Mongo, "db /* x */ . accounts // y\n . drop ( )", "table accounts"),
        (Redis, "\"FLUSH\"ALL", "database"),
    ]);
}

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

#[test]
fn ways_out_of_the_database() {
    check(&[
        (Postgres, "\\! id; whoami", "shell id; whoami"),
        (Postgres, "SELECT 1 \\g | cat", "shell cat; read"),
        (Postgres, "\\o /etc/x", "writes /etc/x"),
        (Postgres, "\\o", "read"),
        (Postgres, "\\i other.sql", "reads other.sql"),
        (Postgres, "\\set x `id`", "shell id; read"),
        (Postgres, "\\copy accounts TO '/home/x.csv' CSV", "read; writes /home/x.csv"),
        (Postgres, "\\copy accounts FROM program 'curl x'", "change; shell curl x"),
        (Postgres, "\\dt+ public.*", "read"),
        (Postgres, "COPY (SELECT 1) TO PROGRAM 'sh'", "read; shell sh"),
        (Postgres, "COPY t FROM '/etc/passwd'", "change; reads /etc/passwd"),
        (Postgres, "COPY t TO STDOUT", "read"),
        (Postgres, "SELECT pg_read_file('/etc/passwd')", "reads /etc/passwd"),
        (Postgres, "SELECT lo_export(1, '/x')", "writes /x"),
        (Postgres, "ALTER SYSTEM SET archive_command = 'id'", "shell id"),
        (Postgres, "CREATE FUNCTION f() RETURNS text LANGUAGE plpython3u AS $$ pass $$", "unknown"),
        (MySql, "system id", "shell id"),
        (MySql, "SELECT 1; \\! id", "read; shell id"),
        (MySql, "source a.sql", "reads a.sql"),
        (MySql, "SELECT 1 INTO OUTFILE '/var/www/x.php'", "writes /var/www/x.php"),
        (MySql, "SELECT LOAD_FILE('/etc/passwd')", "reads /etc/passwd"),
        (MySql, "SELECT LOAD_FILE(CONCAT('/etc', '/passwd'))", "unknown"),
        (MySql, "LOAD DATA LOCAL INFILE 'a.csv' INTO TABLE t", "change; reads a.csv"),
        (MySql, "SET GLOBAL general_log_file = '/x.php'", "writes /x.php"),
        (Sqlite, ".shell id", "shell id"),
        (Sqlite, ".sys id", "shell id"),
        (Sqlite, ".tables", "read"),
        (Sqlite, ".output x.txt\nSELECT 1;\n.output", "writes x.txt; read; read"),
        (Sqlite, ".once |cat", "shell cat"),
        (Sqlite, ".read a.sql", "reads a.sql"),
        (Sqlite, ".backup main copy.db", "writes copy.db"),
        (Sqlite, ".restore copy.db", "reads copy.db; database"),
        (Sqlite, "ATTACH '/x.db' AS x", "reads /x.db; writes /x.db"),
        (Sqlite, "SELECT writefile('/x', 'y'), load_extension('z')", "writes /x; unknown"),
        (Sqlite, "VACUUM INTO 'b.db'", "change; writes b.db"),
        (DuckDb, "SELECT * FROM 'a.csv'", "reads a.csv"),
        (DuckDb, "SELECT * FROM read_csv('a.csv')", "reads a.csv"),
        (DuckDb, "COPY t TO 'a.parquet' (FORMAT parquet)", "read; writes a.parquet"),
        (ClickHouse, "INSERT INTO FUNCTION file('x.csv') SELECT 1", "change; reads x.csv; writes x.csv"),
        (SqlServer, "EXEC xp_cmdshell 'dir'", "change; shell dir"),
        (SqlServer, "!! dir", "shell dir"),
        (SqlServer, ":r a.sql", "reads a.sql"),
        (Oracle, "HOST id", "shell id"),
        (Oracle, "@a.sql", "reads a.sql"),
        (Mongo, "require('child_process').execSync('id')", "shell id"),
        (Mongo, "load('a.js')", "reads a.js"),
        (Redis, "CONFIG SET dir /root/.ssh", "writes /root/.ssh"),
        (Redis, "MODULE LOAD /x.so", "unknown"),
        (Cassandra, "SOURCE 'a.cql'", "reads a.cql"),
    ]);
}

#[test]
fn rights() {
    check(&[
        (Postgres, "GRANT ALL ON accounts TO bob", "grant"),
        (Postgres, "ALTER ROLE bob SUPERUSER", "grant"),
        (Postgres, "ALTER ROLE bob SET search_path = x", "change"),
        (Postgres, "CREATE USER bob", "grant"),
        (Postgres, "REVOKE ALL ON accounts FROM bob", "change"),
        (MySql, "CREATE USER 'bob'@'%' IDENTIFIED BY 'x'", "grant"),
        (SqlServer, "ALTER SERVER ROLE sysadmin ADD MEMBER bob", "grant"),
        (Mongo, "db.createUser({user: 'bob'})", "grant"),
        (Redis, "ACL SETUSER bob on +@all", "grant"),
    ]);
}

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

fn words(command: &str) -> Vec<Word> {
    read(command, &Setting::default()).commands[0].words.clone()
}

/// What a client's command line says, in one line.
fn invoked(command: &str) -> String {
    let words = words(command);
    let client = Client::of(&words[0].constant().unwrap()).unwrap();
    let found = text_of(client, &words[1..]);
    let show = |word: &Word| {
        let part = |part: &Part| match part {
            Part::Text(text) | Part::Glob(text) => text.clone(),
            Part::Unknown(_) => "?".to_owned(),
        };
        word.parts.iter().map(part).collect::<String>()
    };
    let mut line: Vec<String> = Vec::new();
    line.extend(found.texts.iter().map(|word| format!("text<{}>", show(word))));
    line.extend(found.files.iter().map(|word| format!("file<{}>", show(word))));
    line.extend(found.outputs.iter().map(|word| format!("out<{}>", show(word))));
    line.extend(found.host.iter().map(|word| format!("host<{}>", show(word))));
    line.extend(found.database.iter().map(|word| format!("db<{}>", show(word))));
    line.extend(found.reads_stdin.then(|| "stdin".to_owned()));
    line.extend(found.password_in_args.then(|| "password".to_owned()));
    line.join(" ")
}

#[test]
fn arguments_of_clients() {
    for (command, expected) in [
        ("psql -c 'SELECT 1' shop", "text<SELECT 1> db<shop>"),
        ("psql -Atqc 'SELECT 1'", "text<SELECT 1>"),
        ("psql -Atc'SELECT 1' -c 'SELECT 2'", "text<SELECT 1> text<SELECT 2>"),
        ("psql --command='SELECT 1' -h far -d shop", "text<SELECT 1> host<far> db<shop>"),
        ("psql --comm 'SELECT 1'", "text<SELECT 1>"),
        ("psql -c \"SELECT $x\"", "text<SELECT ?>"),
        ("psql -f a.sql -v ON_ERROR_STOP=1 -o out.txt", "file<a.sql> out<out.txt>"),
        ("psql -f -", "stdin"),
        ("psql shop", "db<shop> stdin"),
        ("psql -l", ""),
        ("psql postgres://me:pw@far/shop?sslmode=off -c x", "text<x> host<far> db<shop> password"),
        ("psql 'host=far dbname=shop password=x'", "host<far> db<shop> stdin password"),
        ("psql -- -c", "db<-c> stdin"),
        ("mysql -u root -ppw -e 'SELECT 1' shop", "text<SELECT 1> db<shop> password"),
        ("mysql -p -e 'SELECT 1'", "text<SELECT 1>"),
        ("mysql --ssl -e 'SELECT 1'", "text<SELECT 1>"),
        ("mysql --exec='SELECT 1' --password=x", "text<SELECT 1> password"),
        ("mariadb -h far shop", "host<far> db<shop> stdin"),
        ("sqlite3 a.db 'SELECT 1' .tables", "text<SELECT 1> text<.tables> db<a.db>"),
        ("sqlite3 -header -cmd '.mode csv' a.db 'SELECT 1'", "text<.mode csv> text<SELECT 1> db<a.db>"),
        ("sqlite3 -cmd .x a.db", "text<.x> db<a.db> stdin"),
        ("sqlite3 a.db", "db<a.db> stdin"),
        ("duckdb -c 'SELECT 1'", "text<SELECT 1>"),
        ("duckdb a.duckdb -json 'SELECT 1'", "text<SELECT 1> db<a.duckdb>"),
        ("clickhouse-client -nm -q 'SELECT 1' --password x", "text<SELECT 1> password"),
        ("clickhouse local --query='SELECT 1'", "text<SELECT 1>"),
        ("mongosh mongodb://far/shop --eval 'db.a.find()'", "text<db.a.find()> host<far> db<shop>"),
        ("mongosh shop a.js --quiet", "file<a.js> db<shop>"),
        ("redis-cli -h far -a pw DEL a 'b c'", "text<DEL a \"b c\"> host<far> password"),
        ("redis-cli --tls FLUSHALL", "text<FLUSHALL>"),
        ("redis-cli SET -n 1", "text<SET -n 1>"),
        ("redis-cli --scan --pattern 'a*'", ""),
        ("redis-cli --eval a.lua k", "text<k> file<a.lua>"),
        ("redis-cli del $x", "text<del ?>"),
        ("redis-cli", "stdin"),
        ("cqlsh far -e 'SELECT 1'", "text<SELECT 1> host<far>"),
        ("sqlcmd -S far -d shop -P pw -Q 'SELECT 1'", "text<SELECT 1> host<far> db<shop> password"),
        ("sqlcmd -Nm -Q 'SELECT 1'", "text<SELECT 1>"),
        ("sqlcmd -q 'SELECT 1' -h -1", "text<SELECT 1> stdin"),
        ("sqlplus -S me/pw@far @a.sql", "file<a.sql> password"),
    ] {
        assert_eq!(invoked(command), expected, "{command}");
    }
    assert_eq!(Client::of("grep"), None);
    assert_eq!(Client::of("psql.exe"), Some(Postgres));
}

#[test]
fn words_that_depend_on_the_run() {
    for (client, word, expected) in [
        (Postgres, "\"$q\"", "unknown"),
        (Postgres, "\"DROP TABLE $t\"", "table ?"),
        (Postgres, "\"DELETE FROM a WHERE id = $id\"", "change"),
        (Postgres, "\"SELECT * FROM $t\"", "read"),
        (Redis, "\"del $k\"", "keys ? some"),
    ] {
        let words = words(&format!("x {word}"));
        let said: Vec<String> =
            statements_of(client, &words[1]).iter().map(|one| short(one).replace(PLACEHOLDER, "?")).collect();
        assert_eq!(said.join("; "), expected, "{word}");
    }
}

#[test]
fn what_is_too_much_is_unknown() {
    for client in ALL {
        assert_eq!(statements(client, &"x".repeat(MAX_TEXT + 1)), [Statement::Unknown]);
        assert_eq!(statements(client, ""), []);
    }
    // Texts in texts, deeper than anyone writes.
    let mut text = "DROP TABLE accounts".to_owned();
    for depth in 0..12 {
        text = format!("DO $t{depth}$ BEGIN EXECUTE $u{depth}${text}$u{depth}$; END $t{depth}$");
    }
    assert_eq!(said(Postgres, &text), "unknown");
}

#[test]
fn work_is_bounded() {
    let start = Instant::now();
    let units = [
        "(",
        ")",
        "'",
        "\"",
        "`",
        "[",
        "$a$",
        "$",
        "/*",
        "/*!",
        "*/",
        "--\n",
        "\\",
        "\\!",
        ".x\n",
        ";",
        "WITH x AS (",
        "DO $$",
        "BEGIN ",
        "EXECUTE x;",
        "EXECUTE 'DROP ",
        "load_file(",
        "dblink('",
        "CREATE TABLE x();",
        "DROP TABLE x;",
        "WITH a AS () SELECT (1) ",
        "DELETE FROM a WHERE (",
        "1=1 OR ",
        "CASE ",
        "END ",
        "COPY t FROM stdin;\n",
        "db.x.drop(",
        "/",
        "${",
        "{",
        "call('",
        "GO\n",
        "DELIMITER x\n",
        "SELECT 'a b' ",
        "PREPARE x FROM @y;",
        "E'",
        "q'[",
        "ALTER TABLE x DROP ",
        "#",
        "@",
        "0x",
        "1e",
    ];
    for client in ALL {
        for unit in units {
            statements(client, &unit.repeat(MAX_TEXT / unit.len()));
        }
    }
    // Each level is met several times: as prepared, as executed, as a string that a variable may hold.
    let mut text = "SELECT 1".to_owned();
    for depth in 0..6 {
        let body = format!("$q{depth}${text}{}$q{depth}$", " ".repeat(4000));
        text = format!("SELECT dblink('x', {body}); EXECUTE {body}; EXECUTE y;");
        if text.len() > MAX_TEXT {
            break;
        }
        statements(Postgres, &text);
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "DROP",
        "TABLE",
        "DELETE",
        "FROM",
        "WHERE",
        "SELECT",
        "'",
        "''",
        "\"",
        "`",
        "[",
        "]",
        "$$",
        "$a$",
        "/*",
        "*/",
        "/*!50000",
        "--",
        "#",
        "\n",
        ";",
        "\\",
        "\\g",
        "\\!",
        ".shell",
        "GO",
        "DELIMITER //",
        "BEGIN",
        "END",
        "EXECUTE",
        "WITH",
        "AS",
        "(",
        ")",
        ",",
        ".",
        "1",
        "=",
        "x",
        "é",
        "\u{fffc}",
        "\0",
        "db",
        "drop",
        "{",
        "}",
        "call",
        "EVAL",
        "COPY",
        "STDIN",
        "ALTER",
        "CREATE",
        "TRIGGER",
    ]);
    prop::collection::vec((piece, prop::sample::select(vec!["", " ", "\n"])), 0..40)
        .prop_map(|pieces| pieces.into_iter().map(|(piece, space)| format!("{piece}{space}")).collect())
}

/// Quotes, comments and client's commands aside: words that leave the reader where it was.
fn harmless() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "SELECT 1;",
        "SELECT 'a''b';",
        "/* DROP */",
        "-- x\n",
        "INSERT INTO t VALUES ('it''s; \"x');",
        "\n",
        " ",
        "SELECT \"x;'\";",
        "SELECT 1 AS a;",
        "UPDATE t SET a = 1 WHERE b = ';';",
    ])
    .prop_map(str::to_owned)
}

proptest! {
    #[test]
    fn any_text_is_answered(text in pieces(), noise in ".{0,60}") {
        for client in ALL {
            statements(client, &text);
            statements(client, &noise);
        }
    }

    #[test]
    fn any_arguments_are_read(args in prop::collection::vec("(-{0,2}[a-zA-Z=]{0,4}|.{0,6})", 0..6)) {
        let words: Vec<Word> = args
            .into_iter()
            .map(|text| Word { parts: vec![Part::Text(text)], span: 0..0 })
            .collect();
        for client in ALL {
            text_of(client, &words);
        }
    }

    /// Nothing harmless before or after hides what destroys.
    #[test]
    fn neighbours_hide_nothing(
        before in prop::collection::vec(harmless(), 0..6),
        after in prop::collection::vec(harmless(), 0..4),
        space in prop::sample::select(vec![" ", "\n", "/**/", " /* ' */ ", "\t"]),
    ) {
        let destroying = format!("DROP{space}TABLE{space}accounts;");
        let text = format!("{}{destroying}{}", before.concat(), after.concat());
        let expected = Statement::Destroy {
            what: Object::Table,
            name: "accounts".to_owned(),
            scope: Scope::All,
            throwaway: false,
        };
        for client in [Postgres, MySql, Sqlite, DuckDb, ClickHouse, Cassandra, SqlServer, Oracle] {
            let found = statements(client, &text);
            prop_assert!(found.contains(&expected), "{:?} {:?} {:?}", client, text, found);
            let without = format!("{}{}", before.concat(), after.concat());
            let found = statements(client, &without);
            prop_assert!(
                found.iter().all(|one| matches!(one, Statement::Read | Statement::Change)),
                "{:?} {:?} {:?}", client, without, found
            );
        }
    }
}
