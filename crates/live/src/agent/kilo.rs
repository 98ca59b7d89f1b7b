//! Kilo, a fork of opencode, which loads the same bridge as a plugin. Only its names differ.

use super::{
    Agent, Launch, USUAL,
    opencode::{self, Opencode},
};
use crate::{Scenario, Workdir, own::Stage};
use checkrein_hosts::install::{KILO, Recipe};
use checkrein_model::{Call, Script};
use std::{io, path::Path};

pub(super) struct Kilo;

impl Agent for Kilo {
    fn recipe(&self) -> &'static Recipe {
        &KILO
    }

    fn scenarios(&self) -> &'static [Scenario] {
        USUAL
    }

    fn shell(&self, command: &str) -> Call {
        Opencode.shell(command)
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Opencode.write(file, text)
    }

    fn script(&self, scenario: Scenario, id: &str, command: &str, workdir: &Workdir) -> Script {
        Opencode.script(scenario, id, command, workdir)
    }

    fn settle(&self, stage: &Stage, url: &str) -> io::Result<()> {
        Opencode.settle(stage, url)
    }

    fn launch(&self, _: &Stage, url: &str, _: Scenario, prompt: &str) -> Launch {
        let switches = [
            "KILO_DISABLE_AUTOUPDATE",
            "KILO_DISABLE_MODELS_FETCH",
            "KILO_DISABLE_LSP_DOWNLOAD",
            "KILO_DISABLE_DEFAULT_PLUGINS",
        ];
        opencode::launch("KILO_CONFIG_CONTENT", switches, url, prompt)
    }
}
