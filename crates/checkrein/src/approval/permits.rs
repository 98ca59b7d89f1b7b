//! Permits: calls that a user has allowed, and that have not been made yet.
//!
//! `<state>/once/<digest>` is a permit for the call with that digest. It is taken by a rename: the process that succeeds
//! has it. A host may fire several events about one call (it announces it, asks whether it is permitted, or has us
//! registered twice). So what was taken stays behind under the id of the call, and holds for every event of that call and
//! for no other. Where an event names no id, a permit that was taken for an announcement stays behind for one question.
//! Within two seconds it also holds once for each other copy of us that the host calls about the same event.

use super::{CallFingerprint, Code, Scope, denials::CODE_LIFE};
use crate::state::{
    self, now,
    secure_fs::{self, entries, is_our_directory, not_ours},
    session_file::name_of,
};
use checkrein_core::SmallSort as _;
use serde_json::{Value, json};
use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// No note and no permit is longer.
const MOST: u64 = 256 * 1024;
/// The suffix of the name of a permit whose call was announced without an id.
const ANNOUNCED: &str = "announced";
/// The number of seconds within which events can belong to the same call.
const SAME_CALL: u64 = 120;
/// The maximum validity of a permit, in seconds. One that seems to be valid for longer was given before the clock was set
/// back, and would not expire when it should.
const LONGEST: u64 = 2 * 3600;
/// The prefix of the name of a file that allows something for the rest of a session.
const GRANT: &str = "allowed-";
/// The maximum number of seconds that a note's time can be in the future.
const AHEAD: u64 = 60;
/// The suffix for a call with an id, so that a question without one can be about it, and one about another call
/// cannot.
const ANNOUNCED_BY_ID: &str = "announced-by-id";
/// The suffix for a call that was asked about without an id.
const ASKED: &str = "asked";
/// The start of the suffix that says which copy of us has used a permit without an id.
const USED: &str = "used-by-";
/// The number of seconds within which equal events without an id are the same event, sent by the host to two copies
/// of us.
const SAME_EVENT: u64 = 2;

/// The permits and notes of a user.
#[derive(Clone, Debug)]
pub struct Permits {
    state: PathBuf,
}

/// A call that was denied and can be allowed, as it is shown to a user.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingApproval {
    /// The digest of what a permission would be bound to. The text itself is not kept, because a call can contain a
    /// secret.
    pub digest: String,
    /// The parts of it that can be shown, without secrets.
    pub binding: CallFingerprint,
    /// When it was denied, in seconds since 1970.
    pub at: u64,
    /// The rules that object, each with what it says to the user.
    pub findings: Vec<(String, String)>,
    /// The scope of each rule's objection.
    pub scopes: Vec<Scope>,
    /// The commands that it would run.
    pub commands: Vec<String>,
}

/// Something that is allowed for the rest of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionGrant {
    /// The code of the call that the user looked at.
    pub code: String,
    /// The session.
    pub session: String,
    /// The scope that is allowed in it.
    pub scope: Scope,
}

/// A call that is allowed once.
#[derive(Clone, Debug, PartialEq)]
pub struct Permit {
    /// The call that it is for.
    pub call: PendingApproval,
    /// Until when, in seconds since 1970.
    pub until: u64,
}

/// For which event a permit is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Take {
    /// The host announces a call.
    Announced,
    /// The host asks whether a call is permitted.
    Asked,
}

impl Permits {
    /// Opens the permits below the state directory.
    pub fn new(state: &Path) -> Self {
        Self { state: state.to_owned() }
    }

    fn directory(&self) -> PathBuf {
        state::permits(&self.state)
    }

    /// Returns the call that a code is for; `None` if no recent denial showed it.
    pub fn waiting(&self, code: &Code) -> Option<PendingApproval> {
        let notes = self.sessions().into_iter().map(|session| session.join(code.file_name()));
        notes.filter_map(|note| self.note(&note)).find(|waiting| waiting.code() == *code)
    }

    /// Every call that was denied lately and can be allowed, the latest first.
    pub fn all_waiting(&self) -> Vec<PendingApproval> {
        let mut waiting: Vec<PendingApproval> = self
            .sessions()
            .iter()
            .flat_map(|session| entries(session))
            .filter(|note| is_code(note))
            .filter_map(|note| self.note(&note))
            .collect();
        waiting.small_sort_by_key(|waiting| std::cmp::Reverse(waiting.at));
        waiting
    }

    fn sessions(&self) -> Vec<PathBuf> {
        entries(&state::denials(&self.state))
    }

    fn note(&self, path: &Path) -> Option<PendingApproval> {
        let waiting = PendingApproval::from_json(&parse(path)?)?;
        let now = now();
        let lives =
            now.saturating_sub(waiting.at) <= CODE_LIFE.as_secs() && waiting.at <= now.saturating_add(AHEAD);
        lives.then_some(waiting)
    }

    /// Allows a call once, for this long.
    pub fn allow(&self, call: &PendingApproval, time: Duration) -> io::Result<()> {
        let directory = self.directory();
        secure_fs::directory(&directory)?;
        if !is_our_directory(&directory) {
            return Err(not_ours(&directory));
        }
        let of_this_call = |path: &PathBuf| path.file_stem().is_some_and(|name| *name == *call.digest);
        let says_used =
            |path: &PathBuf| path.extension().is_some_and(|name| name.to_string_lossy().contains(USED));
        for used in entries(&directory).iter().filter(|path| of_this_call(path) && says_used(path)) {
            // If this file stays, the copy of us that it names does not use the new permit.
            let _ = fs::remove_file(used);
        }
        let permit = Permit { call: call.clone(), until: now().saturating_add(time.as_secs().min(LONGEST)) };
        secure_fs::replace(&directory.join(&call.digest), permit.to_json().to_string().as_bytes())
    }

    /// Returns every permit that is neither used nor expired.
    pub fn all(&self) -> Vec<Permit> {
        let mut permits: Vec<Permit> = entries(&self.directory())
            .iter()
            .filter(|path| path.extension().is_none())
            .filter_map(|path| Permit::from_json(&parse(path)?))
            .filter(|permit| permit.lives(now()))
            .collect();
        permits.small_sort_by_key(|permit| permit.until);
        permits
    }

    /// Revokes a permission, and returns whether there was one.
    pub fn revoke(&self, code: &Code) -> io::Result<bool> {
        let mut was = false;
        for path in entries(&self.directory()) {
            let permit = parse(&path).as_ref().and_then(Permit::from_json);
            let Some(permit) = permit.filter(|permit| permit.call.code() == *code) else { continue };
            match fs::remove_file(&path) {
                // A permit that a call has used is no longer a permit.
                Ok(()) => was |= path.extension().is_none() && permit.lives(now()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        for (path, grant) in self.grants() {
            if grant.code == code.to_string() {
                fs::remove_file(&path)?;
                was = true;
            }
        }
        Ok(was)
    }

    /// Allows what the rules object to in a call for the rest of its session.
    pub fn allow_session(&self, call: &PendingApproval) -> io::Result<()> {
        let directory = self.session_directory(call)?;
        for scope in &call.scopes {
            let grant = json!({
                "code": call.code().to_string(),
                "session": call.binding.session,
                "scope": scope.to_json(),
            });
            secure_fs::replace(
                &directory.join(format!("{GRANT}{}", scope.key)),
                grant.to_string().as_bytes(),
            )?;
        }
        Ok(())
    }

    /// The directory of the notes of the call's session.
    fn session_directory(&self, call: &PendingApproval) -> io::Result<PathBuf> {
        let name = call.code();
        let session = self.sessions().into_iter().find(|session| {
            self.note(&session.join(name.file_name())).is_some_and(|known| known.digest == call.digest)
        });
        session
            .filter(|session| is_our_directory(session))
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the session is no longer known"))
    }

    /// Returns true if everything that is objected to is allowed in this session.
    pub(super) fn covers(&self, session: &Path, scopes: &[Scope]) -> bool {
        let is_granted = |scope: &Scope| parse(&session.join(format!("{GRANT}{}", scope.key))).is_some();
        !scopes.is_empty() && scopes.iter().all(is_granted) && is_our_directory(session)
    }

    /// Returns everything that is allowed for a session.
    pub fn session_grants(&self) -> Vec<SessionGrant> {
        self.grants().into_iter().map(|(_, grant)| grant).collect()
    }

    fn grants(&self) -> Vec<(PathBuf, SessionGrant)> {
        let is_grant = |path: &PathBuf| {
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(GRANT))
        };
        let files = self.sessions().into_iter().flat_map(|session| entries(&session)).filter(is_grant);
        let read = |path: PathBuf| {
            let value = parse(&path)?;
            let text = |key: &str| value.get(key)?.as_str().map(str::to_owned);
            let scope = Scope::from_json(value.get("scope")?)?;
            let grant = SessionGrant { code: text("code")?, session: text("session")?, scope };
            Some((path, grant))
        };
        files.filter_map(read).collect()
    }

    /// Takes the permit for exactly this call, if there is one now. Only one of many processes gets it, or those that
    /// answer events of one call. `copy` says which copy of us this is, for events without a call id.
    pub(super) fn take(
        &self,
        binding: &CallFingerprint,
        take: Take,
        (call, copy): (Option<&str>, &str),
        now: u64,
    ) -> bool {
        let directory = self.directory();
        if !is_our_directory(&directory) {
            return false;
        }
        let permit = directory.join(binding.digest());
        let left_for = |whom: &str| permit.with_extension(whom);
        let removed = |place: &Path| holds(place, binding, now) && fs::remove_file(place).is_ok();
        match (call, take) {
            (Some(call), _) => {
                let used = left_for(&name_of(call));
                let taken = || holds(&permit, binding, now) && fs::rename(&permit, &used).is_ok();
                // Another event of this call may take it at the same time.
                if holds(&used, binding, now) {
                    return true;
                }
                if taken() {
                    shorten(&used, now);
                    if take == Take::Announced {
                        // If this fails, a question without an id is not answered.
                        let _ = fs::copy(&used, left_for(ANNOUNCED_BY_ID));
                    }
                    return true;
                }
                holds(&used, binding, now) || take == Take::Asked && removed(&left_for(ANNOUNCED))
            }
            (None, Take::Announced) => {
                let used = left_for(&format!("{USED}{copy}"));
                take_without_id(std::slice::from_ref(&permit), &left_for(ANNOUNCED), &used, binding, now)
            }
            (None, Take::Asked) => {
                let places = [left_for(ANNOUNCED), left_for(ANNOUNCED_BY_ID), permit.clone()];
                let used = left_for(&format!("{ASKED}-{USED}{copy}"));
                take_without_id(&places, &left_for(ASKED), &used, binding, now)
            }
        }
    }
}

/// Takes a permit from one of its places for an event without an id, and leaves it in `left`. Another copy of us that took it a
/// moment ago was asked about the same event. Each copy uses it once, and says so with the file `used`, until there is a new permit.
fn take_without_id(
    places: &[PathBuf],
    left: &Path,
    used: &Path,
    binding: &CallFingerprint,
    now: u64,
) -> bool {
    let is_there = |place: &PathBuf| holds(place, binding, now);
    let was_just_taken = || is_of_this_moment(left, now) && holds(left, binding, now);
    (places.iter().any(is_there) || was_just_taken())
        && secure_fs::create_new(used).is_ok()
        && (places.iter().any(|place| is_there(place) && fs::rename(place, left).is_ok()) || was_just_taken())
}

/// Returns true if a file was created or renamed a moment ago.
fn is_of_this_moment(file: &Path, now: u64) -> bool {
    fs::symlink_metadata(file)
        .is_ok_and(|file| u64::try_from(file.ctime()).is_ok_and(|then| now.abs_diff(then) <= SAME_EVENT))
}

/// Further events of a call come at once. An id that comes again much later may belong to another call.
fn shorten(used: &Path, now: u64) {
    let Some(mut permit) = parse(used).as_ref().and_then(Permit::from_json) else { return };
    permit.until = permit.until.min(now.saturating_add(SAME_CALL));
    // One that stays as it is ends when it was given to end.
    let _ = secure_fs::replace(used, permit.to_json().to_string().as_bytes());
}

/// Returns true if the permit at a place is for this call, and has not expired.
fn holds(place: &Path, binding: &CallFingerprint, now: u64) -> bool {
    let permit = parse(place).as_ref().and_then(Permit::from_json);
    let holds =
        permit.as_ref().is_some_and(|permit| permit.call.digest == binding.digest() && permit.lives(now));
    if permit.is_some() && !holds {
        // It will not be used any more.
        let _ = fs::remove_file(place);
    }
    holds
}

fn is_code(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.parse::<Code>().is_ok())
}

fn parse(path: &Path) -> Option<Value> {
    serde_json::from_slice(&secure_fs::read(path, MOST).ok()?).ok()
}

impl PendingApproval {
    /// Returns the code for it.
    pub fn code(&self) -> Code {
        Code::of_digest(&self.digest)
    }

    pub(super) fn to_json(&self) -> Value {
        let findings: Vec<Value> =
            self.findings.iter().map(|(rule, user)| json!({"rule": rule, "summary": user})).collect();
        json!({
            "at": self.at,
            "digest": self.digest,
            "binding": self.binding.to_json(),
            "findings": findings,
            "scopes": self.scopes.iter().map(Scope::to_json).collect::<Value>(),
            "commands": self.commands,
        })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let findings = value.get("findings")?.as_array()?.iter().map(|finding| {
            Some((finding.get("rule")?.as_str()?.to_owned(), finding.get("summary")?.as_str()?.to_owned()))
        });
        let commands = value.get("commands")?.as_array()?.iter();
        let digest = value.get("digest")?.as_str()?;
        // It becomes the name of a file.
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some(Self {
            digest: is_digest.then(|| digest.to_owned())?,
            binding: CallFingerprint::from_json(value.get("binding")?)?,
            at: value.get("at")?.as_u64()?,
            findings: findings.collect::<Option<_>>()?,
            scopes: value.get("scopes")?.as_array()?.iter().map(Scope::from_json).collect::<Option<_>>()?,
            commands: commands.map(|command| command.as_str().map(str::to_owned)).collect::<Option<_>>()?,
        })
    }
}

impl Permit {
    /// Returns true if it has not expired, by a clock that was not set back.
    const fn lives(&self, now: u64) -> bool {
        now <= self.until && self.until - now <= LONGEST
    }

    fn to_json(&self) -> Value {
        json!({"until": self.until, "call": self.call.to_json()})
    }

    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            call: PendingApproval::from_json(value.get("call")?)?,
            until: value.get("until")?.as_u64()?,
        })
    }
}
