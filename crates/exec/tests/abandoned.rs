//! A caller that gives up: the hook fails at once, and none of its processes keeps running.

#![allow(clippy::unwrap_used, reason = "tests")]

use checkrein_core::{Deadline, Event, Failure, Hook, Map, Payload, ToolCall};
use checkrein_exec::{CommandHook, Program};
use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

fn payload() -> Payload {
    Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", Map::new()) })
}

#[test]
fn a_running_hook_is_killed_with_its_children() {
    let directory = tempfile::tempdir().unwrap();
    let ids = directory.path().join("ids");
    let script = format!("sleep 600 & echo $! > '{0}.new'; mv '{0}.new' '{0}'; wait", ids.display());
    let hook = CommandHook::new(Program::Shell(script))
        .environment([("PATH".into(), std::env::var_os("PATH").unwrap())]);
    let abandoned = AtomicBool::new(false);
    let answer = thread::scope(|scope| {
        let call = scope.spawn(|| {
            hook.call(&payload(), Deadline::after(Duration::from_secs(120)).unless(Some(&abandoned)))
        });
        while !ids.exists() {
            thread::sleep(Duration::from_millis(5));
        }
        abandoned.store(true, Ordering::Release);
        call.join().unwrap()
    });
    assert_eq!(answer, Err(Failure::Abandoned));
    let id = fs::read_to_string(ids).unwrap();
    // The kernel takes a moment to remove a killed process.
    let state = || fs::read_to_string(format!("/proc/{}/stat", id.trim()));
    let until = Instant::now() + Duration::from_secs(60);
    while state().is_ok_and(|stat| !stat.contains(") Z")) {
        assert!(Instant::now() < until, "it still runs: {}", state().unwrap());
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn nothing_starts_for_a_caller_that_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let mark = directory.path().join("mark");
    let hook = CommandHook::new(Program::Shell(format!(": > '{}'", mark.display())));
    let abandoned = AtomicBool::new(true);
    let deadline = Deadline::after(Duration::from_secs(60)).unless(Some(&abandoned));
    assert_eq!(hook.call(&payload(), deadline), Err(Failure::Abandoned));
    assert!(!mark.exists());
}
