//! Starts the room from outside, and hands it the cases.

use serde_json::{Value, json};
use std::{
    fs, io,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    os::unix::{
        fs::{PermissionsExt, chown},
        process::CommandExt,
    },
    path::Path,
    process::{Command, Stdio},
};

/// A command for a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The shell.
    pub shell: String,
    /// The text.
    pub text: String,
    /// Where it comes from: the program and option, the form, or the corpus.
    pub origin: String,
}

/// The user outside who owns everything in the room, if root starts it. No file of the machine belongs to it.
const NOBODY: u32 = 64_917;

/// Runs the cases in a room, and calls `each` with every outcome.
///
/// # Errors
///
/// If there is no room: the reason says what is missing. Then no command has run.
pub fn run(program: &Path, cases: &[Case], jobs: usize, each: impl FnMut(&Case, &Value)) -> io::Result<()> {
    let canary = tempfile::NamedTempFile::with_prefix("checkrein-canary")?;
    fs::write(canary.path(), CONTENT)?;
    run_apart_from(canary.path(), program, cases, jobs, each)?;
    if fs::read_to_string(canary.path())? == CONTENT {
        return Ok(());
    }
    Err(io::Error::other("a command left its cell: a file outside has changed"))
}

/// What the file outside contains, before and after.
const CONTENT: &str = "untouched";

/// Runs the cases in a room from which the file `canary` must not be visible.
///
/// # Errors
///
/// If there is no room, for example because the file is visible. Then no command has run.
pub fn run_apart_from(
    canary: &Path,
    program: &Path,
    cases: &[Case],
    jobs: usize,
    mut each: impl FnMut(&Case, &Value),
) -> io::Result<()> {
    let base = tempfile::Builder::new().prefix("checkrein-soundness").tempdir()?;
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    listener.set_nonblocking(true)?;
    let (root, copy) = (base.path().join("root"), base.path().join("program"));
    fs::create_dir(&root)?;
    fs::copy(program, &copy)?;
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755))?;
    fs::set_permissions(base.path(), fs::Permissions::from_mode(0o755))?;
    let mut command = Command::new("unshare");
    if is_root()? {
        chown(&root, Some(NOBODY), Some(NOBODY))?;
        command.uid(NOBODY).gid(NOBODY);
    }
    command.args([
        "--user",
        "--map-root-user",
        "--mount",
        "--pid",
        "--net",
        "--ipc",
        "--uts",
        "--fork",
        "--kill-child",
    ]);
    command.arg("--").arg(&copy).arg("room").arg(&root).arg(canary);
    command.args([listener.local_addr()?.port().to_string(), jobs.to_string()]);
    command.current_dir("/").env_clear().env("PATH", crate::tree::PATH);
    let mut room = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (stdin, stdout) = (room.stdin.take(), room.stdout.take());
    let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else { return Err(io::Error::other("no pipe")) };
    let mut answers = BufReader::new(stdout).lines();
    let first = answers.next().transpose()?;
    if first.as_deref() != Some("ready") {
        drop(stdin);
        room.wait()?;
        return Err(io::Error::other("there is no room to run commands in; the reason is above"));
    }
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for (number, case) in cases.iter().enumerate() {
                let line = json!({ "number": number, "shell": case.shell, "text": case.text });
                // If the room has ended, so do its answers.
                if writeln!(stdin, "{line}").is_err() {
                    return;
                }
            }
        });
        for answer in answers.by_ref() {
            let answer: Value = serde_json::from_str(&answer?).map_err(io::Error::other)?;
            let number =
                answer.get("number").and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
            if let Some(case) = number.and_then(|number| cases.get(number)) {
                each(case, &answer);
            }
        }
        io::Result::Ok(())
    })?;
    let status = room.wait()?;
    if listener.accept().is_ok() {
        return Err(io::Error::other("a command left its cell: a port outside was reached"));
    }
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("the room ended early: {status}"))) }
}

fn is_root() -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok(fs::metadata("/proc/self")?.uid() == 0)
}
