//! Describes what was parsed: words in a form that a shell reads back, and why a part of one is not known.

use crate::term::style;
use checkrein::SmallSort as _;
use checkrein::guard::{
    Candidates, CommandId, Effect, Input, Judgement, Nesting, NotAllowed, Opaque, Output, Part, Redirect,
    RedirectKind, SimpleCommand, SuspiciousChar, Target, Unknown, UnknownSource, Word,
};

/// The number of items that are named individually. A hostile command could have too many.
const MOST: usize = 6;

/// Returns a word in a form that a shell reads back; `…` for unknown parts.
pub(super) fn shown(word: &Word) -> String {
    if word.parts.is_empty() {
        return "''".to_owned();
    }
    let parts = word.parts.iter().map(|part| match part {
        Part::Text(text) => quoted(text),
        Part::Glob(text) => text.clone(),
        Part::Unknown(_) => "…".to_owned(),
    });
    parts.collect()
}

/// Returns a word without quotes, for programs.
pub(super) fn plain(word: &Word) -> String {
    pieces(word).collect()
}

fn pieces(word: &Word) -> impl Iterator<Item = &str> {
    word.parts.iter().map(|part| match part {
        Part::Text(text) | Part::Glob(text) => text.as_str(),
        Part::Unknown(_) => "…",
    })
}

/// Returns a constant string, quoted if a shell would change it.
fn quoted(text: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "-_./,:=+@%".contains(char);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Joins the words of a command that would run. Unknown parts are already marked, so only boundaries need
/// quotes.
pub(super) fn joined(words: &[String]) -> String {
    let word = |word: &String| match word.is_empty() || word.contains(char::is_whitespace) {
        true => format!("'{}'", word.replace('\'', r"'\''")),
        false => word.clone(),
    };
    words.iter().map(word).collect::<Vec<String>>().join(" ")
}

/// Returns a simple command in one line.
pub(super) fn command(simple: &SimpleCommand) -> String {
    let assignments = simple.assignments.iter().map(|(name, value)| format!("{name}={}", shown(value)));
    let words = simple.words.iter().map(shown);
    let redirects = simple.redirects.iter().map(|redirect| self::redirect(redirect));
    assignments.chain(words).chain(redirects).collect::<Vec<String>>().join(" ")
}

/// Returns a redirection as it could be written.
pub(super) fn redirect(redirect: &Redirect) -> String {
    let operator = match redirect.kind {
        RedirectKind::Read => "< ",
        RedirectKind::Write => "> ",
        RedirectKind::Append => ">> ",
        RedirectKind::ReadWrite => "<> ",
        RedirectKind::WriteBoth => "&> ",
        RedirectKind::AppendBoth => "&>> ",
        RedirectKind::DuplicateInput => "<&",
        RedirectKind::DuplicateOutput => ">&",
        // Only the text of both matters, so they look alike.
        RedirectKind::Document | RedirectKind::Text => "<<< ",
    };
    let descriptor = redirect.descriptor.map(|descriptor| descriptor.to_string()).unwrap_or_default();
    format!("{descriptor}{operator}{}", shown(&redirect.target))
}

/// Returns every word of a command, wherever it is.
pub(super) fn all(simple: &SimpleCommand) -> impl Iterator<Item = &Word> {
    let assigned = simple.assignments.iter().map(|(_, value)| value);
    assigned.chain(&simple.words).chain(simple.redirects.iter().map(|redirect| &redirect.target))
}

/// Describes why a word is not known, and what it may be: one sentence for each unknown part.
pub(super) fn unknowns(word: &Word) -> Vec<String> {
    let mut said: Vec<String> = word.unknowns().map(unknown).collect();
    said.dedup();
    if let Some(rest) = word.if_unknowns_are_empty().filter(|rest| !rest.is_empty()) {
        said.push(format!("if that is empty, `{rest}` remains"));
    }
    said
}

fn unknown(unknown: &Unknown) -> String {
    let what = match &unknown.why {
        UnknownSource::Variable(name) | UnknownSource::Special(name) => format!("`${name}`"),
        UnknownSource::Element(name) => format!("a word of `${name}`"),
        UnknownSource::Substitution(ids) => format!("the output of {}", commands(ids)),
        UnknownSource::Process(ids) => format!("the name of a pipe to or from {}", commands(ids)),
        UnknownSource::Arithmetic => "a number that the shell computes".to_owned(),
        UnknownSource::Home(None) => "the home directory".to_owned(),
        UnknownSource::Home(Some(user)) => format!("the home directory of `{user}`"),
        UnknownSource::Changed(name) => format!("`${name}`, modified by an expansion"),
        UnknownSource::Array => "the words of an array".to_owned(),
        UnknownSource::Computed => "a string modified in a way that cannot be followed".to_owned(),
        UnknownSource::Given(_) => "a string from outside of this script".to_owned(),
        UnknownSource::TooMuch => "a string too long to follow".to_owned(),
        UnknownSource::Unreadable => "a script that cannot be parsed".to_owned(),
    };
    match (&unknown.among, &unknown.why) {
        (Candidates::These(these), _) => format!("{what}, one of {}", named(these)),
        (Candidates::TheseOrAnything(these), _) => format!("{what}, perhaps {}, or anything", named(these)),
        (Candidates::Anything, UnknownSource::Variable(_) | UnknownSource::Element(_)) => {
            format!("{what}, whose value is not known")
        }
        (Candidates::Anything, UnknownSource::Special(_)) => format!("{what}, which only the shell knows"),
        (
            Candidates::Anything,
            UnknownSource::Substitution(_)
            | UnknownSource::Process(_)
            | UnknownSource::Arithmetic
            | UnknownSource::Home(_)
            | UnknownSource::Changed(_)
            | UnknownSource::Array
            | UnknownSource::Computed
            | UnknownSource::Given(_)
            | UnknownSource::TooMuch
            | UnknownSource::Unreadable,
        ) => what,
    }
}

fn named(words: &[Word]) -> String {
    // The start of a long one is enough, here and for `one_line`.
    let beginning = |word: &Word| pieces(word).flat_map(str::chars).take(200).collect::<String>();
    first_of(words, |word| format!("`{}`", style::one_line(&beginning(word))))
}

/// Returns commands by their displayed numbers.
fn commands(ids: &[CommandId]) -> String {
    let numbers = first_of(ids, |id| (id.index() + 1).to_string());
    match ids {
        [] => "no command".to_owned(),
        [_] => format!("command {numbers}"),
        _ => format!("commands {numbers}"),
    }
}

fn first_of<T>(all: &[T], show: impl Fn(&T) -> String) -> String {
    let shown: Vec<String> = all.iter().take(MOST).map(show).collect();
    let more = if all.len() > MOST { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Describes what contains a command, outermost first, and where its pipes lead.
pub(super) fn position(simple: &SimpleCommand) -> Vec<String> {
    let mut said: Vec<String> = simple.within.iter().map(place).collect();
    if let Input::Pipe(from) = &simple.stdin {
        said.push(format!("reads the output of {}", commands(from)));
    }
    if let Output::Pipe(to) = &simple.stdout {
        said.push(format!("prints to {}", commands(to)));
    }
    if !simple.inherited.is_empty() {
        let around: Vec<String> = simple.inherited.iter().map(|around| redirect(around)).collect();
        said.push(format!("inside `{}`", around.join(" ")));
    }
    said
}

fn place(place: &Nesting) -> String {
    match place {
        Nesting::Function(name) => format!("in the function `{name}`, when that is called"),
        Nesting::Substitution => "in a command substitution".to_owned(),
        Nesting::Process | Nesting::Sink => "in a process substitution".to_owned(),
        Nesting::Subshell => "in parentheses".to_owned(),
        Nesting::Pipeline => "in a pipeline".to_owned(),
        Nesting::Condition => "as a condition".to_owned(),
        Nesting::Branch => "only after a condition".to_owned(),
        Nesting::Loop => "in a loop".to_owned(),
        Nesting::Background => "in the background".to_owned(),
    }
}

/// Describes characters that make a command look like another one. Non-ASCII letters are usual, but not in
/// its name.
pub(super) fn odd(simple: &SimpleCommand) -> Vec<String> {
    let name = simple.words.first();
    let mut said: Vec<String> = Vec::new();
    for word in all(simple) {
        for (char, odd) in word.odd_characters() {
            let why = match odd {
                SuspiciousChar::Bidi => "changes the text direction",
                SuspiciousChar::Invisible => "is invisible",
                SuspiciousChar::Control => "is a terminal control character",
                SuspiciousChar::Foreign if name.is_some_and(|name| std::ptr::eq(name, word)) => {
                    "is a non-ASCII character in a command name"
                }
                SuspiciousChar::Foreign => continue,
            };
            let text = format!("U+{:04X} {why}", u32::from(char));
            if said.len() < MOST && !said.contains(&text) {
                said.push(text);
            }
        }
    }
    said
}

/// Describes what could not be read, and why.
pub(super) fn unreadable(opaque: &Opaque, text: &str) -> String {
    match text.get(opaque.span.clone()).filter(|part| !part.trim().is_empty()) {
        Some(part) => format!("cannot be parsed from `{}` on: {}", style::one_line(part), opaque.why),
        None => format!("cannot be parsed: {}", opaque.why),
    }
}

/// The kinds of words that describe effects, in the order of the glossary.
const KINDS: [&str; 8] = ["effect", "zone", "tag", "with", "data", "domain", "environment", "certainty"];

/// Returns the words for these effects with their meanings: kind, word, meaning. Each once.
pub(super) fn glossary(effects: &[Effect]) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut entries = Vec::new();
    let mut tell = |kind, word, about| {
        if !entries.contains(&(kind, word, about)) {
            entries.push((kind, word, about));
        }
    };
    for effect in effects {
        tell("effect", effect.action.as_str(), effect.action.about());
        if let Target::Path(spot) = &effect.target {
            tell("zone", spot.zone.as_str(), spot.zone.about());
            spot.tags.iter().for_each(|tag| tell("tag", tag.as_str(), tag.about()));
        }
        effect.words().for_each(|(kind, word, about)| tell(kind, word, about));
    }
    entries.small_sort_by_key(|(kind, _, _)| KINDS.iter().position(|known| known == kind));
    entries
}

/// Describes whether allow rules cover a call, and which parts they do not cover.
pub(super) fn allowed(allowed: Result<(), NotAllowed>, judgement: &Judgement) -> String {
    let command = |index: usize| {
        let words = judgement.ran.get(index).map(|ran| joined(&ran.words));
        style::one_line(&words.unwrap_or_default())
    };
    match allowed {
        Ok(()) => "every command and effect is allowed".to_owned(),
        Err(NotAllowed::Objection) => "not allowed: a rule matched".to_owned(),
        Err(NotAllowed::NoCommand) => "allow rules apply to commands only".to_owned(),
        Err(NotAllowed::Unreadable) => "not allowed: part of it cannot be parsed".to_owned(),
        Err(NotAllowed::NotCoverable(loose)) => format!("not allowed: it contains {loose}"),
        Err(NotAllowed::Command(index)) => format!("no allow rule names the command `{}`", command(index)),
        Err(NotAllowed::Directory(index)) => format!("`{}` does not run inside the project", command(index)),
        Err(NotAllowed::Setting(index)) => {
            format!("a setting names a program that `{}` would run", command(index))
        }
        Err(NotAllowed::Effect(index)) => {
            let effect = judgement.effects.get(index).map(ToString::to_string).unwrap_or_default();
            format!("no allow rule that names its command covers effect {}: {effect}", index + 1)
        }
    }
}
