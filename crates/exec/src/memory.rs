//! A soft memory limit for this process only.
//!
//! A process that the system kills for lack of memory denies nothing. Under its own limit the allocation fails
//! instead, and a prepared program can still answer. The limit is inherited, and an interpreter reserves far more
//! address space than it uses, so children are started under the original limit.

#[cfg(target_os = "linux")]
mod soft {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use std::sync::Mutex;

    /// The original and the new limit, if a limit was set.
    static CHANGED: Mutex<Option<(Rlimit, Rlimit)>> = Mutex::new(None);

    pub(super) fn set(bytes: u64) {
        let found = getrlimit(Resource::As);
        // `None` means no limit. A lower limit stays.
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
        // The lock is held while a child starts, so that no other thread restores the limit in between.
        let changed = CHANGED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some((found, own)) = changed.as_ref() else { return start() };
        // The hard limit is not touched, so neither call can fail.
        let _ = setrlimit(Resource::As, *found);
        let started = start();
        let _ = setrlimit(Resource::As, *own);
        started
    }
}

/// Limits this process to `bytes` of address space, unless it already has a lower limit. Only on Linux, where the
/// system enforces it.
pub fn limit_memory(bytes: u64) {
    #[cfg(target_os = "linux")]
    soft::set(bytes);
    #[cfg(not(target_os = "linux"))]
    let _ = bytes;
}

/// Starts something under the original limit.
pub(crate) fn unlimited<T>(start: impl FnOnce() -> T) -> T {
    #[cfg(target_os = "linux")]
    return soft::without(start);
    #[cfg(not(target_os = "linux"))]
    start()
}
