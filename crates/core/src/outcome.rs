//! The merged answer of all hooks.

use crate::sort::SmallSort as _;
use crate::{
    Abilities, Change, Decision, Entry, Failure, Payload, ResultKind, Retry, Role, sanitize::prose_of,
};
use std::{sync::Arc, time::Duration};

/// The merged answer of all hooks, with everything that led to it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The event with every edit applied.
    pub payload: Payload,
    /// The strictest decision.
    pub decision: Decision,
    /// The first request to end the agent's turn.
    pub stop: Option<Stop>,
    /// The first request to retry the failed call.
    pub retry: Option<Retry>,
    /// The kind of result that the model is told, if a hook turned an error into a success or back; the last hook
    /// counts.
    pub result: Option<ResultKind>,
    /// The answers of the hooks, in the order of the calls.
    pub trail: Vec<Step>,
    /// Answers that the host cannot carry out, and what replaced them.
    pub downgraded: Vec<String>,
    /// True if another process answers the same event and has told the user about it.
    pub is_repeated: bool,
    /// The hooks that the steps refer to. They share one reference count: counting each name costs more than calling
    /// a hook.
    hooks: Arc<Vec<Entry>>,
}

/// A request to end the agent's turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The hook that requests it.
    pub hook: Arc<str>,
    /// The reason.
    pub reason: String,
}

/// The answer of one hook, and what became of it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The hook's index in the configuration; [`Outcome::hook`] has its name.
    pub index: usize,
    /// The hook's role.
    pub role: Role,
    /// True if the hook was called a second time, on an input that it had not seen.
    pub again: bool,
    /// The hook's decision, or the decision that replaced its failure.
    pub decision: Decision,
    /// The reason.
    pub reason: Option<String>,
    /// Texts for the model.
    pub context: Vec<String>,
    /// A text for the user.
    pub notice: Option<String>,
    /// The change that the hook made.
    pub change: Option<Change>,
    /// The failure of the hook.
    pub failure: Option<Failure>,
    /// The time that the hook took, if the dispatcher is timed.
    pub elapsed: Option<Duration>,
}

impl Step {
    pub(crate) fn new(index: usize, entry: &Entry) -> Self {
        Self::silent(index, entry.role)
    }

    /// Creates a step of the engine itself, after all hooks.
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

/// The name of the engine in the trail.
pub(crate) const OURS: &str = "checkrein";

/// The reason why a question became a denial.
const CANNOT_ASK: &str = "this needs the user's confirmation, and this agent cannot ask for it";

/// A text and the hook that wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HookText<'a> {
    /// The hook.
    pub hook: &'a str,
    /// The decision that the text belongs to.
    pub decision: Decision,
    /// The text.
    pub text: &'a str,
    /// True if the text is shown without the name of its hook.
    own_voice: bool,
}

impl HookText<'_> {
    /// Returns the text with the name of its hook, unless it says itself who speaks.
    pub fn named(&self) -> String {
        if self.own_voice { self.text.to_owned() } else { format!("{}: {}", self.hook, self.text) }
    }
}

impl Outcome {
    pub(crate) const fn new(payload: Payload, hooks: Arc<Vec<Entry>>) -> Self {
        Self {
            payload,
            decision: Decision::Abstain,
            stop: None,
            retry: None,
            result: None,
            trail: Vec::new(),
            downgraded: Vec::new(),
            is_repeated: false,
            hooks,
        }
    }

    /// Returns true if no hook said anything, and none was recorded.
    pub const fn is_silent(&self) -> bool {
        matches!(self.decision, Decision::Abstain)
            && self.trail.is_empty()
            && self.stop.is_none()
            && self.retry.is_none()
            && self.result.is_none()
    }

    /// Returns the name of the hook of a step.
    pub fn hook(&self, step: &Step) -> &str {
        self.hooks.get(step.index).map_or(OURS, Entry::name)
    }

    pub(crate) fn has_own_voice(&self, step: &Step) -> bool {
        self.hooks.get(step.index).is_some_and(Entry::has_own_voice)
    }

    /// Creates the answer for an event that no hook could be called for, for example because the configuration is
    /// broken: a denial where that prevents something, a notice to the user elsewhere.
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

    /// Puts the user's answer in place of a question: an approval allows, anything else denies. Other decisions stay.
    #[must_use]
    pub fn settled(mut self, approved: bool) -> Self {
        if self.decision == Decision::Ask && approved {
            self.decision = Decision::Allow;
        } else if self.decision == Decision::Ask {
            let reason = format!("not approved: {}", self.reason());
            self.deny(reason);
        }
        self
    }

    /// Turns the outcome into a denial by the engine itself.
    pub(crate) fn deny(&mut self, reason: impl Into<String>) {
        let mut step = Step::ours();
        step.decision = Decision::Deny;
        step.reason = Some(reason.into());
        self.decision = Decision::Deny;
        self.push(step);
    }

    /// Adds a text for the user by the engine itself.
    pub fn notify(&mut self, text: impl Into<String>) {
        let mut step = Step::ours();
        step.notice = Some(text.into());
        self.push(step);
    }

    /// Turns every question into a denial, for a host that cannot ask. A hook that knows this says so itself.
    pub(crate) fn deny_what_is_asked(&mut self) {
        self.decision = Decision::Deny;
        for place in 0..self.trail.len() {
            let Some(step) = self.trail.get(place).filter(|step| step.decision == Decision::Ask) else {
                continue;
            };
            let reason = match (&step.reason, self.has_own_voice(step)) {
                (Some(reason), true) => reason.clone(),
                (Some(reason), false) => format!("{reason} ({CANNOT_ASK})"),
                (None, _) => CANNOT_ASK.to_owned(),
            };
            if let Some(step) = self.trail.get_mut(place) {
                step.decision = Decision::Deny;
                step.reason = Some(reason);
            }
        }
    }

    /// Adds a text for the model by the engine itself.
    pub(crate) fn tell(&mut self, text: String) {
        let mut step = Step::ours();
        step.context.push(text);
        self.push(step);
    }

    /// Adds a step. The trail is shown to models, users and terminals, so its texts are escaped. A hook's edit is
    /// data, and the payload keeps it verbatim.
    pub(crate) fn push(&mut self, mut step: Step) {
        step.reason = step.reason.map(prose_of);
        step.notice = step.notice.map(prose_of);
        step.failure = step.failure.map(Failure::plain);
        for text in &mut step.context {
            *text = prose_of(std::mem::take(text));
        }
        self.trail.push(step);
    }

    /// Returns every reason, in the order of configuration.
    pub fn reasons(&self) -> Vec<HookText<'_>> {
        self.texts(|step| step.reason.as_slice())
    }

    /// Returns every text for the model, in the order of configuration.
    pub fn contexts(&self) -> Vec<HookText<'_>> {
        self.texts(|step| &step.context)
    }

    /// Returns every text for the user, in the order of configuration.
    pub fn notices(&self) -> Vec<HookText<'_>> {
        self.texts(|step| step.notice.as_slice())
    }

    fn texts<'a>(&'a self, of: impl Fn(&'a Step) -> &'a [String]) -> Vec<HookText<'a>> {
        let mut steps: Vec<&Step> = self.trail.iter().collect();
        steps.small_sort_by_key(|step| step.index);
        let mut found: Vec<HookText<'a>> = Vec::new();
        for step in steps {
            for text in of(step) {
                let own_voice = self.has_own_voice(step);
                let one = HookText { hook: self.hook(step), decision: step.decision, text, own_voice };
                // A hook that was called twice may repeat itself.
                if !step.again || !found.iter().any(|other| other.hook == one.hook && other.text == one.text)
                {
                    found.push(one);
                }
            }
        }
        found
    }

    /// Returns the hooks that made the final decision, with their reasons, in the order of configuration.
    pub fn deciders(&self) -> Vec<HookText<'_>> {
        let mut steps: Vec<&Step> = self.trail.iter().filter(|step| step.decision == self.decision).collect();
        steps.small_sort_by_key(|step| step.index);
        steps
            .into_iter()
            .map(|step| HookText {
                hook: self.hook(step),
                decision: step.decision,
                text: step.reason.as_deref().unwrap_or_default(),
                own_voice: self.has_own_voice(step),
            })
            .collect()
    }

    /// Returns one text for a host that has room for one: the reasons of the hooks that made the final decision. It
    /// is never empty for a decision that needs a reason.
    pub fn reason(&self) -> String {
        let lines: Vec<String> = self
            .deciders()
            .into_iter()
            .map(|said| match (said.text, said.decision) {
                ("", Decision::Deny) => format!("blocked by hook `{}`", said.hook),
                ("", Decision::Ask) => format!("hook `{}` asks for confirmation", said.hook),
                ("", Decision::Allow | Decision::Abstain) => String::new(),
                _ => said.named(),
            })
            .filter(|line| !line.is_empty())
            .collect();
        lines.join("\n")
    }

    /// Returns true if an editor changed the event.
    pub fn is_edited(&self) -> bool {
        self.trail.iter().any(|step| step.change.is_some())
    }

    /// Returns true if there is nothing to tell the host.
    pub fn is_neutral(&self) -> bool {
        self.decision == Decision::Abstain
            && self.stop.is_none()
            && self.retry.is_none()
            && self.result.is_none()
            && self.downgraded.is_empty()
            && self.trail.iter().all(|step| {
                step.change.is_none()
                    && step.reason.is_none()
                    && step.context.is_empty()
                    && step.notice.is_none()
            })
    }

    /// Adapts the outcome to the abilities of a host. A missing ability makes the answer stricter, never weaker, and
    /// is recorded in `downgraded`.
    #[must_use]
    pub fn within(self, abilities: Abilities) -> Self {
        abilities.apply(self)
    }
}
