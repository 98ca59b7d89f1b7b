//! Gemini CLI.

use super::{Agent, Launch};
use crate::{
    Scenario, Workdir,
    own::{Stage, named},
};
use checkrein_hosts::install::{GEMINI, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::json;
use std::{io, path::Path};

pub(super) struct Gemini;

/// A fixed model, because otherwise another one is asked first which to use.
const MODEL: &str = "gemini-2.5-flash";

/// The file with settings that the proof needs, in the agent's directory.
const DEFAULTS: &str = "live-defaults.json";

/// The task of the agent that it starts.
const TASK: &str = "Let the canary of another sing.";

impl Agent for Gemini {
    fn recipe(&self) -> &'static Recipe {
        &GEMINI
    }

    fn scenarios(&self) -> &'static [Scenario] {
        &[
            Scenario::Abilities,
            Scenario::Prompt,
            Scenario::HookMissing,
            Scenario::ProgramHangs,
            Scenario::ProgramCrashes,
            Scenario::ProgramKilled,
            Scenario::ProgramMissing,
            Scenario::Subagent,
        ]
    }

    fn shell(&self, command: &str) -> Call {
        Call::new("run_shell_command", json!({"command": command, "description": "a canary"}))
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Call::new("write_file", json!({"file_path": file.to_string_lossy(), "content": text}))
    }

    fn script(&self, scenario: Scenario, _: &str, command: &str, _: &Workdir) -> Script {
        match scenario {
            Scenario::Subagent => {
                let task = json!({"agent_name": "generalist", "prompt": TASK});
                let theirs = [
                    Turn::call(self.shell(command)),
                    Turn::call(Call::new("complete_task", json!({"result": "It has been heard."}))),
                ];
                Script::new([Turn::call(Call::new("invoke_agent", task))]).branch(TASK, theirs)
            }
            _ => Script::new([Turn::call(self.shell(command))]),
        }
    }

    /// Writes the weakest of its settings files, so that every file of the user overrides it.
    fn settle(&self, stage: &Stage, _url: &str) -> io::Result<()> {
        let defaults = json!({
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
            "privacy": {"usageStatisticsEnabled": false},
        });
        Workdir::write(&stage.directory.join(DEFAULTS), &defaults.to_string())
    }

    fn launch(&self, stage: &Stage, url: &str, _: Scenario, prompt: &str) -> Launch {
        let arguments =
            ["-p", prompt, "-m", MODEL, "--approval-mode", "yolo", "--output-format", "json"].map(Into::into);
        let defaults = stage.directory.join(DEFAULTS).into_os_string();
        let mut environment = vec![
            ("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", defaults),
            ("GEMINI_API_KEY", "not-a-key".into()),
            ("GOOGLE_GEMINI_BASE_URL", url.into()),
            ("GEMINI_TELEMETRY_ENABLED", "false".into()),
            ("GEMINI_CLI_NO_RELAUNCH", "true".into()),
        ];
        if !stage.is_own {
            // A user has dismissed this long ago.
            environment.push(("GEMINI_CLI_TRUST_WORKSPACE", "true".into()));
        }
        environment.extend(named(stage, &GEMINI));
        Launch { arguments: arguments.into(), environment }
    }
}
