//! What is in force: the hooks of the configuration that the command line names.

use crate::SUPERVISE;
use checkrein::{Config, Dispatcher, Environment, EventName, Problems, Setup, exec::Supervisor};
use std::path::Path;

/// The hooks that are asked.
pub(crate) struct Policy {
    pub(crate) dispatcher: Dispatcher,
}

impl Policy {
    /// Loads what `event` needs, or everything. A configuration that a person named on the command line is trusted.
    pub(crate) fn load(config: Option<&Path>, event: Option<EventName>) -> Result<Self, Problems> {
        let Some(path) = config else { return Ok(Self { dispatcher: Dispatcher::new() }) };
        let config = Config::load(path)?;
        let setup = Setup::new(Environment::of_process()).supervisor(supervisor());
        let dispatcher = match event {
            Some(event) => config.for_event(event, &setup),
            None => config.dispatcher(&setup),
        };
        Ok(Self { dispatcher })
    }
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
