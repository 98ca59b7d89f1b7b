//! Cline.

use super::{Agent, Launch};
use crate::{
    Scenario, Workdir,
    own::{Stage, named},
};
use checkrein_hosts::install::{CLINE, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::json;
use std::{io, path::Path};

pub(super) struct Cline;

/// The provider for a model of the user's own.
const PROVIDER: &str = "openai-compatible";

impl Agent for Cline {
    fn recipe(&self) -> &'static Recipe {
        &CLINE
    }

    /// It has no event for a prompt without a terminal.
    fn scenarios(&self) -> &'static [Scenario] {
        &[
            Scenario::Abilities,
            Scenario::HookMissing,
            Scenario::ProgramHangs,
            Scenario::ProgramCrashes,
            Scenario::ProgramKilled,
            Scenario::ProgramMissing,
        ]
    }

    fn ends_on_denial(&self) -> Option<&'static str> {
        Some("\"aborted\"")
    }

    fn waits_for_ever(&self) -> bool {
        true
    }

    fn shell(&self, command: &str) -> Call {
        Call::new("run_commands", json!({"commands": [command]}))
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Call::new("editor", json!({"path": file.to_string_lossy(), "new_text": text}))
    }

    fn script(&self, _: Scenario, _: &str, command: &str, _: &Workdir) -> Script {
        Script::new([Turn::call(self.shell(command))])
    }

    fn settle(&self, stage: &Stage, url: &str) -> io::Result<()> {
        let settings = json!({
            "provider": PROVIDER, "apiKey": "not-a-key", "model": "scripted", "baseUrl": format!("{url}/v1"),
        });
        let providers = json!({
            "version": 1, "lastUsedProvider": PROVIDER, "modes": {},
            "providers": {PROVIDER: {
                "settings": settings, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual",
            }},
        });
        Workdir::write(&stage.directory.join("data/settings/providers.json"), &providers.to_string())
    }

    fn launch(&self, stage: &Stage, _url: &str, _: Scenario, prompt: &str) -> Launch {
        let project = stage.cwd.to_string_lossy().into_owned();
        let arguments =
            ["--json", "--auto-approve", "true", "-P", PROVIDER, "-m", "scripted", "-c", &project, prompt];
        let arguments = arguments.into_iter().map(Into::into).collect();
        let mut environment =
            vec![("CLINE_NO_AUTO_UPDATE", "1".into()), ("CLINE_TELEMETRY_DISABLED", "1".into())];
        environment.extend(named(stage, &CLINE));
        Launch { arguments, environment }
    }
}
