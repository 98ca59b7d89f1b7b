//! The recipe to install checkrein into Gemini CLI.

use crate::{
    doctor::Content,
    install::{BomPolicy, Comments, Layout, Recipe, Unit, Version, always, configured, named},
};
use checkrein_core::EventName;

/// The recipe for Gemini CLI.
pub const RECIPE: Recipe = Recipe {
    host: "gemini",
    title: "Gemini CLI",
    program: "gemini",
    package: "@google/gemini-cli",
    directory: ".gemini",
    signs: &[],
    project: ".gemini",
    variable: "GEMINI_CLI_HOME",
    below_variable: ".gemini",
    file: "settings.json",
    beside: &[],
    managed: &[
        "/etc/gemini-cli/settings.json",
        "/etc/gemini-cli/system-defaults.json",
        "/Library/Application Support/GeminiCli/settings.json",
    ],
    keys: &[],
    bom: BomPolicy::Reject,
    oldest: Version(0, 26, 0),
    measured: Some(Version(0, 61, 0)),
    fails_closed_since: None,
    events: &[
        always(EventName::SessionStart),
        named("BeforeAgent", always(EventName::UserPromptSubmit)),
        named("BeforeTool", always(EventName::PreToolUse)),
        named("AfterTool", always(EventName::PostToolUse)),
        named("AfterAgent", always(EventName::Stop)),
        always(EventName::SessionEnd),
        named("BeforeModel", configured(EventName::PreModelRequest)),
        named("AfterModel", configured(EventName::PostModelResponse)),
        named("BeforeToolSelection", configured(EventName::PreToolSelection)),
        named("PreCompress", configured(EventName::PreCompact)),
        configured(EventName::Notification),
    ],
    content: Content::Commented,
    layout: Layout {
        unit: Unit::Milliseconds,
        comments: Comments::Skipped,
        accepts_canonical: false,
        ..Layout::CLAUDE
    },
    reads_here: true,
    runs_equal_once: true,
    has_drop_ins: false,
    left_to_do: &[
        "restart open sessions to pick up the new hooks",
        "in a directory that you have not trusted, Gemini CLI runs no hooks at all",
        "fails open if checkrein crashes, is killed or hangs; there is no fail-closed option",
    ],
};
