//! Texts that are too long or too deep to be followed: the work has an end, and the answer is not silence.

use crate::table::{ALL, said};
use checkrein_sql::{Client::Postgres, MAX_TEXT, Statement, statements};
use std::time::{Duration, Instant};

#[test]
fn what_is_too_much_is_unknown() {
    for client in ALL {
        assert_eq!(statements(client, &"x".repeat(MAX_TEXT + 1)), [Statement::TooMuch]);
        assert_eq!(statements(client, ""), []);
    }
    // Texts in texts, deeper than anyone writes.
    let mut text = "DROP TABLE accounts".to_owned();
    for depth in 0..12 {
        text = format!("DO $t{depth}$ BEGIN EXECUTE $u{depth}${text}$u{depth}$; END $t{depth}$");
    }
    assert_eq!(said(Postgres, &text), "too much");
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
