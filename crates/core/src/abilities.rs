//! What a host can do on an event, and what becomes of an answer that it cannot carry out.

use crate::{Class, Decision, EventName, Outcome, Retry, Stop, outcome::OURS};
use serde_json::Value;

/// What a host can do on one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// An allow lets it skip its own question.
    pub allow: bool,
    /// What becomes of a question.
    pub ask: Asking,
    /// A denial is honoured: it prevents, withholds, or makes the agent go on.
    pub deny: bool,
    /// What becomes of an edit.
    pub edit: Editing,
    /// The model can be told something.
    pub context: bool,
    /// What becomes of a wish to end the turn.
    pub stop: Stopping,
    /// A failed or refused call can be tried again.
    pub retry: bool,
}

/// What a host does with a question to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// It asks.
    Asks,
    /// It cannot ask.
    Cannot,
    /// It is about to ask anyway, so silence is a question.
    Anyway,
}

/// What a host does with an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Editing {
    /// It applies it.
    Applies,
    /// It applies it only together with an `allow`.
    WithAllow,
    /// It cannot.
    Cannot,
}

/// What a host does with a wish to end the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopping {
    /// It ends the turn, and what was about to happen does not.
    Prevents,
    /// It ends the turn after what was about to happen.
    Afterwards,
    /// It cannot.
    Cannot,
}

impl Abilities {
    /// A host that can do everything, such as our own dialect.
    pub const ALL: Self = Self {
        allow: true,
        ask: Asking::Asks,
        deny: true,
        edit: Editing::Applies,
        context: true,
        stop: Stopping::Prevents,
        retry: true,
    };

    /// A host that only tells.
    pub const NONE: Self = Self {
        allow: false,
        ask: Asking::Cannot,
        deny: false,
        edit: Editing::Cannot,
        context: false,
        stop: Stopping::Cannot,
        retry: false,
    };

    pub(crate) fn apply(self, mut outcome: Outcome) -> Outcome {
        let class = outcome.payload.name().class();
        if outcome.stop.is_some() && class == Class::Finish && outcome.decision == Decision::Deny {
            // To end the turn is stronger than to make it go on.
            outcome.decision = Decision::Abstain;
        }
        self.fit_edit(&mut outcome, class);
        self.fit_stop(&mut outcome, class);
        self.fit_ask(&mut outcome, class);
        self.fit_deny(&mut outcome, class);
        self.fit_retry(&mut outcome);
        if outcome.decision == Decision::Allow && !self.allow {
            outcome.decision = Decision::Abstain;
            outcome.downgraded.push("an `allow` has no effect here".into());
        }
        if !self.context && outcome.trail.iter().any(|step| !step.context.is_empty()) {
            outcome.downgraded.push("the model cannot be told anything here".into());
        }
        outcome
    }

    /// An edit that cannot be applied is a denial that shows what was proposed.
    fn fit_edit(self, outcome: &mut Outcome, class: Class) {
        let applies = match self.edit {
            Editing::Applies => true,
            Editing::WithAllow => outcome.decision == Decision::Allow && self.allow,
            Editing::Cannot => false,
        };
        if applies || !outcome.is_edited() || outcome.decision == Decision::Deny {
            return;
        }
        let event = &outcome.payload.event;
        match (class, event.call(), event.output()) {
            (Class::Result, _, Some(output)) if outcome.payload.name() == EventName::PostToolUseFailure => {
                let advice = format!("the text of this failure, as edited by the hooks: {}", output.text());
                outcome.downgraded.push("the text of a failure cannot be replaced here".into());
                outcome.tell(advice);
            }
            (Class::Result, _, _) => outcome.deny("the edited result cannot be put in its place here"),
            (_, Some(call), _) => {
                let proposed = Value::Object(call.input.clone());
                outcome
                    .deny(format!("this agent cannot apply a changed input; proposed instead: {proposed}"));
            }
            (_, None, _) => {
                let proposed = event.prompt().unwrap_or_default().to_owned();
                outcome
                    .deny(format!("this agent cannot apply a changed prompt; proposed instead: {proposed}"));
            }
        }
    }

    /// Whoever ends the turn does not want what comes next; where the host would still do it, it is denied.
    fn fit_stop(self, outcome: &mut Outcome, class: Class) {
        let Some(stop) = &outcome.stop else { return };
        if self.stop != Stopping::Prevents && class == Class::Gate && outcome.decision != Decision::Deny {
            let reason = format!("`{}` ends the turn: {}", stop.hook, stop.reason);
            outcome.deny(reason);
        }
        if self.stop == Stopping::Cannot
            && let Some(stop) = outcome.stop.take()
        {
            outcome.downgraded.push(format!("the turn cannot be ended here, as `{}` wishes", stop.hook));
        }
    }

    fn fit_ask(self, outcome: &mut Outcome, class: Class) {
        if outcome.decision != Decision::Ask {
            return;
        }
        match self.ask {
            Asking::Asks => {}
            Asking::Anyway => outcome.decision = Decision::Abstain,
            Asking::Cannot if matches!(class, Class::Gate | Class::Result) => {
                let reason = outcome.reason();
                outcome.downgraded.push("this host cannot prompt, so `ask` became `deny`".into());
                outcome.deny(format!(
                    "{reason}\nthis host cannot prompt; if the user wants this, they can do it or change the rule"
                ));
            }
            Asking::Cannot => {
                outcome.downgraded.push(format!("this host cannot prompt: {}", outcome.reason()));
                outcome.decision = Decision::Abstain;
            }
        }
    }

    /// A result that must be withheld and cannot be: the turn ends before the model reads it, if the host can do that.
    fn fit_deny(self, outcome: &mut Outcome, class: Class) {
        if outcome.decision != Decision::Deny || self.deny {
            return;
        }
        let reason = outcome.reason();
        if class != Class::Result {
            outcome.downgraded.push(format!("a denial has no effect here: {reason}"));
            return;
        }
        outcome.downgraded.push(format!("the text cannot be kept from the model here: {reason}"));
        if outcome.payload.name() == EventName::PostToolUse && self.stop != Stopping::Cannot {
            outcome.stop.get_or_insert_with(|| Stop { hook: OURS.into(), reason });
        }
    }

    /// A retry that a host cannot make becomes advice to the model.
    fn fit_retry(self, outcome: &mut Outcome) {
        if self.retry {
            return;
        }
        let Some(retry) = outcome.retry.take() else { return };
        outcome.downgraded.push("a call cannot be tried again from here".into());
        outcome.tell(match retry {
            Retry::Same => "a hook proposes to try this call again".to_owned(),
            Retry::With(input) => {
                format!("a hook proposes to try this call again with {}", Value::Object(input))
            }
        });
    }
}
