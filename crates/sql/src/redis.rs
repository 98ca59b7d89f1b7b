//! Redis: a command per line, words with quotes, and no other syntax. The command's name alone says what is destroyed.

use super::{
    Object, Scope, Statement,
    commands::{REDIS_CHANGES, REDIS_READS},
};

/// Returns the effects of the lines.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    text.split('\n').flat_map(|line| command(&words(line))).collect()
}

/// The words of a line, without quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut chars = line.chars();
    let mut word: Option<String> = None;
    while let Some(char) = chars.next() {
        match char {
            ' ' | '\t' | '\r' => words.extend(word.take()),
            '"' | '\'' => {
                let word = word.get_or_insert_default();
                while let Some(inner) = chars.next().filter(|inner| *inner != char) {
                    match inner {
                        '\\' => word.extend(chars.next()),
                        _ => word.push(inner),
                    }
                }
            }
            _ => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    words
}

fn command(words: &[String]) -> Vec<Statement> {
    let Some((name, arguments)) = words.split_first() else { return Vec::new() };
    let name = name.to_ascii_uppercase();
    let first = arguments.first().map(|word| word.to_ascii_uppercase()).unwrap_or_default();
    let one = match name.as_str() {
        "FLUSHALL" | "FLUSHDB" => Statement::destroy(Object::Database, "", Scope::All),
        "DEL" | "UNLINK" | "GETDEL" => Statement::destroy(Object::Keys, arguments.join(", "), Scope::Some),
        "CONFIG" => return config(arguments, &first),
        "EVAL" | "EVAL_RO" => return script(arguments.first().map_or("", String::as_str)),
        // A replica throws away what it had.
        "REPLICAOF" | "SLAVEOF" if first == "NO" => Statement::Change,
        "REPLICAOF" | "SLAVEOF" => Statement::destroy(Object::Database, "", Scope::All),
        "SHUTDOWN" if matches!(first.as_str(), "SAVE" | "ABORT") => Statement::Change,
        // Without a time for saving nothing is saved, and every user of it waits.
        "SHUTDOWN" => Statement::destroy(Object::Database, "", Scope::All),
        "CLUSTER" => match first.as_str() {
            "RESET" | "FLUSHSLOTS" => Statement::destroy(Object::Database, "", Scope::All),
            "INFO" | "NODES" | "SLOTS" | "SHARDS" | "KEYSLOT" | "MYID" | "COUNTKEYSINSLOT"
            | "GETKEYSINSLOT" | "LINKS" | "REPLICAS" => Statement::Read,
            _ => Statement::Change,
        },
        "ACL" => match first.as_str() {
            "SETUSER" | "LOAD" => Statement::Grant,
            "DELUSER" => Statement::destroy(
                Object::Role,
                arguments.get(1..).unwrap_or_default().join(", "),
                Scope::All,
            ),
            "LIST" | "USERS" | "WHOAMI" | "GETUSER" | "CAT" | "LOG" | "GENPASS" | "HELP" | "DRYRUN" => {
                Statement::Read
            }
            _ => Statement::Change,
        },
        "FUNCTION" => match first.as_str() {
            "LIST" | "DUMP" | "STATS" | "HELP" => Statement::Read,
            "FLUSH" => Statement::destroy(Object::Other, "functions", Scope::All),
            "DELETE" => Statement::destroy(Object::Other, "", Scope::Some),
            _ => Statement::Change,
        },
        "XGROUP" | "SCRIPT" | "CLIENT" | "SLOWLOG" | "LATENCY" | "MEMORY" | "PUBSUB" | "OBJECT"
        | "COMMAND" | "XINFO" => match first.as_str() {
            "KILL" | "PAUSE" | "UNPAUSE" | "FLUSH" | "RESET" | "LOAD" | "CREATE" | "SETID" | "DESTROY"
            | "DELCONSUMER" | "CREATECONSUMER" | "PURGE" => Statement::Change,
            _ => Statement::Read,
        },
        _ if REDIS_READS.contains(&name.as_str()) => Statement::Read,
        _ if REDIS_CHANGES.contains(&name.as_str()) => Statement::Change,
        _ => Statement::Unknown,
    };
    vec![one]
}

/// `CONFIG SET dir` and `dbfilename` make the next save write any file.
fn config(arguments: &[String], first: &str) -> Vec<Statement> {
    match first {
        "GET" | "RESETSTAT" | "HELP" => return vec![Statement::Read],
        "SET" => {}
        _ => return vec![Statement::Change],
    }
    let pairs = arguments.get(1..).unwrap_or_default().chunks(2);
    let found: Vec<Statement> = pairs
        .map(|pair| match pair {
            [key, value] => match key.to_ascii_lowercase().as_str() {
                "dir" | "dbfilename" | "logfile" | "appendfilename" | "appenddirname" | "aclfile" => {
                    Statement::WriteFile(value.clone())
                }
                // From now on nothing is kept.
                "appendonly" if value.eq_ignore_ascii_case("no") => {
                    Statement::destroy(Object::Other, "appendonly", Scope::All)
                }
                "save" if value.is_empty() => Statement::destroy(Object::Other, "save", Scope::All),
                "requirepass"
                | "masterauth"
                | "protected-mode"
                | "enable-debug-command"
                | "enable-module-command" => Statement::Grant,
                _ => Statement::Change,
            },
            _ => Statement::Change,
        })
        .collect();
    if found.is_empty() { vec![Statement::Unknown] } else { found }
}

/// A script of Lua: the commands that it calls by constant names. Any other call makes it unknown.
pub(super) fn script(text: &str) -> Vec<Statement> {
    let mut found = Vec::new();
    for call in text.split("call").skip(1) {
        let inner = call.trim_start().trim_start_matches('(').trim_start();
        let Some(quote) = inner.chars().next().filter(|quote| matches!(quote, '\'' | '"')) else {
            found.push(Statement::Unknown);
            continue;
        };
        let call = inner.split(')').next().unwrap_or_default();
        let words: Vec<String> =
            call.split(',').map(|word| word.trim()).map(|word| word.trim_matches(quote).to_owned()).collect();
        found.extend(command(&words).into_iter().filter(|_| !words.is_empty()));
    }
    if text.contains(super::PLACEHOLDER) || text.contains("loadstring") {
        found.push(Statement::Unknown);
    }
    if found.is_empty() {
        // It computes something and calls nothing; what does not even return cannot be read.
        found.push(if text.contains("return") { Statement::Read } else { Statement::Unknown });
    }
    found
}
