//! The other events of an agent: sessions, prompts, stops and subagents.

use crate::{
    Approval, Asker, Handle, Note, Request, Subject, Tools,
    catch_panic::catch_panic,
    hooks::Cancelled,
    report::{blocked, notes_of},
};
use checkrein_core::{Class, Decision, Event, EventName, Map, Outcome, Stop};
use serde_json::Value;

/// The notes of hooks about an event that cannot be denied.
#[derive(Clone, Debug, Default)]
pub struct HookNotes {
    /// The notes.
    pub notes: Vec<Note>,
    /// The first request to end the turn.
    pub stop: Option<Stop>,
}

/// The decision about a prompt.
#[derive(Clone, Debug)]
#[must_use]
pub enum PromptDecision {
    /// The prompt goes to the model, with all edits.
    Accepted {
        /// The prompt.
        prompt: String,
        /// The notes of hooks. Texts for the model belong next to the prompt.
        hooks: HookNotes,
    },
    /// The prompt does not go to the model.
    Refused {
        /// The reason.
        reason: String,
        /// The notes of hooks.
        hooks: HookNotes,
    },
}

/// The decision about an agent that is about to end its turn, a subagent that is about to start or end, or any other
/// event.
#[derive(Clone, Debug)]
#[must_use]
pub enum EventDecision {
    /// No hook objects.
    Proceed(HookNotes),
    /// A hook objects: an agent that was about to end continues, with the reason as its next prompt; anything that was
    /// about to happen does not.
    Blocked {
        /// The reason.
        reason: String,
        /// The notes of hooks.
        hooks: HookNotes,
    },
}

impl<T: Tools> Handle<T> {
    /// Reports that a session starts: `source` is `startup`, `resume`, `clear` or `compact`.
    pub async fn session_start(&self, source: &str) -> HookNotes {
        self.tell(EventName::SessionStart, [("source", source.into())]).await.into_notes()
    }

    /// Reports that a session ends.
    pub async fn session_end(&self, reason: &str) -> HookNotes {
        self.tell(EventName::SessionEnd, [("reason", reason.into())]).await.into_notes()
    }

    /// Asks the hooks about a prompt that is about to go to the model.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BuildError> {
    /// let polite = on(EventName::UserPromptSubmit, "polite", |payload: &Payload| {
    ///     match payload.event.prompt().is_some_and(|prompt| prompt.contains("please")) {
    ///         true => Verdict::abstain(),
    ///         false => Verdict::deny("say please"),
    ///     }
    /// });
    /// let agent = Pipeline::builder(Toolbox::new()).hook(polite).build()?.handle(Session::default());
    /// match agent.prompt("fix it").await {
    ///     PromptDecision::Accepted { prompt, .. } => println!("send: {prompt}"),
    ///     PromptDecision::Refused { reason, .. } => assert_eq!(reason, "blocked by polite: say please"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn prompt(&self, prompt: impl Into<String>) -> PromptDecision {
        let prompt = prompt.into();
        if !self.shared.hooks.list().concerns(EventName::UserPromptSubmit, None) {
            return PromptDecision::Accepted { prompt, hooks: HookNotes::default() };
        }
        let payload = self.payload(Event::UserPromptSubmit { prompt: prompt.clone() });
        let Some(outcome) = self.ask(payload).await else {
            return PromptDecision::Refused { reason: "cancelled".into(), hooks: HookNotes::default() };
        };
        let hooks = hook_notes(&outcome);
        let prompt = outcome.payload.event.prompt().map_or(prompt, str::to_owned);
        match outcome.decision {
            Decision::Deny => PromptDecision::Refused { reason: blocked(&outcome), hooks },
            // The turn is over, so the prompt is not sent.
            _ if let Some(stop) = &outcome.stop => {
                PromptDecision::Refused { reason: stop.reason.clone(), hooks }
            }
            Decision::Ask => match self.may(Subject::Prompt(&prompt), &outcome).await {
                Approval::Yes => PromptDecision::Accepted { prompt, hooks },
                Approval::No(reason) => {
                    let reason = reason.unwrap_or_else(|| outcome.reason());
                    PromptDecision::Refused { reason: format!("not approved: {reason}"), hooks }
                }
            },
            Decision::Abstain | Decision::Allow => PromptDecision::Accepted { prompt, hooks },
        }
    }

    /// Asks the hooks about an agent that is about to end its turn. `retry` tells if it continued only because a
    /// hook blocked the previous stop.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BuildError> {
    /// let tested = on(EventName::Stop, "tested", |_: &Payload| Verdict::deny("run the tests first"));
    /// let agent = Pipeline::builder(Toolbox::new()).hook(tested).build()?.handle(Session::default());
    /// match agent.stopping(Some("done"), StopRetry::No).await {
    ///     EventDecision::Proceed(_) => println!("the turn is over"),
    ///     EventDecision::Blocked { reason, .. } => assert_eq!(reason, "tested: run the tests first"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn stopping(&self, last_message: Option<&str>, retry: StopRetry) -> EventDecision {
        self.tell(
            EventName::Stop,
            [
                ("stop_hook_active", (retry == StopRetry::Yes).into()),
                ("last_assistant_message", last_message.map_or(Value::Null, Value::from)),
            ],
        )
        .await
    }

    /// Asks the hooks about a subagent that is about to start; `self` is its own handle, see [`child`](Self::child).
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BuildError> {
    /// let alone = on(EventName::SubagentStart, "alone", |_: &Payload| Verdict::deny("do it yourself"));
    /// let agent = Pipeline::builder(Toolbox::new()).hook(alone).build()?.handle(Session::default());
    /// let child = agent.child("helper-1");
    /// match child.subagent_starting("look for the bug").await {
    ///     EventDecision::Proceed(_) => println!("start it with this handle"),
    ///     EventDecision::Blocked { reason, .. } => assert_eq!(reason, "alone: do it yourself"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn subagent_starting(&self, prompt: &str) -> EventDecision {
        self.tell(EventName::SubagentStart, [("prompt", prompt.into())]).await
    }

    /// Asks the hooks about a subagent that is about to end.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BuildError> {
    /// let brief = on(EventName::SubagentStop, "brief", |_: &Payload| Verdict::deny("name the file"));
    /// let agent = Pipeline::builder(Toolbox::new()).hook(brief).build()?.handle(Session::default());
    /// let child = agent.child("helper-1");
    /// match child.subagent_stopping(Some("found it"), StopRetry::No).await {
    ///     EventDecision::Proceed(_) => println!("it is done"),
    ///     EventDecision::Blocked { reason, .. } => assert_eq!(reason, "brief: name the file"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn subagent_stopping(&self, last_message: Option<&str>, retry: StopRetry) -> EventDecision {
        self.tell(
            EventName::SubagentStop,
            [
                ("stop_hook_active", (retry == StopRetry::Yes).into()),
                ("last_assistant_message", last_message.map_or(Value::Null, Value::from)),
            ],
        )
        .await
    }

    /// Tells the hooks about any other event, with its fields, and returns if it may happen. An event that only reports
    /// something always may. Before a gate, such as `PreCompact`, a hook's question goes to the approver; a cancelled
    /// gate is blocked.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BuildError> {
    /// let keep = on(EventName::PreCompact, "keep", |_: &Payload| Verdict::deny("not in the middle of a task"));
    /// let agent = Pipeline::builder(Toolbox::new()).hook(keep).build()?.handle(Session::default());
    /// match agent.tell(EventName::PreCompact, [("trigger", "auto".into())]).await {
    ///     EventDecision::Proceed(_) => println!("compact"),
    ///     EventDecision::Blocked { reason, .. } => assert_eq!(reason, "keep: not in the middle of a task"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn tell<const N: usize>(&self, event: EventName, fields: [(&str, Value); N]) -> EventDecision {
        if self.cancel.is_cancelled() {
            return cancelled(event);
        }
        let asked = match self.outcome_of(event, fields).await {
            Asked::None => return EventDecision::Proceed(HookNotes::default()),
            Asked::Cancelled => return cancelled(event),
            Asked::Outcome(outcome) => outcome,
        };
        let outcome = &*asked;
        let hooks = hook_notes(outcome);
        let finishes = !event.is_preventable();
        match (outcome.decision, &outcome.stop) {
            // Ending the turn is stronger than making the agent continue, and it prevents a subagent from starting.
            (_, Some(_)) if finishes => EventDecision::Proceed(hooks),
            (Decision::Deny, _) if event.class() == Class::Report => EventDecision::Proceed(hooks),
            (Decision::Deny, _) => EventDecision::Blocked { reason: outcome.reason(), hooks },
            (_, Some(stop)) => EventDecision::Blocked { reason: stop.reason.clone(), hooks },
            // A user is not asked if an agent may end, but is asked if one may start.
            (Decision::Ask, None) if !finishes => {
                match self.may(Subject::Event(&outcome.payload), outcome).await {
                    Approval::Yes => EventDecision::Proceed(hooks),
                    Approval::No(_) => EventDecision::Blocked { reason: outcome.reason(), hooks },
                }
            }
            (Decision::Ask | Decision::Abstain | Decision::Allow, None) => EventDecision::Proceed(hooks),
        }
    }

    /// Calls the hooks, if the event concerns any.
    async fn outcome_of<const N: usize>(&self, event: EventName, fields: [(&str, Value); N]) -> Asked {
        if !self.shared.hooks.list().concerns(event, None) {
            return Asked::None;
        }
        let mut payload = self.payload(Event::Other(event));
        payload.extra = fields
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (key.to_owned(), value))
            .collect::<Map>();
        self.ask(payload).await.map_or(Asked::Cancelled, |outcome| Asked::Outcome(Box::new(outcome)))
    }

    pub(crate) async fn may(&self, subject: Subject<'_>, outcome: &Outcome) -> Approval {
        let (session, agent) = (&*self.session, &*self.agent);
        let request = Request { subject, asker: Asker::Hook, reasons: outcome.deciders(), session, agent };
        self.question(request).await.unwrap_or(Approval::NO)
    }

    /// Asks the approver.
    pub(crate) async fn question(&self, request: Request<'_>) -> Result<Approval, Cancelled> {
        let Some(approver) = &self.shared.approver else {
            return Ok(Approval::No(Some("no approver is configured".into())));
        };
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Cancelled),
            answer = catch_panic(async { approver.approve(&request).await }) => {
                Ok(answer.unwrap_or_else(|panic| Approval::No(Some(format!("the approver panicked: {panic}")))))
            }
        }
    }
}

/// The answer of the hooks to an event.
enum Asked {
    /// The event concerns none of them.
    None,
    Outcome(Box<Outcome>),
    Cancelled,
}

/// Returns the decision about an event whose hooks were cancelled: nothing happens that a hook could have prevented.
fn cancelled(event: EventName) -> EventDecision {
    if event.is_preventable() {
        EventDecision::Blocked { reason: "cancelled".into(), hooks: HookNotes::default() }
    } else {
        EventDecision::Proceed(HookNotes::default())
    }
}

impl EventDecision {
    /// Returns the notes of the hooks.
    pub fn into_notes(self) -> HookNotes {
        match self {
            Self::Proceed(hooks) | Self::Blocked { hooks, .. } => hooks,
        }
    }
}

/// Tells if an agent continued only because a hook blocked its previous stop. A hook that sees `Yes` can let it end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopRetry {
    /// A hook blocked the previous stop.
    Yes,
    /// The agent stops for the first time.
    No,
}

pub(crate) fn hook_notes(outcome: &Outcome) -> HookNotes {
    HookNotes { notes: notes_of(outcome), stop: outcome.stop.clone() }
}
