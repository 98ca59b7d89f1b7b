//! The format of Qwen Code's hook files.

use super::RECIPE;
use crate::import::{Entries, Format, Matchers, Seconds, Signs};
use checkrein_core::EventName;

pub(super) const FORMAT: Format = Format {
    recipe: &RECIPE,
    shape: "Qwen Code's settings are a JSON object",
    toml: false,
    entries: Entries::GROUPS,
    matchers: Matchers::JavaScript,
    ignores_matcher: &[EventName::PostToolBatch, EventName::MessageDisplay],
    handler_keys: &["shell"],
    left_out: &[
        ("name", "a hook is named after its command"),
        ("description", "nothing shows it"),
        ("sequential", "hooks run one after another here"),
        ("env", "name the variables in `env` of the hook"),
    ],
    runs_not: &["agent"],
    environment_file: None,
    shows_denied: None,
    seconds: Seconds { default: 60.0, default_on: &[], least: f64::NEG_INFINITY, most_on: &[] },
    switch: Some("disableAllHooks"),
    features: &[],
    remarks: &[],
    beside_events: &[],
    has_state: false,
    has_notify: false,
    rule: "Patterns in `match` are the names of Qwen Code's own tools, under every agent.",
    signs: Signs {
        matcher: &["run_shell_command", "write_file"],
        handler: &[],
        command: &["QWEN_PROJECT_DIR"],
        certain: &[],
    },
    needs_sign: true,
};
