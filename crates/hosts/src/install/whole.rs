//! Files that are ours as a whole: a script for each event, or a module that the agent loads.
//!
//! Such a file is written from our program's path, the events and their timeouts, and is read back to find these. Any
//! other byte of it is the same in every installation of one version, so a changed file is recognised.

use super::{
    command::{Command, Missing, quoted},
    entry::{Entry, Wanted},
    layout::Kind,
    plugin::PLUGIN_PROGRAM,
    recipe::Recipe,
    tree::SyntaxError,
};
use checkrein_core::{Class, EventName};
use serde_json::{Map, Value as Json};

/// The sentence in the first lines of our files.
const MARK: &str = "Written by `checkrein init`; `checkrein uninstall` removes it.";

/// The start of the line that starts our program in a script.
const ASKS: &str = "answer=$(";
const STARTS: &str = "exec ";

/// The starts of the lines of a module that differ between installations.
const PROGRAM: &str = "const PROGRAM = ";
const ABSENT: &str = "const ABSENT: string | undefined = ";
const EVENTS: &str = "const EVENTS: Readonly<Record<string, number>> = ";

/// Returns true if we wrote this file.
pub(super) fn is_ours(text: &str) -> bool {
    text.lines().take(3).any(|line| line.contains(MARK))
}

/// Returns true if the file has exactly the text that this version writes.
pub fn is_intact(text: &str, recipe: &Recipe) -> bool {
    let wanted: Vec<Wanted> = entries(text, recipe)
        .iter()
        .filter_map(|entry| Some(Wanted::as_registered(recipe, entry.event?, entry.handler.clone())))
        .collect();
    !wanted.is_empty() && write(recipe, &wanted) == text
}

/// Writes the file with these entries.
pub(super) fn write(recipe: &Recipe, wanted: &[Wanted]) -> String {
    let file = wanted.first().map(|first| first.file.as_str());
    if let Some((_, text)) = recipe.layout.companions.iter().find(|(name, _)| Some(*name) == file) {
        return (*text).to_owned();
    }
    match recipe.layout.kind {
        Kind::Bridge(source) => module(recipe, source, wanted),
        Kind::Scripts | Kind::Entries | Kind::Tables | Kind::Yaml => {
            wanted.iter().map(|wanted| script(recipe, wanted)).collect()
        }
    }
}

fn line_of<'a>(recipe: &Recipe, wanted: &'a Wanted) -> &'a str {
    wanted.handler.get(recipe.layout.command).and_then(Json::as_str).unwrap_or_default()
}

/// Writes the script of one event. Agents with scripts read only the answer, so a gate has one whatever happens to
/// our program.
fn script(recipe: &Recipe, wanted: &Wanted) -> String {
    let line = line_of(recipe, wanted);
    let start = format!("#!/bin/sh\n# {MARK}\n");
    if wanted.event.class() != Class::Gate {
        return format!("{start}{STARTS}{line}\n");
    }
    let refusal = crate::find(recipe.host)
        .map(|dialect| dialect.refuse(Some(wanted.event), "checkrein gave no answer, so this was denied"))
        .map(|reply| String::from_utf8_lossy(&reply.stdout).trim_end().to_owned())
        .unwrap_or_default();
    format!(
        "{start}{ASKS}{line})\ncase $answer in\n    '{{'*'}}') ;;\n    *) answer={} ;;\nesac\nprintf '%s\\n' \"$answer\"\n",
        quoted(&refusal)
    )
}

fn module(recipe: &Recipe, source: &str, wanted: &[Wanted]) -> String {
    let program = wanted
        .first()
        .and_then(|first| Command::find(line_of(recipe, first), None))
        .map_or_else(String::new, |command| command.program);
    // The sentence for the user where the program is missing; without one, tool calls are denied.
    let missing = wanted.iter().filter_map(|wanted| Command::missing(line_of(recipe, wanted)));
    let absent = match missing.reduce(|one, next| if one == next { one } else { Missing::Block }) {
        Some(Missing::Warn) => Json::from(Missing::Warn.told()).to_string(),
        Some(Missing::Block) | None => "undefined".to_owned(),
    };
    format!(
        "// {MARK} Changes are lost.\n{PROGRAM}{};\n{ABSENT}{absent};\nconst HOST = \"{}\";\n{EVENTS}{};\n\n{source}",
        Json::from(program),
        recipe.host,
        events(recipe, wanted)
    )
}

/// Writes the module of a plugin, which starts the program next to it and denies where that fails.
pub(super) fn module_of_plugin(recipe: &Recipe, source: &str, wanted: &[Wanted]) -> String {
    format!(
        "// A part of the Checkrein plugin. Changes are lost.\nimport {{ fileURLToPath }} from \"node:url\";\n\
         {PROGRAM}fileURLToPath(new URL(\"./{PLUGIN_PROGRAM}\", import.meta.url));\n{ABSENT}undefined;\n\
         const HOST = \"{}\";\n{EVENTS}{};\n\n{source}",
        recipe.host,
        events(recipe, wanted)
    )
}

/// Returns the timeout of each event.
fn events(recipe: &Recipe, wanted: &[Wanted]) -> Json {
    let timeout = |wanted: &Wanted| {
        let seconds = wanted.handler.get(recipe.layout.timeout).cloned().unwrap_or_default();
        (wanted.event.as_str().to_owned(), seconds)
    };
    wanted.iter().map(timeout).collect::<Map<String, Json>>().into()
}

/// Returns the entries of a file of ours; none if it is another's.
pub(super) fn entries(text: &str, recipe: &Recipe) -> Vec<Entry> {
    if !is_ours(text) {
        return Vec::new();
    }
    match recipe.layout.kind {
        Kind::Bridge(_) => of_module(text, recipe),
        Kind::Scripts | Kind::Entries | Kind::Tables | Kind::Yaml => {
            of_script(text, recipe).into_iter().collect()
        }
    }
}

fn of_script(text: &str, recipe: &Recipe) -> Option<Entry> {
    let (number, line) = text.lines().enumerate().find_map(|(number, line)| {
        let asks = line.strip_prefix(ASKS).and_then(|rest| rest.strip_suffix(')'));
        Some((number, asks.or_else(|| line.strip_prefix(STARTS))?))
    })?;
    let command = Command::find(line, None)?;
    let event: EventName = command.event.as_deref()?.parse().ok()?;
    entry(recipe, event, command, line, None, number + 1)
}

fn of_module(text: &str, recipe: &Recipe) -> Vec<Entry> {
    let value = |start: &str| -> Option<(usize, Json)> {
        let (number, rest) = text
            .lines()
            .enumerate()
            .find_map(|(number, line)| Some((number + 1, line.strip_prefix(start)?.strip_suffix(';')?)))?;
        Some((number, serde_json::from_str(rest).ok()?))
    };
    let (Some((_, Json::String(program))), Some((number, Json::Object(events)))) =
        (value(PROGRAM), value(EVENTS))
    else {
        return Vec::new();
    };
    let one = |(name, seconds): (&String, &Json)| {
        let event: EventName = name.parse().ok()?;
        let line = match (program.contains('/'), value(ABSENT)) {
            (true, _) => Command::line(&program, recipe, event),
            (false, Some(_)) => Command::shared_line(recipe, event, Missing::Warn),
            (false, None) => Command::shared_line(recipe, event, Missing::Block),
        };
        let command = Command::find(&line, None)?;
        entry(recipe, event, command, &line, Some(seconds), number)
    };
    events.iter().filter_map(one).collect()
}

fn entry(
    recipe: &Recipe,
    event: EventName,
    command: Command,
    line: &str,
    seconds: Option<&Json>,
    number: usize,
) -> Option<Entry> {
    let fired = recipe.fired(event)?;
    let mut handler = recipe.layout.handler(line, fired.timeout);
    if let (Some(seconds), Some(fields)) = (seconds, handler.as_object_mut()) {
        fields.insert(recipe.layout.timeout.to_owned(), seconds.clone());
    }
    Some(Entry {
        key: fired.key.to_owned(),
        event: Some(event),
        group: 0,
        index: 0,
        matcher: None,
        command,
        handler,
        line: number,
    })
}

/// Returns the error for a file that is another's.
pub(super) fn not_ours(text: &str) -> SyntaxError {
    SyntaxError::at(text, 0, "this file is not from checkrein; rename it to keep it, and try again")
}
