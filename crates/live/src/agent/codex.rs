//! Codex.

use super::{Agent, Launch, TASK, from_marketplace};
use crate::{
    Scenario, Workdir,
    own::{Stage, named},
};
use checkrein_hosts::install::{CODEX, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::json;
use std::{ffi::OsString, io, path::Path};

pub(super) struct Codex;

/// A model for which it offers its plain shell and patch tools; for later ones the only tool is a script.
const MODEL: &str = "gpt-5.5";

impl Agent for Codex {
    fn recipe(&self) -> &'static Recipe {
        &CODEX
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
            Scenario::Untrusted,
            Scenario::Subagent,
            Scenario::Typed,
        ]
    }

    fn plugin(&self, plugins: &Path) -> Option<Vec<Vec<OsString>>> {
        from_marketplace(plugins, "add")
    }

    fn shell(&self, command: &str) -> Call {
        Call::new("exec_command", json!({"cmd": command}))
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
        Call::new(
            "apply_patch",
            format!("*** Begin Patch\n*** Add File: {name}\n{lines}*** End Patch\n").into(),
        )
    }

    fn script(&self, scenario: Scenario, _: &str, command: &str, _: &Workdir) -> Script {
        let together = |tool: &str, input| Turn::call(Call::new(tool, input).within("collaboration"));
        match scenario {
            // Codex sends no event for what is typed into it later.
            Scenario::Typed => Script::new([Turn::call(Call::new(
                "exec_command",
                json!({"cmd": "bash", "tty": true, "yield_time_ms": 1000}),
            ))]),
            Scenario::Subagent => {
                let task = json!({"task_name": "canary", "message": TASK, "fork_turns": "none"});
                let turns =
                    [together("spawn_agent", task), together("wait_agent", json!({"timeout_ms": 30_000}))];
                let theirs = [Turn::call(self.shell(command)), Turn::text("It has been heard.")];
                Script::new(turns).branch(TASK, theirs)
            }
            _ => Script::new([Turn::call(self.shell(command))]),
        }
    }

    fn settle(&self, stage: &Stage, _url: &str) -> io::Result<()> {
        if stage.is_own {
            return Ok(());
        }
        // A JSON string is a TOML string too.
        let project = json!(stage.cwd.to_string_lossy());
        let config = format!("[projects.{project}]\ntrust_level = \"trusted\"\n");
        Workdir::write(&stage.directory.join("config.toml"), &config)
    }

    fn launch(&self, stage: &Stage, url: &str, scenario: Scenario, prompt: &str) -> Launch {
        let mut arguments: Vec<OsString> = ["exec", "--json", "--skip-git-repo-check"].map(Into::into).into();
        // On the command line, because it overrides every file, so that the user's own file can stay as it
        // is.
        let settings = [
            format!("model=\"{MODEL}\""),
            "model_provider=\"scripted\"".to_owned(),
            format!(
                "model_providers.scripted={{name=\"scripted\", base_url=\"{url}/v1\", wire_api=\"responses\", \
                 env_key=\"SCRIPTED_KEY\", request_max_retries=0, stream_max_retries=0, supports_websockets=false}}"
            ),
            "approval_policy=\"never\"".to_owned(),
            "sandbox_mode=\"danger-full-access\"".to_owned(),
            "check_for_update_on_startup=false".to_owned(),
            "analytics.enabled=false".to_owned(),
        ];
        for setting in settings {
            arguments.extend(["-c".into(), setting.into()]);
        }
        if scenario == Scenario::Subagent {
            // The tools for it are offered immediately, without a search.
            arguments.extend(["-c".into(), "features.multi_agent_v2=true".into()]);
        }
        match scenario {
            // These show whether the user has reviewed the hooks.
            Scenario::Untrusted | Scenario::Own => {}
            // The review of hooks needs a terminal; this is the only way without one.
            _ => arguments.push("--dangerously-bypass-hook-trust".into()),
        }
        arguments.extend(["-C".into(), stage.cwd.clone().into_os_string(), prompt.into()]);
        let key = [("SCRIPTED_KEY", "not-a-key".into())];
        Launch { arguments, environment: named(stage, &CODEX).into_iter().chain(key).collect() }
    }
}
