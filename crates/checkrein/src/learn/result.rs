//! The result of a call: it worked, or it failed in one of a few ways.
//!
//! An output decides which of these ways it is, and nothing else: none of its words is kept.

use checkrein_core::{Event, Payload};
use checkrein_hosts::install::Recipe;
use serde_json::Value;

/// The number of bytes at both ends of an output that are looked at.
const LOOKED_AT: usize = 4096;

/// The way in which a command failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureKind {
    /// There is no such program.
    ProgramNotFound,
    /// The program may not be run.
    NotExecutable,
    /// A module or a package is missing.
    ModuleNotFound,
    /// An option or a subcommand is not known.
    UnknownOption,
    /// The dependencies contradict each other, or the environment is managed by something else.
    Dependencies,
    /// The network, or a server, was not reached.
    Network,
    /// The disk is full.
    DiskFull,
    /// There is no such file.
    FileNotFound,
    /// Access was denied.
    PermissionDenied,
    /// It took too long.
    TimedOut,
    /// Anything else, with the exit code if there is one.
    Other(Option<u8>),
}

/// Each kind with its word in files, and what a model is told.
const KINDS: &[(FailureKind, &str, &str)] = &[
    (FailureKind::ProgramNotFound, "program-not-found", "program not found"),
    (FailureKind::NotExecutable, "not-executable", "not executable"),
    (FailureKind::ModuleNotFound, "module-not-found", "module not found"),
    (FailureKind::UnknownOption, "unknown-option", "unknown option or command"),
    (FailureKind::Dependencies, "dependencies", "dependencies not resolved"),
    (FailureKind::Network, "network", "network not reached"),
    (FailureKind::DiskFull, "disk-full", "disk full"),
    (FailureKind::FileNotFound, "file-not-found", "file not found"),
    (FailureKind::PermissionDenied, "permission-denied", "permission denied"),
    (FailureKind::TimedOut, "timed-out", "timed out"),
    (FailureKind::Other(None), "failed", "no known reason"),
];

/// The texts that programs print, in lower case, for each kind. The first one that occurs counts.
const SIGNS: &[(FailureKind, &[&str])] = &[
    (FailureKind::ProgramNotFound, &["command not found", ": not found", "is not recognized as"]),
    (
        FailureKind::ModuleNotFound,
        &["modulenotfounderror", "cannot find module", "no module named", "cannot find package"],
    ),
    (FailureKind::DiskFull, &["no space left on device", "enospc"]),
    (FailureKind::Dependencies, &["eresolve", "externally-managed-environment", "peer dep"]),
    (
        FailureKind::Network,
        &[
            "could not resolve host",
            "econnrefused",
            "etimedout",
            "enotfound",
            "eai_again",
            "network is unreachable",
            "name resolution",
            "connection refused",
        ],
    ),
    (
        FailureKind::UnknownOption,
        &[
            "unrecognized option",
            "unrecognized argument",
            "unknown option",
            "unknown command",
            "invalid option",
            "unexpected argument",
            "no such option",
            "no such command",
            "unknown flag",
        ],
    ),
    (FailureKind::FileNotFound, &["no such file or directory", "enoent"]),
    (FailureKind::PermissionDenied, &["permission denied", "eacces", "eperm", "operation not permitted"]),
    (FailureKind::TimedOut, &["timed out"]),
];

impl FailureKind {
    /// Returns what a model is told.
    pub fn shown(self) -> String {
        match self {
            Self::Other(Some(code)) => format!("exit code {code}"),
            _ => KINDS.iter().find(|(kind, ..)| *kind == self).map_or("", |(.., shown)| *shown).to_owned(),
        }
    }

    /// Returns the word in files.
    pub fn word(self) -> String {
        match self {
            Self::Other(Some(code)) => format!("exit-{code}"),
            _ => KINDS.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, word, _)| *word).to_owned(),
        }
    }

    /// Returns the kind with this word.
    pub fn of_word(word: &str) -> Option<Self> {
        if let Some(code) = word.strip_prefix("exit-") {
            let kind = Self::Other(Some(code.parse().ok()?));
            return (kind.word() == word).then_some(kind);
        }
        KINDS.iter().find(|(_, known, _)| *known == word).map(|(kind, ..)| *kind)
    }

    /// Returns true if it is about the machine and the project, whatever the command was applied to.
    pub(super) const fn is_about_the_environment(self) -> bool {
        match self {
            Self::ProgramNotFound
            | Self::NotExecutable
            | Self::ModuleNotFound
            | Self::UnknownOption
            | Self::Dependencies
            | Self::Network
            | Self::DiskFull => true,
            Self::FileNotFound | Self::PermissionDenied | Self::TimedOut | Self::Other(_) => false,
        }
    }

    fn of(code: Option<i64>, output: &str) -> Self {
        match code {
            Some(127) => return Self::ProgramNotFound,
            Some(126) => return Self::NotExecutable,
            Some(124) => return Self::TimedOut,
            _ => {}
        }
        let ends = [head(output), tail(output)].map(str::to_ascii_lowercase);
        let occurs = |sign: &str| ends.iter().any(|end| end.contains(sign));
        let found = SIGNS.iter().find(|(_, signs)| signs.iter().any(|sign| occurs(sign)));
        found.map_or_else(|| Self::Other(code.and_then(|code| u8::try_from(code).ok())), |(kind, _)| *kind)
    }
}

/// The result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallResult {
    Worked,
    Failed(FailureKind),
    /// The host does not say.
    Unknown,
}

impl CallResult {
    /// Returns the result that an event after a call reports.
    pub(super) fn of(payload: &Payload) -> Self {
        let is_set = |value: Option<&Value>| value.and_then(Value::as_bool).unwrap_or_default();
        match &payload.event {
            Event::PostToolUseFailure { .. } if is_set(payload.field("is_interrupt")) => Self::Unknown,
            Event::PostToolUseFailure { error, .. } => {
                let native = error.native();
                let code = native.as_deref().and_then(code_of).or_else(|| stated_code(error.text()));
                Self::Failed(FailureKind::of(code.filter(|code| *code != 0), error.text()))
            }
            Event::PostToolUse { output, .. } => {
                let native = output.native();
                let native = native.as_deref();
                if is_set(native.and_then(|native| native.get("interrupted"))) {
                    return Self::Unknown;
                }
                match native.and_then(code_of).or_else(|| stated_code(output.text())) {
                    Some(0) => Self::Worked,
                    Some(code) => Self::Failed(FailureKind::of(Some(code), output.text())),
                    None if reports_failures(payload) => Self::Worked,
                    None => Self::Unknown,
                }
            }
            _ => Self::Unknown,
        }
    }
}

/// Returns true if the host has an event of its own for calls that failed, so that the other one means success.
fn reports_failures(payload: &Payload) -> bool {
    let recipe = payload.host.name.as_deref().and_then(Recipe::of);
    recipe.is_some_and(|recipe| {
        recipe.events.iter().any(|support| support.event == checkrein_core::EventName::PostToolUseFailure)
    })
}

/// Returns the exit code in a result of a known shape.
fn code_of(native: &Value) -> Option<i64> {
    let keys = ["exit_code", "exitCode", "exit"];
    let here = |value: &Value| keys.iter().find_map(|key| value.get(*key)?.as_i64());
    here(native).or_else(|| here(native.get("metadata")?)).or_else(|| here(native.get("details")?))
}

/// Returns the exit code that a host writes on the first or the last line of a text.
fn stated_code(text: &str) -> Option<i64> {
    let (head, tail) = (head(text), tail(text));
    let first = head.lines().next();
    let lines = first.into_iter().chain(tail.lines().rev().take(3));
    lines.into_iter().find_map(|line| {
        let line = line.trim().to_ascii_lowercase();
        let line = line.trim_matches(['[', ']', '<', '>', '(', ')']);
        let rest = line.split_once("exit code").map(|(_, rest)| rest).or_else(|| {
            ["exited with code", "exit:", "exit status"]
                .iter()
                .find_map(|words| Some(line.split_once(words)?.1))
        })?;
        rest.trim_start_matches([':', ' ']).split(|char: char| !char.is_ascii_digit()).next()?.parse().ok()
    })
}

fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LOOKED_AT)).unwrap_or_default()
}

fn tail(text: &str) -> &str {
    text.get(text.floor_char_boundary(text.len().saturating_sub(LOOKED_AT))..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkrein_core::{Map, Output, ToolCall};
    use serde_json::json;

    fn after(host: &str, output: Value) -> CallResult {
        let call = ToolCall::new("Bash", Map::new());
        let mut payload = Payload::new(Event::PostToolUse { call, output: Output::from_native(output) });
        payload.host.name = Some(host.to_owned());
        CallResult::of(&payload)
    }

    fn failed(host: &str, text: &str) -> CallResult {
        let mut payload = Payload::new(Event::PostToolUseFailure {
            call: ToolCall::new("Bash", Map::new()),
            error: text.into(),
        });
        payload.host.name = Some(host.to_owned());
        CallResult::of(&payload)
    }

    #[test]
    fn hosts_say_in_their_own_ways_that_a_call_failed() {
        use FailureKind::{Network, Other, ProgramNotFound};
        assert_eq!(
            failed("claude", "Exit code 127\nbash: pnpm: command not found"),
            CallResult::Failed(ProgramNotFound)
        );
        assert_eq!(failed("claude", "Exit code 1\nnpm ERR! ENOTFOUND"), CallResult::Failed(Network));
        assert_eq!(
            failed(
                "qwen",
                "Command: x\nOutput: (empty)\nError: (none)\nExit Code: 3\nSignal: (none)\nProcess Group PGID: (none)"
            ),
            CallResult::Failed(Other(Some(3)))
        );
        assert_eq!(failed("pi", "boom"), CallResult::Failed(Other(None)));
        assert_eq!(
            after("claude", json!({"stdout": "done", "stderr": "", "interrupted": false})),
            CallResult::Worked
        );
        assert_eq!(after("claude", json!({"stdout": "", "interrupted": true})), CallResult::Unknown);
        assert_eq!(
            after("grok", json!({"exit_code": 3, "output_for_prompt": "exit: 3\n"})),
            CallResult::Failed(Other(Some(3)))
        );
        assert_eq!(
            after("codex", json!("Exit code: 0\nWall time: 0 seconds\nOutput:\nok")),
            CallResult::Worked
        );
        // No one says how that ended.
        assert_eq!(after("codex", json!("some output")), CallResult::Unknown);
        assert_eq!(after("vscode", json!("ok")), CallResult::Unknown);
    }

    #[test]
    fn every_kind_has_a_word_that_is_read_back() {
        for kind in KINDS.iter().map(|(kind, ..)| *kind).chain([FailureKind::Other(Some(3))]) {
            assert_eq!(FailureKind::of_word(&kind.word()), Some(kind));
            assert!(!kind.shown().is_empty());
        }
        for word in ["", "ignore", "exit-", "exit-300", "exit-03", "exit-+3", "program not found"] {
            assert_eq!(FailureKind::of_word(word), None, "{word}");
        }
    }
}
