//! OpenClaw: everything that is specific to this host.
//!
//! | file | contents |
//! | --- | --- |
//! | `dialect.rs` | its protocol, and its abilities on each event |
//! | `bridge.ts` | the module that it loads, after `../bridge/core.ts` |
//! | `package.json`, `openclaw.plugin.json` | the other files of the plugin |
//! | `install.rs` | where our files are, and which events it fires |
//! | `doctor.rs` | whether it loads our plugin |
//! | `transcript.rs` | the records that it keeps of its sessions |
//! | this file | how its processes are recognised |
//!
//! Two parts are elsewhere because of their dependencies: how the agent is started for a live proof
//! (`live/src/agent/openclaw.rs`, with the scripted model), and what the guard knows of its directories, variables and
//! command line (`guard/data/agents.toml`, `paths.toml`, `programs/agents.toml`).

mod dialect;
mod doctor;
mod install;
mod transcript;

use crate::{Host, Markers};
pub use install::RECIPE;

pub(crate) const HOST: Host = Host {
    dialect: &dialect::Openclaw,
    recipe: Some(&RECIPE),
    doctor: &doctor::Checks,
    markers: Markers { programs: &["openclaw"], packages: &[], variables: &["OPENCLAW_CLI"] },
    // Its plugins are programs of their own.
    import: None,
    project_variable: None,
    tools: dialect::TOOLS,
    apart: None,
    hooks: None,
    transcripts: Some(&transcript::TRANSCRIPTS),
};
