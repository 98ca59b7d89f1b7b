//! Shows a proof to a user, and as JSON. Evidence comes from outside, so everything is escaped for the
//! terminal.

use super::{Tried, Verdict};
use crate::{
    commands::doctor::as_json,
    term::{out, style},
};
use checkrein_live::{Ability, Finding, Proof, Seen};
use serde_json::{Value, json};

pub(super) fn json(tried: &Tried<'_>) -> Value {
    let Tried { subject, setup, proof, verdict } = tried;
    let setup = as_json(setup);
    json!({
        "agent": proof.agent.name(),
        "protected": verdict.is_protected(),
        "verdict": format!("{}: {}", proof.agent.title(), style::harmless(&verdict.words())),
        "version": style::harmless(&proof.version),
        "program": subject.program.to_string_lossy(),
        "setup": {"facts": setup.get("facts"), "findings": setup.get("findings")},
        "findings": proof.findings.iter().map(finding).collect::<Value>(),
        "failures": proof.failures.iter().map(|failure| style::harmless(failure)).collect::<Vec<_>>(),
    })
}

fn finding(finding: &Finding) -> Value {
    let mut fields = finding.json();
    if let (Some(fields), Some(advice)) = (fields.as_object_mut(), advice(finding)) {
        fields.insert("fix".into(), advice.into());
    }
    for field in fields.as_object_mut().into_iter().flat_map(|fields| fields.values_mut()) {
        if let Value::String(text) = field {
            *text = style::harmless(text);
        }
    }
    fields
}

/// Prints the verdict line.
pub(super) fn verdict(tried: &Tried<'_>) {
    let colour = match tried.verdict {
        Verdict::Protected => "\x1b[32m",
        Verdict::NotProtected(_) => "\x1b[31m",
    };
    let words = style::harmless(&tried.verdict.words());
    out!("{}: {colour}{words}\x1b[0m", tried.proof.agent.title());
}

/// Prints the observed behaviour of this version of the agent.
pub(super) fn rows(tried: &Tried<'_>) {
    let Proof { agent, version, findings, failures } = tried.proof;
    out!("{} {}, as observed", agent.title(), style::harmless(version));
    for finding in findings {
        let (colour, word) = match finding.seen {
            Seen::Held => ("\x1b[32m", "held"),
            Seen::Open => ("\x1b[33m", "open"),
            Seen::Broken => ("\x1b[31m", "broken"),
            Seen::NotReached => ("\x1b[31m", "not reached"),
        };
        out!(
            "  {colour}{word}\x1b[0m: {}: {} [{}]",
            finding.ability.title(),
            style::harmless(&finding.words),
            finding.ability.as_str()
        );
        for line in &finding.evidence {
            out!("    {}", style::dim(&style::harmless(line)));
        }
        if let Some(advice) = advice(finding) {
            out!("    {advice}");
        }
    }
    for failure in failures {
        out!("  \x1b[31mnot tested\x1b[0m: {}", style::lines(failure));
    }
    out!();
}

/// Returns advice about a finding.
fn advice(finding: &Finding) -> Option<&'static str> {
    match (finding.seen, finding.ability) {
        (Seen::Held, _) => None,
        (Seen::Open, Ability::Untrusted) => {
            Some("start the agent, review its hooks with `/hooks`, and trust those of checkrein")
        }
        (Seen::Open, _) => Some(
            "this agent has no fail-closed option: keep the program where it was registered, and run `checkrein doctor` to \
             verify that",
        ),
        (Seen::Broken | Seen::NotReached, Ability::Own) => {
            Some("the first line has the cause: fix it, and run `checkrein doctor --live` again")
        }
        (Seen::Broken, _) => Some(
            "this agent does not honor answers: do not rely on checkrein with it, and report its version",
        ),
        (Seen::NotReached, _) => Some("the agent did not work offline: see the evidence"),
    }
}
