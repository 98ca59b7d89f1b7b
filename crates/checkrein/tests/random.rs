//! Nothing panics, whatever the text.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{Config, Setup};
use proptest::prelude::*;

const TOML: &str = r#"# comment
[[hook]]
event = "PreToolUse"
name = "notify"
match = { tool = ["Write", "Edit*", "/^mcp__/"], except = "EditDraft" }
command = "./hooks/notify.sh"
role = "observe"
timeout = 5.0
on_failure = "ignore"

[[hook]]
event = 'Stop'
command = ["python3", "é.py", """x
y"""]
may_allow = true
cwd = "config"
env = ["TOKEN"]
"#;

const JSON: &str = r#"[
  {"event": "PreToolUse", "match": {"tool": ["write_file", "\u00e9"]}, "command": "./a.sh", "name": "n"},
  {"event": "PostToolUse", "callable": null, "command": "b", "timeout": 1.5e0}
]"#;

/// Reads and renders everything that could come of `text`.
fn exercise(text: &str) -> bool {
    match Config::parse(text, "x".as_ref()) {
        Ok(config) => {
            config.dispatcher(&Setup::default());
            true
        }
        Err(problems) => {
            assert!(!problems.to_string().is_empty() && !problems.one_line().contains('\n'));
            for problem in problems.iter() {
                // The head, and at most a line, a marker and a hint.
                assert!((1..=4).contains(&problem.to_string().lines().count()));
            }
            false
        }
    }
}

#[test]
fn the_samples_are_valid() {
    assert!(exercise(TOML) && exercise(JSON));
}

#[test]
fn every_beginning_and_every_end() {
    for sample in [TOML, JSON] {
        for (at, _) in sample.char_indices() {
            let (before, after) = sample.split_at(at);
            exercise(before);
            exercise(after);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text(text in any::<String>()) {
        exercise(&text);
    }

    #[test]
    fn text_of_the_notations(text in "[\\[\\]{}=\",:'#. \n\r\ta-f0-9\\\\é\u{1b}\u{feff}-]{0,200}") {
        exercise(&text);
    }

    #[test]
    fn changed_samples(
        sample in prop::sample::select(vec![TOML, JSON]),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..12, "[\\[\\]{}=\",:'# \n\r\ta1é\u{0}-]{0,3}"), 1..6),
    ) {
        let mut chars: Vec<char> = sample.chars().collect();
        for (at, length, new) in edits {
            let start = at.index(chars.len().max(1)).min(chars.len());
            let end = (start + length).min(chars.len());
            chars.splice(start..end, new.chars());
        }
        exercise(&chars.into_iter().collect::<String>());
    }
}
