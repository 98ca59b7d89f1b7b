//! Checkrein: a hook engine for coding agents.
//!
//! This crate is the one to depend on. It has the whole contract (everything of [`checkrein_core`]), hooks in other
//! processes ([`exec`]), and reads a configuration file into a [`Dispatcher`]:
//!
//! ```no_run
//! use checkrein::{Config, Environment, Event, Payload, Setup, ToolCall};
//! # fn main() -> Result<(), checkrein::ConfigError> {
//! let config = Config::load("hooks.toml".as_ref())?;
//! let hooks = config.dispatcher(&Setup::new(Environment::of_process()));
//! let call = ToolCall::new("Bash", checkrein::Map::new());
//! let outcome = hooks.dispatch(Payload::new(Event::PreToolUse { call }));
//! println!("{}: {}", outcome.decision, outcome.reason());
//! # Ok(())
//! # }
//! ```
//!
//! [`Policy`] assembles everything that is active on a machine: the layers, trust, and the built-in guard. The program, the harness
//! and the Python package all use it.
//!
//! A configuration goes through three forms: a tree with the position of every value (`config/tree.rs`), the fields of
//! each table (`config/fields.rs`, by the definitions in `config/keys`), and validated hooks (`config/hook.rs`). Each step
//! collects all problems that it finds. A configuration with a problem is never half used: there is a [`Config`] or a
//! [`ConfigError`].
//!
//! The library prints nothing and reads only what it is told to: [`Config::load`] one file,
//! [`Environment::of_process`] the environment.

#![forbid(unsafe_code)]

pub mod approval;
mod builtin;
pub mod cases;
mod config;
mod environment;
pub mod import;
pub mod learn;
pub mod notify;
pub mod ownership;
mod policy;
pub mod presets;
mod rewrites;
pub mod secrets;
mod state;
mod this_program;
pub mod trail;
pub mod trust;
pub mod undo;

pub use builtin::{Disk, Guard, Kept, Still};
pub use checkrein_core::*;
pub use checkrein_exec as exec;
pub use checkrein_guard as guard;
pub use config::{
    Config,
    build::Setup,
    configured::{ConfiguredHook, HookStatus},
    default_file::default_config,
    layer::{ExceptionPolicy, Layer, Unattended, Untrusted},
    layered::LayeredConfig,
    learn::LearnSettings,
    managed::{Exposed, MANAGED_FILE, exposed},
    mcp::{ChangedTools, McpSettings, ServerRequests},
    monitor::{MOST_MONITOR_DAYS, MonitorMode, MonitorState},
    paths::{PROJECT_FILE, Places},
    problem::{ConfigError, Problem},
    reference::{key_names, key_reference, reference},
    schema::{config_schema, tests_schema},
    trail::TrailSettings,
    undo::UndoSettings,
};
pub use environment::{Environment, variable};
pub use policy::{ActiveHooks, Edge, MonitoredDecision, Part, Policy, today, whole};
pub use state::{Confirming, claims, is_confirming, mcp_pins, repair, session_file as state_file};
pub use this_program::this_program;
