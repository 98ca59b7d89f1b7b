//! Every error of a configuration, as a user sees it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod exceptions;
mod file;
mod hooks;
mod json_list;
mod patterns;
mod rules;
mod settings;
mod shown;

use checkrein::{Config, ConfigError};

fn problems(text: &str) -> ConfigError {
    Config::parse(text, "hooks.toml".as_ref()).unwrap_err()
}

/// Returns the problems of a hook for `PreToolUse` that runs `true` and has these further lines.
fn with(lines: &str) -> ConfigError {
    problems(&format!("[[hook]]\nevent = \"PreToolUse\"\ncommand = \"true\"\n{lines}\n"))
}
