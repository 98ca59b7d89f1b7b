//! Editors that are told what to do before they start: they change the files that they are given, or go on to a shell.

use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call},
    program::ParseFlag,
    program::Role,
    qualities::qualities,
    vocabulary::{Action, Modifier},
};
use checkrein_shell::Word;
use std::borrow::Cow;

/// Commands that write the file.
const WRITES: [&str; 14] =
    ["w", "wq", "x", "xit", "wa", "wqa", "xa", "xall", "wall", "wqall", "up", "update", "write", "W"];

/// Returns true if a command of an editor deletes every line.
pub(super) fn deletes_all(step: &str) -> bool {
    let step = step.strip_suffix("elete").unwrap_or(step).trim_end_matches(['_', ' ']);
    matches!(
        step,
        "%d" | ",d" | "1,$d" | "1,$ d" | "% d" | "g/^/d" | "g/./d" | "0,$d" | "normal ggdG" | "norm ggdG"
    )
}

/// Follows `editor`.
pub(in crate::eval) fn editor(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    if parsed.qualities.has(ParseFlag::Help) {
        return Flow::default();
    }
    let mut commands: Vec<Word> =
        parsed.roles.iter().filter(|(role, _)| *role == Role::Escape).map(|(_, word)| word.clone()).collect();
    let (told, files): (Vec<&Word>, Vec<&Word>) =
        parsed.operands.iter().partition(|word| word.lead().starts_with('+'));
    commands.extend(told.into_iter().map(|word| word.skip(1)));
    // `ed` and `ex` take their commands from standard input, a line each.
    let typed = frame.stdin.text.clone().unwrap_or_default();
    commands.extend(typed.lines().take(64).map(|line| Word::text(line, 0..0)));
    for command in &commands {
        evaluator.follow_escape(command, frame);
    }
    let texts: Vec<Cow<'_, str>> = commands.iter().filter_map(Word::constant).collect();
    let steps: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.split('|'))
        .map(|step| step.trim().trim_start_matches(':').trim_end_matches('!'))
        .collect();
    if !steps.iter().any(|step| WRITES.contains(step)) {
        return evaluator.passthrough(rest, frame);
    }
    let action = if steps.iter().any(|step| deletes_all(step)) { Action::Truncate } else { Action::Append };
    for file in files {
        evaluator.emit_path(action, file, qualities![Modifier::InPlace], frame);
    }
    Flow::default()
}
