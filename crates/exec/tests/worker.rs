//! Python functions, with real interpreters.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use checkrein_core::{Deadline, Decision, Edit, Failure, Hook, Payload, Verdict};
use checkrein_exec::{Callable, CommandHook, Cwd, Program, Workers};
use common::{LONG, SHORT, payload};
use std::{fs, sync::Arc};
use tempfile::TempDir;

const HOOKS: &str = r#"
import asyncio, os, sys, threading, time
from dataclasses import dataclass
from typing import Optional

calls = 0

@dataclass
class Decision:
    decision: str = "allow"
    reason: Optional[str] = None
    rewrite_args: Optional[dict] = None

def silent(payload): return None
def word(payload): return "deny"
def wrong_word(payload): return "never"
def fields(payload): return {"decision": "ask", "reason": payload["tool_name"]}
def decided(payload): return Decision("deny", "by a class")
def edits(payload): return {"rewrite_args": {"content": "y"}}
def a_list(payload): return [1]
def not_json(payload): return {"decision": "deny", "reason": {1, 2}}
def raises(payload): raise ValueError("two\nlines")
def exits(payload): sys.exit(3)
def dies(payload):
    print("last words", file=sys.stderr, flush=True)
    os._exit(7)
def sleeps(payload): time.sleep(600)
def prints(payload):
    print("x" * 100_000)
    os.system("echo from a child")
    print("noise", file=sys.stderr)
    return input_or(payload)
def input_or(payload):
    try:
        input()
    except EOFError:
        return "ask"
async def waits(payload):
    await asyncio.sleep(0.001)
    return "deny"
def counts(payload):
    global calls
    calls += 1
    return {"reason": str(calls)}
def who(payload): return {"reason": str(os.getpid())}
def surroundings(payload):
    names = ("HOOK_EVENT", "HOOK_TOOL_NAME", "HOOK_CONFIG_DIR", "SECRET")
    return {"reason": "|".join([os.getcwd(), *(str(os.environ.get(name)) for name in names)])}
class Group:
    @staticmethod
    def method(payload): return "deny"
number = 5
"#;

struct Hooks {
    directory: TempDir,
    workers: Workers,
}

impl Hooks {
    fn new() -> Self {
        let directory = TempDir::new().unwrap();
        fs::write(directory.path().join("hooks.py"), HOOKS).unwrap();
        fs::write(directory.path().join("broken.py"), "import no_such_module_anywhere\n").unwrap();
        Self { directory, workers: Workers::default() }
    }

    fn hook(&self, path: &str) -> Arc<dyn Hook> {
        self.workers.hook(self.command(Callable::new(path)))
    }

    fn command(&self, callable: Callable) -> CommandHook {
        let path = std::env::var_os("PATH").unwrap();
        let directory = self.directory.path().canonicalize().unwrap();
        CommandHook::new(Program::Callable(callable))
            .config_dir(directory)
            .cwd(Cwd::Config)
            .environment([("PATH".into(), path)])
    }

    fn ask(&self, function: &str) -> Result<Verdict, Failure> {
        self.ask_about(function, &payload(10))
    }

    fn ask_about(&self, function: &str, payload: &Payload) -> Result<Verdict, Failure> {
        self.hook(&format!("hooks:{function}")).call(payload, Deadline::after(LONG))
    }

    fn reason(&self, function: &str) -> String {
        self.ask(function).unwrap().reason.unwrap()
    }
}

#[test]
fn every_form_of_answer() {
    let hooks = Hooks::new();
    let decision = |function: &str| hooks.ask(function).unwrap().decision;
    assert_eq!(hooks.ask("silent"), Ok(Verdict::abstain()));
    assert_eq!(decision("word"), Decision::Deny);
    assert_eq!(decision("waits"), Decision::Deny);
    assert_eq!(decision("Group.method"), Decision::Deny);
    assert_eq!(hooks.ask("fields"), Ok(Verdict::ask("Write")));
    assert_eq!(hooks.ask("decided"), Ok(Verdict::deny("by a class")));
    let Some(Edit::MergeInput(changes)) = hooks.ask("edits").unwrap().edit else { panic!("no edit") };
    assert_eq!(changes["content"], "y");
}

#[test]
fn every_failure_has_a_clear_message() {
    let hooks = Hooks::new();
    let text =
        |path: &str| hooks.hook(path).call(&payload(10), Deadline::after(LONG)).unwrap_err().to_string();
    assert_eq!(text("hooks:raises"), "ValueError: two lines (hooks.py, line 22)");
    assert_eq!(text("hooks:exits"), "SystemExit: 3 (hooks.py, line 23)");
    assert_eq!(text("hooks:dies"), "exited with code 7: last words");
    assert_eq!(text("hooks:missing"), "`hooks` has no `missing`");
    assert_eq!(text("hooks:number"), "`hooks:number` is not a function");
    assert_eq!(text("hooks:a_list"), "a hook returns None, a decision, a dict or a Verdict, not `list`");
    assert_eq!(text("hooks:not_json"), "the answer is not JSON: Object of type set is not JSON serializable");
    assert!(text("hooks:wrong_word").starts_with("bad answer: unknown decision `never`"));
    let missing = text("nowhere:f");
    assert!(
        missing.starts_with("cannot import `nowhere`: ModuleNotFoundError: No module named 'nowhere'"),
        "{missing}"
    );
    let broken = text("broken:f");
    assert!(broken.contains("No module named 'no_such_module_anywhere' (broken.py, line 1)"), "{broken}");
}

#[test]
fn an_interpreter_that_is_missing() {
    let hooks = Hooks::new();
    let ask = |python: &str| {
        let callable = Callable { python: python.to_owned(), ..Callable::new("hooks:silent") };
        let hook = hooks.workers.hook(hooks.command(callable));
        hook.call(&payload(0), Deadline::after(LONG)).unwrap_err().to_string()
    };
    let directory = hooks.directory.path().canonicalize().unwrap();
    assert_eq!(
        ask(".venv/bin/python"),
        format!("cannot start: `{}/.venv/bin/python` does not exist", directory.display())
    );
    assert_eq!(ask("no-such-python"), "cannot start: `no-such-python` is in no absolute directory of PATH");
}

#[test]
fn hooks_share_an_interpreter_that_stays() {
    let hooks = Hooks::new();
    let first = hooks.reason("who");
    assert_eq!(hooks.reason("who"), first);
    assert_eq!(hooks.reason("counts"), "1");
    assert_eq!(hooks.reason("counts"), "2");
    // A failure of the function is not a failure of the interpreter.
    assert!(hooks.ask("raises").is_err());
    assert_eq!(hooks.reason("counts"), "3");
}

#[test]
fn one_that_dies_or_hangs_is_replaced() {
    let hooks = Hooks::new();
    let first = hooks.reason("who");
    assert!(hooks.ask("dies").is_err());
    let second = hooks.reason("who");
    assert_ne!(first, second);
    let hang = hooks.hook("hooks:sleeps").call(&payload(0), Deadline::after(SHORT));
    assert_eq!(hang, Err(Failure::TimedOut { after: SHORT }));
    assert!(common::eventually(|| common::alive(second.parse().unwrap()).is_empty()));
    assert_ne!(hooks.reason("who"), second);
}

#[test]
fn a_functions_own_input_and_output_do_not_disturb_the_protocol() {
    let hooks = Hooks::new();
    for _ in 0..3 {
        assert_eq!(hooks.ask("prints").unwrap().decision, Decision::Ask);
    }
}

#[test]
fn large_payloads_arrive_completely() {
    let hooks = Hooks::new();
    for size in [0, 70_000, 3_000_000] {
        assert_eq!(hooks.ask_about("fields", &payload(size)), Ok(Verdict::ask("Write")), "{size}");
    }
}

#[test]
fn directory_and_variables_are_those_of_a_command() {
    let hooks = Hooks::new();
    let directory = hooks.directory.path().canonicalize().unwrap();
    let directory = directory.display();
    assert_eq!(hooks.reason("surroundings"), format!("{directory}|PreToolUse|Write|{directory}|None"));
}

#[test]
fn nothing_is_imported_from_the_working_directory() {
    let hooks = Hooks::new();
    let elsewhere = TempDir::new().unwrap();
    fs::write(elsewhere.path().join("stray.py"), "def f(payload): return 'deny'\n").unwrap();
    let hook = hooks.workers.hook(hooks.command(Callable::new("stray:f")).cwd(Cwd::Session));
    let failure = hook.call(&common::payload_in(elsewhere.path()), Deadline::after(LONG)).unwrap_err();
    assert!(failure.to_string().starts_with("cannot import `stray`"), "{failure}");
}

#[test]
fn many_threads_call_in_parallel() {
    let hooks = Hooks::new();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(hooks.ask("fields"), Ok(Verdict::ask("Write")));
                }
            });
        }
    });
}

#[test]
fn an_unneeded_interpreter_exits() {
    let hooks = Hooks::new();
    let id: i32 = hooks.reason("who").parse().unwrap();
    assert!(!common::alive(id).is_empty());
    drop(hooks);
    assert!(common::eventually(|| common::alive(id).is_empty()));
}

#[test]
fn as_a_command_it_answers_once() {
    let hooks = Hooks::new();
    let ask = |function: &str| {
        let hook = hooks.command(Callable::new(format!("hooks:{function}")));
        hook.call(&payload(3), Deadline::after(LONG))
    };
    assert_eq!(ask("silent"), Ok(Verdict::abstain()));
    assert_eq!(ask("fields"), Ok(Verdict::ask("Write")));
    assert_eq!(ask("prints").unwrap().decision, Decision::Ask);
    let failure = ask("raises").unwrap_err().to_string();
    assert_eq!(failure, "exited with code 1: ValueError: two lines (hooks.py, line 22)");
}
