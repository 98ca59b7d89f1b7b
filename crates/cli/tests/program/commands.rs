//! Commands that change policy or state are for users: everything else is refused, however it is started.

use crate::{detached::line, machine::Machine, shown};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::{Command, Output},
};

const SETTINGS: &str = ".claude/settings.json";

fn set_up() -> Machine {
    let machine = Machine::with(&[".claude"]);
    machine.init();
    machine
}

fn refused(output: &Output) -> bool {
    let said = String::from_utf8_lossy(&output.stderr);
    output.status.code() == Some(3) && said.contains("only a user at a terminal can run")
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Copies a program, in another process: a file that is open for writing cannot be executed.
fn copy(from: &str, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    assert!(Command::new("cp").arg(from).arg(to).status().unwrap().success());
}

/// Runs a command with our own mounts; `None` where we may not mount.
fn mounted(machine: &Machine, mounts: &str, text: &str) -> Option<Output> {
    let can = Command::new("unshare").args(["-m", "true"]).status().is_ok_and(|status| status.success());
    if !can {
        eprintln!("skipped: this needs root, for a mount namespace");
        return None;
    }
    let inner = machine.path("mounted.sh");
    fs::write(&inner, format!("mount --make-rprivate / && {mounts} && {text}\n")).unwrap();
    Some(machine.start(&format!("unshare -m sh {}", inner.display())).output())
}

#[test]
fn an_orphan_cannot_uninstall() {
    let machine = set_up();
    let before = machine.read(SETTINGS);
    let program = machine.path("bin/checkrein");
    let (program, home) = (program.display(), machine.path(""));
    for text in [
        "checkrein uninstall --yes".to_owned(),
        format!("env -i HOME={} setsid --wait {program} uninstall --yes", home.display()),
        format!(
            "(env -i HOME={} {program} uninstall --yes --json; echo $? > ../ended) & wait",
            home.display()
        ),
        "nohup checkrein uninstall --agent claude --yes".to_owned(),
    ] {
        let output = machine.start(&text).output();
        let said = shown(&output, machine.place.directory.path());
        assert!(said.contains("only a user at a terminal can run `checkrein uninstall`"), "{text}: {said}");
        assert_eq!(machine.read(SETTINGS), before, "{text}");
    }
    for mounts in ["true", "mount -t tmpfs none /proc"] {
        let plain = "checkrein uninstall --yes";
        let Some(output) = mounted(&machine, mounts, plain) else { return };
        assert!(refused(&output), "{mounts}: {}", shown(&output, machine.place.directory.path()));
        assert_eq!(machine.read(SETTINGS), before, "{mounts}");
    }
    let alone = machine.start("unshare -pf --mount-proc checkrein uninstall --yes").output();
    assert!(refused(&alone), "{}", shown(&alone, machine.place.directory.path()));
    assert_eq!(machine.read(SETTINGS), before);
}

#[test]
fn only_a_user_trusts_allows_or_repairs() {
    let machine = set_up();
    for command in ["trust", "trust --revoke", "allow k7f2-9qmd", "repair", "repair --end"] {
        let output = machine.start(&format!("checkrein {command}")).output();
        assert!(refused(&output), "{command}: {}", shown(&output, machine.place.directory.path()));
    }
}

/// A container has no parent process, and its setup script passes `--yes` once.
#[test]
fn adding_needs_only_yes() {
    let machine = Machine::with(&[".claude"]);
    let output = machine.start("checkrein init").output();
    assert_eq!(output.status.code(), Some(3));
    assert!(!machine.path(SETTINGS).exists());
    let output = machine.start("checkrein init --yes").output();
    assert!(output.status.success(), "{}", shown(&output, machine.place.directory.path()));
    let first = machine.read(SETTINGS);
    // Another event of the same program is one more entry.
    let config = "[[hook]]\nevent = \"PreCompact\"\ncommand = \"true\"\n";
    machine.write(".config/checkrein/config.toml", config);
    assert!(machine.output(&["init", "--yes"]).status.success());
    assert!(machine.read(SETTINGS).contains("--event PreCompact"));
    // Without `/proc`, and as the first process.
    for (mounts, text) in [
        ("mount -t tmpfs none /proc", "checkrein init --yes"),
        ("true", "unshare -pf --mount-proc checkrein init --yes"),
    ] {
        fs::remove_file(machine.path(SETTINGS)).unwrap();
        fs::remove_dir_all(machine.path(".config")).unwrap_or_default();
        // Without it we do not know our own path.
        let text =
            text.replace("checkrein init", &format!("{} init", machine.path("bin/checkrein").display()));
        let Some(output) = mounted(&machine, mounts, &text) else { return };
        if mounts == "true" {
            assert!(output.status.success(), "{}", shown(&output, machine.place.directory.path()));
            assert_eq!(machine.read(SETTINGS), first);
        } else {
            machine.write(SETTINGS, &first);
        }
    }
}

/// Two calls could make every hook run an agent's own program.
#[test]
fn a_copy_cannot_register_itself() {
    let machine = set_up();
    let before = machine.read(SETTINGS);
    let real = machine.path("bin/checkrein");
    fs::create_dir_all(machine.path("srv")).unwrap();
    for (place, expected) in [
        ("work/tools/checkrein", "is in the project"),
        ("srv/checkrein", "only a user at a terminal can run `checkrein init`"),
    ] {
        let copied = machine.path(place);
        copy(real.to_str().unwrap(), &copied);
        for words in [["init", "--yes"].as_slice(), &["init", "--agent", "claude", "--yes"]] {
            let output = machine.start(&line(&copied, words)).output();
            let said = shown(&output, machine.place.directory.path());
            assert!(said.contains(expected) && said.contains("--- exit 3"), "{place}: {said}");
            assert_eq!(machine.read(SETTINGS), before);
        }
    }
}

#[test]
fn a_program_that_others_can_replace_is_not_registered() {
    let machine = Machine::with(&[".claude"]);
    let init = |machine: &Machine| shown(&machine.output(&["init", "--yes"]), machine.place.directory.path());
    mode(&machine.path("bin"), 0o777);
    let said = init(&machine);
    assert!(said.contains("others can write to `[directory]/bin`") && said.contains("--- exit 3"), "{said}");
    let doctor = machine.run(&["doctor"]);
    assert!(doctor.contains("[program-writable]") && doctor.contains("--- exit 1"), "{doctor}");
    mode(&machine.path("bin"), 0o755);
    mode(&machine.path("bin/checkrein"), 0o757);
    let said = init(&machine);
    // The program is shared with other tests.
    mode(&machine.path("bin/checkrein"), 0o755);
    assert!(said.contains("others can write to `[directory]/bin/checkrein`"), "{said}");
    // Through a link.
    let place = tempfile::tempdir().unwrap();
    copy(machine.path("bin/checkrein").to_str().unwrap(), &place.path().join("checkrein"));
    fs::remove_file(machine.path("bin/checkrein")).unwrap();
    symlink(place.path().join("checkrein"), machine.path("bin/checkrein")).unwrap();
    let said = init(&machine);
    assert!(said.contains("is in a directory for temporary files"), "{said}");
    assert!(machine.run(&["doctor"]).contains("[program-temporary]"));
    assert!(!machine.path(SETTINGS).exists());
}

#[test]
fn an_agent_cannot_add_entries_either() {
    let machine = Machine::with(&[".claude"]);
    copy("/bin/sh", &machine.path("agents/claude"));
    let agent = machine.path("agents/claude");
    for text in [
        "CLAUDECODE=1 checkrein init --yes".to_owned(),
        "CODEX_THREAD_ID=1 sh -c 'env -u CODEX_THREAD_ID checkrein init --yes; true'".to_owned(),
        format!("{} -c 'checkrein init --yes; true'", agent.display()),
        format!("{} -c 'sh -c \"checkrein init --yes; true\"; true'", agent.display()),
    ] {
        let output = machine.start(&text).output();
        let said = shown(&output, machine.place.directory.path());
        assert!(said.contains("only a user at a terminal can run `checkrein init`"), "{text}: {said}");
        assert!(!machine.path(SETTINGS).exists(), "{text}");
    }
    let output = machine.start(&format!("{} -c 'checkrein init --yes; true'", agent.display())).output();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("this was started by the agent `claude` (process "), "{said}");
    assert!(said.contains("/agents/claude -c checkrein init --yes; true`)"), "{said}");
    assert!(said.contains("hint: run it in a terminal that was not started by an agent"), "{said}");
    // After an update its file is gone, and it is still the same agent.
    let gone = format!("{} -c 'rm ../agents/claude; checkrein init --yes; true'", agent.display());
    let said = shown(&machine.start(&gone).output(), machine.place.directory.path());
    assert!(said.contains("this was started by the agent `claude`"), "{said}");
    // Anyone may see what it would write.
    let said = machine.start("CLAUDECODE=1 checkrein init --print").output();
    assert!(said.status.success());
    let printed: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    let command = printed.pointer("/hooks/PreToolUse/0/hooks/0/command").unwrap().as_str().unwrap();
    assert!(command.ends_with("/bin/checkrein hook --host claude --event PreToolUse"), "{command}");
    assert!(!machine.path(SETTINGS).exists());
}

/// A user in a session, a directory or an account with that name is not an agent.
#[test]
fn the_name_of_an_agent_does_not_make_one() {
    let machine = set_up();
    copy("/usr/bin/env", &machine.path("tools/tmux"));
    let inner = format!(
        "{} sh -c \\\"cd work; {} repair; true\\\" claude",
        machine.path("tools/tmux").display(),
        machine.path("bin/checkrein").display()
    );
    let said = machine.place.at_a_terminal("/usr/bin/script", &inner, str::to_owned);
    assert!(said.contains("To end this now, run `checkrein repair --end`"), "{said}");
}

/// A command that root listed needs no confirmation, but only if no other user can write the list.
#[test]
fn root_lists_commands_for_scripts() {
    let machine = set_up();
    let before = machine.read(SETTINGS);
    let (etc, file) = (machine.path("etc"), machine.path("etc/automation"));
    fs::create_dir_all(&etc).unwrap();
    let here = format!("mkdir -p /etc/checkrein && mount --bind {} /etc/checkrein", etc.display());
    // The directory may not exist, and we must not leave it behind.
    let mounts = format!("mount -t tmpfs -o mode=755 none /etc && {here}");
    let uninstall = |text: &str| mounted(&machine, &mounts, text);
    for (text, mode_of_file, mode_of_directory) in [
        ("", 0o644, 0o755),
        ("init\ntrust\n# uninstall\nuninstall --yes\n", 0o644, 0o755),
        ("uninstall\n", 0o664, 0o755),
        ("uninstall\n", 0o646, 0o755),
        ("uninstall\n", 0o644, 0o777),
    ] {
        fs::write(&file, text).unwrap();
        mode(&file, mode_of_file);
        mode(&etc, mode_of_directory);
        let Some(output) = uninstall("checkrein uninstall --yes") else { return };
        assert!(
            refused(&output),
            "{text:?} {mode_of_file:o}: {}",
            shown(&output, machine.place.directory.path())
        );
        assert_eq!(machine.read(SETTINGS), before);
    }
    mode(&etc, 0o755);
    // A link to a valid file.
    fs::write(etc.join("good"), "uninstall\n").unwrap();
    fs::remove_file(&file).unwrap();
    symlink("good", &file).unwrap();
    assert!(refused(&uninstall("checkrein uninstall --yes").unwrap()));
    fs::remove_file(&file).unwrap();
    fs::write(&file, "# by the administrator\n uninstall \n").unwrap();
    mode(&file, 0o644);
    std::os::unix::fs::chown(&file, Some(1), None).unwrap();
    assert!(refused(&uninstall("checkrein uninstall --yes").unwrap()));
    std::os::unix::fs::chown(&file, Some(0), None).unwrap();
    // An agent is still refused.
    assert!(refused(&uninstall("CLAUDECODE=1 checkrein uninstall --yes").unwrap()));
    assert_eq!(machine.read(SETTINGS), before);
    let output = uninstall("checkrein uninstall --yes").unwrap();
    assert!(output.status.success(), "{}", shown(&output, machine.place.directory.path()));
    assert!(!machine.path(SETTINGS).exists());
}

#[test]
fn doctor_reports_that_parent_processes_are_hidden() {
    let machine = set_up();
    assert!(!machine.run(&["doctor"]).contains("lineage-unchecked"));
    let program = machine.path("bin/checkrein");
    let doctor = format!("{} doctor", program.display());
    let Some(output) = mounted(&machine, "mount -t tmpfs none /proc", &doctor) else { return };
    let said = shown(&output, machine.place.directory.path());
    assert!(said.contains("[lineage-unchecked]"), "{said}");
}

/// Returns the answer of the machine's own program to a call in its project.
fn asked(machine: &Machine, command: &str) -> String {
    let mut event: serde_json::Value = serde_json::from_str(&crate::bash(command)).unwrap();
    event["cwd"] = machine.path("work").to_str().unwrap().into();
    machine.write("event.json", event.to_string());
    let event = machine.path("event.json");
    let output = machine.start(&format!("checkrein hook --host claude < {}", event.display())).output();
    shown(&output, machine.place.directory.path())
}

/// Whatever its name: a file that runs with one of our user commands is compared with our program.
#[test]
fn a_copy_on_disk_is_recognised_by_its_bytes() {
    let machine = set_up();
    let program = machine.path("bin/checkrein");
    copy(program.to_str().unwrap(), &machine.path("work/cr"));
    copy(program.to_str().unwrap(), &machine.path("work/longer"));
    let append = format!("echo x >> {}", machine.path("work/longer").display());
    assert!(Command::new("sh").args(["-c", &append]).status().unwrap().success());
    symlink("cr", machine.path("work/link")).unwrap();
    copy("/bin/true", &machine.path("work/other"));
    // The same size, but another program.
    let mut bytes = fs::read(&program).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(machine.path("work/twin"), bytes).unwrap();
    for command in [
        "./cr uninstall --yes",
        "env -i HOME=$HOME setsid -f ./cr uninstall --yes",
        "./longer trust",
        "./link init --yes",
        "cd .. && work/cr repair",
        "./cr \"$command\"",
        "cat ../bin/checkrein > new; chmod +x new; ./new uninstall --yes",
        "dd if=cr of=new2; ./new2 allow k7f2-9qmd",
    ] {
        let answer = asked(&machine, command);
        assert!(answer.contains("protection.commands-for-people"), "{command}: {answer}");
    }
    for command in
        ["./other uninstall --yes", "./twin init", "./cr hooks", "./cr check ls", "cp other o2; ./o2 trust"]
    {
        let answer = asked(&machine, command);
        assert!(answer.starts_with("--- stdout\n{}\n"), "{command}: {answer}");
    }
}

/// While a confirmation waits for its word, the guard can see it, even if another process reuses our id.
#[test]
fn an_open_confirmation_is_visible_to_the_guard() {
    let machine = set_up();
    let state = machine.path(".local/state/checkrein");
    let said = machine.typed("repair", |word| {
        assert!(checkrein::is_confirming(&state));
        let marker = fs::read_dir(&state).unwrap().flatten();
        let marker =
            marker.map(|entry| entry.path()).find(|path| path.to_string_lossy().contains("/confirming-"));
        assert_eq!(fs::metadata(marker.unwrap()).unwrap().permissions().mode() & 0o777, 0o600);
        word.to_owned()
    });
    assert!(said.contains("To end this now, run `checkrein repair --end`"), "{said}");
    assert!(!checkrein::is_confirming(&state));
    let left = fs::read_dir(&state).unwrap().flatten();
    assert!(!left.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with("confirming-")));
}

#[test]
fn doctor_notes_a_dynamically_linked_program() {
    let machine = set_up();
    let output = machine.output(&["doctor"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        said.contains("[program-dynamic]"),
        cfg!(all(target_os = "linux", target_env = "gnu")),
        "{said}"
    );
}
