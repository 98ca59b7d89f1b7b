//! Too much memory is a denial and not a crash, and the limit applies only to us.

use super::{CLAUDE, Fixtures, assert_holds, canary, output, through_shell};
use crate::{Place, bash};

const RUN: &str = r#"exec "$0" "$@""#;

/// Returns what a user's hook reports about its environment.
fn hook_says(command: &str, line: &str) -> String {
    let place = Place::with(&format!(
        "[[hook]]\nevent = \"PreToolUse\"\nname = \"h\"\ncommand = '''{command} >&2; exit 2'''\n"
    ));
    let file = place.path("hooks.toml");
    let arguments = [CLAUDE, &["--config", file.to_str().unwrap()]].concat();
    let said = output(&mut through_shell(line, &arguments, Fixtures::get()), bash("ls").as_bytes());
    String::from_utf8_lossy(&said.stdout).into_owned()
}

#[test]
fn a_hook_has_the_memory_limit_that_we_inherited() {
    let limit = r#"echo "soft $(ulimit -S -v) hard $(ulimit -H -v)""#;
    let said = hook_says(limit, RUN);
    assert!(said.contains("soft unlimited hard unlimited"), "{said}");
    // Lower limits stay as they are, and so do those above ours.
    let said = hook_says(limit, r#"ulimit -S -v 900000; exec "$0" "$@""#);
    assert!(said.contains("soft 900000 hard unlimited"), "{said}");
    let said = hook_says(limit, r#"ulimit -v 3000000; exec "$0" "$@""#);
    assert!(said.contains("soft 3000000 hard 3000000"), "{said}");
}

#[test]
fn a_hook_starts_with_no_signal_blocked() {
    let said = hook_says("grep SigBlk /proc/self/status", RUN);
    assert!(said.contains("SigBlk:\\t0000000000000000"), "{said}");
}

/// As a tree, this takes far more than the limit.
#[test]
fn an_event_that_takes_too_much_memory_is_denied() {
    let fixtures = Fixtures::get();
    let mut event = canary(&fixtures.path("project/usual"));
    event.pop();
    event.extend_from_slice(br#","more":["#);
    event.extend_from_slice("[],".repeat(5 * 1024 * 1024 / 3).as_bytes());
    event.extend_from_slice(b"[]]}");
    // A tenth of the usual limit, so that the test is quick.
    let line = r#"ulimit -S -v 100000; exec "$0" "$@""#;
    let said = output(&mut through_shell(line, CLAUDE, fixtures), &event);
    assert_holds(&said, "memory");
    assert!(
        String::from_utf8_lossy(&said.stdout).contains("was terminated before it could answer"),
        "{said:?}"
    );
}

/// Returns the peak memory of a process, in KiB.
fn most_memory(arguments: &[&str], event: &[u8], cell: &str) -> u64 {
    let fixtures = Fixtures::get();
    let line = r#"exec /usr/bin/env time -f 'KiB %M' "$0" "$@""#;
    let said = output(&mut through_shell(line, arguments, fixtures), event);
    assert_holds(&said, cell);
    let stderr = String::from_utf8_lossy(&said.stderr).into_owned();
    stderr.lines().find_map(|line| line.strip_prefix("KiB ")?.parse().ok()).unwrap_or(0)
}

#[test]
fn no_configuration_takes_much_memory() {
    let fixtures = Fixtures::get();
    for kind in super::fixtures::KINDS {
        let event = canary(&fixtures.path("project").join(kind));
        let most = most_memory(CLAUDE, &event, kind);
        assert!(most < 200 * 1024, "{kind}: {most} KiB");
    }
}
