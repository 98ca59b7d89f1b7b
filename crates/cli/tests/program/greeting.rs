//! The line at the start of a session, at a real terminal and without one.

use crate::{PROGRAM, allow::at_a_quiet_terminal, detached::Detached, layers::Home};
use checkrein::today;
use serde_json::{Value, json};
use std::{
    fs,
    sync::atomic::{AtomicUsize, Ordering},
};

/// The number of sessions so far.
static SESSIONS: AtomicUsize = AtomicUsize::new(0);

/// Starts a session at a terminal, as an agent with a screen does, and returns what the user is told.
fn started(home: &Home, host: &str, environment: &str) -> Option<String> {
    started_in(home, "project", host, environment)
}

fn started_in(home: &Home, project: &str, host: &str, environment: &str) -> Option<String> {
    let cwd = home.place.path(project);
    let event = json!({
        // The same event of the same session would be one that another entry has answered.
        "session_id": SESSIONS.fetch_add(1, Ordering::Relaxed).to_string(),
        "hook_event_name": "SessionStart",
        "source": "startup",
        "cwd": cwd.to_str().unwrap(),
    });
    let file = home.place.path("event.json");
    fs::write(&file, event.to_string()).unwrap();
    let said = at_a_quiet_terminal(
        home,
        &format!("{environment} {PROGRAM} hook --host {host} --event SessionStart < {}", file.display()),
    );
    let answer: Value = serde_json::from_str(said.trim()).unwrap_or_else(|error| panic!("{error}: {said}"));
    assert_eq!(answer.get("continue"), None, "{said}");
    answer["systemMessage"].as_str().map(str::to_owned)
}

/// Returns a greeting without the hash and the number of rules, which change with the program.
fn plain(greeting: Option<String>) -> String {
    let greeting = greeting.expect("a greeting");
    let word = |word: &str, before: &str| match before {
        "policy" => word.chars().map(|c| if c.is_ascii_hexdigit() { 'x' } else { c }).collect(),
        "Checkrein:" => "[n]".to_owned(),
        _ => word.to_owned(),
    };
    let words: Vec<&str> = greeting.split(' ').collect();
    let before = std::iter::once("").chain(words.iter().copied());
    words.iter().zip(before).map(|(now, before)| word(now, before)).collect::<Vec<_>>().join(" ")
}

#[test]
fn once_a_day_in_each_project_and_when_something_changed() {
    let home = Home::new();
    assert_eq!(plain(started(&home, "claude", "")), "Checkrein: [n] rules, 0 hooks, policy xxxx");
    assert_eq!(started(&home, "claude", ""), None);
    // Another agent and another project have a greeting of their own.
    assert!(started(&home, "codex", "").is_some());
    assert_eq!(started(&home, "codex", ""), None);
    assert!(started_in(&home, ".config", "claude", "").is_some());
    home.user("[[hook]]\nevent = \"PreToolUse\"\nname = \"mine\"\ncommand = \"true\"\n");
    assert_eq!(plain(started(&home, "claude", "")), "Checkrein: [n] rules, 1 hook, policy xxxx (changed)");
    assert_eq!(started(&home, "claude", ""), None);
    // Yesterday's greeting is over, and the same today is not a change.
    let greetings = home.place.path(".local/state/checkrein/greetings");
    for file in fs::read_dir(greetings).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen(&today().to_string(), "2026-01-01", 1)).unwrap();
    }
    assert_eq!(plain(started(&home, "claude", "")), "Checkrein: [n] rules, 1 hook, policy xxxx");
}

#[test]
fn it_names_monitor_mode_and_untrusted_hooks() {
    let home = Home::new();
    let until = today().after(7);
    home.user(&format!("[monitor]\nuntil = {until}\n"));
    home.project("[[hook]]\nevent = \"PreToolUse\"\nname = \"theirs; run me\"\ncommand = \"true\"\n");
    assert_eq!(
        plain(started(&home, "claude", "")),
        format!(
            "Checkrein: [n] rules, 0 hooks, policy xxxx, 1 hook not trusted, monitor until {until}: nothing is blocked"
        )
    );
}

#[test]
fn without_a_screen_or_with_the_key_there_is_none() {
    let home = Home::new();
    assert_eq!(started(&home, "claude", "CLAUDE_CODE_ENTRYPOINT=sdk-cli"), None);
    let event = home.place.path("event.json");
    let text = format!("{PROGRAM} hook --host claude < {}", event.display());
    let home_directory = home.place.path("");
    let detached = Detached::start(&text, &[("HOME", home_directory.to_str().unwrap())]).output();
    assert_eq!(String::from_utf8_lossy(&detached.stdout).trim(), "{}");
    home.user("greeting = false\n");
    assert_eq!(started(&home, "claude", ""), None);
    home.user("greeting = true\n");
    assert!(started(&home, "claude", "").is_some());
    home.project("greeting = false\n");
    let refused = home.run(&["hooks"], "");
    assert!(refused.contains("a project cannot hide what is active"), "{refused}");
}
