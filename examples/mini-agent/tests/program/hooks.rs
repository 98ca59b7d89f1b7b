//! The effect of hooks on a call, as the model, the disk and the terminal see it.

use crate::fixture::{BACKENDS, Fixture};
use checkrein_testkit::model::{Call, Turn};
use serde_json::json;

/// A hook whose command reads the event and prints `answer`.
fn hook(event: &str, name: &str, tool: &str, answer: &str) -> String {
    let tool = if tool.is_empty() { String::new() } else { format!("match = {{ tool = \"{tool}\" }}\n") };
    format!(
        "[[hook]]\nevent = \"{event}\"\nname = \"{name}\"\n{tool}command = \"\"\"cat > /dev/null; printf '%s' '{answer}'\"\"\"\n"
    )
}

fn write(content: &str) -> Turn {
    Turn::call(Call::new("write_file", json!({"path": "a.txt", "content": content})))
}

fn done() -> Turn {
    Turn::text("Done.")
}

#[test]
fn a_denied_call_does_not_run_and_the_model_gets_the_reason() {
    for backend in BACKENDS {
        let fixture = Fixture::new(backend, [write("x"), done()]);
        let hooks = hook(
            "PreToolUse",
            "keeper",
            "write_file",
            r#"{"decision": "deny", "reason": "not on a Friday"}"#,
        );
        let ran = fixture.run_with(&hooks, &["--approval", "auto", "go"]);
        assert_eq!(ran.code, Some(0), "{ran}");
        assert_eq!(fixture.result(), "error: blocked by keeper: not on a Friday");
        assert_eq!(fixture.read("a.txt"), None);
        assert!(ran.stderr.contains("    denied: blocked by keeper: not on a Friday"), "{ran}");
    }
}

#[test]
fn the_built_in_judge_needs_no_configuration() {
    // The scripted model only names this command; the guard denies it, so it never runs.
    let fixture =
        Fixture::new("openai", [Turn::call(Call::new("run_shell", json!({"command": ""}))), done()]);
    fixture.write(".env", "KEY=1\n");
    let ran = fixture.run(&["--approval", "never", "go"]);
    assert_eq!(ran.code, Some(0), "{ran}");
    let fixture =
        Fixture::new("openai", [Turn::call(Call::new("read_file", json!({"path": ".env"}))), done()]);
    fixture.write(".env", "KEY=1\n");
    let ran = fixture.run(&["--approval", "never", "go"]);
    assert!(fixture.result().contains("not approved") && fixture.result().contains("guard"), "{ran}");
    assert!(!ran.stderr.contains("KEY=1"), "{ran}");
}

#[test]
fn the_mode_or_the_user_answers_a_question() {
    for backend in BACKENDS {
        let hooks =
            hook("PreToolUse", "careful", "list_files", r#"{"decision": "ask", "reason": "really?"}"#);
        let list = || [Turn::call(Call::new("list_files", json!({"path": "."}))), done()];
        for (mode, expected) in [
            ("auto", ".git/"),
            ("never", "error: not approved: approval is set to `never` (careful: really?)"),
            // There is no terminal.
            ("ask", "error: not approved: there is no terminal to ask at (careful: really?)"),
        ] {
            let fixture = Fixture::new(backend, list());
            let ran = fixture.run_with(&hooks, &["--approval", mode, "go"]);
            assert_eq!(fixture.result(), expected, "{ran}");
        }
        for (answer, expected) in
            [("y\n", ".git/"), ("n\n", "error: not approved: the user said no (careful: really?)")]
        {
            let fixture = Fixture::new(backend, list());
            let file = fixture.directory.path().join("hooks.toml");
            std::fs::write(&file, &hooks).unwrap();
            let ran = fixture.run_at_terminal(answer, &["--hooks-file", file.to_str().unwrap(), "go"]);
            assert_eq!(fixture.result(), expected, "{ran}");
            assert!(ran.stderr.contains("list_files?\n    .\n    careful: really?\n    [y/N] "), "{ran}");
        }
    }
}

#[test]
fn the_agent_itself_asks_about_a_risky_tool() {
    let fixture = Fixture::new("openai", [write("x"), done()]);
    let ran = fixture.run(&["go"]);
    assert_eq!(fixture.result(), "error: not approved: there is no terminal to ask at", "{ran}");
    assert_eq!(fixture.read("a.txt"), None);
    let fixture = Fixture::new("openai", [write("x"), done()]);
    fixture.run_at_terminal("yes\n", &["go"]);
    assert_eq!(fixture.read("a.txt").as_deref(), Some("x"));
}

#[test]
fn the_rewritten_call_is_approved_and_runs() {
    for backend in BACKENDS {
        let fixture = Fixture::new(backend, [write("old"), done()]);
        let hooks = hook("PreToolUse", "rewriter", "write_file", r#"{"rewrite_args": {"content": "new"}}"#);
        let file = fixture.directory.path().join("hooks.toml");
        std::fs::write(&file, hooks).unwrap();
        let ran = fixture.run_at_terminal("y\n", &["--hooks-file", file.to_str().unwrap(), "go"]);
        assert!(ran.stderr.contains("path=a.txt content=new\n    [y/N]"), "{ran}");
        assert!(ran.stderr.contains("    rewritten from path=a.txt content=old"), "{ran}");
        assert_eq!(fixture.read("a.txt").as_deref(), Some("new"));
    }
}

#[test]
fn a_redacted_secret_appears_nowhere() {
    for backend in BACKENDS {
        let fixture =
            Fixture::new(backend, [Turn::call(Call::new("read_file", json!({"path": "notes"}))), done()]);
        fixture.write("notes", "the word is s3cret\n");
        let hooks = hook(
            "PostToolUse",
            "redactor",
            "",
            r#"{"rewrite_output": "the word is [redacted]", "context": "one word removed"}"#,
        );
        let ran = fixture.run_with(&hooks, &["go"]);
        assert_eq!(fixture.result(), "the word is [redacted]\n[redactor: one word removed]", "{ran}");
        assert!(!ran.stderr.contains("s3cret") && !ran.stdout.contains("s3cret"), "{ran}");
        for request in fixture.server.requests() {
            assert!(!request.body.to_string().contains("s3cret"));
        }
        let saved = saved(&fixture);
        assert!(saved.contains("[redacted]") && !saved.contains("s3cret"), "{saved}");
    }
}

pub(crate) fn saved(fixture: &Fixture) -> String {
    let directory = fixture.directory.path().join(".local/state/mini-agent/sessions");
    let files = std::fs::read_dir(directory).unwrap();
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn a_failed_call_is_retried_if_a_hook_requests_it() {
    for backend in BACKENDS {
        let fixture =
            Fixture::new(backend, [Turn::call(Call::new("read_file", json!({"path": "wrong"}))), done()]);
        fixture.write("right", "here\n");
        let hooks = hook("PostToolUseFailure", "again", "read_file", r#"{"retry": {"path": "right"}}"#);
        let ran = fixture.run_with(&hooks, &["go"]);
        assert_eq!(fixture.result(), "here\n", "{ran}");
        assert!(ran.stderr.contains("    attempt 2"), "{ran}");
        let saved = saved(&fixture);
        assert!(saved.contains("\"wrong\"") && saved.contains("\"right\""), "{saved}");
    }
}

#[test]
fn a_stop_ends_the_turn_and_starts_nothing_more() {
    for backend in BACKENDS {
        let calls = Turn::calls([
            Call::new("list_files", json!({"path": "."})),
            Call::new("write_file", json!({"path": "a.txt", "content": "x"})),
        ]);
        let fixture = Fixture::new(backend, [calls, done()]);
        let hooks = hook("PreToolUse", "brake", "write_file", r#"{"stop": "out of money"}"#);
        let ran = fixture.run_with(&hooks, &["--approval", "auto", "go"]);
        assert_eq!(ran.code, Some(3), "{ran}");
        assert!(ran.stderr.contains("stopped: brake: out of money"), "{ran}");
        assert_eq!(fixture.read("a.txt"), None);
        // No further request reaches the model.
        assert_eq!(fixture.server.requests().len(), 1);
    }
}

#[test]
fn a_delegated_agent_has_the_same_hooks() {
    for backend in BACKENDS {
        let fixture = Fixture::new(
            backend,
            [
                Turn::call(Call::new("delegate", json!({"task": "write it"}))),
                write("x"),
                Turn::text("I was not allowed to."),
                done(),
            ],
        );
        let log = fixture.directory.path().join("log");
        let hooks = format!(
            "[[hook]]\nevent = \"PreToolUse\"\nname = \"keeper\"\nmatch = {{ tool = \"write_file\" }}\ncommand = \"\"\"cat > {0}; echo no >&2; exit 2\"\"\"\n",
            log.display()
        );
        let ran = fixture.run_with(&hooks, &["--approval", "auto", "go"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "I was not allowed to.\nDone.\n"), "{ran}");
        assert_eq!(fixture.result(), "I was not allowed to.");
        assert_eq!(fixture.read("a.txt"), None);
        let seen = std::fs::read_to_string(log).unwrap();
        assert!(seen.contains("\"agent_id\":\"agent-1\""), "{seen}");
    }
}

#[test]
fn a_hook_can_refuse_a_prompt_and_delay_the_end() {
    let fixture = Fixture::new("openai", [done()]);
    let hooks = hook("UserPromptSubmit", "door", "", r#"{"decision": "deny", "reason": "we are closed"}"#);
    let ran = fixture.run_with(&hooks, &["go"]);
    assert_eq!(ran.code, Some(3), "{ran}");
    assert!(ran.stderr.contains("refused: blocked by door: we are closed"), "{ran}");
    assert!(fixture.server.requests().is_empty());
    let fixture = Fixture::new("anthropic", [Turn::text("I think I am done."), done()]);
    let hooks = "[[hook]]\nevent = \"Stop\"\nname = \"more\"\ncommand = \"\"\"grep -q '\"stop_hook_active\":true' && exit 0; echo 'run the tests' >&2; exit 2\"\"\"\n";
    let ran = fixture.run_with(hooks, &["go"]);
    assert_eq!(ran.stdout, "I think I am done.\nDone.\n", "{ran}");
    let last = fixture.server.requests().pop().unwrap();
    assert!(
        last.messages.iter().any(|message| message.role == "user" && message.text.contains("run the tests"))
    );
}

#[test]
fn the_agent_does_not_start_with_broken_hooks() {
    let fixture = Fixture::new("openai", [done()]);
    let ran = fixture.run_with("[[hook]]\nevent = \"PreToolUse\"\ncomand = \"true\"\n", &["go"]);
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(ran.stderr.contains("did you mean `command`"), "{ran}");
    assert!(fixture.server.requests().is_empty());
}
