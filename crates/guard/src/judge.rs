//! From a call to a verdict: the effects of what would run, and what the rules say of them.

use crate::{
    allow::NotCoverable,
    data::{RULES, rules_of},
    effect::{Effect, Invocation},
    eval::{Evaluator, Sink, judge_files},
    exception::{Authority, Suppressed, is_suppressible},
    loss::Loss,
    path::Roots,
    rule::Rule,
    tool,
    vocabulary::{Action, Certainty},
    world::World,
};
use checkrein_core::Decision;
use checkrein_core::SmallSort as _;
use checkrein_shell::{MAX_BYTES, Opaque, Word, work};

/// The place of a call, and the session that makes it.
#[derive(Clone, Debug, Default)]
pub struct CallContext {
    /// The working directory of the call.
    pub cwd: Option<String>,
    /// The project that the session works on.
    pub project: Option<String>,
    /// True if more input can be typed into what the call starts, later and without another call.
    pub typed: bool,
}

/// The guard's judgement of a call.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// The strictest of the findings.
    pub decision: Decision,
    /// The findings of the rules, strictest first.
    pub findings: Vec<Finding>,
    /// Everything that the call would do.
    pub effects: Vec<Effect>,
    /// Everything that would run.
    pub ran: Vec<Invocation>,
    /// The parts that could not be read.
    pub opaque: Vec<Opaque>,
    /// The files that it would run from the disk, as far as they were looked for.
    pub scripts: Vec<ScriptFile>,
    /// The first thing in it that no allow rule covers, whatever it is about.
    pub loose: Option<NotCoverable>,
    /// The things that it would take away.
    pub losses: Vec<Loss>,
    /// Findings that a monitor only records.
    pub monitored: Vec<Finding>,
    /// Findings that an exception suppressed.
    pub suppressed: Vec<Suppressed>,
    /// Findings that an exception would have suppressed if it had not expired.
    pub expired: Vec<Suppressed>,
}

impl Judgement {
    /// Adds the findings of further rules. They look at the effects that are already there, so they can make the
    /// answer stricter and never weaker, no matter who wrote them.
    #[must_use]
    pub fn with_rules(self, rules: &[Rule]) -> Self {
        self.with_rules_for(rules, |_| true)
    }

    /// Adds the findings of further rules about some of the effects.
    #[must_use]
    pub fn with_rules_for(mut self, rules: &[Rule], concerns: impl Fn(&Effect) -> bool) -> Self {
        for rule in rules {
            let about = |effect: &Effect| concerns(effect) && rule.is_about(effect, self.ran.get(effect.by));
            // Rules are not told apart by their ids: two directories of a project may each have one of the same name.
            // What is certain comes first: it is decided about as the rule says.
            let certain = |effect: &Effect| about(effect) && !effect.certainty.has(Certainty::Supposed);
            let found = self.effects.iter().position(certain).or_else(|| self.effects.iter().position(about));
            if let Some(place) = found
                && let Some(effect) = self.effects.get(place)
            {
                self.findings.push(Finding::new(rule_about(rule, effect), place));
            }
        }
        let decision = self.decision;
        let sorted = self.sorted();
        Self { decision: sorted.decision.max(decision), ..sorted }
    }

    /// Puts the strictest findings first, and decides as they do.
    #[must_use]
    pub(crate) fn sorted(mut self) -> Self {
        self.findings.small_sort_by_key(|finding| std::cmp::Reverse(finding.rule.decision));
        self.decision = self.findings.first().map_or(Decision::Abstain, |finding| finding.rule.decision);
        self
    }
}

/// A file that a call would run from the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptFile {
    /// Its path.
    pub path: String,
    /// The reason why it was not read, if it was not.
    pub unread: Option<String>,
}

/// A rule that is about an effect.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The effect: an index into [`Judgement::effects`].
    pub effect: usize,
    /// The authority that made the decision of the built-in rule stricter, if a configuration did.
    pub raised: Option<Authority>,
    /// The id of the rule that matched in a file that the call runs, if that is what was found.
    pub in_file: Option<String>,
}

impl Finding {
    pub(crate) const fn new(rule: Rule, effect: usize) -> Self {
        Self { rule, effect, raised: None, in_file: None }
    }
}

/// The rules that are compiled in.
pub fn rules() -> &'static [Rule] {
    RULES
}

/// Judges a text that a shell would run.
pub fn judge(text: &str, place: &CallContext, world: &dyn World) -> Judgement {
    judged(place, world, |evaluator| evaluator.start(text))
}

/// Judges a program with its arguments, which no shell looks at.
pub fn judge_argv(arguments: &[String], place: &CallContext, world: &dyn World) -> Judgement {
    // What is too long is refused before it is copied.
    let most = |argument: &str| argument.get(..=MAX_BYTES).unwrap_or(argument).to_owned();
    let words: Vec<Word> =
        arguments.iter().take(MAX_BYTES).map(|argument| Word::text(&most(argument), 0..0)).collect();
    judged(place, world, |evaluator| evaluator.start_argv(&words))
}

/// Judges a tool that reads, writes, edits or deletes a file. `content`: what it writes, if that is known.
pub fn judge_file(
    action: Action,
    path: &str,
    content: Option<&str>,
    place: &CallContext,
    world: &dyn World,
) -> Judgement {
    judged(place, world, |evaluator| evaluator.start_file(action, path, content))
}

/// Judges a tool that does something unknown to a path: that counts if the path is one of ours.
pub(crate) fn judge_handed(path: &str, place: &CallContext, world: &dyn World) -> Judgement {
    judged(place, world, |evaluator| evaluator.start_handed(path))
}

/// Judges a tool that does something to a thing which has a name and is not a file: a repository, a table, a machine.
pub(crate) fn judge_resource(effect: Effect, place: &CallContext, world: &dyn World) -> Judgement {
    judged(place, world, |evaluator| evaluator.start_resource(effect))
}

/// Follows something, and lets the rules decide. What took more work than there is for a call is too much, whatever else it
/// is.
fn judged<'w>(
    place: &CallContext,
    world: &'w dyn World,
    follow: impl FnOnce(&mut Evaluator<'w>),
) -> Judgement {
    work::one_call(|| {
        let mut evaluator = Evaluator::new(place, world);
        if !work::is_out() {
            follow(&mut evaluator);
        }
        if work::is_out() {
            evaluator.sink.push_too_much();
        }
        evaluator.mark_committed();
        let runs = std::mem::take(&mut evaluator.sink.runs);
        let written = evaluator.written_texts();
        let losses = evaluator.losses();
        let mut judgement = Judgement { losses, ..decide(evaluator.sink) };
        if judgement.decision < Decision::Ask
            && let Some(more) =
                written.iter().find_map(|(path, text)| tool::written_script(path, text, place, world))
        {
            tool::add_judgement(&mut judgement, more);
        }
        // What is denied for good needs no further reason. Every other denial may be taken away by an exception.
        let denied_for_good = judgement
            .findings
            .iter()
            .any(|finding| finding.rule.decision == Decision::Deny && !is_suppressible(&finding.rule));
        if !runs.is_empty() && !denied_for_good {
            judge_files(&mut judgement, runs, place, world);
        }
        judgement
    })
}

/// The roots of a call.
pub(crate) fn roots(place: &CallContext, world: &dyn World) -> Roots {
    let home = world.home();
    let roots = Roots::new(
        home.as_deref(),
        place.project.as_deref().or(place.cwd.as_deref()),
        world.variable("TMPDIR").as_deref(),
    );
    let roots = Roots { moved: crate::ours::moved(world, home.as_deref()), ..roots };
    roots.without_reserved_project().with_work_tree(place.cwd.as_deref(), world)
}

/// Returns the decision of a rule about an effect. An effect that is only supposed causes a question at most.
fn rule_decision(rule: &Rule, effect: &Effect) -> Decision {
    if effect.certainty.has(Certainty::Supposed) { rule.decision.min(Decision::Ask) } else { rule.decision }
}

fn rule_about(rule: &Rule, effect: &Effect) -> Rule {
    Rule { decision: rule_decision(rule, effect), ..rule.clone() }
}

/// Returns the decision of the built-in rules about an effect.
pub(crate) fn decision_about(effect: &Effect, ran: Option<&Invocation>) -> Decision {
    rules_about(effect, ran).map(|rule| rule.decision).max().unwrap_or(Decision::Abstain)
}

/// The rules that are about an effect.
fn rules_about<'a>(effect: &'a Effect, by: Option<&'a Invocation>) -> impl Iterator<Item = &'static Rule> {
    let candidates = rules_of(effect.action).iter().filter_map(|place| RULES.get(usize::from(*place)));
    candidates.filter(move |rule| rule.is_about(effect, by))
}

pub(crate) fn decide(sink: Sink) -> Judgement {
    let Sink { effects, invocations: ran, unreadable: opaque, not_coverable: loose, .. } = sink;
    let mut findings: Vec<Finding> = Vec::new();
    for (place, effect) in effects.iter().enumerate() {
        for rule in rules_about(effect, ran.get(effect.by)) {
            match findings.iter_mut().find(|finding| finding.rule.id == rule.id) {
                // It was only supposed until now.
                Some(known) if known.rule.decision < rule_decision(rule, effect) => {
                    *known = Finding::new(rule.clone(), place);
                }
                Some(_) => {}
                None => findings.push(Finding::new(rule_about(rule, effect), place)),
            }
        }
    }
    findings.small_sort_by_key(|finding| std::cmp::Reverse(finding.rule.decision));
    let decision = findings.first().map_or(Decision::Abstain, |finding| finding.rule.decision);
    Judgement { decision, findings, effects, ran, opaque, loose, ..Judgement::default() }
}
