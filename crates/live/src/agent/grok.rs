//! Grok Build, with a model of the user's own.

use super::{Agent, Launch, USUAL_WITHOUT_SUBAGENT};
use crate::{
    Scenario, Workdir,
    own::{Stage, named},
};
use checkrein_hosts::install::{GROK, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::json;
use std::{io, path::Path};

pub(super) struct Grok;

impl Agent for Grok {
    fn recipe(&self) -> &'static Recipe {
        &GROK
    }

    fn scenarios(&self) -> &'static [Scenario] {
        USUAL_WITHOUT_SUBAGENT
    }

    fn shell(&self, command: &str) -> Call {
        Call::new("run_terminal_command", json!({"command": command, "description": "a canary"}))
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Call::new("write", json!({"file_path": file.to_string_lossy(), "content": text}))
    }

    fn script(&self, _: Scenario, _: &str, command: &str, _: &Workdir) -> Script {
        Script::new([Turn::call(self.shell(command))])
    }

    fn settle(&self, stage: &Stage, url: &str) -> io::Result<()> {
        // It has no variable for a model; what decides about hooks is in other files.
        let settings = format!(
            "[models]\ndefault = \"scripted\"\n\n[model.scripted]\nmodel = \"scripted\"\nname = \"scripted\"\n\
             base_url = \"{url}/v1\"\nenv_key = \"SCRIPTED_KEY\"\ncontext_window = 128000\n\n[features]\ntelemetry = false\n"
        );
        Workdir::write(&stage.directory.join("config.toml"), &settings)
    }

    fn launch(&self, stage: &Stage, _url: &str, _: Scenario, prompt: &str) -> Launch {
        let arguments =
            ["-p", prompt, "-m", "scripted", "--output-format", "streaming-json", "--always-approve"]
                .map(Into::into);
        let mut environment = vec![
            ("SCRIPTED_KEY", "not-a-key".into()),
            ("GROK_DISABLE_AUTOUPDATER", "1".into()),
            ("GROK_TELEMETRY_ENABLED", "0".into()),
        ];
        environment.extend(named(stage, &GROK));
        Launch { arguments: arguments.into(), environment }
    }
}
