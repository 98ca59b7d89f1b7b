//! A home folder as a person has it, for the tests of what writes into the agents' files and looks at them.

use crate::{PROGRAM, Place, ended, shown};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A home folder with a program on its PATH, as a person has it.
pub(crate) struct Machine {
    pub(crate) place: Place,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let machine = Self { place: Place::new() };
        fs::create_dir_all(machine.place.path("bin")).unwrap();
        fs::create_dir_all(machine.place.path("work/.git")).unwrap();
        symlink(PROGRAM, machine.place.path("bin/checkrein")).unwrap();
        machine
    }

    /// With the folders of these agents.
    pub(crate) fn with(folders: &[&str]) -> Self {
        let machine = Self::new();
        for folder in folders {
            fs::create_dir_all(machine.place.path(folder)).unwrap();
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

    /// An agent's program that says which version it is.
    pub(crate) fn agent(&self, name: &str, version: &str) {
        self.write(&format!("bin/{name}"), format!("#!/bin/sh\necho '{version}'\n"));
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(format!("bin/{name}")), executable).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.place.command(arguments);
        command.env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()));
        command.current_dir(self.path("work")).stdin(Stdio::null());
        command
    }

    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        ended(self.command(arguments).spawn().unwrap())
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        shown(&self.output(arguments), self.place.folder.path())
    }

    pub(crate) fn init(&self) {
        let output = self.output(&["init", "--yes"]);
        assert!(output.status.success(), "{}", shown(&output, self.place.folder.path()));
    }

    /// `checkrein uninstall`, detached, so that an agent that runs this test is no ancestor.
    pub(crate) fn uninstall(&self, flags: &str) -> String {
        let (said, code) = (self.path("said"), self.path("code"));
        let inner = format!(
            "cd work && checkrein uninstall {flags} > ../said 2>&1 < /dev/null; echo $? > ../code.new; mv ../code.new ../code"
        );
        let mut command = Command::new("sh");
        command.args(["-c", &format!("(setsid sh -c '{inner}' > /dev/null 2>&1 &)")]);
        command.current_dir(self.path("")).env_clear().env("HOME", self.path(""));
        command.env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()));
        assert!(command.status().unwrap().success());
        let patience = Instant::now() + Duration::from_secs(60);
        while !code.exists() {
            assert!(Instant::now() < patience, "`checkrein uninstall` never ended");
            thread::sleep(Duration::from_millis(5));
        }
        let text =
            format!("{}--- exit {}", fs::read_to_string(&said).unwrap(), fs::read_to_string(&code).unwrap());
        fs::remove_file(said).unwrap();
        fs::remove_file(code).unwrap();
        text.replace(self.place.folder.path().to_str().unwrap(), "[folder]")
    }
}
