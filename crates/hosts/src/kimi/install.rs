//! The recipe to install checkrein into Kimi Code.
//!
//! Its hooks are tables of its settings. A project has none.

use crate::{
    doctor::Content,
    install::{BomPolicy, Kind, Layout, Recipe, Version, always, configured},
};
use checkrein_core::EventName;

/// The recipe for Kimi Code.
pub const RECIPE: Recipe = Recipe {
    host: "kimi",
    title: "Kimi Code",
    program: "kimi",
    package: "@moonshot-ai/kimi-code",
    directory: ".kimi-code",
    signs: &[],
    project: "",
    variable: "KIMI_CODE_HOME",
    below_variable: "",
    file: "config.toml",
    beside: &[],
    managed: &[],
    keys: &[],
    bom: BomPolicy::Reject,
    oldest: Version(2, 1, 0),
    measured: Some(Version(2, 1, 0)),
    fails_closed_since: None,
    events: &[
        always(EventName::SessionStart),
        always(EventName::UserPromptSubmit),
        always(EventName::PreToolUse),
        always(EventName::PostToolUse),
        always(EventName::PostToolUseFailure),
        always(EventName::Stop),
        always(EventName::SessionEnd),
        configured(EventName::StopFailure),
        configured(EventName::Interrupt),
        configured(EventName::SubagentStart),
        configured(EventName::SubagentStop),
        configured(EventName::PreCompact),
        configured(EventName::PostCompact),
        configured(EventName::Notification),
    ],
    content: Content::Toml,
    // It rejects a longer time limit.
    layout: Layout { kind: Kind::Tables, longest: 600, ..Layout::CLAUDE },
    reads_here: false,
    runs_equal_once: true,
    has_drop_ins: false,
    left_to_do: &[
        "restart open sessions to pick up the new hooks",
        "a call cannot be rewritten: it is denied, and the model gets the rewritten one",
        "an output cannot be withheld or redacted: Kimi Code does not wait for a hook after a call",
        "fails open if checkrein is missing, killed or hangs; there is no option for that",
    ],
};
