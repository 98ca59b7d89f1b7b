//! The recipe to install checkrein into VS Code.
//!
//! It reads every file of Copilot CLI's directory, so that ours is a file of its own there. Copilot CLI reads it too, and then
//! judges a call twice, with the same result.

use crate::{
    doctor::Content,
    install::{BomPolicy, Layout, Nesting, Recipe, Version, always, configured},
};
use checkrein_core::EventName;

/// The recipe for VS Code.
pub const RECIPE: Recipe = Recipe {
    host: "vscode",
    title: "VS Code",
    program: "code",
    package: "",
    directory: ".copilot",
    signs: &[".vscode", ".config/Code"],
    project: ".github",
    variable: "",
    below_variable: "",
    file: "hooks/checkrein-vscode.json",
    beside: &[],
    managed: &[],
    keys: &[],
    bom: BomPolicy::Reject,
    // The version whose documentation first has hooks.
    oldest: Version(1, 110, 0),
    measured: None,
    fails_closed_since: None,
    events: &[
        always(EventName::SessionStart),
        always(EventName::UserPromptSubmit),
        always(EventName::PreToolUse),
        always(EventName::PostToolUse),
        always(EventName::Stop),
        configured(EventName::SubagentStart),
        configured(EventName::SubagentStop),
        configured(EventName::PreCompact),
    ],
    content: Content::Hooks,
    layout: Layout { nesting: Nesting::Flat, ..Layout::CLAUDE },
    reads_here: false,
    runs_equal_once: false,
    has_drop_ins: false,
    left_to_do: &[
        "not proved: it is supported from its documentation alone; try a call that is denied before you rely on it",
        "an output cannot be withheld or redacted: VS Code gives it to the model as it is",
        "fails open if checkrein is missing, killed or hangs; there is no option for that",
    ],
};
