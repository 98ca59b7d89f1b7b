//! Tools of MCP servers, and those that fetch.
//!
//! Nobody declares what such a tool does. What it is called and what its arguments are called says it well enough for the
//! kinds that are everywhere: shells, files, databases, requests, and the APIs of code hosts, clouds and clusters. Each is
//! turned into the command, the file or the thing that it comes to, so that the same rules hold for it. What belongs to no
//! kind is none of the guard's business: its server, not this machine, does the work.

mod kinds;

use super::call::{Command, Touch};
use checkrein_core::{Map, ToolCall, ToolKind};
use checkrein_guard::{Mark, Marks, Verb};
use kinds::{FAMILIES, Place, REMOTE, SHELLS, SMALL, TAKING, client};
use serde_json::Value;
use std::borrow::Cow;

const COMMANDS: &[&str] =
    &["command", "cmd", "script", "commandline", "command_line", "shell_command", "commands"];
const STATEMENTS: &[&str] = &["sql", "query", "statement", "statements", "sql_query", "queries", "stmt"];
const PATHS: &[&str] = &[
    "path",
    "file_path",
    "filepath",
    "filename",
    "file",
    "paths",
    "files",
    "absolute_path",
    "target",
    "uri",
    "directory",
    "notebook_path",
];
const SOURCES: &[&str] = &["source", "src", "from", "old_path", "oldpath"];
const TARGETS: &[&str] = &["destination", "dest", "dst", "to", "new_path", "newpath"];
const CONTENTS: &[&str] =
    &["content", "contents", "text", "new_text", "newtext", "new_string", "new_str", "file_text"];
const ADDRESSES: &[&str] = &["url", "uri", "link", "href", "urls", "endpoint"];
const BODIES: &[&str] = &["body", "data", "payload", "postdata", "json"];
const NAMES: &[&str] =
    &["name", "id", "repo", "repository", "table", "collection", "bucket", "namespace", "resource", "key"];

/// Something that a call comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Deed<'a> {
    /// A command.
    Command(Command<'a>),
    /// A file.
    Touch(Touch<'a>),
    /// A thing that is taken away.
    Take {
        /// What it is called.
        name: String,
        /// What kind of thing it is.
        marks: Marks,
    },
}

/// What a call comes to; nothing, if it is of no kind that is known.
pub(super) fn deeds(call: &ToolCall) -> Vec<Deed<'_>> {
    if call.kind == ToolKind::Fetch {
        return requests(&call.input);
    }
    let (server, tool) = parts(&call.name);
    let tool = words(tool);
    let all: Vec<String> = words(server).into_iter().chain(tool.iter().cloned()).collect();
    let family = FAMILIES.iter().find(|family| family.words.iter().any(|word| has(&all, word)));
    let mut deeds = Vec::new();
    if SHELLS.iter().any(|word| has(&all, word)) {
        deeds.extend(commands(&all, &call.input));
    }
    if let Some(client) = client(&all) {
        let database = text(&call.input, &["database", "db", "db_path", "database_path"]);
        deeds.extend(
            texts(&call.input, STATEMENTS)
                .into_iter()
                .map(|statement| Deed::Command(Command::Arguments(client.arguments(database, statement)))),
        );
    }
    match family {
        Some(family) => {
            if TAKING.iter().any(|word| has(&tool, word)) && deeds.is_empty() {
                let name = text(&call.input, NAMES).unwrap_or_default().to_owned();
                let small = SMALL.iter().any(|word| has(&tool, word));
                let marks = if small { family.marks.with(Mark::Some) } else { family.marks };
                deeds.push(Deed::Take { name, marks: marks.with(Mark::Remote) });
            }
        }
        None => deeds.extend(files(&tool, &all, &call.input)),
    }
    deeds.extend(requests(&call.input));
    deeds
}

/// The server and the tool in `mcp__server__tool`.
fn parts(name: &str) -> (&str, &str) {
    let name = name.strip_prefix("mcp__").unwrap_or(name);
    name.split_once("__").unwrap_or(("", name))
}

/// The words in a name: `readTextFile`, `read_text_file` and `read-text-file` have the same.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for char in name.chars() {
        if !char.is_ascii_alphanumeric() || (char.is_ascii_uppercase() && before.is_ascii_lowercase()) {
            words.push(String::new());
        }
        if char.is_ascii_alphanumeric()
            && let Some(last) = words.last_mut()
        {
            last.push(char.to_ascii_lowercase());
        }
        before = char;
    }
    words.retain(|word| !word.is_empty());
    words
}

fn has(words: &[String], wanted: &str) -> bool {
    words.iter().any(|word| word == wanted)
}

/// The texts in the arguments of these names, whatever case they are written in.
fn texts<'a>(input: &'a Map, keys: &[&str]) -> Vec<&'a str> {
    let named = input.iter().filter(|(key, _)| keys.iter().any(|known| key.eq_ignore_ascii_case(known)));
    named
        .flat_map(|(_, value)| match value {
            Value::String(text) => vec![text.as_str()],
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
        })
        .collect()
}

fn text<'a>(input: &'a Map, keys: &[&str]) -> Option<&'a str> {
    texts(input, keys).into_iter().next()
}

/// What a tool that runs commands would run, and where.
fn commands<'a>(all: &[String], input: &'a Map) -> Vec<Deed<'a>> {
    let arguments: Vec<&str> = texts(input, &["args", "arguments"]);
    let place = REMOTE.iter().find(|(word, _)| has(all, word)).map(|(_, place)| *place);
    let vector = |before: &[&str], text: &str| {
        let words = before.iter().copied().chain([text]).chain(arguments.iter().copied());
        Command::Arguments(words.map(str::to_owned).collect())
    };
    let given = input.iter().filter(|(key, _)| COMMANDS.iter().any(|known| key.eq_ignore_ascii_case(known)));
    given
        .flat_map(|(key, value)| match value {
            // One command in words, or several commands.
            Value::Array(words) if key.eq_ignore_ascii_case("commands") => {
                words.iter().filter_map(Value::as_str).map(|text| command(all, place, text, &[])).collect()
            }
            Value::Array(words) => {
                let words: Vec<String> = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
                if words.is_empty() { Vec::new() } else { vec![Command::Arguments(words)] }
            }
            Value::String(text) if arguments.is_empty() => vec![command(all, place, text, &[])],
            Value::String(text) => match place {
                Some(place) => vec![vector(place.words(), text)],
                None => vec![vector(&[], text)],
            },
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
        })
        .map(Deed::Command)
        .collect()
}

fn command<'a>(all: &[String], place: Option<Place>, text: &'a str, after: &[&str]) -> Command<'a> {
    match place {
        Some(place) => {
            let words = place.words().iter().copied().chain(["sh", "-c", text]).chain(after.iter().copied());
            Command::Arguments(words.map(str::to_owned).collect())
        }
        None if has(all, "powershell") || has(all, "pwsh") => Command::PowerShell(text),
        None => Command::Shell(text),
    }
}

/// The files that a tool of a server for files would touch.
fn files<'a>(tool: &[String], all: &[String], input: &'a Map) -> Vec<Deed<'a>> {
    let Some(verb) = kinds::verb(tool) else { return Vec::new() };
    if !kinds::FILES.iter().any(|word| has(all, word)) {
        return Vec::new();
    }
    let changes = input.get("edits").and_then(Value::as_array).into_iter().flatten();
    let changed: Vec<&str> =
        changes.filter_map(Value::as_object).flat_map(|change| texts(change, CONTENTS)).collect();
    let content: Option<Cow<'a, str>> = match text(input, CONTENTS) {
        Some(text) => Some(text.into()),
        None if changed.is_empty() => None,
        None => Some(changed.join("\n").into()),
    };
    let touch = |verb: Verb, path: &'a str| {
        let path = path.strip_prefix("file://").unwrap_or(path);
        Deed::Touch(Touch {
            verb,
            path: path.into(),
            content: content.clone().filter(|_| verb != Verb::Read),
        })
    };
    let named = texts(input, PATHS).into_iter().map(|path| touch(verb, path));
    let sources = texts(input, SOURCES).into_iter().map(|path| touch(verb, path));
    let targets = texts(input, TARGETS).into_iter().map(|path| touch(Verb::Write, path));
    named.chain(sources).chain(targets).collect()
}

/// The requests that a call would make, as a client on the command line makes them.
fn requests(input: &Map) -> Vec<Deed<'_>> {
    let method = text(input, &["method"]).unwrap_or("GET");
    let body = text(input, BODIES);
    let addresses = texts(input, ADDRESSES).into_iter();
    addresses
        .filter_map(|address| match address.split_once("://") {
            Some(("file", path)) => {
                Some(Deed::Touch(Touch { verb: Verb::Read, path: path.into(), content: None }))
            }
            Some(("http" | "https", _)) => {
                let sent = body.map(|body| ["--data-raw", body]).into_iter().flatten();
                let words = ["curl", "-s", "-X", method].into_iter().chain(sent).chain([address]);
                Some(Deed::Command(Command::Arguments(words.map(str::to_owned).collect())))
            }
            Some(_) | None => None,
        })
        .collect()
}
