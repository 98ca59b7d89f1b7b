//! Hooks that stand in files: the same configuration, layers and trust as those of the program.

use crate::{BuildError, Builder, Pipeline, Tools};
use checkrein::{
    ActiveHooks, Asking, ConfigError, Edge, Environment, LayeredConfig, Part, Places, Policy, Setup,
};
use std::path::Path;

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
        Ok(self.policy(Policy::of_file(path)?))
    }

    /// With the hooks and rules of every layer: the administrator's, the user's, those of the projects as far as somebody
    /// trusted them, and the file of the command line; and with the [guard](Self::guard). What is skipped is said as a
    /// remark, so [`remarks`](Self::remarks) should come before.
    pub fn layers(self, places: &Places) -> Result<Self, ConfigError> {
        Ok(self.policy(Policy::load(places)?))
    }

    /// The same for layers that were put together already. `state` is the directory in which the guard remembers what it
    /// denied, so that a user can allow one call (`checkrein allow`). Exceptions that end on a day are looked at now, once.
    pub fn stack(self, stack: &LayeredConfig, state: Option<&Path>) -> Result<Self, ConfigError> {
        Ok(self.policy(Policy::of_stack(stack.clone(), state)?))
    }

    /// The same for a policy that was read already.
    pub fn policy(mut self, policy: Policy) -> Self {
        // Whether anybody can be asked is known when the pipeline is built, and only the guard needs it.
        let ActiveHooks { dispatcher, remarks } =
            policy.part(Part::Configured, &Edge::new(&setup).remembering(Asking::Asks));
        for remark in remarks {
            self.say(&remark);
        }
        for entry in dispatcher.entries() {
            self = self.hook(entry.clone());
        }
        self.policy = Some(self.policy.unwrap_or_default().and(policy));
        self
    }
}

/// What hooks of files are built with.
pub(crate) fn setup() -> Setup {
    Setup::new(Environment::of_process())
}
