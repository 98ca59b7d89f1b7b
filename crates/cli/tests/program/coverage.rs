//! `checkrein coverage` says what the tables and the suite with the real agents say.

use crate::Place;
use serde_json::Value;

fn coverage(arguments: &[&str]) -> String {
    let place = Place::new();
    let output = place.output(&[&["coverage"], arguments].concat(), b"");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_agent_is_listed_with_how_it_is_known() {
    let all: Value = serde_json::from_str(&coverage(&["--json"])).unwrap();
    let agents = all["agents"].as_array().unwrap();
    let names: Vec<&str> = agents.iter().map(|agent| agent["agent"].as_str().unwrap()).collect();
    let known: Vec<&str> = checkrein_hosts::install::recipes()
        .map(|recipe| recipe.host)
        .filter(|host| *host != "example")
        .collect();
    assert_eq!(names, known);
    let proved = checkrein_live::proved();
    for agent in agents {
        let name = agent["agent"].as_str().unwrap();
        let version = proved.iter().find(|proved| proved.host == name).map(|proved| proved.version.as_str());
        assert_eq!(agent["proved"].as_str(), version, "{name}");
        let events = agent["events"].as_array().unwrap();
        let before = events.iter().find(|event| event["event"] == "PreToolUse").unwrap();
        let expected = if version.is_some() { "proved" } else { "documented" };
        assert_eq!(before["abilities"]["deny"], expected, "{name}");
    }
}

/// An inability is not called documented, and a stricter behaviour is not called proved.
#[test]
fn what_an_agent_cannot_do_is_said() {
    let all: Value = serde_json::from_str(&coverage(&["qwen", "--json"])).unwrap();
    let events = all["agents"][0]["events"].as_array().unwrap();
    let before = events.iter().find(|event| event["event"] == "PreToolUse").unwrap();
    assert_eq!(before["abilities"]["edit"], "cannot");
    assert_eq!(before["abilities"]["ask"], "documented");
    let shown = coverage(&["qwen"]);
    assert!(shown.contains("Qwen Code (`qwen`), proved on "), "{shown}");
    assert!(shown.contains("a hook rewrites a call: blocked; the model gets the rewritten call"), "{shown}");
}

#[test]
fn an_unknown_agent_is_an_error_with_the_names() {
    let place = Place::new();
    let output = place.output(&["coverage", "clod"], b"");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stderr).unwrap().contains("`claude`"));
}
