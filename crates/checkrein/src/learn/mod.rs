//! Memory of failures: which commands failed in a project, and which worked in their place.
//!
//! | file | what it is about |
//! | --- | --- |
//! | `vocabulary.rs` | the words that may be remembered |
//! | `outline.rs` | a command in these words |
//! | `result.rs` | whether a call failed, and how, as one of a few kinds |
//! | `session.rs` | the failures of a session that nothing has answered yet |
//! | `lesson.rs` | a failure, and the command that worked |
//! | `store.rs` | the lessons of each project |
//! | `shared.rs` | lessons that a project shares |
//!
//! What is kept comes into every later session, so it must not carry words from one to the other: an output or a prompt could leave
//! instructions there. Everything is therefore of closed lists, and is read back through the same lists. A command is only
//! named if the guard, asked again at that moment, does not object to it. Nothing here can deny or ask.

mod lesson;
mod outline;
mod result;
mod session;
mod shared;
mod store;
mod vocabulary;

pub use lesson::Lesson;
pub use result::FailureKind;
pub use shared::{SHARED_FILE, shared_file, shared_text};
pub use store::{Memory, ProjectMemory};

use crate::{
    Policy,
    builtin::Disk,
    state::{self, session_file},
};
use checkrein_core::{
    Deadline, Decision, Event, EventName, Failure, Hook, Map, Outcome, Payload, ToolCall, Verdict,
};
use checkrein_guard::{CachedWorld, CallContext, ToolCommand, call_context};
use outline::Outline;
use result::CallResult;
use session::SessionFailures;
use std::path::{Path, PathBuf};

/// The name of the hooks.
pub(crate) const NAME: &str = "learn";

/// Returns the memory of a policy. `None` if there is no state directory.
pub fn memory(policy: &Policy) -> Option<Memory> {
    Some(Memory::new(policy.state()?, policy.stack().learning().days))
}

/// The facts that both hooks work with.
#[derive(Clone, Debug)]
pub(crate) struct Learning {
    pub(crate) policy: Policy,
    pub(crate) state: PathBuf,
    pub(crate) days: u32,
}

/// A shell call, as far as it can be remembered.
struct Tried {
    outline: Outline,
    project: PathBuf,
}

impl Learning {
    /// Returns the project of a call.
    fn project(place: &CallContext) -> Option<PathBuf> {
        place.project.as_ref().or(place.cwd.as_ref()).map(PathBuf::from)
    }

    fn tried(payload: &Payload) -> Option<Tried> {
        let call = payload.event.call()?;
        let ToolCommand::Shell(text) = ToolCommand::of(call)? else { return None };
        let world = CachedWorld::new(&Disk);
        let place = call_context(call, payload, &world);
        Some(Tried { outline: Outline::of(text, &place, &world)?, project: Self::project(&place)? })
    }

    fn memory(&self) -> Memory {
        Memory::new(&self.state, self.days)
    }

    /// Returns true if every project here is trusted, and the guard does not object to a call. An event after a call has read no
    /// rules, so all files are read again.
    fn passes(&self, call: ToolCall, payload: &Payload) -> bool {
        let Some(policy) = self.policy.whole().filter(|policy| policy.stack().trusts_projects()) else {
            return false;
        };
        let mut asked = Payload::new(Event::PreToolUse { call });
        asked.session = payload.session.clone();
        policy.guard().judgement(&asked).is_some_and(|judgement| {
            matches!(judgement.decision, Decision::Abstain | Decision::Allow)
                && judgement.monitored.is_empty()
        })
    }

    /// Learns from a call that has ended.
    fn learn(&self, payload: &Payload) {
        let result = CallResult::of(payload);
        let (Some(session), Some(call)) = (payload.session.id.as_deref(), payload.event.call()) else {
            return;
        };
        let world = CachedWorld::new(&Disk);
        let Some(project) = Self::project(&call_context(call, payload, &world)) else { return };
        let mut session = SessionFailures::open(&self.state, session, &project);
        if session.failures.is_empty()
            && result == CallResult::Worked
            && self.memory().of(&project).is_empty()
        {
            return;
        }
        session.count();
        if let Some(tried) = Self::tried(payload) {
            match result {
                CallResult::Failed(kind) => session.add(tried.outline, kind),
                CallResult::Worked => self.worked(&mut session, &tried, payload, call),
                CallResult::Unknown => {}
            }
        }
        session.save();
    }

    fn worked(&self, session: &mut SessionFailures, tried: &Tried, payload: &Payload, call: &ToolCall) {
        let (memory, outline) = (self.memory(), &tried.outline);
        // A command that works again is no longer a failure.
        session.failures.retain(|failed| failed.outline.text() != outline.text());
        let _ = memory
            .forget(&tried.project, |lesson| lesson.failed == outline.text() && lesson.is_about(outline));
        let lesson = session.failures.iter().position(|failed| {
            // A test that failed may pass because the code was changed, and not because of another command.
            let is_near = failed.kind.is_about_the_environment() || failed.calls <= 1;
            is_near && Lesson::of(&failed.outline, failed.kind, outline, state::now()).is_some()
        });
        let Some(failed) = lesson.map(|place| session.failures.remove(place)) else { return };
        let Some(lesson) = Lesson::of(&failed.outline, failed.kind, outline, state::now()) else { return };
        if self.passes(call.clone(), payload) {
            // Without it nothing is told.
            let _ = memory.add(&tried.project, lesson);
        }
    }

    /// Returns the line about a call that is about to be tried.
    fn advice(&self, payload: &Payload) -> Option<String> {
        let tried = Self::tried(payload)?;
        let own = self.memory().of(&tried.project);
        let shared = shared::trusted(&tried.project, self.policy.stack().trust_store());
        let lesson = own.iter().chain(&shared).find(|lesson| lesson.is_about(&tried.outline))?;
        let mut input = Map::new();
        input.insert("command".to_owned(), lesson.worked.as_str().into());
        let is_told = self.passes(ToolCall::new("Bash", input), payload) && self.is_new(payload, lesson);
        is_told.then(|| lesson.line())
    }

    /// Returns true if a session has not been told this.
    fn is_new(&self, payload: &Payload, lesson: &Lesson) -> bool {
        payload.session.id.as_deref().is_none_or(|session| {
            session_file::is_first(
                &session_file::suggested(&self.state),
                &format!("{session} learn {}", lesson.id()),
            )
        })
    }
}

/// Returns true if a call is one that can be remembered.
pub(crate) fn concerns(payload: &Payload) -> bool {
    matches!(payload.event.call().and_then(ToolCommand::of), Some(ToolCommand::Shell(_)))
}

/// Tells the model what failed before, and what worked.
#[derive(Clone, Debug)]
pub(crate) struct Adviser(pub(crate) Learning);

impl Hook for Adviser {
    fn name(&self) -> &str {
        NAME
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        Ok(match self.0.advice(payload) {
            Some(line) => Verdict::abstain().with_context(line),
            None => Verdict::abstain(),
        })
    }
}

/// Learns from what was tried.
#[derive(Clone, Debug)]
pub(crate) struct Learner(pub(crate) Learning);

impl Learner {
    pub(crate) const EVENTS: [EventName; 2] = [EventName::PostToolUse, EventName::PostToolUseFailure];
}

impl Hook for Learner {
    fn name(&self) -> &str {
        NAME
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        self.0.learn(payload);
        Ok(Verdict::abstain())
    }

    fn observe(&self, outcome: &Outcome, _: Deadline<'_>) -> Result<(), Failure> {
        self.0.learn(&outcome.payload);
        Ok(())
    }
}

/// Returns the project whose memory holds for a directory: the nearest one at or above it.
pub fn project_of<'m>(all: &'m [ProjectMemory], directory: &Path) -> Option<&'m ProjectMemory> {
    let inside = all.iter().filter(|memory| directory.starts_with(&memory.project));
    inside.max_by_key(|memory| memory.project.components().count())
}
