//! The program's setup of a policy: the paths of a session's layers, and the way hooks are built.

use crate::{SUPERVISE, commands::repair};
use checkrein::{
    ConfigError, Edge, Environment, Outcome, Payload, Places, Session, Setup, exec::Supervisor, variable,
};
use std::path::Path;

/// Returns where the layers of a session are. A configuration that the user named on the command line is trusted.
pub(crate) fn places(config: Option<&Path>, session: &Session) -> Places {
    Places::of(variable).flag(config).session(session)
}

/// Returns the project directory that a host passes in its environment variable.
pub(crate) fn project_dir() -> Option<String> {
    let mut named = checkrein_hosts::ALL.iter().filter_map(|host| variable(host.project_variable?));
    named.next().map(|directory| directory.to_string_lossy().into_owned())
}

/// Returns the edge of the program: how it builds hooks.
pub(crate) fn edge() -> Edge<'static> {
    Edge::new(&setup).as_own_program()
}

/// Returns how hooks are built.
pub(crate) fn setup() -> Setup {
    Setup::new(Environment::of_process()).supervisor(supervisor())
}

/// Returns the answer under a broken configuration: a denial that explains how to fix it.
pub(crate) fn refuse(payload: Payload, problems: &ConfigError, audience: Audience) -> Outcome {
    let how = repair::how(problems);
    let text = match audience {
        Audience::Model => format!("{}.\n{how}", problems.for_model()),
        Audience::User { at_a_terminal } => format!("{}\n\n{how}", problems.for_user(at_a_terminal)),
    };
    Outcome::refused(payload, text)
}

/// The reader of a configuration error. It decides how much of the file is quoted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Audience {
    /// An agent: it is told positions and kinds of errors, but nothing from the file.
    Model,
    /// A user, or a program that a user runs.
    User {
        /// Only the user sees the output.
        at_a_terminal: bool,
    },
}

/// Returns how observers are supervised: they outlive this process, so another process of this program watches them.
fn supervisor() -> Supervisor {
    checkrein::this_program().map_or_else(
        |_| Supervisor::default(),
        |program| Supervisor::Program { program, args: vec![SUPERVISE.into()] },
    )
}
