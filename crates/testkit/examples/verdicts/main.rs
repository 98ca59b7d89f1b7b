//! The guard's verdict on every command in this repository, one line per case: the safety net for a
//! refactoring.
//!
//! `cargo xtask verdicts` starts this and compares two of its files. A line has five columns, separated by
//! tabs: the digest of the case (of its text and the machine it is judged on, so that a case that moves to
//! another file stays the same), the decision, the sorted ids of the rules, the effects as text, and the
//! origin of the case. For a held-out list it writes neither the command, nor its line, nor its targets,
//! only the kinds of effects and a digest.
//!
//! Everything is judged on machines that do not exist, so that the file depends only on this repository.

mod literals;
#[path = "../../../guard/tests/support/sealed.rs"]
mod sealed;
mod sources;
mod worlds;

use checkrein_guard::{Effect, Judgement, Reach, Target};
use sha2::{Digest, Sha256};
use sources::Case;
use std::{
    fmt::Write as _,
    io::{self, Write as _},
    process::ExitCode,
    thread,
};

fn main() -> ExitCode {
    let cases = match sources::all() {
        Ok(cases) => cases,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    let mut lines = in_parallel(&cases);
    // Sorted, so that it does not reveal the order of a held-out list.
    lines.sort_unstable();
    let text = lines.join("\n") + "\n";
    match io::stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Returns the lines of all cases, in order.
fn in_parallel(cases: &[Case]) -> Vec<String> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = cases.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let parts: Vec<_> = cases
            .chunks(share)
            .map(|part| scope.spawn(|| part.iter().map(line).collect::<Vec<_>>()))
            .collect();
        // A panicking thread means that the guard panicked: do not write a file that looks complete.
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap_or_else(|why| std::panic::resume_unwind(why)))
            .collect()
    })
}

fn line(case: &Case) -> String {
    // A command of a held-out list may also be in an open one, which shows more.
    let list = if case.held_back { "held back" } else { "open" };
    let digest = short(&[list, case.world.name(), &case.text]);
    let Some(judgement) = case.judge() else {
        return format!("{digest}\tnothing\t\t\t{}", case.origin);
    };
    let mut rules: Vec<&str> = judgement.findings.iter().map(|finding| finding.rule.id.as_ref()).collect();
    rules.sort_unstable();
    let effects = if case.held_back { kinds(&judgement) } else { effects(&judgement) };
    format!("{digest}\t{}\t{}\t{effects}\t{}", judgement.decision, rules.join(","), case.origin)
}

/// Returns all effects in order, and everything else that decides about exceptions and allow rules.
fn effects(judgement: &Judgement) -> String {
    let mut parts: Vec<String> = judgement.effects.iter().map(|effect| full(effect, judgement)).collect();
    parts.extend(state(judgement));
    parts.join("; ")
}

fn full(effect: &Effect, judgement: &Judgement) -> String {
    let mut text = effect.to_string();
    if let Target::Path(spot) = &effect.target {
        text += match spot.reach {
            Reach::Itself => "",
            Reach::Contents => " (contents)",
            Reach::Some => " (some)",
        };
    }
    let by = judgement.ran.get(effect.by);
    let name = by.and_then(|by| by.known_as.clone().or_else(|| by.words.first().cloned()));
    if let Some(name) = name {
        let _ = write!(text, " by {name}");
    }
    text.escape_debug().to_string().replace("; ", ";\\ ")
}

/// Returns the kinds of effects, and a digest of their targets.
fn kinds(judgement: &Judgement) -> String {
    let kind = |effect: &Effect| {
        let mut kind = effect.clone();
        kind.target = Target::Nothing;
        kind.to_string()
    };
    let mut parts: Vec<String> = judgement.effects.iter().map(kind).collect();
    parts.extend(state(judgement));
    let targets: Vec<String> = judgement.effects.iter().map(target).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    parts.push(format!("targets {}", short(&targets)));
    parts.join("; ")
}

/// Returns the target of an effect, without the modifiers, which may be renamed.
fn target(effect: &Effect) -> String {
    match &effect.target {
        Target::Nothing => String::new(),
        Target::Path(spot) => spot.path.clone(),
        Target::Host(host) => host.name.clone(),
        Target::Name(name) => name.clone(),
    }
}

fn state(judgement: &Judgement) -> Vec<String> {
    let mut parts = Vec::new();
    if !judgement.opaque.is_empty() {
        parts.push(format!("unread {}", judgement.opaque.len()));
    }
    if judgement.loose.is_some() {
        parts.push("not grantable".to_owned());
    }
    parts
}

/// Returns the start of a digest: enough to distinguish some ten thousand cases.
fn short(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part.as_bytes());
    }
    let mut text = String::new();
    for byte in hash.finalize().iter().take(8) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}
