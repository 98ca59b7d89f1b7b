//! The agents that can be proved live: one file each, one row in [`ALL`]. Their names and files are in the directory
//! of the host (`crates/hosts/src/<host>`); this module starts them with a scripted model.

mod claude;
mod cline;
mod codex;
mod copilot;
mod gemini;
mod grok;
mod hermes;
mod kilo;
mod kimi;
mod openclaw;
mod opencode;
mod pi;
mod qwen;

use crate::{Scenario, Workdir, own::Stage};
use checkrein_hosts::install::Recipe;
use checkrein_model::{Call, Script};
use std::{ffi::OsString, io, path::Path};

/// All agents that can be proved live.
pub const ALL: &[&dyn Agent] = &[
    &claude::ClaudeCode,
    &codex::Codex,
    &gemini::Gemini,
    &qwen::Qwen,
    &copilot::Copilot,
    &cline::Cline,
    &pi::Pi,
    &opencode::Opencode,
    &kilo::Kilo,
    &kimi::Kimi,
    &grok::Grok,
    &openclaw::Openclaw,
    &hermes::Hermes,
];

/// The scenarios of an agent without ways of its own to run a command.
const USUAL: &[Scenario] = &[
    Scenario::Abilities,
    Scenario::Prompt,
    Scenario::HookMissing,
    Scenario::ProgramHangs,
    Scenario::ProgramCrashes,
    Scenario::ProgramKilled,
    Scenario::ProgramMissing,
    Scenario::Subagent,
];

/// The scenarios of an agent without subagents.
const USUAL_WITHOUT_SUBAGENT: &[Scenario] = &[
    Scenario::Abilities,
    Scenario::Prompt,
    Scenario::HookMissing,
    Scenario::ProgramHangs,
    Scenario::ProgramCrashes,
    Scenario::ProgramKilled,
    Scenario::ProgramMissing,
];

/// The task that an agent gives to its subagent.
const TASK: &str = "Let the canary of another sing.";

/// The command line of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The arguments after the program.
    pub arguments: Vec<OsString>,
    /// Variables in addition to those of every scenario.
    pub environment: Vec<(&'static str, OsString)>,
}

/// An agent program, and how to run it offline.
pub trait Agent: Sync {
    /// Returns the recipe with its name and files.
    fn recipe(&self) -> &'static Recipe;

    /// Returns the scenarios that it supports.
    fn scenarios(&self) -> &'static [Scenario];

    /// Returns its word for the end of a run by a denial, if a denial ends the run. Each call needs a run of its own
    /// then, and the model is not told the reason.
    fn ends_on_denial(&self) -> Option<&'static str> {
        None
    }

    /// Returns true if it has no time limit for a hook.
    fn waits_for_ever(&self) -> bool {
        false
    }

    /// Returns its shell call for `command`.
    fn shell(&self, command: &str) -> Call;

    /// Returns its call that creates a file.
    fn write(&self, file: &Path, text: &str) -> Call;

    /// Returns the model's script that makes it run `command` in the way of the scenario.
    fn script(&self, scenario: Scenario, name: &str, command: &str, workdir: &Workdir) -> Script;

    /// Writes its own configuration: a model at `url`, and everything allowed except what hooks deny. It writes
    /// neither the entry for checkrein nor the user's own settings.
    fn settle(&self, stage: &Stage, url: &str) -> io::Result<()>;

    /// Returns the command line for one prompt, without a terminal.
    fn launch(&self, stage: &Stage, url: &str, scenario: Scenario, prompt: &str) -> Launch;

    /// Returns the arguments of each command that installs our plugin from the directory of all plugins; `None` if there is none for
    /// this agent.
    fn plugin(&self, _plugins: &Path) -> Option<Vec<Vec<OsString>>> {
        None
    }

    /// Returns the name on our command line.
    fn name(&self) -> &'static str {
        self.recipe().host
    }

    /// Returns the display name.
    fn title(&self) -> &'static str {
        self.recipe().title
    }

    /// Returns the name of its program.
    fn program(&self) -> &'static str {
        self.recipe().program
    }
}

/// Returns the commands that add a marketplace and install our plugin from it.
fn from_marketplace(plugins: &Path, install: &str) -> Option<Vec<Vec<OsString>>> {
    let mut add: Vec<OsString> = ["plugin", "marketplace", "add"].map(Into::into).into();
    add.push(plugins.join("marketplace").into());
    Some(vec![add, ["plugin", install, "checkrein@checkrein"].map(Into::into).into()])
}

/// Returns the command that installs our plugin from its directory.
fn from_directory(words: &[&str], directory: &Path, more: &[&str]) -> Option<Vec<Vec<OsString>>> {
    let words = words.iter().map(Into::into).chain([directory.into()]);
    Some(vec![words.chain(more.iter().map(Into::into)).collect()])
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use std::collections::BTreeSet;

    /// The list of hosts is in `checkrein-hosts`; an agent that we install into and do not prove would be a promise without proof.
    #[test]
    fn every_host_is_proved_or_labelled_as_not_proved() {
        // Without a measured version a host is labelled as not proved, wherever it is shown.
        let is_measured =
            |host: &&&checkrein_hosts::Host| host.recipe.is_some_and(|recipe| recipe.measured.is_some());
        let hosts = checkrein_hosts::ALL.iter().filter(is_measured).map(|host| host.name());
        // The made-up host has no program.
        let hosts: BTreeSet<&str> = hosts.filter(|name| *name != "example").collect();
        let proved: BTreeSet<&str> = ALL.iter().map(|agent| agent.name()).collect();
        assert_eq!(proved, hosts);
        assert_eq!(ALL.len(), hosts.len(), "an agent is in the list twice");
    }
}
