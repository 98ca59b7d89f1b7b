//! Tests of the importer.

mod properties;
mod shapes;

use super::{Import, Origin, Status};
use crate::{Config, config::hook::HookDefinition};
use checkrein_core::{EventName, Map, OnFailure, Role, ToolCall};
use checkrein_exec::{Cwd, Program};
use serde_json::{Value, json};
use std::path::Path;

/// An origin by its name.
fn origin(name: &str) -> Origin {
    name.parse().unwrap()
}

fn import(text: &str, origin: Option<Origin>) -> Import {
    Import::parse(text, Path::new("their.json"), origin)
        .unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// The hooks that are active after an import.
fn loaded(import: &Import) -> Vec<HookDefinition> {
    let config = Config::parse(import.toml(), Path::new("/ours/hooks.toml"));
    let hooks = config.unwrap_or_else(|problems| panic!("{problems}\n{}", import.toml())).content.hooks;
    assert_eq!(hooks.len(), import.hooks().count() - import.count(Status::Refused), "{}", import.toml());
    hooks
}

/// Imports the one handler of Claude Code on `event`, with `keys` in addition to its type.
fn claude(event: &str, matcher: Option<&str>, keys: &Value) -> Import {
    let mut handler = json!({"type": "command"});
    handler.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    let mut group = json!({"hooks": [handler]});
    if let Some(matcher) = matcher {
        group["matcher"] = matcher.into();
    }
    import(&json!({"hooks": {event: [group]}}).to_string(), Some(origin("claude")))
}

fn one(import: &Import) -> HookDefinition {
    let mut hooks = loaded(import);
    assert_eq!(hooks.len(), 1, "{}", import.toml());
    hooks.remove(0)
}

fn reason(import: &Import) -> String {
    assert_eq!(loaded(import), []);
    import.hooks().next().unwrap().reasons().join("; ")
}

/// The meaning of a hook, in the words of a table.
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

fn check(name: &str, found: &HookDefinition, meant: &Meaning) {
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
                        20.0,
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
                    20.0,
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
                    ..meaning(PreToolUse, shell("/opt/guards/shell-guard --host codex"), 20.0, Ignore)
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
                    ..meaning(PreToolUse, shell("guard-again"), 20.0, Ignore)
                },
                meaning(EventName::PermissionRequest, shell("approve.py"), 20.0, Ignore),
                meaning(EventName::SessionEnd, shell("bye"), 1.0, Ignore),
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
                    ..meaning(PreToolUse, list(&["python3", "guards/patch.py"]), 20.0, Deny)
                },
                Meaning {
                    role: Role::Observe,
                    failure: None,
                    ..meaning(PostToolUse, list(&["post-tool.sh"]), 30.0, Ignore)
                },
                meaning(UserPromptSubmit, list(&["log-prompt", "it's \"quoted\""]), 20.0, Deny),
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
        .map(|mut hook| {
            hook.as_object_mut().unwrap().retain(|key, _| key != "name");
            hook
        })
        .collect();
    let before = Config::parse(&Value::from(commands).to_string(), Path::new("/ours/hooks.json"))
        .unwrap()
        .content
        .hooks;
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
            "a time limit of 0 s is not valid here; it must be more than 0",
        ),
        (
            claude("PreToolUse", None, &json!({"command": "x '${CLAUDE_PROJECT_DIR}/y'"})),
            "`CLAUDE_PROJECT_DIR` is between single quotes, where the shell does not replace it; use double quotes",
        ),
        (
            claude("PreToolUse", None, &json!({"command": "x", "args": ["${user_config.key}"]})),
            "`${user_config.…}` is replaced only in a plugin; write the value in its place",
        ),
        // What only our own reader minds is refused in its words.
        (claude("PreToolUse", None, &json!({"command": " "})), "the command is empty"),
        (
            claude("PreToolUse", None, &json!({"command": "a\u{0}b"})),
            "the command contains a NUL character, which cannot be passed to a program",
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
    assert!((hook.timeout.as_secs_f64() - 1.0).abs() < 1e-9);
    let hook = one(&claude("PreToolUse", None, &json!({"command": "x", "timeout": 0.25})));
    assert!((hook.timeout.as_secs_f64() - 0.25).abs() < 1e-9);
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
