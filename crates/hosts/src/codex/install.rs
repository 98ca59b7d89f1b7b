//! The recipe to install checkrein into Codex.

use crate::{
    doctor::Content,
    install::{BomPolicy, Layout, Recipe, Version, always, configured, since},
};
use checkrein_core::EventName;

/// The recipe for Codex.
pub const RECIPE: Recipe = Recipe {
    host: "codex",
    title: "Codex",
    program: "codex",
    package: "@openai/codex",
    directory: ".codex",
    signs: &[],
    project: ".codex",
    variable: "CODEX_HOME",
    below_variable: "",
    file: "hooks.json",
    beside: &[],
    managed: &["/etc/codex/requirements.toml", "/etc/codex/hooks.json"],
    keys: &["description", "hooks"],
    bom: BomPolicy::Reject,
    oldest: Version(0, 145, 0),
    measured: Some(Version(0, 166, 0)),
    fails_closed_since: None,
    events: &[
        always(EventName::SessionStart),
        always(EventName::UserPromptSubmit),
        always(EventName::PreToolUse),
        always(EventName::PermissionRequest),
        always(EventName::PostToolUse),
        always(EventName::SubagentStart),
        always(EventName::SubagentStop),
        always(EventName::Stop),
        since(Version(0, 145, 0), always(EventName::SessionEnd)),
        configured(EventName::PreCompact),
        configured(EventName::PostCompact),
        since(Version(0, 166, 0), configured(EventName::Interrupt)),
    ],
    content: Content::Hooks,
    layout: Layout::CLAUDE,
    reads_here: false,
    runs_equal_once: false,
    has_drop_ins: false,
    left_to_do: &[
        "start `codex` once and choose *Trust all and continue*; until then Codex silently skips the hooks",
        "fails open if checkrein is missing, crashes or hangs; there is no fail-closed option",
    ],
};
