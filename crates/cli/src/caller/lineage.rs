//! Finds the parent processes, and the processes that hold the other end of the terminal.
//!
//! If the system hides other processes, nothing is found here: then only the confirmation at the terminal protects, and
//! `doctor` reports that.

use crate::sys::processes;

pub(super) use processes::holders_of_our_terminal;

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
            Some(id) => next = processes::parent(id),
            None => return false,
        }
    }
    false
}

/// The longest chain that is followed.
const MOST: usize = 512;

/// Returns the processes above `id`, the nearest first.
pub(super) fn above(id: u32) -> Vec<Process> {
    processes::parent(id).map(from).unwrap_or_default()
}

/// Returns the process `id` and those above it, the nearest first.
pub(super) fn from(id: u32) -> Vec<Process> {
    let mut found = Vec::new();
    let mut next = Some(id);
    while let Some(id) = next.filter(|id| *id > 0 && found.len() < MOST) {
        found.push(process(id));
        next = processes::parent(id);
    }
    found
}

fn process(id: u32) -> Process {
    // The first process adopts orphans, so its environment does not show who started them.
    let variables = if id == 1 { Vec::new() } else { processes::environment(id) };
    let name = |variable: &String| variable.split('=').next().unwrap_or_default().to_owned();
    Process {
        id,
        words: processes::command_line(id),
        program: processes::program(id).map(|program| program.to_string_lossy().into_owned()),
        variables: variables.iter().map(name).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_parent_processes_are_found() {
        assert!(!above(std::process::id()).is_empty());
    }
}
