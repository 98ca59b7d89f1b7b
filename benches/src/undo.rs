//! Undo: what keeping files costs, next to `cp` and git doing the least that keeps the same.
//!
//! Nothing is destroyed by a command: `checkrein hook` is asked about one and keeps what it would take away. What has to be missing
//! for the restoring is removed here, in the scratch directory.

use crate::{
    Job, Result,
    child::Program,
    payload,
    sample::{Row, Summary, interleaved},
    syscalls,
    table::{self, Goal, Line},
};
use serde_json::json;
use std::{
    cell::{Cell, RefCell},
    fs,
    path::{Path, PathBuf},
};

const ROUNDS: usize = 11;
/// The files that are kept, and their length.
const FILES: usize = 1000;
const LENGTH: usize = 10 * 1024;
/// The budget for keeping them, as a multiple of `cp`.
const MOST_COPIES: f64 = 3.0;
/// The files of the repository, how many of them are changed, and how many files git does not know.
const TRACKED: usize = 10_000;
const CHANGED: usize = 50;
const UNTRACKED: usize = 20;
/// The budget for keeping its state, as a multiple of git's stash and a copy of the rest.
const MOST_STASHES: f64 = 2.0;

pub(crate) fn bench(job: &Job, doubts: &mut Vec<String>) -> Result<()> {
    let Some(program) = job.release.as_deref().or(job.dynamic.as_deref()) else {
        println!("there is no program here: undo is left out");
        return Ok(());
    };
    let scratch = job.directory.with_file_name("undo");
    // What an earlier run left would be listed again.
    let _ = fs::remove_dir_all(&scratch);
    files(program, &scratch.join("files"), doubts)?;
    git(program, &scratch.join("git"), doubts)?;
    nothing_to_keep(program, &scratch)?;
    fs::remove_dir_all(&scratch).map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A home with a project, in which programs run.
struct Scratch {
    home: PathBuf,
    project: PathBuf,
    /// The number of calls that `checkrein hook` was asked about.
    calls: Cell<usize>,
}

impl Scratch {
    fn new(home: &Path, config: &str) -> Result<Self> {
        let project = home.join("shop");
        for directory in [home.join(".config/checkrein"), home.join(".local/state"), project.clone()] {
            fs::create_dir_all(directory).map_err(failed)?;
        }
        // The record of the call would be a part of the figure.
        let config = format!("trail = \"off\"\n{config}");
        fs::write(home.join(".config/checkrein/config.toml"), config).map_err(failed)?;
        Ok(Self { home: home.to_owned(), project, calls: Cell::new(0) })
    }

    fn program(&self, path: &Path, arguments: &[&str]) -> Program {
        let mut program = Program::new(path, arguments, &self.home);
        program.directory.clone_from(&self.project);
        program.home.clone_from(&self.home);
        program
    }

    /// Returns what `checkrein hook` is asked about a command. Each event is a call of its own: nothing happens twice for one call.
    fn event(&self, command: &str) -> Vec<u8> {
        let call = self.calls.get();
        self.calls.set(call + 1);
        json!({
            "session_id": "1", "transcript_path": "/tmp/transcript.jsonl", "cwd": self.project, "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": format!("toolu_{call}"),
        })
        .to_string()
        .into_bytes()
    }

    /// Removes what was kept, so that the next time does the same work.
    fn forget(&self) {
        let _ = fs::remove_dir_all(self.home.join(".local/state/checkrein/undo"));
    }

    /// Lets `checkrein hook` keep what a command would take away, and returns how long the process took.
    fn kept(&self, hook: &Program, command: &str) -> Result<f64> {
        self.forget();
        let run = hook.run(&self.event(command))?;
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        if !said.contains("Checkrein kept") {
            return Err(format!("nothing was kept for `{command}`: {said}"));
        }
        Ok(run.elapsed.as_secs_f64())
    }
}

/// Runs a program that has to end well, and returns how long it took.
fn timed(program: &Program) -> Result<f64> {
    let run = program.run(b"")?;
    match run.status {
        0 => Ok(run.elapsed.as_secs_f64()),
        status => Err(format!("`{}` ended with status {status:#x}", program.path.display())),
    }
}

fn write_files(directory: &Path, count: usize, length: usize) -> Result<()> {
    fs::create_dir_all(directory).map_err(failed)?;
    for number in 0..count {
        let line = format!("line of file {number}\n");
        let text = line.repeat(length / line.len() + 1);
        let file = directory.join(format!("{number}.txt"));
        fs::write(file, text.get(..length).unwrap_or(&text)).map_err(failed)?;
    }
    Ok(())
}

/// Measures keeping and restoring files next to `cp`.
fn files(program: &Path, home: &Path, doubts: &mut Vec<String>) -> Result<()> {
    const COMMAND: &str = "rm -rf pages";
    let scratch = Scratch::new(home, "")?;
    let (pages, copy) = (scratch.project.join("pages"), scratch.home.join("copy"));
    write_files(&pages, FILES, LENGTH)?;
    let hook = scratch.program(program, &["hook", "--host", "claude"]);
    let undo = scratch.program(program, &["undo", "--yes"]);
    let cp = |from: &Path, to: &Path| {
        let words = ["-a", "--reflink=auto", &from.to_string_lossy(), &to.to_string_lossy()];
        scratch.program(Path::new("/bin/cp"), &words)
    };
    let (away, back) = (cp(&pages, &copy), cp(&copy, &pages));
    let rows = vec![
        Row::new("cp -a --reflink=auto", || {
            let _ = fs::remove_dir_all(&copy);
            timed(&away)
        }),
        Row::new("checkrein hook, which keeps them", || scratch.kept(&hook, COMMAND)),
        Row::new("cp -a back", || {
            if !copy.exists() {
                timed(&away)?;
            }
            fs::remove_dir_all(&pages).map_err(failed)?;
            timed(&back)
        }),
        Row::new("checkrein undo", || {
            scratch.kept(&hook, COMMAND)?;
            fs::remove_dir_all(&pages).map_err(failed)?;
            let time = timed(&undo)?;
            match fs::read_dir(&pages).map_err(failed)?.count() {
                FILES => Ok(time),
                count => Err(format!("{count} files were restored")),
            }
        }),
    ];
    let mut lines = measured(rows)?;
    if let [copied, kept, copied_back, undone] = lines.as_mut_slice() {
        compare(copied, kept, Some(MOST_COPIES));
        compare(copied_back, undone, None);
    }
    table::print("1,000 files of 10 KB", "ms", &lines, doubts);
    Ok(())
}

/// Measures keeping the state of a repository next to a stash and a copy of what git does not know.
fn git(program: &Path, home: &Path, doubts: &mut Vec<String>) -> Result<()> {
    const COMMAND: &str = "git reset --hard && git clean -fd";
    let place = Path::new("/usr/bin/git");
    if !place.exists() {
        println!("there is no git here: the state of a repository is left out");
        return Ok(());
    }
    let scratch = Scratch::new(home, "")?;
    let git = |words: &[&str]| scratch.program(place, words);
    let (new, copy) = (scratch.project.join("new"), scratch.home.join("copy"));
    for directory in 0..TRACKED / 100 {
        write_files(&scratch.project.join(format!("source/{directory}")), 100, 400)?;
    }
    let author = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com"];
    timed(&git(&["init", "-q", "-b", "main"]))?;
    timed(&git(&["add", "-A"]))?;
    timed(&git(&[&author[..], &["commit", "-q", "-m", "All files"]].concat()))?;
    for number in 0..CHANGED {
        let file = scratch.project.join(format!("source/{number}/7.txt"));
        fs::write(file, format!("changed {number}\n").repeat(20)).map_err(failed)?;
    }
    write_files(&new, UNTRACKED, 400)?;
    let stash = git(&[&author[..], &["stash", "create"]].concat());
    let words = ["-a", "--reflink=auto", &new.to_string_lossy(), &copy.to_string_lossy()];
    let cp = scratch.program(Path::new("/bin/cp"), &words);
    let hook = scratch.program(program, &["hook", "--host", "claude"]);
    let rows = vec![
        Row::new("git stash create, and cp of the untracked", || {
            let _ = fs::remove_dir_all(&copy);
            Ok(timed(&stash)? + timed(&cp)?)
        }),
        Row::new("checkrein hook, which keeps the same", || scratch.kept(&hook, COMMAND)),
    ];
    let mut lines = measured(rows)?;
    if let [stashed, kept] = lines.as_mut_slice() {
        compare(stashed, kept, Some(MOST_STASHES));
    }
    table::print("a repository of 10,000 files, 50 changed", "ms", &lines, doubts);
    Ok(())
}

/// Counts the system calls that keeping costs a call that destroys nothing.
fn nothing_to_keep(program: &Path, scratch: &Path) -> Result<()> {
    println!();
    let mut counts = Vec::new();
    for (name, config) in [("on", ""), ("off", "[undo]\noff = true\n")] {
        let place = Scratch::new(&scratch.join(name), config)?;
        let hook = place.program(program, &["hook", "--host", "claude"]);
        let event = payload::bytes(&place.project);
        counts.extend(syscalls::count(&hook, || event.clone(), scratch));
    }
    match counts.as_slice() {
        [on, off] => table::figure(
            "system calls that undo adds to `git status`",
            &format!("{:.0}", on - off),
            &[Goal::at_most("none", on - off, 0.0)],
        ),
        _ => println!("there is no strace here: the system calls are left out"),
    }
    Ok(())
}

fn measured(rows: Vec<Row<'_, Result<f64>>>) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    // What fails leaves the files of the other rows incomplete, so only the first failure says anything.
    let first = RefCell::new(None);
    let rows = rows.into_iter().map(|mut row| {
        let first = &first;
        Row::new(row.name.clone(), move || {
            if let Some(error) = first.borrow().clone() {
                return Err(error);
            }
            (row.measure)()
                .map_err(|error| first.borrow_mut().insert(format!("{}: {error}", row.name)).clone())
        })
    });
    for (name, samples) in interleaved(rows.collect(), ROUNDS) {
        let samples = samples.into_iter().collect::<Result<Vec<f64>>>()?;
        let Some(time) = Summary::of(samples.into_iter().map(|seconds| seconds * 1e3)) else { continue };
        lines.push(Line { name, time, cpu: None, ratio: None, goals: Vec::new() });
    }
    Ok(lines)
}

/// Shows ours as a multiple of the least.
fn compare(least: &mut Line, ours: &mut Line, most: Option<f64>) {
    let ratio = ours.time.median / least.time.median;
    (least.ratio, ours.ratio) = (Some(1.0), Some(ratio));
    ours.goals.extend(most.map(|most| Goal::at_most(format!("≤ {most} ×"), ratio, most)));
}
