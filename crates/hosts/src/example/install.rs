//! The recipe to install checkrein into the example host.

use crate::{
    doctor::Content,
    install::{BomPolicy, Layout, Recipe, Version, always, since},
};
use checkrein_core::EventName;

pub(super) const RECIPE: Recipe = Recipe {
    host: "example",
    title: "Example",
    program: "example",
    package: "example-agent",
    directory: ".example",
    signs: &[],
    project: ".example",
    variable: "EXAMPLE_HOME",
    below_variable: "",
    file: "hooks.json",
    beside: &[],
    managed: &[],
    keys: &["hooks"],
    bom: BomPolicy::Reject,
    oldest: Version(1, 0, 0),
    measured: Some(Version(1, 2, 0)),
    fails_closed_since: None,
    events: &[always(EventName::PreToolUse), since(Version(1, 2, 0), always(EventName::Stop))],
    content: Content::Hooks,
    layout: Layout::CLAUDE,
    reads_here: false,
    runs_equal_once: false,
    has_drop_ins: false,
    left_to_do: &["greet it"],
};
