//! Undo: keeps what a call would destroy, after every judge has seen the call and before it runs.
//!
//! The guard asks its keeper last. Where nothing objects to a call, what it takes away is kept, as far as that is possible. Where
//! everything that objects is about something recoverable, all of that must have been kept, completely; then the rule is
//! not raised. A call that will not run is not kept.

mod calls;
mod git;
mod plan;

pub use checkrein_undo::{
    Choice, Conflict, Entry, Head, Kind, Limits, NotKept, Plan, Record, Restored, Role, Status, Store,
    Summary,
};

use crate::{
    Policy,
    builtin::Kept,
    config::undo::UndoSettings,
    secrets,
    state::{
        self,
        claims::{Claim, Claims, EventKey},
    },
    trail::summary_of,
};
use calls::Calls;
use checkrein_core::{Deadline, EventName, Failure, Hook, Outcome, Payload, Verdict};
use checkrein_guard::{CallContext, Judgement, Places, World};
use checkrein_trail::Cleaner;
use checkrein_undo::Keeping;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// The name of the observer.
pub(crate) const NAME: &str = "undo";
/// The longest summary of a call.
const SUMMARY: usize = 200;

/// Returns the store of a policy. `None` if there is no state directory.
pub fn store(policy: &Policy) -> Option<Store> {
    let settings = policy.stack().undo();
    Some(Store::new(directory(policy.state()?)).with_limits(settings.limits))
}

/// Returns the directory of the store below a state directory.
pub fn directory(state: &Path) -> PathBuf {
    state::undo(state)
}

/// Keeps what calls would destroy.
#[derive(Clone, Debug)]
pub(crate) struct Keeper {
    store: Store,
    state: PathBuf,
    settings: UndoSettings,
    /// True if a question that no user would answer is left out, even if others are not.
    pub(crate) relaxes_unattended: bool,
    kept: Option<Kept>,
}

/// The copies for one call, before it is decided if they count.
pub(crate) struct Attempt<'k> {
    keeper: &'k Keeper,
    keeping: Keeping<'k>,
    /// The effects whose loss costs nothing, or for which everything was kept.
    covered: BTreeSet<usize>,
    left_out: Vec<String>,
    /// True if something is deleted, emptied or discarded, and not only written.
    destroys: bool,
}

impl Keeper {
    pub(crate) fn new(state: &Path, settings: UndoSettings, kept: Option<Kept>) -> Self {
        let store = Store::new(directory(state)).with_limits(settings.limits);
        Self { store, state: state.to_owned(), settings, relaxes_unattended: false, kept }
    }

    pub(crate) const fn relaxes(&self) -> bool {
        self.settings.relaxes
    }

    /// Copies what a call would take away. Nothing is kept until the attempt is committed.
    pub(crate) fn attempt(
        &self,
        judgement: &Judgement,
        place: &CallContext,
        world: &dyn World,
    ) -> Option<Attempt<'_>> {
        if judgement.losses.is_empty() {
            return None;
        }
        let places = Places::new(place, world);
        let mut attempt = Attempt {
            keeper: self,
            keeping: self.store.begin(),
            covered: BTreeSet::new(),
            left_out: Vec::new(),
            destroys: false,
        };
        for loss in &judgement.losses {
            let Some(effect) = judgement.effects.get(loss.effect) else { continue };
            attempt.destroys |= plan::destroys(effect);
            match plan::keep(&mut attempt.keeping, effect, loss, judgement, &places) {
                Ok(()) => drop(attempt.covered.insert(loss.effect)),
                Err(why) => attempt.left_out.push(why),
            }
        }
        Some(attempt)
    }

    /// Returns the record that another copy of this program made for the same event, if it has everything that ours has. Then ours
    /// goes: only a whole record may replace another. The other copy lets the call run or forgets its record with a denial, which
    /// holds for both.
    fn first(&self, payload: &Payload, ours: &Summary) -> Option<Summary> {
        let key = EventKey::of(payload)?;
        let Claim::Repeated(id) = Claims::new(&self.state).claim(&key, NAME, &ours.id) else { return None };
        let (first, second) = (self.store.open(&id).ok()??, self.store.open(&ours.id).ok()??);
        let alike = |(one, other): (&Entry, &Entry)| {
            (&one.path, &one.kind, one.role, one.modified)
                == (&other.path, &other.kind, other.role, other.modified)
        };
        let is_whole = first.entries.len() == second.entries.len()
            && first.entries.iter().zip(&second.entries).all(alike)
            && (first.summary.head.relied_on || !ours.head.relied_on);
        // What stays is only kept twice.
        is_whole.then(|| drop(self.store.forget(&ours.id)))?;
        Some(first.summary)
    }

    fn head(&self, payload: &Payload, place: &CallContext, attempt: &[String], relied_on: bool) -> Head {
        let make = || secrets::redactor(Some(&self.state)).ok();
        let cleaner = Cleaner::new(&make);
        let summary = payload.event.call().and_then(summary_of).unwrap_or_default();
        Head {
            session: payload.session.id.clone(),
            summary: cleaner.text(&summary, SUMMARY).into_owned(),
            project: place.project.clone().or_else(|| place.cwd.clone()),
            relied_on,
            restores: None,
            left_out: attempt.iter().map(|why| cleaner.text(why, SUMMARY).into_owned()).collect(),
        }
    }
}

/// Returns true if everything that the findings are about is in the project or in git, and is known exactly.
pub(crate) fn may_relax(judgement: &Judgement) -> bool {
    judgement.is_recoverable()
        && judgement.objected().iter().all(|place| {
            let exact = judgement.losses.iter().any(|loss| loss.effect == *place && loss.exact);
            exact && judgement.effects.get(*place).is_some_and(plan::is_in_project)
        })
}

impl Attempt<'_> {
    /// Returns true if everything that the findings are about was kept.
    pub(crate) fn covers(&self, judgement: &Judgement) -> bool {
        let objected = judgement.objected();
        !objected.is_empty() && objected.iter().all(|place| self.covered.contains(place))
    }

    /// Makes a record of what was kept. Returns the line for the user, if there is something to tell.
    pub(crate) fn commit(
        self,
        payload: &Payload,
        place: &CallContext,
        relied_on: bool,
    ) -> Result<Option<String>, NotKept> {
        let keeper = self.keeper;
        let head = keeper.head(payload, place, &self.left_out, relied_on);
        let Some(summary) = self.keeping.finish(&head)? else { return Ok(None) };
        let tells = self.destroys || relied_on;
        if let Some(first) = keeper.first(payload, &summary) {
            return Ok(tells.then(|| notice(&first)));
        }
        Calls::new(&keeper.state).add(payload, &summary.id);
        if let Some(kept) = &keeper.kept {
            kept.put_undo(summary.id.clone());
        }
        Ok(tells.then(|| notice(&summary)))
    }
}

fn notice(summary: &Summary) -> String {
    let what = match (summary.files, summary.git) {
        (0, false) => "the directories".to_owned(),
        (0, true) => "the state of git".to_owned(),
        (1, false) => "1 file".to_owned(),
        (1, true) => "1 file and the state of git".to_owned(),
        (many, false) => format!("{many} files"),
        (many, true) => format!("{many} files and the state of git"),
    };
    format!("Checkrein kept {what}: checkrein undo {}", summary.id)
}

/// Forgets what was kept for a call that does not run after all.
pub fn forget(policy: &Policy, id: &str) {
    if let Some(store) = store(policy) {
        // What stays is only kept for nothing.
        let _ = store.forget(id);
    }
}

/// Notes the state in which a call left the files of its record, after it ran.
#[derive(Clone, Debug)]
pub(crate) struct AfterCall {
    pub(crate) state: PathBuf,
}

impl AfterCall {
    pub(crate) const EVENTS: [EventName; 2] = [EventName::PostToolUse, EventName::PostToolUseFailure];

    fn note(&self, payload: &Payload) {
        for id in Calls::new(&self.state).take(payload) {
            if let Ok(Some(record)) = Store::new(directory(&self.state)).open(&id) {
                // Without it every file that is there counts as changed since.
                let _ = record.note_after();
            }
        }
    }
}

impl Hook for AfterCall {
    fn name(&self) -> &str {
        NAME
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        self.note(payload);
        Ok(Verdict::abstain())
    }

    fn observe(&self, outcome: &Outcome, _: Deadline<'_>) -> Result<(), Failure> {
        self.note(&outcome.payload);
        Ok(())
    }
}
