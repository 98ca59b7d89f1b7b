//! Cursor: everything that is specific to this host. **Not proved**: it needs an account, so no run of it has been seen, and
//! everything here is from its documentation.
//!
//! | file | contents |
//! | --- | --- |
//! | `dialect.rs` | its protocol, and its abilities on each event |
//! | `payload.rs` | its events as ours: several of them can be about one call |
//! | `install.rs` | where its hooks are configured, and which events it fires |
//! | `doctor.rs` | whether a call arrives from another agent's files too |
//! | `hooks.rs` | the form of its own hooks, for those that run under other hosts |
//! | `import.rs` | the format of its hook files |
//! | this file | how its processes are recognised |
//!
//! What the guard knows of its directories, variables and command line is elsewhere because of its dependencies
//! (`guard/data/agents.toml`, `paths.toml`, `programs/agents.toml`).

mod dialect;
mod doctor;
mod hooks;
mod import;
mod install;
mod payload;

use crate::{Host, Markers};
pub use install::RECIPE;

pub(crate) const HOST: Host = Host {
    dialect: &dialect::Cursor,
    recipe: Some(&RECIPE),
    doctor: &doctor::Checks,
    // A terminal in its window is the user's, so its own program is not a sign of an agent.
    markers: Markers { programs: &["cursor-agent"], packages: &[], variables: &["CURSOR_AGENT"] },
    import: Some(&import::FORMAT),
    project_variable: Some("CURSOR_PROJECT_DIR"),
    tools: payload::TOOLS,
    apart: None,
    hooks: Some(&hooks::FORM),
    // Its chats are in a database whose format is not documented.
    transcripts: None,
};
