//! Claude Code.

use super::{Agent, Launch, from_marketplace};
use crate::{
    Scenario, Workdir,
    canary::{skill, skill_file},
    own::{Stage, named},
};
use checkrein_hosts::install::{CLAUDE, Recipe};
use checkrein_model::{Call, Script, Turn};
use serde_json::json;
use std::{ffi::OsString, io, path::Path};

pub(super) struct ClaudeCode;

impl Agent for ClaudeCode {
    fn recipe(&self) -> &'static Recipe {
        &CLAUDE
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
            Scenario::Monitor,
            Scenario::SkillWritten,
            Scenario::Skill,
        ]
    }

    fn plugin(&self, plugins: &Path) -> Option<Vec<Vec<OsString>>> {
        from_marketplace(plugins, "install")
    }

    fn shell(&self, command: &str) -> Call {
        Call::new("Bash", json!({"command": command, "description": "a canary"}))
    }

    fn write(&self, file: &Path, text: &str) -> Call {
        Call::new("Write", json!({"file_path": file.to_string_lossy(), "content": text}))
    }

    fn script(&self, scenario: Scenario, name: &str, command: &str, workdir: &Workdir) -> Script {
        let call = |tool: &str, input| Turn::call(Call::new(tool, input));
        Script::new(match scenario {
            Scenario::Monitor => vec![
                // The agent knows only the name of this tool until it looks the tool up.
                call("ToolSearch", json!({"query": "select:Monitor", "max_results": 1})),
                call(
                    "Monitor",
                    json!({"command": command, "description": "a canary", "timeout_ms": 2000, "persistent": false}),
                ),
            ],
            Scenario::Subagent => vec![
                call(
                    "Agent",
                    json!({
                        "description": "a canary",
                        "prompt": "Let the canary sing.",
                        "subagent_type": "general-purpose",
                        "run_in_background": false,
                    }),
                ),
                Turn::call(self.shell(command)),
                Turn::text("The canary has been heard."),
            ],
            Scenario::SkillWritten => {
                vec![Turn::call(self.write(&workdir.project().join(skill_file(name)), &skill(name, command)))]
            }
            Scenario::Skill => vec![call("Skill", json!({"skill": name}))],
            _ => vec![Turn::call(self.shell(command))],
        })
    }

    fn settle(&self, stage: &Stage, _url: &str) -> io::Result<()> {
        // Dialogs that a user has dismissed long ago.
        let project = &stage.cwd;
        let seen = json!({
            "hasCompletedOnboarding": true,
            "projects": {project.to_string_lossy(): {"hasTrustDialogAccepted": true}},
        });
        let directory = if stage.is_named { &stage.directory } else { &stage.home };
        Workdir::write(&directory.join(".claude.json"), &seen.to_string())
    }

    fn launch(&self, stage: &Stage, url: &str, _trial: Scenario, prompt: &str) -> Launch {
        let arguments = [
            "-p",
            prompt,
            "--model",
            "claude-sonnet-4-5",
            // Only hooks may stop the model's calls.
            "--permission-mode",
            "bypassPermissions",
            "--output-format",
            "stream-json",
            "--verbose",
        ];
        Launch {
            arguments: arguments.map(Into::into).into(),
            environment: named(stage, &CLAUDE)
                .into_iter()
                .chain([
                    ("ANTHROPIC_BASE_URL", url.into()),
                    ("ANTHROPIC_API_KEY", "not-a-key".into()),
                    ("DISABLE_AUTOUPDATER", "1".into()),
                    ("DISABLE_TELEMETRY", "1".into()),
                    ("DISABLE_ERROR_REPORTING", "1".into()),
                    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
                    // Elsewhere the agent refuses that permission mode to root, and in a namespace we are
                    // root.
                    ("IS_SANDBOX", "1".into()),
                ])
                .collect(),
        }
    }
}
