//! Joins and shortens the texts for a host, because hosts truncate or reject long ones.

use checkrein_core::{
    Change, Decision, HookText, Outcome, Step,
    sanitize::{one_line, prose},
};

/// The maximum length of a reason for a host; the trail keeps the whole text.
pub(crate) const REASON: usize = 4_000;
/// The maximum length of context and other texts.
pub(crate) const CONTEXT: usize = 9_900;

/// Prepares a text for a host: hidden characters are escaped, and it has at most `most` characters, with a note
/// where it was cut.
pub(crate) fn cut(text: &str, most: usize) -> String {
    // The texts of an outcome are escaped already, but a refusal without an outcome may not be.
    let text = prose(text);
    let length = text.chars().count();
    if length <= most {
        return text.into_owned();
    }
    let head: String = text.chars().take(most).collect();
    format!("{head}… (truncated, {length} characters in total)")
}

/// Returns the reason of the decision. A question is read by the user, so it says how to look the event up; a denial is read by
/// the model, and the user is told in a message of their own.
pub(crate) fn reason(outcome: &Outcome) -> String {
    let mut text = cut(&outcome.reason(), REASON);
    if let (Some(id), Decision::Ask) = (outcome.payload.id, outcome.decision) {
        let details = details(&text, id);
        text.push_str(&details);
    }
    text
}

/// Returns the reason for a host that shows the user nothing else: with what the user would be told.
pub fn reason_with_notices(outcome: &Outcome) -> String {
    let text = reason(outcome);
    if outcome.decision != Decision::Deny {
        return text;
    }
    let notices: Vec<String> = outcome.notices().iter().map(named).collect();
    let told = if notices.is_empty() { text } else { format!("{text}\n{}", notices.join("\n")) };
    match outcome.payload.id {
        Some(id) => format!("{told}{}", details(&told, id)),
        None => told,
    }
}

/// Returns the command by which a user can look an event up, to follow `text`. That may end with a code to copy, which a full
/// stop would spoil.
fn details(text: &str, id: impl std::fmt::Display) -> String {
    let separator = if text.ends_with(['.', '!', '?']) { "" } else { " ·" };
    format!("{separator} Details: checkrein why {id}")
}

/// Returns a text for the user with the name of its speaker.
fn named(said: &HookText<'_>) -> String {
    match said.hook {
        // The engine itself, by the name that users know.
        "checkrein" => format!("Checkrein: {}", said.text),
        _ => said.named(),
    }
}

/// Joins the texts with line breaks.
pub(crate) fn join(said: &[HookText<'_>]) -> String {
    said.iter().map(|said| said.text).collect::<Vec<_>>().join("\n")
}

/// Returns the text for the user: the notices, what other hooks blocked, and what editors changed. There is none if another copy
/// of us that answers the same event has told the user.
pub(crate) fn for_the_user(outcome: &Outcome) -> Option<String> {
    if outcome.is_repeated {
        return None;
    }
    let mut lines: Vec<String> = outcome.notices().iter().map(named).collect();
    if outcome.decision == Decision::Deny && outcome.payload.event.call().is_some() {
        let is_before = outcome.payload.event.output().is_none();
        let silent = |step: &&Step| step.decision == Decision::Deny && step.notice.is_none();
        let verb = if is_before { "blocked this call" } else { "withheld this output" };
        lines.extend(outcome.trail.iter().filter(silent).map(|step| told(outcome, step, verb)));
    }
    if outcome.decision != Decision::Deny {
        let changed = outcome.trail.iter().filter(|step| step.change.is_some());
        lines.extend(changed.filter_map(|step| match (&step.change, &step.reason) {
            // The notice says it better.
            (Some(Change::Input(_)), _) if step.notice.is_some() => None,
            (Some(Change::Input(_)), _) => Some(told(outcome, step, "changed this call")),
            (Some(Change::Output), Some(_)) => Some(told(outcome, step, "changed this output")),
            (Some(Change::Prompt), Some(_)) => Some(told(outcome, step, "changed this prompt")),
            // Changes of outputs and prompts without a reason are frequent, so they are not reported.
            (Some(Change::Output | Change::Prompt) | None, _) => None,
        }));
    }
    if lines.is_empty() {
        return None;
    }
    let mut text = cut(&lines.join("\n"), CONTEXT);
    // Where nothing was decided, there is nothing to look up.
    let is_about_a_decision = outcome.decision != Decision::Abstain
        || outcome.is_edited()
        || outcome.payload.event.call().is_some();
    if let (Some(id), true) = (outcome.payload.id, is_about_a_decision) {
        let details = details(&text, id);
        text.push_str(&details);
    }
    Some(text)
}

/// The number of characters of a hook's reason that the user is shown.
const SHOWN: usize = 300;

fn told(outcome: &Outcome, step: &Step, verb: &str) -> String {
    // The user is told what the model is not.
    let failed = step.failure.as_ref().filter(|_| step.reason.is_some());
    let reason = failed.map(|failure| format!("the hook failed: {failure}")).or_else(|| step.reason.clone());
    let reason = reason.map(|reason| format!(": {}", one_line(&reason, SHOWN)));
    let reason = reason.unwrap_or_default();
    match outcome.hook(step) {
        // The engine itself.
        "checkrein" => format!("Checkrein {verb}{reason}"),
        hook => format!("Checkrein: hook `{hook}` {verb}{reason}"),
    }
}

/// Returns the text that replaces a withheld result.
pub(crate) fn withheld(outcome: &Outcome) -> String {
    format!("[output withheld]\n{}", reason(outcome))
}

/// Returns that text for a host whose answer has a field for the id.
pub(crate) fn withheld_without_id(outcome: &Outcome) -> String {
    format!("[output withheld]\n{}", cut(&outcome.reason(), REASON))
}
