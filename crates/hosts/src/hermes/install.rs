//! The recipe to install checkrein into Hermes.
//!
//! Its hooks are a part of its settings, which are YAML. A project has none.

use crate::{
    doctor::Content,
    install::{BomPolicy, Kind, Layout, Recipe, Version, always, configured, named},
};
use checkrein_core::EventName;

/// The recipe for Hermes.
pub const RECIPE: Recipe = Recipe {
    host: "hermes",
    title: "Hermes",
    program: "hermes",
    package: "hermes-agent",
    directory: ".hermes",
    signs: &[],
    project: "",
    variable: "HERMES_HOME",
    below_variable: "",
    file: "config.yaml",
    beside: &[],
    managed: &[],
    keys: &[],
    bom: BomPolicy::Reject,
    oldest: Version(0, 19, 0),
    measured: Some(Version(0, 19, 0)),
    fails_closed_since: None,
    events: &[
        named("on_session_start", always(EventName::SessionStart)),
        named("pre_llm_call", always(EventName::UserPromptSubmit)),
        named("pre_tool_call", always(EventName::PreToolUse)),
        named("post_tool_call", always(EventName::PostToolUse)),
        named("on_session_finalize", always(EventName::SessionEnd)),
        named("pre_verify", configured(EventName::Stop)),
        named("on_session_end", configured(EventName::AfterAgent)),
        named("subagent_stop", configured(EventName::SubagentStop)),
    ],
    content: Content::Yaml,
    // It shortens a longer time limit.
    layout: Layout { kind: Kind::Yaml, longest: 300, ..Layout::CLAUDE },
    reads_here: false,
    runs_equal_once: true,
    has_drop_ins: false,
    left_to_do: &[
        "start `hermes` once in a terminal and answer `y` to each of our hooks: without that Hermes skips them",
        "a call cannot be rewritten: it is denied, and the model gets the rewritten one",
        "a prompt cannot be refused, and an output cannot be withheld or redacted",
        "fails open if checkrein is missing, killed or hangs; there is no option for that",
    ],
};
