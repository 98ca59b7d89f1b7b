//! The format of Grok Build's hook files.

use super::RECIPE;
use crate::import::{Entries, Format, Matchers, Seconds, Signs};

pub(super) const FORMAT: Format = Format {
    recipe: &RECIPE,
    shape: "Grok Build's hooks are a JSON object",
    toml: false,
    entries: Entries::GROUPS,
    matchers: Matchers::Rust,
    ignores_matcher: &[],
    handler_keys: &[],
    left_out: &[],
    runs_not: &["prompt", "agent"],
    environment_file: None,
    shows_denied: Some(
        "Grok Build adds the reason of a denied result and keeps the result; here the result is withheld where the host can do that",
    ),
    seconds: Seconds { default: 60.0, default_on: &[], least: 1.0, most_on: &[] },
    switch: None,
    features: &[],
    remarks: &[],
    beside_events: &[],
    has_state: false,
    has_notify: false,
    rule: "Tools have Claude Code's names here: `run_terminal_command` is `Bash`, `write` is `Write`. `host_tool_name` on stdin has \
           Grok Build's own.",
    signs: Signs {
        matcher: &["run_terminal_command", "search_replace"],
        handler: &[],
        command: &["GROK_WORKSPACE_ROOT", "GROK_SESSION_ID", ".grok/"],
        certain: &[],
    },
    needs_sign: true,
};
