//! Tools of MCP servers, tools of hosts that are not known here, and those that fetch.
//!
//! Such tools do not declare what they do. Their names and the names of their arguments say it well enough for the
//! common kinds: shells, terminals, notebooks, files, databases, requests, git, and the APIs of code hosts, clouds
//! and clusters. Each call is turned into the command, the text, the file or the resource that it is about, so that
//! the same rules apply. A call of no known kind is not judged: its server, not this machine, does the work.

mod extends;
mod files;
mod git;
mod implied;
mod kinds;
mod requests;
mod running;

use super::{
    arguments::{self, Argument, Meaning, words},
    call::{FileAccess, ToolCommand},
    reading::Language,
};
use crate::program::environment::is_development;
use crate::{Action, Domain, Domains, Effect, Environment, Environments, Modifier, Modifiers, Target};
use checkrein_core::{Map, ToolCall, ToolKind};
use kinds::{Client, LARGE, Place, SMALL, TAKING};
use serde_json::Value;

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
    /// Text that is typed into something that runs: a shell, an interpreter, a client.
    Keys(String),
    /// A file.
    FileAccess(FileAccess<'a>),
    /// A thing that is taken away.
    Destroy(Effect),
    /// A path that a tool is given and that may be on another machine: it counts if it is ours.
    Given {
        /// The action of the tool, if its name says so.
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
    /// The call names this machine as the one that it is about.
    here: bool,
}

/// Returns the actions of a call; none, if it is of no known kind.
pub(super) fn deeds(call: &ToolCall) -> Vec<ToolAction<'_>> {
    if call.kind == ToolKind::Fetch {
        return requests::requests(&call.input);
    }
    let (server, own) = parts(&call.name);
    let mut own = words(own);
    // A tool that calls others names them.
    own.extend(called(&call.input));
    // The kind says what the name does not.
    own.extend(language_of(call.kind).map(str::to_owned));
    let all: Vec<String> = words(server).into_iter().chain(own.iter().cloned()).collect();
    let here = implied::is_for_this_machine(&call.input);
    let tool = Tool { own, all, of_server: call.kind == ToolKind::Mcp, here };
    if kinds::is_prose(&call.name) {
        // The command of a skill is its name.
        return if super::skills::loads(call) { Vec::new() } else { tool.commands_in(&call.input) };
    }
    if call.name == "ExitWorktree" {
        return leaves_worktree(call);
    }
    let Some(arguments) = arguments::all(&call.input) else { return vec![ToolAction::TooMany] };
    let mut deeds = Vec::new();
    deeds.extend(git::command(&tool.own, &tool.all, &call.input).map(ToolAction::Command));
    let is_git = !deeds.is_empty();
    for argument in &arguments {
        tool.runs(argument, &mut deeds);
    }
    tool.implied(&call.input, &arguments, &mut deeds);
    tool.extends(&call.input, &arguments, &mut deeds);
    tool.statements(call, &arguments, &mut deeds);
    match kinds::kept(&tool.all).filter(|_| tool.of_server) {
        Some(domain) => tool.takes_away(call, domain, &mut deeds),
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
    deeds.extend(arguments.iter().flat_map(requests::request));
    let given: Vec<ToolAction<'_>> = arguments.iter().flat_map(|argument| tool.given(argument)).collect();
    let touched = |path: &str| {
        deeds.iter().any(|deed| {
            matches!(deed, ToolAction::FileAccess(touch) if touch.path == path && touch.action != Action::Read)
        })
    };
    let is_new = |deed: &ToolAction<'_>| !matches!(deed, ToolAction::Given { path, .. } if touched(path));
    let given: Vec<ToolAction<'_>> = given.into_iter().filter(is_new).collect();
    deeds.extend(given);
    deeds
}

/// Returns the command that leaving a worktree comes to: it discards what is not committed, if it is told to.
fn leaves_worktree(call: &ToolCall) -> Vec<ToolAction<'_>> {
    let discards = call.input.get("discard_changes") == Some(&Value::Bool(true));
    let removes = call.text("action") == Some("remove") && discards;
    let words = ["git", "worktree", "remove", "--force", "."].map(str::to_owned).to_vec();
    removes.then_some(ToolAction::Command(ToolCommand::Arguments(words))).into_iter().collect()
}

impl ToolAction<'_> {
    /// Returns true if something runs, and that is more than a guess.
    const fn runs(&self) -> bool {
        matches!(self, Self::Command(_) | Self::Code { quiet: false, .. } | Self::Foreign(_) | Self::Keys(_))
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

    /// The statements for a database, for the client that would take them on the command line.
    fn statements<'a>(
        &self,
        call: &'a ToolCall,
        arguments: &[Argument<'a>],
        deeds: &mut Vec<ToolAction<'a>>,
    ) {
        let Some(client) = Client::of(&self.all).filter(|_| self.of_server) else { return };
        let database = text(&call.input, &["database", "db", "db_path", "database_path"]);
        let statements = arguments.iter().filter(|argument| argument.meaning() == Some(Meaning::Statement));
        deeds.extend(statements.flat_map(Argument::texts).map(|statement| {
            ToolAction::Command(ToolCommand::Arguments(client.arguments(database, statement)))
        }));
    }

    /// Adds the deletion of what the server keeps for others.
    fn takes_away(&self, call: &ToolCall, domain: Domain, deeds: &mut Vec<ToolAction<'_>>) {
        // One tool for a whole API names the operation in an argument.
        let operation: Vec<String> = arguments::of(&call.input, Meaning::Action).flat_map(words).collect();
        let takes = TAKING.iter().any(|word| has(&self.own, word) || has(&operation, word));
        if takes && deeds.is_empty() {
            let name = arguments::of(&call.input, Meaning::Name).next().unwrap_or_default().to_owned();
            let says =
                |words: &[&str]| words.iter().any(|word| has(&self.own, word) || has(&operation, word));
            let extent = if says(SMALL) {
                Modifiers::of(&[Modifier::Some])
            } else if says(LARGE) && !is_development(&name) {
                Modifiers::of(&[Modifier::Whole])
            } else {
                Modifiers::NONE
            };
            deeds.push(ToolAction::Destroy(destroys(name, domain, extent)));
        }
    }

    /// Returns the place where its commands run, if that is not this machine.
    fn place(&self) -> Option<Place> {
        Place::of(&self.all).filter(|_| self.of_server && !self.here)
    }
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

/// Returns the effect of a tool that destroys something that a server keeps for others.
fn destroys(name: String, domain: Domain, extent: Modifiers) -> Effect {
    let target = if name.is_empty() { Target::Nothing } else { Target::Name(name) };
    Effect {
        how: extent,
        domain: Domains::of(&[domain]),
        environment: Environments::of(&[Environment::Remote]),
        ..Effect::new(Action::Destroy, target)
    }
}
