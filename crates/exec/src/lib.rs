//! Hooks that run in other processes.
//!
//! This is the only crate that starts processes for hooks. [`CommandHook`] starts a command for every event and waits for its
//! answer; [`CommandObserver`] starts one without waiting for it; [`Workers`] keep Python running for the functions
//! that are hooks. [`answer`] is a pure function from the output of a process to a verdict, so that workers and
//! bindings read answers in exactly the same way.
//!
//! ```
//! use checkrein_core::{Deadline, Decision, Event, Hook, Map, Payload, ToolCall};
//! use checkrein_exec::{CommandHook, Program};
//! use std::time::Duration;
//!
//! let hook = CommandHook::new(Program::Shell("echo 'not on a Friday' >&2; exit 2".into())).named("calendar");
//! let payload = Payload::new(Event::PreToolUse { call: ToolCall::new("Deploy", Map::new()) });
//! let verdict = hook.call(&payload, Deadline::after(Duration::from_secs(5))).unwrap();
//! assert_eq!(verdict.decision, Decision::Deny);
//! assert_eq!(verdict.reason.as_deref(), Some("not on a Friday"));
//! ```

#![forbid(unsafe_code)]

#[cfg(not(unix))]
compile_error!("Checkrein runs on Linux and macOS. Windows is not supported yet.");

pub mod answer;
mod callable;
mod child_io;
mod command;
mod deadline;
mod memory;
mod observer;
mod process_group;
mod program;
mod sys;
mod translation;
mod worker;

pub use callable::Callable;
pub use command::{CommandHook, Cwd, Environment};
pub use memory::limit_memory;
pub use observer::{CommandObserver, Supervisor, supervise};
pub use process_group::RUNNING;
pub use program::Program;
pub use translation::Translation;
pub use worker::Workers;
