//! A descriptor that becomes readable when a child ends, so that one `poll` waits for the child and its output.

use rustix::{fd::OwnedFd, process::Pid};

/// Opens the descriptor: a pidfd. Fails on kernels before 5.3 and in some sandboxes; then the caller polls.
#[cfg(target_os = "linux")]
pub(crate) fn watch(child: Pid) -> Option<OwnedFd> {
    use rustix::process::{PidfdFlags, pidfd_open};
    pidfd_open(child, PidfdFlags::empty()).ok()
}

/// There is no such descriptor without unsafe code, which this crate forbids (a kqueue would be one). So the caller polls
/// `waitid`.
#[cfg(not(target_os = "linux"))]
pub(crate) const fn watch(_: Pid) -> Option<OwnedFd> {
    None
}
