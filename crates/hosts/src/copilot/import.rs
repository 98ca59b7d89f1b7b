//! The format of Copilot CLI's hook files.

use super::{RECIPE, hooks::PASCAL};
use crate::import::{Entries, Format, Matchers, Seconds, Signs};
use checkrein_core::EventName;

const LEFT_OUT: &[(&str, &str)] = &[
    ("powershell", "it is for another system"),
    ("comment", "nothing shows it"),
    ("description", "nothing shows it"),
];

pub(super) const FORMAT: Format = Format {
    recipe: &RECIPE,
    shape: "Copilot CLI's hooks are a JSON object",
    toml: false,
    entries: Entries {
        flat: true,
        bash: &["bash"],
        timeout: &["timeoutSec", "timeout"],
        denies_on: &[EventName::PreToolUse],
        more_events: PASCAL,
        ..Entries::GROUPS
    },
    matchers: Matchers::Whole,
    ignores_matcher: &[],
    handler_keys: &[],
    left_out: LEFT_OUT,
    runs_not: &[],
    environment_file: None,
    shows_denied: None,
    seconds: Seconds { default: 30.0, default_on: &[], least: f64::NEG_INFINITY, most_on: &[] },
    switch: Some("disableAllHooks"),
    features: &[],
    remarks: &[],
    beside_events: &[],
    has_state: false,
    has_notify: false,
    rule: "Patterns in `match` are the names of Copilot CLI's own tools, under every agent. A hook that takes too long counts as \
           failed here; there the call runs.",
    signs: Signs {
        matcher: &[],
        handler: &["bash", "powershell", "timeoutSec"],
        command: &["COPILOT_"],
        certain: &["bash", "powershell"],
    },
    needs_sign: false,
};
