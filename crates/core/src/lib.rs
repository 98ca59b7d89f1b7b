//! The types of Checkrein and its dispatcher.
//!
//! A host sends an event, and its dialect turns the bytes into one [`Payload`]. Hooks have one of three roles:
//! editors change the payload, judges decide on the result, observers watch. The strictest decision wins, and the
//! [`Outcome`] says why. Nothing in this crate reads a file, starts a thread or knows a host's name.
//!
//! Start with [`Hook`], which explains the trait and shows a guard, a redactor and an auditor; then read
//! [`Dispatcher`].

#![forbid(unsafe_code)]

mod abilities;
mod decision;
mod dispatcher;
mod entry;
mod event;
mod failure;
pub mod flat;
mod hook;
mod id;
pub mod json;
pub mod nearest;
mod outcome;
mod output;
mod payload;
pub mod sanitize;
mod scope;
mod sort;
mod tool;
mod verdict;

pub use abilities::{Abilities, Asking, Editing, Stopping};
pub use decision::Decision;
pub use dispatcher::{Dispatcher, Stepwise};
pub use entry::{Entry, Role, UnknownRole};
pub use event::{Class, Event, EventName, UnknownEventError};
pub use failure::{Failure, OnFailure};
pub use flat::InputError;
pub use hook::{Answer, Deadline, Hook, HookFn, hook_fn};
pub use id::{EventId, NotAnIdError};
pub use outcome::{HookText, Outcome, Step, Stop};
pub use output::Output;
pub use payload::{Agent, Host, Payload, Session, Shared};
pub use scope::{Pattern, PatternError, Scope};
pub use tool::{ToolCall, ToolKind, UnknownKind};
pub use verdict::{Change, Edit, ResultKind, Retry, Verdict};

// For the crates of this project, and no part of the interface.
#[doc(hidden)]
pub use sort::SmallSort;

/// A JSON object that keeps the order of its keys.
pub type Map = serde_json::Map<String, serde_json::Value>;
