//! The sandbox of an agent: a network namespace with only loopback, and a process namespace that is killed as a
//! whole.
//!
//! `unshare` of util-linux creates both. Without it, or where the system forbids it, no agent is started: a proof
//! that reaches the network could spend money or leak secrets.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The namespaces, whose processes are killed with us.
const APART: [&str; 5] = ["--net", "--pid", "--fork", "--kill-child", "--mount-proc"];

/// The options for a user who is not root.
const AS_ANYBODY: [&str; 2] = ["--user", "--map-root-user"];

/// A way to start a program isolated from the machine.
#[derive(Clone, Debug)]
pub struct Sandbox {
    flags: Vec<&'static str>,
}

/// The reason why there is no sandbox here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no network namespace can be made here, and without one no agent is started: {reason}\nhint: {hint}")]
pub struct SandboxError {
    reason: String,
    hint: &'static str,
}

impl Sandbox {
    /// Finds a way that works on this machine.
    ///
    /// # Errors
    ///
    /// If there is none; the error says what to install or to allow.
    pub fn find() -> Result<Self, SandboxError> {
        if !cfg!(target_os = "linux") {
            let reason = "this system has none".to_owned();
            return Err(SandboxError { reason, hint: "run `checkrein doctor --live` on Linux" });
        }
        let mut reason = String::new();
        for user in [[].as_slice(), &AS_ANYBODY] {
            let flags: Vec<&str> = user.iter().chain(&APART).copied().collect();
            match Command::new("unshare").args(&flags).arg("true").stdin(Stdio::null()).output() {
                Ok(output) if output.status.success() => return Ok(Self { flags }),
                Ok(output) => {
                    let said = String::from_utf8_lossy(&output.stderr);
                    reason = said.lines().next_back().unwrap_or("`unshare` fails").to_owned();
                }
                Err(error) => {
                    let hint = "install `unshare`, which is in the package util-linux of a Linux system";
                    return Err(SandboxError { reason: format!("cannot run `unshare`: {error}"), hint });
                }
            }
        }
        let hint = "let this user make user namespaces (`sysctl kernel.unprivileged_userns_clone=1`, \
                    `sysctl kernel.apparmor_restrict_unprivileged_userns=0`); in a container, start that with the right \
                    to do so (`--privileged`, or `--security-opt seccomp=unconfined --cap-add SYS_ADMIN`)";
        Err(SandboxError { reason, hint })
    }

    /// Returns a command that starts `program` in the sandbox. Its process is the first of its namespace: when it
    /// ends, or the command is killed, everything that it started is killed too.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("unshare");
        command.args(&self.flags).arg("--").arg(program);
        command
    }
}

/// Returns the name of our network namespace.
///
/// # Errors
///
/// If the system does not tell.
pub fn network() -> io::Result<PathBuf> {
    fs::read_link("/proc/self/ns/net")
}

/// Returns true if we are in another network namespace than `outside`.
pub(crate) fn is_apart(outside: &OsStr) -> io::Result<bool> {
    Ok(network()?.as_os_str() != outside)
}
