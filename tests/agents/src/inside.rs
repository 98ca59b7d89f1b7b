//! Runs a test as the first process of a sandbox, which has only loopback.

use crate::installed::chosen;
use checkrein_live::{Sandbox, network};
use std::{
    env,
    ffi::OsStr,
    process::{Command, Stdio},
};

/// The variable that tells a test that it is in its sandbox: the name of the network outside.
const OUTSIDE: &str = "CHECKREIN_TEST_OUTSIDE";
/// The variable that names the agent that the sandbox was made for.
const AGENT: &str = "CHECKREIN_TEST_AGENT";

/// Runs the body of a test in a sandbox of its own, if the agent is among those that are tried. The test starts itself again there; the
/// body gets the name of the network outside.
///
/// # Panics
///
/// If there is no sandbox, or if the test fails in it.
#[allow(clippy::panic, clippy::expect_used, reason = "the suite has no other way to end")]
pub fn inside(test: &str, agent: &str, body: impl FnOnce(&OsStr)) {
    if let Some(outside) = env::var_os(OUTSIDE) {
        if env::var(AGENT).is_ok_and(|chosen| chosen == agent) {
            body(&outside);
        }
        return;
    }
    if !chosen().iter().any(|chosen| chosen.name() == agent) {
        eprintln!("skipped: {agent} is not among the agents that are tried");
        return;
    }
    let sandbox = Sandbox::find().unwrap_or_else(|error| panic!("{error}"));
    let mut command: Command = sandbox.command(&env::current_exe().expect("a test has a path"));
    let outside = network().expect("a process is in a network");
    command.args(["--exact", test, "--nocapture"]).env(OUTSIDE, outside).env(AGENT, agent);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the sandbox starts");
    // Held until the end: the sandbox ends when it is closed.
    let held = child.stdin.take();
    let status = child.wait().expect("the sandbox ends");
    drop(held);
    assert!(status.success(), "{agent}: see above: {status}");
}
