//! The guard's texts for the model and the user.
//!
//! The model is told in one short line what to do instead, and why: agents show their users about 200 characters of it. The user is
//! told in a sentence of their own what was stopped and how to allow it. Commands, paths and names are the model's own words, or
//! those of a file that it read: they are shown as text that does nothing, and not endless.

use crate::{
    PROJECT_FILE,
    approval::{AskSupport, Attempt},
    config::rule::is_of_a_project,
};
use checkrein_core::{Decision, ToolCall, ToolKind, sanitize::one_line as short};
use checkrein_guard::{Environment, Filling, Finding, Judgement, Rule, ToolCommand};
use checkrein_undo::NotKept;
use std::borrow::Cow;

/// The longest text for a model, in characters: what agents show of it.
pub(super) const LONGEST: usize = 180;
/// The maximum lengths of a configured rule's id, of a tool's name and of a reason that are shown.
const ID: usize = 30;
const TOOL: usize = 40;
const REASON: usize = 110;
/// Maximum number of expired exceptions that are named.
const MOST: usize = 3;

/// The line for a call that takes nothing away after all.
pub(super) const NOTHING_LOST: &str = "Checkrein kept nothing, because nothing would be lost";

/// The line for a question that would not be asked if the store had taken the files.
pub(super) fn not_kept(why: &NotKept) -> String {
    let hint = match why {
        NotKept::Full => "; `megabytes` in `[undo]` makes it larger",
        _ => "",
    };
    format!("Checkrein kept nothing: {why}{hint}")
}

/// The reason for an allow.
pub(super) const ALLOWED: &str = "every command and effect is allowed by configuration";

/// A call that the guard objects to, and what is known of it.
pub(super) struct Objection<'a> {
    pub(super) judgement: &'a Judgement,
    /// Commands that pass in place of the call, and why.
    pub(super) rewrites: &'a [String],
    pub(super) call: Option<&'a ToolCall>,
    pub(super) cwd: Option<&'a str>,
    pub(super) attempt: &'a Attempt,
    /// The host's handling of a question.
    pub(super) questions: AskSupport,
    /// Returns true if the guard does not object to a command.
    pub(super) passes: &'a dyn Fn(&str) -> bool,
}

impl Objection<'_> {
    /// Returns the suggestion, the reason and the rule, in one line that names Checkrein.
    pub(super) fn for_model(&self) -> String {
        let Some(finding) = self.strictest().next() else { return String::new() };
        let id = id(&finding.rule);
        let verdict = format!("{}Checkrein denied this", self.production(finding));
        if self.attempt.again {
            return format!(
                "{verdict} again, for the same reason [{id}]. Rephrasing does not help: take a different approach or ask the user."
            );
        }
        let needs = match (self.judgement.decision, self.questions) {
            (Decision::Ask, AskSupport::Denied) => ", as this agent cannot ask the user",
            (Decision::Ask, AskSupport::Unattended) => ", as no user is there to ask",
            _ => "",
        };
        let plain = short(&finding.rule.reason, REASON);
        let reason = capital(&plain);
        let target = self.filling(finding).target().map(|target| format!(" ({target})")).unwrap_or_default();
        let allow = match &self.attempt.code {
            Some(_) => " The user can allow it.",
            None => "",
        };
        let filled = self.filling(finding).suggestions(finding, self.passes);
        let suggestions: Vec<&String> = self.rewrites.iter().chain(&filled).collect();
        let fits = |text: &String| text.chars().count() <= LONGEST;
        // The suggestion comes first, so that it survives where there is not enough room.
        let full = suggestions.iter().flat_map(|suggestion| {
            let instead = format!("{verdict}{needs}. Instead: {suggestion}.");
            [
                format!("{instead} {reason}{target} [{id}].{allow}"),
                format!("{instead} {reason}{target} [{id}]."),
                format!("{instead} {reason} [{id}]."),
                format!("{verdict}. Instead: {suggestion}. {reason} [{id}]."),
                format!("{verdict} [{id}]. Instead: {suggestion}.{allow}"),
                format!("{verdict} [{id}]. Instead: {suggestion}."),
            ]
        });
        let bare = [
            format!("{verdict}{needs}: {plain}{target} [{id}].{allow}"),
            format!("{verdict}{needs}: {plain} [{id}]."),
            format!("{verdict}: {plain} [{id}]."),
        ];
        full.chain(bare).find(fits).unwrap_or_else(|| short(&format!("{verdict} [{id}]. {reason}"), LONGEST))
    }

    /// Returns what was stopped and how to allow it, for the user.
    pub(super) fn blocked(&self) -> String {
        let because = match (self.judgement.decision, self.questions) {
            (Decision::Ask, AskSupport::Denied) => ", as this agent cannot ask you",
            (Decision::Ask, AskSupport::Unattended) => ", as no user is at the terminal",
            _ => "",
        };
        let mut text = self.sentence("blocked", because);
        if let Some(code) = &self.attempt.code {
            text.push_str(&format!(" Allow it once: checkrein allow {code}"));
        }
        self.remarks(&mut text);
        text
    }

    /// Returns the question to the user, and how not to be asked again.
    pub(super) fn asked(&self) -> String {
        let mut text = self.sentence("asks before", "");
        if let Some(code) = &self.attempt.code {
            text.push_str(&format!(" Stop asking in this session: checkrein allow {code} --session"));
        }
        self.remarks(&mut text);
        text
    }

    fn sentence(&self, verb: &str, because: &str) -> String {
        let Some(finding) = self.strictest().next() else { return String::new() };
        let more = match self.strictest().count() {
            0 | 1 => String::new(),
            number => format!(" and {} more", number - 1),
        };
        let tool = self.foreign_tool().map(|tool| format!(" by {}", short(tool, TOOL))).unwrap_or_default();
        format!(
            "{}Checkrein {verb} {}{tool}{because} ({}{more}).",
            self.production(finding),
            self.what(finding),
            id(&finding.rule),
        )
    }

    /// Describes the call. A configured rule has no phrase, so its own words are used.
    fn what(&self, finding: &Finding) -> String {
        let rule = &finding.rule;
        self.filling(finding).phrase(finding).unwrap_or_else(|| {
            let said = if rule.summary.is_empty() { &rule.reason } else { &rule.summary };
            let target = self.filling(finding).target().map(|target| format!(" ({target})"));
            let said = short(said.trim_end_matches('.'), REASON);
            format!("this call: {said}{}", target.unwrap_or_default())
        })
    }

    /// A tool that is neither a shell nor a file tool, whose name says more than what the guard makes of it.
    fn foreign_tool(&self) -> Option<&str> {
        let call = self.call.filter(|call| ToolCommand::of(call).is_none())?;
        matches!(call.kind, ToolKind::Other).then_some(call.name.as_str())
    }

    fn filling(&self, finding: &Finding) -> Filling<'_> {
        let commands = matches!(
            self.call.map(ToolCommand::of),
            None | Some(Some(ToolCommand::Shell(_) | ToolCommand::Arguments(_)))
        );
        Filling::of(self.judgement, finding, self.cwd, commands)
    }

    fn production(&self, finding: &Finding) -> &'static str {
        let effect = self.judgement.effects.get(finding.effect);
        if effect.is_some_and(|effect| effect.environment.has(Environment::Production)) {
            "PRODUCTION: "
        } else {
            ""
        }
    }

    fn strictest(&self) -> impl Iterator<Item = &Finding> {
        let decision = self.judgement.decision;
        self.judgement.findings.iter().filter(move |finding| finding.rule.decision == decision)
    }

    /// Adds remarks that only the user can act on.
    fn remarks(&self, text: &mut String) {
        if let Some(project) = self.strictest().find(|finding| is_of_a_project(&finding.rule)) {
            // A project's author may have written the rule against the user, who must be told how to override it.
            text.push_str(&format!(
                "\nThe objection comes from the project's file `{PROJECT_FILE}`. `checkrein explain` shows the rule; `[[exception]]` with `rules = \"{}\"` in your own configuration suppresses it.",
                id(&project.rule)
            ));
        }
        for expired in self.judgement.expired.iter().take(MOST) {
            if let Some(until) = expired.by.until {
                text.push_str(&format!("\nAn exception to {} ended on {until}.", id(&expired.finding.rule)));
            }
        }
    }
}

/// A text with a capital letter at its beginning.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The id of a rule. A project's is cut: it is a name, and no text.
fn id(rule: &Rule) -> Cow<'_, str> {
    match is_of_a_project(rule) && rule.id.chars().nth(ID).is_some() {
        // A star, so that what is left can be written into an exception.
        true => rule.id.chars().take(ID).chain(['*']).collect::<String>().into(),
        false => rule.id.as_ref().into(),
    }
}

/// Returns the notice that the user allowed it.
pub(super) fn allowed(judgement: &Judgement) -> String {
    let rules: Vec<Cow<'_, str>> = judgement.findings.iter().map(|finding| id(&finding.rule)).collect();
    format!("Checkrein let this pass, because you allowed it ({}).", rules.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkrein_guard::{Action, CallContext, EmptyWorld, judge, judge_file};

    const CWD: &str = "/home/dev/shop";

    fn place() -> CallContext {
        CallContext { cwd: Some(CWD.into()), project: None, ..CallContext::default() }
    }

    fn said(judgement: &Judgement, attempt: &Attempt, questions: AskSupport) -> (String, String) {
        let passes =
            |text: &str| judge(text, &place(), &EmptyWorld::new("/home/dev")).decision == Decision::Abstain;
        let objection = Objection {
            judgement,
            rewrites: &[],
            call: None,
            cwd: Some(CWD),
            attempt,
            questions,
            passes: &passes,
        };
        let user = match (judgement.decision, questions) {
            (Decision::Ask, AskSupport::Asked) => objection.asked(),
            _ => objection.blocked(),
        };
        (objection.for_model(), user)
    }

    /// Text that a model wrote reaches terminals and models as plain text.
    #[test]
    fn nothing_of_the_call_is_obeyed() {
        let world = EmptyWorld::new("/home/dev");
        let path =
            judge_file(Action::Read, "/home/dev/\u{1b}[2J\u{202e}\u{e0041}/.env", None, &place(), &world);
        let command = judge("rm -rf ~ '\u{9b}1m\u{ad}'", &place(), &world);
        for judgement in [path, command] {
            assert_ne!(judgement.decision, Decision::Abstain);
            let (model, user) = said(&judgement, &Attempt::default(), AskSupport::Asked);
            for text in [model, user] {
                assert!(!text.contains(checkrein_core::sanitize::is_hidden), "{text:?}");
            }
        }
    }

    #[test]
    fn a_long_target_is_not_endless() {
        let path = format!("/home/dev/{}/.env", "x".repeat(10_000));
        let judgement = judge_file(Action::Read, &path, None, &place(), &EmptyWorld::new("/home/dev"));
        let (model, user) = said(&judgement, &Attempt::default(), AskSupport::Denied);
        assert!(model.chars().count() <= LONGEST && user.chars().count() <= LONGEST, "{model} {user}");
    }

    /// Every rule's own examples: one line, short, who says it, what to do first, and by which rule.
    #[test]
    fn every_rule_is_told_in_one_short_line() {
        for rule in checkrein_guard::rules() {
            for example in rule.matches.iter() {
                let judgement = judge(example, &place(), &EmptyWorld::new("/home/dev"));
                let Some(finding) = judgement.findings.first() else { continue };
                let id = finding.rule.id.as_ref();
                for attempt in [
                    Attempt::default(),
                    Attempt { code: "k7f2-9qmd".parse().ok(), ..Attempt::default() },
                    Attempt { again: true, ..Attempt::default() },
                ] {
                    let (model, user) = said(&judgement, &attempt, AskSupport::Denied);
                    assert!(model.chars().count() <= LONGEST, "{id}: {model}");
                    assert!(
                        !model.contains('\n') && model.contains("Checkrein") && model.contains(id),
                        "{model}"
                    );
                    assert!(attempt.again || model.contains("Instead: "), "{id}: {model}");
                    assert!(!model.contains("checkrein allow"), "the model is told no command: {model}");
                    assert!(
                        user.starts_with("Checkrein blocked ") || user.starts_with("PRODUCTION: "),
                        "{user}"
                    );
                    assert!(!user.contains('\n') && user.contains(id), "{user}");
                }
            }
        }
    }

    #[test]
    fn the_sentences() {
        let code = Attempt { code: "286g-c3v9".parse().ok(), ..Attempt::default() };
        for (command, questions, model, user) in [
            (
                "git push --force origin feature/x",
                AskSupport::Asked,
                "Checkrein denied this. Instead: `git push --force-with-lease origin feature/x` stops if others pushed. \
                 A force push drops commits that others have pushed [git.force-push].",
                "Checkrein blocked a force push to feature/x (git.force-push). Allow it once: checkrein allow 286g-c3v9",
            ),
            (
                "cat .env",
                AskSupport::Denied,
                "",
                "Checkrein blocked reading a file with secrets: .env, as this agent cannot ask you (secrets.read-secret). \
                 Allow it once: checkrein allow 286g-c3v9",
            ),
            (
                "cat .env",
                AskSupport::Asked,
                "",
                "Checkrein asks before reading a file with secrets: .env (secrets.read-secret). Stop asking in this session: \
                 checkrein allow 286g-c3v9 --session",
            ),
            (
                "kubectl delete ns production",
                AskSupport::Asked,
                "",
                "PRODUCTION: Checkrein blocked destroying something in production: production (resources.destroy-production \
                 and 1 more). Allow it once: checkrein allow 286g-c3v9",
            ),
        ] {
            let judgement = judge(command, &place(), &EmptyWorld::new("/home/dev"));
            let (for_model, for_user) = said(&judgement, &code, questions);
            assert!(model.is_empty() || for_model == model, "{for_model}");
            assert_eq!(for_user, user);
        }
    }
}
