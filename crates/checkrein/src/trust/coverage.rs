//! Decides which words of a command trust covers.
//!
//! Trust is given to bytes that a user has seen. A word that only the shell knows at run time, a directory, or a
//! program that runs what comes through a pipe, names no such bytes. A user who trusts such a hook must know that,
//! and say so. A path at which there is nothing yet is covered by that very fact: it is remembered as absent, and
//! something that appears there is a change.
//!
//! What only *looks* at its words (`echo`, `grep`, `[`) can be handed anything: it runs nothing.

use super::{
    imported,
    programs::{Use, loads_code, use_of},
    scripts::{self, Named, PathKind, WordPosition},
    uncovered::{Uncovered, WhyNot},
};
use checkrein_core::SmallSort as _;
use checkrein_exec::Program;
use checkrein_guard::{
    Input, Part, Redirect, RedirectKind, Script, ShellEnv, SimpleCommand, UnknownSource, Word, is_temporary,
    read,
};
use std::{
    borrow::Cow,
    fs,
    ops::Range,
    path::{Component, Path, PathBuf},
};

mod interpreted;
mod leftover;
#[cfg(test)]
mod tests;

/// The findings in a command.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    /// Files, directories and absent paths that are replaced when the command runs, in their order.
    pub(crate) named: Vec<Named>,
    /// The words that trust does not cover.
    pub(crate) uncovered: Vec<Uncovered>,
    /// Paths at which there is nothing now, as they are written.
    pub(crate) absent: Vec<String>,
    /// Files that a Python function is imported from, as paths from the configuration's directory.
    pub(crate) imported: Vec<String>,
    /// Files that are there and may be run, as they are written, from where the command runs.
    pub(crate) reached: Vec<String>,
}

/// Examines `program`, which is in a configuration in `directory` that lists `files` with it.
pub(crate) fn coverage(program: &Program, directory: &Path, files: &[String]) -> Coverage {
    let mut look = Look {
        directory,
        files,
        tokens: Vec::new(),
        found: Coverage::default(),
        data: Vec::new(),
        piped: false,
    };
    match program {
        Program::List(words) => {
            look.found.named = scripts::named(program, directory, &[]);
            look.list(words);
        }
        Program::Shell(text) => {
            let script = read(text, &look.setting());
            let written = look.written(&script);
            look.found.named = scripts::named(program, directory, &written);
            look.tokens = scripts::tokens(text, directory);
            look.script(text, &script, Depth::Top);
        }
        Program::Callable(callable) => {
            look.found.imported = imported::files(callable, directory);
            look.found.uncovered.extend(imported::uncovered(callable, directory));
        }
    }
    look.found.named.small_sort_by_key(|named| named.order());
    look.found.named.dedup_by_key(|named| named.order());
    look.leftovers(program);
    if look.piped {
        look.found.reached.append(&mut look.data);
    }
    let Coverage { named: _, uncovered, absent, imported: _, reached: _ } = &mut look.found;
    absent.small_sort();
    absent.dedup();
    let mut seen: Vec<Uncovered> = Vec::new();
    uncovered.retain(|one| {
        !seen.contains(one) && {
            seen.push(one.clone());
            true
        }
    });
    look.found
}

/// Returns what `program`, in which everything is pinned that was trusted, would run from its working directory.
pub(crate) fn found_in(program: &Program, cwd: &Path) -> Option<String> {
    let found = coverage(program, cwd, &[]);
    let relative = |path: &String| !path.starts_with('/');
    found.reached.into_iter().find(relative).or_else(|| Some(found.uncovered.into_iter().next()?.word))
}

/// Tells if a text is the command itself, so that its words can be replaced, or a word of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    Top,
    Inside(u8),
}

/// The position of a word in its command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// The program.
    Program,
    /// A file that an interpreter runs.
    Script,
    /// It may be run.
    Argument,
    /// It is only read.
    Data,
}

/// One word.
struct Item {
    /// Its value, if that is known.
    value: Option<String>,
    /// As it is written.
    shown: String,
    /// Its place, if it can be replaced there.
    place: Option<WordPosition>,
    /// True if it can only be a number.
    is_number: bool,
}

struct Look<'a> {
    directory: &'a Path,
    files: &'a [String],
    /// The words of the text as they can be replaced.
    tokens: Vec<(Range<usize>, Option<String>)>,
    found: Coverage,
    /// Files that are there and only read.
    data: Vec<String>,
    /// True if something is sent through a pipe to what may run it.
    piped: bool,
}

impl Look<'_> {
    fn setting(&self) -> ShellEnv {
        let directory = self.directory.to_string_lossy().into_owned();
        let variables =
            scripts::DIRECTORY.iter().map(|name| ((*name).to_owned(), directory.clone())).collect();
        ShellEnv { variables, ..ShellEnv::default() }
    }

    fn list(&mut self, words: &[String]) {
        let items: Vec<Item> = words
            .iter()
            .enumerate()
            .map(|(index, word)| Item {
                value: Some(word.clone()),
                shown: word.clone(),
                place: Some(WordPosition::Word(index)),
                is_number: false,
            })
            .collect();
        // The program of a list gets the event on stdin, and no interpreter is meant to run that.
        self.command(&items, &Sent::Other, Depth::Top);
    }

    fn script(&mut self, text: &str, script: &Script, depth: Depth) {
        for opaque in &script.opaque {
            let shown = text.get(opaque.span.clone()).unwrap_or(text);
            self.refuse(shown, WhyNot::Unreadable);
        }
        for simple in &script.commands {
            self.simple(text, simple, depth);
        }
    }

    fn simple(&mut self, text: &str, simple: &SimpleCommand, depth: Depth) {
        let items: Vec<Item> = simple.words.iter().map(|word| self.item(text, word, depth)).collect();
        for (name, word) in &simple.assignments {
            let item = self.item(text, word, depth);
            self.assigned(name, &item);
            // What only sets a variable is followed to where it is used; what a program gets along is not.
            if let (Some(value), false) = (&item.value, items.is_empty() || loads_code(name)) {
                self.path(value, &Item { place: None, ..item.copy() }, Position::Data);
            }
        }
        let sent = match &simple.stdin {
            Input::Text(redirect) => Sent::Text(redirect.target.constant().map(Cow::into_owned)),
            Input::File(redirect) => Sent::File(self.item(text, &redirect.target, depth)),
            Input::Inherited | Input::Pipe(_) | Input::Descriptor(_) => Sent::Other,
        };
        let used = self.command(&items, &sent, depth);
        self.piped |= used == Use::Runs && matches!(simple.stdin, Input::Pipe(_));
        for redirect in &simple.redirects {
            self.redirect(text, redirect, used, depth);
        }
    }

    fn item(&self, text: &str, word: &Word, depth: Depth) -> Item {
        let value = word.constant().map(Cow::into_owned);
        let shown = text.get(word.span.clone()).unwrap_or_default().to_owned();
        // A word can be replaced in place if it is there alone, and is the same to both parsers.
        let place = self.tokens.iter().find(|(range, token)| {
            depth == Depth::Top
                && range.start <= word.span.start
                && word.span.end <= range.end
                && *token == value
        });
        let is_number = word.parts.iter().all(|part| match part {
            Part::Text(_) => true,
            Part::Glob(_) => false,
            Part::Unknown(unknown) => match &unknown.why {
                UnknownSource::Arithmetic => true,
                UnknownSource::Special(name) => matches!(name.as_str(), "?" | "$" | "#" | "!" | "RANDOM"),
                UnknownSource::Variable(_)
                | UnknownSource::Element(_)
                | UnknownSource::Changed(_)
                | UnknownSource::Array => false,
                UnknownSource::Substitution(_) | UnknownSource::Process(_) | UnknownSource::Home(_) => false,
                UnknownSource::Computed
                | UnknownSource::Given(_)
                | UnknownSource::TooMuch
                | UnknownSource::Unreadable => false,
            },
        });
        let place = place.map(|(range, _)| WordPosition::Text(range.clone()));
        Item { value, shown, place, is_number }
    }

    fn assigned(&mut self, name: &str, item: &Item) {
        let outside = |part: &str| self.is_outside(part);
        if loads_code(name) && !item.value.as_deref().is_some_and(|value| value.split(':').all(outside)) {
            self.refuse(&item.shown, WhyNot::Loads);
        }
    }

    /// Returns true if a path that code is loaded from belongs neither to the project nor to the system.
    fn is_outside(&self, place: &str) -> bool {
        place.starts_with('/')
            && !is_another_for_each(place)
            && !is_temporary(place)
            && !scripts::is_of_the_project(Path::new(place), self.directory)
    }

    fn redirect(&mut self, text: &str, redirect: &Redirect, used: Use, depth: Depth) {
        let item = self.item(text, &redirect.target, depth);
        match redirect.kind {
            RedirectKind::Read | RedirectKind::ReadWrite => match (&item.value, used) {
                (Some(value), _) => {
                    self.piped |= used == Use::Runs;
                    self.path(value, &item, Position::Data);
                }
                (None, Use::Runs | Use::Moves) => self.refuse(&item.shown, WhyNot::OnlyTheShell),
                (None, Use::Says | Use::Reads | Use::Writes) => {}
            },
            // A file that is only written runs nothing, and texts are examined where they are used.
            RedirectKind::Write
            | RedirectKind::Append
            | RedirectKind::WriteBoth
            | RedirectKind::AppendBoth
            | RedirectKind::DuplicateInput
            | RedirectKind::DuplicateOutput
            | RedirectKind::Document
            | RedirectKind::Text => {}
        }
    }

    /// Looks at the words of one command, and says what it does with them.
    fn command(&mut self, items: &[Item], sent: &Sent, depth: Depth) -> Use {
        let Some((program, rest)) = items.split_first() else { return Use::Says };
        let Some(name) = &program.value else {
            self.refuse(&program.shown, WhyNot::OnlyTheShell);
            return Use::Runs;
        };
        self.path(name, program, Position::Program);
        let asks_only = name == "command"
            && rest.first().is_some_and(|item| matches!(item.value.as_deref(), Some("-v" | "-V")));
        let used = if asks_only { Use::Says } else { use_of(name) };
        match used {
            Use::Says | Use::Writes => {}
            Use::Reads => rest.iter().for_each(|item| self.word(item, Position::Data)),
            Use::Moves => rest.iter().for_each(|item| self.moved(item)),
            Use::Runs if name == "alias" => {
                rest.iter().for_each(|item| self.refuse(&item.shown, WhyNot::Loads));
            }
            // A link is named from the directory that it is in, and leads wherever it leads later.
            Use::Runs if name == "ln" => {
                rest.iter().for_each(|item| self.refuse(&item.shown, WhyNot::Indirect));
            }
            Use::Runs if is_declaration(name) => rest.iter().for_each(|item| self.declared(item)),
            Use::Runs => self.run(items, sent, depth),
        }
        used
    }

    /// A word that sets a variable, or names one.
    fn declared(&mut self, item: &Item) {
        let written = item.value.as_deref().unwrap_or(&item.shown);
        let Some((name, value)) = written.split_once('=') else { return };
        let known = item.value.as_ref().map(|_| value.to_owned());
        self.assigned(name, &Item { value: known, place: None, ..item.copy() });
    }

    fn moved(&mut self, item: &Item) {
        let home = |value: &str| {
            let path = self.directory.join(value);
            path == self.directory
                || path.canonicalize().is_ok_and(|path| Some(path) == self.directory.canonicalize().ok())
        };
        match item.value.as_deref() {
            Some("" | "--" | "-P" | "-L") => {}
            Some(value) if value.starts_with('/') && home(value) => {}
            Some(_) | None => self.refuse(&item.shown, WhyNot::Moved),
        }
    }

    fn word(&mut self, item: &Item, position: Position) {
        match (&item.value, position) {
            (Some(value), _) => self.path(value, item, position),
            (None, Position::Data) => {}
            (None, Position::Program | Position::Script) => self.refuse(&item.shown, WhyNot::OnlyTheShell),
            (None, Position::Argument) if item.is_number => {}
            (None, Position::Argument) => self.refuse(&item.shown, WhyNot::OnlyTheShell),
        }
    }

    /// A word that may name a file.
    fn path(&mut self, value: &str, item: &Item, position: Position) {
        let (_, written) = scripts::after_option(value);
        let bare = position == Position::Program && !written.contains('/');
        if written.is_empty() || bare || HARMLESS.contains(&written) {
            return;
        }
        let path = self.directory.join(written);
        if scripts::is_of_the_system(written, &path, self.directory) {
            return;
        }
        let only_read = position == Position::Data && item.value.is_some();
        if is_another_for_each(written) && !only_read {
            return self.refuse(&item.shown, WhyNot::OnlyTheShell);
        }
        let is_run = matches!(position, Position::Program | Position::Script);
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => {
                if only_read { &mut self.data } else { &mut self.found.reached }.push(written.to_owned());
                if !self.is_named(item) {
                    self.refuse(&item.shown, WhyNot::Indirect);
                }
            }
            Ok(_) if position == Position::Data => {}
            Ok(metadata) if metadata.is_dir() => {
                if is_run || written.contains('/') {
                    self.directory(written, &path, item);
                }
            }
            Ok(_) => self.refuse(&item.shown, WhyNot::NoFile),
            Err(_) if position == Position::Script && self.is_found_by_name(written) => {
                self.refuse(&item.shown, WhyNot::Indirect);
            }
            Err(_) if is_run || is_path(written) => {
                self.found.absent.push(written.to_owned());
                // So that it is not searched in the agent's current directory. A text with spaces is not a path: `env
                // -S` splits it.
                if is_run
                    && !written.contains(char::is_whitespace)
                    && let Some(place) = &item.place
                {
                    self.found.named.push(Named::new(value, path, PathKind::Absent, place.clone()));
                }
            }
            Err(_) => {}
        }
    }

    /// A directory is covered by the files of it that are listed: then only they are in it when it is used.
    fn directory(&mut self, written: &str, path: &Path, item: &Item) {
        let below = plain(Path::new(written).strip_prefix(self.directory).unwrap_or(Path::new(written)));
        let listed = below.is_some_and(|below| {
            below.components().next().is_some()
                && self
                    .files
                    .iter()
                    .any(|file| plain(Path::new(file)).is_some_and(|file| file.starts_with(&below)))
        });
        match (&item.value, &item.place) {
            (Some(value), Some(place)) if listed => {
                self.found.named.push(Named::new(value, path.to_owned(), PathKind::Directory, place.clone()));
            }
            _ => self.refuse(&item.shown, WhyNot::Directory),
        }
    }

    fn is_named(&self, item: &Item) -> bool {
        item.place.as_ref().is_some_and(|place| self.found.named.iter().any(|named| named.is_at(place)))
    }

    fn refuse(&mut self, word: &str, why: WhyNot) {
        self.found.uncovered.push(Uncovered { word: word.to_owned(), why });
    }

    /// Returns the places of words that are only written to.
    fn written(&self, script: &Script) -> Vec<Range<usize>> {
        let mut written = Vec::new();
        for simple in &script.commands {
            let targets = simple
                .redirects
                .iter()
                .filter(|redirect| redirect.kind.writes() && redirect.kind != RedirectKind::ReadWrite);
            written.extend(targets.map(|redirect| redirect.target.span.clone()));
            let mut words = simple.words.iter();
            let program = words.next().and_then(Word::constant);
            if program.is_some_and(|program| use_of(&program) == Use::Writes) {
                written.extend(words.map(|word| word.span.clone()));
            }
        }
        written
    }
}

/// The input of a command.
enum Sent {
    /// A text, if it is known.
    Text(Option<String>),
    /// A file.
    File(Item),
    /// Something else.
    Other,
}

impl Item {
    fn copy(&self) -> Self {
        Self {
            value: self.value.clone(),
            shown: self.shown.clone(),
            place: self.place.clone(),
            is_number: self.is_number,
        }
    }
}

/// Devices that hold nothing that could be run.
const HARMLESS: &[&str] =
    &["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/stdout", "/dev/stderr"];

/// Returns true if a path means something else to each process that opens it.
fn is_another_for_each(path: &str) -> bool {
    let below = |directory: &str| Path::new(path).starts_with(directory);
    below("/proc") || below("/dev/fd")
}

/// Programs of the shell whose words set variables.
fn is_declaration(program: &str) -> bool {
    matches!(program, "export" | "readonly" | "local" | "declare" | "typeset")
}

/// Returns true if a word looks like a path: no spaces or special characters of other languages, and a separator or a
/// file extension.
fn is_path(word: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "_-./+@%,~=:".contains(c);
    let ending = |name: &str| {
        let parts = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
        parts.is_some_and(|(_, end)| {
            (1..=5).contains(&end.len()) && end.chars().all(|c| c.is_ascii_alphanumeric())
        })
    };
    !word.starts_with('-')
        && word.chars().all(plain)
        && word.chars().any(char::is_alphanumeric)
        && !word.contains("//")
        && (word.contains('/') || ending(word))
}

/// A relative path without `.`; `None` if it leads out.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(part) => plain.push(part),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain)
}
