//! A newer program with the state of an older one: everything that was kept is still there, and nothing is an error.
//!
//! `upgrade/state.json` was written by an earlier program: one session with a denied
//! call and its second attempt, a file with a secret, a file that was overwritten and one that was deleted.

use super::Place;
use serde_json::Value;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    time::{SystemTime, UNIX_EPOCH},
};

/// Keeps every record, however old the state is when the test runs.
const CONFIG: &str = "trail = \"full\"\ntrail_days = 3650\n\n[undo]\ndays = 3650\n";

fn upgraded() -> Place {
    let place = Place::new();
    fs::create_dir_all(place.path(".config/checkrein")).unwrap();
    fs::write(place.path(".config/checkrein/config.toml"), CONFIG).unwrap();
    fs::create_dir(place.path("shop")).unwrap();
    let state = place.path(".local/state/checkrein");
    let entries: Vec<Value> = serde_json::from_str(include_str!("upgrade/state.json")).unwrap();
    for entry in &entries {
        let path = state.join(entry["path"].as_str().unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let bytes = match entry["text"].as_str() {
            Some(text) => as_of_today(text).into_bytes(),
            None => serde_json::from_value(entry["bytes"].clone()).unwrap(),
        };
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    private(&state);
    place
}

/// When the earlier program wrote the state, in seconds.
const WRITTEN: u64 = 1_795_041_374;

/// Moves the times in a denial or in the record of a copy to today: codes end after a day, and copies after two weeks.
fn as_of_today(text: &str) -> String {
    let later = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() - WRITTEN;
    let mut moved = text.to_owned();
    for (key, unit) in [("\"at\":", 1), ("\"expires\":", 1_000_000)] {
        let Some(start) = moved.find(key).map(|start| start + key.len()) else { continue };
        let digits = moved[start..].find(|char: char| !char.is_ascii_digit()).unwrap();
        // `at` is also a place in a file.
        if let Ok(time) = moved[start..start + digits].parse::<u64>()
            && time >= WRITTEN - 60
        {
            moved.replace_range(start..start + digits, &(time + later * unit).to_string());
        }
    }
    moved
}

/// Gives every directory of the state the mode that the program gives them.
fn private(directory: &std::path::Path) {
    fs::set_permissions(directory, fs::Permissions::from_mode(0o700)).unwrap();
    for entry in
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        private(&entry);
    }
}

fn said(place: &Place, arguments: &[&str]) -> String {
    let output = place.output(arguments, b"");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_trail_goes_on_where_the_older_program_stopped() {
    let place = upgraded();
    assert!(said(&place, &["log", "--verify"]).starts_with("whole: 13 records in 1 segment"));
    let call = r#"{"hook_event_name":"PreToolUse","session_id":"s2","tool_name":"Bash","tool_input":{"command":"git push --force origin main"}}"#;
    let answer =
        String::from_utf8(place.output(&["hook", "--host", "claude"], call.as_bytes()).stdout).unwrap();
    assert!(answer.contains(r#""permissionDecision":"deny""#), "{answer}");
    assert!(said(&place, &["log", "--verify"]).starts_with("whole: 14 records in 1 segment"));
    let log = said(&place, &["log", "--json", "--limit", "50"]);
    let decisions: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(decisions.len(), 14);
    let id = decisions[4]["id"].as_str().unwrap();
    let why = place.output(&["why", id], b"");
    assert!(String::from_utf8_lossy(&why.stdout).contains("git.force-push"), "{why:?}");
}

#[test]
fn a_denial_of_the_older_program_is_remembered() {
    let place = upgraded();
    assert!(said(&place, &["allow", "--list"]).contains("rn6v-1cas"));
    let call = r#"{"hook_event_name":"PreToolUse","session_id":"s1","tool_use_id":"toolu_99","tool_name":"Bash","tool_input":{"command":"git push --force origin main"}}"#;
    let answer =
        String::from_utf8(place.output(&["hook", "--host", "claude"], call.as_bytes()).stdout).unwrap();
    assert!(answer.contains("denied this again, for the same reason"), "{answer}");
}

#[test]
fn what_the_older_program_kept_is_restored() {
    let place = upgraded();
    let kept = said(&place, &["undo", "--list", "--all"]);
    assert_eq!(kept.lines().count(), 2, "{kept}");
    let id = kept.lines().next().unwrap().split_whitespace().next().unwrap();
    let to = place.path("restored");
    said(&place, &["undo", id, "--to", to.to_str().unwrap(), "--yes"]);
    let restored = texts_below(&to);
    assert!(restored.iter().any(|text| text == "the second version\n"), "{restored:?}");
}

/// Returns the texts of all files below a directory.
fn texts_below(directory: &std::path::Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(
            |path| if path.is_dir() { texts_below(&path) } else { vec![fs::read_to_string(&path).unwrap()] },
        )
        .collect()
}

#[test]
fn a_state_that_no_program_wrote_is_not_an_error() {
    let place = upgraded();
    let state = place.path(".local/state/checkrein");
    // As a program from the future would leave them.
    for name in ["compiled", "greetings", "suggested", "learned"] {
        fs::create_dir_all(state.join(name)).unwrap();
        fs::write(state.join(name).join("e8bc163c82eee18733288c7d4ac636db"), "\u{0}version 99\n").unwrap();
    }
    private(&state);
    let call = r#"{"hook_event_name":"PreToolUse","session_id":"s1","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    let output = place.output(&["hook", "--host", "claude"], call.as_bytes());
    assert_eq!(
        String::from_utf8(output.stdout).unwrap().trim(),
        "{}",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
