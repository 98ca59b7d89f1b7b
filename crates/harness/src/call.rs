//! Runs one call, stage by stage.
//!
//! Every call ends in exactly one report. The last step of a `CallRun` is [`CallRun::end`]; one that is dropped
//! earlier, because its caller is gone, is recorded as cancelled.

mod after;
mod run;

pub(crate) use run::{Ran, run};

use crate::{
    Approval, Asker, Ending, Handle, Note, Report, Request, Subject, ToolSpec, Tools,
    approve::reasons,
    hooks::Cancelled,
    pipeline::Recorder,
    report::{blocked, notes_of},
    tool::Needs,
    toolbox::called,
};
use checkrein::{
    Abilities, Decision, Editing, Event, EventName, Outcome, Output, Retry, Stop, ToolCall, ToolKind,
};
use std::{mem, sync::Arc};
use tokio::sync::Semaphore;

/// One call in progress.
pub(crate) struct CallRun<T: Tools> {
    handle: Handle<T>,
    /// Taken out only while hooks that do not block are called, which cannot be interrupted.
    call: Arc<ToolCall>,
    attempt: u32,
    notes: Vec<Note>,
    stop: Option<Stop>,
    /// The request to end the turn that another call of the message caused.
    turn_over: Option<Stop>,
    /// The end of the call if the pending retry is denied: the failed call, and its error text as edited by the
    /// hooks.
    fallback: Option<(Arc<ToolCall>, End)>,
    recorder: Option<Recorder>,
}

/// The end of a call.
pub(crate) struct End {
    ending: Ending,
    output: Output,
    withheld: bool,
}

impl End {
    pub(crate) fn new(ending: Ending, output: impl Into<Output>) -> Self {
        Self { ending, output: output.into(), withheld: false }
    }

    pub(crate) fn cancelled() -> Self {
        Self::new(Ending::Cancelled, "cancelled")
    }

    pub(crate) fn not_started(stop: Option<&Stop>) -> Self {
        let text = stop.map_or_else(
            || "not started: the turn was ended".to_owned(),
            |stop| format!("not started: {} ended the turn: {}", stop.hook, stop.reason),
        );
        Self::new(Ending::NotStarted, text)
    }
}

/// Tells if the next stage follows.
pub(crate) enum Step {
    GoOn,
    Settled(End),
}

impl<T: Tools> CallRun<T> {
    pub(crate) fn new(handle: &Handle<T>, mut call: ToolCall) -> Self {
        if let Some(spec) = handle.shared.tools.tool(called(&call))
            && call.kind == ToolKind::Other
        {
            call.kind = spec.kind();
        }
        Self {
            handle: handle.clone(),
            call: Arc::new(call),
            attempt: 1,
            notes: Vec::new(),
            stop: None,
            turn_over: None,
            fallback: None,
            recorder: handle.shared.recorder.clone(),
        }
    }

    pub(crate) const fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// Prevents every further start, if there is a stop.
    pub(crate) fn is_stopped_by(&mut self, stop: Option<&Stop>) {
        self.turn_over = stop.cloned();
    }

    /// Returns the call, to be run concurrently with others.
    pub(crate) fn call(&self) -> Arc<ToolCall> {
        Arc::clone(&self.call)
    }

    /// Validates, edits, validates again, judges, approves.
    pub(crate) async fn prepare(&mut self) -> Step {
        if self.handle.cancel.is_cancelled() {
            return Step::Settled(End::cancelled());
        }
        let tools = Arc::clone(&self.handle.shared.tools);
        let Some(spec) = tools.tool(called(&self.call)) else {
            let text = format!("there is no tool `{}`", called(&self.call));
            return Step::Settled(End::new(Ending::UnknownTool, text));
        };
        if let Err(why) = spec.check_in_place(&mut self.call_mut().input) {
            let text = format!("the input does not fit the tool `{}`: {why}", called(&self.call));
            return Step::Settled(End::new(Ending::InvalidInput, text));
        }
        let outcome = match self.ask(|call| Event::PreToolUse { call }, EventName::PreToolUse).await {
            Ok(outcome) => outcome,
            Err(Cancelled) => return Step::Settled(End::cancelled()),
        };
        match outcome {
            Some(outcome) if outcome.decision == Decision::Deny => {
                let ours = self.handle.shared.hooks.denied_by_us(&outcome);
                let ending = if ours { Ending::InvalidInput } else { Ending::Denied };
                Step::Settled(End::new(ending, blocked(&outcome)))
            }
            // The turn is over, so the call does not start.
            Some(outcome) if outcome.stop.is_some() => Step::Settled(End::not_started(outcome.stop.as_ref())),
            outcome => self.approve(spec, outcome.as_ref()).await,
        }
    }

    /// Asks for approval of the final input, if needed.
    async fn approve(&mut self, spec: &ToolSpec, outcome: Option<&Outcome>) -> Step {
        let decision = outcome.map_or(Decision::Abstain, |outcome| outcome.decision);
        let asker = match (decision, spec.needs()) {
            (Decision::Ask, _) => Asker::Hook,
            (Decision::Abstain, Needs::Approval) => Asker::Host,
            (Decision::Abstain, Needs::Nothing) | (Decision::Allow | Decision::Deny, _) => return Step::GoOn,
        };
        // The user is about to be asked; hooks may answer instead.
        let request = self.ask(|call| Event::PermissionRequest { call }, EventName::PermissionRequest).await;
        match request {
            Err(Cancelled) => return Step::Settled(End::cancelled()),
            Ok(Some(said)) if said.decision == Decision::Deny => {
                return Step::Settled(End::new(Ending::Denied, blocked(&said)));
            }
            Ok(Some(said)) if said.stop.is_some() => {
                return Step::Settled(End::not_started(said.stop.as_ref()));
            }
            // An `allow` answers the host's question, not that of another hook.
            Ok(Some(said)) if said.decision == Decision::Allow && asker == Asker::Host => return Step::GoOn,
            Ok(_) => {}
        }
        let asked = reasons(outcome.filter(|_| asker == Asker::Hook));
        let why = asked.iter().map(|said| format!(" ({}: {})", said.hook, said.text)).collect::<String>();
        let approval = self.question(Subject::Call(&self.call), asker, asked).await;
        match approval {
            Ok(Approval::Yes) => Step::GoOn,
            Ok(Approval::No(reason)) => {
                let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                let _ = self.ask(|call| Event::PermissionDenied { call }, EventName::PermissionDenied).await;
                Step::Settled(End::new(Ending::NotApproved, format!("not approved{reason}{why}")))
            }
            Err(Cancelled) => Step::Settled(End::cancelled()),
        }
    }

    async fn question(
        &self,
        subject: Subject<'_>,
        asker: Asker,
        reasons: Vec<checkrein::HookText<'_>>,
    ) -> Result<Approval, Cancelled> {
        let (session, agent) = (&*self.handle.session, &*self.handle.agent);
        self.handle.question(Request { subject, asker, reasons, session, agent }).await
    }

    /// Runs the call, or an override of the tool.
    pub(crate) async fn run(&self) -> Ran {
        run(&self.handle, &self.call, self.attempt).await
    }

    /// Calls the after-hooks, and retries if a hook requests it and nothing prevents it.
    pub(crate) async fn complete(mut self, mut ran: Ran, slots: Option<&Semaphore>) -> Report {
        loop {
            let (end, retry) = match ran {
                Ran::Answered(output) => (self.succeeded(Ending::Ran, output).await, None),
                Ran::AnsweredBy(who, output) => (self.succeeded(Ending::AnsweredBy(who), output).await, None),
                Ran::Failed(error) => self.failed(error).await,
                Ran::Cancelled => (End::cancelled(), None),
                Ran::NotStarted => (End::not_started(self.turn_over.as_ref()), None),
            };
            let over = self.stop.is_some() || self.turn_over.is_some() || self.handle.cancel.is_cancelled();
            let Some(retry) = retry.filter(|_| !over) else { return self.end(end) };
            self.fallback = Some((self.call(), end));
            self.attempt += 1;
            self.change_input(retry);
            // The retry is dispatched from the start, so that a failure hook cannot bypass a judge.
            if let Step::Settled(end) = self.prepare().await {
                return self.end_of_refused_retry(end);
            }
            // A slot is released whenever another call finishes, so this wait ends.
            let _slot = match slots {
                Some(slots) => slots.acquire().await.ok(),
                None => None,
            };
            self.fallback = None;
            ran = self.run().await;
        }
    }

    /// Ends a call whose retry did not run. A cancelled retry cancels the call. Any other denial keeps the original
    /// failure and adds a note.
    fn end_of_refused_retry(mut self, refused: End) -> Report {
        let Some((call, end)) = self.fallback.take().filter(|_| refused.ending != Ending::Cancelled) else {
            return self.end(refused);
        };
        // The report is about what ran.
        self.call = call;
        self.attempt -= 1;
        let text = format!("the retry was refused: {}", refused.output.text());
        self.notes.push(Note { hook: crate::OURS.into(), kind: crate::NoteKind::Context, text });
        self.end(end)
    }

    /// Calls the hooks about the call, if the event concerns any, and applies their edits.
    async fn ask(
        &mut self,
        event: impl FnOnce(ToolCall) -> Event,
        name: EventName,
    ) -> Result<Option<Outcome>, Cancelled> {
        let hooks = &self.handle.shared.hooks;
        if !hooks.concerns(name, Some(&self.call)) {
            return Ok(None);
        }
        // A blocking hook can be interrupted, and then the call must still be here. A permission request is about a
        // call that was judged.
        let judged = name == EventName::PermissionRequest;
        let keep = judged || hooks.may_block(name, Some(&self.call));
        let call = if keep { (*self.call).clone() } else { mem::take(self.call_mut()) };
        let mut payload = self.handle.payload(event(call));
        payload.attempt = self.attempt;
        let mut outcome = self.handle.shared.hooks.ask(payload, &self.handle.cancel).await?;
        if judged {
            // A changed input would have to be judged again.
            outcome = outcome.within(Abilities { edit: Editing::Cannot, ..Abilities::ALL });
        } else if let Some(call) = call_of(&mut outcome.payload.event) {
            mem::swap(self.call_mut(), call);
        }
        // A hook that is called about one call on several events may repeat itself.
        for note in notes_of(&outcome) {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        if self.stop.is_none() {
            self.stop.clone_from(&outcome.stop);
        }
        Ok(Some(outcome))
    }

    fn call_mut(&mut self) -> &mut ToolCall {
        Arc::make_mut(&mut self.call)
    }

    fn change_input(&mut self, retry: Retry) {
        match retry {
            Retry::Same => {}
            Retry::With(changes) => {
                let call = self.call_mut();
                if call.original.is_none() {
                    call.original = Some(call.input.clone());
                }
                call.input.extend(changes);
            }
        }
    }

    /// Ends the call and returns its report.
    pub(crate) fn end(mut self, end: End) -> Report {
        self.report(end)
    }

    fn report(&mut self, end: End) -> Report {
        let call = mem::take(&mut self.call);
        let report = Report {
            call: Arc::try_unwrap(call).unwrap_or_else(|shared| (*shared).clone()),
            attempt: self.attempt,
            ending: end.ending,
            output: end.output,
            withheld: end.withheld,
            stop: self.stop.take(),
            notes: mem::take(&mut self.notes),
        };
        if let Some(record) = self.recorder.take() {
            record(&report);
        }
        report
    }
}

impl<T: Tools> Drop for CallRun<T> {
    fn drop(&mut self) {
        if self.recorder.is_some() {
            // The caller is gone: the call is still recorded with a complete report.
            let _ = self.report(End::cancelled());
        }
    }
}

const fn call_of(event: &mut Event) -> Option<&mut ToolCall> {
    match event {
        Event::PreToolUse { call }
        | Event::PermissionDenied { call }
        | Event::PostToolUse { call, .. }
        | Event::PostToolUseFailure { call, .. } => Some(call),
        _ => None,
    }
}
