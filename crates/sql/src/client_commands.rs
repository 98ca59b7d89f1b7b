//! The effects of the clients' own commands. [`client_lines`](super::client_lines) finds them.

use super::client::Client;
use super::split::{Bounds, nested};
use super::{Object, Scope, Statement};

/// Returns the effects of a command of the client.
pub(super) fn meaning(client: Client, line: &str, bounds: Bounds<'_>) -> Vec<Statement> {
    let line = line.trim();
    match client {
        Client::Postgres => psql(line, bounds),
        Client::MySql => mysql(line),
        Client::Sqlite | Client::DuckDb => dot(line),
        Client::SqlServer => sqlcmd(line),
        Client::Oracle => sqlplus(line),
        Client::ClickHouse | Client::Cassandra | Client::Mongo | Client::Redis | Client::Cypher => {
            vec![Statement::Unknown]
        }
    }
}

fn psql(line: &str, bounds: Bounds<'_>) -> Vec<Statement> {
    let line = line.strip_prefix('\\').unwrap_or(line);
    if let Some(command) = line.strip_prefix('!') {
        return shell(command);
    }
    let name = line.split([' ', '\t', '\r', '|', '(']).next().unwrap_or_default();
    let arguments = line.get(name.len()..).unwrap_or_default().trim();
    let mut found = Vec::new();
    // Backquotes run a command in every argument.
    if let Some(command) = arguments.split('`').nth(1) {
        found.push(Statement::Shell(command.to_owned()));
    }
    match name {
        "i" | "ir" | "include" | "include_relative" => found.push(Statement::ReadFile(unquote(arguments))),
        "o" | "out" | "g" | "gx" | "w" | "write" | "s" | "lo_export" => {
            let target = if name == "lo_export" { second(arguments) } else { file_of_g(arguments) };
            match target.strip_prefix('|') {
                Some(command) => found.extend(shell(command)),
                None if target.is_empty() => found.push(Statement::Read),
                None => found.push(Statement::WriteFile(unquote(target))),
            }
        }
        "lo_import" => found.push(Statement::ReadFile(unquote(arguments))),
        "copy" => found.extend(nested(Client::Postgres, &format!("COPY {arguments}"), bounds)),
        // A variable can hold a statement that is used later.
        "set" | "bind" => {
            let value = second(arguments);
            let said = nested(Client::Postgres, &unquote(value), bounds);
            found.extend(said.into_iter().filter(|one| !one.is_plain() && *one != Statement::Unknown));
            found.push(Statement::Read);
        }
        // The result is run.
        "gexec" => found.push(Statement::Unknown),
        "e" | "edit" | "ef" | "ev" | "setenv" => found.push(Statement::Unknown),
        "password" => found.push(Statement::Grant),
        _ => found.push(Statement::Read),
    }
    found
}

/// The file of `\g (options) file`.
fn file_of_g(arguments: &str) -> &str {
    if !arguments.starts_with('(') {
        return arguments;
    }
    arguments.split_once(')').map_or("", |(_, file)| file.trim_start())
}

fn second(arguments: &str) -> &str {
    arguments.split_once([' ', '\t']).map_or("", |(_, rest)| rest.trim())
}

fn mysql(line: &str) -> Vec<Statement> {
    let (name, arguments) = match line.strip_prefix('\\') {
        Some(short) => short.split_at_checked(1).unwrap_or((short, "")),
        None => line.split_once([' ', '\t']).unwrap_or((line, "")),
    };
    let arguments = arguments.trim().trim_end_matches(';').trim_end();
    match name.to_ascii_lowercase().trim_end_matches(';') {
        "!" | "system" => shell(arguments),
        "pager" | "p" if !arguments.is_empty() => shell(arguments),
        "." | "source" => vec![Statement::ReadFile(unquote(arguments))],
        "tee" | "t" if !arguments.is_empty() => vec![Statement::WriteFile(unquote(arguments))],
        "pager" | "p" | "tee" | "t" => vec![Statement::Read],
        _ => vec![Statement::Unknown],
    }
}

fn dot(line: &str) -> Vec<Statement> {
    let line = line.strip_prefix('.').unwrap_or(line);
    let (name, arguments) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let arguments = arguments.trim();
    let last = unquote(arguments.rsplit([' ', '\t']).next().unwrap_or_default());
    let to_stdout = arguments.is_empty() || arguments == "stdout" || arguments == "off";
    match name {
        // sqlite3 takes every beginning of a name.
        "shell" | "sh" | "she" | "shel" | "system" | "sy" | "sys" | "syst" | "syste" => shell(arguments),
        "read" | "rea" | "import" | "imp" | "impo" | "impor" | "output" | "o" | "ou" | "out" | "outp"
        | "outpu" | "once" | "on" | "onc"
            if arguments.contains('|') =>
        {
            shell(arguments.split_once('|').map_or("", |(_, command)| command).trim_matches(['\'', '"']))
        }
        "read" | "rea" => vec![Statement::ReadFile(unquote(arguments))],
        "import" | "imp" | "impo" | "impor" => {
            let file =
                arguments.split_ascii_whitespace().find(|word| !word.starts_with('-')).unwrap_or_default();
            vec![Statement::ReadFile(unquote(file)), Statement::Change]
        }
        "restore" | "res" | "rest" | "resto" | "restor" => {
            let whole = Statement::destroy(Object::Database, "", Scope::All);
            vec![Statement::ReadFile(last), whole]
        }
        "output" | "o" | "ou" | "out" | "outp" | "outpu" | "once" | "on" | "onc" | "log" | "trace"
        | "excel"
            if to_stdout =>
        {
            vec![Statement::Read]
        }
        "output" | "o" | "ou" | "out" | "outp" | "outpu" | "once" | "on" | "onc" | "log" | "trace"
        | "backup" | "ba" | "bac" | "back" | "backu" | "save" | "sa" | "sav" | "clone" | "cl" | "clo"
        | "clon" => vec![Statement::WriteFile(last)],
        "excel" | "www" => vec![Statement::Unknown],
        "open" | "op" | "ope" => match last.as_str() {
            "" | ":memory:" => vec![Statement::Read],
            _ if arguments.contains("-new") => vec![Statement::WriteFile(last)],
            _ if arguments.contains("-readonly") => vec![Statement::ReadFile(last)],
            _ => vec![Statement::ReadFile(last.clone()), Statement::WriteFile(last)],
        },
        "load" | "loa" | "lo" | "archive" | "ar" | "edit" => vec![Statement::Unknown],
        "auth"
        | "backslash"
        | "bail"
        | "binary"
        | "cd"
        | "changes"
        | "check"
        | "columns"
        | "connection"
        | "constant"
        | "databases"
        | "database"
        | "dbinfo"
        | "dbconfig"
        | "dump"
        | "d"
        | "du"
        | "dum"
        | "echo"
        | "eqp"
        | "exit"
        | "q"
        | "quit"
        | "explain"
        | "expert"
        | "filectrl"
        | "fullschema"
        | "h"
        | "header"
        | "headers"
        | "he"
        | "help"
        | "imposter"
        | "indexes"
        | "indices"
        | "intck"
        | "large_number_rendering"
        | "limit"
        | "lint"
        | "maxrows"
        | "maxwidth"
        | "m"
        | "mo"
        | "mode"
        | "nullvalue"
        | "parameter"
        | "print"
        | "progress"
        | "prompt"
        | "scanstats"
        | "s"
        | "sc"
        | "schema"
        | "separator"
        | "sha3sum"
        | "show"
        | "stats"
        | "t"
        | "ta"
        | "tables"
        | "table"
        | "timeout"
        | "timer"
        | "vfsinfo"
        | "version"
        | "width" => vec![Statement::Read],
        "recover" | "selftest" | "session" | "testcase" | "testctrl" => vec![Statement::Read],
        _ => vec![Statement::Unknown],
    }
}

fn sqlcmd(line: &str) -> Vec<Statement> {
    let line = line.strip_prefix(':').unwrap_or(line);
    if let Some(command) = line.strip_prefix("!!") {
        return shell(command);
    }
    let (name, arguments) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    match name.to_ascii_lowercase().as_str() {
        "r" => vec![Statement::ReadFile(unquote(arguments))],
        "out" | "error" | "perftrace" => match arguments.trim().to_ascii_lowercase().as_str() {
            "stdout" | "stderr" => vec![Statement::Read],
            _ => vec![Statement::WriteFile(unquote(arguments))],
        },
        "setvar" | "connect" | "list" | "listvar" | "reset" | "exit" | "quit" | "help" | "on" | "xml"
        | "serverlist" => vec![Statement::Read],
        _ => vec![Statement::Unknown],
    }
}

fn sqlplus(line: &str) -> Vec<Statement> {
    if let Some(command) = line.strip_prefix(['!', '$']) {
        return shell(command);
    }
    if let Some(file) = line.strip_prefix("@@").or_else(|| line.strip_prefix('@')) {
        return vec![Statement::ReadFile(unquote(file.split_ascii_whitespace().next().unwrap_or_default()))];
    }
    let (name, arguments) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let file = unquote(arguments.trim_end_matches(';').split_ascii_whitespace().next().unwrap_or_default());
    match name.to_ascii_lowercase().trim_end_matches(';') {
        "host" | "ho" => shell(arguments.trim_end_matches(';')),
        "start" | "get" => vec![Statement::ReadFile(file)],
        "spool" | "spo" if file.eq_ignore_ascii_case("off") || file.is_empty() => vec![Statement::Read],
        "spool" | "spo" | "save" | "store" => vec![Statement::WriteFile(file)],
        _ => vec![Statement::Unknown],
    }
}

/// A command for the shell. An empty one opens a shell that reads on, which is not known.
fn shell(command: &str) -> Vec<Statement> {
    match command.trim() {
        "" => vec![Statement::Unknown],
        command => vec![Statement::Shell(command.to_owned())],
    }
}

fn unquote(text: &str) -> String {
    let text = text.trim();
    for quote in ['\'', '"'] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote)) {
            return inner.to_owned();
        }
    }
    text.to_owned()
}
