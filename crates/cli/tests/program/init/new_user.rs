//! A new user's way from an installed program to a first denial, with a clock.

use super::project::registered;
use crate::machine::Machine;
use std::time::{Duration, Instant};

/// The time that a new user has for it, without the build.
const PATIENCE: Duration = Duration::from_secs(5 * 60);

#[test]
fn from_the_program_to_a_first_denial() {
    let started = Instant::now();
    let machine = Machine::with(&[".claude"]);
    machine.agent("claude", "2.1.325 (Claude Code)");
    let said = machine.typed("init", |_| "y".to_owned());
    assert!(said.contains("Written: [directory]/.claude/settings.json"), "{said}");
    let said = machine.run(&["doctor"]);
    assert!(said.contains("Everything is set up: Claude Code."), "{said}");
    let (_, answer, _) = registered(&machine, ".claude/settings.json", "PreToolUse", "/usr/bin:/bin");
    assert!(
        answer.contains("\"permissionDecision\":\"deny\"") && answer.contains("Checkrein blocked"),
        "{answer}"
    );
    assert!(machine.run(&["log"]).contains("filesystem.delete-machine"), "the denial is in the log");
    let took = started.elapsed();
    println!("from the program to a first denial: {took:.1?}");
    assert!(took < PATIENCE, "{took:?}");
}
