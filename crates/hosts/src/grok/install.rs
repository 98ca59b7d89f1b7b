//! The recipe to install checkrein into Grok Build.
//!
//! It reads every file of a directory, so that ours is a file of its own.

use crate::{
    doctor::Content,
    install::{BomPolicy, Layout, Recipe, Version, always, configured},
};
use checkrein_core::EventName;

/// The recipe for Grok Build.
pub const RECIPE: Recipe = Recipe {
    host: "grok",
    title: "Grok Build",
    program: "grok",
    package: "@xai-official/grok",
    directory: ".grok",
    signs: &[],
    project: ".grok",
    variable: "GROK_HOME",
    below_variable: "",
    file: "hooks/checkrein.json",
    beside: &[],
    managed: &[],
    keys: &[],
    bom: BomPolicy::Reject,
    oldest: Version(1, 0, 41),
    measured: Some(Version(1, 0, 41)),
    fails_closed_since: None,
    events: &[
        always(EventName::SessionStart),
        always(EventName::UserPromptSubmit),
        always(EventName::PreToolUse),
        always(EventName::PostToolUse),
        always(EventName::PostToolUseFailure),
        always(EventName::Stop),
        always(EventName::SessionEnd),
        configured(EventName::SubagentStart),
        configured(EventName::SubagentStop),
        configured(EventName::PermissionDenied),
        configured(EventName::StopFailure),
        configured(EventName::PreCompact),
        configured(EventName::PostCompact),
        configured(EventName::Notification),
    ],
    content: Content::Hooks,
    layout: Layout { matcher: ".*", ..Layout::CLAUDE },
    reads_here: false,
    runs_equal_once: true,
    has_drop_ins: false,
    left_to_do: &[
        "restart open sessions to pick up the new hooks",
        "a hook sees 128 KiB of a call at most, so longer calls are denied",
        "an output cannot be withheld or redacted: Grok Build gives it to the model as it is",
        "fails open if checkrein is missing, killed or hangs; there is no option for that",
    ],
};
