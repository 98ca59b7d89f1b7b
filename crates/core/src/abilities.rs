//! The abilities of a host on an event, and what replaces an answer that the host cannot carry out.

use crate::{Class, Decision, EventName, Outcome, Retry, Stop, outcome::OURS};
use serde_json::Value;

/// The abilities of a host on one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// An allow lets the host skip its own prompt.
    pub allow: bool,
    /// The handling of `ask`.
    pub ask: Asking,
    /// The host honours a denial: it prevents the call, withholds the result, or makes the agent continue.
    pub deny: bool,
    /// The handling of edits.
    pub edit: Editing,
    /// The host can pass text to the model.
    pub context: bool,
    /// The handling of a request to end the turn.
    pub stop: Stopping,
    /// The host can retry a failed or denied call.
    pub retry: bool,
}

/// A host's handling of `ask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// The host asks the user.
    Asks,
    /// The host cannot ask.
    Cannot,
    /// The host is about to ask anyway, so silence leads to a prompt.
    Anyway,
}

/// A host's handling of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Editing {
    /// The host applies the edit.
    Applies,
    /// The host applies the edit only together with an `allow`.
    WithAllow,
    /// The host cannot apply edits.
    Cannot,
}

/// A host's handling of a request to end the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopping {
    /// The host ends the turn, and the pending action does not happen.
    Prevents,
    /// The host ends the turn after the pending action.
    Afterwards,
    /// The host cannot end the turn.
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

    /// A host that only reports events.
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
            // Ending the turn is stronger than making the agent continue.
            outcome.decision = Decision::Abstain;
        }
        self.fit_edit(&mut outcome, class);
        self.fit_stop(&mut outcome, class);
        self.fit_ask(&mut outcome, class);
        self.fit_deny(&mut outcome, class);
        self.fit_retry(&mut outcome);
        if self != Self::ALL && outcome.result.take().is_some() {
            outcome.downgraded.push("this host cannot turn an error into a success, or back".into());
        }
        if outcome.decision == Decision::Allow && !self.allow {
            outcome.decision = Decision::Abstain;
            outcome.downgraded.push("an `allow` has no effect here".into());
        }
        if !self.context && outcome.trail.iter().any(|step| !step.context.is_empty()) {
            outcome.downgraded.push("this host cannot pass text to the model here".into());
        }
        outcome
    }

    /// Turns an edit that the host cannot apply into a denial that shows the proposed input.
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
                let advice = format!("the error text, as edited by the hooks: {}", output.text());
                outcome.downgraded.push("this host cannot replace the text of an error".into());
                outcome.tell(advice);
            }
            (Class::Result, _, _) => outcome.deny("this host cannot apply the edited result"),
            (_, Some(call), _) => {
                let proposed = Value::Object(call.input.clone());
                outcome
                    .deny(format!("this agent cannot apply a changed input; proposed instead: {proposed}"));
            }
            (_, None, _) if let Some(request) = event.request() => {
                let proposed = Value::Object(request.clone());
                outcome
                    .deny(format!("this agent cannot apply a changed request; proposed instead: {proposed}"));
            }
            (_, None, _) => {
                let proposed = event.prompt().unwrap_or_default().to_owned();
                outcome
                    .deny(format!("this agent cannot apply a changed prompt; proposed instead: {proposed}"));
            }
        }
    }

    /// Ends the turn. A hook that ends the turn does not want the pending action; where the host would still perform
    /// it, it is denied.
    fn fit_stop(self, outcome: &mut Outcome, class: Class) {
        let Some(stop) = &outcome.stop else { return };
        if self.stop != Stopping::Prevents && class == Class::Gate && outcome.decision != Decision::Deny {
            let reason = format!("`{}` ends the turn: {}", stop.hook, stop.reason);
            outcome.deny(reason);
        }
        if self.stop == Stopping::Cannot
            && let Some(stop) = outcome.stop.take()
        {
            outcome
                .downgraded
                .push(format!("this host cannot end the turn here, as `{}` requested", stop.hook));
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
                outcome.downgraded.push("this host cannot prompt, so `ask` became `deny`".into());
                outcome.deny_what_is_asked();
            }
            Asking::Cannot => {
                outcome.downgraded.push(format!("this host cannot prompt: {}", outcome.reason()));
                outcome.decision = Decision::Abstain;
            }
        }
    }

    /// Handles a result that must be withheld and cannot be: the turn ends before the model reads it, if the host
    /// supports that.
    fn fit_deny(self, outcome: &mut Outcome, class: Class) {
        if outcome.decision != Decision::Deny || self.deny {
            return;
        }
        let reason = outcome.reason();
        if class != Class::Result {
            outcome.downgraded.push(format!("a denial has no effect here: {reason}"));
            return;
        }
        outcome.downgraded.push(format!("this host cannot withhold the text from the model here: {reason}"));
        if outcome.payload.name() == EventName::PostToolUse && self.stop != Stopping::Cannot {
            outcome.stop.get_or_insert_with(|| Stop { hook: OURS.into(), reason });
        }
    }

    /// Turns a retry that a host cannot make into advice to the model.
    fn fit_retry(self, outcome: &mut Outcome) {
        if self.retry {
            return;
        }
        let Some(retry) = outcome.retry.take() else { return };
        outcome.downgraded.push("this host cannot retry a call here".into());
        outcome.tell(match retry {
            Retry::Same => "a hook suggests retrying this call".to_owned(),
            Retry::With(input) => {
                format!("a hook suggests retrying this call with {}", Value::Object(input))
            }
        });
    }
}
