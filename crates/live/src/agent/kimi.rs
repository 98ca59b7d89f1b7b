//! Kimi Code, whose hooks are tables of its settings.

use super::{Agent, Launch, USUAL_WITHOUT_SUBAGENT};
use crate::{
    Scenario, Workdir,
    own::{Stage, named},
};
use checkrein_hosts::install::{KIMI, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::json;
use std::{io, path::Path};

pub(super) struct Kimi;

impl Agent for Kimi {
    fn recipe(&self) -> &'static Recipe {
        &KIMI
    }

    fn scenarios(&self) -> &'static [Scenario] {
        USUAL_WITHOUT_SUBAGENT
    }

    fn shell(&self, command: &str) -> Call {
        Call::new("Bash", json!({"command": command, "description": "a canary"}))
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Call::new("Write", json!({"path": file.to_string_lossy(), "content": text}))
    }

    fn script(&self, _: Scenario, _: &str, command: &str, _: &Workdir) -> Script {
        Script::new([Turn::call(self.shell(command))])
    }

    /// Its settings come from variables, so that the user's file stays as it is.
    fn settle(&self, _: &Stage, _url: &str) -> io::Result<()> {
        Ok(())
    }

    fn launch(&self, stage: &Stage, url: &str, _: Scenario, prompt: &str) -> Launch {
        let arguments = ["-p", prompt, "--output-format", "stream-json"].map(Into::into);
        let mut environment = vec![
            ("KIMI_MODEL_NAME", "scripted".into()),
            ("KIMI_MODEL_API_KEY", "not-a-key".into()),
            ("KIMI_MODEL_PROVIDER_TYPE", "openai".into()),
            ("KIMI_MODEL_BASE_URL", format!("{url}/v1").into()),
            ("KIMI_CODE_NO_AUTO_UPDATE", "1".into()),
        ];
        environment.extend(named(stage, &KIMI));
        Launch { arguments: arguments.into(), environment }
    }
}
