//! The verdicts of `doctor`: a line per agent at the start, and one for the machine at the end.
//!
//! Files show only the setup, so the words claim no more; `doctor --live` shows what an agent really does.

use super::{GREEN, Report, colour};
use crate::term::{out, style, wrap::fitted};
use checkrein_hosts::doctor::{Finding, Severity};

/// The verdict on an agent.
pub(super) enum Verdict<'a> {
    /// No problem is visible.
    SetUp,
    /// No problem is visible, but monitor mode is on, which the text describes.
    Monitored(&'a str),
    /// It calls us, but not as it should.
    Partly(&'a str),
    /// Calls may go unchecked.
    Open(&'a str),
}

/// The finding that monitor mode is on.
pub(super) const MONITOR: &str = "monitor";

/// Problems that do not leave calls unchecked: they concern hooks of the user's own, or have everything denied.
const PARTLY: [&str; 2] = ["configured-not-asked", "configuration-broken"];

impl<'a> Verdict<'a> {
    /// Returns the verdict on an agent, by the problems of its own and by ours.
    pub(super) fn of(agent: &'a Report, ours: &'a Report) -> Self {
        let problems = agent.findings.iter().chain(&ours.findings);
        let problems: Vec<&Finding> =
            problems.filter(|finding| finding.severity == Severity::Problem).collect();
        // A list at the end is for the details below.
        let short = |finding: &&'a Finding| finding.text.split(": `").next().unwrap_or_default();
        let open = problems.iter().find(|problem| !PARTLY.contains(&problem.id)).map(short);
        let partly = problems.first().map(short);
        let monitored =
            ours.findings.iter().find(|finding| finding.id == MONITOR).map(|finding| finding.text.as_str());
        open.map(Self::Open)
            .or_else(|| partly.map(Self::Partly))
            .or_else(|| monitored.map(Self::Monitored))
            .unwrap_or(Self::SetUp)
    }

    /// Returns the verdict as text.
    pub(super) fn words(&self, name: &str) -> String {
        match self {
            Self::SetUp => format!("{name}: set up"),
            Self::Monitored(mode) => format!("{name}: set up. {mode}"),
            Self::Partly(cause) => format!("{name}: set up, with a problem: {}", after_name(name, cause)),
            Self::Open(cause) => format!("{name}: NOT protected: {}", after_name(name, cause)),
        }
    }

    pub(super) const fn is_open(&self) -> bool {
        matches!(self, Self::Open(_))
    }
}

/// Returns a cause as it follows the name of the agent: it does not start with the name again.
pub(super) fn after_name(name: &str, cause: &str) -> String {
    let again = cause.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
    again.map_or_else(|| cause.to_owned(), |rest| format!("it {rest}"))
}

/// Prints the verdict on an agent.
pub(super) fn show(agent: &Report, ours: &Report) {
    let verdict = Verdict::of(agent, ours);
    let colour = match verdict {
        Verdict::SetUp => GREEN,
        Verdict::Partly(_) | Verdict::Monitored(_) => colour(Severity::Warning),
        Verdict::Open(_) => colour(Severity::Problem),
    };
    let lines = fitted(&style::harmless(&verdict.words(&agent.name)), 0).join("\n");
    out!("{colour}{lines}\x1b[0m");
}

/// Returns the verdict on the machine.
pub(super) fn of_all(ours: &Report, agents: &[Report]) -> String {
    let names = |is: &dyn Fn(&Verdict<'_>) -> bool| -> Vec<&str> {
        agents.iter().filter(|agent| is(&Verdict::of(agent, ours))).map(|agent| agent.name.as_str()).collect()
    };
    let (open, partly) =
        (names(&|verdict| verdict.is_open()), names(&|verdict| matches!(verdict, Verdict::Partly(_))));
    let monitored = names(&|verdict| matches!(verdict, Verdict::Monitored(_)));
    match (agents.len(), open.as_slice(), partly.as_slice()) {
        (_, [], []) if !monitored.is_empty() => {
            format!("Set up, with monitor mode on: {}.", monitored.join(", "))
        }
        (0, ..) => "No supported agent found: nothing is protected.".to_owned(),
        (_, [], []) => {
            let all = names(&|_| true).join(", ");
            format!("Everything is set up: {all}. To see a denial obeyed, run `checkrein doctor --live`.")
        }
        (_, [], partly) => format!("Set up, with problems: {}.", partly.join(", ")),
        (all, open, _) if open.len() == all => format!("Nothing is protected: {}.", open.join(", ")),
        (_, open, _) => format!("NOT protected: {}.", open.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn monitor_mode_is_part_of_the_verdict() {
        let report = |name: &str, findings| Report {
            name: name.to_owned(),
            title: name.to_owned(),
            fields: serde_json::Value::Null,
            facts: Vec::new(),
            findings,
        };
        let mode = "Monitor mode until 2026-12-03 (user): nothing is blocked, only recorded.";
        let (ours, agents) =
            (report("checkrein", vec![Finding::warning(MONITOR, mode, "")]), [report("Codex", Vec::new())]);
        assert_eq!(Verdict::of(&agents[0], &ours).words("Codex"), format!("Codex: set up. {mode}"));
        assert_eq!(of_all(&ours, &agents), "Set up, with monitor mode on: Codex.");
        let broken = [report("Codex", vec![Finding::problem("not-trusted", "hooks are off", "")])];
        assert_eq!(of_all(&ours, &broken), "Nothing is protected: Codex.");
    }

    #[test]
    fn a_name_is_not_said_twice() {
        let open = |cause| Verdict::Open(cause).words("Codex");
        assert_eq!(open("Codex does not start"), "Codex: NOT protected: it does not start");
        assert_eq!(open("Codexes differ"), "Codex: NOT protected: Codexes differ");
        assert_eq!(open("hooks are off"), "Codex: NOT protected: hooks are off");
    }
}
