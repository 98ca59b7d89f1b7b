//! The recipe to install checkrein into opencode.

use crate::{
    doctor::Content,
    install::{BomPolicy, Kind, Layout, Recipe, Version, always, configured, named},
};
use checkrein_core::EventName;

/// The recipe for opencode.
pub const RECIPE: Recipe = Recipe {
    host: "opencode",
    title: "opencode",
    program: "opencode",
    package: "opencode-ai",
    directory: ".config/opencode",
    signs: &[],
    project: ".opencode",
    variable: "XDG_CONFIG_HOME",
    below_variable: "opencode",
    file: "plugin/checkrein.ts",
    beside: &[],
    managed: &[],
    keys: &[],
    bom: BomPolicy::Reject,
    oldest: Version(1, 18, 33),
    measured: Some(Version(1, 18, 33)),
    fails_closed_since: None,
    events: &[
        named("session.created", always(EventName::SessionStart)),
        named("chat.message", always(EventName::UserPromptSubmit)),
        named("tool.execute.before", always(EventName::PreToolUse)),
        named("tool.execute.after", always(EventName::PostToolUse)),
        named("session.idle", configured(EventName::AfterAgent)),
    ],
    content: Content::Ours,
    layout: Layout { kind: Kind::Bridge(crate::bridge::source!("bridge.ts")), ..Layout::CLAUDE },
    reads_here: true,
    runs_equal_once: false,
    has_drop_ins: false,
    left_to_do: &[
        "restart open sessions to pick up the new hooks",
        "started with `--pure`, opencode loads no plugins and calls no hooks",
    ],
};
