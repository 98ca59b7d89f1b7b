//! What belongs to one dispatch on one thread and has no place in a payload: numbers that only Python can hold, an
//! exception that must pass through, tracebacks, and the loop that asynchronous hooks run on.

use crate::value::Numbers;
use pyo3::prelude::*;
use std::cell::RefCell;

/// One dispatch.
#[derive(Default)]
pub(crate) struct Context {
    pub(crate) numbers: Numbers,
    /// What was raised and is no failure of a hook: a user's Ctrl-C.
    pub(crate) interrupt: Option<PyErr>,
    /// Hook, and the traceback of its failure.
    pub(crate) tracebacks: Vec<(String, String)>,
    /// The running loop of an asynchronous caller.
    pub(crate) event_loop: Option<Py<PyAny>>,
}

thread_local! {
    /// Dispatches of this thread, the innermost last: a hook may dispatch too.
    static STACK: RefCell<Vec<Context>> = const { RefCell::new(Vec::new()) };
}

impl Context {
    /// Runs `dispatch` with this as its context, and gives both back.
    pub(crate) fn around<T>(self, dispatch: impl FnOnce() -> T) -> (T, Self) {
        /// Takes the context off the stack also when `dispatch` unwinds.
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

    /// Looks at the context of the dispatch that runs on this thread. A hook that is asked outside of one gets an empty
    /// context.
    pub(crate) fn with<T>(look: impl FnOnce(&mut Self) -> T) -> T {
        STACK.with_borrow_mut(|stack| match stack.last_mut() {
            Some(context) => look(context),
            None => look(&mut Self::default()),
        })
    }

    /// Whether somebody wants the dispatch to end.
    pub(crate) fn is_interrupted() -> bool {
        Self::with(|context| context.interrupt.is_some())
    }
}
