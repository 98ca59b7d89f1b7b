//! Gemini CLI.

use super::{Agent, Launch, TASK, USUAL, from_directory};
use crate::{
    Scenario, Workdir,
    own::{Stage, named},
};
use checkrein_hosts::install::{GEMINI, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::{Value, json};
use std::{ffi::OsString, fs, io, path::Path};

pub(super) struct Gemini;

/// A fixed model, because otherwise another one is asked first which to use.
const MODEL: &str = "gemini-2.5-flash";

impl Agent for Gemini {
    fn recipe(&self) -> &'static Recipe {
        &GEMINI
    }

    fn scenarios(&self) -> &'static [Scenario] {
        USUAL
    }

    fn plugin(&self, plugins: &Path) -> Option<Vec<Vec<OsString>>> {
        from_directory(&["extensions", "install"], &plugins.join("gemini"), &["--consent"])
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

    /// Adds how it reaches the model to its settings, which have nothing of the user's about that.
    fn settle(&self, stage: &Stage, _url: &str) -> io::Result<()> {
        let file = stage.directory.join(GEMINI.file);
        let text = fs::read_to_string(&file).unwrap_or_else(|_| "{}".to_owned());
        // A file that it cannot read stays as it is.
        let Ok(mut settings) = serde_json::from_str::<Value>(&text) else { return Ok(()) };
        if let Some(settings) = settings.as_object_mut() {
            let security = settings.entry("security").or_insert_with(|| json!({}));
            if let Some(security) = security.as_object_mut() {
                security.insert("auth".to_owned(), json!({"selectedType": "gemini-api-key"}));
            }
            settings.insert(
                "general".to_owned(),
                json!({"enableAutoUpdate": false, "enableAutoUpdateNotification": false}),
            );
            settings.insert("privacy".to_owned(), json!({"usageStatisticsEnabled": false}));
        }
        Workdir::write(&file, &settings.to_string())
    }

    fn launch(&self, stage: &Stage, url: &str, _: Scenario, prompt: &str) -> Launch {
        let arguments =
            ["-p", prompt, "-m", MODEL, "--approval-mode", "yolo", "--output-format", "json"].map(Into::into);
        let mut environment = vec![
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
