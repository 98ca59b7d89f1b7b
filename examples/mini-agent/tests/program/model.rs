//! The model's side: both protocols, broken streams, invalid calls.

use crate::fixture::{BACKENDS, Fixture};
use checkrein_testkit::model::{Call, Turn, Wire};
use serde_json::json;

#[test]
fn a_task_completes_in_both_protocols() {
    for backend in BACKENDS {
        let fixture = Fixture::new(
            backend,
            [
                Turn::say(
                    "I write it.",
                    [Call::new("write_file", json!({"path": "a.txt", "content": "one\n"}))],
                ),
                Turn::calls([
                    Call::new(
                        "edit_file",
                        json!({"path": "a.txt", "old_string": "one", "new_string": "two"}),
                    ),
                    Call::new("list_files", json!({"path": "."})),
                ]),
                Turn::call(Call::new("read_file", json!({"path": "a.txt"}))),
                Turn::call(Call::new(
                    "run_shell",
                    json!({"command": "cat a.txt; echo ${OPENAI_API_KEY:-no key}"}),
                )),
                Turn::text("It says two."),
            ],
        );
        let ran = fixture.run(&["--approval", "auto", "write a file"]);
        assert_eq!(ran.code, Some(0), "{ran}");
        assert_eq!(ran.stdout, "I write it.\nIt says two.\n", "{ran}");
        assert_eq!(fixture.read("a.txt").as_deref(), Some("two\n"));
        let results: Vec<String> = fixture.results().into_iter().map(|result| result.text).collect();
        assert!(results[0].starts_with("wrote 4 bytes to "), "{results:?}");
        assert!(results[1].starts_with("changed "), "{results:?}");
        assert_eq!(results[2], ".git/\na.txt");
        assert_eq!(results[3], "two\n");
        assert_eq!(results[4], "exit code: 0\nstdout:\ntwo\nno key\n\nstderr:\n");
        let requests = fixture.server.requests();
        let request = requests.last().unwrap();
        assert!(request.stream && request.model == "scripted");
        assert_eq!(
            request.tools,
            ["delegate", "edit_file", "list_files", "read_file", "run_shell", "write_file"]
        );
        let (wire, key) = match backend {
            "openai" => (Wire::Chat, request.header("authorization").map(str::to_owned)),
            _ => (Wire::Anthropic, request.header("x-api-key").map(|key| format!("Bearer {key}"))),
        };
        assert_eq!((request.wire, key.as_deref()), (wire, Some("Bearer open-sesame")));
        assert!(ran.stderr.contains("  write_file path=a.txt content=one"), "{ran}");
        assert!(ran.stderr.contains("    ran: wrote 4 bytes"), "{ran}");
    }
}

#[test]
fn the_model_learns_of_unknown_tools_and_bad_arguments() {
    for backend in BACKENDS {
        let fixture = Fixture::new(
            backend,
            [
                Turn::calls([
                    Call::new("fly", json!({"to": "the moon"})),
                    Call::new("read_file", json!({"file": "a"})),
                    Call::new("read_file", json!("a")),
                    Call::new("list_files", json!({"path": "."})),
                ]),
                Turn::text("Oh."),
            ],
        );
        let ran = fixture.run(&["try"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "Oh.\n"), "{ran}");
        let results: Vec<String> = fixture.results().into_iter().map(|result| result.text).collect();
        assert_eq!(results[0], "error: there is no tool `fly`");
        assert_eq!(
            results[1],
            "error: the input does not fit the tool `read_file`: \"path\" is a required property"
        );
        assert!(results[2].starts_with("error: the arguments are not a JSON object: "), "{results:?}");
        assert_eq!(results[3], ".git/");
    }
}

#[test]
fn a_broken_stream_is_retried_and_its_calls_do_not_run() {
    for backend in BACKENDS {
        let fixture =
            Fixture::new(backend, [Turn::cut("I am about to say something long"), Turn::text("Here I am.")]);
        let ran = fixture.run(&["hello"]);
        assert_eq!(ran.code, Some(0), "{ran}");
        assert!(ran.stdout.ends_with("Here I am.\n"), "{ran}");
        assert!(ran.stderr.contains("the answer broke off"), "{ran}");
        assert_eq!(fixture.server.requests().len(), 2);
    }
}

#[test]
fn a_model_that_cannot_be_reached_ends_the_turn() {
    for backend in BACKENDS {
        let cuts = [Turn::cut("one two three"), Turn::cut("one two three"), Turn::cut("one two three")];
        let fixture = Fixture::new(backend, cuts);
        let ran = fixture.run(&["hello"]);
        assert_eq!(ran.code, Some(1), "{ran}");
        assert_eq!(fixture.server.requests().len(), 3);
        let fixture = Fixture::new(backend, [Turn::fail(401, "who are you?")]);
        let ran = fixture.run(&["hello"]);
        assert_eq!(ran.code, Some(1), "{ran}");
        assert!(ran.stderr.contains("401") && ran.stderr.contains("who are you?"), "{ran}");
        assert_eq!(fixture.server.requests().len(), 1);
        let fixture = Fixture::new(backend, [Turn::fail(529, "busy"), Turn::text("Now.")]);
        assert_eq!(fixture.run(&["hello"]).stdout, "Now.\n");
    }
}

#[test]
fn a_model_that_never_ends_reaches_the_step_limit() {
    let call = || Turn::call(Call::new("list_files", json!({"path": "."})));
    let fixture = Fixture::new("openai", [call(), call(), call(), call()]);
    let ran = fixture.run(&["--max-steps", "3", "go"]);
    assert_eq!(ran.code, Some(1), "{ran}");
    assert_eq!(fixture.server.requests().len(), 3);
}

#[test]
fn model_output_cannot_control_the_terminal() {
    let fixture = Fixture::new("openai", [Turn::text("a\u{1b}[2Jb\u{202e}c")]);
    assert_eq!(fixture.run(&["hello"]).stdout, "a\\u{1b}[2Jb\\u{202e}c\n");
}
