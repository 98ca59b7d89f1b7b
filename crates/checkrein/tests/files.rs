//! Whatever a path may name: an answer, no hang.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{Config, ConfigError, Setup};
use std::{
    fs::{self, File},
    io::Write,
    os::unix::{
        fs::{PermissionsExt, symlink},
        net::UnixListener,
    },
    path::Path,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const HOOK: &str = "[[hook]]\nevent = \"PreToolUse\"\ncommand = \"true\"\n";

/// Loads in another thread, so that a hang is a failure of the test.
fn load(path: &Path) -> Result<Config, ConfigError> {
    let (send, receive) = mpsc::channel();
    let path = path.to_owned();
    thread::spawn(move || drop(send.send(Config::load(&path))));
    receive.recv_timeout(Duration::from_secs(20)).expect("to load a configuration must not hang")
}

/// The message about `name` in `directory`, without the directory.
fn message(directory: &TempDir, name: &str) -> String {
    let problems = load(&directory.path().join(name)).unwrap_err();
    assert_eq!(problems.first().line(), None);
    problems.to_string().replace(&format!("{}/", directory.path().display()), "")
}

#[test]
fn what_is_no_file() {
    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);

    assert_eq!(message(&directory, "missing.toml"), "missing.toml: the configuration file does not exist");

    fs::create_dir(at("folder.toml")).unwrap();
    assert_eq!(
        message(&directory, "folder.toml"),
        "folder.toml: expected a configuration file, found a directory"
    );

    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, at("pipe.toml"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    assert_eq!(message(&directory, "pipe.toml"), "pipe.toml: expected a configuration file, found a FIFO");

    let _listener = UnixListener::bind(at("socket.toml")).unwrap();
    assert!(
        message(&directory, "socket.toml")
            .starts_with("socket.toml: expected a configuration file, found a socket")
    );

    symlink("/dev/zero", at("zero.toml")).unwrap();
    assert_eq!(message(&directory, "zero.toml"), "zero.toml: expected a configuration file, found a device");

    symlink("b.toml", at("a.toml")).unwrap();
    symlink("a.toml", at("b.toml")).unwrap();
    assert_eq!(
        message(&directory, "a.toml"),
        "a.toml: expected a configuration file, found symbolic links that lead in a circle"
    );

    symlink("nowhere", at("dangling.toml")).unwrap();
    assert_eq!(
        message(&directory, "dangling.toml"),
        "dangling.toml: expected a configuration file, found a symbolic link to nothing"
    );

    fs::write(at("file"), "").unwrap();
    assert_eq!(message(&directory, "file/x.toml"), "file/x.toml: the configuration file does not exist");
}

#[test]
fn a_file_that_may_not_be_read() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("secret.toml");
    fs::write(&path, HOOK).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may read it all the same.
    if File::open(&path).is_ok() {
        assert!(load(&path).is_ok());
    } else {
        let expected = "secret.toml: the configuration file may not be read: permission denied";
        assert_eq!(message(&directory, "secret.toml"), expected);
    }
}

#[test]
fn a_gigabyte() {
    let directory = TempDir::new().unwrap();
    File::create(directory.path().join("huge.toml")).unwrap().set_len(1 << 30).unwrap();
    assert_eq!(message(&directory, "huge.toml"), "huge.toml: the configuration file is larger than 2 MiB");
}

#[test]
fn the_limit_is_a_limit() {
    let directory = TempDir::new().unwrap();
    let limit = 2 * 1024 * 1024;
    let comment = format!("{HOOK}{}", "#".repeat(limit - HOOK.len()));
    fs::write(directory.path().join("full.toml"), &comment).unwrap();
    assert!(load(&directory.path().join("full.toml")).is_ok());
    fs::write(directory.path().join("over.toml"), format!("{comment}#")).unwrap();
    assert_eq!(message(&directory, "over.toml"), "over.toml: the configuration file is larger than 2 MiB");
}

#[test]
fn not_text() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("x.toml");
    fs::write(&path, b"[[hook]]\nname = \"a\xff\"\n").unwrap();
    let problems = load(&path).unwrap_err();
    let place = (problems.first().line(), problems.first().column());
    assert_eq!(place, (Some(2), Some(10)));
    assert_eq!(problems.first().message(), "the text is not UTF-8 from here on");
}

#[test]
fn a_link_to_a_file_is_followed() {
    let directory = TempDir::new().unwrap();
    fs::create_dir(directory.path().join("real")).unwrap();
    fs::write(directory.path().join("real/x.toml"), "# nothing\n").unwrap();
    symlink("real/x.toml", directory.path().join("link.toml")).unwrap();
    let config = load(&directory.path().join("link.toml")).unwrap();
    assert_eq!(config.directory(), directory.path());
}

#[test]
fn an_empty_file_is_not_a_configuration() {
    let directory = TempDir::new().unwrap();
    for (name, text) in [("empty.toml", ""), ("blank.toml", " \n\t\r\n"), ("mark.toml", "\u{feff}\n")] {
        fs::write(directory.path().join(name), text).unwrap();
        let expected = "the configuration file is empty; if that is intentional, delete it or add a comment";
        assert_eq!(message(&directory, name), format!("{name}: {expected}"));
    }
    fs::write(directory.path().join("comment.toml"), "# no hooks\n").unwrap();
    assert!(load(&directory.path().join("comment.toml")).is_ok());
    assert_eq!(
        load(Path::new("/dev/null")).unwrap_err().to_string(),
        "/dev/null: expected a configuration file, found a device"
    );
}

/// The result of a slow writer.
struct Written {
    /// The longest that a half was at rest.
    longest: Duration,
}

/// Empties the file at `path`, and fills it with `chunks`, slowly.
fn write_slowly(path: &Path, chunks: &[&str]) -> Written {
    let mut file = File::create(path).unwrap();
    let mut last = Instant::now();
    let mut longest = Duration::ZERO;
    for (index, chunk) in chunks.iter().enumerate() {
        thread::sleep(Duration::from_millis(if index == 0 { 400 } else { 80 }));
        longest = longest.max(last.elapsed());
        last = Instant::now();
        file.write_all(chunk.as_bytes()).unwrap();
    }
    Written { longest }
}

#[test]
fn no_reader_sees_a_half() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("x.toml");
    // Each half of it is a valid configuration with fewer hooks, and stops in the middle of a line.
    let hook = "[[hook]]\nevent = \"PreToolUse\"\ncommand = \"true\"";
    let next = format!("\n{hook}");
    let old = format!("{}\n", [hook; 3].join("\n"));
    let new = [hook, &next, &next, &next, "\n"];
    let count = |path: &Path| load(path).map(|config| config.dispatcher(&Setup::default()).entries().len());
    for attempt in 0.. {
        fs::write(&path, &old).unwrap();
        assert_eq!(count(&path), Ok(3));
        let done = AtomicBool::new(false);
        let (written, seen) = thread::scope(|scope| {
            let readers: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        let mut seen = Vec::new();
                        while !done.load(Ordering::Relaxed) {
                            seen.push(count(&path));
                        }
                        seen
                    })
                })
                .collect();
            let written = write_slowly(&path, &new);
            done.store(true, Ordering::Relaxed);
            let seen: Vec<_> = readers.into_iter().flat_map(|reader| reader.join().unwrap()).collect();
            (written, seen)
        });
        assert_eq!(count(&path), Ok(4));
        // If the machine stops the writer for too long, the attempt shows nothing.
        if written.longest > Duration::from_millis(900) && attempt < 20 {
            continue;
        }
        assert!(!seen.is_empty());
        assert!(seen.iter().all(|seen| matches!(seen, Ok(3 | 4) | Err(_))), "{seen:?}");
        return;
    }
}

#[test]
fn a_name_with_control_characters_is_shown_plainly() {
    let problems = load(Path::new("/no/such\u{1b}[2J\n.toml")).unwrap_err();
    assert_eq!(problems.to_string(), "/no/such\\u{1b}[2J\\u{a}.toml: the configuration file does not exist");
}

#[test]
fn hostile_texts_cost_no_more_than_time() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("x.toml");
    let size = 1 << 20;
    for text in [
        "]\n".repeat(size / 2),
        "[".repeat(size),
        format!("a = {}", "[".repeat(size)),
        format!("a = {}", "{a=".repeat(size / 3)),
        format!("[{{{}", "[".repeat(size)),
        format!("{} = 1", "x".repeat(size)),
        format!("[[hook]]\nevent = \"{}\"\n", "x".repeat(size)),
        "[[hook]]\nx = 1\n".repeat(size / 15),
        format!("[{}", "{},".repeat(size / 3)),
        format!("hook = [{}]", "1,".repeat(size / 2)),
        "a.".repeat(size / 2),
    ] {
        // With a line end, so that the reader does not wait for one.
        fs::write(&path, text + "\n").unwrap();
        let problems = load(&path).unwrap_err();
        assert!(problems.to_string().len() < 200_000);
    }
}
