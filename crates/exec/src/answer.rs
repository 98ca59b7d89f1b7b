//! Reads the output of a process as a verdict.
//!
//! Existing hooks are written for several hosts, and a hook written for one of them should run here unchanged. So
//! the fields of all those answers are read together, and if they disagree the strictest decision counts.
//!
//! Everything here fails closed. A text that looks like an answer (it starts with `{`, or is JSON at all) but is not
//! one is a failure of the hook; ignoring it would let a call through because of a typo. Only plain text is not an
//! answer, because scripts often print some; an answer in the middle of it counts (`among`).

mod among;
mod fields;
mod object;
#[cfg(test)]
mod tests;

use checkrein_core::{Decision, EventName, Failure, Verdict, json};
use serde::de::IgnoredAny;
use serde_json::Value;

pub use object::read_object;

/// The way in which a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The process exited with this code.
    Code(i32),
    /// The process was killed by this signal.
    Signal(i32),
}

/// The reason of a denial without a reason.
const NO_REASON: &str = "blocked by the hook (exit 2, no reason given)";

/// The maximum length of stderr that a failure shows: it goes into a reason, which models and users read.
const SHOWN: usize = 4096;

/// Reads the answer of a process on `event`.
///
/// Exit 0 lets stdout decide, exit 2 is a denial whatever stdout says, everything else is a failure.
pub fn read(event: EventName, exit: Exit, stdout: &[u8], stderr: &[u8]) -> Result<Verdict, Failure> {
    match exit {
        Exit::Code(0) => read_stdout(event, stdout),
        Exit::Code(2) => {
            let said = [stderr, stdout].into_iter().map(|stream| String::from_utf8_lossy(stream));
            let reason = said.map(|text| bare(&text).to_owned()).find(|text| !text.is_empty());
            Ok(Verdict::deny(reason.unwrap_or_else(|| NO_REASON.to_owned())))
        }
        // Claude Code honours a denial whatever the exit code (measured). Anything less than a denial stays a
        // failure, whose rule may be stricter.
        Exit::Code(_) | Exit::Signal(_)
            if let Ok(verdict) = read_stdout(event, stdout)
                && verdict.decision == Decision::Deny =>
        {
            Ok(verdict)
        }
        Exit::Code(code) => Err(Failure::Exited { code, stderr: last_words(stderr) }),
        Exit::Signal(signal) => Err(Failure::Killed { signal, stderr: last_words(stderr) }),
    }
}

fn read_stdout(event: EventName, stdout: &[u8]) -> Result<Verdict, Failure> {
    let text = std::str::from_utf8(stdout).map_err(|error| bad(format!("stdout is not UTF-8: {error}")))?;
    let text = bare(text);
    if text.is_empty() {
        return Ok(Verdict::abstain());
    }
    if text.starts_with('{') {
        let broken = |error| bad(format!("stdout starts like a JSON object, but is not valid: {error}"));
        return match json::parse_object(text.as_bytes()) {
            Ok(fields) => read_object(event, fields),
            // Less than a denial is a failure here, whose rule may be stricter.
            Err(error) => match among::among(event, text) {
                Ok(Some(verdict)) if verdict.decision == Decision::Deny => Ok(verdict),
                _ => Err(broken(error)),
            },
        };
    }
    if let Some(word) = Word::of(&text.to_ascii_lowercase()) {
        return word.alone();
    }
    // The check for *any* JSON ignores depth and duplicate keys, so that neither turns a wrong answer into plain
    // text.
    if serde_json::from_str::<IgnoredAny>(text).is_ok() {
        let quoted = serde_json::from_str::<String>(text).ok();
        return quoted.as_deref().and_then(Word::of).map_or_else(
            || Err(bad("stdout is JSON, but neither an object nor a decision".to_owned())),
            Word::alone,
        );
    }
    match (among::among(event, text)?, event) {
        (Some(verdict), _) => Ok(verdict),
        (None, EventName::SessionStart | EventName::UserPromptSubmit | EventName::UserPromptExpansion) => {
            Ok(Verdict::abstain().with_context(text))
        }
        (None, _) => Ok(Verdict::abstain()),
    }
}

/// Reads an answer that is already a value: the return value of a function. Null means no opinion, a string must be
/// a decision, and an object is read by its fields.
pub fn read_value(event: EventName, value: Value) -> Result<Verdict, Failure> {
    match value {
        Value::Null => Ok(Verdict::abstain()),
        Value::String(text) => Word::of(&text).map_or_else(
            || {
                let shown: String = text.chars().take(40).collect();
                Err(bad(format!("unknown decision `{shown}`, expected {}", Word::ALL)))
            },
            Word::alone,
        ),
        Value::Object(fields) => read_object(event, fields),
        other => Err(bad(format!(
            "a hook answers with nothing, a decision or an object, not with {}",
            json::type_name(&other)
        ))),
    }
}

/// Strips spaces and a byte order mark.
fn bare(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('\u{feff}').map_or(text, str::trim)
}

/// Returns the end of a failed process's stderr.
fn last_words(stderr: &[u8]) -> String {
    let start = stderr.len().saturating_sub(SHOWN);
    let shown = String::from_utf8_lossy(stderr.get(start..).unwrap_or_default());
    let shown = shown.trim();
    if start == 0 { shown.to_owned() } else { format!("… {}", shown.trim_start_matches('\u{fffd}')) }
}

const fn bad(message: String) -> Failure {
    Failure::BadReply(message)
}

/// A word in place of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Plain(Decision),
    /// Announces an edit, which must then be present.
    Modify,
}

impl Word {
    /// All words, for messages.
    const ALL: &str = "`abstain`, `allow`, `ask`, `deny`, `approve`, `proceed`, `block`, `modify` or `edit`";

    fn of(text: &str) -> Option<Self> {
        Some(match text {
            "abstain" | "proceed" => Self::Plain(Decision::Abstain),
            "allow" | "approve" => Self::Plain(Decision::Allow),
            "ask" => Self::Plain(Decision::Ask),
            "deny" | "block" => Self::Plain(Decision::Deny),
            "modify" | "edit" => Self::Modify,
            _ => return None,
        })
    }

    /// Returns the verdict of a word that is the whole answer.
    fn alone(self) -> Result<Verdict, Failure> {
        match self {
            Self::Plain(decision) => Ok(Verdict { decision, ..Verdict::default() }),
            Self::Modify => Err(object::without_content()),
        }
    }
}
