//! Runs one call, stage by stage.
//!
//! Every call ends in exactly one report. The last step of a `CallRun` is [`CallRun::end`]; one that is dropped
//! earlier, because its caller is gone, is recorded as cancelled.

mod after;
mod before;
mod run;

pub(crate) use after::{why_withheld, withheld_by};
pub(crate) use run::{Ran, RanFor, run};

use crate::{
    Call, Ending, Handle, Note, Report, ToolSpec, Tools,
    hooks::{Cancelled, Concerned, HookList},
    pipeline::Recorder,
    report::{Dispatched, Times, notes_of},
    spans::CallSpan,
    toolbox::called,
};
use before::Question;
use checkrein_core::{
    Abilities, Editing, Event, EventName, Outcome, Output, Retry, Stop, ToolCall, ToolKind,
};
use std::{
    mem,
    sync::Arc,
    time::{Duration, Instant},
};

/// One call in progress.
pub(crate) struct CallRun<T: Tools> {
    handle: Handle<T>,
    hooks: Arc<HookList>,
    call: Arc<ToolCall>,
    /// The reason why the input is not an object.
    misfit: Option<String>,
    /// The tool as it was when the call was judged.
    spec: Option<Arc<ToolSpec>>,
    attempt: u32,
    notes: Vec<Note>,
    stop: Option<Stop>,
    /// The request to end the turn that another call of the message caused.
    turn_over: Option<Stop>,
    /// The end of the call if the pending retry is denied: the failed call, and its error text as edited by the
    /// hooks.
    fallback: Option<(Arc<ToolCall>, End)>,
    /// The hooks that rewrote the input. They are not called again on what they left.
    editors: Vec<usize>,
    /// The hooks that allowed the call.
    allowed_by: Vec<usize>,
    /// The questions that were answered with yes.
    approved: Vec<Question>,
    /// True if another call may have changed what the judges of this one looked at.
    stale: bool,
    ready: Option<Instant>,
    times: Option<Times>,
    trail: Vec<Dispatched>,
    recorder: Option<Recorder>,
    span: CallSpan,
}

/// The end of a call.
pub(crate) struct End {
    ending: Ending,
    output: Output,
    withheld: bool,
    /// True if the model should take the output for an error.
    is_error: bool,
}

impl End {
    pub(crate) fn new(ending: Ending, output: impl Into<Output>) -> Self {
        let is_error = !matches!(ending, Ending::Ran | Ending::AnsweredBy(_));
        Self { ending, output: output.into(), withheld: false, is_error }
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

    pub(crate) fn without_runtime() -> Self {
        Self::new(Ending::NotStarted, format!("not started: {}", crate::NO_RUNTIME))
    }
}

/// Tells if the next stage follows.
pub(crate) enum Step {
    GoOn,
    Settled(End),
}

/// The stage after the after-hooks of a call.
#[expect(clippy::large_enum_variant, reason = "a retry is rare, and a report is moved once")]
pub(crate) enum Next<T: Tools> {
    Done(Report),
    /// The call is retried: it was prepared again and is ready to run.
    Again(Box<CallRun<T>>),
}

impl<T: Tools> CallRun<T> {
    pub(crate) fn new(handle: &Handle<T>, call: Call) -> Self {
        let Call { mut call, misfit } = call;
        let spec = handle.shared.tools.tool(called(&call));
        if let Some(spec) = &spec
            && call.kind == ToolKind::Other
        {
            call.kind = spec.kind();
        }
        Self {
            span: CallSpan::new(&call),
            hooks: handle.shared.hooks.list(),
            handle: handle.clone(),
            call: Arc::new(call),
            misfit,
            spec,
            attempt: 1,
            notes: Vec::new(),
            stop: None,
            turn_over: None,
            fallback: None,
            editors: Vec::new(),
            allowed_by: Vec::new(),
            approved: Vec::new(),
            stale: false,
            ready: None,
            times: handle.shared.timed.then(Times::default),
            trail: Vec::new(),
            recorder: handle.shared.recorder.clone(),
        }
    }

    pub(crate) const fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// Prevents every further start, if there is a stop.
    pub(crate) fn end_turn(&mut self, stop: Option<&Stop>) {
        self.turn_over = stop.cloned();
    }

    /// Returns the call, to be run concurrently with others.
    pub(crate) fn call(&self) -> Arc<ToolCall> {
        Arc::clone(&self.call)
    }

    pub(crate) const fn attempt(&self) -> u32 {
        self.attempt
    }

    pub(crate) fn span(&self) -> CallSpan {
        self.span.clone()
    }

    /// Returns true if the call may change something that judges look at.
    pub(crate) fn changes_world(&self) -> bool {
        !self.call.kind.only_reads() && !self.spec.as_ref().is_some_and(|spec| spec.is_read_only())
    }

    /// Returns true if a judge of the call looks at something other than the call.
    pub(crate) fn depends_on_world(&self) -> bool {
        self.hooks.look_at_world(&self.call)
    }

    /// Makes the judges look again before the call starts.
    pub(crate) const fn outdate(&mut self) {
        self.stale = true;
    }

    /// Starts to count the time until a tool of a batch may run.
    pub(crate) fn wait(&mut self) {
        self.ready = self.times.is_some().then(Instant::now);
    }

    /// The call starts.
    pub(crate) fn start(&mut self) {
        self.fallback = None;
        if let (Some(ready), Some(times)) = (self.ready.take(), &mut self.times) {
            times.waited += ready.elapsed();
        }
    }

    /// Takes the call from its preparation to its report.
    pub(crate) async fn whole(mut self) -> Report {
        if let Step::Settled(end) = self.prepare().await {
            return self.end(end);
        }
        let mut call_run = self;
        loop {
            call_run.start();
            let ran = run(&call_run.handle, &call_run.call, call_run.attempt);
            let ran = call_run.span.within(ran).await;
            match call_run.complete(ran).await {
                Next::Done(report) => return report,
                Next::Again(again) => call_run = *again,
            }
        }
    }

    /// Calls the after-hooks, and prepares a retry if a hook requests it and nothing prevents it.
    pub(crate) async fn complete(self, ran: RanFor) -> Next<T> {
        let span = self.span.clone();
        span.within(self.completed(ran)).await
    }

    async fn completed(mut self, ran: RanFor) -> Next<T> {
        if let Some(times) = &mut self.times {
            times.tool += ran.took;
        }
        let (end, retry) = match ran.ran {
            Ran::Answered(output) => (self.succeeded(Ending::Ran, output).await, None),
            Ran::AnsweredBy(who, output) => (self.succeeded(Ending::AnsweredBy(who), output).await, None),
            Ran::Failed(error) => self.failed(error).await,
            Ran::Cancelled => (End::cancelled(), None),
            Ran::NoRuntime => (End::without_runtime(), None),
        };
        let over = self.stop.is_some() || self.turn_over.is_some() || self.handle.cancel.is_cancelled();
        let Some(retry) = retry.filter(|_| !over) else { return Next::Done(self.end(end)) };
        self.fallback = Some((self.call(), end));
        self.attempt += 1;
        self.change_input(retry);
        // The retry is dispatched from the start, so that a failure hook cannot bypass a judge.
        match self.prepared().await {
            Step::Settled(end) => Next::Done(self.end(end)),
            Step::GoOn => Next::Again(Box::new(self)),
        }
    }

    /// Calls the hooks about the call, if the event concerns any, and applies their edits.
    async fn ask(
        &mut self,
        event: fn(ToolCall) -> Event,
        name: EventName,
    ) -> Result<Option<Box<Outcome>>, Cancelled> {
        self.ask_with(event, name).await
    }

    /// Calls the hooks with an event that is made of the call and of something else. An outcome is large, and moving
    /// it through futures costs more than most hooks; so it is in a box.
    async fn ask_with(
        &mut self,
        event: impl FnOnce(ToolCall) -> Event,
        name: EventName,
    ) -> Result<Option<Box<Outcome>>, Cancelled> {
        let began = self.times.is_some().then(Instant::now);
        let mut outcome = match self.hooks.concerned(name, Some(&self.call)) {
            Concerned::None => return Ok(None),
            Concerned::Computing => {
                let outcome = self.ask_now(event);
                if name == EventName::PreToolUse && outcome.is_silent() {
                    return Ok(None);
                }
                Box::new(outcome)
            }
            Concerned::Blocking => {
                // The caller can go away while hooks run elsewhere, and the call must still be here then.
                let payload = self.payload(event((*self.call).clone()));
                let mut outcome = self.hooks.ask_elsewhere(payload, &self.handle.cancel).await?;
                self.keep_edits(&mut outcome.payload.event);
                Box::new(outcome)
            }
        };
        if name == EventName::PermissionRequest {
            // The call was judged; a changed input would have to be judged again.
            outcome = Box::new(outcome.within(Abilities { edit: Editing::Cannot, ..Abilities::ALL }));
        }
        self.heard(&mut outcome, began);
        Ok(Some(outcome))
    }

    /// Calls hooks that do not block. The call is lent to them without a copy, and is back when this returns: nothing
    /// can interrupt a function that is not `async`.
    fn ask_now(&mut self, event: impl FnOnce(ToolCall) -> Event) -> Outcome {
        let lent = mem::take(Arc::make_mut(&mut self.call));
        let event = event(lent);
        if let Event::PermissionRequest { call } = &event {
            // Its edits do not count, so the original stays here.
            *Arc::make_mut(&mut self.call) = call.clone();
        }
        let payload = self.payload(event);
        let mut outcome = self.hooks.ask_briefly(payload);
        self.keep_edits(&mut outcome.payload.event);
        outcome
    }

    fn payload(&self, event: Event) -> checkrein_core::Payload {
        let mut payload = self.handle.payload(event);
        payload.attempt = self.attempt;
        payload
    }

    /// Takes the call back out of an event, as hooks left it.
    fn keep_edits(&mut self, event: &mut Event) {
        if let Event::PreToolUse { call }
        | Event::PermissionDenied { call }
        | Event::PostToolUse { call, .. }
        | Event::PostToolUseFailure { call, .. } = event
        {
            mem::swap(Arc::make_mut(&mut self.call), call);
        }
    }

    /// Keeps the notes, the stop, the trail and the time of a dispatch.
    fn heard(&mut self, outcome: &mut Outcome, began: Option<Instant>) {
        // A hook that is called about one call on several events may repeat itself.
        for note in notes_of(outcome) {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        if self.stop.is_none() {
            self.stop.clone_from(&outcome.stop);
        }
        if let (Some(began), Some(times)) = (began, &mut self.times) {
            times.hooks += began.elapsed();
        }
        if self.times.is_some() {
            let hooks = self.hooks.dispatcher().clone();
            let event = outcome.payload.name();
            self.trail.push(Dispatched::new(event, self.attempt, outcome.trail.clone(), hooks));
        }
    }

    fn spent_on_approval(&mut self, time: Duration) {
        if let Some(times) = &mut self.times {
            times.approval += time;
        }
    }

    fn change_input(&mut self, retry: Retry) {
        match retry {
            Retry::Same => {}
            Retry::With(changes) => {
                let call = Arc::make_mut(&mut self.call);
                if call.original.is_none() {
                    call.original = Some(call.input.clone());
                }
                call.input.extend(changes);
            }
        }
    }

    /// Ends the call and returns its report. If a retry did not run, the original failure counts, with a note; a
    /// cancelled retry cancels the call.
    pub(crate) fn end(mut self, end: End) -> Report {
        match self.fallback.take().filter(|_| end.ending != Ending::Cancelled) {
            None => self.report(end),
            Some((call, failed)) => {
                // The report is about what ran.
                self.call = call;
                self.attempt -= 1;
                let text = format!("the retry was refused: {}", end.output.text());
                self.notes.push(Note { hook: crate::OURS.into(), kind: crate::NoteKind::Context, text });
                self.report(failed)
            }
        }
    }

    fn report(&mut self, end: End) -> Report {
        let call = mem::take(&mut self.call);
        let report = Report {
            call: Arc::try_unwrap(call).unwrap_or_else(|shared| (*shared).clone()),
            attempt: self.attempt,
            ending: end.ending,
            output: end.output,
            withheld: end.withheld,
            is_error: end.is_error,
            stop: self.stop.take(),
            notes: mem::take(&mut self.notes),
            times: self.times.take(),
            trail: mem::take(&mut self.trail),
        };
        self.span.end(&report);
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
