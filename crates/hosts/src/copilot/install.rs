//! The recipe to install checkrein into Copilot CLI.
//!
//! It reads every file of a directory, so that ours is a file of its own.

use crate::{
    doctor::Content,
    install::{BomPolicy, Layout, Nesting, Recipe, Version, always, configured, named},
};
use checkrein_core::EventName;

/// The recipe for Copilot CLI.
pub const RECIPE: Recipe = Recipe {
    host: "copilot",
    title: "Copilot CLI",
    program: "copilot",
    package: "@github/copilot",
    directory: ".copilot",
    signs: &[],
    project: ".github",
    variable: "COPILOT_HOME",
    below_variable: "",
    file: "hooks/checkrein.json",
    beside: &[],
    managed: &["/etc/github-copilot/policy.d/checkrein.json"],
    keys: &["version", "disableAllHooks", "hooks"],
    bom: BomPolicy::Reject,
    oldest: Version(1, 0, 51),
    measured: Some(Version(1, 0, 102)),
    fails_closed_since: None,
    events: &[
        named("sessionStart", always(EventName::SessionStart)),
        named("userPromptSubmitted", always(EventName::UserPromptSubmit)),
        named("preToolUse", always(EventName::PreToolUse)),
        named("permissionRequest", always(EventName::PermissionRequest)),
        named("postToolUse", always(EventName::PostToolUse)),
        named("postToolUseFailure", always(EventName::PostToolUseFailure)),
        named("subagentStart", always(EventName::SubagentStart)),
        named("subagentStop", always(EventName::SubagentStop)),
        named("agentStop", always(EventName::Stop)),
        named("sessionEnd", always(EventName::SessionEnd)),
        named("preCompact", configured(EventName::PreCompact)),
        named("errorOccurred", configured(EventName::ErrorOccurred)),
        named("notification", configured(EventName::Notification)),
    ],
    content: Content::Hooks,
    layout: Layout {
        nesting: Nesting::Flat,
        command: "bash",
        timeout: "timeoutSec",
        version: Some(1),
        ..Layout::CLAUDE
    },
    reads_here: false,
    runs_equal_once: false,
    has_drop_ins: false,
    left_to_do: &[
        "restart open sessions to pick up the new hooks",
        "fails open if checkrein hangs; there is no fail-closed option for that",
    ],
};
