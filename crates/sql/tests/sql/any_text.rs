//! Properties of any text of any client: there is an answer, and other text next to a destructive statement does not hide it.

use crate::table::ALL;
use checkrein_shell::{Part, Word};
use checkrein_sql::{
    Client::{Cassandra, ClickHouse, DuckDb, MySql, Oracle, Postgres, SqlServer, Sqlite},
    Object, Scope, Statement, statements, text_of,
};
use proptest::prelude::*;

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
