//! Checkrein as a host, for a harness without a protocol of its own. It is never installed into an agent, so there
//! is only a dialect, and a reader of our own trail.

mod dialect;
mod transcript;

use crate::{Host, Markers, doctor::NothingMore};

pub(crate) const HOST: Host = Host {
    dialect: &dialect::Checkrein,
    recipe: None,
    doctor: &NothingMore,
    markers: Markers::NONE,
    import: None,
    project_variable: None,
    tools: &[],
    apart: None,
    hooks: None,
    transcripts: Some(&transcript::TRANSCRIPTS),
};
