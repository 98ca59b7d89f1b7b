//! The trail of `checkrein hook`: which records come before the answer, and which after it.

use checkrein::{
    Decision, Edge, Kept, MonitoredDecision, Outcome, Payload, Policy,
    claims::{Claim, Claims, EventKey},
    guard::Judgement,
    trail::{self, Decided, Hash, Trail, TrailError},
    undo,
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
    undo: Option<String>,
    started: Instant,
    elapsed: Duration,
    alarm: bool,
    is_written: bool,
    claims: Option<Claims>,
    /// The hash of the input, which recognises an event and which its digest is made of.
    input: Option<Hash>,
}

impl Recorder {
    pub(crate) fn of(policy: &Policy, started: Instant) -> Self {
        Self {
            claims: policy.state().map(Claims::new),
            trail: Trail::of(policy).map(ManuallyDrop::new),
            kept: Kept::default(),
            judgement: None,
            monitored: Vec::new(),
            undo: None,
            started,
            elapsed: Duration::ZERO,
            alarm: false,
            is_written: false,
            input: None,
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
        self.undo = self.kept.take_undo();
        self.elapsed = self.started.elapsed();
        if self.alarm {
            outcome.notify(trail::alarm(&outcome.payload));
        }
        self.join(outcome);
    }

    /// Joins the answer of another copy of this program about the same event, which is registered as well: it has the record,
    /// and has told the user. A stricter answer, an alarm, and a record that the administrator requires are kept in any case.
    fn join(&mut self, outcome: &mut Outcome) {
        let is_required = self.trail.as_ref().is_some_and(|trail| trail.is_required());
        let weight = weight(outcome);
        // Without a trail only what the user is told can happen twice.
        let is_twice = outcome.payload.id.is_some() || weight > 0;
        let (Some(claims), true) = (&self.claims, is_twice && !self.alarm && !is_required) else { return };
        let Some(key) = EventKey::of(&outcome.payload) else { return };
        self.input = key.input();
        let id = outcome.payload.id.map(|id| id.to_string()).unwrap_or_default();
        let note = [weight.to_string().as_str(), " ", &id].concat();
        if let Claim::Repeated(first) = claims.claim(&key, PURPOSE, &note)
            && let Some((other, id)) = first.split_once(' ')
            && other.parse::<u8>().is_ok_and(|other| weight <= other)
            && (outcome.payload.id.is_none() || !id.is_empty())
        {
            outcome.payload.id = id.parse().ok();
            outcome.is_repeated = true;
            self.is_written = true;
        }
        // A host may call the next copy with the input that this one has rewritten.
        if outcome.is_edited()
            && let Some(key) = EventKey::of_final_input(&outcome.payload)
        {
            claims.claim(&key, PURPOSE, &note);
        }
    }

    /// Forgets what was kept for a call that does not run after all.
    pub(crate) fn forget_unless_it_runs(&mut self, policy: &Policy, outcome: &Outcome) {
        if outcome.decision == Decision::Deny
            && let Some(id) = self.undo.take()
        {
            undo::forget(policy, &id);
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
        if self.is_written || !trail.is_due_first(&decided) {
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
            undo: self.undo.as_deref(),
            input: self.input,
            ..Decided::new(outcome)
        }
    }
}

/// The purpose of our claims.
const PURPOSE: &str = "trail";

/// Returns how much an answer changes: another copy that answers less has nothing to add.
fn weight(outcome: &Outcome) -> u8 {
    let decision = match outcome.decision {
        Decision::Abstain => 0,
        Decision::Allow => 1,
        Decision::Ask => 2,
        Decision::Deny => 3,
    };
    decision * 2 + u8::from(outcome.is_edited() || outcome.stop.is_some())
}

/// Returns the remark about a record that is not kept.
pub(crate) fn not_kept(error: &TrailError) -> String {
    format!("the record of this event was not kept: {error}")
}
