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
//! [`before_model`], [`after_model`], [`on`]); values of the engine's own trait ([`Entry`]); commands and callables
//! from a configuration file (`Pipeline::from_config`); tower layers around the tool ([`Builder::layer`]); or
//! overrides of the tool ([`answer`]). They can be added and removed while the pipeline runs.
//!
//! [`guide`] shows a whole loop.
//!
//! # Features
//!
//! | feature | default | adds |
//! | --- | --- | --- |
//! | `schema` | yes | `ToolSpec::new`: the input of a tool is validated |
//! | `guard` | yes | `Builder::guard`: the built-in guard |
//! | `config` | yes | `Builder::config`, `layers`, `stack`, `policy`: hooks and rules from files; includes `guard` |
//! | `tracing` | no | spans for `tracing`: `tool_call`, and in it `hook` and `tool` |
//! | `tokio-util` | no | conversions between [`Cancel`] and `CancellationToken` |
//!
//! Inputs keep the order of their keys: the engine enables `preserve_order` and `float_roundtrip` of `serde_json`, for
//! everything in the program that uses it.
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
//! let batch = agent.batch([
//!     call("write_file", json!({"path": "README", "content": "hello"})).id("1"),
//!     call("write_file", json!({"path": "LICENSE", "content": "hello"})).id("2"),
//! ]).await;
//! let texts: Vec<&str> = batch.reports.iter().map(|report| report.output.text()).collect();
//! assert_eq!(texts, ["6 bytes to README", "blocked by keep-licence: the licence stays as it is"]);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod abandon;
mod approve;
mod batch;
mod builder;
mod call;
mod call_input;
mod cancel;
mod catch_panic;
#[cfg(feature = "guard")]
mod config;
mod edge;
pub mod guide;
mod hook;
mod hooks;
mod layered;
mod model;
mod observers;
mod pipeline;
mod report;
mod schema_judge;
mod session;
mod spans;
mod tool;
mod tool_override;
mod toolbox;
mod typed;

pub use approve::{Approval, Approver, Asker, Policy, Request, Subject, policy};
pub use builder::{BuildError, Builder};
pub use call_input::{Call, call};
pub use cancel::Cancel;
#[cfg(feature = "guard")]
pub use checkrein;
pub use checkrein_core::{
    self, Decision, Edit, Entry, Event, EventName, Failure, HookText, Map, OnFailure, Outcome, Output,
    Payload, ResultKind, Retry, Role, Session, Step, Stop, ToolKind, Verdict,
};
pub use hook::{
    HookError, Registration, after, after_async, after_model, after_model_async, after_typed, before,
    before_async, before_model, before_model_async, failed, failed_async, on, on_async,
};
pub use layered::{Invocation, LayerError, Layered, ToolService};
pub use model::{ModelAnswer, RequestDecision};
pub use pipeline::{Handle, Pipeline, WeakPipeline};
pub use report::{Batch, Dispatched, Ending, Note, NoteKind, Report, Times};
pub use session::{EventDecision, HookNotes, PromptDecision, StopRetry};
#[cfg(feature = "schema")]
pub use tool::SchemaError;
pub use tool::{Cause, Running, ToolError, ToolSpec, Tools};
pub use tool_override::{ToolOverride, answer, answer_async};
pub use toolbox::{Tool, ToolFn, Toolbox, tool_fn};
pub use typed::{Json, ToolCall, ToolInput};

/// The name of the pipeline in notes.
pub(crate) const OURS: &str = "checkrein";

/// The text for a caller without a runtime.
pub(crate) const NO_RUNTIME: &str = "the pipeline needs a tokio runtime with a timer (`enable_time`)";

/// Runs the examples of the page for authors as tests. They are here because this crate depends on both libraries that they
/// use.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/authors.md")]
struct Readme;
