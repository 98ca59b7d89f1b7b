//! Hooks that stand in files: the same configuration, layers and trust as those of the program.

use crate::{BuildError, Builder, Pipeline, Registration, Tools, hook::Manner};
use checkrein::{Config, ConfigError, Environment, Guard, Places, Setup, Stack, guard::Day, once::Memory};
use std::{
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

impl<T: Tools> Pipeline<T> {
    /// A pipeline with the hooks of the file at `path`, and the judge that is built in. The file is TOML or the ancestors'
    /// JSON list; one with a problem is an error, never a pipeline with fewer hooks.
    ///
    /// ```no_run
    /// use checkrein_harness::{Pipeline, Toolbox};
    /// let pipeline = Pipeline::from_config(Toolbox::new(), "hooks.toml".as_ref())?;
    /// # Ok::<(), checkrein_harness::BuildError>(())
    /// ```
    pub fn from_config(tools: T, path: &Path) -> Result<Self, BuildError> {
        Self::builder(tools).config(path)?.build()
    }
}

impl<T: Tools> Builder<T> {
    /// With the hooks and rules of the file at `path`, as they stand there, since whoever names a file here trusts it; and
    /// with the [guard](Self::guard).
    pub fn config(self, path: &Path) -> Result<Self, ConfigError> {
        self.stack(&Stack::new(vec![Config::load(path)?], None), None)
    }

    /// With the hooks and rules of every layer: the administrator's, the user's, those of the projects as far as somebody
    /// trusted them, and the file of the command line; and with the [guard](Self::guard). What is skipped is said as a
    /// remark, so [`remarks`](Self::remarks) should come before.
    pub fn layers(self, places: &Places) -> Result<Self, ConfigError> {
        self.stack(&Stack::load(places)?, places.state.as_deref())
    }

    /// The same for layers that were put together already. `state` is the directory in which the guard remembers what it
    /// denied, so that a user can give leave for one call (`checkrein allow`). Exceptions that end on a day are looked at
    /// now, once.
    pub fn stack(self, stack: &Stack, state: Option<&Path>) -> Result<Self, ConfigError> {
        Guard::stays(stack)?;
        let (dispatcher, skipped) = stack.dispatcher(None, &setup());
        let mut builder = self.guard_with(|guard| {
            let guard = guard.with_rules(stack.rules()).with_allow_rules(stack.allow_rules());
            match stack.exceptions() {
                exceptions if exceptions.is_empty() => guard,
                exceptions => guard.with_exceptions(exceptions, today()),
            }
        });
        if let Some(state) = state {
            builder = builder.memory(Memory::new(state, stack.leave()));
        }
        for entry in dispatcher.entries() {
            builder = builder.hook(entry.clone());
        }
        for remark in Stack::remarks(&skipped) {
            builder.say(&remark);
        }
        for stand_in in stack.stand_ins(&skipped) {
            builder = builder.hook(Registration { entry: Ok(stand_in), manner: Manner::Computes });
        }
        Ok(builder)
    }
}

/// The day, in UTC.
fn today() -> Day {
    Day::of_seconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}

fn setup() -> Setup {
    Setup::new(Environment::of_process())
}
