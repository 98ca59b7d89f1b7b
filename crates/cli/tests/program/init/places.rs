//! The path that is registered, files that cannot be written, and the administrator's files.

use crate::{detached::line, machine::Machine, shown};
use serde_json::Value;
use std::{fs, os::unix::fs::PermissionsExt, os::unix::fs::symlink};

/// Moves the program into the directory of one version, as packagers do.
fn versioned(machine: &Machine, directory: &str) {
    fs::create_dir_all(machine.path(directory)).unwrap();
    fs::rename(machine.path("bin/checkrein"), machine.path(directory).join("checkrein")).unwrap();
}

#[test]
fn the_path_of_one_version_is_never_registered() {
    let machine = Machine::with(&[".claude"]);
    versioned(&machine, "brew/Cellar/checkrein/0.1.0/bin");
    let program = machine.path("brew/Cellar/checkrein/0.1.0/bin/checkrein");
    let run = || machine.start(&line(&program, &["init", "--yes"])).output();
    let said = shown(&run(), machine.place.directory.path());
    assert!(said.contains("is the path of one version") && said.contains("nothing was written"), "{said}");
    // The link that Homebrew makes is found, although it is not on the PATH.
    fs::create_dir_all(machine.path("brew/bin")).unwrap();
    symlink(&program, machine.path("brew/bin/checkrein")).unwrap();
    assert!(run().status.success());
    let written = machine.read(".claude/settings.json");
    assert!(written.contains("/brew/bin/checkrein hook ") && !written.contains("Cellar"), "{written}");
}

#[test]
fn a_profile_and_a_shim_are_lasting() {
    for (link, is_shim) in [(".nix-profile/bin", false), ("manager/shims", true)] {
        let machine = Machine::with(&[".claude", link]);
        versioned(&machine, "installs/checkrein/0.1.0/bin");
        let program = machine.path("installs/checkrein/0.1.0/bin/checkrein");
        let stable = machine.path(link).join("checkrein");
        if is_shim {
            fs::write(&stable, format!("#!/bin/sh\nexec {} \"$@\"\n", program.display())).unwrap();
            fs::set_permissions(&stable, fs::Permissions::from_mode(0o755)).unwrap();
        } else {
            symlink(&program, &stable).unwrap();
        }
        let path = format!("PATH={}:/usr/bin:/bin", machine.path(link).display());
        let output = machine.start(&format!("{path} {}", line(&program, &["init", "--yes"]))).output();
        assert!(output.status.success(), "{}", shown(&output, machine.place.directory.path()));
        let written = machine.read(".claude/settings.json");
        assert!(written.contains(&format!("/{link}/checkrein hook ")), "{written}");
    }
}

#[test]
fn a_read_only_file_is_left_alone_and_the_snippet_is_printed() {
    let machine = Machine::with(&[".claude"]);
    machine.write(".claude/settings.json", "{}\n");
    let file = machine.path(".claude/settings.json");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let output = machine.output(&["init", "--yes"]);
    let said = shown(&output, machine.place.directory.path());
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("it is read-only, which usually means that another tool writes it"), "{said}");
    assert!(said.contains("add this to what writes [directory]/.claude/settings.json:"), "{said}");
    assert!(said.contains("--event PreToolUse"), "{said}");
    assert_eq!(machine.read(".claude/settings.json"), "{}\n");
}

#[test]
fn the_administrators_files_are_ready_to_distribute() {
    let machine = Machine::new();
    let arguments = ["init", "--managed", "--print", "--json", "--program", "/usr/local/bin/checkrein"];
    let output = machine.output(&arguments);
    assert!(output.status.success());
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let content = |agent: &str| {
        let file = said["files"].as_array().unwrap().iter().find(|file| file["agent"] == agent).unwrap();
        assert!(file["path"].as_str().unwrap().starts_with('/'), "{file}");
        file["content"].as_str().unwrap().to_owned()
    };
    for agent in ["claude", "gemini", "copilot", "qwen"] {
        let hooks: Value = serde_json::from_str(&content(agent)).unwrap();
        assert!(hooks["hooks"].is_object(), "{agent}");
    }
    assert!(content("codex").starts_with("[hooks]\nmanaged_dir = \"/usr/local/bin\"\n"));
    // As text, the file alone is on stdout.
    let output = machine.output(&["init", "--managed", "--print", "--agent", "claude"]);
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
    assert!(String::from_utf8_lossy(&output.stderr).contains("managed-settings.json"));
    // It prints only, and only with a path that means the same everywhere.
    assert_eq!(machine.output(&["init", "--managed"]).status.code(), Some(3));
    let relative = ["init", "--managed", "--print", "--program", "checkrein"];
    assert!(machine.run(&relative).contains("needs an absolute path"));
    assert!(
        machine
            .run(&["init", "--managed", "--print", "--agent", "cline"])
            .contains("does not read an administrator's hooks")
    );
}
