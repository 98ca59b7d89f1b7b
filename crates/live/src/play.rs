//! Runs an agent with the script of a caller, for tests that look at everything the agent sends and leaves.

use crate::{
    Scenario, Subject, Workdir, mounts,
    own::Stage,
    prove::{LIMIT, Plan},
    runner::{Ended, GOODBYE, bare, limited, register, version},
    sandbox::{is_apart, network},
};
use checkrein_hosts::install::Version;
use checkrein_model::{Request, Script, Server, Turn};
use std::{ffi::OsStr, io};

/// A session of an agent that is over.
#[derive(Clone, Debug)]
pub struct Played {
    /// All requests to the model, the oldest first.
    pub requests: Vec<Request>,
    /// The exit code of the agent; `None` if a signal ended it.
    pub code: Option<i32>,
}

/// Runs one session of an agent whose model follows `script`, with our program as its hook and no settings of a user. The caller has
/// prepared the sandbox with [`enter`](crate::enter), and the files of the project; `outside` is the same as there.
///
/// # Errors
///
/// If the network is not isolated, if the agent cannot be started, or if it does not end in time.
pub fn play(
    workdir: &Workdir,
    subject: &Subject,
    outside: &OsStr,
    script: Script,
    prompt: &str,
) -> io::Result<Played> {
    if !is_apart(outside)? {
        return Err(io::Error::other("this is not a network namespace of its own"));
    }
    let agent = subject.agent;
    let plan = Plan {
        agent,
        scenario: Scenario::Abilities,
        program: subject.program.clone(),
        path: subject.path.clone(),
        checkrein: subject.checkrein.clone(),
        outside: network()?.into_os_string(),
        limit: LIMIT,
        stage: Stage::scratch(workdir, agent.recipe().directory),
        plugins: None,
    };
    mounts::mount(&plan.stage, &workdir.empty())?;
    let version = version(&plan, workdir)?;
    let server = Server::start(script.then(Turn::text(GOODBYE)))?;
    agent.settle(&plan.stage, &server.url())?;
    register(workdir, agent, Version::find(&version), plan.scenario)?;
    let launch = agent.launch(&plan.stage, &server.url(), plan.scenario, prompt);
    let mut command = bare(&plan, workdir);
    command.args(&launch.arguments).envs(launch.environment);
    match limited(&mut command, workdir, plan.limit)? {
        Ended::Itself(status) => Ok(Played { requests: server.requests(), code: status.code() }),
        Ended::Late(limit) => {
            Err(io::Error::other(format!("the agent did not end in {} s", limit.as_secs())))
        }
    }
}
