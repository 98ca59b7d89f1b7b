//! A cell: one command, alone with a copy of the scratch tree.
//!
//! `strace` and `unshare` start this program once more, which makes the copy its root, gives up every right, starts the shell, and
//! waits. It is the first process of its namespace: when it ends, so does everything that the command left behind.

use crate::{
    room::{self, CELLS, LOGS, OURS, TEMPLATE, named},
    tree::{self, HOME, PATH, PROJECT},
};
use rustix::{
    mount::{MountFlags, mount, mount_bind},
    process::{Resource, Rlimit, WaitOptions, setrlimit, wait},
    thread::{clear_ambient_capability_set, set_no_new_privs},
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// The shells that run commands.
pub const SHELLS: &[&str] = &["bash", "dash", "zsh", "busybox"];

/// The path whose removal is tried, in vain, right before the shell starts. What `strace` saw earlier is our own work.
pub const MARK: &str = "/.checkrein-start";

/// How long a command may take.
const LIMIT: Duration = Duration::from_millis(2500);
/// How long what it left running in the background may take after that.
const GRACE: Duration = Duration::from_millis(200);
/// The exit code of a cell whose command did not end in time.
pub const TIMED_OUT: i32 = 124;
/// The exit code of a cell that could not be made.
pub const NO_CELL: i32 = 125;

/// The system calls that change something outside a process, and those that say where that is.
const CALLS: &str = "execve,execveat,open,openat,openat2,creat,unlink,unlinkat,rmdir,rename,renameat,renameat2,truncate,ftruncate,\
    mkdir,mkdirat,mknod,mknodat,symlink,symlinkat,link,linkat,chmod,fchmod,fchmodat,chown,lchown,fchown,fchownat,connect,\
    chdir,fchdir,clone,clone3,fork,vfork";

/// What is left of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The exit code of the command, or one of ours.
    pub exit: i32,
    /// What `strace` wrote.
    pub log: String,
    /// What the cell complained about. The command cannot write here.
    pub complaint: String,
}

impl Run {
    /// Returns whether the command did not end in time.
    pub fn is_late(&self) -> bool {
        self.exit == TIMED_OUT && self.complaint.contains(LATE)
    }

    /// Returns whether the command was not started at all.
    pub fn is_missing(&self) -> bool {
        self.exit == NO_CELL && !self.complaint.is_empty()
    }
}

/// What a cell says of a command that did not end in time.
const LATE: &str = "too late";

/// Runs a text in cell number `number`.
///
/// # Errors
///
/// If the cell's files cannot be written.
pub fn run(number: usize, shell: &str, text: &str) -> io::Result<Run> {
    let root = PathBuf::from(CELLS).join(number.to_string());
    clear(&root)?;
    tree::copy(Path::new(TEMPLATE), &root)?;
    let log = PathBuf::from(LOGS).join(number.to_string());
    let mut command = Command::new("/usr/bin/strace");
    command.args(["-f", "-qq", "-y", "--seccomp-bpf", "-s", "4096", "-e", "signal=none", "-e"]);
    command.arg(format!("trace={CALLS}")).arg("-o").arg(&log);
    command.args([
        "--",
        "/usr/bin/unshare",
        "--user",
        "--map-user=1000",
        "--map-group=1000",
        "--keep-caps",
        "--mount",
    ]);
    command.args(["--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child", "--", OURS, "cell"]);
    command.arg(&root).args([shell, text]);
    let output = command.stdin(Stdio::null()).env_clear().env("PATH", PATH).output()?;
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    let log = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    Ok(Run { exit: output.status.code().unwrap_or(NO_CELL), log, complaint })
}

/// Removes what a command left, whatever permissions it gave it.
fn clear(root: &Path) -> io::Result<()> {
    if !root.exists() {
        return Ok(());
    }
    fs::remove_dir_all(root).or_else(|_| {
        Command::new("/usr/bin/chmod").args(["-R", "u+rwX", "--"]).arg(root).status()?;
        fs::remove_dir_all(root)
    })
}

/// Becomes a cell, and returns the exit code of the command.
///
/// # Errors
///
/// If it cannot be made; then the command is not started.
pub fn become_one(root: &Path, shell: &str, text: &str) -> io::Result<i32> {
    named("make the root a mount", mount_bind(root, root))?;
    std::env::set_current_dir(root)?;
    room::show("/usr", &root.join("usr"))?;
    room::system(root)?;
    room::show("/etc/alternatives", &root.join("etc/alternatives"))?;
    room::devices(root)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    named("mount /proc", mount("proc", root.join("proc"), "proc", flags, None))?;
    room::move_into(root)?;
    limit()?;
    named("give up capabilities", clear_ambient_capability_set())?;
    named("give up new rights", set_no_new_privs(true))?;
    start(shell, text)
}

/// Limits this process and what it starts.
fn limit() -> io::Result<()> {
    for (resource, most) in [
        (Resource::Core, 0),
        (Resource::Fsize, 16 << 20),
        (Resource::Data, 1 << 30),
        (Resource::Cpu, 5),
        (Resource::Nofile, 512),
        (Resource::Nproc, 128),
    ] {
        let most = Some(most);
        named("set a limit", setrlimit(resource, Rlimit { current: most, maximum: most }))?;
    }
    // If memory is short, a command goes first.
    fs::write("/proc/self/oom_score_adj", "1000")
}

fn start(shell: &str, text: &str) -> io::Result<i32> {
    let mut command = Command::new(format!("/usr/bin/{shell}"));
    match shell {
        "busybox" => command.args(["sh", "-c", text]),
        _ => command.args(["-c", text]),
    };
    command.env_clear().env("PATH", PATH).env("HOME", HOME).env("USER", "dev").env("LOGNAME", "dev");
    command.env("LANG", "C.UTF-8").env("TERM", "dumb").env("PWD", PROJECT).current_dir(PROJECT);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = fs::remove_file(MARK);
    let mut child = command.spawn()?;
    let started = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait()? {
            break status.code().unwrap_or(128);
        }
        if started.elapsed() > LIMIT {
            eprintln!("{LATE}");
            return Ok(TIMED_OUT);
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    // Whatever runs on in the background is a child of the first process, which is this one.
    let over = Instant::now();
    while over.elapsed() < GRACE && !matches!(wait(WaitOptions::NOHANG), Err(rustix::io::Errno::CHILD)) {
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(code)
}

/// Tries one cell, whose command looks for a way out.
///
/// # Errors
///
/// If it finds one.
pub fn check() -> io::Result<()> {
    let ways = [
        ("write to /usr", "touch /usr/checkrein-canary"),
        ("make /usr writable", "mount -o remount,rw /usr"),
        ("mount something", "mount -t tmpfs none /mnt"),
        ("see the room", "test -e /template || test -e /cells || test -e /logs || test -e /soundness"),
        ("see other processes", "test \"$(ls -d /proc/[0-9]* | wc -l)\" -gt 6"),
        ("be root", "test \"$(id -u)\" = 0"),
        ("have a capability", "! grep -q '^CapEff:.0*$' /proc/self/status"),
        ("get a capability later", "! grep -q '^NoNewPrivs:.1$' /proc/self/status"),
        (
            "reach a network",
            "test \"$(wc -l < /proc/net/dev)\" -gt 3 || grep -q . /proc/net/route && test \"$(wc -l < /proc/net/route)\" -gt 1",
        ),
        ("make a large file", "head -c 40000000 /dev/zero > big"),
    ];
    for (what, text) in ways {
        let run = run(0, "bash", text)?;
        if run.exit == 0 {
            return Err(io::Error::other(format!(
                "a cell is not closed, so nothing runs in one: a command can {what}"
            )));
        }
        if run.is_missing() {
            return Err(io::Error::other(format!("no cell can be made: {}", run.complaint)));
        }
    }
    let run = run(0, "bash", "rm -r build && test ! -e build && test -e notes.txt")?;
    if run.exit == 0 && run.log.contains("\"build") {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "a harmless command does not work in a cell (exit {}): {}{}",
        run.exit, run.complaint, run.log
    )))
}
