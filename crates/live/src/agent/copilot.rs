//! Copilot CLI, with a model of the user's own: it needs no account then.

use super::{Agent, Launch, TASK, USUAL, from_marketplace};
use crate::{
    Scenario, Workdir,
    own::{Stage, named},
};
use checkrein_hosts::install::{COPILOT, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::json;
use std::{ffi::OsString, io, path::Path};

pub(super) struct Copilot;

impl Agent for Copilot {
    fn recipe(&self) -> &'static Recipe {
        &COPILOT
    }

    fn scenarios(&self) -> &'static [Scenario] {
        USUAL
    }

    fn plugin(&self, plugins: &Path) -> Option<Vec<Vec<OsString>>> {
        from_marketplace(plugins, "install")
    }

    fn shell(&self, command: &str) -> Call {
        Call::new("bash", json!({"command": command, "description": "a canary", "mode": "sync"}))
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Call::new("create", json!({"path": file.to_string_lossy(), "file_text": text}))
    }

    fn script(&self, scenario: Scenario, _: &str, command: &str, _: &Workdir) -> Script {
        match scenario {
            Scenario::Subagent => {
                let task = json!({
                    "name": "canary", "description": "a canary", "prompt": TASK,
                    "agent_type": "general-purpose", "mode": "sync",
                });
                let theirs = [Turn::call(self.shell(command)), Turn::text("It has been heard.")];
                Script::new([Turn::call(Call::new("task", task))]).branch(TASK, theirs)
            }
            _ => Script::new([Turn::call(self.shell(command))]),
        }
    }

    fn settle(&self, stage: &Stage, _url: &str) -> io::Result<()> {
        if stage.is_own {
            return Ok(());
        }
        // A user has dismissed all of this long ago.
        let config = json!({"trusted_folders": [stage.cwd.to_string_lossy()], "banner": "never"});
        Workdir::write(&stage.directory.join("config.json"), &config.to_string())
    }

    fn launch(&self, stage: &Stage, url: &str, _: Scenario, prompt: &str) -> Launch {
        let arguments = [
            "-p",
            prompt,
            "--model",
            "scripted",
            "--no-auto-update",
            "--allow-all-tools",
            "--allow-all-paths",
        ];
        let mut environment = vec![
            ("COPILOT_PROVIDER_BASE_URL", format!("{url}/v1").into()),
            ("COPILOT_PROVIDER_TYPE", "openai".into()),
            ("COPILOT_PROVIDER_API_KEY", "not-a-key".into()),
            ("COPILOT_MODEL", "scripted".into()),
            ("COPILOT_OFFLINE", "true".into()),
            ("COPILOT_AUTO_UPDATE", "false".into()),
        ];
        environment.extend(named(stage, &COPILOT));
        Launch { arguments: arguments.map(Into::into).into(), environment }
    }
}
