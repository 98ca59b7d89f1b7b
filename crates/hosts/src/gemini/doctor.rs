//! Checks the settings that decide if Gemini CLI runs hooks.
//!
//! Read in the program of 0.61.0: hooks are on unless `hooksConfig.enabled` is false, a hook is off if
//! `hooksConfig.disabled` has its name or its command, and in a directory that is not trusted no hook of any
//! settings file runs, not even the user's.

use crate::{
    doctor::{Content, Doctor, Finding, Machine, Seen, Source, flag, strongest},
    install::Node,
};
use serde_json::Value;
use std::path::{Path, PathBuf};

pub(super) struct Checks;

/// The list of trusted directories, in the agent's directory.
const TRUSTED: &str = "trustedFolders.json";

/// The variable that trusts the current directory.
const TRUST: &str = "GEMINI_CLI_TRUST_WORKSPACE";

impl Doctor for Checks {
    fn findings(&self, agent: &Seen<'_>, sources: &[Source]) -> Vec<Finding> {
        let mut findings = Vec::new();
        findings.extend(disabled(sources));
        findings.extend(one_disabled(sources));
        findings.extend(untrusted(agent, sources));
        findings
    }

    fn needed(&self, agent: &Seen<'_>, _: &[Source]) -> Vec<(PathBuf, Content)> {
        let list = agent.directory.map(|directory| directory.join(TRUSTED));
        list.filter(|list| agent.machine.is_file(list))
            .map(|list| (list, Content::Plain))
            .into_iter()
            .collect()
    }

    fn switches(&self) -> &'static [&'static str] {
        &[TRUST]
    }
}

fn disabled(sources: &[Source]) -> Option<Finding> {
    let (source, enabled) = strongest(sources, |root| flag(root.get("hooksConfig")?.get("enabled")?))?;
    (!enabled).then(|| {
        let text = format!("hooks are disabled in {}: `hooksConfig.enabled` is false", source.path.display());
        Finding::problem("all-disabled", text, "remove it")
    })
}

/// Returns a finding if the agent is told to skip one of our entries by its command.
fn one_disabled(sources: &[Source]) -> Option<Finding> {
    let ours: Vec<String> = sources
        .iter()
        .flat_map(|source| source.entries().unwrap_or_default())
        .filter_map(|entry| Some(entry.handler.get("command")?.as_str()?.to_owned()))
        .collect();
    sources.iter().find_map(|source| {
        let root = source.tree()?;
        let off = root.get("hooksConfig")?.get("disabled")?.elements()?;
        off.iter().filter_map(Node::text).find(|command| ours.iter().any(|ours| ours == command))?;
        let text = format!(
            "an entry of checkrein is disabled in {}: `hooksConfig.disabled` names it",
            source.path.display()
        );
        Some(Finding::problem("one-disabled", text, "remove it from the list"))
    })
}

/// Returns a finding if the current directory is not trusted.
fn untrusted(agent: &Seen<'_>, sources: &[Source]) -> Option<Finding> {
    let checks = strongest(sources, |root| flag(root.get("security")?.get("folderTrust")?.get("enabled")?));
    if checks.is_some_and(|(_, checks)| !checks)
        || agent.machine.variable(TRUST).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    {
        return None;
    }
    let project = agent.machine.project()?;
    let list = agent.directory?.join(TRUSTED);
    if is_trusted(agent.machine, &list, &project) {
        return None;
    }
    let text =
        format!("{} is not a trusted directory, and Gemini CLI runs no hooks there", project.display());
    Some(Finding::problem("directory-untrusted", text, "start `gemini` there and trust the directory"))
}

/// Returns true if the list of trusted directories covers `project`: by itself, by a directory above it, or by a
/// directory whose parent is trusted.
fn is_trusted(machine: &dyn Machine, list: &Path, project: &Path) -> bool {
    let text = machine.read(list).ok().flatten().unwrap_or_default();
    let Ok(Value::Object(rules)) = serde_json::from_str::<Value>(&text) else { return false };
    let project = machine.real(project);
    let mut longest: Option<(usize, bool)> = None;
    for (path, rule) in &rules {
        let path = machine.real(Path::new(path));
        let (covered, trusts) = match rule.as_str() {
            Some("TRUST_FOLDER") => (path.as_path(), true),
            Some("TRUST_PARENT") => (path.parent().unwrap_or(&path), true),
            Some("DO_NOT_TRUST") => (path.as_path(), false),
            Some(_) | None => continue,
        };
        let length = covered.components().count();
        if project.starts_with(covered) && longest.is_none_or(|(known, _)| length >= known) {
            longest = Some((length, trusts));
        }
    }
    longest.is_some_and(|(_, trusts)| trusts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        doctor::{Form, Whose},
        gemini::RECIPE,
    };
    use std::ffi::OsString;

    const OURS: &str = "/opt/checkrein hook --host gemini --event PreToolUse";

    /// A machine with a list of trusted directories.
    struct With(&'static str);

    impl Machine for With {
        fn read(&self, path: &Path) -> Result<Option<String>, String> {
            Ok(path.ends_with(TRUSTED).then(|| self.0.to_owned()))
        }

        fn is_file(&self, path: &Path) -> bool {
            path.ends_with(TRUSTED)
        }

        fn real(&self, path: &Path) -> PathBuf {
            path.to_owned()
        }

        fn variable(&self, _: &str) -> Option<OsString> {
            None
        }

        fn project(&self) -> Option<PathBuf> {
            Some("/home/dev/shop".into())
        }
    }

    fn ids(machine: &With, files: &[(Whose, &str)]) -> Vec<&'static str> {
        let sources: Vec<Source> = files
            .iter()
            .map(|(whose, text)| Source {
                form: Form::Hooks,
                recipe: &RECIPE,
                whose: *whose,
                path: "/home/dev/.gemini/settings.json".into(),
                text: Ok((*text).to_owned()),
            })
            .collect();
        let agent =
            Seen { recipe: &RECIPE, version: None, directory: Some(Path::new("/home/dev/.gemini")), machine };
        Checks.findings(&agent, &sources).into_iter().map(|finding| finding.id).collect()
    }

    const TRUSTING: &str = r#"{"/home/dev": "TRUST_FOLDER"}"#;

    #[test]
    fn a_switch_counts_from_the_strongest_file() {
        let trusting = With(TRUSTING);
        assert_eq!(ids(&trusting, &[]), [""; 0]);
        let off = "{\"hooksConfig\": {\"enabled\": false}} // off";
        assert_eq!(ids(&trusting, &[(Whose::User, off)]), ["all-disabled"]);
        let on = r#"{"hooksConfig": {"enabled": true}}"#;
        assert_eq!(ids(&trusting, &[(Whose::User, off), (Whose::Project, on)]), [""; 0]);
    }

    #[test]
    fn an_entry_that_is_disabled_by_its_command_is_found() {
        let hooks = format!(
            r#"{{"hooks": {{"BeforeTool": [{{"hooks": [{{"type": "command", "command": "{OURS}"}}]}}]}}}}"#
        );
        let off = format!(r#"{{"hooksConfig": {{"disabled": ["other", "{OURS}"]}}}}"#);
        let trusting = With(TRUSTING);
        assert_eq!(ids(&trusting, &[(Whose::User, &hooks), (Whose::Project, &off)]), ["one-disabled"]);
        let other = r#"{"hooksConfig": {"disabled": ["other"]}}"#;
        assert_eq!(ids(&trusting, &[(Whose::User, &hooks), (Whose::Project, other)]), [""; 0]);
    }

    #[test]
    fn a_directory_must_be_trusted() {
        for (list, trusted) in [
            ("", false),
            ("{}", false),
            (r#"{"/home/dev/shop": "TRUST_FOLDER"}"#, true),
            (r#"{"/home/dev/other": "TRUST_PARENT"}"#, true),
            (r#"{"/home/dev/shopping": "TRUST_FOLDER"}"#, false),
            (r#"{"/home/dev": "TRUST_FOLDER", "/home/dev/shop": "DO_NOT_TRUST"}"#, false),
        ] {
            assert_eq!(ids(&With(list), &[]).is_empty(), trusted, "{list}");
        }
        let off = r#"{"security": {"folderTrust": {"enabled": false}}}"#;
        assert_eq!(ids(&With(""), &[(Whose::User, off)]), [""; 0]);
    }
}
