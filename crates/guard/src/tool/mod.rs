//! Tool calls: what each of them would do.
//!
//! [`judge_call`] knows shells, file tools, patches, searches, and what MCP servers of known kinds offer. A tool that it does
//! not know is judged by the names of its arguments. One of the host's own tools, in a call that cannot be understood, is
//! denied: only the tool itself knows what it would do, and then it is too late.

mod actions;
mod arguments;
mod call;
mod combine;
mod kept_commands;
mod mcp;
mod opened;
mod patch;
mod reading;
mod script_content;
mod skills;

pub use call::{FileAccess, ToolCommand};
pub(crate) use combine::add as add_judgement;
pub use combine::rule_file;
pub(crate) use kept_commands::{RunForm, RunRow};
pub(crate) use reading::is_told;
pub(crate) use script_content::written_script;

use crate::{
    judge::{CallContext, Judgement},
    world::World,
};
use actions::{deeds, files, shell, whole};
use call::Unreadable;
use checkrein_core::{Payload, ToolCall, ToolKind};
use checkrein_shell::work;
use std::path::Path;

/// Judges a tool call. Returns nothing if it is none that the guard has an opinion about.
pub fn judge_call(call: &ToolCall, payload: &Payload, world: &dyn World) -> Option<Judgement> {
    // A call can bring many texts, and all of them burn one fuel.
    work::one_call(|| judged(call, payload, world))
}

fn judged(call: &ToolCall, payload: &Payload, world: &dyn World) -> Option<Judgement> {
    match call::command(call) {
        Some(command) => Some(shell(&command, &call_context(call, payload, world), world)),
        None if call.kind.runs_code()
            || matches!(call.kind, ToolKind::Mcp | ToolKind::Fetch | ToolKind::Other) =>
        {
            // Arguments may be in a text, as JSON or encoded.
            let opened = opened::opened(&call.input)
                .filter(|_| call.kind != ToolKind::Fetch)
                .map(|input| ToolCall { input, ..call.clone() });
            let mut found = mcp::deeds(call);
            found.extend(opened.iter().flat_map(mcp::deeds));
            // Most tools do neither, and where the call is made is asked of the disk.
            if found.is_empty() && !skills::loads(call) {
                return None;
            }
            let place = call_context(call, payload, world);
            let loaded = skills::loaded(call, &place, world);
            let done = (!found.is_empty()).then(|| deeds(&found, &place, world));
            match (done, loaded) {
                (Some(mut done), Some(loaded)) => {
                    combine::add(&mut done, loaded);
                    Some(done)
                }
                (done, loaded) => done.or(loaded),
            }
        }
        None => match call::touches(call) {
            Ok(touches) if touches.is_empty() => None,
            Ok(mut touches) => {
                let place = call_context(call, payload, world);
                whole(call, &mut touches, &place, world);
                Some(files(&touches, &place, world))
            }
            Err(Unreadable::Wrong(why)) => Some(combine::no_path(&why)),
            Err(Unreadable::Missing(why)) => Some(combine::unknown_path(&why)),
        },
    }
}

/// Returns the place of a call. Its own working directory overrides the session's.
pub fn call_context(call: &ToolCall, payload: &Payload, world: &dyn World) -> CallContext {
    let session = payload.session.cwd.as_deref();
    let cwd = match (call::directory(call), session) {
        (Some(own), Some(session)) if !own.starts_with('/') => Some(format!("{session}/{own}")),
        (Some(own), _) => Some(own.to_owned()),
        (None, session) => session.map(str::to_owned),
    };
    let project =
        payload.session.project_dir.clone().or_else(|| repository(session.or(cwd.as_deref())?, world));
    // Only what a shell started is there to be typed into.
    let typed = payload.host.types_unseen && call.kind == ToolKind::Shell;
    CallContext { cwd, project, typed }
}

/// The nearest directory upward that holds a repository.
fn repository(from: &str, world: &dyn World) -> Option<String> {
    let directories = Path::new(from).ancestors().filter_map(Path::to_str);
    let mut directories = directories.filter(|directory| !directory.is_empty() && *directory != "/");
    directories.find(|directory| world.entry(&format!("{directory}/.git")).is_some()).map(str::to_owned)
}
