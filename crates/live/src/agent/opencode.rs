//! opencode, which loads our bridge as a plugin.

use super::{Agent, Launch, TASK, USUAL, from_directory};
use crate::{Scenario, Workdir, own::Stage};
use checkrein_hosts::install::{OPENCODE, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::json;
use std::{ffi::OsString, io, path::Path};

pub(super) struct Opencode;

impl Agent for Opencode {
    fn recipe(&self) -> &'static Recipe {
        &OPENCODE
    }

    fn scenarios(&self) -> &'static [Scenario] {
        USUAL
    }

    fn plugin(&self, plugins: &Path) -> Option<Vec<Vec<OsString>>> {
        from_directory(&["plugin", "--global"], &plugins.join("opencode"), &[])
    }

    fn shell(&self, command: &str) -> Call {
        Call::new("bash", json!({"command": command, "description": "a canary"}))
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Call::new("write", json!({"filePath": file.to_string_lossy(), "content": text}))
    }

    fn script(&self, scenario: Scenario, _: &str, command: &str, _: &Workdir) -> Script {
        match scenario {
            Scenario::Subagent => {
                let task = json!({"description": "a canary", "prompt": TASK, "subagent_type": "general"});
                let theirs = [Turn::call(self.shell(command)), Turn::text("It has been heard.")];
                Script::new([Turn::call(Call::new("task", task))]).branch(TASK, theirs)
            }
            _ => Script::new([Turn::call(self.shell(command))]),
        }
    }

    /// Its settings come from a variable, so that the user's files stay as they are.
    fn settle(&self, _: &Stage, _url: &str) -> io::Result<()> {
        Ok(())
    }

    fn launch(&self, _: &Stage, url: &str, _: Scenario, prompt: &str) -> Launch {
        let switches = [
            "OPENCODE_DISABLE_AUTOUPDATE",
            "OPENCODE_DISABLE_MODELS_FETCH",
            "OPENCODE_DISABLE_LSP_DOWNLOAD",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS",
        ];
        launch("OPENCODE_CONFIG_CONTENT", switches, url, prompt)
    }
}

/// Returns the start of opencode or of a fork of it. A fork has other names for the variable with the settings and for the
/// switches that keep it from the network.
pub(super) fn launch(settings: &'static str, switches: [&'static str; 4], url: &str, prompt: &str) -> Launch {
    let content = json!({
        "model": "scripted/scripted", "small_model": "scripted/scripted",
        "autoupdate": false, "share": "disabled", "permission": {"bash": "allow", "edit": "allow"},
        "provider": {"scripted": {
            "npm": "@ai-sdk/openai-compatible", "name": "scripted",
            "options": {"baseURL": format!("{url}/v1"), "apiKey": "not-a-key"},
            "models": {"scripted": {"name": "scripted", "limit": {"context": 128_000, "output": 8192}}},
        }},
    });
    let mut environment = vec![(settings, content.to_string().into())];
    environment.extend(switches.map(|switch| (switch, "1".into())));
    // At its start it installs its library for plugins, and would wait a minute for the network.
    environment.extend([("npm_config_offline", "true".into()), ("npm_config_fetch_retries", "0".into())]);
    let arguments = ["run", "--format", "json", prompt].map(Into::into);
    Launch { arguments: arguments.into(), environment }
}
