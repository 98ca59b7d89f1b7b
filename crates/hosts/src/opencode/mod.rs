//! opencode: everything that is specific to this host.
//!
//! | file | contents |
//! | --- | --- |
//! | `dialect.rs` | its protocol, and its abilities on each event |
//! | `bridge.ts` | the module that it loads, after `../bridge/core.ts` |
//! | `install.rs` | where our files are, and which events it fires |
//! | `transcript.rs` | the records that it keeps of its sessions |
//! | this file | how its processes are recognised |
//!
//! Two parts are elsewhere because of their dependencies: how the agent is started for a live proof
//! (`live/src/agent/opencode.rs`, with the scripted model), and what the guard knows of its directories, variables and
//! command line (`guard/data/agents.toml`, `paths.toml`, `programs/agents.toml`).

pub(crate) mod dialect;
mod install;
pub(crate) mod transcript;

use crate::{Host, Markers, bridge::Intact};
pub use install::RECIPE;

pub(crate) const HOST: Host = Host {
    dialect: &dialect::Opencode(&RECIPE),
    recipe: Some(&RECIPE),
    doctor: &Intact { switches: &["OPENCODE_PURE"] },
    markers: Markers {
        programs: &["opencode"],
        packages: &[("opencode-ai", "opencode")],
        variables: &["OPENCODE"],
    },
    // Its plugins are programs of their own.
    import: None,
    project_variable: None,
    tools: dialect::TOOLS,
    apart: None,
    hooks: None,
    transcripts: Some(&transcript::TRANSCRIPTS),
};
