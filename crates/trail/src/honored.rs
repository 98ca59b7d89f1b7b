//! Checks if a host obeyed: a denied call has no result.

use crate::Record;
use checkrein_core::{Decision, EventId};
use std::collections::{HashMap, HashSet};

/// The maximum number of calls that are remembered at once.
const MOST: usize = 100_000;

/// Tells if a host obeyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Honored {
    /// It did: a denied call has no result although the session went on, or a changed call ran as changed.
    Yes,
    /// It did not: a denied call ran, or a changed call ran with another input.
    No,
    /// There was nothing to obey, or nothing is known.
    Unknown,
}

impl Honored {
    /// Returns the word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

/// The result of a call: what ran.
const RESULT: &str = "PostToolUse";

fn key((session, call): (&str, &str)) -> (String, String) {
    (session.to_owned(), call.to_owned())
}

/// Returns whether the record is about a call that has not run yet.
fn is_before(record: &Record) -> bool {
    matches!(record.event(), "PreToolUse" | "PermissionRequest")
}

/// Looks at records from the newest to the oldest, so that the result of a call is known before the call.
#[derive(Debug, Default)]
pub struct Backwards {
    /// Calls with a result, and the digest of what ran.
    results: HashMap<(String, String), Option<String>>,
    /// Sessions that sent results.
    sessions: HashSet<String>,
}

impl Backwards {
    /// Looks at a record, and returns whether it was honored.
    pub fn see(&mut self, record: &Record) -> Honored {
        let Some(call) = record.call() else { return Honored::Unknown };
        if record.event() == RESULT {
            if self.results.len() < MOST {
                self.results.insert(key(call), record.text("digest").map(str::to_owned));
            }
            if self.sessions.len() < MOST {
                self.sessions.insert(call.0.to_owned());
            }
            return Honored::Unknown;
        }
        if !is_before(record) {
            return Honored::Unknown;
        }
        let result = self.results.get(&key(call));
        // What was only recorded was not to be obeyed.
        if record.is("monitor") {
            return Honored::Unknown;
        }
        match (record.decision, result) {
            (Decision::Deny, Some(_)) => Honored::No,
            // Results of other calls arrive, and this one has none.
            (Decision::Deny, None) if self.sessions.contains(call.0) => Honored::Yes,
            (Decision::Abstain | Decision::Allow, Some(ran)) if record.is("edited") => {
                match (record.text("final_digest"), ran) {
                    (Some(told), Some(ran)) if told == ran => Honored::Yes,
                    (Some(_), Some(_)) => Honored::No,
                    _ => Honored::Unknown,
                }
            }
            _ => Honored::Unknown,
        }
    }
}

/// Looks at records from the oldest to the newest, for denied calls that ran.
#[derive(Debug, Default)]
pub struct Forwards {
    denied: HashMap<(String, String), EventId>,
}

impl Forwards {
    /// Looks at a record. Returns the denial that was not obeyed, if this is the result of a denied call.
    pub fn see(&mut self, record: &Record) -> Option<EventId> {
        let call = key(record.call()?);
        if record.event() == RESULT {
            return self.denied.remove(&call);
        }
        let denies = record.decision == Decision::Deny && !record.is("monitor");
        if is_before(record) && denies && self.denied.len() < MOST {
            self.denied.insert(call, record.id);
        }
        None
    }
}
