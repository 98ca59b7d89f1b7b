//! `checkrein mcp-proxy`: a process between an MCP client and a server, for hosts that have no hooks.
//!
//! The host starts the proxy as if it were the server, and the proxy starts the server. Every call is judged like a call that a
//! hook is asked about, with the same configuration, rules and trail. Both sides speak lines of JSON over stdio, so threads and a
//! channel are enough.
//!
//! | file | |
//! | --- | --- |
//! | `rpc.rs` | messages |
//! | `lines.rs` | lines in and out |
//! | `proxy/` | what passes, in which order |
//! | `catalogue.rs` | the tools that the client gets |
//! | `judge.rs` | the policy's answers |
//! | `resource.rs` | addresses of resources |
//! | `server.rs` | the server's process |

mod catalogue;
mod judge;
mod lines;
mod proxy;
mod resource;
mod rpc;
mod server;

use crate::{
    args::McpProxy,
    exit::ExitStatus,
    policy,
    term::{data, err, style},
};
use anyhow::Context;
use checkrein::{LayeredConfig, McpSettings, Session, mcp_pins::PinStore, sanitize, state_file};
use judge::{Answer, Judge};
use lines::{LONGEST, Line, Outbox};
use proxy::{Proxy, State};
use serde_json::json;
use server::Server;
use std::{
    path::Path,
    sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// The number of events that can wait for the proxy.
const WAITING: usize = 256;
/// The time between two looks at calls that wait.
const TICK: Duration = Duration::from_secs(3600);
/// Programs that start a server that one of their arguments names.
const RUNNERS: &[&str] = &[
    "bun", "bunx", "deno", "docker", "exec", "node", "npx", "npm", "pipx", "podman", "python", "python3",
    "run", "sh", "bash", "tool", "uv", "uvx", "dlx", "pnpm", "yarn", "env",
];

/// Something that happened.
enum Incoming {
    Client(Line),
    Server(Line),
    Judge(Answer),
}

pub(crate) fn run(arguments: &McpProxy) -> anyhow::Result<ExitStatus> {
    let name = arguments.name.clone().unwrap_or_else(|| derived_name(&arguments.command));
    let name = sanitize::name(&name, 64);
    if arguments.entry {
        return print_entry(arguments, &name);
    }
    let cwd = std::env::current_dir().context("cannot find the working directory")?;
    let session = session(&cwd);
    let places = policy::places(arguments.config.as_deref(), &session);
    let state = places.state.clone().context(
        "HOME is not set, so the definitions of tools cannot be pinned\n\nhint: set HOME in the client's entry of this server",
    )?;
    // A broken configuration denies calls; until it is fixed, a server may do nothing but answer.
    let settings = LayeredConfig::load(&places).map_or_else(|_| McpSettings::default(), |stack| stack.mcp());
    let mut server = Server::start(&arguments.command)?;
    let (events, incoming) = mpsc::sync_channel(WAITING);
    let judge = Judge { config: arguments.config.clone(), session, state: state.clone() };
    let (stdin, stdout) = server.pipes()?;
    let proxy = Proxy {
        client: Outbox::new(std::io::stdout()),
        server: Outbox::new(stdin),
        judge: start_judge(judge, events.clone()),
        pins: PinStore::new(&state),
        identity: identity(arguments, &name),
        name,
        settings,
        state: State::default(),
    };
    let from_server = events.clone();
    thread::spawn(move || {
        lines::read_all(stdout, LONGEST, |line| from_server.send(Incoming::Server(line)).is_ok());
    });
    thread::spawn(move || {
        lines::read_all(std::io::stdin(), LONGEST, |line| events.send(Incoming::Client(line)).is_ok());
    });
    Ok(serve(proxy, &incoming, &mut server))
}

/// Passes messages on until one side ends.
fn serve(mut proxy: Proxy, incoming: &Receiver<Incoming>, server: &mut Server) -> ExitStatus {
    loop {
        let wait = proxy.tick().unwrap_or(TICK);
        let goes_on = match incoming.recv_timeout(wait) {
            Ok(Incoming::Client(Line::End)) => {
                proxy.server.close(false);
                server.end();
                return ExitStatus::Success;
            }
            Ok(Incoming::Server(Line::End)) => {
                let how = server.how_it_ended();
                err!("checkrein: {how}");
                proxy.server_ended(&how);
                proxy.client.close(true);
                return ExitStatus::Failure;
            }
            Ok(Incoming::Client(line)) => proxy.handle_client(line),
            Ok(Incoming::Server(line)) => proxy.handle_server(line),
            Ok(Incoming::Judge(answer)) => proxy.handle_judge(answer),
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        };
        if !goes_on {
            let why = "a message could not be passed on, so the session ends";
            err!("checkrein: {why}");
            proxy.server_ended(why);
            proxy.server.close(false);
            server.end();
            return ExitStatus::Failure;
        }
    }
}

fn start_judge(judge: Judge, events: SyncSender<Incoming>) -> mpsc::Sender<judge::Job> {
    let (jobs, asked) = mpsc::channel();
    thread::spawn(move || {
        for job in asked {
            if events.send(Incoming::Judge(judge.answer(job))).is_err() {
                return;
            }
        }
    });
    jobs
}

/// Returns the session of this process. Its id is a new one each time, so that a permission for a session ends with it.
fn session(cwd: &Path) -> Session {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let directory = Some(cwd.to_string_lossy().into_owned());
    Session {
        id: Some(format!("mcp-{}", state_file::name_of(&format!("{} {now}", std::process::id())))),
        project_dir: policy::project_dir().or_else(|| directory.clone()),
        cwd: directory,
        ..Session::default()
    }
}

/// Returns a name for a server that the user did not name.
fn derived_name(command: &[String]) -> String {
    let base = |word: &str| {
        let word = word.rsplit(['/', '\\']).next().unwrap_or_default();
        let word = word.split('@').next().unwrap_or_default();
        word.trim_end_matches(".js").trim_end_matches(".py").trim_end_matches(".ts").to_owned()
    };
    let names = command.iter().filter(|word| !word.starts_with('-')).map(|word| base(word));
    let named = names.clone().find(|name| !name.is_empty() && !RUNNERS.contains(&name.as_str()));
    named.or_else(|| names.into_iter().next()).unwrap_or_default()
}

/// Returns the name under which the tools are pinned. Without a name of the user's it belongs to this command line alone.
fn identity(arguments: &McpProxy, name: &str) -> String {
    match &arguments.name {
        Some(_) => name.to_owned(),
        None => {
            let digest = state_file::name_of(&arguments.command.join("\0"));
            format!("{name}-{}", digest.get(..8).unwrap_or_default())
        }
    }
}

/// Prints the entry for the settings of a client.
fn print_entry(arguments: &McpProxy, name: &str) -> anyhow::Result<ExitStatus> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let mut words = vec!["mcp-proxy".to_owned(), "--name".to_owned(), name.to_owned()];
    if let Some(config) = &arguments.config {
        let config = std::path::absolute(config).context("cannot find the configuration")?;
        words.extend(["--config".to_owned(), config.to_string_lossy().into_owned()]);
    }
    words.push("--".to_owned());
    words.extend(arguments.command.iter().cloned());
    let entry = json!({"mcpServers": {name: {"command": program.to_string_lossy(), "args": words}}});
    data!("{}", style::shown(&sanitize::json(serde_json::to_string_pretty(&entry)?)));
    Ok(ExitStatus::Success)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_without_a_name_is_named_after_its_command() {
        for (command, name) in [
            ("npx -y @modelcontextprotocol/server-filesystem@2026.1.14 /srv", "server-filesystem"),
            ("uvx mcp-server-git --repository .", "mcp-server-git"),
            ("python3 -m mcp_server_time", "mcp_server_time"),
            ("node /opt/tools/index.js", "index"),
            ("/usr/local/bin/mcp-thing --stdio", "mcp-thing"),
            ("docker run -i --rm mcp/git", "git"),
            ("node", "node"),
        ] {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(sanitize::name(&derived_name(&words), 64), name, "{command}");
        }
    }
}
