//! Hooks from configuration files, with the layers and trust rules of the `checkrein` program.

use crate::{BuildError, Builder, Pipeline, Tools};
use checkrein::{
    ActiveHooks, Asking, ConfigError, Edge, Environment, LayeredConfig, Part, Places, Policy, Setup,
};
use std::path::Path;

impl<T: Tools> Pipeline<T> {
    /// Creates a pipeline with the hooks of the file at `path` and the built-in guard. The file is TOML or the JSON
    /// list of the predecessors. A file with a problem is an error, never a pipeline with fewer hooks.
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
    /// Adds the hooks and rules of the file at `path` without a trust check, since the caller names the file; and
    /// adds the [guard](Self::guard).
    pub fn config(self, path: &Path) -> Result<Self, ConfigError> {
        Ok(self.policy(Policy::of_file(path)?))
    }

    /// Adds the hooks and rules of every layer (administrator, user, trusted projects, command line) and the
    /// [guard](Self::guard). Skipped hooks are reported as remarks, so call [`remarks`](Self::remarks) first.
    pub fn layers(self, places: &Places) -> Result<Self, ConfigError> {
        Ok(self.policy(Policy::load(places)?))
    }

    /// Adds the hooks and rules of layers that were already combined. `state` is the directory in which the guard
    /// remembers what it denied, so that a user can allow one call (`checkrein allow`). Expiry dates of exceptions
    /// are checked now, once.
    pub fn stack(self, stack: &LayeredConfig, state: Option<&Path>) -> Result<Self, ConfigError> {
        Ok(self.policy(Policy::of_stack(stack.clone(), state)?))
    }

    /// Adds a policy that was already loaded.
    pub fn policy(mut self, policy: Policy) -> Self {
        // Only the guard needs to know if there is an approver, and that is known when the pipeline is built.
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

/// Returns the setup with which hooks of files are built.
pub(crate) fn setup() -> Setup {
    Setup::new(Environment::of_process())
}
