//! The trail of `checkrein hook`: which records come before the answer, and which after it.

use checkrein::{
    Edge, Kept, MonitoredDecision, Outcome, Payload, Policy,
    guard::Judgement,
    trail::{self, Decided, Trail, TrailError},
};
use std::{
    mem::ManuallyDrop,
    time::{Duration, Instant},
};

/// The record of one event, until it is written.
pub(crate) struct Recorder {
    /// The process ends after this event, which closes its files and ends its locks at no cost.
    trail: Option<ManuallyDrop<Trail>>,
    kept: Kept,
    judgement: Option<Judgement>,
    monitored: Vec<MonitoredDecision>,
    started: Instant,
    elapsed: Duration,
    alarm: bool,
    is_written: bool,
}

impl Recorder {
    pub(crate) fn of(policy: &Policy, started: Instant) -> Self {
        Self {
            trail: Trail::of(policy).map(ManuallyDrop::new),
            kept: Kept::default(),
            judgement: None,
            monitored: Vec::new(),
            started,
            elapsed: Duration::ZERO,
            alarm: false,
            is_written: false,
        }
    }

    pub(crate) const fn is_on(&self) -> bool {
        self.trail.is_some()
    }

    /// Lets the guard leave its judgement here.
    pub(crate) fn edge<'a>(&'a self, edge: Edge<'a>) -> Edge<'a> {
        edge.keeping(&self.kept)
    }

    /// Gives the event its id, and looks whether it is the result of a call that was denied.
    pub(crate) fn begin(&mut self, payload: &mut Payload) {
        if let Some(trail) = &self.trail {
            payload.id = Some(trail.id());
            self.alarm = trail.is_alarm(payload);
        }
    }

    /// Tells the user if the host ran a call that was denied.
    pub(crate) fn warn(&mut self, outcome: &mut Outcome) {
        self.judgement = self.kept.take();
        self.monitored = self.kept.take_monitored();
        self.elapsed = self.started.elapsed();
        if self.alarm {
            outcome.notify(trail::alarm(&outcome.payload));
        }
    }

    /// Returns the ids of the rules that matched.
    pub(crate) fn rules(&self) -> Vec<String> {
        let findings = self.judgement.iter().flat_map(|judgement| &judgement.findings);
        findings.map(|finding| finding.rule.id.to_string()).collect()
    }

    /// Appends the record if the answer has to wait for it. If the administrator requires the record and it cannot be kept, the
    /// error is the denial that replaces the answer.
    pub(crate) fn before_the_answer(
        &mut self,
        outcome: &Outcome,
        remarks: &mut Vec<String>,
    ) -> Result<(), Box<Outcome>> {
        let Some(trail) = &self.trail else { return Ok(()) };
        let decided = self.decided(outcome);
        if !trail.is_due_first(&decided) {
            return Ok(());
        }
        let appended = trail.append(&decided);
        self.is_written = true;
        match appended {
            Ok(held) => std::mem::forget(held),
            Err(error) => {
                remarks.push(not_kept(&error));
                if trail.is_required() && outcome.payload.name().is_preventable() {
                    let why = format!(
                        "the administrator requires a record of every event, but {}",
                        not_kept(&error)
                    );
                    let mut payload = outcome.payload.clone();
                    payload.id = None;
                    return Err(Box::new(Outcome::refused(payload, why)));
                }
            }
        }
        Ok(())
    }

    /// Appends the record if that has not happened yet.
    pub(crate) fn after_the_answer(&mut self, outcome: &Outcome, remarks: &mut Vec<String>) {
        let Some(trail) = self.trail.as_ref().filter(|_| !self.is_written) else { return };
        match trail.append(&self.decided(outcome)) {
            Ok(held) => std::mem::forget(held),
            Err(error) => remarks.push(not_kept(&error)),
        }
    }

    fn decided<'a>(&'a self, outcome: &'a Outcome) -> Decided<'a> {
        Decided {
            judgement: self.judgement.as_ref(),
            elapsed: Some(self.elapsed),
            alarm: self.alarm,
            monitored: &self.monitored,
            ..Decided::new(outcome)
        }
    }
}

/// Returns the remark about a record that is not kept.
pub(crate) fn not_kept(error: &TrailError) -> String {
    format!("the record of this event was not kept: {error}")
}
