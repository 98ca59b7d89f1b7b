//! The format of Claude Code's hook files.

use super::RECIPE;
use crate::import::{Entries, Format, Matchers, Seconds, Signs};
use checkrein_core::EventName;

pub(super) const FORMAT: Format = Format {
    recipe: &RECIPE,
    shape: "Claude Code's settings are a JSON object",
    toml: false,
    entries: Entries::GROUPS,
    matchers: Matchers::JavaScript,
    ignores_matcher: &[
        EventName::PostToolBatch,
        EventName::TeammateIdle,
        EventName::TaskCreated,
        EventName::TaskCompleted,
        EventName::WorktreeCreate,
        EventName::WorktreeRemove,
        EventName::MessageDisplay,
        EventName::CwdChanged,
    ],
    handler_keys: &["args", "shell", "asyncRewake", "onFailure", "if", "once"],
    left_out: &[],
    runs_not: &[],
    environment_file: Some((
        "CLAUDE_ENV_FILE",
        &[EventName::SessionStart, EventName::Setup, EventName::CwdChanged, EventName::FileChanged],
    )),
    shows_denied: Some("Claude Code shows both"),
    seconds: Seconds {
        default: 600.0,
        default_on: &[
            (EventName::SessionEnd, 1.5),
            (EventName::UserPromptSubmit, 30.0),
            (EventName::MessageDisplay, 10.0),
        ],
        least: f64::NEG_INFINITY,
        most_on: &[],
    },
    switch: Some("disableAllHooks"),
    features: &[],
    remarks: &[(
        "allowManagedHooksOnly",
        "`allowManagedHooksOnly` was left out: hooks of the managed layer cannot be taken away here, and other layers \
         only add to them",
    )],
    beside_events: &[],
    has_state: false,
    has_notify: false,
    rule: "Answers that only Claude Code knows (a title, paths to watch, the contents of a form, another text on the screen) \
           are not passed on.",
    signs: Signs {
        matcher: &[],
        handler: &["args", "shell", "asyncRewake", "onFailure", "if", "once", "url"],
        // Codex does not set this variable.
        command: &["CLAUDE_PROJECT_DIR"],
        certain: &[],
    },
    needs_sign: false,
};
