//! How Codex is told to ask us.

use crate::{
    doctor::Content,
    install::{Mark, Recipe, Version, always, configured, since},
};
use checkrein_core::EventName;

/// How it is set up.
pub const RECIPE: Recipe = Recipe {
    host: "codex",
    title: "Codex",
    program: "codex",
    package: "@openai/codex",
    directory: ".codex",
    variable: "CODEX_HOME",
    file: "hooks.json",
    beside: &[],
    managed: &["/etc/codex/requirements.toml", "/etc/codex/hooks.json"],
    keys: &["description", "hooks"],
    mark: Mark::Rejected,
    oldest: Version(0, 145, 0),
    measured: Version(0, 166, 0),
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
    reads_here: false,
    runs_equal_once: false,
    has_drop_ins: false,
    left_to_do: &[
        "start `codex`, type `/hooks`, look at the hooks of checkrein and trust them: until then Codex skips them without a word",
        "it goes on without an answer if the program is missing, crashes or hangs, and has no switch against that",
    ],
};
