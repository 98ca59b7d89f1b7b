//! Property tests: whatever a file holds, the result loads and no hook is lost.

use super::origin;
use super::{import, loaded};
use crate::{
    Config,
    import::{Import, Origin, Status, text},
};
use checkrein_core::{EventName, Map};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;

/// A command, a name or a pattern as a stranger writes it.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("Bash".to_owned()),
        "[A-Za-z0-9_|, *-]{0,12}",
        "[\\^$.*+?()\\[\\]{}|\\\\dwbA-C0-3-]{0,10}",
        "[ -~\n\t'\"\\\\$#é\u{202e}]{0,20}",
        any::<String>(),
    ]
}

fn handler() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec!["command", "command", "command", "command", "http", "prompt", "x"]);
    let timeout = prop_oneof![
        Just(Value::Null),
        (0_u32..2000).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-1.0..700.0).prop_map(Value::from),
    ];
    let failure = prop::sample::select(vec!["", "block", "continue", "deny"]);
    let args = prop::option::weighted(0.2, prop::collection::vec(words(), 0..3));
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let extra = prop::option::weighted(0.2, (words(), words()));
    (kind, words(), timeout, failure, args, flags, extra).prop_map(
        |(kind, command, timeout, failure, args, (is_async, once, status), extra)| {
            let mut handler = json!({"type": kind, "command": command});
            if let Some((key, value)) = extra {
                handler[key] = value.into();
                handler["type"] = kind.into();
                handler["command"] = command.into();
            }
            if !timeout.is_null() {
                handler["timeout"] = timeout;
            }
            if !failure.is_empty() {
                handler["onFailure"] = failure.into();
            }
            if let Some(args) = args {
                handler["args"] = args.into();
            }
            for (key, is) in [("async", is_async), ("once", once)] {
                if is {
                    handler[key] = true.into();
                }
            }
            if status {
                handler["statusMessage"] = "x".into();
            }
            handler
        },
    )
}

fn settings() -> impl Strategy<Value = Value> {
    let event = prop_oneof![
        prop::sample::select(vec!["PreToolUse", "PostToolUse", "Stop", "SessionStart", "SessionEnd", "Nope"])
            .prop_map(str::to_owned),
        prop::sample::select(EventName::ALL.to_vec()).prop_map(|event| event.as_str().to_owned()),
        words(),
    ];
    let group = (prop::option::of(words()), prop::collection::vec(handler(), 0..3));
    let events = prop::collection::vec((event, prop::collection::vec(group, 0..3)), 0..4);
    (events, any::<bool>()).prop_map(|(events, disabled)| {
        let mut hooks = Map::new();
        for (event, groups) in events {
            let groups: Vec<Value> = groups
                .into_iter()
                .map(|(matcher, handlers)| match matcher {
                    Some(matcher) => json!({"matcher": matcher, "hooks": handlers}),
                    None => json!({"hooks": handlers}),
                })
                .collect();
            hooks.insert(event, groups.into());
        }
        let mut settings = json!({"hooks": hooks});
        if disabled && settings["hooks"].as_object().unwrap().len() == 3 {
            settings["disableAllHooks"] = true.into();
        }
        settings
    })
}

/// The fork's table for an event and its entries.
fn fork() -> impl Strategy<Value = String> {
    let event =
        prop::sample::select(vec!["pre_tool_use", "post_tool_use", "after_agent", "session_start", "nope"]);
    let entry = (
        prop::collection::vec(words(), 1..3),
        prop::option::of(words()),
        prop::option::of(0_i32..900),
        any::<bool>(),
    );
    prop::collection::vec((event, entry), 1..5).prop_map(|entries| {
        let mut file = String::new();
        for (event, (command, matcher, timeout, is_async)) in entries {
            file += &format!("[[hooks.{event}]]\ncommand = {}\n", text::strings(&command));
            if let Some(matcher) = matcher {
                file += &format!("matcher = {}\n", text::string(&matcher));
            }
            if let Some(timeout) = timeout {
                file += &format!("timeout = {timeout}\n");
            }
            if is_async && timeout.is_none() {
                file += "async = true\n";
            }
        }
        file
    })
}

/// Everything that is true of every import.
fn sound(import: &Import) {
    loaded(import);
    let report = import.as_json();
    assert_eq!(report["hooks"].as_array().unwrap().len(), import.hooks().count());
    for hook in import.hooks() {
        assert_eq!(hook.status() == Status::Refused, !hook.reasons().is_empty());
    }
    // Nothing that acts on a terminal or hides from a reader.
    assert!(import.toml().chars().all(|c| c == '\n' || !checkrein_core::sanitize::is_hidden(c)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(384))]

    #[test]
    fn whatever_is_written_loads(settings in settings(), from in prop::sample::select(vec![origin("claude"), origin("codex")])) {
        let import = import(&settings.to_string(), Some(from));
        let handlers = settings["hooks"].as_object().unwrap().values().flat_map(|groups| groups.as_array().unwrap());
        let handlers: usize = handlers.map(|group| group["hooks"].as_array().unwrap().len()).sum();
        assert_eq!(import.hooks().count(), handlers, "nothing is lost");
        sound(&import);
    }

    #[test]
    fn whatever_the_fork_wrote_loads(file in fork()) {
        let import = import(&file, None);
        assert_eq!(import.hooks().count(), file.matches("[[hooks.").count());
        sound(&import);
    }

    #[test]
    fn whatever_a_list_holds_loads(hooks in prop::collection::vec((words(), words(), prop::option::of(words())), 0..6)) {
        let hooks: Vec<Value> = hooks
            .into_iter()
            .map(|(command, name, tool)| {
                let mut hook = json!({"event": "PreToolUse", "command": command, "name": name});
                if let Some(tool) = tool {
                    hook["match"] = json!({"tool": tool});
                }
                hook
            })
            .collect();
        let text = Value::from(hooks).to_string();
        // A list that does not load does not import either.
        let names = Config::parse(&text, Path::new("x")).map(|config| config.content.hooks.len());
        match Import::parse(&text, Path::new("x"), None) {
            Ok(import) => sound(&import),
            Err(_) => assert!(names.is_err()),
        }
    }

    #[test]
    fn nothing_panics(text in "[\\[\\]{}\":,a-c\n= 0-9]{0,60}", from in prop::option::of(prop::sample::select(Origin::all().collect::<Vec<_>>()))) {
        if let Ok(import) = Import::parse(&text, Path::new("x"), from) {
            sound(&import);
        }
    }
}
