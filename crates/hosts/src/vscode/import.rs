//! The format of VS Code's hook files.

use super::RECIPE;
use crate::import::{Entries, Format, Matchers, Seconds, Signs};

const LEFT_OUT: &[(&str, &str)] = &[("windows", "it is for another system")];

pub(super) const FORMAT: Format = Format {
    recipe: &RECIPE,
    shape: "VS Code's hooks are a JSON object",
    toml: false,
    entries: Entries { flat: true, timeout: &["timeout", "timeoutSec"], ..Entries::GROUPS },
    matchers: Matchers::Ignored,
    ignores_matcher: &[],
    handler_keys: &[],
    left_out: LEFT_OUT,
    runs_not: &[],
    environment_file: None,
    shows_denied: None,
    seconds: Seconds { default: 30.0, default_on: &[], least: f64::NEG_INFINITY, most_on: &[] },
    switch: None,
    features: &[],
    remarks: &[],
    beside_events: &[],
    has_state: false,
    has_notify: false,
    rule: "Patterns in `match` are the names of VS Code's own tools, under every agent.",
    signs: Signs {
        matcher: &[],
        handler: &["windows", "linux", "osx"],
        command: &[".vscode/"],
        certain: &["windows", "linux", "osx"],
    },
    needs_sign: false,
};
