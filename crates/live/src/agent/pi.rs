//! Pi, which loads our bridge as an extension.

use super::{Agent, Launch, USUAL_WITHOUT_SUBAGENT, from_directory};
use crate::{
    Scenario, Workdir,
    own::{Stage, named},
};
use checkrein_hosts::install::{PI, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::json;
use std::{ffi::OsString, io, path::Path};

pub(super) struct Pi;

impl Agent for Pi {
    fn recipe(&self) -> &'static Recipe {
        &PI
    }

    fn scenarios(&self) -> &'static [Scenario] {
        USUAL_WITHOUT_SUBAGENT
    }

    fn plugin(&self, plugins: &Path) -> Option<Vec<Vec<OsString>>> {
        from_directory(&["install"], &plugins.join("pi"), &[])
    }

    fn shell(&self, command: &str) -> Call {
        Call::new("bash", json!({"command": command}))
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Call::new("write", json!({"path": file.to_string_lossy(), "content": text}))
    }

    fn script(&self, _: Scenario, _: &str, command: &str, _: &Workdir) -> Script {
        Script::new([Turn::call(self.shell(command))])
    }

    fn settle(&self, stage: &Stage, url: &str) -> io::Result<()> {
        let models = json!({"providers": {"scripted": {
            "baseUrl": format!("{url}/v1"), "api": "openai-completions", "apiKey": "not-a-key",
            "models": [{"id": "scripted", "contextWindow": 128_000, "maxTokens": 8192}],
        }}});
        Workdir::write(&stage.directory.join("models.json"), &models.to_string())
    }

    fn launch(&self, stage: &Stage, _url: &str, _: Scenario, prompt: &str) -> Launch {
        let arguments = ["-p", prompt, "--provider", "scripted", "--model", "scripted", "--mode", "json"];
        let mut environment = vec![
            ("PI_OFFLINE", "1".into()),
            ("PI_SKIP_VERSION_CHECK", "1".into()),
            ("PI_TELEMETRY", "0".into()),
        ];
        environment.extend(named(stage, &PI));
        Launch { arguments: arguments.map(Into::into).into(), environment }
    }
}
