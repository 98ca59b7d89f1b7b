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
