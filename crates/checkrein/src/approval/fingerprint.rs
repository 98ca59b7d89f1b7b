//! The fingerprint of a call, which a one-time permission is bound to: session, directory, and what the call would do.
//!
//! The guard judges effects, so a permission is bound to all of them: a call with one more, or with a stronger one, is
//! another call. But effects are a summary. They say which table is changed and not how, which file is written and not with
//! what. So the whole text is bound as well: what a command is sent (`<<`), its variables, and the order and the conditions
//! under which commands run are not words of any command, and decide what happens.
//!
//! Two kinds of calls need no text. One plain command is bound by its words, however they are quoted. And if all it does
//! is to read or to delete places that are known, the effects and the name of the program say everything. The input of a tool
//! that is not a shell is bound as a whole, unless the tool is known to do nothing else than to read or to delete.

use checkrein_core::{Map, Payload, ToolCall, ToolKind};
use checkrein_guard::{
    Action, CallContext, Certainties, Certainty, Effect, Input, Invocation, Judgement, ShellEnv, Target,
    ToolCommand, Zone, read,
};
use checkrein_secrets::conceal;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{collections::BTreeSet, fmt, str::FromStr};

/// More than this is not shown to a user, who could not read it, and is not allowed once.
const MOST: usize = 64 * 1024;

/// Arguments of a shell that hold what it runs.
const COMMANDS: &[&str] = &["command", "cmd", "script"];

/// Arguments of a shell that change nothing.
const IDLE: &[&str] = &["description", "timeout"];

/// Everything that a one-time permission is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFingerprint {
    /// The host's id of the session.
    pub session: String,
    /// The working directory of the call.
    pub cwd: String,
    /// The tool.
    pub tool: String,
    /// Everything that the call would do, sorted.
    pub effects: Vec<String>,
    /// Further facts that must match: words of commands, arguments of the tool.
    pub words: Vec<String>,
}

/// A short name for a binding, to be typed by a user.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(String);

/// A text that is not a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a code has eight letters and digits, such as `k7f2-9qmd`")]
pub struct CodeError;

impl CallFingerprint {
    /// Returns the fingerprint that a permission for this call would be bound to; `None` if its session or its
    /// directory is not known, or if it is more than a user can review.
    pub fn of(payload: &Payload, place: &CallContext, judgement: &Judgement) -> Option<Self> {
        let call = payload.event.call()?;
        let effects: BTreeSet<String> = judgement.effects.iter().map(effect).collect();
        let binding = Self {
            session: payload.session.id.clone().filter(|id| !id.is_empty())?,
            cwd: place.cwd.clone()?,
            tool: call.name.clone(),
            effects: effects.into_iter().collect(),
            words: words(call, judgement),
        };
        (binding.to_json().to_string().len() <= MOST).then_some(binding)
    }

    /// The digest of all of it.
    pub fn digest(&self) -> String {
        Sha256::digest(self.to_json().to_string().as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// The code that a denial shows.
    pub fn code(&self) -> Code {
        Code::of_digest(&self.digest())
    }

    /// Returns a copy for display, without the secrets that the call holds. Its digest differs.
    pub(super) fn shown(&self) -> Self {
        let effects = self.effects.iter().map(|text| conceal(text).into_owned()).collect();
        let before = std::iter::once("").chain(self.words.iter().map(String::as_str));
        let words = before.zip(&self.words).map(|(before, word)| shown(before, word)).collect();
        Self { effects, words, ..self.clone() }
    }

    /// The whole of it, in one fixed form.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "session": self.session,
            "cwd": self.cwd,
            "tool": self.tool,
            "effects": self.effects,
            "words": self.words,
        })
    }

    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key)?.as_str().map(str::to_owned);
        let list = |key: &str| {
            let texts = value.get(key)?.as_array()?.iter();
            texts.map(|text| text.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        };
        Some(Self {
            session: text("session")?,
            cwd: text("cwd")?,
            tool: text("tool")?,
            effects: list("effects")?,
            words: list("words")?,
        })
    }
}

/// An effect with everything that makes it stronger or weaker.
fn effect(effect: &Effect) -> String {
    let kind = match &effect.target {
        Target::Path(spot) => match spot.reach {
            checkrein_guard::Reach::Itself => "",
            checkrein_guard::Reach::Contents => " (everything in it)",
            checkrein_guard::Reach::Some => " (some of it)",
        },
        Target::Host(host) if host.local => " (this machine)",
        Target::Host(_) => " (a machine)",
        Target::Name(_) | Target::Nothing => "",
    };
    format!("{effect}{kind}")
}

fn words(call: &ToolCall, judgement: &Judgement) -> Vec<String> {
    let alone = match ToolCommand::of(call) {
        Some(ToolCommand::Shell(text)) => is_plain(text).then(|| only(judgement)).flatten(),
        Some(ToolCommand::Arguments(_)) => only(judgement),
        Some(ToolCommand::PowerShell(_)) => None,
        Some(ToolCommand::NotUnderstood(_)) => return vec![input(&call.input)],
        None => {
            let says_all = matches!(call.kind, ToolKind::Read | ToolKind::Search | ToolKind::Delete)
                && judgement.effects.iter().all(says_everything);
            return if says_all { Vec::new() } else { vec![input(&call.input)] };
        }
    };
    let mut words: Vec<String> = Vec::new();
    if let Some(ran) = alone {
        let name = ran.words.get(..1).unwrap_or_default();
        let said = !judgement.effects.is_empty() && judgement.effects.iter().all(says_everything);
        words.push(line(if said { name } else { &ran.words }));
    }
    let bound = |key: &str| !IDLE.contains(&key) && (alone.is_none() || !COMMANDS.contains(&key));
    let rest = call.input.iter().filter(|(key, _)| bound(key));
    words.extend(rest.map(|(key, value)| format!("{key}: {value}")));
    words
}

/// The one command that a call runs, if there is one and all of its words are known.
fn only(judgement: &Judgement) -> Option<&Invocation> {
    match judgement.ran.as_slice() {
        [ran] if judgement.opaque.is_empty() && !ran.words.iter().any(|word| word.contains('…')) => {
            Some(ran)
        }
        _ => None,
    }
}

/// Returns true if a text is one command and its words, with nothing before, after or around them.
fn is_plain(text: &str) -> bool {
    let script = read(text, &ShellEnv::default());
    let [command] = script.commands.as_slice() else { return false };
    command.assignments.is_empty()
        && command.redirects.is_empty()
        && command.inherited.is_empty()
        && command.within.is_empty()
        && matches!(command.stdin, Input::Inherited)
        && text.get(command.span.clone()) == Some(text.trim())
}

/// Joins words to a text that no other words have.
fn line(words: &[String]) -> String {
    let is_odd = |c: char| c.is_whitespace() || matches!(c, '"' | '\\');
    let ambiguous = |word: &String| word.is_empty() || word.contains(is_odd);
    if words.iter().any(ambiguous) { json!(words).to_string() } else { words.join(" ") }
}

fn input(input: &Map) -> String {
    Value::Object(input.clone()).to_string()
}

/// Returns true if an effect describes completely what causes it.
fn says_everything(effect: &Effect) -> bool {
    let unsure = Certainties::of(&[
        Certainty::Unknown,
        Certainty::EmptyVariable,
        Certainty::AnyProgram,
        Certainty::TooMuch,
    ]);
    match (&effect.target, effect.action) {
        (Target::Path(spot), Action::Read | Action::Delete) => {
            spot.zone != Zone::Unknown && !spot.path.contains('…') && !effect.certainty.has_any(unsure)
        }
        _ => false,
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = self.0.split_at_checked(4).unwrap_or((&self.0, ""));
        write!(formatter, "{first}-{second}")
    }
}

impl FromStr for Code {
    type Err = CodeError;

    /// A code may be typed with or without the dash, in small or capital letters.
    fn from_str(text: &str) -> Result<Self, CodeError> {
        let typed: String =
            text.chars().filter(|char| *char != '-').map(|char| char.to_ascii_lowercase()).collect();
        let fits = |char: char| char.is_ascii_digit() || char.is_ascii_lowercase() && !"ilou".contains(char);
        if typed.len() == 8 && typed.chars().all(fits) { Ok(Self(typed)) } else { Err(CodeError) }
    }
}

impl Code {
    /// The beginning of a digest, in letters that are easy to type.
    pub(super) fn of_digest(digest: &str) -> Self {
        // Without letters that look like digits.
        const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        let number = u64::from_str_radix(digest.get(..10).unwrap_or_default(), 16).unwrap_or_default();
        let letter = |place: u64| {
            let index = usize::try_from(number >> (5 * place) & 31).unwrap_or_default();
            char::from(LETTERS.get(index).copied().unwrap_or(b'0'))
        };
        Self((0..8).map(letter).collect())
    }

    /// As a name of a file.
    pub(super) fn file_name(&self) -> &str {
        &self.0
    }
}

/// Returns a word without secrets. An option says what the word after it is.
fn shown(before: &str, word: &str) -> String {
    if before.starts_with('-') && checkrein_secrets::is_plain(word.as_bytes()) {
        let both = format!("{before} {word}");
        return conceal(&both).get(before.len() + 1..).unwrap_or("…").to_owned();
    }
    conceal(word).into_owned()
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_word_after_a_secret_option_is_not_shown() {
        for (before, word, expected) in [
            ("--password", "hunter2", "…"),
            ("-u", "ada:hunter2", "ada:…"),
            ("--host", "db", "db"),
            ("", "DB_PASSWORD=hunter2", "DB_PASSWORD=…"),
            ("password", "hunter2", "hunter2"),
            ("--token", "$TOKEN", "$TOKEN"),
        ] {
            assert_eq!(shown(before, word), expected, "{before} {word}");
        }
    }
}
