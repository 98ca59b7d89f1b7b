//! Commits, branches and stashes.

use super::{
    Expect::{Kept, Lost, Unknown},
    NOTHING, reset_to, run, whole,
};
use checkrein_git::{Head, Question};
use std::fs;

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
