//! A repository in a temporary directory, made by the real git.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, SystemTime},
};

pub(crate) struct Repo {
    directory: tempfile::TempDir,
    home: PathBuf,
}

/// Long ago: no file that is written then is as young as the index.
fn long_ago() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000)
}

impl Repo {
    /// A clean repository with two directories and an ignore file.
    pub(crate) fn new() -> Self {
        let repo = Self::empty();
        repo.write("src/a.c", "A\n");
        repo.write("src/b.c", "B\n");
        repo.write("docs/guide/one.md", "one\n");
        repo.write(".gitignore", "*.log\n/out/\n.env\n");
        repo.commit("first");
        repo
    }

    pub(crate) fn empty() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        fs::create_dir(root.join("repo")).unwrap();
        fs::create_dir(root.join("home")).unwrap();
        let repo = Self { home: root.join("home"), directory };
        repo.git(&["init", "-q", "-b", "main"]);
        repo
    }

    pub(crate) fn top(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join("repo")
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        self.git_in(&self.top(), arguments);
    }

    pub(crate) fn git_in(&self, directory: &Path, arguments: &[&str]) {
        let output = self.command(directory, arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Runs git with a text as its input.
    pub(crate) fn feed(&self, arguments: &[&str], input: &str) {
        let mut child = self.command(&self.top(), arguments).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    }

    pub(crate) fn command(&self, directory: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .args(arguments)
            .current_dir(directory)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "Ann")
            .env("GIT_AUTHOR_EMAIL", "ann@example.org")
            .env("GIT_COMMITTER_NAME", "Ann")
            .env("GIT_COMMITTER_EMAIL", "ann@example.org");
        command
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.top().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.top().join(path)).unwrap();
    }

    pub(crate) fn link(&self, target: &str, path: &str) {
        std::os::unix::fs::symlink(target, self.top().join(path)).unwrap();
    }

    pub(crate) fn chmod(&self, path: &str, mode: u32) {
        fs::set_permissions(self.top().join(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Commits everything, and lets time pass.
    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.settle();
    }

    pub(crate) fn history(&self, commits: usize) {
        for number in 0..commits {
            let lines: Vec<String> = (0..200).map(|line| format!("{line} {}", line * number)).collect();
            self.write("src/history.txt", &lines.join("\n"));
            self.write(&format!("src/more/{}.txt", number % 7), &lines.concat());
            self.commit(&format!("commit {number}"));
        }
    }

    /// As if the files were written long before git looked at them.
    pub(crate) fn settle(&self) {
        self.settle_in(&self.top());
    }

    pub(crate) fn settle_in(&self, directory: &Path) {
        age(directory);
        // Changed files are reported by the exit code.
        drop(self.command(directory, &["update-index", "-q", "--refresh"]).output().unwrap());
    }

    pub(crate) fn stamp(&self, path: &str) -> SystemTime {
        fs::metadata(self.top().join(path)).unwrap().modified().unwrap()
    }

    pub(crate) fn set_stamp(&self, path: &str, time: SystemTime) {
        File::open(self.top().join(path)).unwrap().set_modified(time).unwrap();
    }

    /// Written a moment ago, in another second than before.
    pub(crate) fn touch(&self, path: &str) {
        self.set_stamp(path, SystemTime::now() - Duration::from_secs(5));
    }

    /// The index is not younger than a file.
    pub(crate) fn touch_index_like(&self, path: &str) {
        self.set_stamp(".git/index", self.stamp(path));
    }

    /// The index was written later than anything else.
    pub(crate) fn index_is_younger(&self) {
        self.set_stamp(".git/index", SystemTime::now() + Duration::from_secs(5));
    }

    pub(crate) fn branch_with(&self, name: &str, file: &str) {
        self.git(&["checkout", "-q", "-b", name]);
        self.write(file, "theirs");
        self.git(&["add", "-f", file]);
        self.git(&["commit", "-q", "-m", "theirs"]);
        self.git(&["checkout", "-q", "main"]);
        self.settle();
    }

    pub(crate) fn conflict(&self) {
        self.git(&["checkout", "-q", "-b", "theirs"]);
        self.write("src/a.c", "theirs\n");
        self.commit("theirs");
        self.git(&["checkout", "-q", "main"]);
        self.write("src/a.c", "ours\n");
        self.commit("ours");
        drop(self.command(&self.top(), &["merge", "theirs"]).output().unwrap());
    }

    /// A remote that has one commit more.
    pub(crate) fn remote_ahead(&self) {
        let remote = self.directory.path().join("remote");
        self.git(&["clone", "-q", ".", remote.to_str().unwrap()]);
        self.git_in(&remote, &["commit", "-q", "--allow-empty", "-m", "ahead"]);
        self.git(&["remote", "add", "origin", remote.to_str().unwrap()]);
        self.git(&["fetch", "-q", "origin"]);
        self.settle();
    }

    pub(crate) fn submodule(&self) {
        let inner = self.directory.path().join("inner");
        fs::create_dir(&inner).unwrap();
        self.git_in(&inner, &["init", "-q"]);
        self.git_in(&inner, &["commit", "-q", "--allow-empty", "-m", "inner"]);
        let path = inner.to_str().unwrap();
        self.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", path, "sub"]);
        self.commit("submodule");
    }
}

pub(crate) fn executable(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn age(directory: &Path) {
    for file in fs::read_dir(directory).unwrap() {
        let file = file.unwrap();
        let kind = file.file_type().unwrap();
        if kind.is_dir() && file.file_name() != ".git" {
            age(&file.path());
        } else if kind.is_file() && file.metadata().unwrap().modified().unwrap() != long_ago() {
            File::open(file.path()).unwrap().set_modified(long_ago()).unwrap();
        }
    }
}
