//! Further work trees of a repository.

use super::{
    Expect::{Kept, Lost},
    Repo, answer, whole,
};
use checkrein_git::{Head, Others, Question, work_tree};
use std::fs;

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
