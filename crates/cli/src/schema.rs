//! `checkrein schema`: what may stand in our files, for editors and for people.

use crate::args::Schema;
use anstream::{print, println};
use std::process::ExitCode;

pub(crate) fn run(schema: &Schema) -> anyhow::Result<ExitCode> {
    if schema.default {
        print!("{}", checkrein::DEFAULT_CONFIG);
    } else {
        let schema = if schema.tests { checkrein::tests_schema() } else { checkrein::config_schema() };
        println!("{}", serde_json::to_string_pretty(&schema)?);
    }
    Ok(ExitCode::SUCCESS)
}
