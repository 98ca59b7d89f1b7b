//! Qwen Code.

use super::{Agent, Launch, TASK, USUAL, from_directory};
use crate::{
    Scenario, Workdir,
    own::{Stage, named},
};
use checkrein_hosts::install::{QWEN, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::json;
use std::{ffi::OsString, io, path::Path};

pub(super) struct Qwen;

/// The file with settings that the proof needs, in the agent's directory.
const DEFAULTS: &str = "live-defaults.json";

impl Agent for Qwen {
    fn recipe(&self) -> &'static Recipe {
        &QWEN
    }

    fn scenarios(&self) -> &'static [Scenario] {
        USUAL
    }

    fn plugin(&self, plugins: &Path) -> Option<Vec<Vec<OsString>>> {
        from_directory(&["extensions", "install"], &plugins.join("qwen"), &["--consent"])
    }

    fn shell(&self, command: &str) -> Call {
        Call::new(
            "run_shell_command",
            json!({"command": command, "description": "a canary", "is_background": false}),
        )
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Call::new("write_file", json!({"file_path": file.to_string_lossy(), "content": text}))
    }

    fn script(&self, scenario: Scenario, _: &str, command: &str, _: &Workdir) -> Script {
        match scenario {
            Scenario::Subagent => {
                let task =
                    json!({"description": "a canary", "prompt": TASK, "subagent_type": "general-purpose"});
                let theirs = [Turn::call(self.shell(command)), Turn::text("It has been heard.")];
                Script::new([Turn::call(Call::new("agent", task))]).branch(TASK, theirs)
            }
            _ => Script::new([Turn::call(self.shell(command))]),
        }
    }

    /// Writes the weakest of its settings files, so that every file of the user overrides it.
    fn settle(&self, stage: &Stage, _url: &str) -> io::Result<()> {
        let defaults = json!({
            "security": {"auth": {"selectedType": "openai"}},
            // Its own agents would ask the model after the turn.
            "memory": {"enableManagedAutoMemory": false, "enableManagedAutoDream": false},
            "model": {"name": "scripted"},
            "general": {"enableAutoUpdate": false, "disableAutoUpdate": true},
            "privacy": {"usageStatisticsEnabled": false},
            "telemetry": {"enabled": false},
        });
        Workdir::write(&stage.directory.join(DEFAULTS), &defaults.to_string())
    }

    fn launch(&self, stage: &Stage, url: &str, _: Scenario, prompt: &str) -> Launch {
        let arguments = ["-p", prompt, "--approval-mode", "yolo", "--output-format", "json"].map(Into::into);
        let mut environment = vec![
            ("QWEN_CODE_SYSTEM_DEFAULTS_PATH", stage.directory.join(DEFAULTS).into_os_string()),
            ("OPENAI_API_KEY", "not-a-key".into()),
            ("OPENAI_BASE_URL", format!("{url}/v1").into()),
            ("OPENAI_MODEL", "scripted".into()),
        ];
        environment.extend(named(stage, &QWEN));
        Launch { arguments: arguments.into(), environment }
    }
}
