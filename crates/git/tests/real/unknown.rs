//! Repositories about which nothing is answered.

use super::{
    Expect::{Kept, Lost, Unknown},
    Repo, answer, clean, remove, repo, reset_to, run, whole,
};
use checkrein_git::{Answer, Others, ask};
use std::fs;

#[test]
fn repositories_that_are_not_known() {
    run(&[
        ("a merge", |repo| repo.write(".git/MERGE_HEAD", "x"), whole, Unknown),
        (
            "a conflict",
            |repo| {
                repo.conflict();
                fs::remove_file(repo.top().join(".git/MERGE_HEAD")).unwrap();
                for file in ["AUTO_MERGE", "MERGE_MSG", "MERGE_MODE"] {
                    drop(fs::remove_file(repo.top().join(".git").join(file)));
                }
            },
            whole,
            Lost,
        ),
        ("a rebase", |repo| fs::create_dir(repo.top().join(".git/rebase-merge")).unwrap(), whole, Unknown),
        (
            "a bisection",
            |repo| {
                repo.history(4);
                repo.git(&["bisect", "start", "HEAD", "HEAD~3"]);
            },
            whole,
            Unknown,
        ),
        ("another git", |repo| repo.write(".git/index.lock", ""), whole, Unknown),
        (
            "a filter",
            |repo| {
                repo.write(".gitattributes", "*.bin filter=lfs diff=lfs\n");
                repo.commit("attributes");
            },
            whole,
            Unknown,
        ),
        (
            "a filter in a directory",
            |repo| {
                repo.write("src/.gitattributes", "*.bin filter=x\n");
                repo.commit("attributes");
            },
            whole,
            Unknown,
        ),
        (
            "a filter of the repository",
            |repo| repo.write(".git/info/attributes", "* filter=x\n"),
            whole,
            Unknown,
        ),
        (
            "a filter of the user",
            |repo| {
                fs::create_dir_all(repo.home().join(".config/git")).unwrap();
                fs::write(repo.home().join(".config/git/attributes"), "* filter=x\n").unwrap();
            },
            whole,
            Unknown,
        ),
        (
            "line ends",
            |repo| {
                repo.write(".gitattributes", "* text=auto eol=lf\n");
                repo.commit("attributes");
            },
            whole,
            Kept,
        ),
        ("a split index", |repo| repo.git(&["update-index", "--split-index"]), whole, Unknown),
        (
            "a sparse index",
            |repo| {
                repo.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "src"]);
            },
            whole,
            Unknown,
        ),
        ("a partial clone", |repo| repo.git(&["config", "remote.origin.promisor", "true"]), whole, Unknown),
        (
            "another work tree by a setting",
            |repo| repo.git(&["config", "core.worktree", "/tmp"]),
            whole,
            Unknown,
        ),
        ("other objects", |repo| repo.write(".git/objects/info/alternates", "/nowhere\n"), whole, Unknown),
        (
            "replaced objects",
            |repo| {
                repo.history(2);
                repo.git(&["replace", "HEAD", "HEAD~1"]);
            },
            whole,
            Unknown,
        ),
        ("no repository", |repo| fs::remove_dir_all(repo.top().join(".git")).unwrap(), whole, Unknown),
        (
            "an object is missing",
            |repo| fs::remove_dir_all(repo.top().join(".git/objects")).unwrap(),
            whole,
            Unknown,
        ),
        ("a broken index", |repo| repo.write(".git/index", "DIRC\0\0\0\x02\0\0\0\x05"), whole, Unknown),
        (
            "names in another format",
            |repo| {
                fs::remove_dir_all(repo.top().join(".git")).unwrap();
                repo.git(&["init", "-q", "--ref-format=reftable"]);
                repo.commit("first");
            },
            whole,
            Unknown,
        ),
        (
            "longer names of objects",
            |repo| {
                fs::remove_dir_all(repo.top().join(".git")).unwrap();
                repo.git(&["init", "-q", "--object-format=sha256"]);
                repo.commit("first");
            },
            whole,
            Unknown,
        ),
    ]);
}

#[test]
fn more_files_than_are_looked_at_are_not_known() {
    let repo = Repo::new();
    // Entries of files that are not there: nothing of them could be lost.
    let blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
    let list: String = (0..20_100).map(|place| format!("100644 {blob} 0\tmany/f{place}.c\n")).collect();
    repo.feed(&["update-index", "--index-info"], &list);
    repo.git(&["hash-object", "-w", "-t", "blob", "/dev/null"]);
    repo.git(&["commit", "-q", "-m", "many"]);
    assert!(matches!(ask(&whole(&repo), Some(repo.home())), Answer::Unknown(_)));
}

/// Every setting that names a program names one that would leave a trace.
#[test]
fn no_setting_is_obeyed() {
    let repo = Repo::new();
    let trace = repo.top().parent().unwrap().join("trace");
    let canary = repo.top().parent().unwrap().join("canary");
    fs::write(&canary, format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\n", trace.display())).unwrap();
    repo::executable(&canary);
    let program = canary.to_str().unwrap();
    let keys = [
        "alias.status",
        "core.fsmonitor",
        "core.hooksPath",
        "core.sshCommand",
        "core.gitProxy",
        "core.editor",
        "core.pager",
        "core.askPass",
        "core.alternateRefsCommand",
        "credential.helper",
        "diff.external",
        "diff.x.command",
        "diff.x.textconv",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "gpg.program",
        "gpg.ssh.program",
        "gpg.ssh.defaultKeyCommand",
        "interactive.diffFilter",
        "merge.x.driver",
        "mergetool.x.cmd",
        "difftool.x.cmd",
        "pager.status",
        "receive.procReceiveRefs",
        "remote.origin.uploadpack",
        "remote.origin.receivepack",
        "sequence.editor",
        "sendemail.sendmailCmd",
        "trailer.x.command",
        "trailer.x.cmd",
        "uploadpack.packObjectsHook",
        "web.browser",
        "browser.x.cmd",
        "man.x.cmd",
        "help.browser",
        "maintenance.strategy",
        "guitool.x.cmd",
        "instaweb.httpd",
        "imap.tunnel",
    ];
    for key in keys {
        let value = if key.starts_with("alias.") { format!("!{program}") } else { program.to_owned() };
        repo.git(&["config", key, &value]);
    }
    for hook in
        ["post-checkout", "post-index-change", "pre-commit", "reference-transaction", "fsmonitor-watchman"]
    {
        fs::copy(&canary, repo.top().join(".git/hooks").join(hook)).unwrap();
    }
    fs::remove_file(&trace).ok();
    for question in [whole(&repo), clean(&repo, Others::All), remove(&repo, "src"), reset_to(&repo, "HEAD")] {
        assert_eq!(answer(&repo, &question), Kept);
    }
    // With a filter there is no answer, and none is run for one.
    repo.write(".git/info/attributes", "* filter=x diff=x merge=x\n");
    assert_eq!(answer(&repo, &whole(&repo)), Unknown);
    assert!(!trace.exists(), "{}", fs::read_to_string(&trace).unwrap_or_default());
    // Git itself obeys them, so the canary does sing.
    fs::remove_file(repo.top().join(".git/info/attributes")).unwrap();
    repo.git(&["status", "--short"]);
    assert!(trace.exists());
}
