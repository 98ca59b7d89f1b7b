//! A child in its own process group, which is killed as a whole unless it is left alone on purpose.
//!
//! The order matters: as long as the leader is not reaped, its process id cannot be reused, so the group that we
//! kill is the one that we started. We therefore learn how the leader ended without reaping it (`WNOWAIT`), read its
//! answer, kill or leave the group, and reap last.
//!
//! `std` starts it with `posix_spawn`, also with a working directory and a new process group, as long as the program
//! is an absolute path (a bare name with a changed `PATH` makes it fork) and nothing asks for a closure or another
//! user. Checked with `strace -f` on x86-64: one `clone3` (glibc 2.36) or `clone` (the static musl target) with
//! `CLONE_VM|CLONE_VFORK`, and no `fork`.

use crate::{answer::Exit, deadline::timespec, memory::unlimited, sys::child_end};
use rustix::{
    event::{PollFd, PollFlags, poll},
    fd::OwnedFd,
    io::Errno,
    process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid},
};
use std::{
    io,
    os::unix::process::CommandExt,
    process::{Child, Command},
    sync::atomic::{AtomicI32, Ordering},
    time::{Duration, Instant},
};

/// The last started group that is still ours to kill, or 0. A signal handler of a program that runs one hook at a
/// time uses it to kill the hook together with the program.
pub static RUNNING: AtomicI32 = AtomicI32::new(0);

/// The polling interval where the system cannot notify us about the end of a child.
pub(crate) const GLANCE: Duration = Duration::from_millis(2);

/// The time to wait for a killed child before a thread takes over. Only a child that hangs inside the kernel
/// takes so long.
const BURIAL: Duration = Duration::from_millis(250);

/// A running or finished child with its group. Dropping it kills the group.
#[derive(Debug)]
pub(crate) struct Group {
    /// `None` once the child was reaped.
    child: Option<Child>,
    /// Becomes readable when the child ends. Opened when first needed, since the child need not wait for that. The
    /// inner `None` means that the system does not support it.
    watch: Option<Option<OwnedFd>>,
}

impl Group {
    /// Starts `command` as the leader of a new group.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let child = unlimited(|| command.process_group(0).spawn())?;
        let group = Self { child: Some(child), watch: None };
        RUNNING.store(group.number(), Ordering::Release);
        Ok(group)
    }

    /// Returns the leader, to take its pipes from.
    pub(crate) const fn child(&mut self) -> Option<&mut Child> {
        self.child.as_mut()
    }

    /// Returns the id of the group, or 0 if its leader is gone.
    pub(crate) fn number(&self) -> i32 {
        self.child.as_ref().map_or(0, |child| Pid::from_child(child).as_raw_nonzero().get())
    }

    /// Returns the descriptor that becomes readable when the leader ends, if supported.
    pub(crate) fn watch(&mut self) -> Option<&OwnedFd> {
        let child = self.child.as_ref()?;
        self.watch.get_or_insert_with(|| child_end::watch(Pid::from_child(child))).as_ref()
    }

    /// Returns how the leader ended, if it has. Does not reap it.
    pub(crate) fn exit(&mut self) -> io::Result<Option<Exit>> {
        let Some(child) = &self.child else { return Err(Errno::CHILD.into()) };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        match waitid(WaitId::Pid(Pid::from_child(child)), options) {
            Ok(None) => Ok(None),
            Ok(Some(status)) => Ok(status
                .exit_status()
                .map(Exit::Code)
                .or_else(|| status.terminating_signal().map(Exit::Signal))),
            Err(Errno::INTR) => Ok(None),
            Err(Errno::CHILD) => {
                // The child was reaped elsewhere (by a program that ignores SIGCHLD), so the id may have been
                // reused.
                self.child = None;
                Err(Errno::CHILD.into())
            }
            Err(other) => Err(other.into()),
        }
    }

    /// Waits until the leader ends, or until `time` has passed.
    pub(crate) fn wait(&mut self, time: Duration) -> io::Result<Option<Exit>> {
        let begun = Instant::now();
        loop {
            if let Some(exit) = self.exit()? {
                return Ok(Some(exit));
            }
            let left = time.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return Ok(None);
            }
            let Some(watch) = self.watch() else {
                std::thread::sleep(left.min(GLANCE));
                continue;
            };
            match poll(&mut [PollFd::new(watch, PollFlags::IN)], Some(&timespec(left))) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(other) => return Err(other.into()),
            }
        }
    }

    /// Leaves the group alone: only the finished leader is reaped.
    pub(crate) fn leave(mut self) {
        RUNNING.store(0, Ordering::Release);
        if let Some(mut child) = self.child.take() {
            // The leader has ended, so this does not block; a failure has no remedy.
            let _ = child.try_wait();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(child) = &self.child else { return };
        // Fails only if the group is empty, or if we may not kill it.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
        // Before the leader is reaped, so that the id cannot have been reused.
        RUNNING.store(0, Ordering::Release);
        let ended = matches!(self.wait(BURIAL), Ok(Some(_)));
        let Some(mut child) = self.child.take() else { return };
        if ended {
            let _ = child.try_wait();
        } else {
            // Without a thread it stays a zombie until this process ends, which is harmless.
            let _ = std::thread::Builder::new().name("checkrein-reaper".into()).spawn(move || child.wait());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{child_io::talk, deadline::Clock};
    use checkrein_core::{Deadline, Failure};
    use std::process::Stdio;

    fn start(script: &str) -> Group {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Group::start(&mut command).unwrap()
    }

    /// A child on a system that cannot notify us about its end.
    fn unwatched(script: &str) -> Group {
        let mut group = start(script);
        group.watch = Some(None);
        group
    }

    impl Group {
        fn id(&self) -> Pid {
            Pid::from_child(self.child.as_ref().unwrap())
        }
    }

    #[test]
    fn output_before_the_end_is_read_completely() {
        // The pipe is full when we start to read, and it stays open, since a child holds it.
        let mut group = start("sleep 600 & head -c 60000 /dev/zero; head -c 50000 /dev/zero >&2");
        assert_eq!(group.wait(Duration::from_secs(60)).unwrap(), Some(Exit::Code(0)));
        let clock = Clock::start(Deadline::after(Duration::from_secs(60)));
        let said = talk(&mut group, b"", clock).unwrap();
        assert_eq!((said.stdout.len(), said.stderr.len()), (60_000, 50_000));
    }

    #[test]
    fn without_a_watch_we_poll() {
        let clock = Clock::start(Deadline::after(Duration::from_secs(60)));
        let mut group = unwatched("sleep 0.1; cat; sleep 600 & exit 3");
        let id = group.id();
        let said = talk(&mut group, b"words", clock).unwrap();
        assert_eq!((said.exit, said.stdout.as_slice()), (Exit::Code(3), &b"words"[..]));
        assert!(
            waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).is_ok(),
            "not reaped yet"
        );
        drop(group);
        assert!(waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOHANG).is_err(), "reaped");
    }

    #[test]
    fn without_a_watch_the_deadline_holds() {
        let limit = Duration::from_millis(300);
        let clock = Clock::start(Deadline::after(limit));
        let failure = talk(&mut unwatched("exec sleep 600"), b"", clock).unwrap_err();
        assert_eq!(failure, Failure::TimedOut { after: limit });
    }

    #[test]
    fn a_child_that_was_reaped_elsewhere_is_not_killed_by_its_id() {
        let mut group = unwatched("exit 0");
        let id = group.id();
        waitid(WaitId::Pid(id), WaitIdOptions::EXITED).unwrap();
        assert!(group.exit().is_err());
        assert!(group.child.is_none());
    }
}
