//! The differences between origins: events, timeouts, failures.

use super::draft::{Draft, Key};
use crate::config::keys::MOST_SECONDS;
use checkrein_core::{Class, EventName, OnFailure, Role};
use checkrein_hosts::import::Format;

/// The value that the matcher of an event is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matched {
    /// The tool.
    Tool,
    /// Something that our configuration has no word for; the payload has it under this key.
    Field(&'static str),
    /// Nothing: the origin does not look at it.
    Nothing,
    /// Something that the origin does not tell.
    Unknown,
}

/// Returns what a host compares a matcher with.
pub(super) fn matched(format: &Format, event: EventName) -> Matched {
    use EventName as E;
    if event.has_tool() {
        return Matched::Tool;
    }
    match event {
        E::UserPromptSubmit | E::Stop => Matched::Nothing,
        _ if format.ignores_matcher.contains(&event) => Matched::Nothing,
        E::SessionStart | E::ConfigChange | E::DirectoryAdded => Matched::Field("source"),
        E::Setup | E::PreCompact | E::PostCompact => Matched::Field("trigger"),
        E::SessionEnd => Matched::Field("reason"),
        E::Notification => Matched::Field("notification_type"),
        E::SubagentStart | E::SubagentStop => Matched::Field("agent_type"),
        E::StopFailure => Matched::Field("error"),
        E::InstructionsLoaded => Matched::Field("load_reason"),
        E::UserPromptExpansion => Matched::Field("command_name"),
        E::Elicitation | E::ElicitationResult => Matched::Field("mcp_server_name"),
        E::FileChanged => Matched::Field("file_path"),
        _ => Matched::Unknown,
    }
}

/// Sets the time limit of a hook: the one `written` in the file, or else the `default` of its origin.
pub(super) fn timeout(draft: &mut Draft, who: &str, written: Option<f64>, default: f64) {
    let wanted = written.unwrap_or(default);
    if !(wanted.is_finite() && wanted > 0.0) {
        draft.refuse(format!("a time limit of {wanted} s is not valid here; it must be more than 0"));
        return;
    }
    // What our own reader takes.
    let event = draft.event.filter(|_| draft.role != Role::Observe);
    let most = event.map_or(f64::from(MOST_SECONDS), |event| event.budget().as_secs_f64());
    draft.timeout = Some(wanted.min(most));
    let fewer = (wanted > most).then(|| {
        let of = event.map_or_else(String::new, |event| format!(" on `{event}`"));
        format!("was {wanted} s; {most} s is the maximum{of}")
    });
    match (written, fewer) {
        (None, None) => draft.explain(Key::Timeout, format!("the default of {who}")),
        (None, Some(fewer)) => draft.explain(Key::Timeout, format!("the default of {who} {fewer}")),
        (Some(_), Some(fewer)) => draft.change(Key::Timeout, fewer),
        (Some(_), None) => {}
    }
}

/// Keeps the rule of an origin that continues when a hook fails.
pub(super) fn goes_on(draft: &mut Draft, who: &str) {
    if draft.role == Role::Observe {
        return;
    }
    draft.on_failure = Some(OnFailure::Ignore);
    let gate = draft.event.is_some_and(EventName::is_preventable);
    let text = if gate {
        format!("{who} continues when a hook fails; remove this line to deny instead")
    } else {
        format!("as in {who}, which continues when a hook fails")
    };
    draft.explain(Key::OnFailure, text);
}

/// Adds a note about the effect of a denial after a tool ran, where the origin differs.
pub(super) fn withholds(draft: &mut Draft, otherwise: &str) {
    if draft.event == Some(EventName::PostToolUse) && draft.role != Role::Observe {
        let text = format!(
            "a denial (exit code 2, or `block`) withholds the result, and the model sees the reason in its place; {otherwise}"
        );
        draft.change(Key::Hook, text);
    }
}

/// Keeps the rule of a hook that is to block when it fails, where there is something to block.
pub(super) fn blocks(draft: &mut Draft, why: &str) {
    if draft.role == Role::Observe {
        return;
    }
    match draft.event.map(EventName::class) {
        None | Some(Class::Gate) => {
            draft.on_failure = Some(OnFailure::Deny);
            draft.explain(Key::OnFailure, why);
        }
        Some(Class::Result) => {
            draft.on_failure = Some(OnFailure::Deny);
            draft.change(Key::OnFailure, format!("{why}; here that withholds the result from the model"));
        }
        Some(Class::Finish) => {
            draft.on_failure = Some(OnFailure::Ignore);
            draft
                .explain(Key::OnFailure, format!("{why}, which has no effect on this event, there and here"));
        }
        Some(Class::Report) => {
            draft.on_failure = Some(OnFailure::Ignore);
            draft.change(Key::OnFailure, format!("{why}, but here nothing can be prevented on this event"));
        }
    }
}
