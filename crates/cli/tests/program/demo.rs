//! `checkrein demo`: a new user's first impression.

use crate::Place;
use serde_json::Value;

#[test]
fn it_shows_what_a_user_gets() {
    let output = Place::new().output(&["demo"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["no objection", "redacted", "denied", "ask"] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    assert!(!text.contains("kR4vT9"), "the secret is shown:\n{text}");
    // Nothing that a user does not get: example hooks that were shown here once.
    for part in ["rewriter", "redactor", "notifier", "example"] {
        assert!(!text.contains(part), "{part} is shown:\n{text}");
    }
    assert!(!text.contains('\x1b'), "color without a terminal");
    assert_eq!(output.status.code(), Some(0));
}

/// Returns the result of each event: the decision, the rules, and the questions.
fn events(place: &Place) -> Vec<(String, Vec<String>)> {
    let output = place.output(&["demo", "--json"], b"");
    let lines = String::from_utf8(output.stdout).unwrap();
    let places: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(places[1]["event"], "PreToolUse");
    assert_eq!(
        (&places[1]["tool"], &places[1]["input"]["command"]),
        (&"Bash".into(), &"rm -rf node_modules".into())
    );
    assert!(places[0]["event"] == "UserPromptSubmit" && places[0]["prompt"].is_string());
    let rules = |event: &Value| -> Vec<String> {
        event["rules"].as_array().unwrap().iter().map(|rule| rule.as_str().unwrap().to_owned()).collect()
    };
    let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.map(|event| (event["decision"].as_str().unwrap().to_owned(), rules(&event))).collect()
}

/// The guard at work: the same text is denied where it runs and passes where it is only mentioned.
#[test]
fn json_lines() {
    let place = Place::new();
    let events = events(&place);
    let decisions: Vec<&str> = events.iter().map(|(decision, _)| decision.as_str()).collect();
    assert_eq!(
        decisions,
        ["abstain", "abstain", "deny", "ask", "abstain", "deny", "abstain", "deny", "abstain", "abstain"]
    );
    for (event, rule) in [(3, "secrets.read-secret"), (5, "filesystem.delete-machine"), (7, "git.force-push")]
    {
        assert!(events[event].1.iter().any(|spoke| spoke == rule), "{rule}: {events:?}");
    }
}

/// The session was recorded elsewhere: home, project and disk of this machine do not matter.
#[test]
fn the_output_is_the_same_everywhere() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("home/dev/shop/.git")).unwrap();
    let here = events(&place);
    for (home, cwd) in [("/", "/"), ("/home/dev/shop", "home/dev/shop"), ("/nonexistent", "home"), ("", "")] {
        let mut command = place.command(&["demo", "--json"]);
        let output = command
            .env("HOME", home)
            .env("TMPDIR", "/home/dev")
            .current_dir(place.path(cwd))
            .output()
            .unwrap();
        let decisions: Vec<String> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["decision"].as_str().unwrap().to_owned())
            .collect();
        assert!(decisions.iter().eq(here.iter().map(|(decision, _)| decision)), "{home}: {decisions:?}");
    }
}

#[test]
fn a_failed_write_to_stdout_is_reported() {
    let place = Place::new();
    let run = |script: &str| {
        let mut command = std::process::Command::new("sh");
        let output =
            command.args(["-c", script, crate::PROGRAM]).current_dir(place.path("")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for command in ["demo", "hooks", "check ls", "explain ls"] {
        let (code, talk) = run(&format!("\"$0\" {command} > /dev/full"));
        assert_eq!(code, Some(3), "{command}: {talk}");
        assert!(talk.contains("cannot write to stdout") && !talk.contains("panicked"), "{command}: {talk}");
    }
    let (code, talk) = run("\"$0\" demo | head -n 1 > /dev/null");
    assert_eq!((code, talk.as_str()), (Some(0), ""), "a reader that has seen enough");
}
