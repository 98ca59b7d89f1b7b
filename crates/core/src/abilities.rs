//! What a host can do on an event, and what becomes of an answer that it cannot carry out.

use crate::{Class, Decision, Outcome, Retry, Role, outcome::Step};
use serde_json::Value;

/// What a host can do on one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// An allow lets it skip its own question.
    pub grant: bool,
    /// What becomes of a question.
    pub ask: Ask,
    /// A denial is honoured.
    pub deny: bool,
    /// An edit is applied.
    pub edit: bool,
    /// An edit is applied only together with a grant.
    pub edit_grants: bool,
    /// The model can be told something.
    pub context: bool,
    /// The agent's turn can be ended.
    pub stop: bool,
    /// A failed call can be tried again.
    pub retry: bool,
}

/// What a host can do with a question to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// It asks.
    Can,
    /// It cannot ask.
    Cannot,
    /// It is about to ask anyway, so silence is a question.
    Anyway,
}

impl Abilities {
    /// A host that can do everything, such as our own dialect.
    pub const ALL: Self = Self {
        grant: true,
        ask: Ask::Can,
        deny: true,
        edit: true,
        edit_grants: false,
        context: true,
        stop: true,
        retry: true,
    };

    /// A host that only tells.
    pub const NONE: Self = Self {
        grant: false,
        ask: Ask::Cannot,
        deny: false,
        edit: false,
        edit_grants: false,
        context: false,
        stop: false,
        retry: false,
    };

    pub(crate) fn apply(self, mut outcome: Outcome) -> Outcome {
        let class = outcome.payload.name().class();
        if outcome.stop.is_some() && class == Class::Finish && outcome.decision == Decision::Deny {
            // To end the turn is stronger than to make it go on.
            outcome.decision = Decision::Abstain;
        }
        self.fit_edit(&mut outcome);
        self.fit_stop(&mut outcome, class);
        self.fit_ask(&mut outcome, class);
        if outcome.decision == Decision::Allow && !self.grant {
            outcome.decision = Decision::Abstain;
            outcome.declared.push("a grant has no effect here".into());
        }
        if outcome.decision == Decision::Deny && !self.deny {
            outcome.declared.push(format!("a denial has no effect here: {}", outcome.reason()));
        }
        if !self.context && outcome.trail.iter().any(|step| !step.context.is_empty()) {
            outcome.declared.push("the model cannot be told anything here".into());
        }
        self.fit_retry(&mut outcome);
        outcome
    }

    /// An edit that cannot be applied is a denial that shows what was proposed.
    fn fit_edit(self, outcome: &mut Outcome) {
        let granted = outcome.decision == Decision::Allow && self.grant;
        if !outcome.is_edited()
            || outcome.decision == Decision::Deny
            || (self.edit && (granted || !self.edit_grants))
        {
            return;
        }
        let event = &outcome.payload.event;
        let proposed = match event.call() {
            Some(call) if event.output().is_none() => Value::Object(call.input.clone()).to_string(),
            _ => event.prompt().unwrap_or_default().to_owned(),
        };
        match outcome.payload.name().class() {
            Class::Gate => deny(
                outcome,
                format!(
                    "this agent cannot apply the change that the hooks made; proposed instead: {proposed}"
                ),
            ),
            Class::Result | Class::Finish | Class::Report => {
                outcome.declared.push("the edited text cannot be put in place of the original here".into());
            }
        }
    }

    /// A stop that a host cannot carry out prevents at least what can be prevented.
    fn fit_stop(self, outcome: &mut Outcome, class: Class) {
        if self.stop {
            return;
        }
        let Some(stop) = outcome.stop.take() else { return };
        if class == Class::Gate {
            deny(outcome, stop.reason);
        }
        outcome.declared.push(format!("the turn cannot be ended here, as `{}` wishes", stop.hook));
    }

    fn fit_ask(self, outcome: &mut Outcome, class: Class) {
        if outcome.decision != Decision::Ask {
            return;
        }
        match self.ask {
            Ask::Can => {}
            Ask::Anyway => outcome.decision = Decision::Abstain,
            Ask::Cannot if class == Class::Gate => {
                let reason = outcome.reason();
                outcome.declared.push("nobody can be asked here, so the question became a denial".into());
                deny(
                    outcome,
                    format!(
                        "{reason}\nnobody can be asked here; if it is wanted, the person can run it or change the rule"
                    ),
                );
            }
            Ask::Cannot => {
                outcome.declared.push(format!("nobody can be asked here: {}", outcome.reason()));
                outcome.decision = Decision::Abstain;
            }
        }
    }

    /// A retry that a host cannot make becomes advice to the model.
    fn fit_retry(self, outcome: &mut Outcome) {
        if self.retry {
            return;
        }
        let Some(retry) = outcome.retry.take() else { return };
        let advice = match retry {
            Retry::Same => "a hook proposes to try this call again".to_owned(),
            Retry::With(input) => {
                format!("a hook proposes to try this call again with {}", Value::Object(input))
            }
        };
        outcome.declared.push("a failed call cannot be tried again from here".into());
        let mut step = ours(outcome);
        step.context.push(advice);
        outcome.trail.push(step);
    }
}

/// Makes the outcome a denial in our own name.
fn deny(outcome: &mut Outcome, reason: String) {
    let mut step = ours(outcome);
    step.decision = Decision::Deny;
    step.reason = Some(reason);
    outcome.decision = Decision::Deny;
    outcome.trail.push(step);
}

/// A step of the engine itself, after all hooks.
fn ours(outcome: &Outcome) -> Step {
    Step {
        index: usize::MAX,
        hook: "checkrein".into(),
        role: Role::Judge,
        again: false,
        decision: Decision::Abstain,
        reason: None,
        context: Vec::new(),
        notice: None,
        change: None,
        failure: None,
        elapsed: outcome.trail.first().and_then(|step| step.elapsed).map(|_| std::time::Duration::ZERO),
    }
}
