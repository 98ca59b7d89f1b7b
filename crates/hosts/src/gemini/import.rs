//! The format of Gemini CLI's hook files.

use super::RECIPE;
use crate::import::{Entries, Format, Matchers, Seconds, Signs};
use checkrein_core::EventName;

const SWITCHED: &str = "it is the agent's own switch";

pub(super) const FORMAT: Format = Format {
    recipe: &RECIPE,
    shape: "Gemini CLI's settings are a JSON object",
    toml: false,
    entries: Entries::GROUPS,
    matchers: Matchers::JavaScript,
    ignores_matcher: &[EventName::PreModelRequest, EventName::PostModelResponse, EventName::PreToolSelection],
    handler_keys: &[],
    left_out: &[
        ("name", "a hook is named after its command"),
        ("description", "nothing shows it"),
        ("sequential", "hooks run one after another here"),
    ],
    runs_not: &["http", "prompt", "agent"],
    environment_file: None,
    shows_denied: None,
    seconds: Seconds { default: 60.0, default_on: &[], least: f64::NEG_INFINITY, most_on: &[] },
    switch: None,
    features: &[],
    remarks: &[],
    beside_events: &[("enabled", SWITCHED), ("disabled", SWITCHED), ("notifications", SWITCHED)],
    has_state: false,
    has_notify: false,
    rule: "Patterns in `match` are the names of Gemini CLI's own tools, under every agent.",
    signs: Signs {
        matcher: &["run_shell_command", "write_file", "read_file", "replace"],
        handler: &["name"],
        command: &["GEMINI_PROJECT_DIR"],
        certain: &[],
    },
    needs_sign: false,
};
