//! Every signal that would terminate the program, at various moments.

use super::{CLAUDE, Dice, Fixtures, assert_holds, canary, through_shell};
use crate::{Place, bash, crash::prepared, ended};
use std::{
    io::Write,
    process::{Child, Command},
    thread::sleep,
    time::{Duration, Instant},
};

/// KILL and STOP cannot be caught; the others do not terminate.
const NOT_DEADLY: &[i32] = &[9, 13, 17, 18, 19, 20, 21, 22, 23, 28];

/// Those without a handler, apart from most of the real-time ones: STKFLT, IO, PWR.
const HELD_BACK: &[i32] = &[16, 29, 30];

fn deadly() -> impl Iterator<Item = i32> {
    (1..=64).filter(|signal| !NOT_DEADLY.contains(signal))
}

pub(super) fn send(signal: i32, child: &Child) {
    // Not the `kill` of a shell: some refuse numbers that the C library reserves.
    let pid = rustix::process::Pid::from_child(child);
    let sent = Command::new("python3")
        .args(["-c", &format!("import os; os.kill({}, {signal})", pid.as_raw_nonzero())])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn every_signal_while_the_event_is_written() {
    let fixtures = Fixtures::get();
    let event = canary(&fixtures.path("project/usual"));
    let mut dice = Dice::new();
    for signal in deadly() {
        let mut child = through_shell(r#"exec "$0" "$@""#, CLAUDE, fixtures).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        prepared(&child);
        let (before, after) = event.split_at(dice.below(event.len()));
        stdin.write_all(before).unwrap();
        sleep(Duration::from_micros(dice.below(2000) as u64));
        send(signal, &child);
        // It may have exited.
        let _ = stdin.write_all(after);
        drop(stdin);
        assert_holds(&ended(child), format!("signal {signal}, after {} bytes", before.len()));
    }
}

#[test]
fn every_signal_while_a_hook_runs() {
    let place = Place::with(
        "[[hook]]\nevent = \"PreToolUse\"\nname = \"h\"\ncwd = \"config\"\ncommand = \"touch begun; sleep 3; exit 2\"\n",
    );
    let file = place.path("hooks.toml");
    let arguments = [CLAUDE, &["--config", file.to_str().unwrap()]].concat();
    let mut dice = Dice::new();
    for signal in deadly() {
        let mut child = place.command(&arguments).spawn().unwrap();
        child.stdin.take().unwrap().write_all(bash("ls").as_bytes()).unwrap();
        let patience = Instant::now() + Duration::from_secs(20);
        while !place.path("begun").exists() {
            assert!(Instant::now() < patience, "the hook never began");
            sleep(Duration::from_millis(1));
        }
        std::fs::remove_file(place.path("begun")).unwrap();
        sleep(Duration::from_micros(dice.below(2000) as u64));
        send(signal, &child);
        let reserved =
            (32..=34).contains(&signal) && cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
        if !reserved && (HELD_BACK.contains(&signal) || (32..=64).contains(&signal)) {
            // Blocked, so the hook keeps running: terminate it.
            send(15, &child);
        }
        assert_holds(&ended(child), format!("signal {signal}"));
    }
}

/// A second signal does not interrupt the reply to the first.
#[test]
fn many_signals_are_one_denial() {
    let fixtures = Fixtures::get();
    for _ in 0..10 {
        let child = through_shell(r#"exec "$0" "$@""#, CLAUDE, fixtures).spawn().unwrap();
        prepared(&child);
        let pid = child.id();
        let all = format!(
            "import os\nfor s in [15, 1, 2, 10, 12, 34, 64] * 3:\n  try: os.kill({pid}, s)\n  except OSError: pass"
        );
        assert!(Command::new("python3").args(["-c", &all]).status().unwrap().success());
        let said = ended(child);
        assert_holds(&said, "many");
        assert!(serde_json::from_slice::<serde_json::Value>(&said.stdout).is_ok(), "{said:?}");
    }
}
