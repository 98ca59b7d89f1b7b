//! An agent in the user's terminal multiplexer, and a confirmation that waits for its word: the calls with
//! which an agent would approve itself, through the program as a host runs it.

use crate::Place;
use serde_json::{Value, json};
use std::{
    process::{Command, Output},
    thread,
    time::{Duration, Instant},
};

fn decided(place: &Place, command: &str) -> String {
    let event = json!({
        "session_id": "s",
        "hook_event_name": "PreToolUse",
        "cwd": place.directory.path(),
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
    let types = "printf 'checkrein allow ab12\\n' | tmux load-buffer - && tmux paste-buffer -t 0";
    let (looks, answers) = ("tmux capture-pane -p -t 0", "tmux send-keys -t 0 quiet-otter Enter");
    assert_eq!(decided(&place, types), "deny");
    assert_eq!(decided(&place, "tmux load-buffer steps.txt; tmux paste-buffer -t 0"), "ask");
    assert_eq!(decided(&place, looks), "silent");
    assert_eq!(decided(&place, answers), "silent");

    // The command shows its word and waits.
    let state = place.directory.path().join(".local/state/checkrein");
    let open = checkrein::Confirming::open(&state).unwrap();
    for call in [looks, answers, types, "tmux paste-buffer -t 0", "cat /dev/vcs1"] {
        assert_eq!(decided(&place, call), "deny", "{call}");
    }
    assert_eq!(decided(&place, "npm test"), "silent");

    // It is over.
    drop(open);
    assert_eq!(decided(&place, looks), "silent");
}

/// A tmux server for one test, with a terminal in which the user works.
struct Tmux {
    socket: String,
}

impl Tmux {
    /// Starts one; `None` if there is no tmux.
    fn with(place: &Place, command: &str) -> Option<Self> {
        let socket = place.path("tmux").to_str().unwrap().to_owned();
        let tmux = Self { socket };
        let mut start = tmux.command(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-s",
            "user",
            "-x",
            "200",
            "-y",
            "50",
            command,
        ]);
        start
            .current_dir(place.directory.path())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", place.directory.path());
        let started = start.output().ok()?;
        assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
        Some(tmux)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-S", &self.socket]).args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Waits until the terminal shows `wanted`, and returns its content.
    fn shows(&self, wanted: &str) -> String {
        let start = Instant::now();
        loop {
            let shown = self.run(&["capture-pane", "-p", "-t", "user"]);
            let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
            if shown.contains(wanted) {
                return shown;
            }
            assert!(start.elapsed() < Duration::from_secs(30), "no {wanted:?} in {shown}");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

/// An agent's calls against a real terminal in which a real confirmation waits.
#[test]
fn an_agent_does_not_answer_in_a_real_terminal() {
    let place = Place::lasting();
    let settings = place.path(".claude");
    std::fs::create_dir_all(&settings).unwrap();
    let program = place.path("checkrein");
    std::fs::copy(crate::PROGRAM, &program).unwrap();
    let program = program.to_str().unwrap();
    let mut init = Command::new(program);
    init.args(["init", "--agent", "claude", "--yes"]).current_dir(place.directory.path()).env_clear();
    init.env("PATH", "/usr/bin:/bin").env("HOME", place.directory.path());
    let added = init.output().unwrap();
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));

    let Some(tmux) = Tmux::with(&place, &format!("{program} uninstall; echo it is over; exec sleep 60"))
    else {
        eprintln!("skipped: there is no tmux here");
        return;
    };
    tmux.shows("Type `");
    let socket = &tmux.socket;
    let calls = [
        format!("tmux -S {socket} capture-pane -p -t user"),
        format!(
            "tmux -S {socket} capture-pane -p -t user | tail -1 | xargs tmux -S {socket} send-keys -t user"
        ),
        format!("tmux -S {socket} load-buffer word.txt; tmux -S {socket} paste-buffer -t user"),
        format!("tmux -S {socket} set-buffer quiet-otter && tmux -S {socket} paste-buffer -t user"),
        format!("tmux -S {socket} send-keys -t user quiet-otter Enter"),
        format!("tmux -S {socket} send-keys -t %0 Enter"),
        format!("sh -c 'tmux -S {socket} pipe-pane -t user \"cat > seen.txt\"'"),
    ];
    for call in &calls {
        assert_eq!(decided(&place, call), "deny", "{call}");
    }
    assert_eq!(decided(&place, &format!("tmux -S {socket} list-panes")), "silent");

    // The user gives up.
    tmux.run(&["send-keys", "-t", "user", "no", "Enter"]);
    tmux.shows("it is over");
    assert_eq!(decided(&place, calls.first().unwrap()), "silent");
    let kept = std::fs::read_to_string(settings.join("settings.json")).unwrap();
    assert!(kept.contains("checkrein"), "{kept}");
}
