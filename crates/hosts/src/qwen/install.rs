//! The recipe to install checkrein into Qwen Code.

use crate::{
    doctor::Content,
    install::{BomPolicy, Comments, Layout, Position, Recipe, Unit, Version, always, configured, named},
};
use checkrein_core::EventName;

/// The recipe for Qwen Code.
pub const RECIPE: Recipe = Recipe {
    host: "qwen",
    title: "Qwen Code",
    program: "qwen",
    package: "@qwen-code/qwen-code",
    directory: ".qwen",
    signs: &[],
    project: ".qwen",
    variable: "QWEN_HOME",
    below_variable: "",
    file: "settings.json",
    beside: &[],
    managed: &[
        "/etc/qwen-code/settings.json",
        "/etc/qwen-code/system-defaults.json",
        "/Library/Application Support/QwenCode/settings.json",
    ],
    keys: &[],
    bom: BomPolicy::Reject,
    // 0.15.10 runs no hook of such a file.
    oldest: Version(0, 24, 4),
    measured: Some(Version(0, 24, 4)),
    fails_closed_since: None,
    events: &[
        always(EventName::SessionStart),
        always(EventName::UserPromptSubmit),
        always(EventName::PreToolUse),
        always(EventName::PermissionRequest),
        always(EventName::PostToolUse),
        always(EventName::PostToolUseFailure),
        always(EventName::SubagentStart),
        always(EventName::SubagentStop),
        always(EventName::Stop),
        always(EventName::SessionEnd),
        configured(EventName::PostToolBatch),
        configured(EventName::Notification),
        configured(EventName::UserPromptExpansion),
        configured(EventName::MessageDisplay),
        configured(EventName::PreCompact),
        configured(EventName::PostCompact),
        configured(EventName::SessionDelete),
        configured(EventName::PermissionDenied),
        configured(EventName::StopFailure),
        configured(EventName::InstructionsLoaded),
        named("TodoCreated", configured(EventName::TaskCreated)),
        named("TodoCompleted", configured(EventName::TaskCompleted)),
    ],
    content: Content::Commented,
    layout: Layout {
        unit: Unit::Either,
        comments: Comments::Skipped,
        position: Position::Last,
        accepts_canonical: false,
        ..Layout::CLAUDE
    },
    reads_here: true,
    runs_equal_once: false,
    has_drop_ins: false,
    left_to_do: &[
        "restart open sessions to pick up the new hooks",
        "Qwen Code takes the answer of the last hook; run `checkrein init` again after you add one",
        "fails open if checkrein is missing, crashes or hangs; there is no fail-closed option",
    ],
};
