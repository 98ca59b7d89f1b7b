//! Undo when things go wrong: killed at every step, on a full disk, where nothing can be written, between file systems, and with
//! many files.

use super::{
    PROGRAM, ended_with,
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

/// The system calls that change something on a disk.
const CHANGING: [&str; 19] = [
    "mkdir",
    "mkdirat",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "rmdir",
    "symlinkat",
    "mknodat",
    "fchmod",
    "fchmodat",
    "write",
    "pwrite64",
    "ftruncate",
    "fsetxattr",
    "utimensat",
    "copy_file_range",
    "flock",
];

/// A project with files of every kind and length.
fn project() -> Project {
    let project = Project::with_config("[undo]\ncall_milliseconds = 4000\n");
    fs::write(project.path("lib/large.bin"), vec![7_u8; 200_000]).unwrap();
    fs::create_dir(project.path("lib/hollow")).unwrap();
    symlink("nowhere", project.path("lib/dangling")).unwrap();
    project
}

impl Project {
    /// Runs the program under `strace`, which kills it at a system call: the one with this number among those of its name. Returns
    /// false if it made fewer.
    fn killed_at(&self, call: &str, number: usize, arguments: &[&str], stdin: &str) -> bool {
        let log = self.path("../steps");
        let inject = format!("inject={call}:signal=KILL:when={number}");
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-e", &format!("trace={call}"), "-e", &inject, "-o"]).arg(&log);
        command.arg(PROGRAM).args(arguments).current_dir(self.path("")).env_clear();
        command.env("PATH", "/usr/bin:/bin").env("HOME", self.path(".."));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        ended_with(command.spawn().unwrap(), stdin.as_bytes());
        fs::read_to_string(&log).unwrap().contains("+++ killed by SIGKILL +++")
    }

    fn records(&self) -> Vec<PathBuf> {
        let found = fs::read_dir(self.place.path(".local/state/checkrein/undo")).into_iter().flatten();
        let paths = found.map(|found| found.unwrap().path());
        paths
            .filter(|path| {
                path.is_dir() && !path.file_name().unwrap().to_string_lossy().starts_with("unfinished")
            })
            .collect()
    }
}

/// A record is there with all that is in it, or it is not there.
#[test]
fn a_kill_while_keeping_leaves_a_whole_record_or_none() {
    let project = project();
    let before = project.picture();
    let event = project.event("PreToolUse", "Bash", &json!({"command": "rm -rf lib"}));
    let (mut whole, mut none, mut steps) = (0, 0, 0);
    for call in CHANGING {
        for number in 1.. {
            let step = format!("{call} {number}");
            let was_killed = project.killed_at(call, number, &["hook", "--host", "claude"], &event);
            assert_eq!(project.picture(), before, "{step}: keeping changed the project");
            for summary in project.list() {
                let id = summary["id"].as_str().unwrap().to_owned();
                fs::remove_dir_all(project.path("lib")).unwrap();
                let (code, report) = project.undo(&[&id, "--yes"]);
                assert_eq!((code, &report["skipped"]), (0, &json!([])), "{step}");
                assert_eq!(project.picture(), before, "{step}");
                whole += 1;
            }
            none += usize::from(project.records().is_empty());
            drop(fs::remove_dir_all(project.place.path(".local/state/checkrein/undo")));
            if !was_killed {
                break;
            }
            steps += 1;
        }
    }
    assert!(steps > 8 && whole > 0 && none > 4, "{steps} steps, {whole} whole, {none} without a record");
    // What the killed ones left does not hinder the next one.
    assert_eq!((project.bash("rm -rf lib").0.as_str(), project.list().len()), ("none", 1));
}

/// Every file is as it was or as it was kept, never a part of it, and the next try completes the work.
#[test]
fn a_kill_while_restoring_leaves_no_file_in_pieces() {
    let project = project();
    let kept = project.picture();
    let text = "rm -rf lib && truncate -s 1 notes.txt";
    let id = id_in(&project.bash(text).1);
    let mut steps = 0;
    for call in CHANGING {
        for number in 1.. {
            let step = format!("{call} {number}");
            fs::remove_dir_all(project.path("lib")).unwrap();
            fs::write(project.path("notes.txt"), "s").unwrap();
            let was_killed = project.killed_at(call, number, &["undo", &id, "--yes", "--force"], "");
            for (path, facts) in project.picture() {
                let is_ours = path.to_string_lossy().contains(".checkrein-undo-");
                let is_left = path.ends_with("notes.txt") && fs::read(&path).unwrap() == b"s";
                // A directory gets its permissions when everything is in it.
                let is_fine = is_ours || is_left || path.is_dir() || kept.get(&path) == Some(&facts);
                assert!(is_fine, "{step}: {path:?}: {facts}");
            }
            let (code, report) = project.undo(&[&id, "--yes", "--force"]);
            assert_eq!(code, 0, "{step}: {report}");
            assert_eq!(project.picture(), kept, "{step}");
            if !was_killed {
                break;
            }
            steps += 1;
        }
    }
    assert!(steps > 30, "{steps} steps");
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
