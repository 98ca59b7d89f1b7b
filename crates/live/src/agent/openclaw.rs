//! OpenClaw without its Gateway, which loads our bridge as a plugin.

use super::{Agent, Launch, USUAL_WITHOUT_SUBAGENT};
use crate::{
    Scenario, Workdir,
    own::{Stage, named},
};
use checkrein_hosts::install::{OPENCLAW, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::{Value, json};
use std::{fs, io, path::Path};

pub(super) struct Openclaw;

impl Agent for Openclaw {
    fn recipe(&self) -> &'static Recipe {
        &OPENCLAW
    }

    fn scenarios(&self) -> &'static [Scenario] {
        USUAL_WITHOUT_SUBAGENT
    }

    fn shell(&self, command: &str) -> Call {
        Call::new("exec", json!({"command": command}))
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Call::new("write", json!({"path": file.to_string_lossy(), "content": text}))
    }

    fn script(&self, _: Scenario, _: &str, command: &str, _: &Workdir) -> Script {
        Script::new([Turn::call(self.shell(command))])
    }

    /// Adds a model to its settings, which has no other place. Under the user's own settings their word about plugins counts.
    fn settle(&self, stage: &Stage, url: &str) -> io::Result<()> {
        let file = stage.directory.join("openclaw.json");
        let theirs: Value = fs::read_to_string(&file)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_else(|| json!({}));
        let enabled =
            json!({"entries": {"checkrein": {"enabled": true, "hooks": {"allowConversationAccess": true}}}});
        let plugins = if stage.is_own { theirs.get("plugins").cloned().unwrap_or_default() } else { enabled };
        let settings = json!({
            "models": {"providers": {"scripted": {
                "baseUrl": format!("{url}/v1"), "apiKey": "not-a-key", "api": "openai-completions",
                "models": [{"id": "scripted", "name": "scripted", "contextWindow": 128_000, "maxTokens": 8192}],
            }}},
            "agents": {"defaults": {
                "model": {"primary": "scripted/scripted"},
                "workspace": stage.cwd.to_string_lossy(),
                "skipBootstrap": true,
            }},
            "plugins": plugins,
        });
        Workdir::write(&file, &settings.to_string())
    }

    fn launch(&self, stage: &Stage, _url: &str, _: Scenario, prompt: &str) -> Launch {
        let arguments =
            ["agent", "--local", "--agent", "main", "--message", prompt, "--json"].map(Into::into);
        Launch { arguments: arguments.into(), environment: named(stage, &OPENCLAW).into_iter().collect() }
    }
}
