//! The scratch tree that every command starts with: a home directory with a project in it, and a small system around both.

use std::{
    fs, io,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::{Command, Stdio},
};

/// The home directory in a cell.
pub const HOME: &str = "/home/dev";
/// The project in a cell, where commands start.
pub const PROJECT: &str = "/home/dev/proj";

/// Files with their content.
const FILES: &[(&str, &str)] = &[
    ("etc/passwd", "root:x:0:0:root:/root:/bin/sh\ndev:x:1000:1000:dev:/home/dev:/bin/bash\n"),
    ("etc/group", "root:x:0:\ndev:x:1000:\n"),
    ("etc/hosts", "127.0.0.1 localhost\n"),
    ("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
    ("etc/hostname", "box\n"),
    ("etc/app/app.conf", "port = 80\n"),
    ("var/log/syslog", "one\ntwo\nthree\n"),
    ("var/lib/app/state.db", "state\n"),
    ("opt/app/run", "#!/bin/sh\necho app\n"),
    ("srv/www/index.html", "<p>hello</p>\n"),
    ("tmp/junk/a.txt", "a\n"),
    ("tmp/file.tmp", "tmp\n"),
    ("home/dev/.bashrc", "# bash\n"),
    ("home/dev/.profile", "# profile\n"),
    (
        "home/dev/.gitconfig",
        "[user]\n\tname = Dev\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n",
    ),
    ("home/dev/.netrc", "machine example.com login x password y\n"),
    ("home/dev/.ssh/id_ed25519", "not a key\n"),
    ("home/dev/.ssh/config", "Host example\n  HostName example.com\n"),
    ("home/dev/.ssh/known_hosts", "example.com ssh-ed25519 AAAA\n"),
    ("home/dev/.aws/credentials", "[default]\naws_access_key_id = none\n"),
    ("home/dev/.config/app/settings.toml", "theme = \"dark\"\n"),
    ("home/dev/.cache/app/blob", "cached\n"),
    ("home/dev/Documents/letter.txt", "Dear\n"),
    ("home/dev/Documents/taxes.csv", "year,sum\n2024,1\n"),
    ("home/dev/Pictures/cat.jpg", "jpg\n"),
    ("home/dev/proj/README.md", "# Project\n\nText.\n"),
    ("home/dev/proj/notes.txt", "one\ntwo\nthree\nfour\n"),
    ("home/dev/proj/data.csv", "name,age\nann,31\nbob,27\n"),
    ("home/dev/proj/config.json", "{\"port\": 3000, \"name\": \"app\"}\n"),
    ("home/dev/proj/.env", "KEY=value\n"),
    ("home/dev/proj/.gitignore", "build/\nnode_modules/\n*.log\n.env\n"),
    ("home/dev/proj/Makefile", "all:\n\techo building\nclean:\n\trm -rf build\n.PHONY: all clean\n"),
    (
        "home/dev/proj/package.json",
        "{\"name\":\"app\",\"version\":\"1.0.0\",\"scripts\":{\"clean\":\"rm -rf build\"}}\n",
    ),
    ("home/dev/proj/script.sh", "#!/bin/sh\necho script \"$@\"\n"),
    ("home/dev/proj/clean.sh", "#!/bin/sh\nrm -rf build\nrm -f logs/*.log\n"),
    ("home/dev/proj/list.txt", "old.txt\nlogs/old.log\n"),
    ("home/dev/proj/main.c", "int main(void) { return 0; }\n"),
    ("home/dev/proj/src/lib.py", "def f():\n    return 1\n"),
    ("home/dev/proj/src/util.js", "module.exports = 1;\n"),
    ("home/dev/proj/src/deep/inner.txt", "inner\n"),
    ("home/dev/proj/src/deep/er/most.txt", "most\n"),
    ("home/dev/proj/docs/guide.md", "# Guide\n"),
    ("home/dev/proj/docs/api.md", "# API\n"),
];

/// Files that git does not know, written after the commit.
const UNTRACKED: &[(&str, &str)] = &[
    ("home/dev/proj/old.txt", "old one\nold two\n"),
    ("home/dev/proj/b.txt", "bravo\nalpha\n"),
    ("home/dev/proj/with space.txt", "space\n"),
    ("home/dev/proj/build/out.o", "object\n"),
    ("home/dev/proj/build/app", "#!/bin/sh\necho app\n"),
    ("home/dev/proj/node_modules/m/index.js", "module.exports = 2;\n"),
    ("home/dev/proj/logs/app.log", "line 1\nline 2\n"),
    ("home/dev/proj/logs/old.log", "line 0\n"),
    ("home/dev/proj/change.patch", "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n"),
    // Tracked, and changed after the commit.
    ("home/dev/proj/README.md", "# Project\n\nOther text.\n"),
];

const DIRECTORIES: &[&str] = &[
    "tmp",
    "run",
    "mnt",
    "root",
    "media",
    "proc",
    "sys",
    "dev",
    "usr",
    "boot",
    "var/tmp",
    "var/cache",
    "var/spool",
    "usr/local/bin",
    "etc/alternatives",
    "home/dev/proj/empty",
    "home/dev/.local/share",
    "home/dev/bin",
];

const PROGRAMS: &[&str] =
    &["home/dev/proj/script.sh", "home/dev/proj/clean.sh", "home/dev/proj/build/app", "opt/app/run"];

/// Packed files and a database, made by the programs that read them. One that is not installed leaves its file out.
const MADE: &str = "tar cf archive.tar docs; tar czf archive.tar.gz docs; \
    cp notes.txt packed.txt; gzip packed.txt; cp notes.txt squeezed.txt; bzip2 squeezed.txt; cp notes.txt small.txt; xz small.txt; \
    zip -qr archive.zip docs; \
    sqlite3 app.db 'create table users(id integer, name text); insert into users values (1, \"ann\"), (2, \"bob\");'; true";

const COMMITTED: &str = "git init -q . && git add -A && git commit -qm first && git branch topic && \
    git tag v1 && echo five >> notes.txt && git commit -qam second";

/// Writes the tree below `root`.
///
/// # Errors
///
/// If a file cannot be written, or if git does not make the repository.
pub fn write(root: &Path) -> io::Result<()> {
    for directory in DIRECTORIES {
        fs::create_dir_all(root.join(directory))?;
    }
    all(root, FILES)?;
    let project = root.join("home/dev/proj");
    symlink("notes.txt", project.join("link"))?;
    symlink("src", project.join("dirlink"))?;
    run(root, COMMITTED)?;
    all(root, UNTRACKED)?;
    run(root, MADE)?;
    for program in PROGRAMS {
        fs::set_permissions(root.join(program), fs::Permissions::from_mode(0o755))?;
    }
    fs::set_permissions(root.join("home/dev/.ssh/id_ed25519"), fs::Permissions::from_mode(0o600))
}

fn all(root: &Path, files: &[(&str, &str)]) -> io::Result<()> {
    for (path, content) in files {
        let path = root.join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, content)?;
    }
    Ok(())
}

/// Runs a text of ours in the project, in the room.
fn run(root: &Path, text: &str) -> io::Result<()> {
    let mut shell = Command::new("/usr/bin/sh");
    shell.args(["-c", text]).current_dir(root.join("home/dev/proj")).stdin(Stdio::null());
    shell.env_clear().env("PATH", PATH).env("HOME", root.join("home/dev"));
    let output = shell.output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("`{text}`: {}", String::from_utf8_lossy(&output.stderr))))
}

/// Where the programs of a cell are.
pub const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Copies a tree, with its links and permissions.
///
/// # Errors
///
/// If something cannot be read or written.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target, kind) = (entry.path(), to.join(entry.file_name()), entry.file_type()?);
        if kind.is_symlink() {
            symlink(fs::read_link(&source)?, &target)?;
        } else if kind.is_dir() {
            copy(&source, &target)?;
        } else {
            fs::copy(&source, &target)?;
        }
    }
    Ok(())
}

/// Returns every path below `root`, as a cell sees it, and whether it is a directory.
pub fn paths(root: &Path) -> Vec<(String, bool)> {
    let mut all = Vec::new();
    let mut open = vec![(root.to_owned(), String::new())];
    while let Some((directory, name)) = open.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let name = format!("{name}/{}", entry.file_name().to_string_lossy());
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_directory {
                open.push((entry.path(), name.clone()));
            }
            all.push((name, is_directory));
        }
    }
    all
}
