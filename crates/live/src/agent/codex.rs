//! Codex.

use super::{Agent, Launch};
use crate::{Place, Trial};
use checkrein_hosts::install::{CODEX, Recipe};
use checkrein_model::Call;
use serde_json::json;
use std::{ffi::OsString, io, path::Path};

pub(super) struct Codex;

/// A model for which it offers its plain shell and patch tools; for later ones the only tool is a script.
const MODEL: &str = "gpt-5.5";

impl Agent for Codex {
    fn recipe(&self) -> &'static Recipe {
        &CODEX
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
            Trial::Untrusted,
        ]
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

    fn settle(&self, place: &Place, url: &str) -> io::Result<()> {
        // A JSON text is a TOML text too.
        let project = json!(place.project().to_string_lossy());
        let config = format!(
            "model = \"{MODEL}\"\n\
             model_provider = \"scripted\"\n\
             approval_policy = \"never\"\n\
             sandbox_mode = \"danger-full-access\"\n\
             check_for_update_on_startup = false\n\
             \n\
             [model_providers.scripted]\n\
             name = \"scripted\"\n\
             base_url = \"{url}/v1\"\n\
             wire_api = \"responses\"\n\
             env_key = \"SCRIPTED_KEY\"\n\
             request_max_retries = 0\n\
             stream_max_retries = 0\n\
             supports_websockets = false\n\
             \n\
             [analytics]\n\
             enabled = false\n\
             \n\
             [projects.{project}]\n\
             trust_level = \"trusted\"\n"
        );
        Place::write(&place.home().join(CODEX.folder).join("config.toml"), &config)
    }

    fn launch(&self, place: &Place, _url: &str, trial: Trial, prompt: &str) -> Launch {
        let mut arguments: Vec<OsString> = ["exec", "--json", "--skip-git-repo-check"].map(Into::into).into();
        match trial {
            // What a person does in its review of hooks, which has no other way without a terminal.
            Trial::Abilities
            | Trial::Prompt
            | Trial::HookMissing
            | Trial::ProgramHangs
            | Trial::ProgramCrashes
            | Trial::ProgramKilled
            | Trial::ProgramMissing => {
                arguments.push("--dangerously-bypass-hook-trust".into());
            }
            Trial::Untrusted => {}
        }
        arguments.extend(["-C".into(), place.project().into_os_string(), prompt.into()]);
        Launch {
            arguments,
            environment: vec![
                (CODEX.variable, place.home().join(CODEX.folder).into_os_string()),
                ("SCRIPTED_KEY", "not-a-key".into()),
            ],
        }
    }
}
