//! Runs `checkrein doctor --live` with agents that do not obey: scripts in place of an agent, in a real
//! sandbox.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_agents::installed::checkrein;
use checkrein_live::ALL;
use serde_json::Value;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;

/// Runs the doctor with a script in place of Claude Code.
fn doctor(script: &str, arguments: &[&str]) -> (TempDir, Output) {
    let directory = tempfile::tempdir().unwrap();
    let agent = directory.path().join("claude");
    fs::write(
        &agent,
        format!("#!/bin/sh\n[ \"$1\" = --version ] && echo '2.1.325 (a script)' && exit\n{script}\n"),
    )
    .unwrap();
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(checkrein().unwrap())
        .args(["doctor", "--live", "--agent", "claude"])
        .args(arguments)
        .env_clear()
        .env("HOME", directory.path())
        .env("PATH", format!("{}:/usr/bin:/bin", directory.path().display()))
        // None of this may reach an agent.
        .env("ANTHROPIC_AUTH_TOKEN", "a secret")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (directory, output)
}

/// Returns the finding for an ability.
fn seen(output: &Output, ability: &str) -> (String, String) {
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["agents"][0]["findings"].as_array().unwrap();
    let finding = findings.iter().find(|finding| finding["ability"] == ability).unwrap();
    let text = |key: &str| finding[key].as_str().unwrap().to_owned();
    (text("seen"), text("words"))
}

#[test]
fn an_agent_that_never_calls_us_is_detected() {
    // Makes every call, whatever the hooks answer.
    let script = "for c in pass deny policy ask rewrite redact withhold context hang missing; do echo > canary-$c.txt; done";
    let (_directory, output) = doctor(script, &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    for ability in ["denial", "policy", "question", "hook-hangs", "hook-missing"] {
        assert_eq!(seen(&output, ability), ("broken".into(), "the call runs".into()), "{ability}");
    }
    assert_eq!(seen(&output, "fired"), ("broken".into(), "the call runs, and no hook runs".into()));
    assert_eq!(
        seen(&output, "program-hangs"),
        ("broken".into(), "the call runs, and the hook was never called".into())
    );
    assert_eq!(seen(&output, "program-missing"), ("open".into(), "the call runs".into()));
}

#[test]
fn an_agent_that_does_not_work_offline_proves_nothing() {
    let (_directory, output) = doctor("echo 'please log in' >&2; exit 3", &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("not reached: a hook denies a call: the agent exited first [denial]"), "{said}");
    assert!(
        said.contains("the agent exited with exit status: 3\n    stderr of the agent: please log in"),
        "{said}"
    );
    assert!(!said.contains("held"), "{said}");
    let first = "Claude Code: NOT protected: it is not set up: no hooks file mentions checkrein";
    assert_eq!(said.lines().next(), Some(first), "{said}");
}

/// An agent sees only its own variables, loopback without a route, and our processes.
#[test]
fn an_agent_is_isolated() {
    let script = r#"
        {
            env | cut -d= -f1 | sort | tr '\n' ' '; echo
            tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' | tr '\n' ' '; echo
            tail -n +2 /proc/net/route | wc -l
            tr '\0' ' ' < /proc/1/cmdline; echo
        } > "$(mktemp "$(dirname "$0")/seen.XXXXXX")"
    "#;
    let (directory, output) = doctor(script, &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let files = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().path());
    let seen: Vec<String> = files
        .filter(|file| file.to_string_lossy().contains("/seen."))
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    // The scenario with the user's own settings wrote to a copy of the home directory. Each scenario was tried twice,
    // because this agent exits before it gets anywhere.
    let trials = ALL.iter().find(|agent| agent.name() == "claude").unwrap().scenarios();
    assert_eq!(seen.len(), 2 * trials.len(), "{seen:?}");
    let expected = [
        "ANTHROPIC_API_KEY ANTHROPIC_BASE_URL CI CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC DISABLE_AUTOUPDATER",
        "DISABLE_ERROR_REPORTING DISABLE_TELEMETRY HOME IS_SANDBOX LANG NO_COLOR PATH PWD TERM TMPDIR",
        "XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME",
    ]
    .join(" ");
    for seen in seen {
        let [variables, links, routes, first] = seen.lines().collect::<Vec<_>>()[..] else {
            panic!("{seen}")
        };
        // Set by the shell itself.
        let by_shell = ["OLDPWD", "SHLVL", "_"];
        let variables: Vec<&str> =
            variables.split_whitespace().filter(|name| !by_shell.contains(name)).collect();
        assert_eq!(variables.join(" "), expected);
        assert_eq!((links.trim(), routes.trim()), ("lo", "0"), "{seen}");
        assert!(first.contains(" live-inside "), "{seen}");
    }
}
