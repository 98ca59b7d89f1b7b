//! Kimi Code: everything that is specific to this host.
//!
//! | file | contents |
//! | --- | --- |
//! | `dialect.rs` | its protocol, and its abilities on each event |
//! | `install.rs` | where its hooks are configured, and which events it fires |
//! | `transcript.rs` | the records that it keeps of its sessions |
//! | this file | how its processes are recognised |
//!
//! Two parts are elsewhere because of their dependencies: how the agent is started for a live proof
//! (`live/src/agent/kimi.rs`, with the scripted model), and what the guard knows of its directories, variables and
//! command line (`guard/data/agents.toml`, `paths.toml`, `programs/agents.toml`).

mod dialect;
mod install;
mod transcript;

use crate::{Host, Markers, doctor::NothingMore};
pub use install::RECIPE;

pub(crate) const HOST: Host = Host {
    dialect: &dialect::Kimi,
    recipe: Some(&RECIPE),
    doctor: &NothingMore,
    // It sets no variable for its hooks.
    markers: Markers { programs: &["kimi"], packages: &[("kimi-code", "kimi")], variables: &[] },
    // Its hooks are tables of TOML without groups, which the importer does not read yet.
    import: None,
    project_variable: None,
    tools: dialect::TOOLS,
    apart: None,
    hooks: None,
    transcripts: Some(&transcript::TRANSCRIPTS),
};
