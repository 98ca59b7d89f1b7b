//! A small coding agent: a model, six tools, and hooks around every call.
//!
//! It is the example for the harness. Start reading here: [`tools`] are plain async functions, [`agent`] is
//! the loop, [`hooks`] builds the pipeline, [`approval`] asks the user, [`model`] talks to a model,
//! [`store`] keeps conversations, [`view`] shows what happens.

#![forbid(unsafe_code)]

mod agent;
mod approval;
mod hooks;
mod model;
mod store;
mod tools;
mod view;

use agent::{Agent, Ended};
use approval::{Lines, Mode};
use checkrein_harness::{Cancel, Session};
use clap::Parser;
use model::{Backend, Model};
use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
};
use store::Store;
use tools::Delegate;

/// A small coding agent with hooks around every tool call
///
/// Exit codes: 0 the turn ended, 1 the model could not be reached, 2 wrong usage or broken hooks, 3 a hook
/// refused the prompt or ended the turn.
#[derive(Parser)]
#[command(name = "mini-agent", version)]
struct Arguments {
    /// API of the host
    #[arg(long, value_enum, default_value = "openai")]
    backend: Backend,
    /// Root of the API, without `/v1`; keys come from OPENAI_API_KEY or ANTHROPIC_API_KEY
    #[arg(long, value_name = "URL")]
    host: Option<String>,
    /// Name of the model
    #[arg(long, default_value = "default")]
    model: String,
    /// Answer to a tool or hook that asks for approval: ask you, always yes, always no. A denial is final
    #[arg(long, value_enum, default_value = "ask")]
    approval: Mode,
    /// Hooks file: our TOML, or mini-coding-agent's JSON list
    #[arg(long, value_name = "FILE")]
    hooks_file: Option<PathBuf>,
    /// Directory to work in
    #[arg(long, value_name = "DIRECTORY", default_value = ".")]
    cwd: PathBuf,
    /// Resume a saved session: its id, or `latest`
    #[arg(long, value_name = "ID")]
    resume: Option<String>,
    /// Directory for saved sessions, by default below the user's state directory
    #[arg(long, value_name = "DIRECTORY")]
    sessions: Option<PathBuf>,
    /// Maximum number of model requests in one turn
    #[arg(long, default_value_t = 50)]
    max_steps: u32,
    /// Task for the agent; without it, it prompts you in a loop
    prompt: Option<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format!("no runtime: {error}")),
    };
    let exit = match runtime.block_on(run(arguments)) {
        Ok(exit) => exit,
        Err(why) => fail(&why),
    };
    // A thread that still waits for input must not keep the process alive.
    runtime.shutdown_background();
    exit
}

fn fail(why: &str) -> ExitCode {
    eprintln!("mini-agent: {}", view::plain(why));
    ExitCode::from(2)
}

async fn run(arguments: Arguments) -> Result<ExitCode, String> {
    let cwd = arguments.cwd.canonicalize();
    let cwd = cwd.map_err(|error| format!("cannot work in `{}`: {error}", arguments.cwd.display()))?;
    let mut store = Store::open(arguments.sessions, arguments.resume.as_deref())?;
    let model = Arc::new(Model::new(arguments.backend, arguments.host, arguments.model));
    let lines = Lines::new();
    let delegate = Delegate::new(Arc::clone(&model), arguments.max_steps);
    let tools = tools::all(&cwd, &delegate).map_err(|error| error.to_string())?;
    let pipeline = hooks::pipeline(tools, &cwd, arguments.hooks_file.as_deref(), arguments.approval, &lines)?;
    delegate.connect(&pipeline);

    let directory = cwd.to_string_lossy().into_owned();
    let handle = pipeline.handle(Session {
        id: Some(store.id().to_owned()),
        cwd: Some(directory.clone()),
        project_dir: Some(directory),
        permission_mode: Some(arguments.approval.word().to_owned()),
        ..Session::default()
    });
    view::session(store.id(), store.is_resumed());
    let source = if store.is_resumed() { "resume" } else { "startup" };
    let started = handle.session_start(source).await;
    view::notes(&started.notes);
    let mut agent = Agent::new(handle.clone(), model, arguments.max_steps, store.take_messages());
    agent.tell(&started.notes);

    let exit = match arguments.prompt {
        Some(prompt) => {
            let ended = turn(&mut agent, prompt, &mut store).await;
            exit_code(&ended)
        }
        None => {
            while let Some(prompt) = next_prompt(&lines).await {
                let _ = turn(&mut agent, prompt, &mut store).await;
            }
            ExitCode::SUCCESS
        }
    };
    view::notes(&handle.session_end("exit").await.notes);
    pipeline.settle().await;
    Ok(exit)
}

/// Runs one turn, which Ctrl-C cancels.
async fn turn(agent: &mut Agent, prompt: String, store: &mut Store) -> Ended {
    let cancel = Cancel::new();
    let ended = {
        let work = agent.turn(prompt, &cancel);
        tokio::pin!(work);
        tokio::select! {
            ended = &mut work => ended,
            _ = tokio::signal::ctrl_c() => {
                cancel.cancel();
                // Wait for what is running, so that nothing is left behind.
                work.await
            }
        }
    };
    view::ended(&ended);
    store.keep(agent.messages(), agent.records());
    ended
}

async fn next_prompt(lines: &Lines) -> Option<String> {
    loop {
        if std::io::stdin().is_terminal() {
            eprint!("> ");
            // A prompt that cannot be shown is still a prompt.
            let _ = std::io::stderr().flush();
        }
        let line = lines.next().await?;
        match line.trim() {
            "" => {}
            "/exit" | "/quit" => return None,
            prompt => return Some(prompt.to_owned()),
        }
    }
}

fn exit_code(ended: &Ended) -> ExitCode {
    match ended {
        Ended::Done => ExitCode::SUCCESS,
        Ended::ModelFailed(_) | Ended::TooManySteps | Ended::Cancelled => ExitCode::from(1),
        Ended::Refused(_) | Ended::Stopped(_) => ExitCode::from(3),
    }
}
