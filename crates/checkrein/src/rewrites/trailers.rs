//! Trailers of commit messages that a rule leaves out or replaces, such as `Co-Authored-By`.
//!
//! A message is a word of `git commit`, or a here-document that becomes one or that `git commit` reads. It is changed line by line
//! in the source, and the result is read again: it must be the same commands with the same words but for those lines.

use super::{force_push::subcommand, settings::Replace, text::Scene};
use checkrein_guard::{CommandId, Edits, Input, Script, ShellEnv, SimpleCommand, read, shown};
use std::{collections::BTreeMap, ops::Range};

const TRAILER: &str = "--trailer";
const TRAILER_IS: &str = "--trailer=";

/// Returns the text with other trailers; an error says why a trailer stays.
pub(super) fn change(scene: &Scene<'_>, replace: &Replace) -> Result<Option<String>, String> {
    let mut change =
        Change { replace, edits: Edits::default(), words: BTreeMap::new(), documents: Vec::new() };
    for command in scene.commands(|name| name == "git") {
        if subcommand(&command).is_some_and(|(_, name)| name == "commit") {
            change.commit(scene, command.id, command.simple);
        }
    }
    if change.edits.is_empty() {
        return Ok(None);
    }
    let env = ShellEnv { home: scene.world.home(), cwd: scene.place.cwd.clone(), ..ShellEnv::default() };
    let new = change.edits.apply(scene.text).filter(|new| change.is_all(&scene.script, &read(new, &env)));
    new.map(Some).ok_or_else(|| {
        format!("the trailer `{}` is written in a way that cannot be changed", replace.trailer)
    })
}

/// The changes of a text, and the commands that are expected afterwards.
struct Change<'a> {
    replace: &'a Replace,
    edits: Edits,
    words: BTreeMap<CommandId, Vec<String>>,
    documents: Vec<Range<usize>>,
}

impl Change<'_> {
    fn commit(&mut self, scene: &Scene<'_>, id: CommandId, commit: &SimpleCommand) {
        for span in documents(scene, commit) {
            if let Some(new) = scene.text.get(span.clone()).and_then(|body| replaced(body, self.replace))
                && !self.documents.contains(&span)
            {
                self.edits.replace(span.clone(), new);
                self.documents.push(span);
            }
        }
        let mut expected: Vec<String> = Vec::new();
        for word in &commit.words {
            let is_value = expected.last().is_some_and(|last| last == TRAILER);
            let (flag, text) = match word.constant() {
                Some(text) => match text.strip_prefix(TRAILER_IS) {
                    Some(value) => (TRAILER_IS, value.to_owned()),
                    None => ("", text.into_owned()),
                },
                None => ("", String::new()),
            };
            let Some(new) = replaced(&text, self.replace) else {
                expected.push(shown(word));
                continue;
            };
            // The message is a here-document that has been changed.
            if self.documents.iter().any(|document| contains(&word.span, document)) {
                expected.push(format!("{flag}{new}"));
                continue;
            }
            let is_whole = is_value || !flag.is_empty();
            if is_whole && self.replace.with.is_empty() {
                let first = if is_value { expected.len() - 1 } else { expected.len() };
                let from = commit.words.get(first).map_or(word.span.start, |word| word.span.start);
                let blanks =
                    scene.text.get(..from).map_or(from, |before| before.trim_end_matches([' ', '\t']).len());
                self.edits.replace(blanks..word.span.end, "");
                expected.truncate(first);
                continue;
            }
            let source = scene.text.get(word.span.clone()).unwrap_or_default();
            let (open, body, close) = unquoted(source);
            let edited = replaced(body.strip_prefix(flag).unwrap_or(body), self.replace);
            let edited = edited.unwrap_or_default();
            let flag_inside = if body.starts_with(flag) { flag } else { "" };
            self.edits.replace(word.span.clone(), format!("{open}{flag_inside}{edited}{close}"));
            expected.push(format!("{flag}{new}"));
        }
        self.words.insert(id, expected);
    }

    /// Returns true if a script runs the same commands as another, with what was to change.
    fn is_all(&self, before: &Script, after: &Script) -> bool {
        let input = |simple: &SimpleCommand| match &simple.stdin {
            Input::Text(redirect) => Some((shown(&redirect.target), redirect.target.span.clone())),
            _ => None,
        };
        let same = |(at, (one, other)): (usize, (&SimpleCommand, &SimpleCommand))| {
            let words = match self.words.get(&CommandId(at)) {
                Some(words) => words.clone(),
                None => one.words.iter().map(shown).collect(),
            };
            let document = input(one).map(|(text, span)| match self.documents.contains(&span) {
                true => replaced(&text, self.replace).unwrap_or(text),
                false => text,
            });
            words.iter().eq(other.words.iter().map(shown).collect::<Vec<_>>().iter())
                && one.within == other.within
                && one.redirects.len() == other.redirects.len()
                && document == input(other).map(|(text, _)| text)
        };
        after.opaque.is_empty()
            && before.commands.len() == after.commands.len()
            && before.commands.iter().zip(&after.commands).enumerate().all(same)
    }
}

/// The places of the here-documents that are or become messages of a commit.
fn documents(scene: &Scene<'_>, commit: &SimpleCommand) -> Vec<Range<usize>> {
    let of = |simple: &SimpleCommand| match &simple.stdin {
        Input::Text(redirect) => Some(redirect.target.span.clone()),
        _ => None,
    };
    let is_inside = |span: &Range<usize>| commit.words.iter().any(|word| contains(&word.span, span));
    let inner = scene.script.commands.iter().filter_map(of).filter(is_inside);
    of(commit).into_iter().chain(inner).collect()
}

fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Splits the quotes off a source: what is before, inside and behind them.
fn unquoted(source: &str) -> (&str, &str, &str) {
    for quote in ['\'', '"'] {
        if let Some((before, rest)) = source.split_once(quote)
            && let Some(body) = rest.strip_suffix(quote)
            && !before.contains(['\'', '"', '\n'])
        {
            let open = before.len() + quote.len_utf8();
            return (
                source.get(..open).unwrap_or_default(),
                body,
                source.get(open + body.len()..).unwrap_or_default(),
            );
        }
    }
    ("", source, "")
}

/// Returns a message with the trailer replaced or left out; `None` if it does not have it.
fn replaced(message: &str, replace: &Replace) -> Option<String> {
    let has = |line: &str| {
        let key = line.trim_start().split_once(':').map(|(key, _)| key.trim_end());
        key.is_some_and(|key| key.eq_ignore_ascii_case(&replace.trailer))
    };
    if !message.lines().any(has) {
        return None;
    }
    let mut lines: Vec<String> = Vec::new();
    for line in message.split('\n') {
        match (has(line), replace.with.is_empty()) {
            (false, _) => lines.push(line.to_owned()),
            (true, true) => {}
            (true, false) => {
                let new = format!("{}: {}", replace.trailer, replace.with);
                // The same trailer twice says no more than once.
                if !lines.contains(&new) {
                    lines.push(new);
                }
            }
        }
    }
    let ends = message.ends_with('\n');
    while lines.len() > 1 && lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    let end = if ends { "\n" } else { "" };
    Some(format!("{}{end}", lines.join("\n")))
}
