//! The six tools. Each is an async function; hooks, approval and limits are not their job.

use crate::{
    agent::{Agent, Ended},
    model::Model,
};
use checkrein_harness::{
    EventDecision, Pipeline, Running, SchemaError, ToolError, ToolSpec, Toolbox, WeakPipeline, tool_fn,
};
use rustix::process::{Pid, Signal, kill_process_group};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};
use tokio::{
    fs,
    io::{AsyncRead, AsyncReadExt},
    process::Command,
};

/// The part of a file or stream that goes to the model, in bytes.
const MOST: usize = 64 * 1024;

/// The maximum depth of agents that start agents.
const MOST_DEPTH: usize = 2;

#[derive(Deserialize)]
struct AtPath {
    path: String,
}

#[derive(Deserialize)]
struct WriteFile {
    path: String,
    content: String,
}

#[derive(Deserialize)]
struct EditFile {
    path: String,
    old_string: String,
    new_string: String,
}

#[derive(Deserialize)]
struct RunShell {
    command: String,
}

#[derive(Deserialize)]
struct Task {
    task: String,
}

/// Returns all tools, working in `cwd`.
pub(crate) fn all(cwd: &Path, delegate: &Delegate) -> Result<Toolbox, SchemaError> {
    let cwd: Arc<Path> = cwd.into();
    let here = || Arc::clone(&cwd);
    let spec = |name: &str, about: &str, fields: &[&str]| {
        let properties: serde_json::Map<String, Value> =
            fields.iter().map(|field| ((*field).to_owned(), json!({"type": "string"}))).collect();
        let schema = json!({"type": "object", "properties": properties, "required": fields});
        ToolSpec::new(name, schema).map(|spec| spec.with_description(about))
    };
    let (read, write, edit, list, shell) = (here(), here(), here(), here(), here());
    let delegate = delegate.clone();
    Ok(Toolbox::new()
        .with(tool_fn(spec("read_file", "Read a text file.", &["path"])?, move |input: AtPath, _| {
            read_file(read.join(input.path))
        }))
        .with(tool_fn(
            spec("write_file", "Write a text file, replacing what is there.", &["path", "content"])?
                .needs_approval(),
            move |input: WriteFile, _| write_file(write.join(&input.path), input.content),
        ))
        .with(tool_fn(
            spec(
                "edit_file",
                "Replace a text that occurs once in a file.",
                &["path", "old_string", "new_string"],
            )?
            .needs_approval(),
            move |input: EditFile, _| edit_file(edit.join(&input.path), input.old_string, input.new_string),
        ))
        .with(tool_fn(spec("list_files", "List a directory.", &["path"])?, move |input: AtPath, _| {
            list_files(list.join(input.path))
        }))
        .with(tool_fn(
            spec("run_shell", "Run a command with sh.", &["command"])?.needs_approval(),
            move |input: RunShell, _| run_shell(Arc::clone(&shell), input.command),
        ))
        .with(tool_fn(
            // Its own steps have their own limits.
            spec("delegate", "Let another agent do a task of its own.", &["task"])?
                .with_timeout(Duration::from_secs(3600)),
            move |input: Task, running: Running| {
                let delegate = delegate.clone();
                async move { delegate.run(input.task, running).await }
            },
        )))
}

async fn read_file(path: PathBuf) -> Result<String, ToolError> {
    Ok(clipped(&fs::read(&path).await.map_err(|error| about(&path, &error))?))
}

async fn write_file(path: PathBuf, content: String) -> Result<String, ToolError> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory).await.map_err(|error| about(directory, &error))?;
    }
    fs::write(&path, &content).await.map_err(|error| about(&path, &error))?;
    Ok(format!("wrote {} bytes to {}", content.len(), path.display()))
}

async fn edit_file(path: PathBuf, old: String, new: String) -> Result<String, ToolError> {
    let text = fs::read_to_string(&path).await.map_err(|error| about(&path, &error))?;
    match text.matches(&old).count() {
        1 => {}
        count => {
            return Err(ToolError::new(format!("`old_string` must occur once, and occurs {count} times")));
        }
    }
    fs::write(&path, text.replacen(&old, &new, 1)).await.map_err(|error| about(&path, &error))?;
    Ok(format!("changed {}", path.display()))
}

async fn list_files(path: PathBuf) -> Result<String, ToolError> {
    let mut entries = fs::read_dir(&path).await.map_err(|error| about(&path, &error))?;
    let mut names = Vec::new();
    while let Some(entry) = entries.next_entry().await? {
        let slash = if entry.file_type().await.is_ok_and(|kind| kind.is_dir()) { "/" } else { "" };
        names.push(format!("{}{slash}", entry.file_name().to_string_lossy()));
    }
    names.sort();
    Ok(if names.is_empty() { "(empty)".into() } else { names.join("\n") })
}

async fn run_shell(cwd: Arc<Path>, command: String) -> Result<String, ToolError> {
    let mut child = Command::new("/bin/sh")
        .args(["-c", &command])
        .current_dir(cwd)
        // The model's commands must not see the API keys.
        .env_remove("OPENAI_API_KEY")
        .env_remove("ANTHROPIC_API_KEY")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    // A deadline or a cancellation drops this future, which kills everything that the command has started.
    let group = Group(child.id());
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (stdout, stderr) = tokio::join!(read(stdout), read(stderr));
    let status = child.wait().await?;
    group.leave();
    let exit = status.code().map_or_else(|| status.to_string(), |code| code.to_string());
    let text = format!("exit code: {exit}\nstdout:\n{stdout}\nstderr:\n{stderr}");
    if status.success() { Ok(text) } else { Err(text.into()) }
}

/// A process group that is killed when dropped, unless it was released.
struct Group(Option<u32>);

impl Group {
    fn leave(mut self) {
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let id = self.0.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(id) = id {
            // Fails only if the group is empty.
            let _ = kill_process_group(id, Signal::KILL);
        }
    }
}

/// Reads a stream up to the limit; the rest is read and discarded.
async fn read(stream: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut stream) = stream else { return String::new() };
    let (mut kept, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return clipped(&kept),
            Ok(count) if kept.len() <= MOST => kept.extend_from_slice(piece.get(..count).unwrap_or_default()),
            Ok(_) => {}
        }
    }
}

fn clipped(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes.get(..MOST).unwrap_or(bytes)).into_owned();
    if bytes.len() > MOST { format!("{text}\n[cut off after {MOST} bytes]") } else { text }
}

fn about(path: &Path, error: &std::io::Error) -> ToolError {
    ToolError::new(format!("{}: {error}", path.display()))
}

/// Starts agents that use the same pipeline, with their lineage: a hook that denies something to one denies
/// it to all.
#[derive(Clone)]
pub(crate) struct Delegate {
    model: Arc<Model>,
    max_steps: u32,
    /// Set once the pipeline exists, of which this tool is a part.
    pipeline: Arc<OnceLock<WeakPipeline<Toolbox>>>,
    started: Arc<AtomicU32>,
}

impl Delegate {
    pub(crate) fn new(model: Arc<Model>, max_steps: u32) -> Self {
        Self { model, max_steps, pipeline: Arc::default(), started: Arc::default() }
    }

    pub(crate) fn connect(&self, pipeline: &Pipeline<Toolbox>) {
        // Set once, when the pipeline is built.
        let _ = self.pipeline.set(pipeline.downgrade());
    }

    async fn run(self, task: String, running: Running) -> Result<String, ToolError> {
        let pipeline = self.pipeline.get().and_then(WeakPipeline::upgrade).ok_or("there is no pipeline")?;
        let parent = pipeline.handle_of(&running);
        if parent.agent().lineage.len() + usize::from(parent.agent().id.is_some()) >= MOST_DEPTH {
            return Err("agents may not be started so deep; do it yourself".into());
        }
        let number = self.started.fetch_add(1, Ordering::Relaxed) + 1;
        let child = parent.child(format!("agent-{number}"));
        if let EventDecision::Blocked { reason, .. } = child.subagent_starting(&task).await {
            return Err(ToolError::new(format!("the agent was not started: {reason}")));
        }
        let mut agent = Agent::new(child, self.model, self.max_steps, Vec::new());
        match Box::pin(agent.turn(task, &running.cancel)).await {
            Ended::Done => Ok(agent.last_words().unwrap_or("(the agent said nothing)").to_owned()),
            Ended::Refused(why) | Ended::Stopped(why) | Ended::ModelFailed(why) => Err(why.into()),
            Ended::TooManySteps => Err("the agent did not come to an end".into()),
            Ended::Cancelled => Err("cancelled".into()),
        }
    }
}
