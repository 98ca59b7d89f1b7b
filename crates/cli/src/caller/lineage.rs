//! Finds the parent processes, and the processes that hold the other end of the terminal.
//!
//! Both come from `/proc`. If it is missing or hides other processes, nothing is found here: then only the
//! confirmation at the terminal protects, and `doctor` reports that.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Information about a process.
#[derive(Debug, Default)]
pub(super) struct Process {
    /// Its id.
    pub(super) id: u32,
    /// Its command line, which it can change.
    pub(super) words: Vec<String>,
    /// The file that it runs.
    pub(super) program: Option<String>,
    /// The names of its environment variables.
    pub(super) variables: Vec<String>,
}

/// Returns true if the processes above us can be inspected: one hidden process also hides those above it.
pub(super) fn is_readable() -> bool {
    let mut next = Some(std::process::id());
    for _ in 0..MOST {
        match next {
            // The first process, or one that we cannot see: the parent of a container.
            Some(0 | 1) => return true,
            Some(id) => next = parent(id),
            None => return false,
        }
    }
    false
}

/// The longest chain that is followed.
const MOST: usize = 512;

/// Returns the processes above `id`, the nearest first.
pub(super) fn above(id: u32) -> Vec<Process> {
    parent(id).map(from).unwrap_or_default()
}

/// Returns the process `id` and those above it, the nearest first.
pub(super) fn from(id: u32) -> Vec<Process> {
    let mut processes = Vec::new();
    let mut next = Some(id);
    while let Some(id) = next.filter(|id| *id > 0 && processes.len() < MOST) {
        processes.push(process(id));
        next = parent(id);
    }
    processes
}

fn place(id: u32) -> PathBuf {
    Path::new("/proc").join(id.to_string())
}

fn process(id: u32) -> Process {
    let words = |name: &str| -> Vec<String> {
        let bytes = fs::read(place(id).join(name)).unwrap_or_default();
        bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
    };
    let mut command = words("cmdline");
    // Each word ends with a zero byte; a process that sets a title may leave many after it.
    while command.last().is_some_and(String::is_empty) {
        command.pop();
    }
    let program = fs::read_link(place(id).join("exe")).ok();
    // The first process adopts orphans, so its environment does not show who started them.
    let variables = if id == 1 { Vec::new() } else { words("environ") };
    let name = |variable: &String| variable.split('=').next().unwrap_or_default().to_owned();
    Process {
        id,
        words: command,
        program: program.map(|program| program.to_string_lossy().into_owned()),
        variables: variables.iter().map(name).collect(),
    }
}

/// Returns the fields of a process's `stat` after its name, which may itself contain spaces and brackets.
fn stat(id: u32) -> Option<Vec<String>> {
    let text = fs::read(place(id).join("stat")).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let (_, after) = text.rsplit_once(')')?;
    Some(after.split_whitespace().map(str::to_owned).collect())
}

fn parent(id: u32) -> Option<u32> {
    stat(id)?.get(1)?.parse().ok()
}

/// Returns the processes that hold the master side of our controlling pseudo-terminal: the terminal
/// emulator, or a program that pretends to be one.
pub(super) fn holders_of_our_terminal() -> Vec<u32> {
    let number = stat(std::process::id()).and_then(|stat| stat.get(4)?.parse().ok());
    let Some(terminal) = number.and_then(pseudo_terminal) else { return Vec::new() };
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    // Each container numbers its terminals separately, so equal numbers in two containers are different
    // terminals.
    let namespace = |id: u32| fs::read_link(place(id).join("ns/mnt")).ok();
    let ours = namespace(std::process::id());
    ids.filter(|id| namespace(*id) == ours && holds(*id, terminal)).collect()
}

/// Returns the index of the pseudo-terminal with this device number, if it is one.
fn pseudo_terminal(device: i64) -> Option<u64> {
    const FIRST: u64 = 136;
    const MAJORS: u64 = 8;
    let device = u64::try_from(device).ok()?;
    let (major, minor) = ((device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xf_ff00));
    let major = major.checked_sub(FIRST).filter(|major| *major < MAJORS)?;
    Some(major * 256 + minor)
}

/// Returns true if the process `id` has the master of this pseudo-terminal open.
fn holds(id: u32, terminal: u64) -> bool {
    let Ok(descriptors) = fs::read_dir(place(id).join("fd")) else { return false };
    descriptors.flatten().any(|descriptor| {
        let is_master = fs::read_link(descriptor.path())
            .is_ok_and(|target| target.file_name().is_some_and(|name| name == "ptmx"));
        let index = || {
            let about = fs::read_to_string(place(id).join("fdinfo").join(descriptor.file_name())).ok()?;
            let index = about.lines().find_map(|line| line.strip_prefix("tty-index:"))?;
            index.trim().parse::<u64>().ok()
        };
        is_master && index() == Some(terminal)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_parent_processes_are_found() {
        assert!(!above(std::process::id()).is_empty());
    }

    #[test]
    fn device_numbers_of_pseudo_terminals() {
        assert_eq!(pseudo_terminal(0x8800), Some(0));
        assert_eq!(pseudo_terminal(0x8803), Some(3));
        assert_eq!(pseudo_terminal(0x10_8803), Some(0x103));
        assert_eq!(pseudo_terminal(0x8901), Some(257));
        // None, a console, a serial line.
        assert_eq!(pseudo_terminal(0), None);
        assert_eq!(pseudo_terminal(0x0401), None);
        assert_eq!(pseudo_terminal(-1), None);
    }
}
