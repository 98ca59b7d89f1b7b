//! Sessions that are saved and resumed, and the loop of prompts.

use crate::desk::{BACKENDS, Desk, ran};
use checkrein_testkit::model::{Call, Turn};
use serde_json::json;
use std::{io::Write, process::Stdio};

#[test]
fn a_session_is_resumed_with_everything_that_was_said() {
    for backend in BACKENDS {
        let desk = Desk::new(
            backend,
            [
                Turn::say("I look.", [Call::new("list_files", json!({"path": "."}))]),
                Turn::text("One folder."),
                Turn::text("As I said: one."),
            ],
        );
        let first = desk.run(&["how many?"]);
        assert_eq!(first.code, Some(0), "{first}");
        let second = desk.run(&["--resume", "latest", "again, please"]);
        assert_eq!((second.code, second.stdout.as_str()), (Some(0), "As I said: one.\n"), "{second}");
        assert!(second.stderr.contains(", resumed"), "{second}");
        let last = desk.server.requests().pop().unwrap();
        let said: Vec<&str> = last.messages.iter().map(|message| message.text.as_str()).collect();
        for text in ["how many?", "I look.", "One folder.", "again, please"] {
            assert!(said.contains(&text), "{said:?}");
        }
        assert_eq!(last.results.len(), 1);
        let missing = desk.run(&["--resume", "no-such-session", "hello"]);
        assert_eq!(missing.code, Some(2), "{missing}");
        let outside = desk.run(&["--resume", "../x", "hello"]);
        assert!(outside.stderr.contains("is no id of a session"), "{outside}");
    }
}

#[test]
fn without_a_prompt_there_is_a_loop() {
    let desk = Desk::new("openai", [Turn::text("One."), Turn::text("Two.")]);
    let mut child = desk.command(&[]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"first\n\nsecond\n/exit\nnever\n").unwrap();
    let ran = ran(&child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "One.\nTwo.\n"), "{ran}");
    assert_eq!(desk.server.requests().len(), 2);
}

#[test]
fn session_events_reach_the_hooks_and_their_context_the_model() {
    let desk = Desk::new("openai", [Turn::text("Hi.")]);
    let hooks = "[[hook]]\nevent = \"SessionStart\"\nname = \"greeter\"\ncommand = \"\"\"cat > /dev/null; printf '%s' '{\\\"context\\\": \\\"it is Monday\\\"}'\"\"\"\n";
    let ran = desk.run_with(hooks, &["hello"]);
    assert_eq!(ran.code, Some(0), "{ran}");
    let request = desk.server.requests().pop().unwrap();
    let prompt = request.messages.iter().rfind(|message| message.role == "user").unwrap();
    assert_eq!(prompt.text, "hello\n[greeter: it is Monday]", "{ran}");
}
