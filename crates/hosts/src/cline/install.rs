//! The recipe to install checkrein into Cline.
//!
//! It runs every file of a directory that is named after an event, so ours are files of their own.

use crate::{
    doctor::Content,
    install::{BomPolicy, Kind, Layout, Recipe, Version, always, configured, named},
};
use checkrein_core::EventName;

/// The recipe for Cline.
pub const RECIPE: Recipe = Recipe {
    host: "cline",
    title: "Cline",
    program: "cline",
    package: "cline",
    directory: ".cline",
    signs: &[],
    project: ".clinerules",
    variable: "CLINE_DIR",
    below_variable: "",
    file: "hooks",
    beside: &[],
    managed: &[],
    keys: &[],
    bom: BomPolicy::Reject,
    oldest: Version(3, 0, 65),
    measured: Some(Version(3, 0, 65)),
    fails_closed_since: None,
    events: &[
        named("TaskStart", always(EventName::SessionStart)),
        always(EventName::UserPromptSubmit),
        always(EventName::PreToolUse),
        always(EventName::PostToolUse),
        named("TaskComplete", configured(EventName::AfterAgent)),
        named("TaskCancel", configured(EventName::Interrupt)),
        named("TaskError", configured(EventName::ErrorOccurred)),
        named("SessionShutdown", always(EventName::SessionEnd)),
    ],
    content: Content::Ours,
    layout: Layout { kind: Kind::Scripts, ..Layout::CLAUDE },
    reads_here: true,
    runs_equal_once: false,
    has_drop_ins: false,
    left_to_do: &[
        "restart open sessions to pick up the new hooks",
        "a denial ends the run: Cline does not tell the model the reason",
        "in its yolo mode Cline runs no hooks",
    ],
};
