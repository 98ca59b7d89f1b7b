//! The format of Cursor's hook files.

use super::{RECIPE, payload::COVERED};
use crate::import::{Entries, Format, Matchers, Seconds, Signs};

const LEFT_OUT: &[(&str, &str)] =
    &[("loop_limit", "the running agent decides how often a turn continues by itself")];

pub(super) const FORMAT: Format = Format {
    recipe: &RECIPE,
    shape: "Cursor's hooks are a JSON object",
    toml: false,
    entries: Entries {
        flat: true,
        kind_optional: true,
        fail_closed: Some("failClosed"),
        more_events: COVERED,
        other_matchers: &[
            ("beforeShellExecution", "the text of the command"),
            ("afterShellExecution", "the text of the command"),
            ("beforeReadFile", "`Read` or `TabRead`"),
            ("beforeTabFileRead", "`Read` or `TabRead`"),
            ("afterFileEdit", "`Write` or `TabWrite`"),
            ("afterTabFileEdit", "`Write` or `TabWrite`"),
        ],
        missing: &[
            ("beforeReadFile", "the field `content` is not there: the file is not read for the hook"),
            ("afterFileEdit", "`edits` has the replaced text only if the agent's tool names it"),
        ],
        ..Entries::GROUPS
    },
    matchers: Matchers::Part,
    ignores_matcher: &[],
    handler_keys: &[],
    left_out: LEFT_OUT,
    runs_not: &[],
    environment_file: None,
    shows_denied: None,
    seconds: Seconds { default: 60.0, default_on: &[], least: f64::NEG_INFINITY, most_on: &[] },
    switch: None,
    features: &[],
    remarks: &[],
    beside_events: &[],
    has_state: false,
    has_notify: false,
    rule: "Patterns in `match` are the names of Cursor's own tools, under every agent.",
    signs: Signs {
        matcher: &["Shell", "MCP:"],
        handler: &["failClosed", "loop_limit"],
        command: &["CURSOR_PROJECT_DIR", ".cursor/"],
        certain: &["failClosed", "loop_limit"],
    },
    needs_sign: false,
};
