//! Detects whether an agent started this process.
//!
//! Trust that an agent could give itself is worth nothing. So a command that gives trust needs a terminal, and no agent
//! may be among the processes that started it, however many shells or pseudo-terminals are in between.
//!
//! This stops an agent that tries the obvious. It does not stop a program that detaches from its parents, opens a
//! pseudo-terminal and reads from it: that looks like a terminal emulator. Run agents as another user to be safe from that.

mod agents;
mod lineage;

use crate::term::style;
use checkrein::variable;
use lineage::Process;

/// Returns why an agent seems to have started this process, or `None`.
pub(crate) fn agent_above() -> Option<String> {
    if let Some(name) = agents::variables().find(|name| variable(name).is_some()) {
        return Some(format!("`{name}` is set, which indicates that an agent started this"));
    }
    let (agent, process) = first_agent(&lineage::above(std::process::id()))?;
    Some(format!("this was started by {agent}{process}"))
}

/// Returns why this terminal seems to belong to an agent. A process can detach from its parents, but the other end of its
/// terminal is still held by the process that opened it.
pub(crate) fn agent_behind_the_terminal() -> Option<String> {
    let holders = lineage::holders_of_our_terminal();
    let (agent, process) = holders.iter().find_map(|holder| first_agent(&lineage::from(*holder)))?;
    Some(format!("this terminal belongs to {agent}{process}"))
}

/// Finds the nearest agent among these processes, and describes its process.
fn first_agent(processes: &[Process]) -> Option<(String, String)> {
    processes.iter().find_map(|process| Some((agents::is_of_an_agent(process)?, shown(process))))
}

/// Describes a process so that a user can find it.
fn shown(process: &Process) -> String {
    let words = process.words.join(" ");
    let words = if words.is_empty() { process.program.clone().unwrap_or_default() } else { words };
    format!(" (process {}: `{}`)", process.id, style::one_line(&words))
}

/// Returns true if this system shows which process started this one.
pub(crate) fn can_see_parents() -> bool {
    lineage::is_readable()
}
