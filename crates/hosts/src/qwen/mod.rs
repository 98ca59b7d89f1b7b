//! Qwen Code: everything that is specific to this host.
//!
//! | file | contents |
//! | --- | --- |
//! | `dialect.rs` | its protocol, and its abilities on each event |
//! | `install.rs` | where its hooks are configured, and which events it fires since which version |
//! | `doctor.rs` | what decides if it runs hooks at all |
//! | `hooks.rs` | the form of its own hooks, for those that run under other hosts |
//! | `import.rs` | the format of its hook files |
//! | `transcript.rs` | the records that it keeps of its sessions |
//! | this file | how its processes are recognised |
//!
//! Two parts are elsewhere because of their dependencies: how the agent is started for a live proof
//! (`live/src/agent/qwen.rs`, with the scripted model), and what the guard knows of its directories, variables and
//! command line (`guard/data/agents.toml`, `paths.toml`, `programs/agents.toml`).

mod dialect;
mod doctor;
mod hooks;
mod import;
mod install;
mod transcript;

use crate::{Host, Markers};
pub use install::RECIPE;

pub(crate) const HOST: Host = Host {
    dialect: &dialect::Qwen,
    recipe: Some(&RECIPE),
    doctor: &doctor::Checks,
    markers: Markers {
        programs: &["qwen"],
        packages: &[("qwen-code", "qwen")],
        variables: &["QWEN_CODE", "QWEN_PROJECT_DIR"],
    },
    import: Some(&import::FORMAT),
    project_variable: Some("QWEN_PROJECT_DIR"),
    tools: dialect::TOOLS,
    apart: None,
    hooks: Some(&hooks::FORM),
    transcripts: Some(&transcript::TRANSCRIPTS),
};
