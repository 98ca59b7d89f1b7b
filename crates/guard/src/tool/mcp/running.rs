//! The commands in a tool's arguments: shell commands, source code, and typed text.

use super::{
    Tool, ToolAction,
    files::files_in,
    has,
    kinds::{self, CONSOLES, PAGES, Place, RUNNERS, SHELLS},
};
use crate::tool::{
    arguments::{self, Argument, Meaning, words},
    call::ToolCommand,
    patch,
    reading::{Language, NODE},
};
use checkrein_core::Map;
use serde_json::Value;
use std::borrow::Cow;

impl Tool {
    /// Adds what an argument would run.
    pub(super) fn runs<'a>(&self, argument: &Argument<'a>, deeds: &mut Vec<ToolAction<'a>>) {
        // A server of another kind may call anything a command; a tool of the host runs it.
        let starts =
            self.own.iter().any(|word| matches!(word.as_str(), "spawn" | "start" | "launch" | "fork"));
        let shell = !self.of_server || self.has_any(SHELLS) || self.has_any(CONSOLES) || starts;
        self.client(argument, deeds);
        // A program with its arguments is run, whatever the tool is called; a file may be anything.
        if shell || arguments::plain(argument.name) != "file" {
            deeds.extend(program(argument).map(ToolAction::Command));
        }
        if !shell && argument.meaning() != Some(Meaning::Command) {
            deeds.extend(handed_to_shell(argument));
        }
        let searches = self.own.iter().any(|word| kinds::SEARCHING.contains(&word.as_str()));
        match argument.meaning() {
            Some(Meaning::Command | Meaning::Commands) if self.of_server && self.is_foreign() => {
                deeds.extend(argument.texts().into_iter().map(ToolAction::Foreign));
            }
            Some(Meaning::Command) if is_typing(argument) => typed_next_to(argument, deeds),
            Some(Meaning::Command | Meaning::Commands) if shell => self.command(argument, deeds),
            // A program with its arguments, whatever the tool is called.
            Some(Meaning::Command)
                if (argument.value.is_array() || has_arguments(argument)) && !self.tells() =>
            {
                self.command(argument, deeds);
            }
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
            Some(Meaning::Arguments) if shell && self.of_server && !has_sibling_program(argument) => {
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
                    && argument.sibling(Meaning::Language).is_some()
                    && files_in(argument.beside).is_empty() =>
            {
                self.code(argument, deeds);
            }
            Some(Meaning::Keys) => self.keys(argument, deeds),
            // A list of words for a shell is a command.
            Some(Meaning::Input) if argument.value.is_array() && self.has_any(SHELLS) => {
                self.keys(argument, deeds);
                self.command(argument, deeds);
            }
            Some(Meaning::Input | Meaning::Content | Meaning::Body)
                if self.has_any(CONSOLES)
                    || !self.of_server && argument.meaning() == Some(Meaning::Input) =>
            {
                self.keys(argument, deeds);
                // Each text of a list may be a line.
                let lines = argument.value.as_array().into_iter().flatten().filter_map(Value::as_str);
                let lines = lines.filter(|line| line.contains(' '));
                deeds.extend(lines.map(|line| ToolAction::Keys(as_typed(line))));
            }
            // An argument of another name, given to a tool that runs or types something: it must not be a command that would be
            // denied, unless its name says that it is for a reader.
            None if !searches
                && !self.tells()
                && !arguments::is_about(argument.name)
                && (self.has_any(SHELLS) || self.has_any(CONSOLES) || self.has_any(RUNNERS)) =>
            {
                let called = words(argument.name).iter().find_map(|word| Language::named(word));
                let language = Some(called.unwrap_or(Language::Shell));
                let texts = argument.texts().into_iter();
                deeds.extend(texts.map(|text| ToolAction::Code { language, text, quiet: true }));
            }
            // The text of a hook, which runs later.
            Some(Meaning::Content | Meaning::Body)
                if has(&self.own, "hook") && files_in(argument.beside).is_empty() =>
            {
                let texts = argument.texts().into_iter();
                deeds.extend(texts.map(|text| ToolAction::Code {
                    language: Some(Language::Shell),
                    text,
                    quiet: true,
                }));
            }
            // A text that is called after its language.
            None if !searches && !self.tells() => {
                if let Some(language) = Language::named(&arguments::plain(argument.name)) {
                    let texts = argument.value.as_str().into_iter();
                    deeds.extend(texts.map(|text| ToolAction::Code {
                        language: Some(language),
                        text,
                        quiet: true,
                    }));
                }
            }
            _ => {}
        }
    }

    /// The commands in a call whose arguments are otherwise for users and models to read. A later version of the host may
    /// have given such a tool a command.
    pub(super) fn commands_in<'a>(&self, input: &'a Map) -> Vec<ToolAction<'a>> {
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

    /// Adds a command, with the arguments in the same object.
    pub(super) fn command<'a>(&self, argument: &Argument<'a>, deeds: &mut Vec<ToolAction<'a>>) {
        let beside = sibling_arguments(argument);
        let place = self.place();
        let several = argument.meaning() == Some(Meaning::Commands);
        if let Some(language) = self.language(argument).filter(|language| *language != Language::Shell) {
            let code = |language, quiet| {
                let texts = argument.texts().into_iter();
                texts.map(move |text| ToolAction::Code { language: Some(language), text, quiet })
            };
            deeds.extend(code(language, false));
            // A tool for another language may still have an argument for a shell.
            if argument.sibling(Meaning::Language).is_none() {
                deeds.extend(code(Language::Shell, true));
            }
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
            // The action of an editor, in the same object as its file.
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

    /// Returns true if it only passes on text for people to read.
    fn tells(&self) -> bool {
        self.own.iter().any(|word| kinds::TELLING.contains(&word.as_str()))
    }

    /// Returns true if it takes a language that is not parsed here.
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
        let named = argument.sibling(Meaning::Language).filter(|name| !name.is_empty());
        let foreign = named.is_some_and(|name| Language::named(name).is_none()) || self.is_foreign();
        if foreign {
            deeds.extend(argument.texts().into_iter().map(ToolAction::Foreign));
            return;
        }
        let language = self.language(argument);
        // What a page runs reaches neither files nor programs, unless it is not a page after all.
        let page = self.has_any(PAGES);
        let quiet = page || language.is_none();
        let language = language.or_else(|| page.then_some(NODE));
        deeds.extend(argument.texts().into_iter().map(|text| ToolAction::Code { language, text, quiet }));
    }

    /// Returns the language of a text: another argument of the object says so, or its own name, or that of the tool.
    fn language(&self, argument: &Argument<'_>) -> Option<Language> {
        let beside = argument.sibling(Meaning::Language).and_then(Language::named);
        let called = || words(argument.name).iter().find_map(|word| Language::named(word));
        let tool = || self.own.iter().chain(&self.all).find_map(|word| kinds::language(word));
        beside.or_else(|| called().filter(|language| *language != Language::Shell)).or_else(tool)
    }

    /// Adds typed text. Names of keys are not text.
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
}

/// The line that keys leave: some take a letter back, and others are none.
fn as_typed(keys: &str) -> String {
    let mut line = String::new();
    for char in without_names(keys).chars() {
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

/// Puts line ends in the place of names of keys that end a line, and leaves out those of keys that move: `{enter}`, `<CR>`.
fn without_names(keys: &str) -> Cow<'_, str> {
    const MOVES: [&str; 10] =
        ["up", "down", "left", "right", "home", "end", "escape", "esc", "backspace", "tab"];
    if !keys.contains(['{', '<']) {
        return Cow::Borrowed(keys);
    }
    let (mut plain, mut rest) = (String::new(), keys);
    while let Some(place) = rest.find(['{', '<']) {
        let (before, from) = rest.split_at(place);
        plain.push_str(before);
        let close = if from.starts_with('{') { '}' } else { '>' };
        let name = from.get(1..).and_then(|inner| inner.split_once(close));
        let ends = |name: &str| {
            name.eq_ignore_ascii_case("cr")
                || kinds::ENTERS
                    .iter()
                    .any(|enter| enter.trim_matches(['{', '}', '<', '>']).eq_ignore_ascii_case(name))
        };
        match name {
            Some((name, after)) if ends(name) => {
                plain.push('\n');
                rest = after;
            }
            Some((name, after)) if MOVES.iter().any(|known| known.eq_ignore_ascii_case(name)) => rest = after,
            _ => {
                plain.extend(from.chars().next());
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Returns a list that is a shell with its text, or what another argument says is run.
fn handed_to_shell<'a>(argument: &Argument<'a>) -> Vec<ToolAction<'a>> {
    const SHELL: [&str; 6] = ["sh", "bash", "zsh", "dash", "python3", "node"];
    let Some(list) = argument.value.as_array() else { return Vec::new() };
    let first = list.first().and_then(Value::as_str).map(|first| first.rsplit('/').next().unwrap_or(first));
    if first.is_some_and(|first| SHELL.contains(&first)) && list.len() > 2 {
        return vector(list).map(ToolAction::Command).into_iter().collect();
    }
    // `{"method": "run", "params": ["…"]}`
    let told = arguments::of(argument.beside, Meaning::Action).flat_map(words);
    if !told.into_iter().any(|word| matches!(word.as_str(), "run" | "exec" | "execute" | "shell" | "spawn")) {
        return Vec::new();
    }
    let texts = argument.texts().into_iter();
    texts.map(|text| ToolAction::Code { language: Some(Language::Shell), text, quiet: true }).collect()
}

/// Returns true for the command of an editor that types into its terminal: `workbench.action.terminal.sendSequence`.
fn is_typing(argument: &Argument<'_>) -> bool {
    let last = argument.value.as_str().and_then(|text| text.rsplit('.').next());
    argument.value.as_str().is_some_and(|text| text.contains('.')) && last.is_some_and(crate::eval::is_typing)
}

/// Adds the texts in the same object as such a command.
fn typed_next_to<'a>(argument: &Argument<'a>, deeds: &mut Vec<ToolAction<'a>>) {
    let given = arguments::all(argument.beside).unwrap_or_default().into_iter();
    let texts = given.filter(|one| one.name != argument.name).flat_map(|one| one.texts());
    deeds.extend(texts.map(|text| ToolAction::Keys(as_typed(text))));
}

/// Returns a program that is named as such, with its arguments from the same object.
fn program(argument: &Argument<'_>) -> Option<ToolCommand<'static>> {
    let program = argument.value.as_str().filter(|_| names_program(argument.name))?;
    let given = sibling_arguments(argument);
    if let Some(arguments) = in_one(argument.beside) {
        let words = ["sh", "-c", &format!("{program} {arguments}")].map(str::to_owned).to_vec();
        return Some(ToolCommand::Arguments(words));
    }
    let words = std::iter::once(program).chain(given.iter().copied()).map(str::to_owned);
    (!given.is_empty()).then(|| ToolCommand::Arguments(words.collect()))
}

/// Returns true if an argument of this name is a program.
fn names_program(name: &str) -> bool {
    matches!(
        arguments::plain(name).as_str(),
        "program" | "executable" | "binary" | "exe" | "bin" | "file" | "application" | "app"
    )
}

/// Returns true if arguments for a program are in the same object.
fn has_arguments(argument: &Argument<'_>) -> bool {
    !sibling_arguments(argument).is_empty() || in_one(argument.beside).is_some()
}

/// Returns true if a program or a command is in the same object as an argument.
fn has_sibling_program(argument: &Argument<'_>) -> bool {
    argument.sibling(Meaning::Command).is_some()
        || argument.beside.iter().any(|(name, value)| value.is_string() && names_program(name))
}

/// Returns the arguments in the same object as a program.
pub(super) fn sibling_arguments<'a>(argument: &Argument<'a>) -> Vec<&'a str> {
    let is_list = |name: &str, value: &Value| {
        value.is_array() && name != argument.name && OPTIONS.contains(&arguments::plain(name).as_str())
    };
    let named = arguments::of(argument.beside, Meaning::Arguments);
    let others = argument.beside.iter().filter(|(name, value)| is_list(name, value));
    let others = others.filter_map(|(_, value)| value.as_array()).flatten().filter_map(Value::as_str);
    named.chain(others).collect()
}

/// Other names of the arguments of a program.
const OPTIONS: [&str; 7] = ["argv", "parameters", "params", "options", "flags", "commandargs", "cmdargs"];

/// Arguments that are one text, and no list.
fn in_one(map: &Map) -> Option<&str> {
    let named = |name: &str| {
        arguments::meaning(name) == Some(Meaning::Arguments)
            || OPTIONS.contains(&arguments::plain(name).as_str())
    };
    map.iter().filter(|(name, _)| named(name)).find_map(|(_, value)| value.as_str())
}

/// The words of an editor that takes them in `command`.
fn is_editing(text: &str) -> bool {
    text.chars().all(|char| char.is_ascii_alphabetic() || char == '_')
        && kinds::action(&words(text)).is_some()
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
