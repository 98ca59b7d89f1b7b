//! Joins and shortens the texts for a host, because hosts truncate or reject long ones.

use checkrein_core::{Decision, HookText, Outcome, sanitize::prose};

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

/// Returns the reason of the decision, and for a denial or a question the command that shows the whole event.
pub(crate) fn reason(outcome: &Outcome) -> String {
    let mut text = cut(&outcome.reason(), REASON);
    if let (Some(id), Decision::Ask | Decision::Deny) = (outcome.payload.id, outcome.decision) {
        text.push_str(&format!("\nThe user can look it up: `checkrein why {id}`."));
    }
    text
}

/// Joins the texts with line breaks.
pub(crate) fn join(said: &[HookText<'_>]) -> String {
    said.iter().map(|said| said.text).collect::<Vec<_>>().join("\n")
}

/// Joins the texts with line breaks, each with the name of its hook.
pub(crate) fn join_named(said: &[HookText<'_>]) -> String {
    said.iter().map(|said| format!("{}: {}", said.hook, said.text)).collect::<Vec<_>>().join("\n")
}

/// Returns the text for the user: the notices, and the reasons of editors for their changes.
pub(crate) fn for_the_user(outcome: &Outcome) -> Option<String> {
    let mut lines = Vec::new();
    let notices = outcome.notices();
    if !notices.is_empty() {
        lines.push(join_named(&notices));
    }
    for step in &outcome.trail {
        if let (Some(reason), Some(_)) = (&step.reason, &step.change)
            && (step.decision != outcome.decision || step.decision == Decision::Abstain)
        {
            lines.push(format!("{}: {reason}", outcome.hook(step)));
        }
    }
    if lines.is_empty() {
        return None;
    }
    let mut text = cut(&lines.join("\n"), CONTEXT);
    if let Some(id) = outcome.payload.id {
        text.push_str(&format!("\ndetails: checkrein why {id}"));
    }
    Some(text)
}

/// Returns the text that replaces a withheld result.
pub(crate) fn withheld(outcome: &Outcome) -> String {
    format!("[output withheld]\n{}", reason(outcome))
}
