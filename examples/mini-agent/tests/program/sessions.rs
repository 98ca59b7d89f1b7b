//! Sessions that are saved and resumed, and the loop of prompts.

use crate::fixture::{BACKENDS, Fixture, ran};
use checkrein_testkit::model::{Call, Turn};
use serde_json::json;
use std::{io::Write, process::Stdio};

#[test]
fn a_resumed_session_has_the_whole_conversation() {
    for backend in BACKENDS {
        let fixture = Fixture::new(
            backend,
            [
                Turn::say("I look.", [Call::new("list_files", json!({"path": "."}))]),
                Turn::text("One directory."),
                Turn::text("As I said: one."),
            ],
        );
        let first = fixture.run(&["how many?"]);
        assert_eq!(first.code, Some(0), "{first}");
        let second = fixture.run(&["--resume", "latest", "again, please"]);
        assert_eq!((second.code, second.stdout.as_str()), (Some(0), "As I said: one.\n"), "{second}");
        assert!(second.stderr.contains(", resumed"), "{second}");
        let last = fixture.server.requests().pop().unwrap();
        let said: Vec<&str> = last.messages.iter().map(|message| message.text.as_str()).collect();
        for text in ["how many?", "I look.", "One directory.", "again, please"] {
            assert!(said.contains(&text), "{said:?}");
        }
        assert_eq!(last.results.len(), 1);
        let missing = fixture.run(&["--resume", "no-such-session", "hello"]);
        assert_eq!(missing.code, Some(2), "{missing}");
        let outside = fixture.run(&["--resume", "../x", "hello"]);
        assert!(outside.stderr.contains("is no id of a session"), "{outside}");
    }
}

#[test]
fn without_a_prompt_the_agent_prompts_in_a_loop() {
    let fixture = Fixture::new("openai", [Turn::text("One."), Turn::text("Two.")]);
    let mut child = fixture.command(&[]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"first\n\nsecond\n/exit\nnever\n").unwrap();
    let ran = ran(&child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "One.\nTwo.\n"), "{ran}");
    assert_eq!(fixture.server.requests().len(), 2);
}

#[test]
fn session_events_reach_the_hooks_and_their_context_reaches_the_model() {
    let fixture = Fixture::new("openai", [Turn::text("Hi.")]);
    let hooks = "[[hook]]\nevent = \"SessionStart\"\nname = \"greeter\"\ncommand = \"\"\"cat > /dev/null; printf '%s' '{\\\"context\\\": \\\"it is Monday\\\"}'\"\"\"\n";
    let ran = fixture.run_with(hooks, &["hello"]);
    assert_eq!(ran.code, Some(0), "{ran}");
    let request = fixture.server.requests().pop().unwrap();
    let prompt = request.messages.iter().rfind(|message| message.role == "user").unwrap();
    assert_eq!(prompt.text, "hello\n[greeter: it is Monday]", "{ran}");
}

/// Ctrl-C cancels the turn: the command is dead before the program exits, and the session is saved
/// completely.
#[test]
fn an_interrupt_leaves_no_process_behind() {
    let fixture = Fixture::new(
        "openai",
        [
            Turn::call(Call::new(
                "run_shell",
                json!({"command": "echo $$ > id.new; mv id.new id; sleep 600"}),
            )),
            Turn::text("Never said."),
        ],
    );
    let child = fixture.command(&["--approval", "auto", "wait"]).spawn().unwrap();
    let id = loop {
        match fixture.read("id") {
            Some(id) => break id.trim().to_owned(),
            None => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    };
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .unwrap();
    let ran = ran(&child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(
        ran.stderr.contains("    cancelled: cancelled\n") && ran.stderr.ends_with("cancelled\n"),
        "{ran}"
    );
    let runs = std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z"));
    assert!(!runs, "it still runs");
    assert_eq!(fixture.server.requests().len(), 1);
    let saved: serde_json::Value = serde_json::from_str(&crate::hooks::saved(&fixture)).unwrap();
    assert_eq!(saved["records"].as_array().unwrap().len(), 1, "{saved}");
}
