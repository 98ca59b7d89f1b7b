//! The format of VS Code's hook files.

use super::RECIPE;
use crate::import::{Format, Matchers, Seconds, Signs};
use checkrein_core::EventName;

const SYSTEM: &str = "the command for another system is not needed here";

pub(super) const FORMAT: Format = Format {
    recipe: &RECIPE,
    shape: "VS Code's hooks are a JSON object",
    toml: false,
    matchers: Matchers::JavaScript,
    // It ignores every matcher.
    ignores_matcher: EventName::ALL,
    handler_keys: &["linux", "osx"],
    left_out: &[("windows", SYSTEM)],
    runs_not: &["http", "prompt", "agent"],
    environment_file: None,
    shows_denied: Some(
        "VS Code adds the reason of a denied result and keeps the result; here the result is withheld where the host can do that",
    ),
    seconds: Seconds { default: 30.0, default_on: &[], least: f64::NEG_INFINITY, most_on: &[] },
    switch: None,
    features: &[],
    remarks: &[],
    beside_events: &[],
    has_state: false,
    has_notify: false,
    rule: "Tools have Claude Code's names here: `run_in_terminal` is `Bash`. `host_tool_name` on stdin has VS Code's own.",
    signs: Signs {
        matcher: &["run_in_terminal", "create_file"],
        handler: &["linux", "osx", "windows"],
        command: &[".vscode/"],
        certain: &["osx", "linux", "windows"],
    },
    needs_sign: true,
};
