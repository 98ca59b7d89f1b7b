//! Every way in which a hook can fail, and the one door through which all of them leave.

use crate::{Decision, sanitize::prose_of};
use std::{fmt, time::Duration};

/// Why a hook gave no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// It was not finished when its time was up.
    #[error("{}", timed_out(*after))]
    TimedOut {
        /// The time that it had.
        after: Duration,
    },
    /// It could not be started.
    #[error("cannot start: {0}")]
    NotStarted(String),
    /// It ended with an exit code that is no answer.
    #[error("exited with code {code}{}", tail(stderr))]
    Exited {
        /// The code: neither 0 nor 2.
        code: i32,
        /// What it wrote on stderr.
        stderr: String,
    },
    /// It was ended by a signal.
    #[error("ended by signal {signal}{}", tail(stderr))]
    Killed {
        /// The signal's number.
        signal: i32,
        /// What it wrote on stderr.
        stderr: String,
    },
    /// It wrote more than we keep; a cut-off answer cannot be trusted.
    #[error("wrote more than {limit} bytes on {stream}")]
    TooMuchOutput {
        /// `stdout` or `stderr`.
        stream: &'static str,
        /// How much we keep.
        limit: usize,
    },
    /// Its answer is not one that we know.
    #[error("bad answer: {0}")]
    BadReply(String),
    /// It changed what it may not change: a judge edits nothing, an editor only what the event has.
    #[error("edits what it may not: {0}")]
    EditNotAllowed(String),
    /// It panicked.
    #[error("panicked: {0}")]
    Panicked(String),
    /// Whoever asked it does not wait for the answer any more.
    #[error("abandoned: nobody waits for its answer")]
    Abandoned,
    /// It failed in a way of its own.
    #[error("{0}")]
    Other(String),
}

impl Failure {
    /// The same with texts that can be shown.
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
        // To the tenth: nobody cares about more.
        _ => format!("timed out after {} s", (after.as_secs_f64() * 10.0).round() / 10.0),
    }
}

/// The end of a message that shows what a process said last.
fn tail(stderr: &str) -> String {
    let said = stderr.trim();
    if said.is_empty() { String::new() } else { format!(": {said}") }
}

/// What a failure of a hook becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnFailure {
    /// A denial.
    Deny,
    /// A question to the user.
    Ask,
    /// Silence, said on stderr.
    Ignore,
}

impl OnFailure {
    /// The decision that stands for the failed hook.
    pub const fn decision(self) -> Decision {
        match self {
            Self::Deny => Decision::Deny,
            Self::Ask => Decision::Ask,
            Self::Ignore => Decision::Abstain,
        }
    }

    /// The word for it in configurations.
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
