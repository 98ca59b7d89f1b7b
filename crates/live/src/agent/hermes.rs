//! Hermes, whose hooks are a part of its settings, and which runs only those that the user agreed to.

use super::{Agent, Launch};
use crate::{
    Scenario, Workdir,
    own::{Stage, named},
};
use checkrein_hosts::install::{HERMES, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::json;
use std::{fs, io, path::Path};

pub(super) struct Hermes;

impl Agent for Hermes {
    fn recipe(&self) -> &'static Recipe {
        &HERMES
    }

    /// It has no denial of a prompt.
    fn scenarios(&self) -> &'static [Scenario] {
        &[
            Scenario::Abilities,
            Scenario::HookMissing,
            Scenario::ProgramHangs,
            Scenario::ProgramCrashes,
            Scenario::ProgramKilled,
            Scenario::ProgramMissing,
            Scenario::Untrusted,
        ]
    }

    fn shell(&self, command: &str) -> Call {
        Call::new("terminal", json!({"command": command}))
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Call::new("write_file", json!({"path": file.to_string_lossy(), "content": text}))
    }

    fn script(&self, _: Scenario, _: &str, command: &str, _: &Workdir) -> Script {
        Script::new([Turn::call(self.shell(command))])
    }

    /// Adds a model to its settings, which has no other place.
    fn settle(&self, stage: &Stage, url: &str) -> io::Result<()> {
        let file = stage.directory.join(HERMES.file);
        let hooks = fs::read_to_string(&file).unwrap_or_default();
        let model = json!({"default": "scripted", "provider": "custom", "base_url": format!("{url}/v1"), "api_key": "not-a-key"});
        Workdir::write(&file, &format!("model: {model}\n{hooks}"))
    }

    fn launch(&self, stage: &Stage, _url: &str, scenario: Scenario, prompt: &str) -> Launch {
        let mut arguments = vec!["--yolo"];
        // Under the user's own settings their consent counts.
        if !matches!(scenario, Scenario::Untrusted | Scenario::Own) {
            arguments.push("--accept-hooks");
        }
        arguments.extend(["-z", prompt]);
        let environment = named(stage, &HERMES).into_iter().collect();
        Launch { arguments: arguments.into_iter().map(Into::into).collect(), environment }
    }
}
