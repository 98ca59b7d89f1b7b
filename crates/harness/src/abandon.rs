//! Hooks that cannot be stopped: a function that waits is left behind when its time is up.
//!
//! Such a hook runs on a thread of its own. The dispatch waits for it until its deadline, or until the caller is gone,
//! and then continues without it. The thread stays until the function returns; the runtime bounds the number of such
//! threads, and a hook that finds none in time has timed out.

use crate::{NO_RUNTIME, catch_panic::panic_text};
use checkrein_core::{Deadline, Failure, Hook, Outcome, Payload, Verdict};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{RecvTimeoutError, sync_channel},
    },
    time::{Duration, Instant},
};
use tokio::runtime::Handle;

/// The interval at which a wait checks [`Deadline::abandonment`].
pub(crate) const LOOK: Duration = Duration::from_millis(10);

/// The time that a hook of unknown kind gets to stop by itself, for example to terminate its process.
pub(crate) const GRACE: Duration = Duration::from_millis(500);

/// A hook that is abandoned when its time is up.
pub(crate) struct Abandonable {
    pub(crate) hook: Arc<dyn Hook>,
    /// The time to stop by itself; none for a function that does not know of deadlines.
    pub(crate) grace: Duration,
}

impl Abandonable {
    fn elsewhere<R: Send + 'static>(
        &self,
        deadline: Deadline<'_>,
        work: impl FnOnce(&dyn Hook, Deadline<'_>) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Failure> {
        let runtime = Handle::try_current().map_err(|_| Failure::NotStarted(NO_RUNTIME.into()))?;
        let begun = Instant::now();
        let end = deadline.start();
        let limit = deadline.limit();
        let flag = Arc::new(AtomicBool::new(false));
        let (send, answers) = sync_channel(1);
        let (hook, gone) = (Arc::clone(&self.hook), Arc::clone(&flag));
        runtime.spawn_blocking(crate::spans::carry(move || {
            let deadline = Deadline::after(limit).until(end).unless(Some(&gone));
            let answer = catch_unwind(AssertUnwindSafe(|| work(&*hook, deadline)));
            let answer = answer.unwrap_or_else(|panic| Err(Failure::Panicked(panic_text(&*panic))));
            // An error means that the answer came too late.
            let _ = send.send(answer);
        }));
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match answers.recv_timeout(left.min(LOOK)) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::NotStarted("the runtime has shut down".into()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let failure = if deadline.is_abandoned() {
                Failure::Abandoned
            } else if Instant::now() >= end {
                Failure::TimedOut { after: end.saturating_duration_since(begun).min(limit) }
            } else {
                continue;
            };
            flag.store(true, Ordering::Release);
            return match answers.recv_timeout(self.grace) {
                // The hook stopped by itself and says why. A verdict comes too late.
                Ok(Err(own)) => Err(own),
                Ok(Ok(_)) | Err(_) => Err(failure),
            };
        }
    }
}

impl Hook for Abandonable {
    fn name(&self) -> &str {
        self.hook.name()
    }

    fn call(&self, payload: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure> {
        let payload = payload.clone();
        self.elsewhere(deadline, move |hook, deadline| hook.call(&payload, deadline))
    }

    fn observe(&self, outcome: &Outcome, deadline: Deadline<'_>) -> Result<(), Failure> {
        let outcome = outcome.clone();
        self.elsewhere(deadline, move |hook, deadline| hook.observe(&outcome, deadline))
    }
}
