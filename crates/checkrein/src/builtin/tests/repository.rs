//! Real repositories on the real disk.

use crate::builtin::Disk;
use checkrein_core::Decision::{self, Abstain as Silent, Ask, Deny};
use checkrein_guard::{CallContext, judge};
use std::{
    fs::{self, File},
    path::Path,
    process::Command,
    time::{Duration, SystemTime},
};

fn git(top: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org"])
        .args(arguments)
        .current_dir(top)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .status();
    assert!(status.unwrap().success(), "git {arguments:?}");
}

fn said(text: &str, top: &Path) -> Decision {
    // Below the directory of temporary files everything is temporary, except the project.
    let project = top.to_str().map(str::to_owned);
    judge(text, &CallContext { cwd: project.clone(), project, ..CallContext::default() }, &Disk).decision
}

#[test]
fn a_clean_work_tree_has_nothing_to_lose() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path().canonicalize().unwrap();
    fs::create_dir(top.join("src")).unwrap();
    for name in ["src/a.c", "src/b.c"] {
        fs::write(top.join(name), "text\n").unwrap();
        let long_ago = SystemTime::now() - Duration::from_secs(600);
        File::open(top.join(name)).unwrap().set_modified(long_ago).unwrap();
    }
    git(&top, &["init", "-q"]);
    git(&top, &["add", "."]);
    git(&top, &["commit", "-qm", "first"]);
    for text in
        ["git reset --hard", "git clean -fdx", "git checkout -- .", "git restore src/a.c", "rm -rf src"]
    {
        assert_eq!(said(text, &top), Silent, "{text}");
    }
    fs::write(top.join("src/new.c"), "only here\n").unwrap();
    assert_eq!(said("rm -rf src", &top), Ask);
    assert_eq!(said("git clean -fd", &top), Deny);
    assert_eq!(said("git reset --hard", &top), Silent);
    fs::write(top.join("src/a.c"), "other\n").unwrap();
    assert_eq!(said("git reset --hard", &top), Deny);
    assert_eq!(said("git restore src/a.c", &top), Ask);
    assert_eq!(said("git checkout HEAD~0 -- src/a.c", &top), Ask);
    assert_eq!(said("git restore src/b.c", &top), Silent);
}
