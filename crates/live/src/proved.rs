//! The behaviour of the real agents, as the suite saw it last: the data behind `checkrein coverage` and the tables of the pages.
//!
//! `proved.json` is written by `cargo xtask agents --update` and compared with the agents by `cargo xtask agents`.

use crate::{Ability, Finding, Proof, finding::Shown};
use checkrein_core::EventName;
use serde_json::{Value, json};
use std::fmt::Write as _;

const DATA: &str = include_str!("../proved.json");

/// The findings about one agent, without the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The name of the host.
    pub host: String,
    /// The version that was tried.
    pub version: String,
    /// The findings, in the order of [`Ability::ALL`].
    pub findings: Vec<Finding>,
}

impl Proved {
    /// Returns the finding about an ability.
    #[must_use]
    pub fn finding(&self, ability: Ability) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.ability == ability)
    }

    /// Returns true if the agent was seen to do this on an event.
    #[must_use]
    pub fn shows(&self, event: EventName, shown: Shown) -> bool {
        let is_about = |finding: &&Finding| finding.ability.shows() == Some((event, shown));
        self.findings.iter().find(is_about).is_some_and(Finding::is_shown)
    }
}

impl From<&Proof> for Proved {
    fn from(proof: &Proof) -> Self {
        let findings =
            proof.findings.iter().map(|finding| Finding { evidence: Vec::new(), ..finding.clone() });
        Self {
            host: proof.agent.name().to_owned(),
            version: proof.version.clone(),
            findings: findings.collect(),
        }
    }
}

/// Returns what was proved, in the order of [`ALL`](crate::ALL). Text that cannot be read proves nothing.
#[must_use]
pub fn proved() -> Vec<Proved> {
    read(DATA).unwrap_or_default()
}

fn read(text: &str) -> Option<Vec<Proved>> {
    let list: Value = serde_json::from_str(text).ok()?;
    list.as_array()?.iter().map(one).collect()
}

fn one(value: &Value) -> Option<Proved> {
    let text = |key: &str| value.get(key)?.as_str().map(str::to_owned);
    let findings = value.get("findings")?.as_array()?.iter();
    Some(Proved {
        host: text("host")?,
        version: text("version")?,
        findings: findings.map(Finding::from_json).collect::<Option<_>>()?,
    })
}

/// Returns the text of `proved.json`, a finding per line.
#[must_use]
pub fn written(all: &[Proved]) -> String {
    let agents = all.iter().map(|agent| {
        let findings = agent.findings.iter().map(|Finding { ability, seen, words, .. }| {
            let line = json!({"ability": ability.as_str(), "seen": seen.as_str(), "words": words});
            format!("    {line}")
        });
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "  {{\"host\":{},\"version\":{},\"findings\":[\n{}\n  ]}}",
            Value::from(agent.host.as_str()),
            Value::from(agent.version.as_str()),
            findings.collect::<Vec<_>>().join(",\n")
        );
        text
    });
    format!("[\n{}\n]\n", agents.collect::<Vec<_>>().join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ALL, Seen};

    #[test]
    fn the_data_is_readable_and_has_every_agent() {
        let all = read(DATA).unwrap();
        let hosts: Vec<&str> = all.iter().map(|agent| agent.host.as_str()).collect();
        assert_eq!(hosts, ALL.iter().map(|agent| agent.name()).collect::<Vec<_>>());
        assert_eq!(written(&all), DATA, "run `cargo xtask agents --update`");
        for agent in &all {
            assert!(agent.findings.is_sorted_by_key(|finding| finding.ability), "{}", agent.host);
            assert!(agent.findings.iter().all(|finding| finding.seen.is_fine()), "{}", agent.host);
        }
    }

    /// An agent that blocks a call because it cannot rewrite it is safe, but has not shown a rewrite.
    #[test]
    fn what_was_replaced_by_a_denial_is_not_shown() {
        let all = proved();
        let agent = |host: &str| all.iter().find(|agent| agent.host == host).unwrap();
        assert!(agent("claude").shows(EventName::PreToolUse, Shown::Edit));
        assert!(!agent("qwen").shows(EventName::PreToolUse, Shown::Edit));
        assert!(agent("qwen").shows(EventName::PreToolUse, Shown::Deny));
        assert!(!agent("gemini").shows(EventName::PreToolUse, Shown::Context));
        let open = agent("codex").finding(Ability::ProgramKilled).unwrap();
        assert_eq!(open.seen, Seen::Open);
    }
}
