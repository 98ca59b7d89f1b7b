//! The script that selects the program of a plugin, and the programs next to it.

use super::{read, write_file};
use crate::{Failed, Result, cannot, dist, root};
use checkrein_core::{Class, EventName};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// A program that travels in the plugins.
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    /// The short name of its platform, such as `linux-x64`.
    pub(crate) platform: String,
    /// The file.
    pub(crate) file: PathBuf,
}

/// The platforms, and what `uname -sm` says there.
const SYSTEMS: [(&str, &str); 4] = [
    ("linux-x64", "Linux x86_64"),
    ("linux-arm64", "Linux aarch64"),
    ("darwin-arm64", "Darwin arm64"),
    ("darwin-x64", "Darwin x86_64"),
];

/// Returns the script for these programs.
pub(super) fn text(carried: &[Carried]) -> Result<String> {
    let mut programs = Vec::new();
    for program in carried {
        let (platform, system) =
            SYSTEMS.iter().find(|(platform, _)| *platform == program.platform).ok_or_else(|| {
                Failed::Because(format!("there is no plugin for the platform `{}`", program.platform))
            })?;
        let sum = dist::checksum(&read(&program.file)?);
        programs.push(format!("    '{system}') platform={platform} sum={sum} ;;"));
    }
    let template = read(&root().join("packaging/plugins/checkrein.sh"))?;
    Ok(filled(&String::from_utf8_lossy(&template), &programs))
}

fn filled(template: &str, programs: &[String]) -> String {
    // The same as with `onFailure`: without its prompts the user could not even ask an agent to fix the installation.
    let goes_on = |event: &EventName| {
        matches!(event.class(), Class::Report | Class::Finish) || *event == EventName::UserPromptSubmit
    };
    let reports: Vec<String> = EventName::ALL
        .iter()
        .copied()
        .filter(goes_on)
        .map(|event| format!("*' --event {event} '*"))
        .collect();
    let programs = programs.join("\n");
    let lines = template.lines().filter(|line| !(programs.is_empty() && *line == "@PROGRAMS@"));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    text.replace("@REPORTS@", &reports.join(" | ")).replace("@PROGRAMS@", &programs)
}

/// Writes the script and its programs into the directory of a package.
pub(super) fn write(package: &Path, text: &str, carried: &[Carried]) -> Result<()> {
    let selector = package.join(checkrein_hosts::install::PLUGIN_PROGRAM);
    write_file(&selector, text.as_bytes())?;
    executable(&selector)?;
    for program in carried {
        let to = selector.with_file_name(&program.platform).join("checkrein");
        write_file(&to, &read(&program.file)?)?;
        executable(&to)?;
    }
    Ok(())
}

fn executable(path: &Path) -> Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .map_err(|error| cannot("change", &path.to_string_lossy(), &error))
}

#[cfg(test)]
mod tests;
