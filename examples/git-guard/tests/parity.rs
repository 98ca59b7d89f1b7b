//! Gives the same commands to both hooks, in the same pipeline.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use checkrein_harness::{
    Ending, Entry, EventName, Output, Pipeline, Role, Running, Session, ToolError, ToolSpec, Tools,
    checkrein::{
        ToolCall,
        exec::{CommandHook, Program},
    },
};
use serde_json::json;

/// A shell that runs nothing.
struct Shell(std::sync::Arc<ToolSpec>);

impl Tools for Shell {
    fn tool(&self, _: &str) -> Option<std::sync::Arc<ToolSpec>> {
        Some(std::sync::Arc::clone(&self.0))
    }

    async fn run(&self, _: &ToolCall, _: &Running) -> Result<Output, ToolError> {
        Ok("ran".into())
    }
}

fn shell() -> Shell {
    Shell(ToolSpec::unchecked("run_shell").into())
}

fn typed() -> Pipeline<Shell> {
    Pipeline::builder(shell()).hook(git_guard::hook()).build().unwrap()
}

fn scripted() -> Pipeline<Shell> {
    let path = std::env::var_os("PATH").unwrap();
    let program = Program::List(vec![git_guard::script().to_str().unwrap().to_owned()]);
    let hook = CommandHook::new(program).named("git-guard").environment([("PATH".into(), path)]);
    Pipeline::builder(shell())
        .hook(Entry::new(EventName::PreToolUse, hook).with_role(Role::Judge))
        .build()
        .unwrap()
}

async fn answer(pipeline: &Pipeline<Shell>, command: &str) -> Option<String> {
    let call = ToolCall::new("run_shell", json!({ "command": command }).as_object().unwrap().clone());
    let report = pipeline.handle(Session::default()).call(call).await;
    match report.ending {
        Ending::Ran => None,
        Ending::Denied => Some(report.output.text().to_owned()),
        other => panic!("{command}: {other:?}: {}", report.output.text()),
    }
}

/// Denied options of each verb, and their harmless twins.
const DENIED: &[&str] = &[
    "git checkout -- notes.md",
    "git restore notes.md",
    "git reset --hard v2",
    "git reset --merge",
    "git clean -xdf build",
    "git clean --force",
    "git push --force mirror topic",
    "git push -f",
    "git branch -D topic",
    "git stash drop stash@{1}",
    "git stash clear",
    "git commit --no-verify -m wip",
    "git push --no-verify",
    "cd sub && git reset --hard",
    "git status; sudo git clean -f",
    "git log\ngit stash clear",
    "(git push -f)",
    "\"git\" 'push' \"--force\"",
];
const FREE: &[&str] = &[
    "git checkout -b topic",
    "git checkout --orphan pages",
    "git restore --staged notes.md",
    "git reset --soft v2",
    "git clean -n",
    "git clean -nf",
    "git clean --force --dry-run",
    "git push --force-with-lease mirror topic",
    "git branch -d topic",
    "git branch --list",
    "git stash",
    "git stash list",
    "git commit -m \"one; two\"",
    "git",
    "ls -f",
    "echo done | tee log",
    "grep -F push notes.md",
    "",
];

#[tokio::test]
async fn both_say_the_same() {
    let (typed, scripted) = (typed(), scripted());
    for (commands, denied) in [(DENIED, true), (FREE, false)] {
        for command in commands {
            let expected = answer(&typed, command).await;
            assert_eq!(expected.is_some(), denied, "{command}: {expected:?}");
            assert_eq!(answer(&scripted, command).await, expected, "{command}");
        }
    }
}

/// Neither hook understands quotes, which is why the built-in judge is not a word reader.
#[tokio::test]
async fn both_are_fooled_by_a_mention_and_by_a_variable() {
    let (typed, scripted) = (typed(), scripted());
    for pipeline in [&typed, &scripted] {
        assert!(answer(pipeline, "echo 'first; git stash clear'").await.is_some());
        assert!(answer(pipeline, "f=--force; git push $f").await.is_none());
    }
}

/// The hooks differ on an unexpected payload: the typed hook fails, which denies; the script finds no
/// command in it and has no opinion.
#[tokio::test]
async fn only_the_typed_one_notices_that_it_cannot_read_a_call() {
    let call =
        || ToolCall::new("run_shell", json!({"command": ["git", "push", "-f"]}).as_object().unwrap().clone());
    let report = typed().handle(Session::default()).call(call()).await;
    assert_eq!(report.ending, Ending::Denied);
    assert!(report.output.text().contains("cannot read the input"), "{report:?}");
    assert_eq!(scripted().handle(Session::default()).call(call()).await.ending, Ending::Ran);
}
