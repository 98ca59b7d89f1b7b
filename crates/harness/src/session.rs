//! The other events of an agent's life, one line each for the author of a loop.

use crate::{
    Approval, Asker, Handle, Note, Request, Subject, Tools,
    caught::caught,
    hooks::Cancelled,
    report::{blocked, notes_of},
};
use checkrein::{Decision, Event, EventName, Map, Outcome, Stop};
use serde_json::Value;

/// What hooks said about an event that only tells.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// What they said.
    pub notes: Vec<Note>,
    /// The first wish to end the turn.
    pub stop: Option<Stop>,
}

/// What becomes of a prompt.
#[derive(Clone, Debug)]
#[must_use]
pub enum Prompted {
    /// It goes to the model, as the hooks left it.
    Accepted {
        /// The prompt.
        prompt: String,
        /// What hooks said; what they want the model to know belongs beside the prompt.
        heard: Heard,
    },
    /// The model is not asked.
    Refused {
        /// Why.
        reason: String,
        /// What hooks said.
        heard: Heard,
    },
}

/// What becomes of an agent that is about to end its turn, or to begin or end as a subagent.
#[derive(Clone, Debug)]
#[must_use]
pub enum Passage {
    /// Nothing is in its way.
    Free(Heard),
    /// Not so: an agent that wanted to end goes on, with the reason as its next prompt; one that was to start does not.
    Barred {
        /// Why.
        reason: String,
        /// What hooks said.
        heard: Heard,
    },
}

impl<T: Tools> Handle<T> {
    /// A session begins: `source` is `startup`, `resume`, `clear` or `compact`.
    pub async fn session_start(&self, source: &str) -> Heard {
        self.tell(EventName::SessionStart, [("source", source.into())]).await
    }

    /// A session ends.
    pub async fn session_end(&self, reason: &str) -> Heard {
        self.tell(EventName::SessionEnd, [("reason", reason.into())]).await
    }

    /// A prompt is about to go to the model.
    pub async fn prompt(&self, prompt: impl Into<String>) -> Prompted {
        let prompt = prompt.into();
        if !self.shared.hooks.concern(EventName::UserPromptSubmit, None) {
            return Prompted::Accepted { prompt, heard: Heard::default() };
        }
        let payload = self.payload(Event::UserPromptSubmit { prompt: prompt.clone() });
        let Some(outcome) = self.ask(payload).await else {
            return Prompted::Refused { reason: "cancelled".into(), heard: Heard::default() };
        };
        let heard = heard(&outcome);
        let prompt = outcome.payload.event.prompt().map_or(prompt, str::to_owned);
        match outcome.decision {
            Decision::Deny => Prompted::Refused { reason: blocked(&outcome), heard },
            // What was about to happen does not: the turn is over.
            _ if let Some(stop) = &outcome.stop => Prompted::Refused { reason: stop.reason.clone(), heard },
            Decision::Ask => match self.may(Subject::Prompt(&prompt), &outcome).await {
                Approval::Yes => Prompted::Accepted { prompt, heard },
                Approval::No(reason) => {
                    let reason = reason.unwrap_or_else(|| outcome.reason());
                    Prompted::Refused { reason: format!("not approved: {reason}"), heard }
                }
            },
            Decision::Abstain | Decision::Allow => Prompted::Accepted { prompt, heard },
        }
    }

    /// The agent is about to end its turn. `again` says that it goes on only because a hook wanted so last time.
    pub async fn stopping(&self, last_message: Option<&str>, again: Again) -> Passage {
        self.passage(
            EventName::Stop,
            [
                ("stop_hook_active", (again == Again::Yes).into()),
                ("last_assistant_message", last_message.map_or(Value::Null, Value::from)),
            ],
        )
        .await
    }

    /// A subagent is about to start; `self` is its own handle, see [`child`](Self::child).
    pub async fn subagent_starting(&self, prompt: &str) -> Passage {
        self.passage(EventName::SubagentStart, [("prompt", prompt.into())]).await
    }

    /// A subagent is about to end.
    pub async fn subagent_stopping(&self, last_message: Option<&str>, again: Again) -> Passage {
        self.passage(
            EventName::SubagentStop,
            [
                ("stop_hook_active", (again == Again::Yes).into()),
                ("last_assistant_message", last_message.map_or(Value::Null, Value::from)),
            ],
        )
        .await
    }

    /// Any other event that only tells, with its fields.
    pub async fn tell<const N: usize>(&self, event: EventName, fields: [(&str, Value); N]) -> Heard {
        self.outcome_of(event, fields).await.as_ref().map(heard).unwrap_or_default()
    }

    async fn passage<const N: usize>(&self, event: EventName, fields: [(&str, Value); N]) -> Passage {
        if self.cancel.is_cancelled() {
            return Passage::Free(Heard::default());
        }
        let Some(outcome) = self.outcome_of(event, fields).await else {
            return Passage::Free(Heard::default());
        };
        let heard = heard(&outcome);
        let finishes = !event.is_preventable();
        match (outcome.decision, &outcome.stop) {
            // To end the turn is stronger than to make it go on; and who is not to start does not.
            (_, Some(_)) if finishes => Passage::Free(heard),
            (Decision::Deny, _) => Passage::Barred { reason: outcome.reason(), heard },
            (_, Some(stop)) => Passage::Barred { reason: stop.reason.clone(), heard },
            // Whether an agent may end is no question for a user, and whether one may start is: nobody was asked.
            (Decision::Ask, None) if !finishes => Passage::Barred { reason: outcome.reason(), heard },
            (Decision::Ask | Decision::Abstain | Decision::Allow, None) => Passage::Free(heard),
        }
    }

    /// What hooks say, if the event concerns any.
    async fn outcome_of<const N: usize>(
        &self,
        event: EventName,
        fields: [(&str, Value); N],
    ) -> Option<Outcome> {
        if !self.shared.hooks.concern(event, None) {
            return None;
        }
        let mut payload = self.payload(Event::Other(event));
        payload.extra = fields
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (key.to_owned(), value))
            .collect::<Map>();
        self.ask(payload).await
    }

    async fn may(&self, subject: Subject<'_>, outcome: &Outcome) -> Approval {
        let (session, agent) = (&*self.session, &*self.agent);
        let request = Request { subject, asker: Asker::Hook, reasons: outcome.deciders(), session, agent };
        self.question(request).await.unwrap_or(Approval::NO)
    }

    /// Asks whoever can be asked.
    pub(crate) async fn question(&self, request: Request<'_>) -> Result<Approval, Cancelled> {
        let Some(approver) = &self.shared.approver else {
            return Ok(Approval::No(Some("there is nobody to ask".into())));
        };
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Cancelled),
            answer = caught(async { approver.approve(&request).await }) => {
                Ok(answer.unwrap_or_else(|panic| Approval::No(Some(format!("whoever was asked panicked: {panic}")))))
            }
        }
    }
}

/// Whether an agent goes on only because a hook wanted so last time: a hook that sees this can let it end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// It does.
    Yes,
    /// It ends for the first time.
    No,
}

fn heard(outcome: &Outcome) -> Heard {
    Heard { notes: notes_of(outcome), stop: outcome.stop.clone() }
}
