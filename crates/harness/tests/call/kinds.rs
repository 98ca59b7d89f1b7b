//! A tool that runs something is judged, whatever it is called.

use crate::desk::map;
use checkrein_harness::{
    Ending, NoteKind, Output, Pipeline, Report, Running, Session, ToolError, ToolKind, ToolSpec, Tools,
    checkrein::ToolCall,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// One tool that only says that it ran.
struct One(Arc<ToolSpec>);

impl Tools for One {
    fn tool(&self, name: &str) -> Option<Arc<ToolSpec>> {
        (name == self.0.name()).then(|| Arc::clone(&self.0))
    }

    async fn run(&self, _: &ToolCall, _: &Running) -> Result<Output, ToolError> {
        Ok("ran".into())
    }
}

fn guarded(spec: ToolSpec) -> checkrein_harness::Handle<One> {
    let pipeline = Pipeline::builder(One(spec.into())).guard().build().unwrap();
    pipeline.handle(Session { cwd: Some("/srv/project".into()), ..Session::default() })
}

async fn called(spec: ToolSpec, input: Value) -> Report {
    let name = spec.name().to_owned();
    guarded(spec).call(ToolCall::new(name, map(input))).await
}

const PYTHON: &str = "import shutil\nshutil.rmtree('/home')";
const JAVASCRIPT: &str = "require('fs').rmSync('/home', {recursive: true, force: true})";

#[tokio::test]
async fn a_shell_by_another_name_is_judged() {
    let names = [
        "execute_command",
        "terminal",
        "run_terminal_cmd",
        "local_shell",
        "execute_bash",
        "bash_tool",
        "run_shell_command",
        "shell_exec",
        "do_it",
        "ops_helper",
        "mcp__box__shell",
    ];
    for name in names {
        let harmful = called(ToolSpec::unchecked(name), json!({"command": "rm -rf /home"})).await;
        assert_eq!(harmful.ending, Ending::Denied, "{name}");
        let harmless = called(ToolSpec::unchecked(name), json!({"command": "git status"})).await;
        assert_eq!(harmless.ending, Ending::Ran, "{name}");
        let wrapped = called(ToolSpec::unchecked(name), json!({"command": "sh -c 'rm -rf /home'"})).await;
        assert_eq!(wrapped.ending, Ending::Denied, "{name}");
    }
}

#[tokio::test]
async fn code_is_judged_in_the_language_of_the_tool() {
    for (spec, input, denied) in [
        (ToolSpec::unchecked("python_repl"), json!({"code": PYTHON}), true),
        (ToolSpec::unchecked("python_repl"), json!({"code": "print(sum(range(10)))"}), false),
        (ToolSpec::unchecked("code_interpreter"), json!({"language": "python", "code": PYTHON}), true),
        (ToolSpec::unchecked("code_interpreter"), json!({"code": JAVASCRIPT}), true),
        (ToolSpec::unchecked("node_repl"), json!({"source": JAVASCRIPT}), true),
        (ToolSpec::unchecked("compute").with_kind(ToolKind::Python), json!({"q": PYTHON}), true),
        (ToolSpec::unchecked("compute").with_kind(ToolKind::Python), json!({"q": "print(1)"}), false),
        (ToolSpec::unchecked("compute").with_kind(ToolKind::JavaScript), json!({"q": JAVASCRIPT}), true),
        (ToolSpec::unchecked("compute").with_kind(ToolKind::JavaScript), json!({"q": "1 + 1"}), false),
        (ToolSpec::unchecked("anything"), json!({"code": PYTHON}), true),
        (ToolSpec::unchecked("anything"), json!({"script": "rm -rf /home"}), true),
    ] {
        let name = format!("{spec:?} {input}");
        let report = called(spec, input).await;
        assert_eq!(report.ending == Ending::Denied, denied, "{name}: {report:?}");
    }
}

#[tokio::test]
async fn an_editor_with_commands_of_its_own_is_judged_by_its_file() {
    for name in ["str_replace_based_edit_tool", "str_replace_editor"] {
        let profile = json!({"command": "create", "path": "/etc/passwd", "file_text": "x"});
        assert_ne!(called(ToolSpec::unchecked(name), profile).await.ending, Ending::Ran, "{name}");
        let source = json!({"command": "view", "path": "/srv/project/src/main.rs"});
        assert_eq!(called(ToolSpec::unchecked(name), source).await.ending, Ending::Ran, "{name}");
    }
}

#[tokio::test]
async fn the_kind_that_the_author_gives_counts() {
    let spec = || ToolSpec::unchecked("go").with_kind(ToolKind::Shell);
    assert_eq!(called(spec(), json!({"cmd": "rm -rf /home"})).await.ending, Ending::Denied);
    assert_eq!(called(spec(), json!({"cmd": "ls"})).await.ending, Ending::Ran);
    // A shell whose command has another name is not understood, and says so.
    let report = called(spec(), json!({"line": "ls"})).await;
    assert_eq!(report.ending, Ending::Denied);
    assert!(report.output.text().contains("`command` is missing"), "{}", report.output.text());
}

#[tokio::test]
async fn an_assumption_about_a_tool_is_told_once() {
    let notices = |report: &Report| -> Vec<String> {
        report.notes_of(NoteKind::Notice).map(|note| note.text.clone()).collect()
    };
    let agent = guarded(ToolSpec::unchecked("do_it"));
    let call = || ToolCall::new("do_it", map(json!({"command": "ls"})));
    let first = agent.call(call()).await;
    assert_eq!(
        notices(&first),
        ["the kind of the tool `do_it` is not known; its `command` is judged as that of a shell tool \
          (`ToolSpec::with_kind` sets the kind)"]
    );
    assert_eq!(notices(&agent.call(call()).await), [""; 0]);
    let known = called(ToolSpec::unchecked("bash"), json!({"command": "ls"})).await;
    assert_eq!(notices(&known), [""; 0]);
    let said =
        called(ToolSpec::unchecked("do_it").with_kind(ToolKind::Other), json!({"command": "ls"})).await;
    assert_eq!(notices(&said), [""; 0]);
}
