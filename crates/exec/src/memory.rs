//! A soft limit on memory for this process alone.
//!
//! A process that the system ends for want of memory has denied nothing. Under a limit of its own the allocation fails
//! instead, and a program that prepared for that can still answer. The limit is inherited, and an interpreter reserves far
//! more address space than it uses: whatever is started is started under the limit that was found.

#[cfg(target_os = "linux")]
mod soft {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use std::sync::Mutex;

    /// What was found and what was set instead, if a limit was set.
    static CHANGED: Mutex<Option<(Rlimit, Rlimit)>> = Mutex::new(None);

    pub(super) fn set(bytes: u64) {
        let found = getrlimit(Resource::As);
        // `None` is no limit at all. A limit that is lower already stays.
        if found.current.is_some_and(|current| current <= bytes) {
            return;
        }
        let own = Rlimit { current: Some(bytes), maximum: found.maximum };
        if setrlimit(Resource::As, own).is_ok()
            && let Ok(mut changed) = CHANGED.lock()
        {
            *changed = Some((found, own));
        }
    }

    pub(super) fn without<T>(start: impl FnOnce() -> T) -> T {
        // The lock is held while something starts, so that no other thread puts the limit back in between.
        let changed = CHANGED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some((found, own)) = changed.as_ref() else { return start() };
        // The hard limit is not touched, so neither can fail.
        let _ = setrlimit(Resource::As, *found);
        let started = start();
        let _ = setrlimit(Resource::As, *own);
        started
    }
}

/// Lets this process have `bytes` of address space at most, unless it may have less already. Only on Linux, where the
/// system heeds it.
pub fn limit_memory(bytes: u64) {
    #[cfg(target_os = "linux")]
    soft::set(bytes);
    #[cfg(not(target_os = "linux"))]
    let _ = bytes;
}

/// Starts something under the limit that this process was given.
pub(crate) fn unlimited<T>(start: impl FnOnce() -> T) -> T {
    #[cfg(target_os = "linux")]
    return soft::without(start);
    #[cfg(not(target_os = "linux"))]
    start()
}
