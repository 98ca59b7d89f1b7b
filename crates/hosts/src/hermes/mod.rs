//! Hermes: everything that is specific to this host.
//!
//! | file | contents |
//! | --- | --- |
//! | `dialect.rs` | its protocol, and its abilities on each event |
//! | `install.rs` | where its hooks are configured, and which events it fires |
//! | `doctor.rs` | whether the user has agreed to our hooks |
//! | `transcript.rs` | the records that it keeps of its sessions |
//! | this file | how its processes are recognised |
//!
//! Two parts are elsewhere because of their dependencies: how the agent is started for a live proof
//! (`live/src/agent/hermes.rs`, with the scripted model), and what the guard knows of its directories, variables and
//! command line (`guard/data/agents.toml`, `paths.toml`, `programs/agents.toml`).

mod dialect;
mod doctor;
mod install;
mod transcript;

use crate::{Host, Markers};
pub use doctor::CONSENT;
pub use install::RECIPE;

pub(crate) const HOST: Host = Host {
    dialect: &dialect::Hermes,
    recipe: Some(&RECIPE),
    doctor: &doctor::Checks,
    markers: Markers {
        programs: &["hermes"],
        packages: &[("hermes-agent", "hermes")],
        variables: &["HERMES_SESSION_ID"],
    },
    // Its hooks are a part of YAML, which the importer does not read.
    import: None,
    project_variable: None,
    tools: dialect::TOOLS,
    apart: None,
    hooks: None,
    transcripts: Some(&transcript::TRANSCRIPTS),
};
