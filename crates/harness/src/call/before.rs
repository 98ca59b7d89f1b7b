//! Everything before a call runs: validate, edit, validate again, judge, approve; and judge again, if the world may
//! have changed.

use super::{CallRun, End, Step};
use crate::{
    Approval, Asker, Ending, Note, NoteKind, Request, Subject, ToolSpec, Tools, hooks::Cancelled,
    report::blocked, tool::Needs, toolbox::called,
};
use checkrein_core::{Decision, Event, EventName, HookText, Outcome};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// A question to the approver, as far as it tells one from another.
#[derive(PartialEq, Eq)]
pub(crate) struct Question {
    asker: Asker,
    reasons: Vec<(String, String)>,
}

impl Question {
    fn new(asker: Asker, reasons: &[HookText<'_>]) -> Self {
        let reasons = reasons.iter().map(|said| (said.hook.to_owned(), said.text.to_owned())).collect();
        Self { asker, reasons }
    }
}

impl<T: Tools> CallRun<T> {
    /// Validates, edits, validates again, judges, approves.
    pub(crate) async fn prepare(&mut self) -> Step {
        let span = self.span.clone();
        span.within(self.prepared()).await
    }

    pub(super) async fn prepared(&mut self) -> Step {
        if self.handle.cancel.is_cancelled() {
            return Step::Settled(End::cancelled());
        }
        self.stale = false;
        self.spec = self.handle.shared.tools.tool(called(&self.call));
        let Some(spec) = self.spec.clone() else {
            let text = format!("there is no tool `{}`", called(&self.call));
            return Step::Settled(End::new(Ending::UnknownTool, text));
        };
        let checked = match self.misfit.take() {
            Some(misfit) => Err(misfit),
            None => spec.check_in_place(&mut Arc::make_mut(&mut self.call).input),
        };
        if let Err(why) = checked {
            let text = format!("the input does not fit the tool `{}`: {why}", called(&self.call));
            return Step::Settled(End::new(Ending::InvalidInput, text));
        }
        self.tell_assumption(&spec);
        let outcome = match self.ask(|call| Event::PreToolUse { call }, EventName::PreToolUse).await {
            Ok(outcome) => outcome,
            Err(Cancelled) => return Step::Settled(End::cancelled()),
        };
        let Some(outcome) = outcome else { return self.approve(&spec, Decision::Abstain, None).await };
        let steps = || outcome.trail.iter();
        self.editors = steps().filter(|step| step.change.is_some()).map(|step| step.index).collect();
        let allows = outcome.decision == Decision::Allow;
        let granting = steps().filter(|step| allows && step.decision == Decision::Allow);
        self.allowed_by = granting.map(|step| step.index).collect();
        match self.refused(&outcome) {
            Some(end) => Step::Settled(end),
            None => self.approve(&spec, outcome.decision, Some(&outcome)).await,
        }
    }

    /// Makes sure, right before the call starts, that what its judges saw still holds: another call of the message
    /// may have started since, and the tools may have changed.
    pub(crate) async fn confirm(&mut self) -> Step {
        let span = self.span.clone();
        span.within(self.confirmed()).await
    }

    async fn confirmed(&mut self) -> Step {
        let now = self.handle.shared.tools.tool(called(&self.call));
        let same = matches!((&now, &self.spec), (Some(now), Some(spec)) if Arc::ptr_eq(now, spec));
        if !same {
            // Another tool has this name now, so nothing that was decided holds.
            let call = Arc::make_mut(&mut self.call);
            if let Some(original) = call.original.take() {
                call.input = original;
            }
            return self.prepared().await;
        }
        if !std::mem::take(&mut self.stale) {
            return Step::GoOn;
        }
        let payload = self.payload(Event::PreToolUse { call: (*self.call).clone() });
        let began = self.times.is_some().then(Instant::now);
        let asked = self.hooks.judge_again(payload, &self.editors, &self.handle.cancel).await;
        let (Ok(mut outcome), Some(spec)) = (asked, self.spec.clone()) else {
            return Step::Settled(End::cancelled());
        };
        self.heard(&mut outcome, began);
        if let Some(end) = self.refused(&outcome) {
            return Step::Settled(end);
        }
        let decision = match outcome.decision {
            Decision::Ask => Decision::Ask,
            _ if self.is_still_allowed(&outcome) => Decision::Allow,
            _ => Decision::Abstain,
        };
        self.approve(&spec, decision, Some(&outcome)).await
    }

    /// Returns true if a hook that allowed the call was not called again, or allows it again.
    fn is_still_allowed(&self, again: &Outcome) -> bool {
        let allows = |index: usize| {
            again.trail.iter().any(|step| step.index == index && step.decision == Decision::Allow)
        };
        self.allowed_by.iter().any(|index| !self.hooks.looks(*index) || allows(*index))
    }

    /// Returns the end of a call that hooks do not let run.
    fn refused(&self, outcome: &Outcome) -> Option<End> {
        if outcome.decision == Decision::Deny {
            let ours = self.hooks.denied_by_us(outcome);
            let ending = if ours { Ending::InvalidInput } else { Ending::Denied };
            return Some(End::new(ending, blocked(outcome)));
        }
        // The turn is over, so the call does not start.
        outcome.stop.is_some().then(|| End::not_started(outcome.stop.as_ref()))
    }

    /// Asks for approval of the final input, if needed. A question that was answered is not asked again.
    async fn approve(&mut self, spec: &ToolSpec, decision: Decision, outcome: Option<&Outcome>) -> Step {
        let asker = match (decision, spec.needs()) {
            (Decision::Ask, _) => Asker::Hook,
            (Decision::Abstain, Needs::Approval) => Asker::Host,
            (Decision::Abstain, Needs::Nothing) | (Decision::Allow | Decision::Deny, _) => return Step::GoOn,
        };
        let asked = outcome.filter(|_| asker == Asker::Hook).map(Outcome::deciders).unwrap_or_default();
        let question = Question::new(asker, &asked);
        if self.approved.contains(&question) {
            return Step::GoOn;
        }
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
        let why = asked.iter().map(|said| format!(" ({}: {})", said.hook, said.text)).collect::<String>();
        let (approval, took) = self.question(Subject::Call(&self.call), asker, asked).await;
        self.spent_on_approval(took);
        match approval {
            Ok(Approval::Yes) => {
                self.approved.push(question);
                Step::GoOn
            }
            Ok(Approval::No(reason)) => {
                let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                let _ = self.ask(|call| Event::PermissionDenied { call }, EventName::PermissionDenied).await;
                Step::Settled(End::new(Ending::NotApproved, format!("not approved{reason}{why}")))
            }
            Err(Cancelled) => Step::Settled(End::cancelled()),
        }
    }

    /// Asks the approver, and returns how long that took, if the time counts.
    pub(super) async fn question(
        &self,
        subject: Subject<'_>,
        asker: Asker,
        reasons: Vec<HookText<'_>>,
    ) -> (Result<Approval, Cancelled>, Duration) {
        let (session, agent) = (&*self.handle.session, &*self.handle.agent);
        let began = self.times.is_some().then(Instant::now);
        let answer = self.handle.question(Request { subject, asker, reasons, session, agent }).await;
        (answer, began.map(|began| began.elapsed()).unwrap_or_default())
    }

    /// Tells the user once which argument of a tool of unknown kind is judged, and as what.
    fn tell_assumption(&mut self, spec: &ToolSpec) {
        let shared = &self.handle.shared;
        if spec.is_of_given_kind() || !shared.guarded {
            return;
        }
        let Some((argument, kind)) = self.call.assumed_kind() else { return };
        let name = called(&self.call);
        if shared.assumed.insert(name) {
            let text = format!(
                "the kind of the tool `{name}` is not known; its `{argument}` is judged as that of a {kind} tool \
                 (`ToolSpec::with_kind` sets the kind)"
            );
            self.notes.push(Note { hook: crate::OURS.into(), kind: NoteKind::Notice, text });
        }
    }
}
