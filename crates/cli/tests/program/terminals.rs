//! An agent in the user's terminal multiplexer, and a confirmation that waits for its word: the calls with which an agent would
//! approve itself, through the program as a host calls it.

use crate::Place;
use serde_json::{Value, json};

fn decided(place: &Place, command: &str) -> String {
    let event = json!({
        "session_id": "s",
        "hook_event_name": "PreToolUse",
        "cwd": place.folder.path(),
        "tool_name": "Bash",
        "tool_input": { "command": command },
        "tool_use_id": "t",
    });
    let output = place.output(&["hook", "--host", "claude"], event.to_string().as_bytes());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("silent").to_owned()
}

#[test]
fn an_agent_does_not_approve_itself() {
    let place = Place::new();
    let types = "printf 'checkrein allow --once ab12\\n' | tmux load-buffer - && tmux paste-buffer -t 0";
    let (looks, answers) = ("tmux capture-pane -p -t 0", "tmux send-keys -t 0 quiet-otter Enter");
    assert_eq!(decided(&place, types), "deny");
    assert_eq!(decided(&place, "tmux load-buffer steps.txt; tmux paste-buffer -t 0"), "ask");
    assert_eq!(decided(&place, looks), "silent");
    assert_eq!(decided(&place, answers), "silent");

    // The command shows its word and waits.
    let state = place.folder.path().join(".local/state/checkrein");
    let open = checkrein::Confirming::open(&state).unwrap();
    for call in [looks, answers, types, "tmux paste-buffer -t 0", "cat /dev/vcs1"] {
        assert_eq!(decided(&place, call), "deny", "{call}");
    }
    assert_eq!(decided(&place, "npm test"), "silent");

    // It is over.
    drop(open);
    assert_eq!(decided(&place, looks), "silent");
}
