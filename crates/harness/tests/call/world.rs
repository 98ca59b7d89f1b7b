//! Judges that look at the world see what is there when the call starts.

use crate::desk::map;
use checkrein_harness::{
    Approval, Ending, EventName, Handle, Output, Payload, Pipeline, Request, Running, Session, ToolError,
    ToolKind, ToolSpec, Tools, Verdict, call, checkrein::ToolCall, on, on_async, policy,
};
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// A fake shell over a scratch directory: it knows one command, which replaces a link, and runs nothing else.
struct Shell {
    spec: Arc<ToolSpec>,
    directory: PathBuf,
    ran: Arc<Mutex<Vec<String>>>,
    now: AtomicUsize,
    most: Arc<AtomicUsize>,
}

impl Tools for Shell {
    fn tool(&self, _: &str) -> Option<Arc<ToolSpec>> {
        Some(Arc::clone(&self.spec))
    }

    async fn run(&self, call: &ToolCall, _: &Running) -> Result<Output, ToolError> {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        // A real command takes a while before it has an effect.
        tokio::time::sleep(Duration::from_millis(30)).await;
        let command = call.text("command").unwrap_or_default();
        self.ran.lock().unwrap().push(command.to_owned());
        if let Some(rest) = command.strip_prefix("ln -sfn ") {
            let (target, link) = rest.split_once(' ').ok_or("two paths")?;
            let link = self.directory.join(link);
            let _ = std::fs::remove_file(&link);
            std::os::unix::fs::symlink(self.directory.join(target), link)?;
        }
        self.now.fetch_sub(1, Ordering::SeqCst);
        Ok("done".into())
    }
}

struct Scene {
    _directory: tempfile::TempDir,
    project: PathBuf,
    ran: Arc<Mutex<Vec<String>>>,
    most: Arc<AtomicUsize>,
}

impl Scene {
    /// A project with a directory `build`, next to a directory `precious` that is outside it.
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let project = directory.path().join("project");
        std::fs::create_dir_all(project.join(".git")).unwrap();
        std::fs::create_dir_all(project.join("out")).unwrap();
        std::fs::create_dir_all(directory.path().join("precious/data")).unwrap();
        std::os::unix::fs::symlink(project.join("out"), project.join("build")).unwrap();
        Self { project, ran: Arc::default(), most: Arc::default(), _directory: directory }
    }

    fn shell(&self, spec: ToolSpec) -> Shell {
        Shell {
            spec: spec.into(),
            directory: self.project.clone(),
            ran: Arc::clone(&self.ran),
            now: AtomicUsize::new(0),
            most: Arc::clone(&self.most),
        }
    }

    fn session(&self) -> Session {
        let here = |path: &Path| Some(path.to_str().unwrap().to_owned());
        Session { cwd: here(&self.project), project_dir: here(&self.project), ..Session::default() }
    }

    fn ran(&self) -> Vec<String> {
        self.ran.lock().unwrap().clone()
    }
}

/// A judge that lets nothing be emptied through a link which leads out of the project.
fn inside(project: &Path) -> checkrein_harness::Registration {
    let project = project.to_owned();
    on(EventName::PreToolUse, "inside", move |payload: &Payload| {
        let command = payload.event.call().and_then(|call| call.text("command")).unwrap_or_default();
        let Some(link) = command.strip_prefix("rm -rf ") else { return Verdict::abstain() };
        let target = project.join(link.trim_end_matches("/*")).canonicalize();
        match target.is_ok_and(|target| target.starts_with(project.canonicalize().unwrap())) {
            true => Verdict::abstain(),
            false => Verdict::deny("this leads out of the project"),
        }
    })
    .judge()
}

const RELINK: &str = "ln -sfn ../precious build";
const EMPTY: &str = "rm -rf build/*";

fn two() -> [checkrein_harness::Call; 2] {
    [RELINK, EMPTY].map(|command| call("Bash", json!({"command": command})))
}

async fn endings(agent: &Handle<Shell>) -> Vec<Ending> {
    agent.batch(two()).await.reports.into_iter().map(|report| report.ending).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_is_judged_by_what_the_calls_before_it_left() {
    let scene = Scene::new();
    let pipeline =
        Pipeline::builder(scene.shell(ToolSpec::unchecked("Bash"))).hook(inside(&scene.project).waits());
    let agent = pipeline.build().unwrap().handle(scene.session());
    assert_eq!(endings(&agent).await, [Ending::Ran, Ending::Denied]);
    assert_eq!(scene.ran(), [RELINK]);
    // By itself the call is fine as long as the link leads into the project.
    let fresh = Scene::new();
    let pipeline =
        Pipeline::builder(fresh.shell(ToolSpec::unchecked("Bash"))).hook(inside(&fresh.project).waits());
    let agent = pipeline.build().unwrap().handle(fresh.session());
    assert_eq!(agent.call(call("Bash", json!({"command": EMPTY}))).await.ending, Ending::Ran);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_guard_judges_the_second_call_by_the_link_that_the_first_one_made() {
    let scene = Scene::new();
    let home = scene.project.parent().unwrap().join("precious");
    // The home directory is what must not be lost. Nothing here runs the command.
    let relink = format!("ln -sfn {} build", std::env::var("HOME").unwrap_or(home.display().to_string()));
    let agent = Pipeline::builder(scene.shell(ToolSpec::unchecked("Bash")))
        .guard()
        .build()
        .unwrap()
        .handle(scene.session());
    let calls = [relink.as_str(), EMPTY].map(|command| call("Bash", json!({"command": command})));
    let batch = agent.batch(calls).await;
    let endings: Vec<&Ending> = batch.reports.iter().map(|report| &report.ending).collect();
    assert_eq!(endings[0], &Ending::Ran, "{:?}", batch.reports[0].output);
    assert_ne!(endings[1], &Ending::Ran, "{:?}", batch.reports[1].output);
    assert_eq!(scene.ran(), [relink]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_serial_pipeline_each_call_is_judged_after_the_one_before_it_ran() {
    let scene = Scene::new();
    // The judge only computes as far as the pipeline knows, so it is called once.
    let pipeline = Pipeline::builder(scene.shell(ToolSpec::unchecked("Bash"))).hook(inside(&scene.project));
    let agent = pipeline.serial().build().unwrap().handle(scene.session());
    assert_eq!(endings(&agent).await, [Ending::Ran, Ending::Denied]);
    assert_eq!(scene.most.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_only_read_and_calls_without_a_watching_judge_run_at_once() {
    async fn look(_: &Payload) -> Verdict {
        Verdict::abstain()
    }
    let watched = || on_async(EventName::PreToolUse, "look", look).judge();
    for (spec, hook, together) in [
        (ToolSpec::unchecked("go"), watched(), false),
        (ToolSpec::unchecked("go").with_kind(ToolKind::Search), watched(), true),
        (ToolSpec::unchecked("go").read_only(), watched(), true),
        (ToolSpec::unchecked("go"), watched().ignores_world(), true),
        (ToolSpec::unchecked("go"), watched().only(&["other"]), true),
        (ToolSpec::unchecked("go"), watched().observe(), true),
    ] {
        let scene = Scene::new();
        let about = format!("{spec:?} {hook:?}");
        let pipeline = Pipeline::builder(scene.shell(spec)).hook(hook).build().unwrap();
        let batch = pipeline.handle(scene.session()).batch((0..4).map(|_| call("go", json!({})))).await;
        assert!(batch.reports.iter().all(|report| report.ending == Ending::Ran), "{about}: {batch:?}");
        let most = scene.most.load(Ordering::SeqCst);
        assert_eq!(most > 1, together, "{about}: {most} at once");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn judging_again_asks_the_user_only_about_what_is_new() {
    let scene = Scene::new();
    let times = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&times);
    let worried = on(EventName::PreToolUse, "worried", move |payload: &Payload| {
        let command = payload.event.call().and_then(|call| call.text("command")).unwrap_or_default();
        let time = seen.fetch_add(1, Ordering::SeqCst);
        match command {
            "same" => Verdict::ask("sure?"),
            "new" => Verdict::ask(format!("sure the {time}. time?")),
            _ => Verdict::abstain(),
        }
    })
    .judge()
    .waits();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&asked);
    let agent = Pipeline::builder(scene.shell(ToolSpec::unchecked("go")))
        .hook(worried)
        .approver(policy(move |request: &Request<'_>| {
            keep.lock().unwrap().push(request.reasons[0].text.to_owned());
            Approval::Yes
        }))
        .build()
        .unwrap()
        .handle(scene.session());
    let calls = ["first", "same", "new"].map(|command| call("go", json!({"command": command})));
    let batch = agent.batch(calls).await;
    assert!(batch.reports.iter().all(|report| report.ending == Ending::Ran), "{batch:?}");
    assert_eq!(times.load(Ordering::SeqCst), 5, "the first call is judged once");
    assert_eq!(*asked.lock().unwrap(), ["sure?", "sure the 2. time?", "sure the 4. time?"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_permission_that_the_world_gave_is_asked_for_again_when_the_world_changed() {
    let scene = Scene::new();
    let link = scene.project.join("build");
    let here = scene.project.join("out");
    let fine = on(EventName::PreToolUse, "fine", move |_: &Payload| {
        if link.canonicalize().ok() == here.canonicalize().ok() {
            Verdict::allow()
        } else {
            Verdict::abstain()
        }
    })
    .judge()
    .may_allow()
    .waits();
    let agent = Pipeline::builder(scene.shell(ToolSpec::unchecked("Bash").needs_approval()))
        .hook(fine)
        .build()
        .unwrap()
        .handle(scene.session());
    assert_eq!(endings(&agent).await, [Ending::Ran, Ending::NotApproved]);
}

#[tokio::test]
async fn an_editor_is_not_called_again() {
    let scene = Scene::new();
    let append = on(EventName::PreToolUse, "append", |payload: &Payload| {
        let command = payload.event.call().and_then(|call| call.text("command")).unwrap_or_default();
        Verdict::rewrite(map(json!({"command": format!("{command}!")})))
    })
    .waits();
    let agent = Pipeline::builder(scene.shell(ToolSpec::unchecked("go"))).hook(append).build().unwrap();
    let calls = ["a", "b"].map(|command| call("go", json!({"command": command})));
    let batch = agent.handle(scene.session()).batch(calls).await;
    assert!(batch.reports.iter().all(|report| report.ending == Ending::Ran), "{batch:?}");
    assert_eq!(scene.ran(), ["a!", "b!"]);
}
