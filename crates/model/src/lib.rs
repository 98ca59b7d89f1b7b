//! A scripted model on loopback that speaks the protocols of coding agents.
//!
//! A proof that an agent obeys a hook needs the agent itself to attempt a call, and an agent does what its model
//! says. So the proof needs a model that says the same thing every time, offline: a [`Server`] follows a [`Script`]
//! of turns and keeps every [`Request`], which shows what the agent tells the model after a hook has answered.
//!
//! | wire | path | who speaks it |
//! | --- | --- | --- |
//! | Anthropic Messages | `/v1/messages` | Claude Code |
//! | OpenAI Responses | `/v1/responses` | Codex |
//! | OpenAI Chat Completions | `/v1/chat/completions` | most others |
//! | Gemini API | `/v1beta/models/<model>:streamGenerateContent` | Gemini CLI |
//!
//! All of them as a stream or as one object, whichever the request asks for. The server is a few threads over the
//! standard library: it is part of the program (`checkrein doctor --live`), which needs neither a runtime nor a framework.
//!
//! ```
//! use checkrein_model::{Call, Script, Server, Turn};
//! use serde_json::json;
//!
//! let script = Script::new([
//!     Turn::call(Call::new("run_shell", json!({"command": "ls"}))),
//!     Turn::text("Two files."),
//! ]);
//! let server = Server::start(script)?;
//! // Point an agent to `server.url()` and let it work; then look at what it sent.
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! assert!(server.requests().is_empty());
//! # Ok::<(), std::io::Error>(())
//! ```

#![forbid(unsafe_code)]

mod http;
mod record;
mod script;
mod server;
mod wire;

pub use record::{Answered, Message, Request, ToolResult};
pub use script::{Call, Script, Turn};
pub use server::Server;
pub use wire::Wire;
