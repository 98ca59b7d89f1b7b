//! The command of the entries: our program, at its current path and after an upgrade.

use crate::{PROGRAM, machine::Machine};
use serde_json::Value;
use std::{fs, os::unix::fs::symlink, process::Command};

#[test]
fn the_registered_command_answers() {
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
    // In another process: a program that is open for writing cannot be executed.
    let newer = format!("mkdir -p versions/2 && cp {PROGRAM} versions/2/ && echo >> versions/2/checkrein");
    assert!(
        Command::new("sh").args(["-c", &newer]).current_dir(machine.path("")).status().unwrap().success()
    );
    fs::remove_file(machine.path("bin/checkrein")).unwrap();
    symlink(machine.path("versions/2/checkrein"), machine.path("bin/checkrein")).unwrap();
    let output = machine.output(&["init", "--yes"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!((machine.read(".claude/settings.json"), machine.read(".codex/hooks.json")), before);
}

/// After a move, only a user can update the entry: an agent could have moved the program.
#[test]
fn the_entry_of_a_moved_program_is_updated() {
    let machine = Machine::with(&[".codex"]);
    machine.init();
    let before = machine.read(".codex/hooks.json");
    fs::create_dir_all(machine.path("other")).unwrap();
    fs::rename(machine.path("bin/checkrein"), machine.path("other/checkrein")).unwrap();
    let output = machine.start("../other/checkrein init --yes").output();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("only a user at a terminal can run `checkrein init`"), "{said}");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(machine.read(".codex/hooks.json"), before);
    fs::create_dir_all(machine.path("bin")).unwrap();
    symlink("../other/checkrein", machine.path("bin/checkrein")).unwrap();
    // `PATH` still leads to it: nothing has changed for the agent.
    machine.init();
    assert_eq!(machine.read(".codex/hooks.json"), before);
    fs::remove_file(machine.path("bin/checkrein")).unwrap();
    let inner = format!("{} init --yes", machine.path("other/checkrein").display());
    let said = machine.place.at_a_terminal("/usr/bin/script", &inner, |_| "yes".to_owned());
    assert!(said.ends_with("Nothing was written.\n"), "{said}");
    assert_eq!(machine.read(".codex/hooks.json"), before);
    let said = machine.place.at_a_terminal("/usr/bin/script", &inner, str::to_owned);
    assert!(said.contains("This changes existing entries."), "{said}");
    assert_eq!(machine.read(".codex/hooks.json"), before.replace("/bin/checkrein", "/other/checkrein"));
}

#[test]
fn a_build_directory_is_not_a_lasting_place() {
    let machine = Machine::with(&[".claude"]);
    fs::remove_file(machine.path("bin/checkrein")).unwrap();
    let output = machine.start(&format!("{PROGRAM} init --dry-run")).output();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("warning: ") && said.contains("is in the project"), "{said}");
    assert!(output.status.success());
    let output = machine.start(&format!("{PROGRAM} init --yes")).output();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("is in the project") && said.contains("hint: install checkrein where"), "{said}");
    assert_eq!(output.status.code(), Some(3));
    assert!(!machine.path(".claude/settings.json").exists());
}
