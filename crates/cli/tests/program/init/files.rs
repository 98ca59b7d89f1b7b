//! Other content of the files: every byte of it stays.

use super::corpus;
use crate::{machine::Machine, shown};
use checkrein_hosts::install::recipes;
use insta::assert_snapshot;
use serde_json::Value;
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
};

/// The file of each agent, and the directory of the corpus that has examples of it.
const FILES: [(&str, &str); 10] = [
    ("claude", ".claude/settings.json"),
    ("codex", ".codex/hooks.json"),
    ("gemini", ".gemini/settings.json"),
    ("qwen", ".qwen/settings.json"),
    ("copilot", ".copilot/hooks/checkrein.json"),
    ("cursor", ".cursor/hooks.json"),
    ("vscode", ".copilot/hooks/checkrein-vscode.json"),
    ("kimi", ".kimi-code/config.toml"),
    ("grok", ".grok/hooks/checkrein.json"),
    ("hermes", ".hermes/config.yaml"),
];

/// A new agent whose file has more than our entries needs examples of it.
#[test]
fn every_agents_file_is_tried() {
    for recipe in recipes().filter(|recipe| !recipe.layout.kind.is_whole()) {
        let name = format!("{}/{}", recipe.directory, recipe.file);
        assert!(FILES.contains(&(recipe.host, &name)), "{name}");
    }
}

/// Returns a machine with this file, and with what shows that the agent is there.
fn with(directory: &str, name: &str, text: &[u8]) -> Machine {
    let machine = if directory == "vscode" { Machine::with(&[".vscode"]) } else { Machine::new() };
    machine.write(name, text);
    machine
}

/// Whatever a user keeps there: installing and uninstalling changes nothing.
#[test]
fn init_and_uninstall_leave_every_file_as_it_was() {
    for (directory, name) in FILES {
        for file in corpus(directory) {
            let shown = file.display();
            let before = fs::read(&file).unwrap();
            let machine = with(directory, name, &before);
            fs::set_permissions(machine.path(name), fs::Permissions::from_mode(0o640)).unwrap();
            machine.init_by_user();
            let installed = fs::read(machine.path(name)).unwrap();
            let text = String::from_utf8(installed.clone()).unwrap();
            let line = format!("hook --host {directory} --event PreToolUse");
            let ends = |(at, line): (usize, &str)| {
                text.get(at + line.len()..).is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
            };
            // Cursor has several events before a call.
            let expected = if directory == "cursor" { 4 } else { 1 };
            assert_eq!(
                text.match_indices(&line).filter(|found| ends(*found)).count(),
                expected,
                "{shown}: {text}"
            );
            machine.init_by_user();
            assert_eq!(fs::read(machine.path(name)).unwrap(), installed, "{shown}");
            let said = machine.uninstall("--yes");
            assert!(said.ends_with("--- exit 0\n"), "{shown}: {said}");
            assert_eq!(fs::read(machine.path(name)).unwrap(), before, "{shown}");
            let mode = fs::metadata(machine.path(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o640, "{shown}");
            let kept = machine.path(".local/state/checkrein/installed").read_dir().unwrap().count();
            let around: Vec<_> = machine.path(name).parent().unwrap().read_dir().unwrap().flatten().collect();
            assert_eq!((kept, around.len()), (0, 1), "{shown}: {around:?}");
        }
    }
}

/// Another process changed the file in the meantime: its change stays, and our entries go.
#[test]
fn changes_in_between_stay() {
    for (directory, name) in FILES {
        for file in corpus(directory) {
            let before = fs::read_to_string(&file).unwrap();
            let read = |text: &str| serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')).ok();
            let Some(value) = read(&before).filter(|value| *value != serde_json::json!({})) else { continue };
            // A space is a change like any other.
            let edited = |text: &str| text.replacen('{', "{ \n", 1);
            for later in ["", "\n"] {
                let machine = with(directory, name, before.as_bytes());
                machine.init_by_user();
                machine.write(name, edited(&machine.read(name)));
                // The next backup contains their change.
                let config = "[[hook]]\nevent = \"PreCompact\"\ncommand = \"true\"\n";
                machine.write(".config/checkrein/config.toml", config);
                machine.init_by_user();
                assert!(machine.read(name).contains("--event PreCompact"));
                machine.write(name, machine.read(name) + later);
                machine.uninstall("--yes");
                let after = machine.read(name);
                if opened(&value) {
                    assert_eq!(read(&after).unwrap(), value, "{}", file.display());
                } else {
                    assert_eq!(after, edited(&before) + later, "{}", file.display());
                }
            }
        }
    }
}

/// Returns true if an empty container had to be opened, which leaves whitespace behind.
fn opened(value: &Value) -> bool {
    let empty = |list: &Value| list.as_array().is_some_and(Vec::is_empty);
    let hooks = value.pointer("/hooks").and_then(Value::as_object);
    hooks.is_some_and(|hooks| hooks.is_empty() || hooks.values().any(empty))
}

#[test]
fn a_broken_file_is_reported_and_not_touched() {
    let mut told = String::new();
    for file in corpus("broken") {
        let before = fs::read(&file).unwrap();
        let machine = Machine::new();
        machine.write(".claude/settings.json", &before);
        let output = machine.output(&["init", "--yes"]);
        assert_eq!(output.status.code(), Some(1), "{}", file.display());
        assert_eq!(fs::read(machine.path(".claude/settings.json")).unwrap(), before);
        let said = shown(&output, machine.place.directory.path());
        let line = said.lines().find(|line| line.starts_with("checkrein: ")).unwrap();
        told += &format!("{}: {line}\n", file.file_name().unwrap().to_str().unwrap());
    }
    assert_snapshot!(told, @"
    comma.json: checkrein: [directory]/.claude/settings.json: line 3, column 1: expected a quoted name, found `}`; the file was not changed
    comment.json: checkrein: [directory]/.claude/settings.json: line 2, column 3: expected a quoted name, found a comment, which agents do not accept in this file; the file was not changed
    conflict.json: checkrein: [directory]/.claude/settings.json: line 2, column 1: expected a quoted name, found `<`; the file was not changed
    event-object.json: checkrein: [directory]/.claude/settings.json: line 3, column 13: `Stop` should be a list; the file was not changed
    half.json: checkrein: [directory]/.claude/settings.json: line 4, column 46: unterminated string; the file was not changed
    hooks-list.json: checkrein: [directory]/.claude/settings.json: line 2, column 12: `hooks` should be an object; the file was not changed
    hooks-twice.json: checkrein: [directory]/.claude/settings.json: line 4, column 3: duplicate key `hooks`; the file was not changed
    list.json: checkrein: [directory]/.claude/settings.json: line 1, column 1: expected an object; the file was not changed
    not-utf8.json: checkrein: [directory]/.claude/settings.json: line 2, column 13: the file is not UTF-8; the file was not changed
    ");
}

/// A file in a directory of dotfiles is reached through a link, which stays a link.
#[test]
fn a_link_stays_a_link() {
    let machine = Machine::with(&[".claude", "dotfiles"]);
    machine.write("dotfiles/claude.json", "{\"model\": \"opus\"}\n");
    symlink("../dotfiles/claude.json", machine.path(".claude/settings.json")).unwrap();
    machine.init();
    assert!(fs::symlink_metadata(machine.path(".claude/settings.json")).unwrap().is_symlink());
    assert!(machine.read("dotfiles/claude.json").contains("--event PreToolUse"));
    machine.uninstall("--yes");
    assert_eq!(machine.read("dotfiles/claude.json"), "{\"model\": \"opus\"}\n");
    // A dangling link is a mistake, and we do not guess its target.
    fs::remove_file(machine.path("dotfiles/claude.json")).unwrap();
    let said = machine.run(&["init", "--yes"]);
    assert!(said.contains("a broken symbolic link"), "{said}");
    assert!(!machine.path("dotfiles/claude.json").exists());
}
