//! Where an agent is let loose: a network namespace with nothing but loopback, and a process namespace that ends whole.
//!
//! `unshare` of util-linux makes both. Without it, or where the system forbids it, no agent is started: a proof that
//! reaches the network could spend somebody's money or tell somebody's secrets.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The namespaces, and that their processes end with us.
const APART: [&str; 5] = ["--net", "--pid", "--fork", "--kill-child", "--mount-proc"];

/// What a user may make without being the administrator.
const AS_ANYBODY: [&str; 2] = ["--user", "--map-root-user"];

/// A way to start a program apart from the rest of the machine.
#[derive(Clone, Debug)]
pub struct Cage {
    flags: Vec<&'static str>,
}

/// Why there is no such way here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no network namespace can be made here, and without one no agent is started: {reason}\nhint: {hint}")]
pub struct SandboxError {
    reason: String,
    hint: &'static str,
}

impl Cage {
    /// Looks for a way that works here.
    ///
    /// # Errors
    ///
    /// If there is none; the error says what to install or to allow.
    pub fn find() -> Result<Self, SandboxError> {
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

    /// A command that starts `program` apart. Its process is the first of its namespace: when it ends, or the command
    /// is killed, everything that it started ends too.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("unshare");
        command.args(&self.flags).arg("--").arg(program);
        command
    }
}

/// The name of the network namespace that we are in.
pub(crate) fn network() -> io::Result<PathBuf> {
    fs::read_link("/proc/self/ns/net")
}

/// Whether we are in another network namespace than `outside`.
pub(crate) fn is_apart(outside: &OsStr) -> io::Result<bool> {
    Ok(network()?.as_os_str() != outside)
}
