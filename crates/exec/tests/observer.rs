//! Observers: started, not waited for, given everything, and limited in time.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use checkrein_core::{
    Deadline, Decision, Dispatcher, Entry, EventName, Failure, Hook, Payload, Role, Verdict, hook_fn, json,
};
use checkrein_exec::{CommandHook, CommandObserver, Program, Supervisor, supervise};
use common::{LONG, SHORT, SOON, alive, environment, eventually, number, payload, wait_for};
use std::{
    ffi::OsString,
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Uses this test program as the supervisor, through [`supervisor`] below.
fn ourselves() -> Supervisor {
    Supervisor::Program {
        program: std::env::current_exe().unwrap(),
        args: ["--exact", "supervisor", "--"].map(OsString::from).to_vec(),
    }
}

/// The argument after `--` if this program was started by one of its own tests.
fn handed_over() -> impl Iterator<Item = OsString> {
    std::env::args_os().skip_while(|arg| arg != "--").skip(1)
}

/// The entry point for [`ourselves`], not a test; without arguments there is nothing to supervise.
#[test]
fn supervisor() {
    if handed_over().next().is_some() {
        let _ = supervise(handed_over());
    }
}

fn observer(script: &str, supervisor: Supervisor) -> CommandObserver {
    let hook = CommandHook::new(Program::Shell(script.into())).named("watch").environment(environment());
    CommandObserver::new(hook, supervisor)
}

/// Returns a dispatcher with a guard that denies, and the observer.
fn dispatcher(observer: CommandObserver, limit: Duration) -> Dispatcher {
    let mut hooks = Dispatcher::new();
    let guard = hook_fn("guard", |_: &Payload| Verdict::deny("not \"now\""));
    hooks.add(Entry::new(EventName::PreToolUse, guard));
    hooks.add(Entry::new(EventName::PreToolUse, observer).with_role(Role::Observe).with_timeout(limit));
    hooks
}

fn payload_for(directory: &Path, size: usize) -> Payload {
    let mut payload = payload(size);
    payload.session.cwd = Some(directory.to_str().unwrap().into());
    payload
}

#[test]
fn gets_everything_and_is_not_waited_for() {
    for supervisor in [ourselves(), Supervisor::Thread] {
        let directory = tempfile::tempdir().unwrap();
        let script = "sleep 1; cat > part; (readlink /proc/$$/fd/1 /proc/$$/fd/2 > streams); mv part whole";
        let hooks = dispatcher(observer(script, supervisor), LONG);
        let begun = Instant::now();
        let outcome = hooks.dispatch(payload_for(directory.path(), 300_000));
        let elapsed = begun.elapsed();
        assert!(!directory.path().join("whole").exists(), "not waited for: {elapsed:?}");
        assert_eq!(outcome.decision, Decision::Deny);
        assert!(outcome.trail.iter().all(|step| step.failure.is_none()), "{:?}", outcome.trail);

        let told = json::parse_object(wait_for(&directory.path().join("whole")).as_bytes()).unwrap();
        assert_eq!(told["tool_input"]["content"].as_str().unwrap().len(), 300_000);
        assert_eq!(told["hook_event_name"], "PreToolUse");
        assert_eq!(told["decision"], "deny");
        assert_eq!(told["reason"], "guard: not \"now\"");
        assert_eq!(wait_for(&directory.path().join("streams")), "/dev/null\n/dev/null\n");
    }
}

#[test]
fn an_event_keeps_its_own_field_of_that_name() {
    let directory = tempfile::tempdir().unwrap();
    let mut hooks = Dispatcher::new();
    let watch = observer("cat > part; mv part whole", Supervisor::Thread);
    hooks.add(Entry::new(EventName::SessionEnd, watch).with_role(Role::Observe));
    let mut payload = common::event(EventName::SessionEnd);
    payload.extra.insert("reason".into(), "logout".into());
    payload.session.cwd = Some(directory.path().to_str().unwrap().into());
    hooks.dispatch(payload);
    let told = json::parse_object(wait_for(&directory.path().join("whole")).as_bytes()).unwrap();
    assert_eq!((&told["reason"], &told["decision"]), (&"logout".into(), &"abstain".into()));
}

#[test]
fn an_overdue_one_is_killed_with_its_group() {
    for supervisor in [ourselves(), Supervisor::Thread] {
        let directory = tempfile::tempdir().unwrap();
        let script = "trap '' TERM; sleep 600 & echo $$ > part; mv part group; sleep 600; echo > survived";
        dispatcher(observer(script, supervisor), SHORT).dispatch(payload_for(directory.path(), 0));
        assert!(eventually(|| directory.path().join("group").exists()));
        let group = number(&directory.path().join("group")).unwrap();
        assert!(eventually(|| alive(group).is_empty()), "{:?} survived", alive(group));
        assert!(!directory.path().join("survived").exists());
    }
}

#[test]
fn a_child_of_a_punctual_one_is_left_alone() {
    for supervisor in [ourselves(), Supervisor::Thread] {
        let directory = tempfile::tempdir().unwrap();
        let script = "echo $$ > group; (sleep 1; echo > late) & exit 0";
        dispatcher(observer(script, supervisor), LONG).dispatch(payload_for(directory.path(), 0));
        wait_for(&directory.path().join("late"));
    }
}

/// The short-lived program of the next test, not a test: starts an observer in the given directory, and exits.
#[test]
fn short_lived() {
    if let Some(directory) = handed_over().next() {
        let script = "echo $$ > part; mv part group; sleep 1; cat > part; mv part whole; sleep 600";
        let outcome = dispatcher(observer(script, ourselves()), Duration::from_secs(4))
            .dispatch(payload_for(Path::new(&directory), 200_000));
        assert!(outcome.trail.iter().all(|step| step.failure.is_none()), "{:?}", outcome.trail);
    }
}

#[test]
fn outlives_its_parent_and_still_has_a_time_limit() {
    let directory = tempfile::tempdir().unwrap();
    let mut program = Command::new(std::env::current_exe().unwrap());
    program
        .args(["--exact", "short_lived", "--"])
        .arg(directory.path())
        .stdout(Stdio::null())
        .process_group(0);
    let mut child = program.spawn().unwrap();
    wait_for(&directory.path().join("group"));
    // A host may kill the whole group as soon as it has the answer.
    assert!(child.wait().unwrap().success());
    let host_group = rustix::process::Pid::from_child(&child);
    let _ = rustix::process::kill_process_group(host_group, rustix::process::Signal::KILL);

    let group = number(&directory.path().join("group")).unwrap();
    let leader = common::process(Path::new(&format!("/proc/{group}"))).expect("it lives on");
    let own = common::process(Path::new("/proc/self")).unwrap();
    assert_eq!(leader.group, group);
    assert_ne!(leader.session, own.session, "in a session of its own");
    let told = json::parse_object(wait_for(&directory.path().join("whole")).as_bytes()).unwrap();
    assert_eq!(told["tool_input"]["content"].as_str().unwrap().len(), 200_000);
    assert!(eventually(|| alive(group).is_empty()), "{:?} survived", alive(group));
}

#[test]
fn a_failed_start_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    let missing = missing.to_str().unwrap();
    let failure = |observer: CommandObserver, payload: Payload| {
        let outcome = dispatcher(observer, LONG).dispatch(payload);
        assert_eq!(outcome.decision, Decision::Deny, "an observer changes nothing");
        outcome.trail.last().unwrap().failure.clone()
    };
    for supervisor in [ourselves(), Supervisor::Thread] {
        let hook = CommandHook::new(Program::List(vec![missing.into()])).environment(environment());
        assert_eq!(
            failure(CommandObserver::new(hook, supervisor.clone()), payload_for(directory.path(), 0)),
            Some(Failure::NotStarted(format!("`{missing}` does not exist")))
        );
        assert_eq!(
            failure(observer("true", supervisor), payload_for(Path::new(missing), 0)),
            Some(Failure::NotStarted(format!("the working directory `{missing}` does not exist")))
        );
    }
    let nobody = Supervisor::Program { program: missing.into(), args: Vec::new() };
    assert_eq!(
        failure(observer("true", nobody), payload_for(directory.path(), 0)),
        Some(Failure::NotStarted(format!("`{missing}` does not exist")))
    );
}

#[test]
fn in_another_role_it_answers() {
    let begun = Instant::now();
    let answer = observer("echo deny", ourselves()).call(&payload(0), Deadline::after(LONG));
    assert_eq!(answer.unwrap().decision, Decision::Deny);
    assert!(begun.elapsed() < SOON);
}

#[test]
fn finished_supervisors_do_not_pile_up() {
    let directory = tempfile::tempdir().unwrap();
    let hooks = dispatcher(observer("exit 0", ourselves()), LONG);
    let children = || {
        std::fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| common::process(&entry.ok()?.path()))
            .filter(|process| process.state == "Z" && process.parent == std::process::id().cast_signed())
            .count()
    };
    for _ in 0..10 {
        hooks.dispatch(payload_for(directory.path(), 0));
    }
    assert!(eventually(|| {
        hooks.dispatch(payload_for(directory.path(), 0));
        std::thread::sleep(Duration::from_millis(50));
        children() < 5
    }));
}

#[test]
fn a_supervisor_with_wrong_arguments_starts_nothing() {
    for args in [&[][..], &["x", "/bin/true"], &["100"], &["-1", "/bin/true"]] {
        let code = supervise(args.iter().map(OsString::from));
        assert_eq!(format!("{code:?}"), format!("{:?}", std::process::ExitCode::from(2)));
    }
}
