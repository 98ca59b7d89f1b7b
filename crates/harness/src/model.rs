//! The hooks around a call of the model.

use crate::{
    Approval, Handle, HookNotes, Subject, Tools,
    call::{why_withheld, withheld_by},
    report::blocked,
    session::hook_notes,
};
use checkrein_core::{Decision, Event, EventName, Map, Output};

/// The decision about a request to the model.
#[derive(Clone, Debug)]
#[must_use]
pub enum RequestDecision {
    /// The request goes to the model, with all edits.
    Send {
        /// The request.
        request: Map,
        /// The notes of hooks.
        hooks: HookNotes,
    },
    /// The request does not go to the model.
    Refused {
        /// The reason.
        reason: String,
        /// The notes of hooks.
        hooks: HookNotes,
    },
}

/// The answer of a model, as hooks left it.
#[derive(Clone, Debug)]
#[must_use]
pub struct ModelAnswer {
    /// The answer with every edit, or the reason why it was withheld.
    pub output: Output,
    /// True if a hook withheld the answer.
    pub withheld: bool,
    /// The notes of hooks.
    pub hooks: HookNotes,
}

impl<T: Tools> Handle<T> {
    /// Asks the hooks about a request that is about to go to the model, in the host's own form.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BuildError> {
    /// let quiet = before_model("quiet", |_: &Map| Verdict::rewrite([("stream".to_owned(), false.into())].into_iter().collect()));
    /// let agent = Pipeline::builder(Toolbox::new()).hook(quiet).build()?.handle(Session::default());
    /// match agent.model_request(Map::new()).await {
    ///     RequestDecision::Send { request, .. } => assert_eq!(request["stream"], false),
    ///     RequestDecision::Refused { reason, .. } => println!("not sent: {reason}"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn model_request(&self, request: Map) -> RequestDecision {
        if !self.shared.hooks.list().concerns(EventName::PreModelRequest, None) {
            return RequestDecision::Send { request, hooks: HookNotes::default() };
        }
        let Some(outcome) = self.ask(self.payload(Event::ModelRequest { request })).await else {
            return RequestDecision::Refused { reason: "cancelled".into(), hooks: HookNotes::default() };
        };
        let hooks = hook_notes(&outcome);
        let approval = match (outcome.decision, &outcome.stop) {
            (Decision::Deny, _) => Approval::No(Some(blocked(&outcome))),
            // The turn is over, so nothing is sent.
            (_, Some(stop)) => Approval::No(Some(stop.reason.clone())),
            (Decision::Ask, None) => match self.may(Subject::Event(&outcome.payload), &outcome).await {
                Approval::Yes => Approval::Yes,
                Approval::No(reason) => {
                    let reason = reason.unwrap_or_else(|| outcome.reason());
                    Approval::No(Some(format!("not approved: {reason}")))
                }
            },
            (Decision::Abstain | Decision::Allow, None) => Approval::Yes,
        };
        match (approval, outcome.payload.event) {
            (Approval::Yes, Event::ModelRequest { request }) => RequestDecision::Send { request, hooks },
            (Approval::No(reason), _) => {
                RequestDecision::Refused { reason: reason.unwrap_or_default(), hooks }
            }
            // The event is still the one that was asked about.
            (Approval::Yes, _) => RequestDecision::Refused { reason: "the request was lost".into(), hooks },
        }
    }

    /// Asks the hooks about an answer of the model, before anything is done with it. A denial, an unanswered question
    /// and a cancellation withhold it.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BuildError> {
    /// let names = after_model("names", |response: &Output| {
    ///     Verdict::replace_output(response.text().replace("Ada", "[name]"))
    /// });
    /// let agent = Pipeline::builder(Toolbox::new()).hook(names).build()?.handle(Session::default());
    /// assert_eq!(agent.model_response("it was Ada").await.output.text(), "it was [name]");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn model_response(&self, response: impl Into<Output>) -> ModelAnswer {
        let response = response.into();
        if !self.shared.hooks.list().concerns(EventName::PostModelResponse, None) {
            return ModelAnswer { output: response, withheld: false, hooks: HookNotes::default() };
        }
        let Some(outcome) = self.ask(self.payload(Event::ModelResponse { response })).await else {
            return ModelAnswer { output: "cancelled".into(), withheld: true, hooks: HookNotes::default() };
        };
        let hooks = hook_notes(&outcome);
        let withheld = match outcome.decision {
            Decision::Deny => true,
            Decision::Ask => self.may(Subject::Event(&outcome.payload), &outcome).await != Approval::Yes,
            Decision::Abstain | Decision::Allow => false,
        };
        let why = why_withheld(&outcome);
        let output = match outcome.payload.event {
            Event::ModelResponse { response } if withheld => withheld_by(response, why),
            Event::ModelResponse { response } => response,
            // The event is still the one that was asked about.
            _ => Output::from(why),
        };
        ModelAnswer { output, withheld, hooks }
    }
}
