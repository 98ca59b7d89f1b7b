//! Claude Code: everything that we know of it.
//!
//! | file | what |
//! | --- | --- |
//! | `dialect.rs` | how it speaks, and what it can do on each event |
//! | `install.rs` | where its hooks stand, and which events it fires since when |
//! | `doctor.rs`, `plugins.rs` | what decides whether it runs hooks at all |
//! | `import.rs` | what its files of hooks mean |
//! | here | how its processes are recognised |
//!
//! Elsewhere, because of what they depend on: how it is started for a proof (`live/src/agent/claude.rs`, with the scripted model), and what the guard
//! knows of its directories, variables and command line (`guard/data/paths.toml`, `variables.toml`, `programs/agents.toml`).

mod dialect;
mod doctor;
mod import;
mod install;
mod plugins;

use crate::{Host, Markers};
pub use install::RECIPE;

pub(crate) const HOST: Host = Host {
    dialect: &dialect::Claude,
    recipe: Some(&RECIPE),
    doctor: &doctor::Checks,
    markers: Markers {
        programs: &["claude"],
        packages: &[("claude-code", "claude")],
        variables: &["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"],
    },
    import: Some(&import::FORMAT),
    project_variable: Some("CLAUDE_PROJECT_DIR"),
};
