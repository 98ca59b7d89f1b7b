//! `doctor --live` where it must refuse. The suite with the real agents, `tests/agents`, has its findings.

use super::*;
use std::os::unix::fs::PermissionsExt;

/// Returns a directory with programs in it, which is the whole `PATH`.
fn with(programs: &[(&str, &str)]) -> Place {
    let place = Place::new();
    fs::create_dir(place.path("bin")).unwrap();
    for (name, text) in programs {
        let file = place.path("bin").join(name);
        fs::write(&file, text).unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    place
}

fn live(place: &Place, arguments: &[&str]) -> String {
    let mut command = place.command(&["doctor", "--live"]);
    command.args(arguments).env("PATH", place.path("bin"));
    shown(&ended(command.spawn().unwrap()), place.directory.path())
}

/// An agent that would leave a mark next to itself.
const AGENT: (&str, &str) = ("claude", "#!/bin/sh\n: > \"$0.started\"\n");

#[test]
fn without_unshare_no_agent_is_started() {
    let place = with(&[AGENT]);
    insta::assert_snapshot!(live(&place, &[]), @r"
    --- stderr
    checkrein: no network namespace can be made here, and without one no agent is started: cannot run `unshare`: No such file or directory (os error 2)
    hint: install `unshare`, which is in the package util-linux of a Linux system
    --- exit 3
    ");
    assert!(!place.path("bin/claude.started").exists());
}

#[test]
fn where_namespaces_are_forbidden_no_agent_is_started() {
    let refuses = "#!/bin/sh\necho 'unshare: unshare failed: Operation not permitted' >&2\nexit 1\n";
    let place = with(&[AGENT, ("unshare", refuses)]);
    insta::assert_snapshot!(live(&place, &[]), @r"
    --- stderr
    checkrein: no network namespace can be made here, and without one no agent is started: unshare: unshare failed: Operation not permitted
    hint: let this user make user namespaces (`sysctl kernel.unprivileged_userns_clone=1`, `sysctl kernel.apparmor_restrict_unprivileged_userns=0`); in a container, start that with the right to do so (`--privileged`, or `--security-opt seccomp=unconfined --cap-add SYS_ADMIN`)
    --- exit 3
    ");
    assert!(!place.path("bin/claude.started").exists());
}

#[test]
fn a_missing_agent_is_reported() {
    // It succeeds, and would start nothing.
    let place = with(&[("unshare", "#!/bin/sh\nexit 0\n")]);
    insta::assert_snapshot!(live(&place, &[]), @r"
    --- stderr
    checkrein: no agent can be started here: your PATH has none of [agents]
    --- exit 3
    ");
    insta::assert_snapshot!(live(&place, &["--agent", "codex"]), @r"
    --- stderr
    checkrein: `codex` is not on your PATH, so it cannot be started
    --- exit 3
    ");
    insta::assert_snapshot!(live(&place, &["--agent", "codec"]), @r"
    --- stderr
    checkrein: unknown agent `codec`, expected [agents]
    --- exit 3
    ");
}
