//! What an importer must never get wrong, whatever it is given.

use super::{Import, Origin, Status, text};
use crate::{Config, definition::Definition};
use checkrein_core::{EventName, Map, OnFailure, Role, ToolCall};
use checkrein_exec::{Cwd, Program};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;

fn import(text: &str, origin: Option<Origin>) -> Import {
    Import::parse(text, Path::new("their.json"), origin)
        .unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// The hooks that are in force after an import.
fn loaded(import: &Import) -> Vec<Definition> {
    let config = Config::parse(import.toml(), Path::new("/ours/hooks.toml"));
    let hooks = config.unwrap_or_else(|problems| panic!("{problems}\n{}", import.toml())).hooks;
    assert_eq!(hooks.len(), import.hooks().count() - import.count(Status::Refused), "{}", import.toml());
    hooks
}

/// The one handler of Claude Code on `event`, with `keys` beside its type.
fn claude(event: &str, matcher: Option<&str>, keys: &Value) -> Import {
    let mut handler = json!({"type": "command"});
    handler.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    let mut group = json!({"hooks": [handler]});
    if let Some(matcher) = matcher {
        group["matcher"] = matcher.into();
    }
    import(&json!({"hooks": {event: [group]}}).to_string(), Some(Origin::Claude))
}

fn one(import: &Import) -> Definition {
    let mut hooks = loaded(import);
    assert_eq!(hooks.len(), 1, "{}", import.toml());
    hooks.remove(0)
}

fn reason(import: &Import) -> String {
    assert_eq!(loaded(import), []);
    import.hooks().next().unwrap().reasons().join("; ")
}

/// What a hook means, in the words of a table.
struct Meaning {
    event: EventName,
    hits: &'static [&'static str],
    misses: &'static [&'static str],
    program: Program,
    timeout: f64,
    failure: Option<OnFailure>,
    role: Role,
    cwd: Cwd,
    env: &'static [&'static str],
}

fn shell(text: &str) -> Program {
    Program::Shell(text.to_owned())
}

fn list(words: &[&str]) -> Program {
    Program::List(words.iter().map(|word| (*word).to_owned()).collect())
}

fn meaning(event: EventName, program: Program, timeout: f64, failure: OnFailure) -> Meaning {
    Meaning {
        event,
        hits: &["Anything"],
        misses: &[],
        program,
        timeout,
        failure: Some(failure),
        role: Role::Plain,
        cwd: Cwd::Session,
        env: &[],
    }
}

fn check(name: &str, found: &Definition, meant: &Meaning) {
    assert_eq!(found.event, meant.event, "{name}");
    assert_eq!(found.program, meant.program, "{name}");
    assert!((found.timeout.as_secs_f64() - meant.timeout).abs() < 1e-9, "{name}: {:?}", found.timeout);
    assert_eq!(found.on_failure, meant.failure, "{name}");
    assert_eq!(found.role, meant.role, "{name}");
    assert_eq!(found.cwd, meant.cwd, "{name}");
    assert_eq!(found.env, meant.env, "{name}");
    let covers = |tool: &str| found.scope.covers(Some(&ToolCall::new(tool, Map::new())));
    for tool in meant.hits {
        assert!(covers(tool), "{name} is not asked about {tool}");
    }
    for tool in meant.misses {
        assert!(!covers(tool), "{name} is asked about {tool}");
    }
}

fn sample(name: &str) -> Import {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/import").join(name);
    Import::load(&path, None).unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn the_samples_mean_what_they_meant() {
    use EventName::{
        AfterAgent, Notification, PostToolUse, PostToolUseFailure, PreToolUse, SessionStart, Stop,
        UserPromptSubmit,
    };
    use OnFailure::{Deny, Ignore};
    let project = "${CLAUDE_PROJECT_DIR}";
    let expected = [
        (
            "claude/settings.json",
            vec![
                Meaning {
                    hits: &["Bash"],
                    misses: &["Read", "BashOutput"],
                    ..meaning(
                        PreToolUse,
                        shell("\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/no-force-push.sh"),
                        5.0,
                        Deny,
                    )
                },
                Meaning {
                    role: Role::Observe,
                    failure: None,
                    hits: &["Bash"],
                    misses: &["Read"],
                    ..meaning(
                        PreToolUse,
                        shell("jq -r '.tool_input.command' >> ~/.claude/bash-log.txt"),
                        600.0,
                        Ignore,
                    )
                },
                Meaning {
                    hits: &["Write", "Edit", "MultiEdit"],
                    misses: &["Read", "NotebookEdit"],
                    ..meaning(
                        PreToolUse,
                        shell("python3 \"$CLAUDE_PROJECT_DIR/.claude/hooks/protect.py\""),
                        600.0,
                        Ignore,
                    )
                },
                Meaning {
                    hits: &["mcp__db__drop_table", "mcp__a__delete_"],
                    misses: &["mcp__db__list", "Bash"],
                    ..meaning(
                        PreToolUse,
                        shell(&format!("/usr/local/bin/mcp-guard --strict --root \"{project}\"")),
                        10.0,
                        Ignore,
                    )
                },
                Meaning {
                    hits: &["Edit", "Write"],
                    misses: &["MultiEdit"],
                    ..meaning(
                        PostToolUse,
                        shell(
                            "f=$(jq -r '.tool_input.file_path'); case \"$f\" in *.ts) npx prettier --write \"$f\";; esac",
                        ),
                        60.0,
                        Ignore,
                    )
                },
                Meaning {
                    hits: &["Task", "Agent"],
                    misses: &["TaskOutput"],
                    ..meaning(PostToolUse, shell("./count-agents.sh"), 600.0, Ignore)
                },
                meaning(
                    UserPromptSubmit,
                    shell("echo \"branch: $(git branch --show-current)\""),
                    30.0,
                    Ignore,
                ),
                Meaning {
                    env: &["CLAUDE_ENV_FILE"],
                    ..meaning(
                        SessionStart,
                        shell("echo 'export NODE_ENV=development' >> \"$CLAUDE_ENV_FILE\""),
                        600.0,
                        Ignore,
                    )
                },
                Meaning {
                    role: Role::Observe,
                    failure: None,
                    env: &["NTFY_URL"],
                    ..meaning(Notification, shell("curl -s -d 'agent waits' \"$NTFY_URL\""), 600.0, Ignore)
                },
                meaning(Stop, shell("cargo test --quiet 1>&2 || exit 2"), 600.0, Ignore),
            ],
        ),
        (
            "codex/config.toml",
            vec![
                Meaning {
                    hits: &["Bash"],
                    misses: &["apply_patch"],
                    ..meaning(PreToolUse, shell("/opt/guards/shell-guard --host codex"), 30.0, Ignore)
                },
                Meaning {
                    hits: &["apply_patch"],
                    misses: &["my_apply_patch"],
                    ..meaning(PostToolUse, shell("cargo fmt"), 1.0, Ignore)
                },
                Meaning {
                    role: Role::Observe,
                    failure: None,
                    ..meaning(UserPromptSubmit, shell("prompt-log"), 600.0, Ignore)
                },
            ],
        ),
        (
            "codex/hooks.json",
            vec![
                Meaning {
                    hits: &["Bash", "Edit", "apply_patch"],
                    misses: &["Write", "Read"],
                    ..meaning(PreToolUse, shell("/opt/guards/shell-guard"), 20.0, Ignore)
                },
                Meaning {
                    role: Role::Observe,
                    failure: None,
                    hits: &["mcp__a__b"],
                    misses: &["Bash"],
                    env: &["LOG_TOKEN"],
                    ..meaning(PreToolUse, shell("log-mcp --token \"$LOG_TOKEN\""), 600.0, Ignore)
                },
                Meaning {
                    hits: &["Bash", "BASH"],
                    misses: &["Bash2"],
                    ..meaning(PreToolUse, shell("guard-again"), 600.0, Ignore)
                },
                meaning(EventName::PermissionRequest, shell("approve.py"), 600.0, Ignore),
                meaning(EventName::SessionEnd, shell("bye"), 3.0, Ignore),
                meaning(Stop, shell("done"), 600.0, Ignore),
            ],
        ),
        (
            "codex-fork/first.toml",
            vec![
                meaning(AfterAgent, list(&["./hooks/log-turn.sh"]), 30.0, Ignore),
                Meaning {
                    hits: &["shell", "shell_command"],
                    misses: &["my_shell"],
                    ..meaning(PreToolUse, list(&["/opt/guards/check-shell", "--verbose"]), 10.0, Deny)
                },
                Meaning {
                    hits: &["apply_patch"],
                    misses: &["apply_patches"],
                    ..meaning(PreToolUse, list(&["python3", "guards/patch.py"]), 30.0, Deny)
                },
                Meaning {
                    role: Role::Observe,
                    failure: None,
                    ..meaning(PostToolUse, list(&["post-tool.sh"]), 30.0, Ignore)
                },
                meaning(UserPromptSubmit, list(&["log-prompt", "it's \"quoted\""]), 30.0, Deny),
            ],
        ),
        (
            "codex-fork/later.toml",
            vec![
                Meaning {
                    hits: &["Bash"],
                    misses: &["Bash2"],
                    ..meaning(PreToolUse, list(&["check-tool.sh"]), 10.0, Ignore)
                },
                Meaning {
                    hits: &["mcp__a__write_b"],
                    misses: &["mcp__a__read"],
                    ..meaning(PreToolUse, list(&["check-permissions.sh"]), 5.0, Ignore)
                },
                Meaning {
                    role: Role::Observe,
                    failure: None,
                    hits: &["mcp__a__write_b"],
                    misses: &["mcp__a__read"],
                    env: &["CODEX_PROJECT_DIR"],
                    ..meaning(PreToolUse, shell("tee -a \"$CODEX_PROJECT_DIR/log\""), 600.0, Ignore)
                },
                meaning(PostToolUseFailure, shell("bash ./on-failure.sh"), 5.0, Ignore),
                meaning(SessionStart, list(&["on-start.sh"]), 600.0, Ignore),
            ],
        ),
    ];
    for (name, meanings) in expected {
        let found = loaded(&sample(name));
        assert_eq!(found.len(), meanings.len(), "{name}");
        for (index, (found, meant)) in found.iter().zip(&meanings).enumerate() {
            check(&format!("{name} {index}"), found, meant);
        }
    }
    for (name, count) in [("claude/disabled.json", 2), ("codex/off.toml", 1)] {
        let import = sample(name);
        assert_eq!(loaded(&import), []);
        assert_eq!(import.count(Status::Refused), count);
    }
}

/// The list loads as it is, so what is imported must be what is loaded.
#[test]
fn a_list_means_the_same_as_before() {
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/import/list/hooks.json"),
    );
    let text = text.unwrap();
    let imported = loaded(&import(&text, None));
    let commands: Vec<Value> = serde_json::from_str::<Vec<Value>>(&text)
        .unwrap()
        .into_iter()
        .filter(|hook| hook.get("callable").is_none())
        .map(|mut hook| {
            hook.as_object_mut().unwrap().retain(|key, _| key != "name");
            hook
        })
        .collect();
    let before =
        Config::parse(&Value::from(commands).to_string(), Path::new("/ours/hooks.json")).unwrap().hooks;
    assert_eq!(imported.len(), before.len());
    for (mut imported, before) in imported.into_iter().zip(before) {
        let shown = imported.on_failure.take();
        assert_eq!(shown, before.event.is_preventable().then_some(OnFailure::Deny));
        imported.name = None;
        assert_eq!(imported, before);
    }
}

#[test]
fn what_is_refused_says_why() {
    let command = json!({"command": "guard"});
    for (import, expected) in [
        (
            claude("SessionStart", Some("startup"), &command),
            "its matcher `startup` is not about a tool; let the hook itself look at `source` on stdin",
        ),
        (
            claude("PreModelSwitch", Some("opus"), &command),
            "its matcher `opus` is not about a tool, and what it is compared with is not known",
        ),
        (
            claude("PreToolUse", Some("|"), &command),
            "its matcher `|` cannot be written here: it names no tool",
        ),
        (
            claude("PretoolUse", None, &command),
            "Claude Code has no event `PretoolUse`; did you mean `PreToolUse`?",
        ),
        (claude("AfterAgent", None, &command), "Claude Code has no event `AfterAgent`"),
        (
            claude("PreToolUse", None, &json!({"command": "guard", "if": "Bash(git *)"})),
            "it runs only `if` `Bash(git *)`, and there are no such conditions here; let the hook itself look at the \
             input, or match a tool",
        ),
        (
            claude("PreToolUse", None, &json!({"command": "guard", "asyncRewake": true})),
            "`asyncRewake` wakes the model when the hook is done, which no hook can do here",
        ),
        (
            claude("PreToolUse", None, &json!({"command": "guard", "onFailure": "deny"})),
            "its `onFailure` is `deny`, expected `continue` or `block`",
        ),
        (
            claude("PreToolUse", None, &json!({"command": "guard", "timeout": 0})),
            "a time of 0 s means nothing here; it must be more than 0",
        ),
        (
            claude("PreToolUse", None, &json!({"command": "x '${CLAUDE_PROJECT_DIR}/y'"})),
            "`CLAUDE_PROJECT_DIR` stands between single quotes, where the shell does not replace it; use double quotes",
        ),
        (
            claude("PreToolUse", None, &json!({"command": "x", "args": ["${user_config.key}"]})),
            "`${user_config.…}` is replaced only in a plugin; write the value in its place",
        ),
        // What only our own reader minds is refused in its words.
        (claude("PreToolUse", None, &json!({"command": " "})), "the command is empty"),
        (
            claude("PreToolUse", None, &json!({"command": "a\u{0}b"})),
            "the command holds a NUL character, which no program can be given",
        ),
        (claude("PreToolUse", None, &json!({})), "it has no `command`"),
    ] {
        assert_eq!(reason(&import), expected);
    }
}

#[test]
fn small_things_that_are_kept() {
    let hook = one(&claude("PreToolUse", None, &json!({"command": "a b", "args": ["c d", "$X"]})));
    assert_eq!(hook.program, list(&["a b", "c d", "$X"]));
    assert_eq!(hook.env, Vec::<String>::new(), "no shell, so no variable");
    let hook = one(&claude("PostToolUse", None, &json!({"command": "x", "onFailure": "block"})));
    assert_eq!(hook.on_failure, Some(OnFailure::Deny));
    let hook = one(&claude("SubagentStop", None, &json!({"command": "x", "onFailure": "block"})));
    assert_eq!(hook.on_failure, Some(OnFailure::Ignore));
    let hook = one(&claude("UserPromptSubmit", Some("ignored"), &json!({"command": "x"})));
    assert_eq!(hook.scope, checkrein_core::Scope::all());
    let hook = one(&claude("SessionEnd", Some(".*"), &json!({"command": "x"})));
    assert!((hook.timeout.as_secs_f64() - 1.5).abs() < 1e-9);
    let hook = one(&claude("PreToolUse", None, &json!({"command": "x", "timeout": 0.25})));
    assert!((hook.timeout.as_secs_f64() - 0.25).abs() < 1e-9);
}

#[test]
fn whose_file_it_is() {
    let group = |matcher: &str, more: Value| -> Value {
        let mut handler = json!({"type": "command", "command": "x"});
        handler.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([{"matcher": matcher, "hooks": [handler]}])
    };
    for (file, origin, sure) in [
        (json!({"hooks": {"PreToolUse": group("Bash", json!({}))}}), Origin::Claude, false),
        (
            json!({"hooks": {"PreToolUse": group("Bash", json!({"onFailure": "block"}))}}),
            Origin::Claude,
            true,
        ),
        (json!({"hooks": {"Notification": group("", json!({}))}}), Origin::Claude, true),
        (json!({"hooks": {}, "model": "x"}), Origin::Claude, true),
        (json!({"hooks": {"PreToolUse": group("apply_patch", json!({}))}}), Origin::Codex, true),
        (json!({"hooks": {"Interrupt": group("", json!({}))}}), Origin::Codex, true),
        (json!({"hooks": {"Stop": group("", json!({"commandWindows": "x"}))}}), Origin::Codex, true),
        (json!({"hooks": {"Stop": group("apply_patch", json!({"once": true}))}}), Origin::Claude, false),
        (json!({"hooks": {"Setup": group("", json!({"commandWindows": "x"}))}}), Origin::Codex, false),
        (json!([]), Origin::List, true),
    ] {
        let import = import(&file.to_string(), None);
        assert_eq!((import.origin(), import.remarks().is_empty()), (origin, sure), "{file}");
    }
    for (file, origin) in [
        ("[[hooks.pre_tool_use]]\ncommand = ['x']", Origin::CodexFork),
        ("[[hooks.PreToolUse]]\ncommand = ['x']", Origin::CodexFork),
        ("[hooks]\ndisable_all_hooks = true", Origin::CodexFork),
        ("[[hooks.PreToolUse]]\nhooks = [{ type = 'command', command = 'x' }]", Origin::Codex),
        ("[hooks.state.x]\nenabled = true", Origin::Codex),
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
                Import::parse(&file.to_string(), Path::new("x"), Some(Origin::Claude)).unwrap_err();
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
        ("[{}]", "a hook needs an `event`"),
    ] {
        let text = Import::parse(file, Path::new("x"), None).unwrap_err().to_string();
        assert!(text.contains(message), "{file}: {text}");
    }
}

#[test]
fn many_hooks_or_names_take_no_time() {
    let hooks: Vec<Value> =
        (0..3_000).map(|_| json!({"event": "PreToolUse", "command": "x", "name": "n"})).collect();
    let import = import(&Value::from(hooks).to_string(), None);
    assert_eq!(loaded(&import).len(), 3_000);
    let matcher: Vec<String> = (0..50_000).map(|number| format!("n{number}")).collect();
    let import = claude("PreToolUse", Some(&matcher.join("|")), &json!({"command": "x"}));
    assert_eq!(one(&import).scope.tools().map(<[_]>::len), Some(50_000));
}

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
    assert!(import.toml().chars().all(|c| c == '\n' || !crate::problem::is_hidden(c)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(384))]

    #[test]
    fn whatever_is_written_loads(settings in settings(), from in prop::sample::select(vec![Origin::Claude, Origin::Codex])) {
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
        let names = Config::parse(&text, Path::new("x")).map(|config| config.hooks.len());
        match Import::parse(&text, Path::new("x"), None) {
            Ok(import) => sound(&import),
            Err(_) => assert!(names.is_err()),
        }
    }

    #[test]
    fn nothing_panics(text in "[\\[\\]{}\":,a-c\n= 0-9]{0,60}", from in prop::option::of(prop::sample::select(Origin::ALL.to_vec()))) {
        if let Ok(import) = Import::parse(&text, Path::new("x"), from) {
            sound(&import);
        }
    }
}
