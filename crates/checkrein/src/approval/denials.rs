//! The log of denied calls: it lets a user allow a call, and tells a second attempt from a first.
//!
//! `<state>/denials/<session>/` holds a note for each code, and a file for each attempt, which says which event it was. The number of both is
//! bounded, and old ones are removed.

use super::{CallFingerprint, Code, PendingApproval, Permits, permits::Take, scope::scopes};
use crate::{
    config::layer::ExceptionPolicy,
    state::{
        self,
        claims::{EventKey, this_copy},
        now, prune, secure_fs,
    },
};
use checkrein_core::{Asking, EventName, Payload};
use checkrein_guard::{CallContext, Finding, Invocation, Judgement, Target, is_suppressible};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

/// Lifetime of a code.
pub(super) const CODE_LIFE: Duration = Duration::from_secs(24 * 3600);
/// Time for which a session is remembered.
const SESSION: Duration = Duration::from_secs(14 * 24 * 3600);
/// Maximum number of remembered sessions, and of notes of each.
const MOST_SESSIONS: usize = 200;
const MOST_NOTES: usize = 200;
/// Maximum length of what an attempt says about its event.
const MOST_NOTED: u64 = 1024;

/// The way in which a host handles `ask`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AskSupport {
    /// The host asks the user.
    #[default]
    Asked,
    /// It cannot, so a question is a denial and needs a way out like any other.
    Denied,
    /// The host could ask, but no user is there to answer, so a question is a denial as well.
    Unattended,
}

/// Measures if no user is there to answer a question of a session. The path is the state directory.
pub type Absence = fn(&Payload, &Path) -> bool;

impl AskSupport {
    /// Converts what a host does with `ask`.
    pub const fn of(asking: Asking) -> Self {
        match asking {
            Asking::Asks | Asking::Anyway => Self::Asked,
            Asking::Cannot => Self::Denied,
        }
    }
}

/// The log of what the guard denied. It also finds one-time permissions.
#[derive(Clone, Debug)]
pub struct DenialLog {
    state: PathBuf,
    leave: ExceptionPolicy,
    questions: AskSupport,
    absence: Option<Absence>,
}

/// The history of a call that the guard has a finding about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PriorAttempt {
    /// A user allowed it: once, and the permission is now used up, or for the session.
    Permitted,
    /// No user did.
    Attempt(Attempt),
}

/// The history of a call that is denied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attempt {
    /// It was tried before in this session.
    pub(crate) again: bool,
    /// A user can allow it once with this.
    pub(crate) code: Option<Code>,
}

impl DenialLog {
    /// Creates the log below the state directory. `leave` says whether one-time permissions count.
    pub fn new(state: &Path, leave: ExceptionPolicy) -> Self {
        Self { state: state.to_owned(), leave, questions: AskSupport::Asked, absence: None }
    }

    /// Sets whether the host can ask the user.
    #[must_use]
    pub const fn questions(mut self, questions: AskSupport) -> Self {
        self.questions = questions;
        self
    }

    /// Sets how to find out if a user is there. Without it, one always is.
    #[must_use]
    pub const fn absence(mut self, absence: Option<Absence>) -> Self {
        self.absence = absence;
        self
    }

    /// Returns what a question about this event becomes. Presence is measured only where it matters.
    pub(crate) fn becomes(&self, payload: &Payload) -> AskSupport {
        match (self.questions, self.absence) {
            (AskSupport::Asked, Some(is_absent)) if is_absent(payload, &self.state) => AskSupport::Unattended,
            (questions, _) => questions,
        }
    }

    /// Uses up the permission that a user gave for exactly this call. If there is none, records that the call was denied.
    pub(crate) fn recall(
        &self,
        payload: &Payload,
        place: &CallContext,
        judgement: &Judgement,
        denied: bool,
    ) -> PriorAttempt {
        let take = match payload.name() {
            EventName::PermissionRequest => Take::Asked,
            _ => Take::Announced,
        };
        let binding = self.binding(payload, place, judgement);
        if let Some(binding) = &binding {
            let permits = Permits::new(&self.state);
            if permits.take(binding, take, (call_id(payload), &this_copy(payload)), now())
                || permits.covers(&directory_of(&self.state, &binding.session), &scopes(binding, judgement))
            {
                return PriorAttempt::Permitted;
            }
        }
        PriorAttempt::Attempt(self.remember(payload, binding.as_ref(), judgement, denied))
    }

    fn remember(
        &self,
        payload: &Payload,
        binding: Option<&CallFingerprint>,
        judgement: &Judgement,
        denied: bool,
    ) -> Attempt {
        let Some(session) = payload.session.id.as_deref().filter(|id| !id.is_empty()) else {
            return Attempt::default();
        };
        let directory = directory_of(&self.state, session);
        // If nothing can be remembered, every attempt is answered as the first one.
        let Ok(()) = Self::open(&self.state, &directory) else { return Attempt::default() };
        // A question that the user answered with no may be asked again.
        let Ok(again) = (if denied { Self::tried(&directory, payload, judgement) } else { Ok(false) }) else {
            return Attempt::default();
        };
        let code = binding.and_then(|binding| {
            let code = binding.code();
            note(&directory.join(code.file_name()), binding, judgement).ok().map(|()| code)
        });
        Attempt { again, code }
    }

    /// Returns the fingerprint that a permission would be bound to; `None` if none can be given.
    fn binding(
        &self,
        payload: &Payload,
        place: &CallContext,
        judgement: &Judgement,
    ) -> Option<CallFingerprint> {
        let managed = |finding: &Finding| finding.rule.id.starts_with("managed.");
        let given = self.leave == ExceptionPolicy::Accept
            && judgement.findings.iter().all(|finding| is_suppressible(&finding.rule) && !managed(finding));
        given.then(|| CallFingerprint::of(payload, place, judgement))?
    }

    /// Creates the directory of a session.
    fn open(state: &Path, directory: &Path) -> io::Result<()> {
        if !directory.is_dir() {
            prune(&state::denials(state), MOST_SESSIONS, SESSION);
            secure_fs::directory(directory)?;
        }
        if !secure_fs::is_ours(&fs::symlink_metadata(directory)?) {
            return Err(io::Error::other("others can write here"));
        }
        Ok(())
    }

    /// Returns true if this call was tried before. Of many processes at once, the one that creates the file is the
    /// first; another copy of us that answers the same event says the same as the first one.
    fn tried(directory: &Path, payload: &Payload, judgement: &Judgement) -> io::Result<bool> {
        let key = EventKey::of(payload);
        let noted = key.as_ref().map(EventKey::noted).unwrap_or_default();
        let tried = directory.join(format!("tried-{}", same(judgement)));
        match secure_fs::create_whole(&tried, noted.as_bytes()) {
            Ok(()) => {
                prune(directory, MOST_NOTES, SESSION);
                Ok(false)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Ok(!key.is_some_and(|key| is_first_event(&tried, &key)))
            }
            Err(error) => Err(error),
        }
    }
}

/// Returns true if the first attempt was this very event, as another process answered it.
fn is_first_event(tried: &Path, key: &EventKey) -> bool {
    let age = || fs::symlink_metadata(tried).ok()?.modified().ok()?.elapsed().ok();
    let noted = || String::from_utf8(secure_fs::read(tried, MOST_NOTED).ok()?).ok();
    age().is_some_and(|age| noted().is_some_and(|noted| key.is_same(&noted, age.as_secs())))
}

/// The host's id of the call.
fn call_id(payload: &Payload) -> Option<&str> {
    payload.event.call()?.id.as_deref().filter(|id| !id.is_empty())
}

/// Returns the key of an attempt: two denied calls have the same one if the same rules object to the same effects on
/// the same targets.
fn same(judgement: &Judgement) -> String {
    let strictest =
        || judgement.findings.iter().filter(|finding| finding.rule.decision == judgement.decision);
    let mut objections = BTreeSet::new();
    for effect in &judgement.effects {
        let ran = judgement.ran.get(effect.by);
        for finding in strictest().filter(|finding| finding.rule.is_about(effect, ran)) {
            let target = match &effect.target {
                Target::Path(spot) => spot.path.as_str(),
                Target::Host(host) => host.name.as_str(),
                Target::Name(name) => name.as_str(),
                Target::Nothing => "",
            };
            objections.insert(format!("{} {} {target}", finding.rule.id, effect.action));
        }
    }
    let mut digest = Sha256::new();
    for objection in objections {
        digest.update(objection.as_bytes());
        digest.update([0]);
    }
    hex(&digest.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// The directory of a session. Ids come from outside, so they are no file names.
fn directory_of(state: &Path, session: &str) -> PathBuf {
    state::denials(state).join(hex(&Sha256::digest(session.as_bytes())))
}

/// Maximum number of commands that are shown, and the length of each. What a permission is bound to is shown in full.
const MOST_COMMANDS: usize = 50;
const COMMAND: usize = 500;

fn command(ran: &Invocation) -> String {
    let mut words = checkrein_secrets::conceal(&ran.words.join(" ")).into_owned();
    if let Some((end, _)) = words.char_indices().nth(COMMAND) {
        words.truncate(end);
        words.push('…');
    }
    words
}

/// Writes the note that describes the call of a code.
fn note(path: &Path, binding: &CallFingerprint, judgement: &Judgement) -> io::Result<()> {
    let finding = |finding: &Finding| {
        let rule = &finding.rule;
        let user = if rule.summary.is_empty() { &rule.reason } else { &rule.summary };
        (rule.id.to_string(), user.to_string())
    };
    let waiting = PendingApproval {
        digest: binding.digest(),
        binding: binding.shown(),
        at: now(),
        findings: judgement.findings.iter().map(finding).collect(),
        scopes: scopes(binding, judgement),
        commands: judgement.ran.iter().take(MOST_COMMANDS).map(command).collect(),
    };
    secure_fs::replace(path, waiting.to_json().to_string().as_bytes())
}
