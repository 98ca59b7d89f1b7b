//! What the program brings to a policy: where the layers of a session lie, and how hooks are built here.

use crate::{SUPERVISE, commands::repair};
use checkrein::{
    ConfigError, Edge, Environment, Outcome, Payload, Places, Session, Setup, exec::Supervisor, variable,
};
use std::path::Path;

/// Where the layers of a session lie. A configuration that a user named on the command line is trusted.
pub(crate) fn places(config: Option<&Path>, session: &Session) -> Places {
    Places::of(variable).flag(config).session(session)
}

/// The project that a host names to what it starts.
pub(crate) fn project_dir() -> Option<String> {
    let mut named = checkrein_hosts::ALL.iter().filter_map(|host| variable(host.project_variable?));
    named.next().map(|directory| directory.to_string_lossy().into_owned())
}

/// The edge of the program.
pub(crate) fn edge() -> Edge<'static> {
    Edge::new(&setup)
}

fn setup() -> Setup {
    Setup::new(Environment::of_process()).supervisor(supervisor())
}

/// The answer under a broken configuration: it denies what can be denied, and says how to mend it.
pub(crate) fn refuse(payload: Payload, problems: &ConfigError, reader: Reader) -> Outcome {
    let text = match reader {
        Reader::Model => problems.for_model(),
        Reader::User { at_a_terminal } => problems.for_user(at_a_terminal),
    };
    Outcome::refused(payload, format!("{text}\n\n{}", repair::how(problems)))
}

/// Who reads what is wrong with a configuration, and so how much of the file is quoted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reader {
    /// An agent: places and kinds, in our words.
    Model,
    /// A user, or a program that a user runs.
    User {
        /// Nobody but the user sees what is printed.
        at_a_terminal: bool,
    },
}

/// Observers outlive us; another process of this program keeps their time.
fn supervisor() -> Supervisor {
    // Unlike the path of the program, this link also works after an upgrade replaced the file.
    const OURSELVES: &str = "/proc/self/exe";
    let program = if cfg!(target_os = "linux") { Ok(OURSELVES.into()) } else { std::env::current_exe() };
    program.map_or_else(
        |_| Supervisor::default(),
        |program| Supervisor::Program { program, args: vec![SUPERVISE.into()] },
    )
}
