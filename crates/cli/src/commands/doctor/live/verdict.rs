//! The verdict on an agent in one line: whether it is protected here, and if not, why.

use crate::commands::doctor::{Report, Severity, verdict::after_name};
use checkrein::variable;
use checkrein_live::{Ability, NOT_BY_THE_GUARD, Proof, Seen};

/// The verdict on an agent on this machine.
pub(super) enum Verdict {
    Protected,
    /// It is not protected, for this reason.
    NotProtected(String),
}

impl Verdict {
    /// Combines the static reports (of the agent first, then of ourselves) with the agent's behaviour. A
    /// finding in a file explains more than the fact that a call ran, so it comes first.
    pub(super) fn of(setups: &[&Report], proof: &Proof) -> Self {
        let problems = setups.iter().flat_map(|setup| &setup.findings);
        let mut problems = problems.filter(|finding| finding.severity == Severity::Problem);
        let cause = problems.next().map(|problem| problem.text.clone()).or_else(|| under_own_settings(proof));
        let cause = cause.or_else(|| elsewhere(proof));
        let name = setups.first().map_or("", |setup| setup.name.as_str());
        cause.map_or(Self::Protected, |cause| Self::NotProtected(from_home(&after_name(name, &cause))))
    }

    pub(super) fn is_protected(&self) -> bool {
        match self {
            Self::Protected => true,
            Self::NotProtected(_) => false,
        }
    }

    /// Returns the verdict as text.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Protected => "protected".to_owned(),
            Self::NotProtected(cause) => format!("NOT protected: {cause}"),
        }
    }
}

/// Returns what went wrong with the call under the user's own settings.
fn under_own_settings(proof: &Proof) -> Option<String> {
    let found = proof.findings.iter().find(|finding| finding.ability == Ability::Own);
    let why = match found.map(|found| found.seen) {
        Some(Seen::Held) => return None,
        Some(Seen::Broken) if found.is_some_and(|found| found.words == NOT_BY_THE_GUARD) => {
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

/// Returns what else this agent fails to do.
fn elsewhere(proof: &Proof) -> Option<String> {
    let broken = proof.findings.iter().find(|finding| !finding.seen.is_fine());
    let broken = broken.map(|finding| format!("{}: {}", finding.ability.title(), finding.words));
    broken.or_else(|| {
        proof.failures.first().map(|failure| format!("not everything could be tested: {failure}"))
    })
}

/// Returns a text in which the user's home is `~`.
fn from_home(text: &str) -> String {
    let home = variable("HOME").map(|home| home.to_string_lossy().into_owned()).unwrap_or_default();
    if home.len() > 1 { text.replace(&format!("{home}/"), "~/") } else { text.to_owned() }
}
