//! Notifications, through the program.

use crate::{bash, layers::Home};
use serde_json::Value;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

const FORCE: &str = "git push --force origin topic";

/// Writes a program that appends its arguments to the file that is returned.
fn teller(home: &Home, name: &str) -> (PathBuf, PathBuf) {
    let (program, told) = (home.place.path(name), home.place.path(format!("{name}.told")));
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    let text = format!(
        "#!/bin/sh\nprintf '%s|' \"$@\" >> {0}.part\ncat >> {0}.stdin\ncat {0}.part > {0}\n",
        told.display()
    );
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program, told)
}

/// Sends an event, as Claude Code would in a session of its own.
fn send(home: &Home, name: &str, call: &str, command: &str) -> String {
    let mut event: Value = serde_json::from_str(&bash(command)).unwrap();
    event["cwd"] = home.place.path("project").to_str().unwrap().into();
    event["hook_event_name"] = name.into();
    event["tool_use_id"] = call.into();
    home.run(&["hook", "--host", "claude"], &event.to_string())
}

/// Waits until a program has said this many things.
fn told(file: &Path, parts: usize) -> String {
    let start = Instant::now();
    loop {
        let text = fs::read_to_string(file).unwrap_or_default();
        if text.matches('|').count() >= parts || start.elapsed() > Duration::from_secs(10) {
            return text;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_denial_is_told_by_arguments_without_the_command() {
    let home = Home::new();
    let (program, file) = teller(&home, "tell");
    home.user(&format!("[notify]\ncommand = [{:?}, \"first\"]\n", program.to_str().unwrap()));
    assert!(send(&home, "PreToolUse", "c1", FORCE).contains("\"deny\""));
    let text = told(&file, 3);
    assert!(
        text.starts_with("first|Checkrein blocked a call|git.force-push, claude (checkrein why "),
        "{text}"
    );
    assert!(!text.contains("topic"), "{text}");
    let stdin = fs::read_to_string(format!("{}.stdin", file.display())).unwrap();
    assert!(stdin.contains("\"title\":\"Checkrein blocked a call\"") && !stdin.contains("topic"), "{stdin}");
    // The same call and others within the period are not told, and nothing that passes is.
    send(&home, "PermissionRequest", "c1", FORCE);
    send(&home, "PreToolUse", "c2", FORCE);
    send(&home, "PreToolUse", "c3", "ls");
    // The end of the session says how many there were.
    send(&home, "SessionEnd", "", "");
    let text = told(&file, 6);
    assert_eq!(text.matches("Checkrein").count(), 2, "{text}");
    assert!(text.contains("Checkrein: a session ended|claude: 2 calls denied (checkrein log)|"), "{text}");
    // It says that once.
    send(&home, "SessionEnd", "", "");
    thread::sleep(Duration::from_millis(300));
    assert_eq!(told(&file, 6).matches("Checkrein").count(), 2);
}

#[test]
fn details_and_events_are_chosen() {
    let home = Home::new();
    let (program, file) = teller(&home, "tell");
    let command = format!("command = [{:?}]\n", program.to_str().unwrap());
    home.user(&format!("[notify]\n{command}on = \"ask\"\ndetail = true\n"));
    assert!(send(&home, "PreToolUse", "c1", FORCE).contains("\"deny\""));
    send(&home, "PreToolUse", "c2", "git branch -D topic; echo $(id) '`id`'");
    let text = told(&file, 2);
    assert!(text.starts_with("Checkrein asks you|") && text.contains(": git branch -D topic"), "{text}");
    assert!(!text.contains("git push"), "{text}");
}

#[test]
fn the_desktop_is_told_with_the_texts_as_arguments() {
    let home = Home::new();
    let (_, file) = teller(&home, "bin/notify-send");
    home.user("[notify]\ndesktop = true\ndetail = true\n");
    let mut event: Value = serde_json::from_str(&bash("git push --force origin '$(touch pwned)'")).unwrap();
    event["cwd"] = home.place.path("project").to_str().unwrap().into();
    let path = format!("{}:/usr/bin:/bin", home.place.path("bin").display());
    let mut command = home.command(&["hook", "--host", "claude"]);
    let mut child = command.env("PATH", path).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), event.to_string().as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    let text = told(&file, 4);
    assert!(text.starts_with("--app-name=Checkrein|--|Checkrein blocked a call|"), "{text}");
    assert!(text.contains("'$(touch pwned)'"), "{text}");
}

#[test]
fn mistakes_are_explained_and_failures_are_remarked() {
    let home = Home::new();
    for (text, said) in [
        ("[notify]\ncommand = \"tell-me\"\n", "the command of a notification is not a script"),
        ("[notify]\non = \"denied\"\n", "unknown event of a notification `denied`"),
        ("unattended = \"undoabel\"\n", "did you mean `undoable`?"),
    ] {
        home.user(text);
        let shown = home.run(&["hooks"], "");
        assert!(shown.contains(said), "{text}: {shown}");
    }
    home.user("[notify]\ncommand = [\"/nowhere/tell\"]\n");
    let answer = send(&home, "PreToolUse", "c1", FORCE);
    assert!(answer.contains("the notification with `/nowhere/tell` failed"), "{answer}");
    assert!(answer.contains("\"deny\""));
    home.user("unattended = \"undoable\"\n");
    assert!(send(&home, "PreToolUse", "c2", "ls").contains("{}"));
    home.project("[notify]\ndesktop = true\n");
    let shown = home.run(&["hooks"], "");
    assert!(shown.contains("only the managed and the user's file can set notifications"), "{shown}");
}
