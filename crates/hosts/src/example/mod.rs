//! A fictional host, only with the feature `example-host`: the minimum that a host needs, and the proof that it is
//! enough.
//!
//! `crates/cli/tests/program/example_host.rs` runs it through the program: events, answers, `init`, `doctor`, the
//! help, and the detection of processes that an agent started. To add a real host, copy this directory
//! (CONTRIBUTING.md has the steps).

mod dialect;
mod doctor;
mod import;
mod install;

use crate::{Host, Markers};

pub(crate) const HOST: Host = Host {
    dialect: &dialect::Example,
    recipe: Some(&install::RECIPE),
    doctor: &doctor::Checks,
    markers: Markers {
        programs: &["example"],
        packages: &[("example-agent", "example")],
        variables: &["EXAMPLE_AGENT"],
    },
    import: Some(&import::FORMAT),
    project_variable: Some("EXAMPLE_PROJECT"),
    tools: &[],
    apart: None,
    hooks: None,
    transcripts: None,
};
