//! Texts at a host's edge: joined, and kept small, because hosts cut, spill or choke on long ones.

use checkrein_core::{Outcome, Said, sanitize::prose};

/// The most characters of a reason that a host is sent; the trail keeps the whole.
pub(crate) const REASON: usize = 4_000;
/// The most characters of context or of other texts.
pub(crate) const CONTEXT: usize = 9_900;

/// A text as a host is sent it: nothing hidden in it, and at most `most` characters, saying so where it was cut.
pub(crate) fn cut(text: &str, most: usize) -> String {
    // What an outcome says is plain already; what is refused before there is one need not be.
    let text = prose(text);
    let length = text.chars().count();
    if length <= most {
        return text.into_owned();
    }
    let head: String = text.chars().take(most).collect();
    format!("{head}… (cut, {length} characters in all)")
}

/// The texts one below the other.
pub(crate) fn join(said: &[Said<'_>]) -> String {
    said.iter().map(|said| said.text).collect::<Vec<_>>().join("\n")
}

/// The texts one below the other, each with the hook that said it.
pub(crate) fn join_named(said: &[Said<'_>]) -> String {
    said.iter().map(|said| format!("{}: {}", said.hook, said.text)).collect::<Vec<_>>().join("\n")
}

/// What the user should hear: the notices, and what an editor says about its own change.
pub(crate) fn for_the_user(outcome: &Outcome) -> Option<String> {
    let mut lines = Vec::new();
    let notices = outcome.notices();
    if !notices.is_empty() {
        lines.push(join_named(&notices));
    }
    for step in &outcome.trail {
        if let (Some(reason), Some(_)) = (&step.reason, &step.change)
            && (step.decision != outcome.decision || step.decision == checkrein_core::Decision::Abstain)
        {
            lines.push(format!("{}: {reason}", outcome.hook(step)));
        }
    }
    (!lines.is_empty()).then(|| cut(&lines.join("\n"), CONTEXT))
}

/// The text that takes the place of a withheld result.
pub(crate) fn withheld(outcome: &Outcome) -> String {
    format!("[output withheld]\n{}", cut(&outcome.reason(), REASON))
}
