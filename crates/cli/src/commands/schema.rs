//! `checkrein schema`: prints the schema, the reference and the defaults of configuration files.

use crate::{args::Schema, exit::ExitStatus, term::wrap::fitted};
use anyhow::Context;
use std::io::Write;

pub(crate) fn run(schema: &Schema) -> anyhow::Result<ExitStatus> {
    let text = if let Some(key) = &schema.key {
        let text = checkrein::key_reference(key).with_context(|| format!("there is no key `{key}`"))?;
        fitted(&text, 0).join("\n") + "\n"
    } else if schema.default {
        checkrein::default_config()
    } else if schema.reference {
        checkrein::reference()
    } else {
        let schema = if schema.tests { checkrein::tests_schema() } else { checkrein::config_schema() };
        serde_json::to_string_pretty(&schema)? + "\n"
    };
    // A pager may close the pipe early, where the macros would panic.
    std::io::stdout().write_all(text.as_bytes()).context("cannot write the schema")?;
    Ok(ExitStatus::Success)
}
