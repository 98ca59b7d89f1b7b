//! Kilo: everything that is specific to this host. It is a fork of opencode, and loads the same plugins.
//!
//! | file | contents |
//! | --- | --- |
//! | `../opencode/dialect.rs`, `../opencode/bridge.ts` | its protocol, and the module that it loads |
//! | `install.rs` | where our files are, and which events it fires |
//! | this file | how its processes are recognised, and where its records are |
//!
//! Two parts are elsewhere because of their dependencies: how the agent is started for a live proof
//! (`live/src/agent/kilo.rs`, with the scripted model), and what the guard knows of its directories, variables and
//! command line (`guard/data/agents.toml`, `paths.toml`, `programs/agents.toml`).

mod install;

use crate::{
    Host, Markers,
    bridge::Intact,
    opencode::{dialect::Opencode, transcript},
    transcript::Transcripts,
};
pub use install::RECIPE;

pub(crate) const HOST: Host = Host {
    dialect: &Opencode(&RECIPE),
    recipe: Some(&RECIPE),
    doctor: &Intact { switches: &["KILO_PURE"] },
    markers: Markers {
        programs: &["kilo", "kilocode"],
        packages: &[],
        variables: &["KILO", "KILOCODE_VERSION"],
    },
    // Its plugins are programs of their own.
    import: None,
    project_variable: None,
    tools: crate::opencode::dialect::TOOLS,
    apart: None,
    hooks: None,
    transcripts: Some(&Transcripts {
        directories: &["kilo"],
        // Measured on 7.7.7: the tables of opencode, but the input is the one that the model asked for.
        is_record: |path| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.starts_with("kilo") && name.ends_with(".db")
        },
        ..transcript::TRANSCRIPTS
    }),
};
