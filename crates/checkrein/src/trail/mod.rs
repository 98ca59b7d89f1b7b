//! The trail at the edge: what is kept of an outcome, and when.
//!
//! This is not a hook. The caller asks for an [`id`](Trail::id) before it answers, so that the answer can name it. It
//! appends the record of a denial, a question, an edit or a relaxed call before it writes the answer, and every other
//! record afterwards ([`is_due_first`](Trail::is_due_first)). So a user who sees a denial finds its record.

mod summary;

pub(crate) use summary::of as summary_of;

pub use checkrein_trail::{
    Backwards, Break, BreakKind, Cleaner, Filter, Forwards, Hash, Held, Honored, HookRecord, Level, Newest,
    Reader, Record, Report, Retention, SinceError, Store, Stored, Sync, TrailError, format_time, is_network,
    local_day, since, verify,
};

use crate::{
    MonitoredDecision, Policy,
    config::trail::TrailSettings,
    secrets::{self, Key, Redactor},
    state,
};
use checkrein_core::SmallSort as _;
use checkrein_core::{Decision, EventId, EventName, Map, Outcome, Payload, ToolCall};
use checkrein_guard::{Effect, Judgement, Target};
use checkrein_trail::{Draft, HookEntry, hash, hex, input_text};
use rustix::fd::OwnedFd;
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

/// The trail of a user on this machine.
pub struct Trail {
    store: Store,
    state: PathBuf,
    settings: TrailSettings,
    policy: String,
    /// The key of digests, and the file that it came from: to close that costs more than to keep it.
    key: OnceLock<Option<(Key, Option<OwnedFd>)>>,
}

impl fmt::Debug for Trail {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Trail")
            .field("store", &self.store)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// A decided event.
#[derive(Clone, Copy, Debug)]
pub struct Decided<'a> {
    /// The outcome, as the host is told.
    pub outcome: &'a Outcome,
    /// The guard's judgement of the call.
    pub judgement: Option<&'a Judgement>,
    /// The time that it took.
    pub elapsed: Option<Duration>,
    /// True if it is the result of a call that was denied.
    pub alarm: bool,
    /// The decisions of hooks without monitor mode.
    pub monitored: &'a [MonitoredDecision],
    /// The id of what was kept for undo.
    pub undo: Option<&'a str>,
    /// The hash of the input as the host sent it, if it is known ([`EventKey::input`](crate::claims::EventKey::input)).
    pub input: Option<Hash>,
}

impl<'a> Decided<'a> {
    /// Creates it from an outcome alone, without a judgement, a time or an alarm.
    pub const fn new(outcome: &'a Outcome) -> Self {
        Self {
            outcome,
            judgement: None,
            elapsed: None,
            alarm: false,
            monitored: &[],
            undo: None,
            input: None,
        }
    }

    /// Returns true if a rule matched and the call is neither denied nor asked about: an exception or a permission
    /// covers it.
    fn is_relaxed(&self) -> bool {
        self.judgement.is_some_and(|judgement| {
            !judgement.suppressed.is_empty() || judgement.decision > self.outcome.decision
        })
    }

    /// Returns what would have been decided without monitor mode, and why, if that is stricter than what was decided.
    fn would(&self) -> Option<(Decision, String)> {
        let findings = self.judgement.map(|judgement| judgement.monitored.as_slice()).unwrap_or_default();
        let rules = findings.iter().map(|finding| (finding.rule.decision, finding.rule.reason.to_string()));
        let hooks = self.monitored.iter().map(|by| (by.decision, format!("{}: {}", by.hook, by.reason)));
        let mut all: Vec<(Decision, String)> = rules.chain(hooks).collect();
        // The first of the strictest.
        all.small_sort_by_key(|(decision, _)| std::cmp::Reverse(*decision));
        all.into_iter().next().filter(|(decision, _)| *decision > self.outcome.decision)
    }
}

/// Returns the directory of the trail below a state directory.
pub fn directory(state: &Path) -> PathBuf {
    state::trail(state)
}

/// Returns the text that a user sees if a host ran a call that was denied.
pub fn alarm(payload: &Payload) -> String {
    let host = payload.host.name.as_deref().unwrap_or("the host");
    format!(
        "ALARM: {host} ran a call that checkrein had denied; run `checkrein doctor` and `checkrein log --verify`"
    )
}

impl Trail {
    /// The trail of a policy. `None` if it is off, or if there is no state directory.
    pub fn of(policy: &Policy) -> Option<Self> {
        let mut trail = Self::at(policy.state()?, policy.stack().trail())?;
        trail.policy = policy.stack().policy_hash();
        Some(trail)
    }

    /// The trail below a state directory, without a policy: for a configuration that is broken, and for programs that have
    /// none. `None` if the settings say that nothing is kept.
    pub fn at(state: &Path, settings: TrailSettings) -> Option<Self> {
        (settings.level > Level::Off).then(|| Self {
            store: Store::new(state::trail(state))
                .with_retention(settings.retention)
                .with_sync(settings.sync),
            state: state.to_owned(),
            settings,
            policy: "none".to_owned(),
            key: OnceLock::new(),
        })
    }

    /// Returns a new id for an event.
    pub fn id(&self) -> EventId {
        checkrein_trail::next_id()
    }

    /// Returns the name of the policy that decides, which changes with every change of it.
    pub fn policy(&self) -> &str {
        &self.policy
    }

    /// Returns the store of the records.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Returns true if a call is denied when its record cannot be kept.
    pub const fn is_required(&self) -> bool {
        self.settings.required
    }

    /// Returns true if an event is the result of a call that was denied, and forgets that.
    pub fn is_alarm(&self, payload: &Payload) -> bool {
        let call = payload.event.call().and_then(|call| call.id.as_deref());
        payload.name() == EventName::PostToolUse
            && call.is_some_and(|call| self.store.was_denied(session(payload), call))
    }

    /// Returns true if the record is appended before the answer is written.
    pub fn is_due_first(&self, decided: &Decided<'_>) -> bool {
        let outcome = decided.outcome;
        self.settings.required
            || matches!(outcome.decision, Decision::Ask | Decision::Deny)
            || outcome.stop.is_some()
            || outcome.is_edited()
            || decided.alarm
            || decided.is_relaxed()
            || decided.would().is_some()
    }

    /// Appends the record of an event. An event without an id is not kept.
    ///
    /// # Errors
    ///
    /// If it is not kept.
    pub fn append(&self, decided: &Decided<'_>) -> Result<Option<Held>, TrailError> {
        let Some(id) = decided.outcome.payload.id else { return Ok(None) };
        let make = || secrets::redactor(Some(&self.state)).ok();
        let cleaner = Cleaner::new(&make);
        let line = self.draft(id, decided).line(self.settings.level, &cleaner);
        let held = self.store.append(&line)?;
        self.note_denied(decided.outcome);
        Ok(Some(held))
    }

    /// Remembers a denied call until its result arrives, which must not happen.
    fn note_denied(&self, outcome: &Outcome) {
        let payload = &outcome.payload;
        let prevents = outcome.decision == Decision::Deny && payload.name().is_preventable();
        if let Some(call) = payload.event.call().and_then(|call| call.id.as_deref()).filter(|_| prevents) {
            self.store.note_denied(session(payload), call);
        }
    }

    fn draft<'a>(&'a self, id: EventId, decided: &Decided<'a>) -> Draft<'a> {
        let outcome = decided.outcome;
        let payload = &outcome.payload;
        let call = payload.event.call();
        let hooks = outcome.trail.iter().map(|step| HookEntry {
            name: outcome.hook(step),
            decision: step.decision,
            micros: step.elapsed.map(micros),
        });
        let would = decided.would();
        let findings = decided.judgement.map(|judgement| judgement.findings.as_slice()).unwrap_or_default();
        let monitored = decided.judgement.map(|judgement| judgement.monitored.as_slice()).unwrap_or_default();
        let mut rules: Vec<String> = Vec::new();
        for finding in findings.iter().chain(monitored) {
            if !rules.iter().any(|known| *known == finding.rule.id) {
                rules.push(finding.rule.id.to_string());
            }
        }
        let tells = self.settings.level >= Level::Summary;
        let effects = decided.judgement.map(|judgement| judgement.effects.as_slice()).unwrap_or_default();
        Draft {
            id,
            host: payload.host.name.as_deref(),
            version: env!("CARGO_PKG_VERSION"),
            session: payload.session.id.as_deref(),
            agent: payload.agent.id.as_deref(),
            parent: payload.agent.lineage.last().map(String::as_str),
            event: payload.name().as_str(),
            tool: call.map(|call| call.name.as_str()),
            call: call.and_then(|call| call.id.as_deref()),
            summary: call.and_then(summary::of),
            before: call.filter(|_| outcome.is_edited()).and_then(|call| {
                let mut original = call.clone();
                original.input = call.original_input().clone();
                let before = summary::of(&original);
                before.filter(|before| summary::of(call).as_ref() != Some(before))
            }),
            effects: effects.iter().filter(|_| tells).map(ToString::to_string).collect(),
            bare_effects: effects.iter().filter(|_| !tells).map(bare).collect(),
            decision: would.as_ref().map_or(outcome.decision, |(decision, _)| *decision),
            rules,
            monitor: would.is_some(),
            reason: would.map_or_else(|| reason(outcome), |(_, reason)| Some(reason)),
            hooks: hooks.collect(),
            micros: decided.elapsed.map(micros),
            edited: outcome.is_edited(),
            cwd: payload.session.cwd.as_deref(),
            policy: &self.policy,
            undo: decided.undo,
            digests: self.digests(call, outcome.is_edited(), decided.input),
            input: call.map(|call| &call.input),
            alarm: decided.alarm,
        }
    }

    /// Returns the digest of the input as the host sent it, and of the one that runs, if that is another one.
    fn digests(
        &self,
        call: Option<&ToolCall>,
        edited: bool,
        input: Option<Hash>,
    ) -> Option<(String, Option<String>)> {
        let call = call?;
        let first = match input {
            Some(input) => self.digest_of(&input)?,
            None => self.digest(call.original_input())?,
        };
        let last = if edited { self.digest(&call.input) } else { None };
        Some((first, last))
    }

    /// Returns the digest of an input, by which it is found in the trail. `None` if this machine has no key.
    pub fn digest(&self, input: &Map) -> Option<String> {
        self.digest_of(&hash(&input_text(input)))
    }

    /// Returns the digest of an input with this hash. Two steps, so that a long input is hashed once for all purposes.
    fn digest_of(&self, input: &Hash) -> Option<String> {
        let (key, _) = self.key.get_or_init(|| secrets::digest_key(&self.state)).as_ref()?;
        key.keyed_hash(input).first_chunk::<16>().map(|half| hex(half))
    }

    /// Returns a redactor with the key of this machine.
    pub fn redactor(&self) -> Option<Redactor> {
        secrets::redactor(Some(&self.state)).ok()
    }
}

fn session(payload: &Payload) -> &str {
    payload.session.id.as_deref().unwrap_or_default()
}

fn micros(elapsed: Duration) -> u64 {
    u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
}

/// Returns the reason of the decision; if there is none, what the user was told.
fn reason(outcome: &Outcome) -> Option<String> {
    let reason = outcome.reason();
    if !reason.is_empty() {
        return Some(reason);
    }
    outcome.notices().first().map(|notice| format!("{}: {}", notice.hook, notice.text))
}

/// Returns an effect without what it is done to.
fn bare(effect: &Effect) -> String {
    match &effect.target {
        Target::Path(path) => format!("{} {}", effect.action, path.zone),
        Target::Host(_) | Target::Name(_) | Target::Nothing => effect.action.to_string(),
    }
}
