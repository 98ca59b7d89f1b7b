//! The format of Codex's hook files.

use super::RECIPE;
use crate::import::{Entries, Format, Matchers, Seconds, Signs};
use checkrein_core::EventName;

const MANAGED: &str = "the managed layer of Checkrein is a file of its own";
const ONE_COMMAND: &str = "a hook has one command here";

pub(super) const FORMAT: Format = Format {
    recipe: &RECIPE,
    shape: "Codex's hooks are a JSON object, or TOML below `[hooks]`",
    toml: true,
    entries: Entries::GROUPS,
    matchers: Matchers::Rust,
    ignores_matcher: &[],
    handler_keys: &[],
    left_out: &[
        ("commandWindows", ONE_COMMAND),
        ("command_windows", ONE_COMMAND),
        ("additionalContextLimit", "the agent's own limit holds"),
    ],
    runs_not: &["prompt", "agent"],
    environment_file: None,
    shows_denied: None,
    seconds: Seconds {
        default: 600.0,
        default_on: &[(EventName::SessionEnd, 1.0)],
        least: 1.0,
        most_on: &[(EventName::SessionEnd, 3.0)],
    },
    switch: None,
    features: &["hooks", "codex_hooks"],
    remarks: &[],
    beside_events: &[("managed_dir", MANAGED), ("windows_managed_dir", MANAGED)],
    has_state: true,
    has_notify: true,
    rule: "A text runs through `sh -c`; Codex starts `$SHELL -lc`, which reads the profile of that shell first.",
    signs: Signs {
        matcher: &["apply_patch", "spawn_agent"],
        handler: &[],
        command: &[],
        certain: &["commandWindows", "command_windows", "additionalContextLimit"],
    },
    needs_sign: false,
};
