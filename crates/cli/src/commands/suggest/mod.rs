//! `checkrein suggest`: the few entries that would spare a user the most prompts, from what agents did in the past.
//!
//! History is hostile input: an agent that wants an entry can repeat a call as often as it likes. So days and sessions count and not
//! calls, and only reading is suggested (`replay/want.rs`). Nothing is written without `--write`, a difference and a confirmation.

mod choose;
mod entry;

use crate::{
    args::Suggest,
    authority::Authority,
    commands::{
        allow::lasting,
        log,
        replay::{self, Setup},
    },
    exit::ExitStatus,
    install::diff,
    policy,
    term::{data, out, style},
};
use checkrein::Session;
use choose::Needs;
use entry::Suggestion;

pub(crate) fn run(arguments: &Suggest, authority: &Authority) -> anyhow::Result<ExitStatus> {
    if arguments.write {
        authority.required()?;
    }
    let mut needs = Needs::default();
    let summary =
        replay::read(&arguments.history, Setup::default(), !arguments.json, &mut |call| needs.add(call))?;
    let suggestions: Vec<Suggestion> = needs.choose(arguments.limit).iter().map(Suggestion::of).collect();
    replay::name_failed(&summary);
    let read = ExitStatus::success_if(summary.failed.is_empty());
    if arguments.json {
        suggestions.iter().for_each(|suggestion| data!("{}", style::json(suggestion.to_json())));
        return Ok(read);
    }
    if suggestions.is_empty() {
        if summary.calls == 0 {
            replay::nothing(&summary, &arguments.history);
        } else {
            out!(
                "Nothing to suggest from {}: only what an agent read on at least {} days and in at least {} sessions is suggested, and \
                 nothing of that needs an entry.",
                log::many(summary.calls, "call"),
                choose::DAYS,
                choose::SESSIONS
            );
        }
        return Ok(read);
    }
    suggestions.iter().for_each(Suggestion::show);
    if arguments.write {
        return write(&suggestions, authority);
    }
    out!(
        "{}",
        style::dim(
            "`checkrein suggest --write` adds them to your configuration, after showing the difference."
        )
    );
    Ok(read)
}

/// Shows what would change in the user's file, asks, and writes it.
fn write(suggestions: &[Suggestion], authority: &Authority) -> anyhow::Result<ExitStatus> {
    let places = policy::places(None, &Session::default());
    let entries: String = suggestions.iter().map(|suggestion| format!("\n{}", suggestion.entry)).collect();
    let (file, old, new) = lasting::with_entries(&places, &entries)?;
    data!("{}", style::lines(&diff::unified(&file.to_string_lossy(), old.as_deref(), Some(&new))));
    if !authority.confirms("Add these entries to your configuration?")? {
        out!("Nothing was written.");
        return Ok(ExitStatus::Failure);
    }
    let file = lasting::write(&places, &entries)?;
    out!("Written: {}", style::harmless(&file.display().to_string()));
    Ok(ExitStatus::Success)
}
