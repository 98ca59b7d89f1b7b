//! The recipe to install checkrein into Cursor.

use crate::{
    doctor::Content,
    install::{BomPolicy, FailClosed, Layout, Nesting, Recipe, Version, always, configured, named},
};
use checkrein_core::EventName;

/// The recipe for Cursor.
pub const RECIPE: Recipe = Recipe {
    host: "cursor",
    title: "Cursor",
    program: "cursor",
    package: "",
    directory: ".cursor",
    signs: &[],
    project: ".cursor",
    variable: "",
    below_variable: "",
    file: "hooks.json",
    beside: &[],
    managed: &["/etc/cursor/hooks.json"],
    keys: &[],
    bom: BomPolicy::Reject,
    // The version that brought hooks.
    oldest: Version(1, 7, 0),
    measured: None,
    fails_closed_since: Some(Version(1, 7, 0)),
    events: &[
        named("sessionStart", always(EventName::SessionStart)),
        named("beforeSubmitPrompt", always(EventName::UserPromptSubmit)),
        // This event can rewrite a call, and the next two can ask about it. It sends both for a command.
        named("preToolUse", always(EventName::PreToolUse)),
        named("beforeShellExecution", always(EventName::PreToolUse)),
        named("beforeMCPExecution", always(EventName::PreToolUse)),
        // Completions read files without a tool.
        named("beforeTabFileRead", always(EventName::PreToolUse)),
        named("postToolUse", always(EventName::PostToolUse)),
        named("postToolUseFailure", always(EventName::PostToolUseFailure)),
        named("stop", always(EventName::Stop)),
        named("sessionEnd", always(EventName::SessionEnd)),
        named("subagentStart", configured(EventName::SubagentStart)),
        named("subagentStop", configured(EventName::SubagentStop)),
        named("preCompact", configured(EventName::PreCompact)),
        named("afterAgentResponse", configured(EventName::PostModelResponse)),
        named("afterAgentThought", configured(EventName::PostModelResponse)),
    ],
    content: Content::Hooks,
    layout: Layout {
        nesting: Nesting::Flat,
        version: Some(1),
        fail_closed: FailClosed::Flag,
        // An unknown event is reported to make it reject the file.
        accepts_canonical: false,
        ..Layout::CLAUDE
    },
    reads_here: false,
    runs_equal_once: false,
    has_drop_ins: false,
    left_to_do: &[
        "not proved: it is supported from its documentation alone; try a call that is denied before you rely on it",
        "agents in the cloud run the hooks of the project, not yours",
    ],
};
