//! The screens of a user: the real agents in a terminal, with a scripted model, from the first denial to monitor mode.
//!
//! Each agent runs at 80 and at 110 columns, alone in a sandbox with a home directory of its own. The parts of the screen that
//! belong to a call are compared with the files of `tests/agents/screens`; whether a call ran is read from the disk and from our trail.
//! Every step waits for a text, and none for a time. `UPDATE_GENERATED=1` accepts other screens, and draws the picture of the README.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod golden;
mod session;
mod tmux;

use checkrein_agents::installed::{chosen, subjects};
use checkrein_live::{Sandbox, Subject, bring_up_loopback};
use std::{env, process::Stdio, thread};

/// The agents whose screens are compared: those with a terminal interface that most users have.
const SHOWN: &[&str] = &["claude", "codex"];
/// The widths: a narrow terminal, and a usual one.
const WIDTHS: &[usize] = &[80, 110];
/// The variable that tells the process in the sandbox which agent to run, and at which width.
const INSIDE: &str = "CHECKREIN_SCREEN";

#[test]
fn the_screens_of_the_real_agents() {
    let subjects = subjects(None).unwrap_or_else(|reason| panic!("{reason}"));
    if let Ok(what) = env::var(INSIDE) {
        let (agent, columns) = what.split_once(' ').unwrap();
        let subject = subjects.iter().find(|subject| subject.agent.name() == agent).unwrap();
        bring_up_loopback().unwrap();
        return session::run(subject, columns.parse().unwrap());
    }
    let sandbox = Sandbox::find().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(subjects.len(), chosen().len());
    let shown = subjects.iter().filter(|subject| SHOWN.contains(&subject.agent.name()));
    let work: Vec<(&Subject, usize)> =
        shown.flat_map(|subject| WIDTHS.iter().map(move |columns| (subject, *columns))).collect();
    let mut failed = Vec::new();
    for pair in work.chunks(2) {
        thread::scope(|scope| {
            let running: Vec<_> = pair
                .iter()
                .map(|(subject, columns)| scope.spawn(|| inside(&sandbox, subject, *columns)))
                .collect();
            failed.extend(running.into_iter().filter_map(|running| running.join().unwrap().err()));
        });
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

/// Runs this test again in a sandbox, for one agent at one width.
fn inside(sandbox: &Sandbox, subject: &Subject, columns: usize) -> Result<(), String> {
    let what = format!("{} {columns}", subject.agent.name());
    let mut test = sandbox.command(&env::current_exe().unwrap());
    test.args(["--exact", "the_screens_of_the_real_agents", "--nocapture"]).env(INSIDE, &what);
    let output = test.stdin(Stdio::null()).output().unwrap();
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Err(format!("{what} columns:\n{}", said.concat()))
}
