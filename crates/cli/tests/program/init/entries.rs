//! What the entries start: our program, where it is now and where it will be after an upgrade.

use crate::{PROGRAM, ended, machine::Machine};
use serde_json::Value;
use std::{fs, os::unix::fs::symlink, process::Command};

#[test]
fn what_the_entries_start_answers() {
    let machine = Machine::with(&[".claude", ".codex"]);
    machine.init();
    for (file, event) in [(".claude/settings.json", "claude"), (".codex/hooks.json", "codex")] {
        let settings: Value = serde_json::from_str(&machine.read(file)).unwrap();
        let command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
        let call = serde_json::json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
                                      "tool_input": {"command": "ls"}, "session_id": "s"});
        machine.write("event.json", call.to_string());
        let output = Command::new("sh")
            .args(["-c", &format!("{command} < {}", machine.path("event.json").display())])
            .env_clear()
            .env("HOME", machine.path(""))
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "{}\n", "{event}");
        assert!(output.status.success());
    }
}

/// Codex binds trust to the entry, so an upgrade must not change a byte of it.
#[test]
fn an_upgrade_changes_nothing_in_the_files() {
    let machine = Machine::with(&[".claude", ".codex"]);
    machine.init();
    let before = (machine.read(".claude/settings.json"), machine.read(".codex/hooks.json"));
    assert!(before.1.contains(&format!(
        "{}/bin/checkrein hook",
        machine.path("").display().to_string().trim_end_matches('/')
    )));
    // By another process: a program that is open for writing anywhere cannot be started.
    let newer = format!("mkdir -p versions/2 && cp {PROGRAM} versions/2/ && echo >> versions/2/checkrein");
    assert!(
        Command::new("sh").args(["-c", &newer]).current_dir(machine.path("")).status().unwrap().success()
    );
    fs::remove_file(machine.path("bin/checkrein")).unwrap();
    symlink(machine.path("versions/2/checkrein"), machine.path("bin/checkrein")).unwrap();
    let mut command = Command::new(machine.path("bin/checkrein"));
    command.args(["init", "--yes"]).current_dir(machine.path("work")).env_clear();
    command.env("HOME", machine.path("")).env("PATH", machine.path("bin"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!((machine.read(".claude/settings.json"), machine.read(".codex/hooks.json")), before);
}

/// A program that was moved is mended where its entry stands.
#[test]
fn a_moved_program_is_mended() {
    let machine = Machine::with(&[".codex"]);
    machine.init();
    let before = machine.read(".codex/hooks.json");
    fs::create_dir_all(machine.path("other")).unwrap();
    fs::rename(machine.path("bin/checkrein"), machine.path("other/checkrein")).unwrap();
    let mut command = machine.command(&["init", "--yes"]);
    command.env("PATH", machine.path("other"));
    assert!(ended(command.spawn().unwrap()).status.success());
    assert_eq!(machine.read(".codex/hooks.json"), before.replace("/bin/checkrein", "/other/checkrein"));
}

#[test]
fn a_build_is_no_place_to_stay() {
    let machine = Machine::with(&[".claude"]);
    fs::remove_file(machine.path("bin/checkrein")).unwrap();
    let output = machine.output(&["init", "--dry-run"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("warning: ") && said.contains("where builds do not stay"), "{said}");
}
