//! Files that git does not track.

use super::{
    Expect::{Kept, Lost, Unknown},
    NOTHING, clean, remove, run, whole,
};
use checkrein_git::{Others, Question};
use std::{fs, path::PathBuf};

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
