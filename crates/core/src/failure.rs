//! The ways in which a hook can fail, and how each failure is turned into a decision.

use crate::{Decision, EventName, event::Class, sanitize::prose_of};
use std::{fmt, time::Duration};

/// The reason why a hook gave no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The hook did not finish in time.
    #[error("{}", timed_out(*after))]
    TimedOut {
        /// The time that the hook had.
        after: Duration,
    },
    /// The hook could not be started.
    #[error("cannot start: {0}")]
    NotStarted(String),
    /// The hook exited with a code that is not an answer.
    #[error("exited with code {code}{}", tail(stderr))]
    Exited {
        /// The exit code: neither 0 nor 2.
        code: i32,
        /// The hook's stderr.
        stderr: String,
    },
    /// The hook was killed by a signal.
    #[error("killed by signal {signal}{}", tail(stderr))]
    Killed {
        /// The signal number.
        signal: i32,
        /// The hook's stderr.
        stderr: String,
    },
    /// The hook wrote more than the limit; a truncated answer cannot be trusted.
    #[error("wrote more than {limit} bytes on {stream}")]
    TooMuchOutput {
        /// `stdout` or `stderr`.
        stream: &'static str,
        /// The limit in bytes.
        limit: usize,
    },
    /// The hook's answer is not valid.
    #[error("bad answer: {0}")]
    BadReply(String),
    /// The hook edited something it may not edit: a judge edits nothing, an editor only what the event carries.
    #[error("edit not allowed: {0}")]
    EditNotAllowed(String),
    /// The hook panicked.
    #[error("panicked: {0}")]
    Panicked(String),
    /// The caller stopped waiting for the answer.
    #[error("abandoned: the caller stopped waiting")]
    Abandoned,
    /// Any other failure.
    #[error("{0}")]
    Other(String),
}

impl Failure {
    /// Returns the reason that the failure gives for a decision about `event`. After a tool ran or a model answered, it
    /// leaves out what the hook said: an error often quotes what it is about, and that is the text that the hook
    /// withholds.
    pub fn reason(&self, event: EventName) -> String {
        let quiet = match self {
            _ if event.class() != Class::Result => return format!("the hook failed: {self}"),
            Self::Other(_) => return "the hook failed".to_owned(),
            Self::Exited { code, .. } => format!("exited with code {code}"),
            Self::Killed { signal, .. } => format!("killed by signal {signal}"),
            Self::BadReply(_) => "bad answer".to_owned(),
            Self::Panicked(_) => "panicked".to_owned(),
            Self::TimedOut { .. }
            | Self::NotStarted(_)
            | Self::TooMuchOutput { .. }
            | Self::EditNotAllowed(_)
            | Self::Abandoned => self.to_string(),
        };
        format!("the hook failed: {quiet}")
    }

    /// Makes all strings printable.
    #[must_use]
    pub(crate) fn plain(self) -> Self {
        match self {
            Self::NotStarted(why) => Self::NotStarted(prose_of(why)),
            Self::Exited { code, stderr } => Self::Exited { code, stderr: prose_of(stderr) },
            Self::Killed { signal, stderr } => Self::Killed { signal, stderr: prose_of(stderr) },
            Self::BadReply(why) => Self::BadReply(prose_of(why)),
            Self::EditNotAllowed(why) => Self::EditNotAllowed(prose_of(why)),
            Self::Panicked(why) => Self::Panicked(prose_of(why)),
            Self::Other(why) => Self::Other(prose_of(why)),
            Self::TimedOut { .. } | Self::TooMuchOutput { .. } | Self::Abandoned => self,
        }
    }
}

fn timed_out(after: Duration) -> String {
    match after.as_millis() {
        0 => "timed out: the other hooks of the event used up its time".to_owned(),
        millis @ ..100 => format!("timed out after {millis} ms"),
        // One decimal is precise enough.
        _ => format!("timed out after {} s", (after.as_secs_f64() * 10.0).round() / 10.0),
    }
}

/// Returns the end of a message that shows what a process wrote last.
fn tail(stderr: &str) -> String {
    let said = stderr.trim();
    if said.is_empty() { String::new() } else { format!(": {said}") }
}

/// The decision that a failure of a hook becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnFailure {
    /// Deny.
    Deny,
    /// Ask the user.
    Ask,
    /// Ignore the failure, and report it on stderr.
    Ignore,
}

impl OnFailure {
    /// Returns the decision that replaces the answer of the failed hook.
    pub const fn decision(self) -> Decision {
        match self {
            Self::Deny => Decision::Deny,
            Self::Ask => Decision::Ask,
            Self::Ignore => Decision::Abstain,
        }
    }

    /// Returns the word for it in configurations.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Ignore => "ignore",
        }
    }
}

impl fmt::Display for OnFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
