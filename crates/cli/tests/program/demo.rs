//! `checkrein demo`: what a newcomer sees first.

use crate::Place;

#[test]
fn it_shows_every_kind_of_answer() {
    let output = Place::new().output(&["demo"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["no objection", "rewritten", "redacted", "denied", "ask", "was shown 10 events"] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    assert!(!text.contains("tok_demo"), "the secret is shown:\n{text}");
    assert!(!text.contains('\x1b'), "colour where nobody sees it");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn json_lines() {
    let output = Place::new().output(&["demo", "--json"], b"");
    let decisions: Vec<String> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["decision"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(decisions.iter().filter(|decision| *decision == "deny").count(), 1);
    assert_eq!(decisions.iter().filter(|decision| *decision == "ask").count(), 1);
    assert_eq!(decisions.len(), 10);
}

#[test]
fn an_output_that_cannot_be_written_is_an_error_with_a_text() {
    let place = Place::new();
    let run = |script: &str| {
        let mut command = std::process::Command::new("sh");
        let output =
            command.args(["-c", script, crate::PROGRAM]).current_dir(place.path("")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for command in ["demo", "hooks", "check ls"] {
        let (code, talk) = run(&format!("\"$0\" {command} > /dev/full"));
        assert_eq!(code, Some(3), "{command}: {talk}");
        assert!(
            talk.contains("stdout cannot be written to") && !talk.contains("panicked"),
            "{command}: {talk}"
        );
    }
    let (code, talk) = run("\"$0\" demo | head -n 1 > /dev/null");
    assert_eq!((code, talk.as_str()), (Some(0), ""), "a reader that has seen enough");
}
