//! Tests of the forms of hooks files: which program they belong to, and what is wrong with them.

use super::import;
use super::origin;
use crate::import::{Import, Origin, Status};
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn whose_file_it_is() {
    let group = |matcher: &str, more: Value| -> Value {
        let mut handler = json!({"type": "command", "command": "x"});
        handler.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([{"matcher": matcher, "hooks": [handler]}])
    };
    for (file, origin, sure) in [
        (json!({"hooks": {"PreToolUse": group("Bash", json!({}))}}), origin("claude"), false),
        (
            json!({"hooks": {"PreToolUse": group("Bash", json!({"onFailure": "block"}))}}),
            origin("claude"),
            true,
        ),
        (json!({"hooks": {"Notification": group("", json!({}))}}), origin("claude"), false),
        (json!({"hooks": {"TeammateIdle": group("", json!({}))}}), origin("claude"), true),
        (json!({"hooks": {}, "model": "x"}), origin("claude"), false),
        (json!({"hooks": {"PreToolUse": group("apply_patch", json!({}))}}), origin("codex"), true),
        (json!({"hooks": {"Interrupt": group("", json!({}))}}), origin("codex"), true),
        (json!({"hooks": {"Stop": group("", json!({"commandWindows": "x"}))}}), origin("codex"), true),
        (json!({"hooks": {"Stop": group("apply_patch", json!({"once": true}))}}), origin("claude"), false),
        (json!({"hooks": {"Setup": group("", json!({"commandWindows": "x"}))}}), origin("codex"), false),
        (json!([]), Origin::List, true),
    ] {
        let import = import(&file.to_string(), None);
        assert_eq!((import.origin(), import.remarks().is_empty()), (origin, sure), "{file}");
    }
    for (file, origin) in [
        ("[[hooks.pre_tool_use]]\ncommand = ['x']", Origin::CodexFork),
        ("[[hooks.PreToolUse]]\ncommand = ['x']", Origin::CodexFork),
        ("[hooks]\ndisable_all_hooks = true", Origin::CodexFork),
        ("[[hooks.PreToolUse]]\nhooks = [{ type = 'command', command = 'x' }]", origin("codex")),
        ("[hooks.state.x]\nenabled = true", origin("codex")),
    ] {
        assert_eq!(import(file, None).origin(), origin, "{file}");
    }
}

/// A value of a wrong type in the place of any part of a good file is a problem with its place.
#[test]
fn wrong_types_are_problems_at_every_level() {
    let good = json!({"disableAllHooks": false, "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{
        "type": "command", "command": "x", "args": ["y"], "shell": "bash", "timeout": 1, "async": true,
        "asyncRewake": false, "onFailure": "block", "if": "x", "once": true
    }]}]}});
    assert_eq!(import(&good.to_string(), None).count(Status::Refused), 1);
    let handler = "/hooks/PreToolUse/0/hooks/0";
    let mut places: Vec<(String, &str, &str)> = vec![
        ("/disableAllHooks".to_owned(), "disableAllHooks", "`true` or `false`"),
        ("/hooks".to_owned(), "hooks", "an object"),
        ("/hooks/PreToolUse".to_owned(), "hooks.PreToolUse", "a list"),
        ("/hooks/PreToolUse/0".to_owned(), "hooks.PreToolUse[0]", "an object"),
        ("/hooks/PreToolUse/0/matcher".to_owned(), "hooks.PreToolUse[0].matcher", "a string"),
        ("/hooks/PreToolUse/0/hooks".to_owned(), "hooks.PreToolUse[0].hooks", "a list"),
        (handler.to_owned(), "hooks.PreToolUse[0].hooks[0]", "an object"),
        (format!("{handler}/args/0"), "hooks.PreToolUse[0].hooks[0].args[0]", "a string"),
    ];
    for (key, path, expected) in [
        ("type", "hooks.PreToolUse[0].hooks[0].type", "a string"),
        ("command", "hooks.PreToolUse[0].hooks[0].command", "a string"),
        ("args", "hooks.PreToolUse[0].hooks[0].args", "a list"),
        ("shell", "hooks.PreToolUse[0].hooks[0].shell", "a string"),
        ("timeout", "hooks.PreToolUse[0].hooks[0].timeout", "a number"),
        ("async", "hooks.PreToolUse[0].hooks[0].async", "`true` or `false`"),
        ("asyncRewake", "hooks.PreToolUse[0].hooks[0].asyncRewake", "`true` or `false`"),
        ("onFailure", "hooks.PreToolUse[0].hooks[0].onFailure", "a string"),
        ("if", "hooks.PreToolUse[0].hooks[0].if", "a string"),
        ("once", "hooks.PreToolUse[0].hooks[0].once", "`true` or `false`"),
    ] {
        places.push((format!("{handler}/{key}"), path, expected));
    }
    let values = [
        (Value::Null, "null"),
        (json!(true), "a boolean"),
        (json!(1.5), "a number"),
        (json!("x"), "a string"),
        (json!([]), "a list"),
        (json!({}), "an object"),
    ];
    for (pointer, key, expected) in places {
        for (value, found) in &values {
            let fits = *found == expected || (expected.starts_with('`') && *found == "a boolean");
            if fits {
                continue;
            }
            let mut file = good.clone();
            *file.pointer_mut(&pointer).unwrap() = value.clone();
            let problems =
                Import::parse(&file.to_string(), Path::new("x"), Some(origin("claude"))).unwrap_err();
            let problem = problems.first();
            assert_eq!(
                (problem.key(), problem.message(), problem.line()),
                (key, format!("expected {expected}, found {found}").as_str(), Some(1)),
            );
        }
    }
    for (file, message) in [
        ("[hooks]\npre_tool_use = 1", "expected a list, found a number"),
        ("[hooks]\npre_tool_use = [1]", "expected a table, found a number"),
        ("[[hooks.pre_tool_use]]\ncommand = 1", "expected a list, found a number"),
        ("[[hooks.pre_tool_use]]\ncommand = [1]", "expected a string, found a number"),
        ("[[hooks.pre_tool_use]]\ntimeout = 1", "a hook needs a `command`"),
        ("[[hooks.pre_tool_use]]\ncommand = []\ntimeout = 'x'", "expected a number, found a string"),
        ("[[hooks.pre_tool_use]]\ncommand = []\nmatcher = 1979-05-27", "expected a string, found a date"),
        ("[[hooks.pre_tool_use]]\ncommand = []\nasync = 1", "expected `true` or `false`, found a number"),
        ("[[hooks.pre_tool_use]]\ncommands = [{}]", "a hook needs a `command`"),
        ("[hooks]\ndisable_all_hooks = 1\nstop = []", "expected `true` or `false`, found a number"),
        ("hooks = 1", "expected a table, found a number"),
        ("[[hooks.Stop]]\nmatcher = ''", "a group needs a list of `hooks`"),
        ("[hooks]\nstate = 1", "expected a table, found a number"),
        ("features = 1\n[hooks]", "expected a table, found a number"),
        ("[[hook]]\nevent = 'Stop'", "this is a configuration of Checkrein already"),
        ("model = 'x'", "there are no hooks in it"),
        ("", "there are no hooks in it"),
        ("{}", "there are no hooks in it"),
        (r#"[{"event":"PreToolUse","command":"x"},1]"#, "expected an object, found a number"),
        ("[{}]", "a hook needs `event`"),
    ] {
        let text = Import::parse(file, Path::new("x"), None).unwrap_err().to_string();
        assert!(text.contains(message), "{file}: {text}");
    }
}
