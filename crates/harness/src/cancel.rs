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
///
/// With the feature `tokio-util`, it converts from and into a `CancellationToken`, and the two share one state from
/// then on.
#[derive(Clone, Default)]
pub struct Cancel(Arc<State>);

#[derive(Default)]
struct State {
    set: AtomicBool,
    wake: Notify,
    /// The token that shares the state.
    #[cfg(feature = "tokio-util")]
    token: std::sync::OnceLock<tokio_util::sync::CancellationToken>,
}

impl Cancel {
    /// Creates a flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels. Running calls end with [`Ending::Cancelled`](crate::Ending::Cancelled), and no other starts.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let _ = ping;
    /// async fn wait(_: Value, _: Running) -> Result<String, ToolError> {
    ///     std::future::pending().await
    /// }
    /// let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("wait"), wait));
    /// let cancel = Cancel::new();
    /// let agent = Pipeline::builder(tools).build()?.handle(Session::default()).with_cancel(&cancel);
    /// let (report, ()) = tokio::join!(agent.call(call("wait", json!({}))), async { cancel.cancel() });
    /// assert_eq!(report.ending, Ending::Cancelled);
    /// # Ok(())
    /// # }
    /// ```
    pub fn cancel(&self) {
        self.0.set.store(true, Ordering::SeqCst);
        self.0.wake.notify_waiters();
        #[cfg(feature = "tokio-util")]
        if let Some(token) = self.0.token.get() {
            token.cancel();
        }
    }

    /// Returns true if it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        #[cfg(feature = "tokio-util")]
        if self.0.token.get().is_some_and(tokio_util::sync::CancellationToken::is_cancelled) {
            return true;
        }
        self.0.set.load(Ordering::SeqCst)
    }

    /// Completes when it is cancelled.
    pub async fn cancelled(&self) {
        loop {
            // Register before checking the flag, so that no wake-up is lost between the two.
            let woken = self.0.wake.notified();
            if self.is_cancelled() {
                return;
            }
            #[cfg(feature = "tokio-util")]
            if let Some(token) = self.0.token.get() {
                tokio::select! {
                    () = token.cancelled() => {}
                    () = woken => {}
                }
                continue;
            }
            woken.await;
        }
    }
}

#[cfg(feature = "tokio-util")]
impl From<tokio_util::sync::CancellationToken> for Cancel {
    fn from(token: tokio_util::sync::CancellationToken) -> Self {
        let state = State::default();
        // The cell is new, so it is empty.
        let _ = state.token.set(token);
        Self(Arc::new(state))
    }
}

#[cfg(feature = "tokio-util")]
impl From<&Cancel> for tokio_util::sync::CancellationToken {
    fn from(cancel: &Cancel) -> Self {
        let token = cancel.0.token.get_or_init(Self::new).clone();
        // Those who wait already do not know the token yet.
        cancel.0.wake.notify_waiters();
        if cancel.0.set.load(Ordering::SeqCst) {
            token.cancel();
        }
        token
    }
}

#[cfg(feature = "tokio-util")]
impl From<Cancel> for tokio_util::sync::CancellationToken {
    fn from(cancel: Cancel) -> Self {
        Self::from(&cancel)
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}
