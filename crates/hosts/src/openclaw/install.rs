//! The recipe to install checkrein into OpenClaw: a plugin of three files. A project has none.

use crate::{
    doctor::Content,
    install::{BomPolicy, Kind, Layout, Recipe, Version, always, configured, named},
};
use checkrein_core::EventName;

/// The recipe for OpenClaw.
pub const RECIPE: Recipe = Recipe {
    host: "openclaw",
    title: "OpenClaw",
    program: "openclaw",
    package: "openclaw",
    directory: ".openclaw",
    signs: &[],
    project: "",
    variable: "OPENCLAW_STATE_DIR",
    below_variable: "",
    file: "extensions/checkrein/index.ts",
    beside: &[],
    managed: &[],
    keys: &[],
    bom: BomPolicy::Reject,
    oldest: Version(2026, 9, 6),
    measured: Some(Version(2026, 9, 6)),
    fails_closed_since: None,
    events: &[
        named("session_start", always(EventName::SessionStart)),
        named("before_agent_run", always(EventName::UserPromptSubmit)),
        named("before_tool_call", always(EventName::PreToolUse)),
        named("after_tool_call", always(EventName::PostToolUse)),
        named("agent_end", configured(EventName::AfterAgent)),
    ],
    content: Content::Ours,
    layout: Layout {
        kind: Kind::Bridge(crate::bridge::source!("bridge.ts")),
        companions: &[
            ("extensions/checkrein/package.json", include_str!("package.json")),
            ("extensions/checkrein/openclaw.plugin.json", include_str!("openclaw.plugin.json")),
        ],
        // It gives up after 15.
        longest: 14,
        ..Layout::CLAUDE
    },
    reads_here: false,
    runs_equal_once: false,
    has_drop_ins: false,
    left_to_do: &[
        "run `openclaw plugins enable checkrein`, and restart the Gateway",
        "for prompts, set `plugins.entries.checkrein.hooks.allowConversationAccess` to true in `openclaw.json`",
        "`openclaw agent exec` calls no plugin: use `openclaw agent --local` instead",
        "an output cannot be withheld or redacted",
    ],
};
