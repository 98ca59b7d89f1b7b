//! The exit codes of the program.

use checkrein::Decision;
use std::process::ExitCode;

/// The exit code of a command that a user runs. The long help of each command says when it uses which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ExitStatus {
    /// Done; or, for a decision: allowed or no opinion.
    Success = 0,
    /// Some of it failed or was refused; or, for a decision: the user would be asked.
    Failure = 1,
    /// Denied.
    Denied = 2,
    /// The command line, or the input that it names, cannot be used.
    UsageError = 3,
    /// It could not be done: no permission, a full disk.
    Impossible = 4,
}

impl ExitStatus {
    /// Returns `Success` or `Failure`.
    pub(crate) fn success_if(succeeded: bool) -> Self {
        if succeeded { Self::Success } else { Self::Failure }
    }
}

impl From<Decision> for ExitStatus {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Abstain | Decision::Allow => Self::Success,
            Decision::Ask => Self::Failure,
            Decision::Deny => Self::Denied,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}
