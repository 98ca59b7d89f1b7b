//! What all hooks say together.

use crate::{Abilities, Change, Decision, Entry, Failure, Payload, Retry, Role, sanitize::prose_of};
use std::{sync::Arc, time::Duration};

/// The merged answer, with everything that led to it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The event with every edit in it.
    pub payload: Payload,
    /// The strictest decision that was heard.
    pub decision: Decision,
    /// The first wish to end the agent's turn.
    pub stop: Option<Stop>,
    /// The first wish to run the failed call once more.
    pub retry: Option<Retry>,
    /// What each hook said, in the order in which they were asked.
    pub trail: Vec<Step>,
    /// What the host cannot do, and what became of it instead.
    pub downgraded: Vec<String>,
    /// The hooks that the steps are about. One count for all of them: to count each name costs more than to ask.
    hooks: Arc<Vec<Entry>>,
}

/// A wish to end the agent's turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The hook that wishes it.
    pub hook: Arc<str>,
    /// Why.
    pub reason: String,
}

/// What one hook said, and what became of it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The hook's place in the configuration; [`Outcome::hook`] has its name.
    pub index: usize,
    /// Its role.
    pub role: Role,
    /// Whether it was asked for the second time, on an input that it had not seen.
    pub again: bool,
    /// What it decided, or what its failure became.
    pub decision: Decision,
    /// Why.
    pub reason: Option<String>,
    /// What it wants the model to know.
    pub context: Vec<String>,
    /// What it wants the user to know.
    pub notice: Option<String>,
    /// What it changed.
    pub change: Option<Change>,
    /// How it failed.
    pub failure: Option<Failure>,
    /// How long it took, if the dispatcher is timed.
    pub elapsed: Option<Duration>,
}

impl Step {
    pub(crate) fn new(index: usize, entry: &Entry) -> Self {
        Self::silent(index, entry.role)
    }

    /// A step of the engine itself, after all hooks.
    fn ours() -> Self {
        Self::silent(usize::MAX, Role::Judge)
    }

    const fn silent(index: usize, role: Role) -> Self {
        Self {
            index,
            role,
            again: false,
            decision: Decision::Abstain,
            reason: None,
            context: Vec::new(),
            notice: None,
            change: None,
            failure: None,
            elapsed: None,
        }
    }
}

/// The name under which the engine itself speaks.
pub(crate) const OURS: &str = "checkrein";

/// A text and the hook that said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said<'a> {
    /// The hook.
    pub hook: &'a str,
    /// The decision that it goes with.
    pub decision: Decision,
    /// The text.
    pub text: &'a str,
}

impl Outcome {
    pub(crate) const fn new(payload: Payload, hooks: Arc<Vec<Entry>>) -> Self {
        Self {
            payload,
            decision: Decision::Abstain,
            stop: None,
            retry: None,
            trail: Vec::new(),
            downgraded: Vec::new(),
            hooks,
        }
    }

    /// The name of the hook whose step this is.
    pub fn hook(&self, step: &Step) -> &str {
        self.hooks.get(step.index).map_or(OURS, Entry::name)
    }

    /// The answer when no hook could be asked, for example because the configuration is broken: a denial where that
    /// prevents something, a notice to the user elsewhere.
    pub fn refused(payload: Payload, reason: impl Into<String>) -> Self {
        let mut outcome = Self::new(payload, Arc::default());
        if outcome.payload.name().is_preventable() {
            outcome.deny(reason);
        } else {
            let mut step = Step::ours();
            step.notice = Some(reason.into());
            outcome.push(step);
        }
        outcome
    }

    /// Makes it a denial in the engine's own name.
    pub(crate) fn deny(&mut self, reason: impl Into<String>) {
        let mut step = Step::ours();
        step.decision = Decision::Deny;
        step.reason = Some(reason.into());
        self.decision = Decision::Deny;
        self.push(step);
    }

    /// Tells the model something in the engine's own name.
    pub(crate) fn tell(&mut self, text: String) {
        let mut step = Step::ours();
        step.context.push(text);
        self.push(step);
    }

    /// Adds a step. Whoever reads the trail shows it to a model, a user or a terminal, so that nothing hidden gets into it;
    /// what a hook changed is data, and stands in the payload as it is.
    pub(crate) fn push(&mut self, mut step: Step) {
        step.reason = step.reason.map(prose_of);
        step.notice = step.notice.map(prose_of);
        step.failure = step.failure.map(Failure::plain);
        for text in &mut step.context {
            *text = prose_of(std::mem::take(text));
        }
        self.trail.push(step);
    }

    /// Every reason, in the order of configuration.
    pub fn reasons(&self) -> Vec<Said<'_>> {
        self.said(|step| step.reason.as_slice())
    }

    /// Every text for the model, in the order of configuration.
    pub fn contexts(&self) -> Vec<Said<'_>> {
        self.said(|step| &step.context)
    }

    /// Every text for the user, in the order of configuration.
    pub fn notices(&self) -> Vec<Said<'_>> {
        self.said(|step| step.notice.as_slice())
    }

    fn said<'a>(&'a self, texts: impl Fn(&'a Step) -> &'a [String]) -> Vec<Said<'a>> {
        let mut steps: Vec<&Step> = self.trail.iter().collect();
        steps.sort_by_key(|step| step.index);
        let mut said: Vec<Said<'a>> = Vec::new();
        for step in steps {
            for text in texts(step) {
                let one = Said { hook: self.hook(step), decision: step.decision, text };
                // A hook that was asked twice may say the same twice.
                if !step.again || !said.iter().any(|other| other.hook == one.hook && other.text == one.text) {
                    said.push(one);
                }
            }
        }
        said
    }

    /// The hooks that decided as the whole did, with what they said, in the order of configuration.
    pub fn deciders(&self) -> Vec<Said<'_>> {
        let mut steps: Vec<&Step> = self.trail.iter().filter(|step| step.decision == self.decision).collect();
        steps.sort_by_key(|step| step.index);
        steps
            .into_iter()
            .map(|step| Said {
                hook: self.hook(step),
                decision: step.decision,
                text: step.reason.as_deref().unwrap_or_default(),
            })
            .collect()
    }

    /// Why, in one text for a host that has room for one: the reasons of the hooks that decided as the whole did.
    /// Never empty for a decision that needs a reason.
    pub fn reason(&self) -> String {
        let lines: Vec<String> = self
            .deciders()
            .into_iter()
            .map(|said| match (said.text, said.decision) {
                ("", Decision::Deny) => format!("blocked by hook `{}`", said.hook),
                ("", Decision::Ask) => format!("hook `{}` wants this to be confirmed", said.hook),
                ("", Decision::Allow | Decision::Abstain) => String::new(),
                (text, _) => format!("{}: {text}", said.hook),
            })
            .filter(|line| !line.is_empty())
            .collect();
        lines.join("\n")
    }

    /// Whether an editor changed what the event carries.
    pub fn is_edited(&self) -> bool {
        self.trail.iter().any(|step| step.change.is_some())
    }

    /// Whether there is nothing at all to tell the host.
    pub fn is_neutral(&self) -> bool {
        self.decision == Decision::Abstain
            && self.stop.is_none()
            && self.retry.is_none()
            && self.downgraded.is_empty()
            && self.trail.iter().all(|step| {
                step.change.is_none()
                    && step.reason.is_none()
                    && step.context.is_empty()
                    && step.notice.is_none()
            })
    }

    /// The same outcome for a host that can do only so much. What a host lacks makes the answer stricter, never
    /// weaker, and is declared.
    #[must_use]
    pub fn within(self, abilities: Abilities) -> Self {
        abilities.apply(self)
    }
}
