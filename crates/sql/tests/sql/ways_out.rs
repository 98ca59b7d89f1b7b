//! Texts that reach beyond the data: shells and files of the machine, and rights of others.

use crate::table::check;
use checkrein_sql::Client::{
    Cassandra, ClickHouse, DuckDb, Mongo, MySql, Oracle, Postgres, Redis, SqlServer, Sqlite,
};

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
