//! The recipe to install checkrein into Kilo.

use crate::{
    doctor::Content,
    install::{BomPolicy, Kind, Layout, Recipe, Version, always, configured, named},
};
use checkrein_core::EventName;

/// The recipe for Kilo.
pub const RECIPE: Recipe = Recipe {
    host: "kilo",
    title: "Kilo",
    program: "kilo",
    package: "@kilocode/cli",
    directory: ".config/kilo",
    signs: &[],
    project: ".kilo",
    variable: "XDG_CONFIG_HOME",
    below_variable: "kilo",
    file: "plugin/checkrein.ts",
    beside: &[],
    managed: &[],
    keys: &[],
    bom: BomPolicy::Reject,
    oldest: Version(7, 7, 7),
    measured: Some(Version(7, 7, 7)),
    fails_closed_since: None,
    events: &[
        named("session.created", always(EventName::SessionStart)),
        named("chat.message", always(EventName::UserPromptSubmit)),
        named("tool.execute.before", always(EventName::PreToolUse)),
        named("tool.execute.after", always(EventName::PostToolUse)),
        named("session.idle", configured(EventName::AfterAgent)),
    ],
    content: Content::Ours,
    layout: Layout { kind: Kind::Bridge(crate::bridge::source!("../opencode/bridge.ts")), ..Layout::CLAUDE },
    reads_here: true,
    runs_equal_once: false,
    has_drop_ins: false,
    left_to_do: &[
        "restart open sessions to pick up the new hooks",
        "started with `--pure`, Kilo loads no plugins and calls no hooks",
    ],
};
