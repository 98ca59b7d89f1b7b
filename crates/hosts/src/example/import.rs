//! The format of the example host's hook files.

use super::install::RECIPE;
use crate::import::{Entries, Format, Matchers, Seconds, Signs};

pub(super) const FORMAT: Format = Format {
    recipe: &RECIPE,
    shape: "Example's hooks are a JSON object",
    toml: false,
    entries: Entries::GROUPS,
    matchers: Matchers::Rust,
    ignores_matcher: &[],
    handler_keys: &[],
    left_out: &[("colour", "nothing is painted here")],
    runs_not: &[],
    environment_file: None,
    shows_denied: None,
    seconds: Seconds { default: 7.0, default_on: &[], least: 0.0, most_on: &[] },
    switch: None,
    features: &[],
    remarks: &[],
    beside_events: &[],
    has_state: false,
    has_notify: false,
    rule: "Example greets before it starts a hook.",
    signs: Signs { matcher: &[], handler: &[], command: &[], certain: &["colour"] },
    needs_sign: false,
};
