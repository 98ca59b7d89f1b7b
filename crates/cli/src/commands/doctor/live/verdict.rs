//! One line about an agent: whether it is protected here, and if not, why.

use crate::commands::doctor::{Report, Severity};
use checkrein::variable;
use checkrein_live::{Ability, Proof, Seen};

/// Whether an agent is protected on this machine.
pub(super) enum Verdict {
    Protected,
    /// It is not, because of this.
    NotProtected(String),
}

impl Verdict {
    /// What follows from what is seen without a start (of the agent first, then of ourselves) and from what the agent did.
    /// What is written down somewhere explains more than that a call ran, so it comes first.
    pub(super) fn of(setups: &[&Report], proof: &Proof) -> Self {
        let problems = setups.iter().flat_map(|setup| &setup.findings);
        let mut problems = problems.filter(|finding| finding.severity == Severity::Problem);
        let cause = problems.next().map(|problem| problem.text.clone()).or_else(|| under_own_settings(proof));
        let cause = cause.or_else(|| elsewhere(proof));
        cause.map_or(Self::Protected, |cause| Self::NotProtected(from_home(&cause)))
    }

    pub(super) fn is_protected(&self) -> bool {
        match self {
            Self::Protected => true,
            Self::NotProtected(_) => false,
        }
    }

    /// In words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Protected => "protected".to_owned(),
            Self::NotProtected(cause) => format!("NOT protected: {cause}"),
        }
    }
}

/// What went wrong with the call under the user's own settings.
fn under_own_settings(proof: &Proof) -> Option<String> {
    let found = proof.findings.iter().find(|finding| finding.ability == Ability::Own);
    let why = match found.map(|found| found.seen) {
        Some(Seen::Held) => return None,
        Some(Seen::Broken) if found.is_some_and(|found| found.words.contains("not the guard")) => {
            "the canary did not run with a copy of your settings, but the guard is not what stopped it"
        }
        Some(Seen::Broken | Seen::Open) => {
            "the canary ran with a copy of your settings, although no problem is visible in them"
        }
        Some(Seen::NotReached) => "the agent exited before the canary, with a copy of your settings",
        None => {
            let failed = proof.failures.iter().find(|failure| failure.starts_with(Ability::Own.as_str()));
            return Some(failed.map_or_else(
                || "your own settings could not be tested".to_owned(),
                |failure| format!("your own settings could not be tested: {failure}"),
            ));
        }
    };
    Some(why.to_owned())
}

/// What else this agent does not do.
fn elsewhere(proof: &Proof) -> Option<String> {
    let broken = proof.findings.iter().find(|finding| !finding.seen.is_fine());
    let broken = broken.map(|finding| format!("{}: {}", finding.ability.title(), finding.words));
    broken.or_else(|| {
        proof.failures.first().map(|failure| format!("not everything could be tested: {failure}"))
    })
}

/// A text in which the user's home is `~`.
fn from_home(text: &str) -> String {
    let home = variable("HOME").map(|home| home.to_string_lossy().into_owned()).unwrap_or_default();
    if home.len() > 1 { text.replace(&format!("{home}/"), "~/") } else { text.to_owned() }
}
