//! Combines judgements: of several files, and of calls that are not understood.

use crate::{Action, Actions, Certainties, Certainty, Effect, Finding, Judgement, Loss, Rule, Target};
use checkrein_core::Decision;
use checkrein_core::SmallSort as _;

/// The pack of the rules that are defined here and in no file.
const PACK: &str = "call";

/// The rule about a file with commands that would be denied.
pub(super) const SCRIPT: &str = "call.script";

/// Returns the file that defines a rule, from the root of the repository. The rules about calls that cannot be understood are
/// in none.
pub fn rule_file(rule: &Rule) -> Option<String> {
    let pack = rule.id.split('.').next().unwrap_or_default();
    (pack != PACK).then(|| format!("crates/guard/rules/{pack}.toml"))
}

/// Adds the judgement of another part of the same call.
pub(crate) fn add(all: &mut Judgement, more: Judgement) {
    let (effects, ran) = (all.effects.len(), all.ran.len());
    all.effects.extend(more.effects.into_iter().map(|effect| Effect { by: effect.by + ran, ..effect }));
    all.opaque.extend(more.opaque);
    // Parts that each run something may change what the other one finds.
    let exact = all.ran.is_empty() || more.ran.is_empty();
    all.losses.extend(more.losses.into_iter().map(|loss| Loss {
        effect: loss.effect + effects,
        exact: loss.exact && exact,
        ..loss
    }));
    all.ran.extend(more.ran);
    all.scripts.extend(more.scripts);
    for finding in more.findings {
        if all.findings.iter().all(|known| known.rule.id != finding.rule.id) {
            all.findings.push(Finding { effect: finding.effect + effects, ..finding });
        }
    }
    all.findings.small_sort_by_key(|finding| std::cmp::Reverse(finding.rule.decision));
    all.decision = all.decision.max(more.decision);
}

/// A call of a shell tool that does not say what runs.
pub(super) fn no_command(why: &str) -> Judgement {
    refused(Refusal {
        id: "call.no-command",
        decision: Decision::Deny,
        reason: format!("cannot determine what this call runs: {why}"),
        summary: "A shell call does not say what it runs.",
        phrase: "a shell call that does not say what it runs",
        suggestion: "give the tool one command, as a text in `command`",
    })
}

/// A call of a file tool whose file is not a path.
pub(super) fn no_path(why: &str) -> Judgement {
    refused(Refusal {
        id: "call.no-path",
        decision: Decision::Deny,
        reason: format!("cannot determine which file this call is about: {why}"),
        summary: "A file call does not name its file.",
        phrase: "a file call that does not name its file",
        suggestion: "give the tool one path, as a text in `file_path`",
    })
}

/// A call of a file tool that does not name its file in a way that is known here.
pub(super) fn unknown_path(why: &str) -> Judgement {
    refused(Refusal {
        id: "call.unknown-path",
        decision: Decision::Ask,
        reason: format!("cannot find the file that this call is about: {why}"),
        summary: "The guard cannot find the file of the call.",
        phrase: "a file call whose file it cannot find",
        suggestion: "name the file in `file_path`",
    })
}

/// A file with commands that would be denied by this rule if they were run.
pub(super) fn script(rule: &Rule) -> Judgement {
    refused(Refusal {
        id: SCRIPT,
        decision: Decision::Ask,
        reason: format!("the file has a command that would be denied when it runs: {}", rule.reason),
        summary: "It writes a script with a command that would be denied.",
        phrase: "writing a script with a command that it would deny",
        suggestion: "leave that command out, or let the user write it",
    })
}

/// Returns the judgement of a file that is run later and cannot be read.
pub(super) fn unread_script(why: &str) -> Judgement {
    refused(Refusal {
        id: "call.unread-script",
        decision: Decision::Ask,
        reason: format!("cannot determine what this script does: {why}"),
        summary: "It writes a script that the guard cannot read.",
        phrase: "writing a script that it cannot read",
        suggestion: "write it in shorter files of plain commands",
    })
}

/// A text that decides what an agent runs or may do.
pub(super) fn decides(why: &str) -> Judgement {
    refused(Refusal {
        id: "call.agent-decides",
        decision: Decision::Ask,
        reason: format!("this changes what an agent runs by itself or may do: {why}"),
        summary: "It changes what an agent runs by itself or may do.",
        phrase: "a change of what an agent runs by itself or may do",
        suggestion: "leave hooks, servers and permissions out, or let the user write them",
    })
}

/// A call with more in it than is looked at.
pub(super) fn too_many() -> Judgement {
    refused(Refusal {
        id: "call.too-much",
        decision: Decision::Ask,
        reason: "the call has more arguments, or nests them deeper, than the guard reads".to_owned(),
        summary: "The call has more in it than the guard reads.",
        phrase: "a call with more in it than it reads",
        suggestion: "split it into several calls",
    })
}

/// Keeps only the findings for which `keeps` is true.
pub(super) fn only(mut judgement: Judgement, keeps: impl Fn(&Judgement, &Finding) -> bool) -> Judgement {
    let findings = std::mem::take(&mut judgement.findings);
    let findings: Vec<Finding> = findings.into_iter().filter(|finding| keeps(&judgement, finding)).collect();
    judgement.decision = findings.iter().map(|finding| finding.rule.decision).max().unwrap_or_default();
    judgement.findings = findings;
    judgement
}

/// The decision on a call that is not understood.
struct Refusal {
    id: &'static str,
    decision: Decision,
    reason: String,
    summary: &'static str,
    /// The phrase for the user, which follows `Checkrein blocked` or `Checkrein asks before`.
    phrase: &'static str,
    suggestion: &'static str,
}

/// As if a rule had found it, so that every door shows it like any other answer.
fn refused(refusal: Refusal) -> Judgement {
    let rule = Rule {
        certainty: Certainties::of(&[Certainty::Unreadable]),
        summary: refusal.summary.into(),
        phrase: refusal.phrase.into(),
        suggestion: refusal.suggestion.into(),
        ..Rule::new(
            refusal.id.into(),
            Actions::of(&[Action::Opaque]),
            refusal.decision,
            refusal.reason.into(),
        )
    };
    let effect = Effect {
        certainty: Certainties::of(&[Certainty::Unreadable]),
        ..Effect::new(Action::Opaque, Target::Nothing)
    };
    Judgement {
        decision: rule.decision,
        findings: vec![Finding::new(rule, 0)],
        effects: vec![effect],
        ..Judgement::default()
    }
}
