//! Cline: everything that is specific to this host.
//!
//! | file | contents |
//! | --- | --- |
//! | `dialect.rs` | its protocol, and its abilities on each event |
//! | `payload.rs` | its payload as flat fields, and back |
//! | `install.rs` | where our files are, and which events it fires |
//! | `transcript.rs` | the records that it keeps of its sessions |
//! | this file | how its processes are recognised |
//!
//! Two parts are elsewhere because of their dependencies: how the agent is started for a live proof
//! (`live/src/agent/cline.rs`, with the scripted model), and what the guard knows of its directories, variables and
//! command line (`guard/data/agents.toml`, `paths.toml`, `programs/agents.toml`).

mod dialect;
mod install;
mod payload;
mod transcript;

use crate::{Host, Markers, bridge::Intact};
pub use install::RECIPE;

pub(crate) const HOST: Host = Host {
    dialect: &dialect::Cline,
    recipe: Some(&RECIPE),
    doctor: &Intact { switches: &[] },
    markers: Markers { programs: &["cline"], packages: &[], variables: &["CLINE_ACTIVE", "CLINE_BUILD_ENV"] },
    // Its hooks are files with a program each, which nothing lists.
    import: None,
    project_variable: None,
    tools: payload::TOOLS,
    apart: Some(payload::apart),
    hooks: None,
    transcripts: Some(&transcript::TRANSCRIPTS),
};
