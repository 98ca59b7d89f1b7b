//! The recipe to install checkrein into Pi.

use crate::{
    doctor::Content,
    install::{BomPolicy, Kind, Layout, Recipe, Version, always, configured, named},
};
use checkrein_core::EventName;

/// The recipe for Pi.
pub const RECIPE: Recipe = Recipe {
    host: "pi",
    title: "Pi",
    program: "pi",
    package: "@earendil-works/pi-coding-agent",
    directory: ".pi/agent",
    signs: &[],
    project: ".pi",
    variable: "PI_CODING_AGENT_DIR",
    below_variable: "",
    file: "extensions/checkrein.ts",
    beside: &[],
    managed: &[],
    keys: &[],
    bom: BomPolicy::Reject,
    oldest: Version(1, 5, 0),
    measured: Some(Version(1, 5, 0)),
    fails_closed_since: None,
    events: &[
        named("session_start", always(EventName::SessionStart)),
        named("input", always(EventName::UserPromptSubmit)),
        named("tool_call", always(EventName::PreToolUse)),
        named("tool_result", always(EventName::PostToolUse)),
        // The same event of Pi; the bridge tells them apart.
        always(EventName::PostToolUseFailure),
        named("agent_settled", configured(EventName::AfterAgent)),
        named("session_shutdown", always(EventName::SessionEnd)),
        named("session_before_compact", configured(EventName::PreCompact)),
    ],
    content: Content::Ours,
    layout: Layout { kind: Kind::Bridge(crate::bridge::source!("bridge.ts")), ..Layout::CLAUDE },
    reads_here: true,
    runs_equal_once: false,
    has_drop_ins: false,
    left_to_do: &["restart open sessions to pick up the new hooks"],
};
