//! Runs the cases of `corpus/doors` through the harness. The program and the Python package run the same cases.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_harness::{
    Approval, Ending, Handle, Map, NoteKind, Output, Pipeline, Report, Request, Running, Session, ToolError,
    ToolSpec, Tools,
    checkrein::{Decision, Places, ToolCall},
    policy,
};
use checkrein_testkit::doors::{self, Case, Heard, Seen};
use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
};

/// A shell that runs nothing.
struct Shell(Arc<ToolSpec>, String);

impl Tools for Shell {
    fn tool(&self, name: &str) -> Option<Arc<ToolSpec>> {
        (name == self.0.name()).then(|| Arc::clone(&self.0))
    }

    async fn run(&self, _: &ToolCall, _: &Running) -> Result<Output, ToolError> {
        Ok(self.1.as_str().into())
    }
}

/// Returns a pipeline over the layers of a home directory, or their errors.
fn pipeline(home: &Path, case: &Case, remarks: &Arc<Mutex<Vec<String>>>) -> Result<Handle<Shell>, String> {
    let flag = case.flag.as_ref().map(|_| home.join("flag.toml"));
    built(home, flag.as_deref(), &case.tool, "done", remarks)
}

/// Returns a pipeline whose tool is called `tool` and prints `result`.
fn built(
    home: &Path,
    flag: Option<&Path>,
    tool: &str,
    result: &str,
    remarks: &Arc<Mutex<Vec<String>>>,
) -> Result<Handle<Shell>, String> {
    let project = home.join("project");
    let variable = |name: &str| (name == "HOME").then(|| home.as_os_str().to_owned());
    let places = Places::of(variable).project(&project).flag(flag);
    let keep = Arc::clone(remarks);
    let built = Pipeline::builder(Shell(ToolSpec::unchecked(tool).into(), result.to_owned()))
        .remarks(move |text: &str| keep.lock().unwrap().push(text.to_owned()))
        .approver(policy(|_: &Request<'_>| Approval::No(None)))
        .layers(&places)
        .map_err(|problems| problems.to_string())?
        .build()
        .unwrap();
    let session = Session {
        id: Some("doors".into()),
        cwd: Some(project.to_str().unwrap().to_owned()),
        ..Session::default()
    };
    Ok(built.handle(session))
}

fn seen(report: &Report, remarks: &Arc<Mutex<Vec<String>>>) -> Seen {
    let allowed =
        |report: &Report| report.notes.iter().any(|note| note.kind == NoteKind::Reason(Decision::Allow));
    let decision = match &report.ending {
        Ending::Ran if allowed(report) => "allow",
        Ending::Ran => "abstain",
        Ending::NotApproved => "ask",
        Ending::Denied => "deny",
        other => panic!("{other:?}"),
    };
    let said = report.notes.iter().map(|note| Heard { hook: note.hook.clone(), text: note.text.clone() });
    Seen::Decided {
        decision: decision.to_owned(),
        said: said.collect(),
        remarks: remarks.lock().unwrap().clone(),
    }
}

#[tokio::test]
async fn the_harness_says_what_the_others_say() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/doors/cases.json");
    let mut wrong = Vec::new();
    for case in doors::load(&corpus).unwrap() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("project/.git")).unwrap();
        case.lay_out(home.path(), &checkrein::today().after(7).to_string()).unwrap();
        let remarks = Arc::default();
        let (first, second) = match pipeline(home.path(), &case, &remarks) {
            Err(why) => (Seen::Broken(why.clone()), Seen::Broken(why)),
            Ok(agent) => {
                let call = || {
                    let mut input = Map::new();
                    input.insert(case.argument.clone(), case.command.as_str().into());
                    ToolCall::new(case.tool.as_str(), input)
                };
                let first = agent.call(call()).await;
                let second = agent.call(call()).await;
                (seen(&first, &remarks), seen(&second, &remarks))
            }
        };
        wrong.extend(case.compare(&first, &second));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn the_harness_shows_results_like_the_others() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/doors/results.json");
    let mut wrong = Vec::new();
    for case in doors::load_results(&corpus).unwrap() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("project/.git")).unwrap();
        case.lay_out(home.path()).unwrap();
        let agent = built(home.path(), None, "Bash", &case.result, &Arc::default()).unwrap();
        let mut input = Map::new();
        input.insert("command".into(), case.command.as_str().into());
        let report = agent.call(ToolCall::new("Bash", input)).await;
        let text = report.output.text();
        wrong.extend(case.compare(if report.withheld { Err(text) } else { Ok(text) }));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
