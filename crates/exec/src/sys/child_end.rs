//! A descriptor that becomes readable when a child ends, so that one `poll` waits for the child and its output.

use rustix::{fd::OwnedFd, process::Pid};

/// Opens the descriptor: a pidfd. Fails on kernels before 5.3 and in some sandboxes; then the caller polls.
#[cfg(target_os = "linux")]
pub(crate) fn watch(child: Pid) -> Option<OwnedFd> {
    use rustix::process::{PidfdFlags, pidfd_open};
    pidfd_open(child, PidfdFlags::empty()).ok()
}

/// Opens the descriptor: a kqueue with one filter, which `poll` accepts like any other. Fails if the child has already
/// ended; then the caller polls, and sees that at once.
#[cfg(target_os = "macos")]
#[expect(unsafe_code, reason = "`kevent` is unsafe for filters that name a descriptor")]
pub(crate) fn watch(child: Pid) -> Option<OwnedFd> {
    use rustix::event::kqueue::{Event, EventFilter, EventFlags, ProcessEvents, kevent, kqueue};
    let queue = kqueue().ok()?;
    let filter = EventFilter::Proc { pid: child, flags: ProcessEvents::EXIT };
    let change = Event::new(filter, EventFlags::ADD | EventFlags::ONESHOT, std::ptr::null_mut());
    let mut none: [Event; 0] = [];
    // SAFETY: the filter names a process, and no descriptor that could be closed meanwhile.
    unsafe { kevent(&queue, &[change], &mut none, None) }.ok()?;
    Some(queue)
}

/// There is no such descriptor here, so the caller polls.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) const fn watch(_: Pid) -> Option<OwnedFd> {
    None
}
