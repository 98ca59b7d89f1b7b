//! The whole life cycle of a tool call, for authors of agents.
//!
//! An agent's loop passes the calls of a message to a [`Pipeline`] and gets one [`Report`] for each, in order. In
//! between are the steps that a home-made harness tends to get wrong:
//!
//! ```text
//! validate ─► edit ─► validate again ─► judge ─► approve ─► run ─► after-hooks ─► report
//!    ▲                                                      │           │
//!    └────────────────────────── retry ◄── failure hooks ◄──┘           └─► observers, later
//! ```
//!
//! - The judges, the user who approves, the tool, the after-hooks and the report all see the same input; the report
//!   also has the original.
//! - Hooks run in the order of the message, tools run concurrently. After a request to end the turn nothing starts,
//!   but no context and no redaction is lost.
//! - A failing, hanging or panicking hook, tool or approver affects only itself. A failed hook denies.
//! - A cancelled call leaves no process behind, and one complete report.
//! - Subagents use the same hooks and carry their lineage.
//!
//! Hooks are functions: plain, `async`, or typed by the input of one tool ([`before`], [`after`], [`failed`],
//! [`on`]); values of the engine's own trait ([`Entry`]); commands and callables from a configuration file
//! ([`Pipeline::from_config`]); tower layers around the tool ([`Builder::layer`]); or overrides of the tool
//! ([`answer`]).
//!
//! ```
//! use checkrein_harness::*;
//! use serde::{Deserialize, Serialize};
//! use serde_json::json;
//!
//! #[derive(Deserialize, Serialize)]
//! struct WriteFile { path: String, content: String }
//!
//! impl ToolInput for WriteFile {
//!     const TOOL: &str = "write_file";
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let schema = json!({
//!     "type": "object",
//!     "required": ["path", "content"],
//!     "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
//! });
//! let tools = Toolbox::new().with(tool_fn(ToolSpec::new("write_file", schema)?, |input: WriteFile, _| async move {
//!     Ok(format!("{} bytes to {}", input.content.len(), input.path)) // a real one would write
//! }));
//! let pipeline = Pipeline::builder(tools)
//!     .hook(before("final-newline", |call: &ToolCall<WriteFile>| {
//!         let WriteFile { path, content } = &call.input;
//!         call.rewrite(&WriteFile { path: path.clone(), content: format!("{}\n", content.trim_end()) })
//!     }).edit())
//!     .hook(before("keep-licence", |call: &ToolCall<WriteFile>| match call.input.path.as_str() {
//!         "LICENSE" => Verdict::deny("the licence stays as it is"),
//!         _ => Verdict::abstain(),
//!     }).judge())
//!     .build()?;
//!
//! let agent = pipeline.handle(Session::default());
//! let input = |path: &str| json!({"path": path, "content": "hello"}).as_object().cloned().unwrap_or_default();
//! let batch = agent.batch(vec![
//!     checkrein::ToolCall::new("write_file", input("README")),
//!     checkrein::ToolCall::new("write_file", input("LICENSE")),
//! ]).await;
//! let texts: Vec<&str> = batch.reports.iter().map(|report| report.output.text()).collect();
//! assert_eq!(texts, ["6 bytes to README", "blocked by keep-licence: the licence stays as it is"]);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod approve;
mod batch;
mod builder;
mod call;
mod cancel;
mod catch_panic;
mod config;
mod hook;
mod hooks;
mod layered;
mod observers;
mod pipeline;
mod report;
mod session;
mod tool;
mod tool_override;
mod toolbox;
mod typed;

pub use approve::{Approval, Approver, Asker, Policy, Request, Subject, policy};
pub use builder::{BuildError, Builder};
pub use cancel::Cancel;
pub use checkrein::{
    self, Decision, Edit, Entry, Event, EventName, Failure, HookText, Map, OnFailure, Outcome, Output,
    Payload, Retry, Role, Session, Stop, ToolKind, Verdict,
};
pub use hook::{
    HookError, Registration, after, after_async, before, before_async, failed, failed_async, on, on_async,
};
pub use layered::{Invocation, LayerError, Layered, ToolService};
pub use pipeline::{Handle, Pipeline, WeakPipeline};
pub use report::{Batch, Ending, Note, NoteKind, Report};
pub use session::{HookNotes, PromptDecision, StopDecision, StopRetry};
pub use tool::{Cause, Running, SchemaError, ToolError, ToolSpec, Tools};
pub use tool_override::{ToolOverride, answer, answer_async};
pub use toolbox::{Tool, ToolFn, Toolbox, tool_fn};
pub use typed::{ToolCall, ToolInput};

/// The name of the pipeline in notes.
pub(crate) const OURS: &str = "checkrein";

/// Runs the examples of the README as tests. They are here because this crate depends on both libraries that they
/// use.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
