//! Files that git tracks.

use super::{
    Expect::{Kept, Lost, Unknown},
    NOTHING, remove, reset_to, run, whole,
};
use std::fs;

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
