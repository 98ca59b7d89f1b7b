//! The lookup, the working directory and the environment of a command.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use checkrein_core::{Deadline, EventName, Hook, Payload};
use checkrein_exec::{CommandHook, Cwd, Program};
use common::{LONG, environment, event, link, payload_in};
use std::{collections::BTreeSet, fs, path::Path};

fn list(words: &[&str]) -> Program {
    Program::List(words.iter().map(|word| (*word).to_owned()).collect())
}

/// Returns the reason with which the hook denies.
fn reason(hook: &CommandHook, payload: &Payload) -> String {
    hook.call(payload, Deadline::after(LONG)).unwrap().reason.unwrap()
}

#[test]
fn a_relative_program_is_found_next_to_its_configuration() {
    let root = tempfile::tempdir().unwrap();
    let config = root.path().join("it's a \"directory\" $HOME");
    let session = root.path().join("session");
    link("/bin/echo", &config, "hooks/answer");
    link("/bin/echo", &config, "hooks/my answer");
    // A file that an agent may have put into its working directory.
    link("/bin/false", &session, "hooks/answer");
    link("/bin/false", &session, "hooks/my answer");
    link("/bin/false", root.path(), "hooks/answer");
    let json = r#"{"decision":"deny","reason":"found"}"#;
    for program in [
        list(&["hooks/answer", json]),
        list(&["./hooks/answer", json]),
        list(&["../session/../it's a \"directory\" $HOME/hooks/answer", json]),
        Program::Shell(format!("./hooks/answer '{json}'")),
        Program::Shell(format!(
            "  ../session/.././\"it's a \\\"directory\\\" \\$HOME\"/hooks/answer '{json}'\n"
        )),
        Program::Shell(format!("./hooks/my\\ answer '{json}'")),
        Program::Shell(format!("'./hooks/my answer' '{json}'")),
        Program::Shell(format!("\"./hooks/my answer\" '{json}' | cat")),
    ] {
        let hook = CommandHook::new(program).config_dir(&config).environment(environment());
        assert_eq!(reason(&hook, &payload_in(&session)), "found", "{}", hook.name());
    }
}

#[test]
fn a_bare_name_is_found_in_absolute_directories_of_path_only() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    link("/bin/false", root, "relative/answer");
    fs::create_dir_all(root.join("first/answer")).unwrap();
    fs::create_dir_all(root.join("second")).unwrap();
    fs::write(root.join("second/answer"), "not executable").unwrap();
    link("/bin/echo", root, "third/answer");
    // The same directory as a path relative to ours, which would lead there if it were used.
    let depth = std::env::current_dir().unwrap().components().count() - 1;
    let up = "../".repeat(depth);
    let path = format!(":relative:.:{up}{0}/relative:{0}/first:{0}/second:{0}/third", root.display());
    let path = path.replace("..//", "../");
    let hook = CommandHook::new(list(&["answer", r#"{"decision":"deny","reason":"found"}"#]))
        .environment([("PATH".into(), path.into())]);
    assert_eq!(reason(&hook, &payload_in(root)), "found");
}

#[test]
fn the_working_directory_follows_the_session_or_the_configuration() {
    let session = tempfile::tempdir().unwrap();
    let config = tempfile::tempdir().unwrap();
    let at = |directory: &Path| directory.canonicalize().unwrap().to_str().unwrap().to_owned();
    let hook = CommandHook::new(Program::Shell("pwd -P >&2; exit 2".into()))
        .environment(environment())
        .config_dir(config.path());
    let payload = payload_in(session.path());
    assert_eq!(reason(&hook, &payload), at(session.path()));
    assert_eq!(reason(&hook.clone().cwd(Cwd::Config), &payload), at(config.path()));
    // A host that sends no directory has none to follow.
    assert_eq!(reason(&hook, &event(EventName::Stop)), at(config.path()));
}

#[test]
fn the_environment_is_exactly_what_was_given() {
    let config = tempfile::tempdir().unwrap();
    let variables = |hook: &CommandHook, payload: &Payload| -> BTreeSet<String> {
        reason(hook, payload).lines().map(str::to_owned).collect()
    };
    let set = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<BTreeSet<_>>();
    // `env` prints its environment, and the shell only turns that into a denial.
    let hook = CommandHook::new(list(&[
        "/usr/bin/env",
        "sh",
        "-c",
        "tr '\\0' '\\n' < /proc/$$/environ >&2; exit 2",
    ]))
    .environment([("PATH".into(), "/usr/bin:/bin".into()), ("WANTED".into(), "yes".into())]);
    assert!(std::env::vars_os().any(|(name, _)| name != "PATH"), "the test has something to hide");

    assert_eq!(
        variables(&hook, &event(EventName::Stop)),
        set(&["PATH=/usr/bin:/bin", "WANTED=yes", "HOOK_EVENT=Stop"])
    );
    let mut payload = payload_in(config.path());
    payload.session.project_dir = Some("/project".into());
    let hook = hook.config_dir(config.path());
    let directory = format!("HOOK_CONFIG_DIR={}", config.path().display());
    assert_eq!(
        variables(&hook, &payload),
        set(&[
            "PATH=/usr/bin:/bin",
            "WANTED=yes",
            "HOOK_EVENT=PreToolUse",
            "HOOK_TOOL_NAME=Write",
            "CLAUDE_PROJECT_DIR=/project",
            &directory,
        ])
    );
    let hook = hook.environment([
        ("CLAUDE_PROJECT_DIR".into(), "/given".into()),
        ("HOOK_EVENT".into(), "forged".into()),
        ("PATH".into(), "/usr/bin:/bin".into()),
    ]);
    let found = variables(&hook, &payload);
    assert!(found.contains("CLAUDE_PROJECT_DIR=/given") && found.contains("HOOK_EVENT=PreToolUse"));
}

#[test]
fn the_name_is_the_given_one_or_the_command() {
    assert_eq!(CommandHook::new(list(&["a", "b c"])).name(), "a b c");
    assert_eq!(CommandHook::new(Program::Shell("a | b".into())).name(), "a | b");
    assert_eq!(CommandHook::new(list(&[])).named("n").name(), "n");
}

#[test]
fn debug_output_contains_no_secret() {
    let hook = CommandHook::new(list(&["a"])).environment([("KEY".into(), "hunter2".into())]);
    let text = format!("{hook:?}");
    assert!(text.contains("KEY") && !text.contains("hunter2"), "{text}");
}
