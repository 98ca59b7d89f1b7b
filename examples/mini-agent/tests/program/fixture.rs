//! A working directory, a model that follows a script, and the program between them.

use checkrein_testkit::model::{Request, Script, Server, ToolResult, Turn};
use std::{
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};
use tempfile::TempDir;

/// The two protocols.
pub(crate) const BACKENDS: [&str; 2] = ["openai", "anthropic"];

pub(crate) struct Fixture {
    pub(crate) directory: TempDir,
    pub(crate) server: Server,
    backend: &'static str,
}

/// The output of a run.
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

impl Fixture {
    pub(crate) fn new(backend: &'static str, turns: impl IntoIterator<Item = Turn>) -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("work/.git")).unwrap();
        let server = Server::start(Script::new(turns).without_asides()).unwrap();
        Self { directory, server, backend }
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.directory.path().join("work").canonicalize().unwrap()
    }

    /// Writes a file in the working directory.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.work().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.work().join(name)).ok()
    }

    /// Returns the command, with an environment that contains only where programs are.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mini-agent"));
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.directory.path())
            .env("OPENAI_API_KEY", "open-sesame")
            .env("ANTHROPIC_API_KEY", "open-sesame")
            .args(["--backend", self.backend, "--host", &self.server.url(), "--model", "scripted"])
            .arg("--cwd")
            .arg(self.work())
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        ran(&self.command(arguments).output().unwrap())
    }

    /// Runs the program with these hooks.
    pub(crate) fn run_with(&self, hooks: &str, arguments: &[&str]) -> Ran {
        let file = self.directory.path().join("hooks.toml");
        fs::write(&file, hooks).unwrap();
        let file = file.to_str().unwrap().to_owned();
        self.run(&[&["--hooks-file", file.as_str()], arguments].concat())
    }

    /// Runs the program with a user at a terminal who types `answers`.
    pub(crate) fn run_at_terminal(&self, answers: &str, arguments: &[&str]) -> Ran {
        let (mut user, terminal) = terminal();
        let mut child: Child = self.command(arguments).stdin(Stdio::from(terminal)).spawn().unwrap();
        user.write_all(answers.as_bytes()).unwrap();
        let (mut stdout, mut stderr) = (String::new(), String::new());
        child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        Ran { stdout, stderr, code: child.wait().unwrap().code() }
    }

    /// Returns the tool results in the last request to the model.
    pub(crate) fn results(&self) -> Vec<ToolResult> {
        self.server.requests().pop().map(|request: Request| request.results).unwrap_or_default()
    }

    pub(crate) fn result(&self) -> String {
        let results = self.results();
        assert_eq!(results.len(), 1, "{results:?}");
        results[0].text.clone()
    }
}

pub(crate) fn ran(output: &Output) -> Ran {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Ran { stdout: text(&output.stdout), stderr: text(&output.stderr), code: output.status.code() }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit {:?}\nstdout:\n{}\nstderr:\n{}", self.code, self.stdout, self.stderr)
    }
}

/// Opens a terminal: the user's side, and the program's.
fn terminal() -> (File, File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let user = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&user).unwrap();
    unlockpt(&user).unwrap();
    let name = ptsname(&user, Vec::new()).unwrap().into_string().unwrap();
    let program = File::options().read(true).write(true).open(Path::new(&name)).unwrap();
    (File::from(user), program)
}
