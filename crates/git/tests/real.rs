//! Real repositories, made by the real git in a temporary directory: each condition is one case.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "tests")]

mod repo;

use checkrein_git::{Answer, Head, Others, Question, ask, work_tree};
use repo::Repo;
use std::{fs, path::PathBuf};

/// The state of a repository before the question, and the expected answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Kept,
    Lost,
    Unknown,
}

use Expect::{Kept, Lost, Unknown};

fn answer(repo: &Repo, question: &Question) -> Expect {
    match ask(question, Some(repo.home())) {
        Answer::Kept => Kept,
        Answer::Lost(_) => Lost,
        Answer::Unknown(_) => Unknown,
    }
}

fn whole(repo: &Repo) -> Question {
    Question {
        directory: repo.top(),
        paths: Vec::new(),
        tracked: true,
        others: Others::Stay,
        head: Head::Stays,
    }
}

fn reset_to(repo: &Repo, target: &str) -> Question {
    Question { head: Head::Moves(target.to_owned()), ..whole(repo) }
}

fn clean(repo: &Repo, others: Others) -> Question {
    Question { others, tracked: false, ..whole(repo) }
}

fn remove(repo: &Repo, path: &str) -> Question {
    Question { paths: vec![repo.top().join(path)], others: Others::All, ..whole(repo) }
}

type Case = (&'static str, fn(&Repo), fn(&Repo) -> Question, Expect);

/// Runs each case in a repository of its own, which is clean at first.
fn run(cases: &[Case]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(name, before, question, expect)| {
            let repo = Repo::new();
            before(&repo);
            let said = ask(&question(&repo), Some(repo.home()));
            let found = answer(&repo, &question(&repo));
            (found != *expect).then(|| format!("{name}: {said:?}, not {expect:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const NOTHING: fn(&Repo) = |_| {};

#[test]
fn tracked_files() {
    run(&[
        ("clean", NOTHING, whole, Kept),
        ("packed", |repo| repo.git(&["gc", "-q"]), whole, Kept),
        (
            "many commits, packed with differences",
            |repo| {
                repo.history(12);
                repo.git(&["gc", "-q", "--aggressive"]);
            },
            |repo| reset_to(repo, "HEAD~9"),
            Lost,
        ),
        (
            "the same, kept by a tag",
            |repo| {
                repo.history(12);
                repo.git(&["tag", "old"]);
                repo.git(&["gc", "-q", "--aggressive"]);
            },
            |repo| reset_to(repo, "HEAD~9"),
            Kept,
        ),
        ("changed", |repo| repo.write("src/a.c", "other"), whole, Lost),
        (
            "changed and put back",
            |repo| {
                repo.write("src/a.c", "other");
                repo.git(&["checkout", "-q", "--", "src/a.c"]);
                repo.settle();
            },
            whole,
            Kept,
        ),
        (
            "the same size and time",
            |repo| {
                let stamp = repo.stamp("src/a.c");
                repo.write("src/a.c", "B\n");
                repo.set_stamp("src/a.c", stamp);
            },
            whole,
            Lost,
        ),
        ("missing", |repo| repo.remove("src/a.c"), whole, Kept),
        ("a directory is missing", |repo| fs::remove_dir_all(repo.top().join("src")).unwrap(), whole, Kept),
        (
            "staged change",
            |repo| {
                repo.write("src/a.c", "other");
                repo.git(&["add", "src/a.c"]);
                repo.settle();
            },
            whole,
            Lost,
        ),
        (
            "staged new file",
            |repo| {
                repo.write("src/new.c", "n");
                repo.git(&["add", "src/new.c"]);
                repo.settle();
            },
            whole,
            Lost,
        ),
        ("staged removal", |repo| repo.git(&["rm", "-q", "--cached", "src/a.c"]), whole, Lost),
        ("staged mode", |repo| repo.git(&["update-index", "--chmod=+x", "src/a.c"]), whole, Lost),
        (
            "another file is staged",
            |repo| {
                repo.write("src/new.c", "n");
                repo.git(&["add", "src/new.c"]);
                repo.settle();
            },
            |repo| remove(repo, "docs"),
            Kept,
        ),
        ("mode of the file", |repo| repo.chmod("src/a.c", 0o755), whole, Lost),
        (
            "a link instead of a file",
            |repo| {
                repo.remove("src/a.c");
                repo.link("b.c", "src/a.c");
            },
            whole,
            Lost,
        ),
        (
            "a link instead of a directory",
            |repo| {
                fs::rename(repo.top().join("src"), repo.top().join("kept")).unwrap();
                repo.link("kept", "src");
            },
            whole,
            Lost,
        ),
        (
            "a file instead of a directory",
            |repo| {
                fs::remove_dir_all(repo.top().join("src")).unwrap();
                repo.write("src", "x");
            },
            whole,
            Lost,
        ),
        (
            "a link that is tracked",
            |repo| {
                repo.link("a.c", "src/l");
                repo.commit("link");
                repo.index_is_younger();
            },
            whole,
            Kept,
        ),
        (
            "assume-unchanged",
            |repo| repo.git(&["update-index", "--assume-unchanged", "src/a.c"]),
            whole,
            Lost,
        ),
        ("skip-worktree", |repo| repo.git(&["update-index", "--skip-worktree", "src/a.c"]), whole, Lost),
        (
            "intent to add",
            |repo| {
                repo.write("src/n.c", "n");
                repo.git(&["add", "-N", "src/n.c"]);
            },
            whole,
            Lost,
        ),
        (
            "index of version 4",
            |repo| {
                repo.git(&["update-index", "--index-version", "4"]);
                repo.settle();
            },
            whole,
            Kept,
        ),
        (
            "index of version 4, changed",
            |repo| {
                repo.git(&["update-index", "--index-version", "4"]);
                repo.write("src/b.c", "other");
            },
            whole,
            Lost,
        ),
        (
            "written with the index",
            |repo| {
                repo.write("src/a.c", "other");
                repo.git(&["commit", "-qam", "now"]);
                repo.touch("src/a.c");
                repo.git(&["update-index", "--refresh"]);
                repo.touch_index_like("src/a.c");
            },
            whole,
            Unknown,
        ),
    ]);
}

#[test]
fn files_that_git_does_not_track() {
    run(&[
        ("nothing to clean", NOTHING, |repo| clean(repo, Others::Untracked), Kept),
        (
            "nothing to clean, and a changed file",
            |repo| repo.write("src/a.c", "x"),
            |repo| clean(repo, Others::All),
            Kept,
        ),
        ("untracked", |repo| repo.write("new.txt", "n"), |repo| clean(repo, Others::Untracked), Lost),
        ("untracked, and a reset", |repo| repo.write("new.txt", "n"), whole, Kept),
        (
            "untracked in a new directory",
            |repo| repo.write("new/deep/x", "n"),
            |repo| clean(repo, Others::Untracked),
            Lost,
        ),
        (
            "an empty directory",
            |repo| fs::create_dir(repo.top().join("empty")).unwrap(),
            |repo| clean(repo, Others::All),
            Kept,
        ),
        ("ignored", |repo| repo.write("x.log", "n"), |repo| clean(repo, Others::Untracked), Kept),
        ("ignored go, too", |repo| repo.write("x.log", "n"), |repo| clean(repo, Others::All), Lost),
        (
            "an ignored directory",
            |repo| repo.write("out/deep/x", "n"),
            |repo| clean(repo, Others::Untracked),
            Kept,
        ),
        (
            "an ignored directory goes, too",
            |repo| repo.write("out/deep/x", "n"),
            |repo| clean(repo, Others::All),
            Lost,
        ),
        (
            "ignored by the repository's own list",
            |repo| {
                repo.write(".git/info/exclude", "*.secret\n");
                repo.write("a.secret", "n");
            },
            |repo| clean(repo, Others::Untracked),
            Kept,
        ),
        (
            "a nested repository",
            |repo| repo.git(&["init", "-q", "inner"]),
            |repo| clean(repo, Others::Untracked),
            Lost,
        ),
        (
            "a nested repository in an ignored directory",
            |repo| repo.git(&["init", "-q", "out/inner"]),
            |repo| clean(repo, Others::All),
            Lost,
        ),
        ("a committed directory", NOTHING, |repo| remove(repo, "src"), Kept),
        ("a committed file", NOTHING, |repo| remove(repo, "src/a.c"), Kept),
        (
            "a directory with an untracked file",
            |repo| repo.write("src/new.c", "n"),
            |repo| remove(repo, "src"),
            Lost,
        ),
        (
            "a directory with an ignored file",
            |repo| repo.write("src/x.log", "n"),
            |repo| remove(repo, "src"),
            Lost,
        ),
        ("an untracked file", |repo| repo.write("new.txt", "n"), |repo| remove(repo, "new.txt"), Lost),
        ("nothing", NOTHING, |repo| remove(repo, "none"), Kept),
        ("the files of git", NOTHING, |repo| remove(repo, ".git/refs"), Unknown),
        (
            "a path elsewhere",
            NOTHING,
            |repo| Question { paths: vec![PathBuf::from("/etc/passwd")], ..whole(repo) },
            Unknown,
        ),
        (
            "a path through a link",
            |repo| {
                repo.write("../outside/x", "n");
                repo.link("../outside", "way");
            },
            |repo| remove(repo, "way/x"),
            Unknown,
        ),
        ("a submodule", |repo| repo.submodule(), |repo| remove(repo, "sub"), Lost),
        ("the whole tree with a submodule", |repo| repo.submodule(), whole, Lost),
    ]);
}

#[test]
fn commits() {
    run(&[
        ("to the same commit", NOTHING, |repo| reset_to(repo, "HEAD"), Kept),
        (
            "back, and nothing else has the commit",
            |repo| repo.history(2),
            |repo| reset_to(repo, "HEAD~1"),
            Lost,
        ),
        (
            "back, and a branch has it",
            |repo| {
                repo.history(2);
                repo.git(&["branch", "kept"]);
            },
            |repo| reset_to(repo, "HEAD~1"),
            Kept,
        ),
        (
            "back, and a later branch has it",
            |repo| {
                repo.history(2);
                repo.git(&["checkout", "-qb", "later"]);
                repo.history(3);
                repo.git(&["checkout", "-q", "main"]);
                repo.settle();
            },
            |repo| reset_to(repo, "HEAD^"),
            Kept,
        ),
        (
            "to the remote, which is ahead",
            |repo| {
                repo.remote_ahead();
            },
            |repo| reset_to(repo, "origin/main"),
            Kept,
        ),
        (
            "to the remote, which is behind",
            |repo| {
                repo.remote_ahead();
                repo.git(&["reset", "-q", "--hard", "origin/main"]);
                repo.history(1);
            },
            |repo| reset_to(repo, "origin/main"),
            Lost,
        ),
        ("an unknown name", NOTHING, |repo| reset_to(repo, "nobody"), Unknown),
        ("detached, at a branch", |repo| repo.git(&["checkout", "-q", "--detach"]), whole, Kept),
        (
            "detached, and only the reflog has it",
            |repo| {
                repo.git(&["checkout", "-q", "--detach"]);
                repo.history(1);
            },
            whole,
            Lost,
        ),
        (
            "an annotated tag",
            |repo| {
                repo.history(2);
                repo.git(&["tag", "-a", "-m", "t", "v1"]);
                repo.git(&["pack-refs", "--all"]);
            },
            |repo| reset_to(repo, "HEAD~1"),
            Kept,
        ),
        (
            "the target brings a file that is here and not tracked",
            |repo| {
                repo.branch_with("other", "notes.txt");
                repo.write("notes.txt", "mine");
            },
            |repo| Question { head: Head::Leaves("other".to_owned()), ..whole(repo) },
            Lost,
        ),
        (
            "the target brings a file that is here and ignored",
            |repo| {
                repo.branch_with("other", "x.log");
                repo.write("x.log", "mine");
            },
            |repo| Question { head: Head::Leaves("other".to_owned()), ..whole(repo) },
            Lost,
        ),
        (
            "the target brings a file that is not here",
            |repo| repo.branch_with("other", "notes.txt"),
            |repo| Question { head: Head::Leaves("other".to_owned()), ..whole(repo) },
            Kept,
        ),
        (
            "no commit yet",
            |repo| {
                fs::remove_dir_all(repo.top().join(".git")).unwrap();
                repo.git(&["init", "-q"]);
                repo.git(&["add", "."]);
            },
            whole,
            Unknown,
        ),
    ]);
}

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

/// A further work tree has its own index, and shares everything else.
#[test]
fn linked_work_trees() {
    let repo = Repo::new();
    let other = repo.top().parent().unwrap().join("linked");
    repo.git(&["worktree", "add", "-q", "-b", "agent", other.to_str().unwrap()]);
    repo.settle_in(&other);
    let found = work_tree(&other).unwrap();
    assert!(found.linked);
    assert_eq!(found.top, other);
    assert_eq!(found.common, repo.top().join(".git"));
    let question =
        Question { directory: other.clone(), others: Others::All, head: Head::Goes, ..whole(&repo) };
    assert_eq!(answer(&repo, &question), Kept);
    fs::write(other.join(".env"), "KEY=1").unwrap();
    assert_eq!(answer(&repo, &question), Lost, "an ignored file goes with the work tree");
    fs::remove_file(other.join(".env")).unwrap();
    repo.git_in(&other, &["checkout", "-q", "--detach"]);
    repo.git_in(&other, &["commit", "-q", "--allow-empty", "-m", "only here"]);
    repo.settle_in(&other);
    assert_eq!(answer(&repo, &question), Lost, "a commit that only this work tree reaches goes with it");
    // The `.git` file of another directory does not make a directory a work tree.
    let fake = repo.top().parent().unwrap().join("fake");
    fs::create_dir(&fake).unwrap();
    fs::copy(other.join(".git"), fake.join(".git")).unwrap();
    assert_eq!(work_tree(&fake), None);
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
