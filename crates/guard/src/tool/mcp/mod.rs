//! Tools of MCP servers, tools of hosts that are not known here, and those that fetch.
//!
//! Nobody declares what such a tool does. What it is called and what its arguments are called says it well enough for the
//! kinds that are everywhere: shells, terminals, notebooks, files, databases, requests, git, and the APIs of code hosts,
//! clouds and clusters. Each is turned into the command, the text, the file or the thing that it comes to, so that the same
//! rules hold for it. What belongs to no kind is none of the guard's business: its server, not this machine, does the work.

mod git;
mod kinds;

use super::{
    arguments::{self, Argument, Meaning, words},
    call::{FileAccess, ToolCommand},
    patch,
    reading::{Language, NODE},
};
use crate::{Action, Domain, Domains, Effect, Environment, Environments, Modifier, Modifiers, Target};
use checkrein_core::{Map, ToolCall, ToolKind};
use kinds::{CONSOLES, Client, PAGES, Place, RUNNERS, SHELLS, SMALL, TAKING};
use serde_json::Value;
use std::borrow::Cow;

/// Something that a call comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ToolAction<'a> {
    /// A command.
    Command(ToolCommand<'a>),
    /// A text in a language.
    Code {
        /// In which, if that is known.
        language: Option<Language>,
        /// The text.
        text: &'a str,
        /// Only what would be denied counts: it may well be something else.
        quiet: bool,
    },
    /// A text in a language that is not read here.
    Foreign(&'a str),
    /// What is typed into something that runs: a shell, an interpreter, a client.
    Keys(String),
    /// A file.
    FileAccess(FileAccess<'a>),
    /// A thing that is taken away.
    Destroy(Effect),
    /// A path that a tool is given, of which nobody knows whether it is one of this machine: it counts if it is ours.
    Given {
        /// What the tool does, if its name says so.
        action: Option<Action>,
        /// The path.
        path: &'a str,
    },
    /// More than is looked at.
    TooMany,
}

/// A tool, as its names tell.
struct Tool {
    /// The words in its own name.
    own: Vec<String>,
    /// Those and the words in the name of its server.
    all: Vec<String>,
    /// It belongs to a server, and not to the host.
    of_server: bool,
}

/// Returns what a call comes to; nothing, if it is of no kind that is known.
pub(super) fn deeds(call: &ToolCall) -> Vec<ToolAction<'_>> {
    if call.kind == ToolKind::Fetch {
        return requests(&call.input);
    }
    let (server, own) = parts(&call.name);
    let mut own = words(own);
    // A tool that calls others names them.
    own.extend(called(&call.input));
    // The kind says what the name does not.
    own.extend(language_of(call.kind).map(str::to_owned));
    let all: Vec<String> = words(server).into_iter().chain(own.iter().cloned()).collect();
    let tool = Tool { own, all, of_server: call.kind == ToolKind::Mcp };
    if kinds::is_prose(&call.name) {
        // The command of a skill is its name.
        return if super::skills::loads(call) { Vec::new() } else { tool.commands_in(&call.input) };
    }
    // It throws away what is not committed, if it is told to.
    if call.name == "ExitWorktree" {
        let discards = call.input.get("discard_changes") == Some(&Value::Bool(true));
        let removes = call.text("action") == Some("remove") && discards;
        let words = ["git", "worktree", "remove", "--force", "."].map(str::to_owned).to_vec();
        return removes.then_some(ToolAction::Command(ToolCommand::Arguments(words))).into_iter().collect();
    }
    let Some(arguments) = arguments::all(&call.input) else { return vec![ToolAction::TooMany] };
    let mut deeds = Vec::new();
    deeds.extend(git::command(&tool.own, &tool.all, &call.input).map(ToolAction::Command));
    let is_git = !deeds.is_empty();
    for argument in &arguments {
        tool.runs(argument, &mut deeds);
    }
    if let Some(client) = Client::of(&tool.all).filter(|_| tool.of_server) {
        let database = text(&call.input, &["database", "db", "db_path", "database_path"]);
        let statements = arguments.iter().filter(|argument| argument.meaning() == Some(Meaning::Statement));
        deeds.extend(statements.flat_map(Argument::texts).map(|statement| {
            ToolAction::Command(ToolCommand::Arguments(client.arguments(database, statement)))
        }));
    }
    match kinds::kept(&tool.all).filter(|_| tool.of_server) {
        Some(domain) => {
            // One tool for a whole API names the operation in an argument.
            let operation: Vec<String> =
                arguments::of(&call.input, Meaning::Action).flat_map(words).collect();
            let takes = TAKING.iter().any(|word| has(&tool.own, word) || has(&operation, word));
            if takes && deeds.is_empty() {
                let name = arguments::of(&call.input, Meaning::Name).next().unwrap_or_default().to_owned();
                let small = SMALL.iter().any(|word| has(&tool.own, word) || has(&operation, word));
                deeds.push(ToolAction::Destroy(destroys(name, domain, small)));
            }
        }
        None if is_git => {}
        None => {
            for argument in &arguments {
                tool.touches(argument, &mut deeds);
            }
        }
    }
    if call.kind.runs_code() && !deeds.iter().any(ToolAction::runs) {
        // The tool runs code, and nothing says which argument that is.
        let language = language_of(call.kind).and_then(Language::named);
        let texts = arguments.iter().flat_map(Argument::texts);
        deeds.extend(texts.map(|text| ToolAction::Code { language, text, quiet: false }));
    }
    deeds.extend(arguments.iter().flat_map(request));
    let given: Vec<ToolAction<'_>> = arguments.iter().flat_map(|argument| tool.given(argument)).collect();
    let touched = |path: &str| {
        deeds
            .iter()
            .any(|deed| matches!(deed, ToolAction::FileAccess(touch) if touch.path == path && touch.action != Action::Read))
    };
    let given: Vec<ToolAction<'_>> = given
        .into_iter()
        .filter(|deed| !matches!(deed, ToolAction::Given { path, .. } if touched(path)))
        .collect();
    deeds.extend(given);
    deeds
}

impl ToolAction<'_> {
    /// Returns true if something runs.
    const fn runs(&self) -> bool {
        matches!(self, Self::Command(_) | Self::Code { .. } | Self::Foreign(_) | Self::Keys(_))
    }
}

/// The language that tools of this kind run.
const fn language_of(kind: ToolKind) -> Option<&'static str> {
    match kind {
        ToolKind::Python => Some("python"),
        ToolKind::JavaScript => Some("javascript"),
        _ => None,
    }
}

/// The words of the tool that a call is passed on to.
fn called(input: &Map) -> Vec<String> {
    let passes_on = ["arguments", "args", "params", "parameters", "input"]
        .iter()
        .any(|name| input.get(*name).is_some_and(Value::is_object));
    if !passes_on {
        return Vec::new();
    }
    let names = ["tool", "tool_name", "toolName", "name", "server", "server_name", "serverName"];
    names.iter().filter_map(|name| input.get(*name)?.as_str()).flat_map(words).collect()
}

impl Tool {
    fn has_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| has(&self.all, word))
    }

    /// Returns where what it runs is run, if that is not here.
    fn place(&self) -> Option<Place> {
        Place::of(&self.all).filter(|_| self.of_server)
    }

    /// The commands in a call whose arguments are otherwise for users and models to read. A later version of the host may
    /// have given such a tool a command.
    fn commands_in<'a>(&self, input: &'a Map) -> Vec<ToolAction<'a>> {
        let mut deeds = Vec::new();
        let arguments = arguments::all(input).unwrap_or_default();
        let is_command = |argument: &&Argument<'_>| {
            matches!(argument.meaning(), Some(Meaning::Command | Meaning::Commands))
        };
        for argument in arguments.iter().filter(is_command) {
            self.command(argument, &mut deeds);
        }
        deeds
    }

    /// What an argument says that would run.
    fn runs<'a>(&self, argument: &Argument<'a>, deeds: &mut Vec<ToolAction<'a>>) {
        // A server of another kind may call anything a command; a tool of the host runs it.
        let shell = !self.of_server || self.has_any(SHELLS) || self.has_any(CONSOLES);
        self.client(argument, deeds);
        if shell {
            deeds.extend(program(argument).map(ToolAction::Command));
        }
        let searches = self.own.iter().any(|word| kinds::SEARCHING.contains(&word.as_str()));
        match argument.meaning() {
            Some(Meaning::Command | Meaning::Commands) if self.of_server && self.is_foreign() => {
                deeds.extend(argument.texts().into_iter().map(ToolAction::Foreign));
            }
            Some(Meaning::Command | Meaning::Commands) if shell => self.command(argument, deeds),
            // Whatever it is, it may not be a command that would be denied.
            Some(Meaning::Command | Meaning::Commands) if !self.tells() => {
                let texts = argument.texts().into_iter();
                deeds.extend(texts.map(|text| ToolAction::Code {
                    language: Some(Language::Shell),
                    text,
                    quiet: true,
                }));
            }
            // A list without a program next to it begins with the program.
            Some(Meaning::Arguments) if shell && self.of_server && !has_program_beside(argument) => {
                deeds
                    .extend(argument.value.as_array().and_then(|list| vector(list)).map(ToolAction::Command));
            }
            Some(Meaning::Code) => self.code(argument, deeds),
            Some(Meaning::Statement) if searches => {}
            Some(Meaning::Source | Meaning::Content | Meaning::Statement) if self.has_any(RUNNERS) => {
                self.code(argument, deeds);
            }
            Some(Meaning::Source | Meaning::Content)
                if !self.of_server
                    && argument.beside(Meaning::Language).is_some()
                    && files_in(argument.beside).is_empty() =>
            {
                self.code(argument, deeds);
            }
            Some(Meaning::Keys) => self.keys(argument, deeds),
            Some(Meaning::Input | Meaning::Content | Meaning::Body)
                if self.has_any(CONSOLES)
                    || !self.of_server && argument.meaning() == Some(Meaning::Input) =>
            {
                self.keys(argument, deeds);
            }
            _ => {}
        }
    }

    /// A command, with the arguments that stand beside it.
    fn command<'a>(&self, argument: &Argument<'a>, deeds: &mut Vec<ToolAction<'a>>) {
        let beside = arguments_beside(argument);
        let place = self.place();
        let several = argument.meaning() == Some(Meaning::Commands);
        if let Some(language) = self.language(argument).filter(|language| *language != Language::Shell) {
            let texts = argument.texts().into_iter();
            deeds.extend(texts.map(|text| ToolAction::Code { language: Some(language), text, quiet: false }));
            return;
        }
        match argument.value {
            Value::Array(words) if several => {
                for word in words {
                    match word {
                        Value::String(text) => deeds.push(ToolAction::Command(self.in_place(place, text))),
                        Value::Array(words) => deeds.extend(vector(words).map(ToolAction::Command)),
                        Value::Object(map) => self.texts_in(map, place, deeds),
                        _ => {}
                    }
                }
            }
            Value::Array(words) => {
                deeds.extend(vector(words).map(ToolAction::Command));
                for word in words {
                    match word {
                        Value::Array(words) => deeds.extend(vector(words).map(ToolAction::Command)),
                        Value::Object(map) => self.texts_in(map, place, deeds),
                        _ => {}
                    }
                }
            }
            Value::Object(map) => self.texts_in(map, place, deeds),
            // The action of an editor, which stands beside its file.
            Value::String(text) if is_editing(text) && !files_in(argument.beside).is_empty() => {}
            // Arguments in one text are a part of the text.
            Value::String(text) if in_one(argument.beside).is_some() => {
                let whole = format!("{text} {}", in_one(argument.beside).unwrap_or_default());
                let before = place.map(Place::words).unwrap_or_default();
                let words = before.iter().copied().chain(["sh", "-c", &whole]);
                deeds.push(ToolAction::Command(ToolCommand::Arguments(words.map(str::to_owned).collect())));
            }
            Value::String(text) if beside.is_empty() => {
                deeds.push(ToolAction::Command(self.in_place(place, text)));
            }
            Value::String(text) => {
                let before = place.map(Place::words).unwrap_or_default();
                let words = before.iter().copied().chain([text.as_str()]).chain(beside);
                deeds.push(ToolAction::Command(ToolCommand::Arguments(words.map(str::to_owned).collect())));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// A command that is an object: each of its texts may be the one that runs, or a part of it.
    fn texts_in<'a>(&self, map: &'a Map, place: Option<Place>, deeds: &mut Vec<ToolAction<'a>>) {
        let texts: Vec<&str> = map.values().filter_map(Value::as_str).collect();
        if texts.len() > 1 {
            let words = texts.iter().map(|text| (*text).to_owned()).collect();
            deeds.push(ToolAction::Command(ToolCommand::Arguments(words)));
        }
        deeds.extend(texts.into_iter().map(|text| ToolAction::Command(self.in_place(place, text))));
        for inner in map.values().filter_map(Value::as_object) {
            let texts = inner.values().filter_map(Value::as_str);
            deeds.extend(texts.map(|text| ToolAction::Command(self.in_place(place, text))));
        }
    }

    /// A tool that is called like a program of the command line, and takes its arguments.
    fn client<'a>(&self, argument: &Argument<'a>, deeds: &mut Vec<ToolAction<'a>>) {
        let Some(program) = kinds::PROGRAMS.iter().find(|program| has(&self.own, program)) else { return };
        let words: Vec<&str> = match (argument.meaning(), argument.value) {
            (Some(Meaning::Command | Meaning::Commands), Value::String(text)) => {
                text.split_whitespace().collect()
            }
            (Some(Meaning::Command | Meaning::Commands), Value::Array(list)) => {
                list.iter().filter_map(Value::as_str).flat_map(str::split_whitespace).collect()
            }
            (Some(Meaning::Arguments), Value::Array(list))
                if arguments::of(argument.beside, Meaning::Command).next().is_none() =>
            {
                list.iter().filter_map(Value::as_str).collect()
            }
            _ => return,
        };
        let own = words.first().is_some_and(|first| first == program);
        let more = ["resourceType", "resource_type", "resource", "name", "args", "arguments"];
        let more = more
            .iter()
            .filter(|name| **name != argument.name)
            .filter_map(|name| argument.beside.get(*name)?.as_str());
        let line = (!own).then_some(*program).into_iter().chain(words).chain(more);
        deeds.push(ToolAction::Command(ToolCommand::Arguments(line.map(str::to_owned).collect())));
    }

    /// A text for a shell, where this tool runs it.
    fn in_place<'a>(&self, place: Option<Place>, text: &'a str) -> ToolCommand<'a> {
        match place {
            Some(place) => {
                let words = place.words().iter().copied().chain(["sh", "-c", text]);
                ToolCommand::Arguments(words.map(str::to_owned).collect())
            }
            None if self.has_any(&["powershell", "pwsh"]) => ToolCommand::PowerShell(text),
            None => ToolCommand::Shell(text),
        }
    }

    /// Returns whether it only passes on what somebody reads.
    fn tells(&self) -> bool {
        self.own.iter().any(|word| kinds::TELLING.contains(&word.as_str()))
    }

    /// Returns whether it takes a language that is not read here.
    fn is_foreign(&self) -> bool {
        self.own.iter().any(|word| kinds::FOREIGN.contains(&word.as_str()))
    }

    /// A program text.
    fn code<'a>(&self, argument: &Argument<'a>, deeds: &mut Vec<ToolAction<'a>>) {
        let is_prose = |text: &&Value| text.as_str().is_some_and(|text| matches!(text, "markdown" | "raw"));
        let cell = ["cell_type", "cellType", "type"]
            .iter()
            .filter_map(|name| argument.beside.get(*name))
            .any(|kind| is_prose(&kind));
        if self.place() == Some(Place::Sandbox) || cell || has(&self.own, "markdown") {
            return;
        }
        // A language that is not read here: what its literals say counts.
        let named = argument.beside(Meaning::Language).filter(|name| !name.is_empty());
        let foreign = named.is_some_and(|name| Language::named(name).is_none()) || self.is_foreign();
        if foreign {
            deeds.extend(argument.texts().into_iter().map(ToolAction::Foreign));
            return;
        }
        let language = self.language(argument);
        // What a page runs reaches neither files nor programs, unless it is no page after all.
        let page = self.has_any(PAGES);
        let quiet = page || language.is_none();
        let language = language.or_else(|| page.then_some(NODE));
        deeds.extend(argument.texts().into_iter().map(|text| ToolAction::Code { language, text, quiet }));
    }

    /// In which language a text is: what stands beside it says so, or its own name, or that of the tool.
    fn language(&self, argument: &Argument<'_>) -> Option<Language> {
        let beside = argument.beside(Meaning::Language).and_then(Language::named);
        let called = || words(argument.name).iter().find_map(|word| Language::named(word));
        let tool = || self.own.iter().chain(&self.all).find_map(|word| kinds::language(word));
        beside.or_else(|| called().filter(|language| *language != Language::Shell)).or_else(tool)
    }

    /// What is typed. Names of keys are no text.
    fn keys<'a>(&self, argument: &Argument<'a>, deeds: &mut Vec<ToolAction<'a>>) {
        let mut typed = String::new();
        for text in argument.texts() {
            if patch::is_patch(text) {
                let mut touches = Vec::new();
                match patch::touches(text, &mut touches) {
                    Ok(()) => deeds.extend(touches.into_iter().map(ToolAction::FileAccess)),
                    Err(_) => deeds.push(ToolAction::TooMany),
                }
            } else if kinds::ENTERS.iter().any(|name| text.eq_ignore_ascii_case(name)) {
                typed.push('\n');
            } else {
                typed.push_str(text);
            }
        }
        for name in kinds::ENTERS {
            while let Some(before) =
                typed.trim_end().strip_suffix(name).filter(|before| before.ends_with(' '))
            {
                typed.truncate(before.len());
            }
        }
        if !typed.trim().is_empty() {
            deeds.push(ToolAction::Keys(as_typed(&typed)));
        }
    }

    /// The files that an argument says would be touched.
    fn touches<'a>(&self, argument: &Argument<'a>, deeds: &mut Vec<ToolAction<'a>>) {
        let Some(meaning) = argument.meaning() else { return };
        let about_files = self.has_any(kinds::FILES);
        let asked = arguments::of(argument.beside, Meaning::Action)
            .chain(arguments::of(argument.beside, Meaning::Command))
            .find_map(|word| kinds::action(&words(word)));
        let written = arguments::of(argument.beside, Meaning::Content).next().is_some();
        let named = asked.or_else(|| kinds::action(&self.own));
        let action = match meaning {
            Meaning::Patch => {
                let mut touches = Vec::new();
                let read =
                    argument.texts().into_iter().try_for_each(|text| patch::touches(text, &mut touches));
                deeds.extend(touches.into_iter().map(ToolAction::FileAccess));
                deeds.extend(read.err().map(|_| ToolAction::TooMany));
                return;
            }
            Meaning::Output => Some(Action::Write),
            Meaning::Local if self.has_any(kinds::FILLING) => Some(Action::Write),
            Meaning::Local => Some(Action::Read),
            Meaning::Target if about_files || !self.of_server => Some(Action::Write),
            Meaning::Source if self.has_any(RUNNERS) => None,
            Meaning::Source if about_files || !self.of_server => named,
            // A name that only files of this machine have.
            Meaning::File => named.or(Some(if written { Action::Append } else { Action::Read })),
            Meaning::Path if about_files => {
                named.filter(|_| self.of_server).or_else(|| self.of_host(named, written))
            }
            Meaning::Path => self.of_host(named, written),
            // An address without its scheme is a file.
            Meaning::Address if argument.texts().iter().all(|text| text.starts_with(['/', '~', '.'])) => {
                self.of_host(named, written)
            }
            _ => None,
        };
        // What only lists names touches no content.
        let Some(action) = action.filter(|action| *action != Action::Run) else { return };
        let content = content_beside(argument.beside);
        for path in argument.texts() {
            let path = path.strip_prefix("file://").unwrap_or(path);
            let content = content.clone().filter(|_| action != Action::Read);
            deeds.push(ToolAction::FileAccess(FileAccess { action, path: path.into(), content }));
        }
    }

    /// The paths of this machine that an argument names, whatever it is called.
    fn given<'a>(&self, argument: &Argument<'a>) -> Vec<ToolAction<'a>> {
        let asked =
            arguments::of(argument.beside, Meaning::Action).find_map(|word| kinds::action(&words(word)));
        let action = match asked.or_else(|| kinds::action(&self.own)) {
            _ if self.has_any(kinds::OPENS) => Some(Action::Mode),
            // What is copied is read, and where it goes is written.
            Some(Action::Read) if argument.meaning() == Some(Meaning::Target) => Some(Action::Write),
            Some(action) => Some(action),
            None if self.has_any(kinds::FILLING) || self.has_any(kinds::FILLS) => Some(Action::Write),
            None => None,
        };
        let texts = argument.texts().into_iter().chain([argument.name]);
        let paths = texts.map(|text| text.strip_prefix("file://").unwrap_or(text));
        let is_path = |path: &&str| {
            (path.starts_with(['/', '~']) || path.starts_with("../"))
                && path.len() > 2
                && path.len() < 4096
                && !path.contains(char::is_whitespace)
        };
        paths.filter(is_path).map(|path| ToolAction::Given { action, path }).collect()
    }

    /// Returns what a tool of the host does to a path.
    fn of_host(&self, named: Option<Action>, written: bool) -> Option<Action> {
        let unnamed = if written { Action::Append } else { Action::Read };
        (!self.of_server).then(|| named.unwrap_or(unnamed))
    }
}

/// The line that keys leave: some take a letter back, and others are none.
fn as_typed(keys: &str) -> String {
    let mut line = String::new();
    for char in keys.chars() {
        match char {
            '\r' => line.push('\n'),
            '\u{8}' | '\u{7f}' => drop(line.pop()),
            '\n' | '\t' => line.push(char),
            char if char.is_control() => {}
            char => line.push(char),
        }
    }
    line
}

/// A program that is named as such, with its arguments beside it.
fn program(argument: &Argument<'_>) -> Option<ToolCommand<'static>> {
    let program = argument.value.as_str().filter(|_| names_program(argument.name))?;
    let given = arguments_beside(argument);
    let words = std::iter::once(program).chain(given.iter().copied()).map(str::to_owned);
    (!given.is_empty()).then(|| ToolCommand::Arguments(words.collect()))
}

/// Returns whether an argument of this name is a program.
fn names_program(name: &str) -> bool {
    matches!(arguments::plain(name).as_str(), "program" | "executable" | "binary" | "exe" | "bin" | "file")
}

/// Returns whether a program or a command is next to an argument.
fn has_program_beside(argument: &Argument<'_>) -> bool {
    argument.beside(Meaning::Command).is_some()
        || argument.beside.iter().any(|(name, value)| value.is_string() && names_program(name))
}

/// The arguments that stand beside a program.
fn arguments_beside<'a>(argument: &Argument<'a>) -> Vec<&'a str> {
    const NAMES: [&str; 7] = ["argv", "parameters", "params", "options", "flags", "commandargs", "cmdargs"];
    let is_list = |name: &str, value: &Value| {
        value.is_array() && name != argument.name && NAMES.contains(&arguments::plain(name).as_str())
    };
    let named = arguments::of(argument.beside, Meaning::Arguments);
    let others = argument.beside.iter().filter(|(name, value)| is_list(name, value));
    let others = others.filter_map(|(_, value)| value.as_array()).flatten().filter_map(Value::as_str);
    named.chain(others).collect()
}

/// Arguments that are one text, and no list.
fn in_one(map: &Map) -> Option<&str> {
    let given = map.iter().find(|(name, _)| arguments::meaning(name) == Some(Meaning::Arguments));
    given.and_then(|(_, value)| value.as_str())
}

/// The words of an editor that takes them in `command`.
fn is_editing(text: &str) -> bool {
    text.chars().all(|char| char.is_ascii_alphabetic() || char == '_')
        && kinds::action(&words(text)).is_some()
}

/// The files that an object names.
fn files_in(map: &Map) -> Vec<&str> {
    arguments::of(map, Meaning::File).chain(arguments::of(map, Meaning::Path)).collect()
}

/// A program with its arguments.
fn vector(words: &[Value]) -> Option<ToolCommand<'static>> {
    let words: Vec<String> = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    match words.as_slice() {
        [] => None,
        // A whole line in a list.
        [line] if line.contains(char::is_whitespace) => {
            Some(ToolCommand::Arguments(["sh", "-c", line].map(str::to_owned).to_vec()))
        }
        _ => Some(ToolCommand::Arguments(words)),
    }
}

/// Returns what is written into a file that is named beside it.
fn content_beside(map: &Map) -> Option<Cow<'_, str>> {
    if let Some(text) = arguments::of(map, Meaning::Content).next() {
        return Some(text.into());
    }
    let lists = map.values().filter_map(Value::as_array).flatten().filter_map(Value::as_object);
    let changed: Vec<&str> = lists
        .filter(|change| files_in(change).is_empty())
        .flat_map(|change| arguments::of(change, Meaning::Content).collect::<Vec<_>>())
        .collect();
    (!changed.is_empty()).then(|| changed.join("\n").into())
}

/// The server and the tool in `mcp__server__tool`.
fn parts(name: &str) -> (&str, &str) {
    match name.strip_prefix("mcp__") {
        Some(name) => name.split_once("__").unwrap_or(("", name)),
        None => ("", name),
    }
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

/// The requests that a call would make, as a client on the command line makes them.
fn requests(input: &Map) -> Vec<ToolAction<'_>> {
    let arguments = input.iter().map(|(name, value)| Argument { name, value, beside: input });
    arguments.collect::<Vec<_>>().iter().flat_map(request).collect()
}

fn request<'a>(argument: &Argument<'a>) -> Vec<ToolAction<'a>> {
    if argument.meaning() != Some(Meaning::Address) {
        return Vec::new();
    }
    let method = text(argument.beside, &["method"]).unwrap_or("GET");
    let body = text(argument.beside, &["body", "data", "payload", "postdata", "json"]);
    let addresses = argument.texts().into_iter();
    addresses
        .filter_map(|address| match address.split_once("://") {
            Some(("file", path)) => Some(ToolAction::FileAccess(FileAccess {
                action: Action::Read,
                path: path.into(),
                content: None,
            })),
            Some(("http" | "https", _)) => {
                let sent = body.map(|body| ["--data-raw", body]).into_iter().flatten();
                let words = ["curl", "-s", "-X", method].into_iter().chain(sent).chain([address]);
                Some(ToolAction::Command(ToolCommand::Arguments(words.map(str::to_owned).collect())))
            }
            Some(_) | None => None,
        })
        .collect()
}

/// Returns the effect of a tool that destroys something that a server keeps for others.
fn destroys(name: String, domain: Domain, small: bool) -> Effect {
    let target = if name.is_empty() { Target::Nothing } else { Target::Name(name) };
    Effect {
        how: if small { Modifiers::of(&[Modifier::Some]) } else { Modifiers::NONE },
        domain: Domains::of(&[domain]),
        environment: Environments::of(&[Environment::Remote]),
        ..Effect::new(Action::Destroy, target)
    }
}
