//! VS Code's agent (preview): everything that is specific to this host. **Not proved**: it needs a window and an account, so no
//! run of it has been seen, and everything here is from its documentation.
//!
//! | file | contents |
//! | --- | --- |
//! | `dialect.rs` | its protocol, and its abilities on each event |
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

use crate::{Host, Markers};
pub use install::RECIPE;

pub(crate) const HOST: Host = Host {
    dialect: &dialect::VsCode,
    recipe: Some(&RECIPE),
    doctor: &doctor::Checks,
    // A terminal in its window is the user's, so its own variables are no sign of an agent.
    markers: Markers::NONE,
    import: Some(&import::FORMAT),
    project_variable: None,
    tools: dialect::TOOLS,
    apart: Some(hooks::apart),
    hooks: Some(&hooks::FORM),
    // Its chats are in a database whose format is not documented.
    transcripts: None,
};
