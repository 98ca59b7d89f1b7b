//! Grok Build: everything that is specific to this host.
//!
//! | file | contents |
//! | --- | --- |
//! | `dialect.rs` | its protocol, and its abilities on each event |
//! | `install.rs` | where its hooks are configured, and which events it fires |
//! | `doctor.rs` | whether a call arrives twice |
//! | `import.rs` | what differs in its hook files |
//! | `transcript.rs` | the records that it keeps of its sessions |
//! | this file | how its processes are recognised |
//!
//! Two parts are elsewhere because of their dependencies: how the agent is started for a live proof
//! (`live/src/agent/grok.rs`, with the scripted model), and what the guard knows of its directories, variables and
//! command line (`guard/data/agents.toml`, `paths.toml`, `programs/agents.toml`).

mod dialect;
mod doctor;
mod import;
mod install;
mod transcript;

use crate::{Host, Markers};
pub use install::RECIPE;

pub(crate) const HOST: Host = Host {
    dialect: &dialect::Grok,
    recipe: Some(&RECIPE),
    doctor: &doctor::Checks,
    markers: Markers {
        programs: &["grok"],
        packages: &[],
        variables: &["GROK_SESSION_ID", "GROK_HOOK_EVENT"],
    },
    import: Some(&import::FORMAT),
    project_variable: Some("GROK_WORKSPACE_ROOT"),
    tools: dialect::TOOLS,
    apart: None,
    hooks: None,
    transcripts: Some(&transcript::TRANSCRIPTS),
};
