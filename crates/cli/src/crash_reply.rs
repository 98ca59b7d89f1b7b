//! The reply that the program writes when it crashes.
//!
//! Hosts treat a crashed hook as one that has no objection. A panic can be caught; a stack overflow, a fault in foreign code, an
//! abort, or a signal from outside cannot. So a denial is prepared before anything else happens, and a signal handler that
//! only writes and exits replies with it. An alarm turns a hang into such a signal before the host's timeout.
//!
//! The code is unsafe because the standard library has no signal handlers.
#![expect(unsafe_code, reason = "signal handlers are installed through libc")]

use checkrein_hosts::Reply;
use std::{
    cell::UnsafeCell,
    process::ExitCode,
    ptr::null_mut,
    sync::atomic::{AtomicI32, AtomicPtr, Ordering},
    time::Duration,
};

/// The prepared reply. It is leaked, because a signal may arrive at any time until the process exits.
static WORDS: AtomicPtr<Reply> = AtomicPtr::new(null_mut());

/// The exit code of the answer, once it is being written.
static ANSWERED: AtomicI32 = AtomicI32::new(-1);

/// Signals that get the handler: faults, limits, and requests to terminate.
const DEADLY: &[libc::c_int] = &[
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGABRT,
    libc::SIGTRAP,
    libc::SIGSYS,
    libc::SIGALRM,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGXCPU,
    libc::SIGXFSZ,
    libc::SIGTERM,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGHUP,
    libc::SIGUSR1,
    libc::SIGUSR2,
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    libc::SIGEMT,
];

/// Signals that do not terminate a program, and those that cannot be caught. All others would terminate us,
/// mean nothing to us, and are blocked: with one call for all of them, including real-time signals and
/// those for which a C library refuses handlers.
#[cfg(target_os = "linux")]
const NOT_DEADLY: &[libc::c_int] = &[
    libc::SIGKILL,
    libc::SIGSTOP,
    libc::SIGCHLD,
    libc::SIGCONT,
    libc::SIGTSTP,
    libc::SIGTTIN,
    libc::SIGTTOU,
    libc::SIGURG,
    libc::SIGWINCH,
    // Ignored since the start of every Rust program: writing to a closed pipe is an error like any other.
    libc::SIGPIPE,
];

/// Real-time signals that C libraries reserve (glibc two, musl three) and for which they refuse handlers.
/// Sent from outside, they terminate us like any other, and blocking them is not enough: musl unblocks them
/// whenever it starts a program.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
const RESERVED: &[libc::c_int] = &[32, 33, 34];
#[cfg(all(target_os = "linux", not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
const RESERVED: &[libc::c_int] = &[];

/// The size of the handler's stack: it must not run on the one that overflowed.
const STACK: usize = 64 * 1024;

/// Not on the heap: that would put later allocations on other pages than earlier ones.
static HANDLER_STACK: HandlerStack = HandlerStack(UnsafeCell::new([0; STACK]));

#[repr(C, align(16))]
struct HandlerStack(UnsafeCell<[u8; STACK]>);

// SAFETY: nothing reads or writes it by this name.
unsafe impl Sync for HandlerStack {}

/// Prepares `words` as the reply if the process ends without an answer, and at the latest after this time.
pub(crate) fn prepare(words: Reply, latest: Duration) {
    say_instead(words);
    let alternate = libc::stack_t { ss_sp: HANDLER_STACK.0.get().cast(), ss_flags: 0, ss_size: STACK };
    // SAFETY: the stack outlives every handler, and only the kernel and the handler use it.
    unsafe { libc::sigaltstack(&raw const alternate, null_mut()) };
    // SAFETY: a zeroed `sigaction` is valid, and the fields that matter are set below.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = say as extern "C" fn(libc::c_int) as libc::sighandler_t;
    action.sa_flags = libc::SA_ONSTACK;
    // One signal is enough: a second must not interrupt the reply and write it again.
    // SAFETY: the set is part of the local above.
    unsafe { libc::sigfillset(&raw mut action.sa_mask) };
    for signal in DEADLY {
        // SAFETY: the handler only loads atomics, reads leaked memory, and calls `write` and `_exit`, all of which
        // are safe in a signal handler.
        unsafe { libc::sigaction(*signal, &raw const action, null_mut()) };
    }
    // A host may ignore SIGCHLD, which is inherited: then we could not wait for a hook.
    // SAFETY: no pointers are involved.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    handle_reserved();
    hold_back();
    at_the_latest(latest);
}

/// Sends the prepared reply after this time, counted from now.
pub(crate) fn at_the_latest(latest: Duration) {
    let seconds = libc::c_uint::try_from(latest.as_secs()).unwrap_or(libc::c_uint::MAX);
    // SAFETY: no pointers are involved.
    unsafe { libc::alarm(seconds) };
}

/// Sets the handler for the signals for which the C library would refuse it, directly through the kernel.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn handle_reserved() {
    /// The kernel's layout on both architectures.
    #[repr(C)]
    struct Action {
        handler: libc::sighandler_t,
        flags: libc::c_ulong,
        restorer: libc::sighandler_t,
        mask: u64,
    }
    const RESTORER: libc::c_ulong = 0x0400_0000;
    let handler = say as extern "C" fn(libc::c_int) as libc::sighandler_t;
    // The handler never returns, so the restorer is never reached; without one the kernel delivers nothing.
    let flags = libc::c_ulong::try_from(libc::SA_ONSTACK).unwrap_or_default() | RESTORER;
    let action = Action { handler, flags, restorer: handler, mask: u64::MAX };
    for signal in RESERVED {
        // SAFETY: the action has the kernel's layout, and the handler may be called at any time.
        unsafe {
            let nothing: *mut Action = null_mut();
            libc::syscall(libc::SYS_rt_sigaction, *signal, &raw const action, nothing, size_of::<u64>());
        }
    }
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
const fn handle_reserved() {}

/// Blocks the signals that would terminate us without a handler, and no others: a host may have blocked
/// signals, which is inherited, and then no handler would run. Our child processes start with none blocked.
#[cfg(target_os = "linux")]
fn hold_back() {
    const fn set(mut signals: &[libc::c_int]) -> u64 {
        let mut set = 0;
        while let [first, rest @ ..] = signals {
            set |= 1 << (*first - 1);
            signals = rest;
        }
        set
    }
    static HELD: u64 = !(set(DEADLY) | set(NOT_DEADLY) | set(RESERVED));
    // Bypasses the C library, which removes its own signals from the set.
    // SAFETY: the set is as large as the kernel's, and is only read.
    unsafe {
        let nothing: *mut u64 = null_mut();
        libc::syscall(
            libc::SYS_rt_sigprocmask,
            libc::SIG_SETMASK,
            &raw const HELD,
            nothing,
            size_of::<u64>(),
        );
    }
}

#[cfg(not(target_os = "linux"))]
fn hold_back() {
    // SAFETY: the set is a local, emptied before it is used, and nothing else is pointed to.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, null_mut());
    }
}

/// Replaces the prepared reply, because more is known by now.
pub(crate) fn say_instead(words: Reply) {
    WORDS.store(Box::into_raw(Box::new(words)), Ordering::Release);
}

/// Marks the start of writing the answer: nothing else may be written, but until it is complete we exit as
/// if there were none. Returns the exit code for that.
pub(crate) fn answering() -> u8 {
    let exit = unanswered();
    ANSWERED.store(exit.into(), Ordering::Release);
    exit
}

/// Returns the exit code of a process that exits without an answer.
pub(crate) fn unanswered() -> u8 {
    // SAFETY: the pointer is null or came from a box that is never freed and never written again.
    unsafe { WORDS.load(Ordering::Acquire).as_ref() }.map_or(2, |words| words.exit)
}

/// Marks the answer as written: from now on the process only exits, with the answer's exit code.
pub(crate) fn answered(exit: u8) {
    ANSWERED.store(exit.into(), Ordering::Release);
}

/// Returns the exit code of the answer, if there was one.
pub(crate) fn given() -> Option<u8> {
    u8::try_from(ANSWERED.load(Ordering::Acquire)).ok()
}

/// Exits immediately with the exit code of the answer: cleaning up takes time, and the host waits. Returns
/// only if there was no answer.
pub(crate) fn leave() -> Option<ExitCode> {
    let exit = given()?;
    // SAFETY: ends the process; what would be left to run frees memory, and nothing is buffered.
    unsafe { libc::_exit(exit.into()) }
}

extern "C" fn say(_: libc::c_int) {
    let running = checkrein::exec::RUNNING.load(Ordering::Acquire);
    if running > 1 {
        // SAFETY: no pointers are involved, and `kill` is safe in a signal handler.
        unsafe { libc::kill(-running, libc::SIGKILL) };
    }
    let mut exit = ANSWERED.load(Ordering::Acquire);
    if exit < 0 {
        exit = 2;
        // SAFETY: the pointer is null or came from a box that is never freed and never written again.
        if let Some(words) = unsafe { WORDS.load(Ordering::Acquire).as_ref() } {
            write_all(1, &words.stdout);
            write_all(2, words.stderr.as_bytes());
            exit = words.exit.into();
        }
    }
    // SAFETY: ends the process immediately, without running any of our code.
    unsafe { libc::_exit(exit) }
}

fn write_all(descriptor: libc::c_int, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: the pointer and the length are those of a live slice.
        let written = unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
        let Some(rest) =
            usize::try_from(written).ok().filter(|written| *written > 0).and_then(|n| bytes.get(n..))
        else {
            return;
        };
        bytes = rest;
    }
}
