//! Approval of a call by a user or a policy, on exactly the input that will run.

use checkrein_core::{Agent, HookText, Output, Payload, Session, ToolCall};
use std::{future::Future, pin::Pin};

/// The subject of an approval.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A call, with the input that would run. [`ToolCall::original`] has the input of the model, if a hook changed
    /// it.
    Call(&'a ToolCall),
    /// A result that a hook wants approved before the model sees it.
    Output(&'a ToolCall, &'a Output),
    /// A prompt.
    Prompt(&'a str),
    /// Any other event that a hook wants approved before it happens.
    Event(&'a Payload),
}

/// The source of an approval request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// The host: the tool needs approval.
    Host,
    /// A hook.
    Hook,
}

/// An approval request.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The subject of the request.
    pub subject: Subject<'a>,
    /// The source of the request.
    pub asker: Asker,
    /// The reasons of the hooks; empty if only the host asks.
    pub reasons: Vec<HookText<'a>>,
    /// The session.
    pub session: &'a Session,
    /// The agent that makes the call.
    pub agent: &'a Agent,
}

/// The answer to an approval request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approval {
    /// Approved.
    Yes,
    /// Not approved, with an optional reason.
    No(Option<String>),
}

impl Approval {
    /// Not approved, without a reason.
    pub const NO: Self = Self::No(None);
}

/// An approver: a user at a terminal, a policy, a remote service.
///
/// Requests of one batch come one after another, in the order of the message. A panic, or a cancellation while the
/// answer is pending, counts as a no.
pub trait Approver: Send + Sync + 'static {
    /// Answers a request.
    fn approve(&self, request: &Request<'_>) -> impl Future<Output = Approval> + Send;
}

/// Creates an approver from a synchronous function, for example a policy.
///
/// ```
/// use checkrein_harness::{Approval, Request, policy};
/// let unattended = policy(|_: &Request<'_>| Approval::No(Some("no user is there".into())));
/// ```
pub const fn policy<F>(answer: F) -> Policy<F>
where
    F: Fn(&Request<'_>) -> Approval + Send + Sync + 'static,
{
    Policy(answer)
}

/// An approver made by [`policy`].
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
