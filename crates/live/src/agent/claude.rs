//! Claude Code.

use super::{Agent, Launch};
use crate::{Place, Trial};
use checkrein_hosts::install::{CLAUDE, Recipe};
use checkrein_model::Call;
use serde_json::json;
use std::{io, path::Path};

pub(super) struct ClaudeCode;

impl Agent for ClaudeCode {
    fn recipe(&self) -> &'static Recipe {
        &CLAUDE
    }

    fn trials(&self) -> &'static [Trial] {
        &[
            Trial::Abilities,
            Trial::Prompt,
            Trial::HookMissing,
            Trial::ProgramHangs,
            Trial::ProgramCrashes,
            Trial::ProgramKilled,
            Trial::ProgramMissing,
        ]
    }

    fn shell(&self, command: &str) -> Call {
        Call::new("Bash", json!({"command": command, "description": "a canary"}))
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Call::new("Write", json!({"file_path": file.to_string_lossy(), "content": text}))
    }

    fn settle(&self, place: &Place, _url: &str) -> io::Result<()> {
        // What a person has clicked away long ago.
        let project = place.project();
        let seen = json!({
            "hasCompletedOnboarding": true,
            "projects": {project.to_string_lossy(): {"hasTrustDialogAccepted": true}},
        });
        Place::write(&place.home().join(".claude.json"), &seen.to_string())
    }

    fn launch(&self, _place: &Place, url: &str, _trial: Trial, prompt: &str) -> Launch {
        let arguments = [
            "-p",
            prompt,
            "--model",
            "claude-sonnet-4-5",
            // Nothing but a hook stands between the model and its calls.
            "--permission-mode",
            "bypassPermissions",
            "--output-format",
            "stream-json",
            "--verbose",
        ];
        Launch {
            arguments: arguments.map(Into::into).into(),
            environment: vec![
                ("ANTHROPIC_BASE_URL", url.into()),
                ("ANTHROPIC_API_KEY", "not-a-key".into()),
                ("DISABLE_AUTOUPDATER", "1".into()),
                ("DISABLE_TELEMETRY", "1".into()),
                ("DISABLE_ERROR_REPORTING", "1".into()),
                ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
                // It refuses that permission mode to the administrator elsewhere, and in a namespace we are that.
                ("IS_SANDBOX", "1".into()),
            ],
        }
    }
}
