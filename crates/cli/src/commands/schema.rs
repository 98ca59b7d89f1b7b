//! `checkrein schema`: prints the schema of configuration files and the default configuration.

use crate::{args::Schema, exit::ExitStatus};
use anyhow::Context;
use std::io::Write;

pub(crate) fn run(schema: &Schema) -> anyhow::Result<ExitStatus> {
    let text = if schema.default {
        checkrein::DEFAULT_CONFIG.to_owned()
    } else {
        let schema = if schema.tests { checkrein::tests_schema() } else { checkrein::config_schema() };
        serde_json::to_string_pretty(&schema)? + "\n"
    };
    // A pager may close the pipe early, where the macros would panic.
    std::io::stdout().write_all(text.as_bytes()).context("cannot write the schema")?;
    Ok(ExitStatus::Success)
}
