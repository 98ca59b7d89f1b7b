//! Giving up: one flag that everything which waits looks at.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::sync::Notify;

/// Cancels what was started with it: hooks, questions and tools. Clones are the same flag, so a user's interrupt
/// reaches a call wherever it is. It cannot be taken back; a new turn gets a new one.
#[derive(Clone, Default)]
pub struct Cancel(Arc<State>);

#[derive(Default)]
struct State {
    set: AtomicBool,
    wake: Notify,
}

impl Cancel {
    /// Nothing is cancelled yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels. Calls that run end with [`Ending::Cancelled`](crate::Ending::Cancelled), and no other starts.
    pub fn cancel(&self) {
        self.0.set.store(true, Ordering::Release);
        self.0.wake.notify_waiters();
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::Acquire)
    }

    /// Ends when it is cancelled.
    pub async fn cancelled(&self) {
        loop {
            // Before the look at the flag, so that no wake-up falls between the two.
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
