//! A user's home directory, for tests of commands that write and check the agents' files.

use crate::{
    PROGRAM, Place,
    detached::{Detached, line},
    shown,
};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::{Arc, Mutex, Weak},
};
use tempfile::TempDir;

/// One copy of the program for all machines that exist at a time: the built one is in a project, where
/// `init` refuses to register it.
static COPY: Mutex<Weak<TempDir>> = Mutex::new(Weak::new());

fn copy() -> Arc<TempDir> {
    let mut shared = COPY.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(copy) = shared.upgrade() {
        return copy;
    }
    let copy = Arc::new(Place::lasting().directory);
    // In another process: a program that is open for writing cannot be executed.
    assert!(Command::new("cp").arg(PROGRAM).arg(copy.path()).status().unwrap().success());
    *shared = Arc::downgrade(&copy);
    copy
}

/// A user's home directory with a program on its PATH.
pub(crate) struct Machine {
    pub(crate) place: Place,
    _copy: Arc<TempDir>,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let machine = Self { place: Place::lasting(), _copy: copy() };
        fs::create_dir_all(machine.place.path("bin")).unwrap();
        fs::create_dir_all(machine.place.path("work/.git")).unwrap();
        fs::hard_link(machine._copy.path().join("checkrein"), machine.place.path("bin/checkrein")).unwrap();
        machine
    }

    /// Returns a machine with the directories of these agents.
    pub(crate) fn with(directories: &[&str]) -> Self {
        let machine = Self::new();
        for directory in directories {
            fs::create_dir_all(machine.place.path(directory)).unwrap();
        }
        machine
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.place.path(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    /// Adds an agent's program that reports this version.
    pub(crate) fn agent(&self, name: &str, version: &str) {
        self.write(&format!("bin/{name}"), format!("#!/bin/sh\necho '{version}'\n"));
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(format!("bin/{name}")), executable).unwrap();
    }

    /// Starts `text` in the project, detached from the process that runs this test.
    pub(crate) fn start(&self, text: &str) -> Detached {
        let path = format!("{}:/usr/bin:/bin", self.path("bin").display());
        let home = self.path("");
        let variables = [("PATH", path.as_str()), ("HOME", home.to_str().unwrap())];
        Detached::start(&format!("cd {} && {text}", self.path("work").display()), &variables)
    }

    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        self.start(&line(&self.path("bin/checkrein"), arguments)).output()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        without_dynamic(&shown(&self.output(arguments), self.place.directory.path()))
    }

    pub(crate) fn init(&self) {
        let output = self.output(&["init", "--yes"]);
        assert!(output.status.success(), "{}", shown(&output, self.place.directory.path()));
    }

    /// Runs `init` as a user at a terminal, who may also change existing entries.
    pub(crate) fn init_by_user(&self) {
        let said = self.typed("init --yes", str::to_owned);
        assert!(said.ends_with("--- exit 0\n"), "{said}");
    }

    /// Runs one of our commands at a terminal, with `answer` as the typed text.
    pub(crate) fn typed(&self, arguments: &str, answer: impl Fn(&str) -> String) -> String {
        let code = self.path("code");
        let inner = format!(
            "cd work && PATH={}:/usr/bin:/bin {} {arguments}; echo \\$? > {}",
            self.path("bin").display(),
            self.path("bin/checkrein").display(),
            code.display()
        );
        let said = self.place.at_a_terminal("/usr/bin/script", &inner, answer);
        let said = format!("{said}--- exit {}", fs::read_to_string(&code).unwrap());
        fs::remove_file(code).unwrap();
        said
    }

    /// Runs one of our commands at a terminal with 80 columns, and returns what it shows, with its exit code.
    pub(crate) fn typed_at_80(&self, arguments: &str) -> String {
        self.typed_at(80, arguments)
    }

    /// Runs one of our commands at a terminal with this many columns.
    pub(crate) fn typed_at(&self, columns: u16, arguments: &str) -> String {
        let code = self.path("code");
        let inner = format!(
            "stty cols {columns} rows 24; cd work && NO_COLOR=1 PATH={}:/usr/bin:/bin {} {arguments}; echo \\$? > {}",
            self.path("bin").display(),
            self.path("bin/checkrein").display(),
            code.display()
        );
        let said = self.place.on_a_screen("/usr/bin/script", &inner, str::to_owned);
        let said = format!("{said}--- exit {}", fs::read_to_string(&code).unwrap());
        fs::remove_file(code).unwrap();
        without_dynamic_at_80(&said)
    }

    /// Runs `checkrein uninstall` as a user who types the word.
    pub(crate) fn uninstall(&self, flags: &str) -> String {
        self.typed(&format!("uninstall {flags}"), str::to_owned)
    }
}

/// Removes the same note from a narrow screen, where it takes several lines.
fn without_dynamic_at_80(text: &str) -> String {
    let mut shown = String::new();
    let mut is_note = false;
    for line in text.split_inclusive('\n') {
        is_note = line.contains("is dynamically linked") || is_note && line.starts_with("    ");
        if !is_note {
            shown += line;
        }
    }
    shown
}

/// Removes the note that the tested program needs a loader, which is true of most builds, but not of all.
fn without_dynamic(text: &str) -> String {
    const ID: &str = "program-dynamic";
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if let Some(at) = lines.iter().position(|line| line.contains(&format!("[{ID}]"))) {
        lines.drain(at..at + 2);
    }
    let text = lines.concat();
    match text.split_once(&format!("{{\"severity\":\"note\",\"id\":\"{ID}\"")) {
        Some((before, after)) => before.to_owned() + after.split_once('}').unwrap().1,
        None => text,
    }
}
