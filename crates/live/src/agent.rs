//! The agents that are tried: one file each, one row in [`ALL`]. What they are called and where their files lie is in the
//! directory of the host (`crates/hosts/src/<host>`); here is how they are started with a scripted model.

mod claude;
mod codex;

use crate::{Place, Trial, own::Stage};
use checkrein_hosts::install::Recipe;
use checkrein_model::{Call, Script};
use std::{ffi::OsString, io, path::Path};

/// Every agent that can be tried.
pub const ALL: &[&dyn Agent] = &[&claude::ClaudeCode, &codex::Codex];

/// How an agent is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Behind the program.
    pub arguments: Vec<OsString>,
    /// Beside what every trial has.
    pub environment: Vec<(&'static str, OsString)>,
}

/// An agent program, and how it is made to work offline.
pub trait Agent: Sync {
    /// Its name, its files, and how it is told to ask us.
    fn recipe(&self) -> &'static Recipe;

    /// What can be tried with it.
    fn trials(&self) -> &'static [Trial];

    /// How it calls its shell.
    fn shell(&self, command: &str) -> Call;

    /// How it makes a new file.
    fn write(&self, file: &Path, text: &str) -> Call;

    /// How the model has it run `command` in the way that the trial is about.
    fn script(&self, trial: Trial, name: &str, command: &str, place: &Place) -> Script;

    /// Writes its own configuration: a model at `url`, everything allowed but for what hooks say. The entry for us is not
    /// its business, and neither is what the user has settled.
    fn settle(&self, stage: &Stage, url: &str) -> io::Result<()>;

    /// How it is started for one prompt, without a terminal.
    fn launch(&self, stage: &Stage, url: &str, trial: Trial, prompt: &str) -> Launch;

    /// Its name on our command line.
    fn name(&self) -> &'static str {
        self.recipe().host
    }

    /// Its name for a user.
    fn title(&self) -> &'static str {
        self.recipe().title
    }

    /// The name of its program.
    fn program(&self) -> &'static str {
        self.recipe().program
    }
}
