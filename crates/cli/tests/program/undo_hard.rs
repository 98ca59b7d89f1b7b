//! Undo when things go wrong: on a full disk, where nothing can be written, between file systems, and with
//! many files.

use super::{
    PROGRAM,
    undo::{Project, id_in, picture},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// A project with files of every kind and length.
fn project() -> Project {
    let project = Project::with_config("[undo]\ncall_milliseconds = 4000\n");
    fs::write(project.path("lib/large.bin"), vec![7_u8; 200_000]).unwrap();
    fs::create_dir(project.path("lib/hollow")).unwrap();
    symlink("nowhere", project.path("lib/dangling")).unwrap();
    project
}

/// Runs a text in a namespace in which file systems can be mounted. `$1` is the home directory, `$2` the program.
fn with_mounts(project: &Project, text: &str) -> Output {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "--net", "--", "/bin/sh", "-e", "-c", text, "sh"]);
    command.arg(project.path("..")).arg(PROGRAM).current_dir(project.path(""));
    command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", project.path(".."));
    command.stdin(Stdio::null()).output().unwrap()
}

fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn event_in(project: &Project, command: &str) -> String {
    let path = project.path("../event.json");
    fs::write(&path, project.event("PreToolUse", "Bash", &json!({"command": command}))).unwrap();
    "../event.json".to_owned()
}

#[test]
fn where_the_store_is_full_or_cannot_be_written_it_is_asked() {
    for options in ["size=100k", "ro"] {
        let project = project();
        let event = event_in(&project, "rm -rf lib");
        let text = format!(
            "mkdir -p \"$1/.local/state/checkrein/undo\" && chmod 700 \"$1/.local/state/checkrein/undo\"
             mount -t tmpfs -o {options},mode=700 none \"$1/.local/state/checkrein/undo\"
             \"$2\" hook --host claude < {event}
             find \"$1/.local/state/checkrein/undo\" -mindepth 1 ! -name lock"
        );
        let text = said(&with_mounts(&project, &text));
        assert!(text.contains("\"ask\"") && !text.contains("Checkrein kept"), "{options}: {text}");
        assert!(!text.contains("checkrein/undo/"), "{options}: something is left: {text}");
    }
}

#[test]
fn a_project_on_another_file_system_comes_back() {
    let project = project();
    let event = event_in(&project, "rm -rf lib");
    let facts = "find lib -printf '%p %m %s %l %T@\\n' | sort; find lib -type f | sort | xargs sha256sum";
    let text = format!(
        "mkdir ../disk && mount -t tmpfs -o size=8m none ../disk && cp -a . ../disk && mount --bind ../disk \"$PWD\" && cd \"$PWD\"
         ({facts}) > /dev/shm/before.$$
         \"$2\" hook --host claude < {event} > /dev/null
         rm -rf lib
         \"$2\" undo --yes --json
         ({facts}) | diff /dev/shm/before.$$ - && rm /dev/shm/before.$$ && echo equal"
    );
    let text = said(&with_mounts(&project, &text));
    assert!(text.contains("equal") && text.contains("\"skipped\":[]"), "{text}");
}

/// Nothing that is there is damaged, and the report has what could not be restored.
#[test]
fn a_full_disk_while_restoring_loses_nothing() {
    let project = project();
    let event = event_in(&project, "rm -rf lib && truncate -s 1 notes.txt");
    let text = format!(
        "mkdir ../disk && mount -t tmpfs -o size=400k none ../disk && cp -a . ../disk && mount --bind ../disk \"$PWD\" && cd \"$PWD\"
         \"$2\" hook --host claude < {event} > /dev/null
         rm -rf lib && truncate -s 1 notes.txt
         head -c 1000000 /dev/zero > filler || true
         \"$2\" undo --yes --json --force || echo \"exit $?\"
         cat notes.txt; find . -name '.checkrein*'
         rm filler
         \"$2\" undo --yes --json --force && cmp lib/large.bin ../large && cat notes.txt"
    );
    fs::copy(project.path("lib/large.bin"), project.path("../large")).unwrap();
    let text = said(&with_mounts(&project, &text));
    let (first, second) = text.split_once("exit 1\n").unwrap_or_else(|| panic!("{text}"));
    let report: Value = serde_json::from_str(first.trim()).unwrap();
    assert!(!report["skipped"].as_array().unwrap().is_empty(), "{text}");
    assert!(second.starts_with('s') && !second.contains(".checkrein"), "{text}");
    assert!(second.ends_with("some notes\n"), "{text}");
}

#[test]
fn a_directory_that_cannot_be_written_is_reported_and_restored_later() {
    let project = project();
    let event = event_in(&project, "rm -rf lib/deep docs");
    let text = format!(
        "\"$2\" hook --host claude < {event} > /dev/null
         rm -rf lib/deep docs
         mount --bind lib lib && mount -o remount,bind,ro lib
         \"$2\" undo --yes --json || echo \"exit $?\"
         umount lib
         \"$2\" undo --yes --json"
    );
    let before = project.picture();
    let text = said(&with_mounts(&project, &text));
    let (first, second) = text.split_once("exit 1\n").unwrap_or_else(|| panic!("{text}"));
    let report: Value = serde_json::from_str(first.trim()).unwrap();
    assert!(report["restored"].to_string().contains("docs"), "{text}");
    assert!(report["skipped"].to_string().contains("lib/deep/c.txt"), "{text}");
    assert!(second.contains("\"skipped\":[]"), "{text}");
    assert_eq!(project.picture(), before);
}

#[test]
fn a_directory_with_thousands_of_files_comes_back() {
    let project = project();
    for number in 0..3_000 {
        fs::write(project.path("lib/deep").join(format!("{number}.txt")), format!("{number}\n")).unwrap();
    }
    let before: BTreeMap<PathBuf, String> = picture(&project.path(""));
    let (decision, notice) = project.bash("rm -rf lib");
    assert_eq!(decision, "none", "{notice}");
    project.run_for_real("rm -rf lib");
    assert!(!Path::new(&project.path("lib")).exists());
    let (code, _) = project.undo(&[&id_in(&notice), "--yes"]);
    assert_eq!(code, 0);
    assert_eq!(project.picture(), before);
    // More than a call may keep.
    let few = Project::with_config("[undo]\ncall_files = 5\n");
    assert_ne!(few.bash("rm -rf lib").0, "none");
}
