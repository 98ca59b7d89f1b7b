//! The place of the text in a client's command line, and what is known of a text that depends on the run.

use crate::table::short;
use checkrein_shell::{Part, ShellEnv, Source, Word, read};
use checkrein_sql::{
    Client::{self, Postgres, Redis},
    PLACEHOLDER, statements_of, text_of,
};

fn words(command: &str) -> Vec<Word> {
    read(command, &ShellEnv::default()).commands[0].words.clone()
}

/// Returns the meaning of a client's command line, in one line.
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
        let said: Vec<String> = statements_of(client, &Source::of_word(&words[1]))
            .iter()
            .map(|one| short(one).replace(PLACEHOLDER, "?"))
            .collect();
        assert_eq!(said.join("; "), expected, "{word}");
    }
}
