//! State of one dispatch on one thread that has no place in a payload: numbers that only Python can
//! represent, an exception that must be passed on, tracebacks, and the loop for asynchronous hooks.

use crate::{callable::Awaited, value::Numbers};
use pyo3::prelude::*;
use std::cell::RefCell;

/// One dispatch.
#[derive(Default)]
pub(crate) struct Context {
    pub(crate) numbers: Numbers,
    /// An exception that is not a hook's failure: the user's Ctrl-C.
    pub(crate) interrupt: Option<PyErr>,
    /// Hooks with the tracebacks of their failures.
    pub(crate) tracebacks: Vec<(String, String)>,
    /// The running loop of an asynchronous caller.
    pub(crate) event_loop: Option<Py<PyAny>>,
    /// Notices of the package itself.
    pub(crate) notices: Vec<(String, String)>,
    /// True if asynchronous functions are left to the caller's loop.
    pub(crate) is_stepwise: bool,
    /// The function that was left to it.
    pub(crate) awaited: Option<Awaited>,
}

thread_local! {
    /// The dispatches of this thread, the innermost last: a hook may dispatch too.
    static STACK: RefCell<Vec<Context>> = const { RefCell::new(Vec::new()) };
}

impl Context {
    /// Runs `dispatch` with this context, and returns both.
    pub(crate) fn around<T>(self, dispatch: impl FnOnce() -> T) -> (T, Self) {
        /// Removes the context from the stack even if `dispatch` unwinds.
        struct Pop;
        impl Pop {
            fn now() -> Context {
                STACK.with_borrow_mut(|stack| stack.pop().unwrap_or_default())
            }
        }
        impl Drop for Pop {
            fn drop(&mut self) {
                Self::now();
            }
        }
        STACK.with_borrow_mut(|stack| stack.push(self));
        let pop = Pop;
        let result = dispatch();
        std::mem::forget(pop);
        (result, Pop::now())
    }

    /// Accesses the context of the current dispatch on this thread. A hook that is called outside one
    /// gets an empty context.
    pub(crate) fn with<T>(look: impl FnOnce(&mut Self) -> T) -> T {
        STACK.with_borrow_mut(|stack| match stack.last_mut() {
            Some(context) => look(context),
            None => look(&mut Self::default()),
        })
    }

    /// Returns true if the user interrupted the dispatch.
    pub(crate) fn is_interrupted() -> bool {
        Self::with(|context| context.interrupt.is_some())
    }
}
