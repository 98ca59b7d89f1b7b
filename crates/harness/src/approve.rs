//! The last word before a call runs: a user's or a policy's, on exactly what will run.

use checkrein::{Agent, Outcome, Output, Said, Session, ToolCall};
use std::{future::Future, pin::Pin};

/// What is to be approved.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A call, with the input that would run; [`ToolCall::original`] has what the model sent, if that was another.
    Call(&'a ToolCall),
    /// A result that a hook would rather not show to the model before somebody looked at it.
    Output(&'a ToolCall, &'a Output),
    /// A prompt.
    Prompt(&'a str),
}

/// Who wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// The host: the tool needs approval.
    Host,
    /// A hook.
    Hook,
}

/// A question.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// What is to be approved.
    pub subject: Subject<'a>,
    /// Who wants to know.
    pub asker: Asker,
    /// Why, as the hooks say it; empty if only the host asks.
    pub reasons: Vec<Said<'a>>,
    /// The session.
    pub session: &'a Session,
    /// The agent that wants to do it.
    pub agent: &'a Agent,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approval {
    /// It may be done.
    Yes,
    /// It may not be done, for this reason if there is one.
    No(Option<String>),
}

impl Approval {
    /// No, without a reason.
    pub const NO: Self = Self::No(None);
}

/// Somebody who can be asked: a user at a terminal, a policy, a message to another room.
///
/// Questions of one batch come one after another, in the order of the message. A panic, and a cancellation while the
/// answer is awaited, are a no.
pub trait Approver: Send + Sync + 'static {
    /// Answers.
    fn approve(&self, request: &Request<'_>) -> impl Future<Output = Approval> + Send;
}

/// An approver that answers at once: a policy.
///
/// ```
/// use checkrein_harness::{Approval, Request, policy};
/// let nobody_is_there = policy(|_: &Request<'_>| Approval::No(Some("nobody is there".into())));
/// ```
pub const fn policy<F>(answer: F) -> Policy<F>
where
    F: Fn(&Request<'_>) -> Approval + Send + Sync + 'static,
{
    Policy(answer)
}

/// What [`policy`] makes.
#[derive(Clone, Debug)]
pub struct Policy<F>(F);

impl<F> Approver for Policy<F>
where
    F: Fn(&Request<'_>) -> Approval + Send + Sync + 'static,
{
    async fn approve(&self, request: &Request<'_>) -> Approval {
        (self.0)(request)
    }
}

/// An [`Approver`] behind a pointer.
pub(crate) trait AnyApprover: Send + Sync {
    fn approve<'a>(&'a self, request: &'a Request<'a>)
    -> Pin<Box<dyn Future<Output = Approval> + Send + 'a>>;
}

impl<A: Approver> AnyApprover for A {
    fn approve<'a>(
        &'a self,
        request: &'a Request<'a>,
    ) -> Pin<Box<dyn Future<Output = Approval> + Send + 'a>> {
        Box::pin(Approver::approve(self, request))
    }
}

/// What hooks want to know, if they want to know something.
pub(crate) fn reasons(outcome: Option<&Outcome>) -> Vec<Said<'_>> {
    outcome.map(Outcome::deciders).unwrap_or_default()
}
