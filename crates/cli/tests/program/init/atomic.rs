//! A file is written atomically: kills, and many writers at the same time.

use super::corpus;
use crate::{machine::Machine, shown};
use checkrein_hosts::install::recipes;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
    time::Instant,
};

/// Whenever we are killed, the file is the old one or the new one.
#[test]
fn a_kill_leaves_the_old_file_or_the_new_one() {
    const ROUNDS: u32 = 24;
    let old = fs::read_to_string(corpus("claude").iter().find(|file| file.ends_with("tabs.json")).unwrap())
        .unwrap();
    // Long enough for a partial write to show.
    let old = old.replacen('{', &format!("{{\n\t\"env\": {{\"A\": \"{}\"}},", "a".repeat(1 << 17)), 1);
    let machine = Machine::new();
    let name = ".claude/settings.json";
    machine.write(name, &old);
    fs::hard_link(machine.path(name), machine.path("old.json")).unwrap();
    let start = Instant::now();
    machine.init();
    // The old file is not overwritten: a process that has it open can read on.
    assert!(machine.read("old.json") == old);
    let whole = start.elapsed();
    let new = machine.read(name);
    let (mut olds, mut news) = (0, 0);
    for round in 0..ROUNDS {
        machine.write(name, &old);
        let started = machine.start("exec checkrein init --yes");
        let id = started.id();
        thread::sleep(whole * round / ROUNDS);
        // It may have exited already.
        Command::new("kill").args(["-KILL", &id]).stderr(Stdio::null()).status().unwrap();
        started.output();
        match machine.read(name) {
            text if text == old => olds += 1,
            text if text == new => news += 1,
            text => panic!("after round {round}: {} bytes", text.len()),
        }
        // Leftovers do not block the next run.
        machine.init();
        assert!(machine.read(name) == new);
        let said = machine.uninstall("--yes");
        assert!(said.ends_with("--- exit 0\n"), "round {round}");
        assert!(machine.read(name) == old);
        assert_eq!(machine.path(".claude").read_dir().unwrap().count(), 1);
    }
    assert_eq!(olds + news, ROUNDS);
    assert!(olds > 0, "no kill came early enough to matter");
}

/// Returns a home with every agent, with a realistic file for each that has one of its own.
fn full() -> Machine {
    let machine = Machine::new();
    for recipe in recipes() {
        let example = if recipe.layout.kind.is_whole() { None } else { corpus(recipe.host).pop() };
        let name = format!("{}/{}", recipe.directory, recipe.file);
        match example {
            Some(file) => machine.write(&name, fs::read(file).unwrap()),
            // Something of the user's next to ours.
            None => machine.write(&format!("{}/mine.txt", recipe.directory), "mine"),
        }
        for sign in recipe.signs {
            fs::create_dir_all(machine.path(sign)).unwrap();
        }
    }
    machine
}

/// Returns all files of the agents.
fn files(machine: &Machine) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open: Vec<PathBuf> = recipes().map(|recipe| machine.path(recipe.directory)).collect();
    while let Some(directory) = open.pop() {
        for path in directory.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(
                    path.strip_prefix(machine.path("")).unwrap().to_owned(),
                    fs::read(&path).unwrap(),
                );
            }
        }
    }
    found
}

/// Whenever we are killed, each file of every agent is the old one or the new one, and the next runs put everything right.
#[test]
fn a_kill_leaves_no_file_of_any_agent_half_written() {
    const ROUNDS: u32 = 8;
    let machine = full();
    let old = files(&machine);
    let start = Instant::now();
    machine.init_by_user();
    let whole = start.elapsed();
    let new = files(&machine);
    assert!(
        new.len() > old.len() && old.iter().all(|(path, text)| new.contains_key(path) && !text.is_empty())
    );
    machine.uninstall("--yes");
    assert!(files(&machine) == old);
    let mut early = 0;
    for round in 0..ROUNDS {
        let started = machine.start("exec checkrein init --yes");
        thread::sleep(whole * round / ROUNDS);
        // It may have exited already.
        Command::new("kill").args(["-KILL", &started.id()]).stderr(Stdio::null()).status().unwrap();
        started.output();
        for (path, text) in files(&machine) {
            let is_known = [&old, &new].iter().any(|files| files.get(&path) == Some(&text));
            let is_leftover = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            assert!(is_known || is_leftover, "round {round}: {}: {} bytes", path.display(), text.len());
        }
        early += u32::from(files(&machine) != new);
        machine.init_by_user();
        assert!(files(&machine) == new, "round {round}");
        machine.uninstall("--yes");
        assert!(files(&machine) == old, "round {round}");
    }
    assert!(early > 0, "no kill came early enough to matter");
}

#[test]
fn many_writers_at_once_write_every_file_once() {
    let machine = full();
    let old = files(&machine);
    let started: Vec<_> = (0..6).map(|_| machine.start("checkrein init --yes")).collect();
    for one in started {
        let output = one.output();
        assert!(output.status.success(), "{}", shown(&output, machine.place.directory.path()));
    }
    let once = files(&machine);
    machine.init_by_user();
    assert!(files(&machine) == once, "a run after them changes nothing");
    machine.uninstall("--yes");
    assert!(files(&machine) == old);
}

#[test]
fn many_writers_at_once_write_it_once() {
    let machine = Machine::with(&[".claude", ".codex"]);
    machine.write(".claude/settings.json", "{\"model\":\"opus\"}");
    let started: Vec<_> = (0..8).map(|_| machine.start("checkrein init --yes")).collect();
    for one in started {
        let output = one.output();
        assert!(output.status.success(), "{}", shown(&output, machine.place.directory.path()));
    }
    for (name, host) in [(".claude/settings.json", "claude"), (".codex/hooks.json", "codex")] {
        let text = machine.read(name);
        serde_json::from_str::<Value>(&text).unwrap();
        assert_eq!(text.matches(&format!("--host {host} --event PreToolUse\"")).count(), 1, "{text}");
    }
    machine.uninstall("--yes");
    assert_eq!(machine.read(".claude/settings.json"), "{\"model\":\"opus\"}");
    assert!(!machine.path(".codex/hooks.json").exists());
}
