//! Files of every kind at each path that the program reads, created once.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, chown, symlink},
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
    thread::sleep,
    time::Duration,
};
use tempfile::TempDir;

/// The kinds of files at the path of a configuration.
pub(super) const KINDS: &[&str] = &[
    "missing",
    "empty",
    "blank",
    "comment",
    "valid",
    "garbage",
    "truncated",
    "directory",
    "fifo",
    "zero",
    "null",
    "full",
    "dangling",
    "loop",
    "self",
    "unreadable",
    "large",
    "huge",
    "nul",
    "binary",
    "bom",
    "deep",
    "many hooks",
    "costly",
    "environ",
    "socket",
    "json",
    "json garbage",
];

/// The kinds of files at the path of the state.
pub(super) const STATES: &[&str] = &[
    "missing",
    "empty",
    "file",
    "fifo",
    "dangling",
    "loop",
    "read-only",
    "closed",
    "others",
    "strange",
    "files inside",
    "pipes inside",
    "loops inside",
    "directories inside",
    "endless inside",
];

/// The names of everything that the state has.
const NAMES: &[&str] = &[
    "once",
    "trust",
    "compiled",
    "sessions",
    "denials",
    "denied",
    "repair-until",
    "claims",
    "undo",
    "undo-calls",
    "trail",
    "tickets",
    "secret-origins",
    "secrets.key",
    "prompts",
    "greetings",
    "suggested",
    "mcp",
];

/// Files of the state, further down.
const FILES: &[&str] = &[
    "repair-until",
    "secrets.key",
    "trail/current.jsonl",
    "trail/heads.jsonl",
    "trail/denied",
    "trail/pending",
    "undo/lock",
    "mcp/lock",
];

/// The kinds of values of `HOME`.
pub(super) const HOMES: &[&str] =
    &["usual", "unset", "empty", "relative", "missing", "file", "root", "closed", "long", "dots"];

pub(super) struct Fixtures {
    directory: TempDir,
}

/// They are old enough to be cached: a file that changed a moment ago is read again.
static FIXTURES: LazyLock<Fixtures> = LazyLock::new(|| {
    let fixtures = Fixtures { directory: tempfile::tempdir().unwrap() };
    for kind in KINDS {
        let home = fixtures.path("config").join(kind);
        fs::create_dir_all(home.join("checkrein")).unwrap();
        put(kind, &home.join("checkrein/config.toml"));
        let project = fixtures.path("project").join(kind);
        fs::create_dir_all(&project).unwrap();
        put(kind, &project.join(".checkrein.toml"));
    }
    for name in ["project/usual", "home/usual", "state"] {
        fs::create_dir_all(fixtures.path(name)).unwrap();
    }
    fs::write(fixtures.path("home/file"), "").unwrap();
    fs::create_dir(fixtures.path("home/closed")).unwrap();
    fs::set_permissions(fixtures.path("home/closed"), fs::Permissions::from_mode(0o000)).unwrap();
    for state in STATES {
        state_of(state, &fixtures.path("state").join(state));
    }
    sleep(Duration::from_millis(1100));
    fixtures
});

impl Fixtures {
    pub(super) fn get() -> &'static Self {
        &FIXTURES
    }

    pub(super) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Returns the value of `HOME`, if there is one.
    pub(super) fn home(&self, kind: &str) -> Option<PathBuf> {
        match kind {
            "unset" => None,
            "empty" => Some(PathBuf::new()),
            "relative" => Some("home".into()),
            "root" => Some("/".into()),
            "long" => Some(Path::new("/").join("a/".repeat(3000))),
            "dots" => Some(self.path("home/usual/../usual/.")),
            kind => Some(self.path("home").join(kind)),
        }
    }
}

fn hook() -> &'static str {
    "[[hook]]\nevent = \"PreToolUse\"\nname = \"h\"\ncommand = \"exit 0\"\n"
}

/// Creates something at the path of a configuration.
fn put(kind: &str, place: &Path) {
    let hooks = |count: usize, scope: &str| {
        let hook = |index| {
            format!("[[hook]]\nevent = \"PreToolUse\"\nname = \"h{index}\"\n{scope}command = \"exit 0\"\n")
        };
        (0..count).map(hook).collect::<String>()
    };
    match kind {
        "missing" => {}
        "empty" => fs::write(place, "").unwrap(),
        "blank" => fs::write(place, " \n\t\n").unwrap(),
        "comment" => fs::write(place, "# nothing\n").unwrap(),
        "valid" => fs::write(place, hook()).unwrap(),
        "garbage" => fs::write(place, "}{ = [[\n").unwrap(),
        "truncated" => fs::write(place, &hook()[..40]).unwrap(),
        "directory" => fs::create_dir(place).unwrap(),
        "fifo" => made(Command::new("mkfifo").arg(place)),
        "zero" => symlink("/dev/zero", place).unwrap(),
        "null" => symlink("/dev/null", place).unwrap(),
        "full" => symlink("/dev/full", place).unwrap(),
        "dangling" => symlink("nowhere", place).unwrap(),
        "loop" => {
            symlink("b", place).unwrap();
            symlink(place.file_name().unwrap(), place.with_file_name("b")).unwrap();
        }
        "self" => symlink(place.file_name().unwrap(), place).unwrap(),
        "unreadable" => {
            fs::write(place, hook()).unwrap();
            fs::set_permissions(place, fs::Permissions::from_mode(0o000)).unwrap();
        }
        "large" => fs::write(place, format!("# {}\n", "x".repeat(300 * 1024))).unwrap(),
        "huge" => fs::write(place, format!("# {}\n", "x".repeat(5 * 1024 * 1024))).unwrap(),
        "nul" => fs::write(place, "a\0b = 1\n").unwrap(),
        "binary" => fs::write(place, [0xff, 0xfe, 0x00, 0x80, b'\n']).unwrap(),
        "bom" => fs::write(place, format!("\u{feff}{}", hook())).unwrap(),
        "deep" => fs::write(place, format!("a = {}\n", "[".repeat(20_000))).unwrap(),
        "many hooks" => fs::write(place, hooks(3000, "match = { tool = \"Other\" }\n")).unwrap(),
        "costly" => {
            fs::write(place, hooks(2000, "match = { tool = '/(\\w{50}){50}/' }\n")).unwrap();
        }
        "environ" => symlink("/proc/self/environ", place).unwrap(),
        "socket" => drop(std::os::unix::net::UnixListener::bind(place).unwrap()),
        "json" => fs::write(place, "[{\"event\": \"PreToolUse\", \"command\": \"exit 0\"}]\n").unwrap(),
        "json garbage" => fs::write(place, "[{\"event\": \n").unwrap(),
        other => panic!("{other}"),
    }
}

/// Creates something at the path of the state, which is `checkrein` below `base`.
fn state_of(kind: &str, base: &Path) {
    fs::create_dir(base).unwrap();
    let place = base.join("checkrein");
    let mode = |mode| {
        fs::create_dir(&place).unwrap();
        fs::set_permissions(&place, fs::Permissions::from_mode(mode)).unwrap();
    };
    match kind {
        "missing" => {}
        "empty" => mode(0o700),
        "file" => fs::write(&place, "x").unwrap(),
        "fifo" => made(Command::new("mkfifo").arg(&place)),
        "dangling" => symlink("nowhere", &place).unwrap(),
        "loop" => symlink("checkrein", &place).unwrap(),
        "read-only" => mode(0o500),
        "closed" => mode(0),
        "others" => mode(0o777),
        "strange" => {
            mode(0o700);
            // Only root can change the owner.
            let _ = chown(&place, Some(12345), Some(12345));
        }
        "files inside" => {
            mode(0o700);
            NAMES.iter().for_each(|name| fs::write(place.join(name), "x").unwrap());
        }
        "pipes inside" => {
            mode(0o700);
            NAMES.iter().for_each(|name| made(Command::new("mkfifo").arg(place.join(name))));
        }
        "loops inside" => {
            mode(0o700);
            NAMES.iter().for_each(|name| symlink(name, place.join(name)).unwrap());
        }
        "directories inside" => {
            mode(0o700);
            FILES.iter().for_each(|file| fs::create_dir_all(place.join(file)).unwrap());
        }
        "endless inside" => {
            mode(0o700);
            for file in FILES.iter().map(|file| place.join(file)) {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                symlink("/dev/zero", file).unwrap();
            }
        }
        other => panic!("{other}"),
    }
}

fn made(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}
