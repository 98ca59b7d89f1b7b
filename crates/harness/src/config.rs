//! The built-in guard, and hooks from configuration files with the layers and trust rules of the `checkrein` program.

#[cfg(feature = "config")]
use crate::{BuildError, Pipeline, Tools};
use crate::{Builder, Registration, hook::Hooked};
#[cfg(feature = "config")]
use checkrein::{ActiveHooks, ConfigError, LayeredConfig, Places, Policy};
use checkrein::{Asking, Edge, Environment, Part, Setup};
#[cfg(feature = "config")]
use std::path::Path;

#[cfg(feature = "config")]
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

#[cfg(feature = "config")]
impl<T: Tools> Builder<T> {
    /// Adds the hooks and rules of the file at `path` without a trust check, since the caller names the file; and
    /// adds the [guard](Self::guard).
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn run(input: Value, _: Running) -> Result<String, ToolError> { Ok(input["command"].to_string()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("bash"), run));
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("hooks.toml");
    /// std::fs::write(&path, "[[rule]]\nid = \"no-push\"\neffect = \"send\"\nprograms = [\"git*\"]\ndecision = \"deny\"\nreason = \"a person pushes\"\n")?;
    /// let agent = Pipeline::builder(tools).config(&path)?.build()?.handle(Session::default());
    /// let report = agent.call(call("bash", json!({"command": "git push"}))).await;
    /// assert_eq!(report.ending, Ending::Denied);
    /// # Ok(())
    /// # }
    /// ```
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
            policy.part(Part::Configured, &Edge::new(&setup).remembering(Asking::Asks).reporting_end(true));
        for remark in remarks {
            self.say(&remark);
        }
        for entry in dispatcher.entries() {
            self = self.hook(Registration::configured(entry.clone()));
        }
        self.policy = Some(self.policy.unwrap_or_default().and(policy));
        self
    }
}

impl<T> Builder<T> {
    /// Returns the built-in hooks before and after all others.
    pub(crate) fn built_in(&self) -> [Vec<Hooked>; 2] {
        let Some(policy) = &self.policy else { return [Vec::new(), Vec::new()] };
        let asking = if self.has_approver() { Asking::Asks } else { Asking::Cannot };
        let edge = Edge::new(&setup).remembering(asking).reporting_end(true);
        let edge = if self.undo { edge.keeping_for_undo() } else { edge };
        [Part::First, Part::Last].map(|part| {
            let active = policy.part(part, &edge);
            let entries = active.dispatcher.entries().iter().cloned();
            // A built-in hook has no patterns that could be invalid.
            entries.filter_map(|entry| Registration::configured(entry).into_hooked().ok()).collect()
        })
    }
}

/// Returns the setup with which hooks of files are built.
fn setup() -> Setup {
    Setup::new(Environment::of_process())
}
