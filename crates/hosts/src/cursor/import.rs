//! The format of Cursor's hook files.

use super::RECIPE;
use crate::import::{Format, Matchers, Seconds, Signs};
use checkrein_core::EventName;

pub(super) const FORMAT: Format = Format {
    recipe: &RECIPE,
    shape: "Cursor's hooks are a JSON object",
    toml: false,
    matchers: Matchers::JavaScript,
    ignores_matcher: &[EventName::SessionStart, EventName::UserPromptSubmit, EventName::Stop],
    handler_keys: &["failClosed"],
    left_out: &[("loop_limit", "an agent that is told to continue is told once per turn here")],
    runs_not: &["agent", "http"],
    environment_file: None,
    shows_denied: Some(
        "Cursor keeps the result of a built-in tool; here the result is withheld where the host can do that",
    ),
    // Its documentation says only that the platform has a default.
    seconds: Seconds { default: 60.0, default_on: &[], least: f64::NEG_INFINITY, most_on: &[] },
    switch: None,
    features: &[],
    remarks: &[],
    beside_events: &[],
    has_state: false,
    has_notify: false,
    rule: "A hook of Cursor gets the event in Cursor's words here too, whatever agent sends it.",
    signs: Signs {
        matcher: &["Shell", "MCP:"],
        handler: &[],
        command: &["CURSOR_PROJECT_DIR", ".cursor/"],
        certain: &["failClosed", "loop_limit"],
    },
    needs_sign: false,
};
