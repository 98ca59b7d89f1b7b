//! One policy about git, written twice: [`hook`] is the typed hook, `git-guard.sh` next to this crate the
//! shell hook.
//!
//! The policy denies commands that discard uncommitted work, rewrite published history, or skip checks. The
//! reason suggests an alternative. Both hooks read a command in the same simple way, word by word, so that
//! they can be compared: `tests/parity.rs` gives both the same commands, and `cargo xtask bench harness`
//! measures both.
//!
//! It is an example. Checkrein's built-in judge reads a command as a shell does, and covers all of this;
//! quotes, variables and wrappers fool a word reader, and so they fool both hooks here.

#![forbid(unsafe_code)]

use checkrein_harness::{Registration, ToolCall, ToolInput, Verdict, before};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The input of a shell tool, whatever the tool is called.
#[derive(Debug, Deserialize)]
pub struct Shell {
    /// The command that would run.
    pub command: String,
}

impl ToolInput for Shell {
    const TOOL: &'static str = "kind:shell";
}

/// Returns the typed hook.
pub fn hook() -> Registration {
    before("git-guard", judge).judge()
}

/// Returns the path of the shell hook's script.
pub fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("git-guard.sh")
}

/// Judges one call.
pub fn judge(call: &ToolCall<'_, Shell>) -> Verdict {
    objection(&call.input.command).map_or_else(Verdict::abstain, Verdict::deny)
}

/// Returns the objection to a command, if there is one.
pub fn objection(command: &str) -> Option<&'static str> {
    command.split([';', '|', '&', '(', ')', '\n']).find_map(|part| {
        let words: Vec<&str> = part.split_whitespace().map(|word| word.trim_matches(['\'', '"'])).collect();
        match words.as_slice() {
            ["git", verb, options @ ..] | ["sudo", "git", verb, options @ ..] => about(verb, options),
            _ => None,
        }
    })
}

fn about(verb: &str, options: &[&str]) -> Option<&'static str> {
    let has = |wanted: &[&str]| options.iter().any(|option| wanted.contains(option));
    // `-fd` contains `-f`.
    let short = |letter: char| {
        options.iter().any(|option| {
            option.strip_prefix('-').is_some_and(|rest| !rest.starts_with('-') && rest.contains(letter))
        })
    };
    match verb {
        "checkout" if has(&["--"]) => Some("this discards uncommitted changes; `git stash` keeps them"),
        "restore" if !has(&["--staged", "-S"]) => {
            Some("this discards uncommitted changes; `git stash` keeps them")
        }
        "reset" if has(&["--hard", "--merge"]) => {
            Some("this discards uncommitted changes; `git stash` keeps them")
        }
        "clean" if (has(&["--force"]) || short('f')) && !has(&["--dry-run"]) && !short('n') => {
            Some("this deletes untracked files; `git clean -n` shows which")
        }
        "push" if has(&["--force"]) || short('f') => {
            Some("this overwrites the remote branch; `--force-with-lease` does so only if nobody else pushed")
        }
        "branch" if short('D') => Some("this may delete unmerged commits; `-d` refuses to"),
        "stash" if has(&["drop", "clear"]) => {
            Some("this discards a stash; `git stash list` shows what is in it")
        }
        "commit" | "push" if has(&["--no-verify"]) => Some("this skips the checks; fix what they report"),
        _ => None,
    }
}
