//! Cancellation: one flag that everything which waits checks.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::sync::Notify;

/// Cancels the hooks, approval requests and tools that were started with it. Clones share one flag, so a user's
/// interrupt reaches a call wherever it is. A cancellation is final; a new turn gets a new `Cancel`.
#[derive(Clone, Default)]
pub struct Cancel(Arc<State>);

#[derive(Default)]
struct State {
    set: AtomicBool,
    wake: Notify,
}

impl Cancel {
    /// Creates a flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels. Running calls end with [`Ending::Cancelled`](crate::Ending::Cancelled), and no other starts.
    pub fn cancel(&self) {
        self.0.set.store(true, Ordering::Release);
        self.0.wake.notify_waiters();
    }

    /// Returns true if it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::Acquire)
    }

    /// Completes when it is cancelled.
    pub async fn cancelled(&self) {
        loop {
            // Register before checking the flag, so that no wake-up is lost between the two.
            let woken = self.0.wake.notified();
            if self.is_cancelled() {
                return;
            }
            woken.await;
        }
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}
