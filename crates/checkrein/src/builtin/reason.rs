//! The reasons that the guard gives to the model and to the user.
//!
//! Commands, paths and names are the model's own words, or those of a file that it read: they are shown as text that does
//! nothing, and not endless.

use crate::{PROJECT_FILE, approval::Attempt, config::rule::is_of_a_project};
use checkrein_core::{Decision, sanitize::one_line as short};
use checkrein_guard::{Finding, Judgement, Rule, Target};
use std::borrow::Cow;

/// Maximum number of findings that are named.
const MOST: usize = 3;
/// How much of a command is shown.
const COMMAND: usize = 80;
/// How much of what something is done to is shown.
const TARGET: usize = 200;

/// Why something is allowed.
pub(super) const ALLOWED: &str = "every command and effect is allowed by configuration";

/// Why, what to do instead, by which rule, and whether it helps to try again: short enough for every host.
pub(super) fn for_model(judgement: &Judgement, attempt: &Attempt) -> String {
    let strictest = judgement.decision;
    let told = judgement.findings.iter().filter(|finding| finding.rule.decision == strictest).take(MOST);
    let texts: Vec<String> = match attempt.again {
        true => told.map(|finding| again(judgement, finding)).collect(),
        false => told.map(|finding| one(judgement, finding)).collect(),
    };
    let mut text = texts.join("\n");
    let denies = |finding: &&Finding| finding.rule.decision == strictest;
    if let Some(project) =
        judgement.findings.iter().filter(denies).find(|finding| is_of_a_project(&finding.rule))
    {
        // Whoever wrote the project may have written it against the user, who must not be left without a way round.
        text.push_str(&format!(
            "\nIt is the project's file `{PROJECT_FILE}` that objects. The user can read the rule with `checkrein explain`, \
             and pass over it with `[[exception]]` and `rules = \"{}\"` in their own configuration.",
            id(&project.rule)
        ));
    }
    for expired in judgement.expired.iter().take(MOST) {
        if let Some(until) = expired.by.until {
            text.push_str(&format!("\nAn exception to {} ended on {until}.", id(&expired.finding.rule)));
        }
    }
    text.push('\n');
    text.push_str(match (strictest, attempt.again) {
        (Decision::Deny, false) => "Do not retry this in another form; it will also be denied.",
        (Decision::Deny, true) => "Retrying will not help. Take a different approach or ask the user.",
        (Decision::Ask | Decision::Allow | Decision::Abstain, _) => "The user will be asked to confirm.",
    });
    match &attempt.code {
        Some(code) if attempt.again => {
            text.push_str(&format!(" They can allow it: `checkrein allow {code}`."));
        }
        Some(code) => text.push_str(&format!(
            " Only if the user wants exactly this: they can run `checkrein allow {code}` in a terminal of their \
             own, and then you can try it once more."
        )),
        None => {}
    }
    text
}

/// The id of a rule. A project's is cut: it is a name, and no text.
fn id(rule: &Rule) -> Cow<'_, str> {
    const MOST: usize = 30;
    match is_of_a_project(rule) && rule.id.chars().nth(MOST).is_some() {
        // A star, so that what is left can be written into an exception.
        true => rule.id.chars().take(MOST).chain(['*']).collect::<String>().into(),
        false => rule.id.as_ref().into(),
    }
}

/// That a user allowed it.
pub(super) fn once(judgement: &Judgement) -> String {
    let rules: Vec<Cow<'_, str>> = judgement.findings.iter().map(|finding| id(&finding.rule)).collect();
    format!("the user allowed this once, against {}", rules.join(", "))
}

/// Returns what was said before, in short.
fn again(judgement: &Judgement, finding: &Finding) -> String {
    let target = target(judgement, finding);
    format!("Tried before in this session, and denied for the same reason{target} [{}].", id(&finding.rule))
}

/// Returns what is done to what, in brackets.
fn target(judgement: &Judgement, finding: &Finding) -> String {
    let Some(effect) = judgement.effects.get(finding.effect) else { return String::new() };
    match &effect.target {
        Target::Path(spot) => format!(" ({} {})", effect.action, short(&spot.path, TARGET)),
        Target::Host(host) if !host.name.is_empty() => {
            format!(" ({} {})", effect.action, short(&host.name, TARGET))
        }
        Target::Name(name) => format!(" ({} {})", effect.action, short(name, TARGET)),
        Target::Host(_) | Target::Nothing => String::new(),
    }
}

fn one(judgement: &Judgement, finding: &Finding) -> String {
    let effect = judgement.effects.get(finding.effect);
    let command = effect
        .and_then(|effect| judgement.ran.get(effect.by))
        .map(|ran| ran.words.join(" "))
        .filter(|command| !command.is_empty())
        .map(|command| format!("`{}`: ", short(&command, COMMAND)));
    // A rule of a configuration may propose nothing.
    let instead = Some(&finding.rule.suggestion).filter(|instead| !instead.is_empty());
    format!(
        "{}{}{} [{}].{}",
        command.unwrap_or_default(),
        finding.rule.reason,
        target(judgement, finding),
        id(&finding.rule),
        instead.map(|instead| format!(" Instead: {instead}.")).unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkrein_guard::{Action, CallContext, EmptyWorld, judge, judge_file};

    /// What a model writes reaches a terminal and a model as text.
    #[test]
    fn nothing_of_the_call_is_obeyed() {
        let world = EmptyWorld::new("/home/dev");
        let place =
            CallContext { cwd: Some("/home/dev/shop".into()), project: None, ..CallContext::default() };
        let path =
            judge_file(Action::Read, "/home/dev/\u{1b}[2J\u{202e}\u{e0041}/.env", None, &place, &world);
        let command = judge("rm -rf ~ '\u{9b}1m\u{ad}'", &place, &world);
        for judgement in [path, command] {
            assert_ne!(judgement.decision, Decision::Abstain);
            let text = for_model(&judgement, &Attempt::default());
            let acts = |char: char| char != '\n' && checkrein_core::sanitize::is_hidden(char);
            assert!(!text.contains(acts), "{text:?}");
            assert!(text.contains(r"\u{"), "{text:?}");
        }
    }

    #[test]
    fn a_long_target_is_not_endless() {
        let place =
            CallContext { cwd: Some("/home/dev/shop".into()), project: None, ..CallContext::default() };
        let path = format!("/home/dev/{}/.env", "x".repeat(10_000));
        let judgement = judge_file(Action::Read, &path, None, &place, &EmptyWorld::new("/home/dev"));
        let text = for_model(&judgement, &Attempt::default());
        assert!(text.len() < 1000 && text.contains('…'), "{text}");
    }
}
