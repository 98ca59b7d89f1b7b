//! The confirmation that `init` needs, the agents it selects, and the files it changes.

use super::without_diff;
use crate::{machine::Machine, shown};
use insta::assert_snapshot;
use std::fs;

#[test]
fn without_a_terminal_yes_is_required() {
    let machine = Machine::with(&[".claude"]);
    assert_snapshot!(without_diff(&machine.run(&["init"])), @"
    --- stdout
    Checkrein will judge every tool call of these agents:
      Claude Code: 10 hooks added to [directory]/.claude/settings.json (new file)
    The hooks run [directory]/bin/checkrein.
    Nothing else in these files changes; `checkrein uninstall` restores them.
    --- stderr
    checkrein: not a terminal: preview with `--dry-run`, then pass `--yes`
    --- exit 3
    ");
    assert!(!machine.path(".claude/settings.json").exists());
    assert_snapshot!(machine.run(&["uninstall"]), @"
    --- stderr
    checkrein: only a user at a terminal can run `checkrein uninstall`: not a terminal

    hint: run it in a terminal that was not started by an agent; for scripts, root can list the command in `/etc/checkrein/automation`
    --- exit 3
    ");
}

#[test]
fn at_a_terminal_it_asks_once() {
    let machine = Machine::with(&[".claude", ".codex"]);
    let said = machine.typed("init", |_| "n".to_owned());
    assert_eq!(said.matches("Write these changes? (d shows the diff) [y/N]").count(), 1, "{said}");
    assert!(said.ends_with("Nothing was written.\n--- exit 1\n"), "{said}");
    assert!(!machine.path(".claude/settings.json").exists());
    assert!(!said.contains("+++ "), "{said}");
    // The summary is what the user decides on; the diff is there for those who ask for it.
    let said = machine.typed("init", |_| "d\ny".to_owned());
    assert_eq!(said.matches("+++ ").count(), 2, "{said}");
    assert_eq!(said.matches("Written: ").count(), 2, "{said}");
    // Uninstalling needs the word, whatever the command line says.
    for flags in ["", "--yes"] {
        let said = machine.typed(&format!("uninstall {flags}"), |_| "y".to_owned());
        assert!(said.ends_with("Nothing was written.\n--- exit 1\n"), "{said}");
        assert!(machine.path(".claude/settings.json").exists());
    }
    let said = machine.uninstall("");
    assert!(said.contains("Removed from Claude Code"), "{said}");
    assert!(!machine.path(".claude/settings.json").exists());
}

#[test]
fn an_agent_cannot_uninstall() {
    let machine = Machine::with(&[".claude"]);
    machine.init();
    let written = machine.read(".claude/settings.json");
    let output = machine.start("CLAUDECODE=1 checkrein uninstall --yes").output();
    assert_snapshot!(shown(&output, machine.place.directory.path()), @"
    --- stderr
    checkrein: only a user at a terminal can run `checkrein uninstall`: `CLAUDECODE` is set, which indicates that an agent started this

    hint: run it in a terminal that was not started by an agent; for scripts, root can list the command in `/etc/checkrein/automation`
    --- exit 3
    ");
    assert_eq!(machine.read(".claude/settings.json"), written);
}

#[test]
fn agents_and_files_are_selected() {
    let machine = Machine::new();
    assert_snapshot!(machine.run(&["init", "--yes"]), @"
    --- stderr
    checkrein: no supported agent found: none of these is on PATH or has a settings directory: [agents], `cursor`, `code`

    hint: name one with `--agent`, for example `checkrein init --agent claude`
    --- exit 3
    ");
    assert_snapshot!(machine.run(&["init", "--yes", "--agent", "clod"]), @"
    --- stderr
    checkrein: unknown agent `clod`, expected [agents]
    --- exit 3
    ");
    // Found by its program only.
    machine.agent("codex", "codex-cli 0.144.0");
    assert!(machine.output(&["init", "--yes"]).status.success());
    let hooks = machine.read(".codex/hooks.json");
    assert!(hooks.contains("--event Stop") && !hooks.contains("--event SessionEnd"), "{hooks}");
    assert!(!machine.path(".claude").exists());
    // The project's own files, which are named although no agent is found.
    let said = machine.run(&["init", "--yes", "--project", "--agent", "claude"]);
    assert!(said.contains("Written: [directory]/work/.claude/settings.json"), "{said}");
    assert!(said.contains("trust this project when asked"), "{said}");
    assert!(!machine.path(".claude").exists());
    machine.uninstall("--yes --project --agent claude");
    assert!(!machine.path("work/.claude").exists());
    assert_eq!(machine.read(".codex/hooks.json"), hooks);
    machine.uninstall("--yes");
    assert!(!machine.path(".codex").exists());
}

#[test]
fn purge_shows_what_is_kept_and_removes_it_after_the_settings_are_restored() {
    let machine = Machine::with(&[".claude"]);
    machine.init();
    let state = machine.path(".local/state/checkrein");
    fs::create_dir_all(state.join("undo/kept")).unwrap();
    fs::write(state.join("undo/kept/file"), vec![b'x'; 3000]).unwrap();
    let shown = machine.run(&["uninstall", "--purge", "--dry-run"]);
    assert!(
        shown.contains("undo: 1 files, 3 KiB: copies of files") && shown.contains("would be removed"),
        "{shown}"
    );
    assert!(state.join("undo/kept/file").exists());
    // Other agents would lose the backups of their settings.
    assert!(machine.run(&["uninstall", "--purge", "--agent", "claude"]).contains("cannot be used with"));
    let said = machine.uninstall("--purge");
    assert!(said.contains("all of this is deleted") && said.contains("kept copies: removed"), "{said}");
    assert!(!state.exists());
}
