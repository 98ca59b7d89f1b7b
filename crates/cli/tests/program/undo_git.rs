//! Undo of what git discards. Each command runs for real, in the box of the other tests of undo.

use super::undo::{Project, id_in, picture};
use serde_json::json;
use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt, path::PathBuf, process::Command};

/// A repository with two branches, two entries of the stash, a tag, and work of every kind that is in no commit.
fn repository() -> Project {
    let project = Project::new();
    let git = |arguments: &[&str]| drop(git(&project, arguments));
    let write = |name: &str, text: &str| {
        let path = project.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    git(&["init", "-q", "-b", "main"]);
    write(".gitignore", "*.local\n");
    write("lib/gone.go", "package gone\n");
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    git(&["tag", "v0"]);
    git(&["switch", "-q", "-c", "topic"]);
    write("lib/topic.go", "package topic\n");
    write("new/deep/file.txt", "of the topic\n");
    write("lib/a.go", "package a // topic\n");
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "topic"]);
    git(&["tag", "-a", "-m", "signed", "v1"]);
    git(&["branch", "twin"]);
    git(&["switch", "-q", "main"]);
    write("lib/b.go", "package b // second\n");
    git(&["commit", "-q", "-a", "-m", "second"]);
    for text in ["one", "two"] {
        write("notes.txt", &format!("stashed {text}\n"));
        write(&format!("untracked-{text}"), &format!("stashed {text}\n"));
        git(&["stash", "push", "-q", "-u", "-m", text]);
    }
    // What was committed long ago is not as young as the index.
    write("lib/a.go", "package a // changed\n");
    write("lib/staged.go", "package staged\n");
    write("notes.txt", "staged notes\n");
    git(&["add", "lib/staged.go", "notes.txt"]);
    write("notes.txt", "staged notes, then changed\n");
    git(&["rm", "-q", "--cached", "docs/read me.md"]);
    fs::remove_file(project.path("lib/gone.go")).unwrap();
    fs::set_permissions(project.path("lib/deep/c.txt"), fs::Permissions::from_mode(0o755)).unwrap();
    write("lib/untracked.go", "package untracked\n");
    write("fresh/odd \u{e9}'\"\n name", "odd\n");
    write("notes.local", "ignored\n");
    fs::create_dir_all(project.path("fresh/empty")).unwrap();
    project
}

fn git(project: &Project, arguments: &[&str]) -> String {
    let home = project.path("..");
    let output = Command::new("git")
        .args(arguments)
        .current_dir(project.path(""))
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .envs([("GIT_AUTHOR_NAME", "t"), ("GIT_AUTHOR_EMAIL", "t@example.com")])
        .envs([("GIT_COMMITTER_NAME", "t"), ("GIT_COMMITTER_EMAIL", "t@example.com")])
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Everything that restoring promises of a repository.
#[derive(Debug, PartialEq, Eq)]
struct State {
    files: BTreeMap<PathBuf, String>,
    index: Vec<u8>,
    head: String,
    told: Vec<String>,
}

fn state(project: &Project) -> State {
    let of_git = project.path(".git");
    let files = project.picture().into_iter().filter(|(path, _)| !path.starts_with(&of_git)).collect();
    let index = fs::read(of_git.join("index")).unwrap();
    let told = [
        &["for-each-ref"][..],
        &["stash", "list"],
        &["stash", "show", "-p", "--include-untracked", "stash@{0}"],
        &["stash", "show", "-p", "--include-untracked", "stash@{1}"],
        &["log", "--all", "--format=%H %s"],
        &["ls-files", "-s"],
        &["diff"],
        &["diff", "--cached"],
        &["status", "--porcelain", "--ignored", "--branch"],
        &["worktree", "list"],
        &["config", "--list", "--local"],
    ];
    let head = fs::read_to_string(of_git.join("HEAD")).unwrap();
    State { files, index, head, told: told.map(|arguments| git(project, arguments)).into() }
}

/// Collects at once what nothing in the repository names any more.
const COLLECT: &str =
    "rm -f .git/logs/HEAD .git/ORIG_HEAD .git/logs/refs/heads/* && git -c gc.auto=0 gc -q --prune=now";

fn destroyed_and_restored(text: &str, prepare: impl Fn(&Project), collect: bool) -> Project {
    let project = repository();
    prepare(&project);
    let before = state(&project);
    let of_git = picture(&project.path(".git"));
    let (decision, notice) = project.bash(text);
    assert_eq!(decision, "none", "{text}: {notice}");
    assert!(notice.starts_with("Checkrein kept "), "{text}: {notice}");
    assert_eq!(picture(&project.path(".git")), of_git, "{text}: keeping wrote below `.git`");
    project.run_for_real(text);
    project.after("Bash", &json!({"command": text}));
    assert_ne!(state_or_none(&project), Some(before.told.clone()), "{text} destroyed nothing");
    if collect {
        project.run_for_real(COLLECT);
    }
    let (code, report) = project.undo(&[&id_in(&notice), "--yes"]);
    assert_eq!((code, &report["conflicts"], &report["skipped"]), (0, &json!([]), &json!([])), "{text}");
    let after = state(&project);
    assert_eq!(after.files, before.files, "{text}");
    assert_eq!(after.told, before.told, "{text}");
    assert_eq!((after.index, after.head), (before.index, before.head), "{text}");
    git(&project, &["fsck", "--strict", "--no-dangling", "--connectivity-only"]);
    project
}

/// The rules that are left out if everything was kept, each with a command that destroys something.
const RECOVERABLE: &[(&str, &str)] = &[
    ("filesystem.delete-source-files", "rm lib/*.go"),
    ("filesystem.delete-sources", "rm -rf lib"),
    ("filesystem.empty-source", "truncate -s 0 lib/a.go"),
    ("git.clear-stash", "git stash clear"),
    ("git.discard-some", "git restore lib/a.go"),
    ("git.discard-untracked", "git clean -fdq"),
    ("git.discard-work", "git reset -q --hard"),
    ("git.drop-stash", "git stash drop -q"),
    ("git.forget-name", "git tag -d v0"),
];

#[test]
fn every_recoverable_rule_is_about_what_comes_back() {
    for (rule, text) in RECOVERABLE {
        let project = destroyed_and_restored(text, |_| {}, false);
        let log = String::from_utf8(project.output(&["log", "--json"], "").stdout).unwrap();
        assert!(log.contains(&format!("\"{rule}\"")), "{rule} is not about `{text}`: {log}");
    }
    let mut marked = Vec::new();
    for found in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../guard/rules")).unwrap() {
        let path = found.unwrap().path();
        let pack = path.file_stem().unwrap().to_string_lossy().into_owned();
        for rule in fs::read_to_string(&path).unwrap().split("[[rule]]") {
            if rule.contains("\nrecoverable = true\n") {
                let id = rule.split('"').nth(1).unwrap();
                marked.push(format!("{pack}.{id}"));
            }
        }
    }
    marked.sort();
    assert_eq!(marked, RECOVERABLE.iter().map(|(rule, _)| *rule).collect::<Vec<_>>());
}

/// Returns the answers of git, if it gives any after the destruction.
fn state_or_none(project: &Project) -> Option<Vec<String>> {
    let home = project.path("..");
    let is_whole = Command::new("git")
        .args(["stash", "show", "stash@{1}"])
        .current_dir(project.path(""))
        .env("HOME", home)
        .output()
        .unwrap();
    is_whole.status.success().then(|| state(project).told)
}

#[test]
fn what_git_discards_in_the_work_tree_comes_back() {
    for text in [
        "git reset --hard",
        "git reset --hard HEAD~1",
        "git reset -q --hard topic",
        "git checkout -- .",
        "git checkout -f topic",
        "git restore .",
        "git restore --staged --worktree .",
        "git restore lib/a.go",
        "git checkout-index -f -a",
        "git rm -q -f notes.txt",
        "git rm -q -r -f lib",
        "git clean -fdq",
        "git clean -fdqx",
        "git clean -fdq fresh",
    ] {
        destroyed_and_restored(text, |_| {}, false);
    }
    // This stops at an untracked file that is in its way.
    let prepare = |project: &Project| drop(git(project, &["add", "docs"]));
    destroyed_and_restored("git switch -q --discard-changes topic", prepare, false);
}

#[test]
fn what_no_name_leads_to_any_more_survives_a_collection() {
    for text in [
        "git stash drop",
        "git stash drop -q 'stash@{1}'",
        "git stash clear",
        "git branch -D topic twin",
        "git branch -f topic main",
        "git tag -d v0",
        "git update-ref -d refs/heads/topic",
        "git reset -q --hard HEAD~1",
    ] {
        for pack in [false, true] {
            let prepare = |project: &Project| {
                // The topic is reached by its branches alone.
                git(project, &["tag", "-d", "v1"]);
                if !text.contains("twin") {
                    git(project, &["branch", "-D", "twin"]);
                }
                if pack {
                    git(project, &["gc", "-q"]);
                }
            };
            destroyed_and_restored(text, prepare, true);
        }
    }
}

#[test]
fn a_work_tree_comes_back_with_its_own_commits() {
    let prepare = |project: &Project| {
        git(project, &["worktree", "add", "-q", "--detach", "wt", "main"]);
        let tree = project.path("wt");
        fs::write(tree.join("lib/a.go"), "package a // in the work tree\n").unwrap();
        git(project, &["-C", "wt", "commit", "-q", "-a", "-m", "only there"]);
        fs::write(tree.join("lib/b.go"), "package b // changed\n").unwrap();
        fs::write(tree.join("lib/new.go"), "package n\n").unwrap();
        git(project, &["-C", "wt", "add", "lib/new.go"]);
    };
    destroyed_and_restored("git worktree remove --force wt", prepare, true);
}

/// A name of ours would be shown by `git log --all` and pushed by `--mirror`, with what was kept.
#[test]
fn keeping_is_not_seen_by_git() {
    let project = repository();
    let before = state(&project);
    let mirror = |name: &str| {
        let target = project.path("..").join(name);
        git(&project, &["init", "-q", "--bare", target.to_str().unwrap()]);
        git(&project, &["push", "-q", "--mirror", target.to_str().unwrap()]);
        git(&project, &["--git-dir", target.to_str().unwrap(), "for-each-ref"])
    };
    let pushed = mirror("one.git");
    for text in ["git reset --hard HEAD~1", "git stash clear", "git branch -D topic", "git clean -fdq"] {
        assert!(project.bash(text).1.starts_with("Checkrein kept "), "{text}");
    }
    assert_eq!(state(&project), before);
    assert_eq!(mirror("two.git"), pushed);
}

/// A filter, a hook or a file system monitor of the repository would run with the rights of the user before anybody was asked.
#[test]
fn keeping_runs_nothing_of_the_repository() {
    let project = repository();
    let trap = project.path("../trap");
    fs::write(&trap, format!("#!/bin/sh\ntouch {}/ran\n", project.path("..").display())).unwrap();
    fs::set_permissions(&trap, fs::Permissions::from_mode(0o755)).unwrap();
    let trap = trap.to_str().unwrap();
    for (key, value) in [("core.fsmonitor", trap), ("core.hooksPath", trap), ("diff.external", trap)] {
        git(&project, &["config", key, value]);
    }
    project.bash("git reset --hard HEAD~1");
    project.bash("git stash clear");
    assert!(!project.path("../ran").exists());
}

#[test]
fn what_git_discards_and_is_not_known_exactly_is_asked_about() {
    let refused = |project: &Project, text: &str| {
        let (decision, notice) = project.bash(text);
        assert_ne!(decision, "none", "{text}: {notice}");
    };
    let project = repository();
    for text in [
        // It is not known what goes.
        "git reset --hard $x",
        "git branch -D $x",
        "git branch -D missing",
        "git branch -D topic missing",
        "git -c core.worktree=/tmp reset --hard",
        "GIT_DIR=other git reset --hard",
        "git fetch origin '+refs/heads/*:refs/heads/*'",
        "git gc --prune=now",
        "git reflog expire --expire=now --all",
        "git update-ref -d refs/heads/main",
        // Something gets there first.
        "git stash pop && git stash clear",
        "git commit -qam x && git branch -D topic",
        "mv lib/a.go notes.txt && git reset --hard",
        // Not only here.
        "git push origin --delete topic",
        "git branch -D topic && git push --force",
        "git clean -fdq ~/other",
    ] {
        refused(&project, text);
    }
    fs::write(project.path(".env"), "A=b\n").unwrap();
    refused(&project, "git clean -fdq");
    fs::write(project.path(".git/MERGE_HEAD"), "").unwrap();
    refused(&project, "git reset --hard");
}

#[test]
fn a_repository_in_another_one_is_not_kept() {
    let project = repository();
    let inner = project.path("fresh/inner");
    fs::create_dir(&inner).unwrap();
    git(&project, &["init", "-q", inner.to_str().unwrap()]);
    assert_ne!(project.bash("git clean -ffdq").0, "none");
}

#[test]
fn a_rule_of_git_that_a_configuration_raised_is_not_left_out() {
    for (text, expected) in [("git branch -D topic", "deny"), ("git stash drop", "none")] {
        let project = repository();
        let config = project.place.path(".config/checkrein/config.toml");
        fs::create_dir_all(config.parent().unwrap()).unwrap();
        fs::write(&config, "[[grade]]\nrule = \"git.forget-name\"\ndecision = \"deny\"\n").unwrap();
        let (decision, notice) = project.bash(text);
        assert_eq!(decision, expected, "{text}: {notice}");
    }
}

#[test]
fn what_was_staged_since_is_a_conflict_and_restoring_is_undone_as_well() {
    let project = repository();
    let text = "git reset -q --hard HEAD~1";
    let id = id_in(&project.bash(text).1);
    project.run_for_real(text);
    project.after("Bash", &json!({"command": text}));
    let reset = state(&project);
    // Git writes the index anew, with the same content.
    fs::write(project.path("lib/b.go"), "package b // mine\n").unwrap();
    git(&project, &["update-index", "--index-version", "4"]);
    let looked = state(&project);
    assert_ne!(looked.index, reset.index);
    let (code, report) = project.undo(&[&id, "--yes"]);
    assert_eq!(code, 1, "{report}");
    assert_eq!(report["conflicts"], json!([project.path("lib/b.go")]), "{report}");
    let (code, report) = project.undo(&[report["undo"].as_str().unwrap(), "--yes"]);
    assert_eq!(code, 0, "{report}");
    assert_eq!(state(&project), looked);
    fs::write(project.path("lib/later.go"), "package later\n").unwrap();
    git(&project, &["add", "lib/later.go"]);
    let (code, report) = project.undo(&[&id, "--yes"]);
    assert_eq!(code, 1);
    assert!(report["conflicts"].to_string().contains(".git/index"), "{report}");
}
