//! Checks the settings that decide if Claude Code runs hooks.

use super::{
    RECIPE,
    plugins::{self, MANIFEST},
};
use crate::{
    doctor::{Content, Doctor, Finding, Machine, Seen, Source, Whose},
    install::{Tree, entries},
};
use checkrein_core::SmallSort as _;
use serde_json::Value;
use std::path::PathBuf;

pub(super) struct Checks;

impl Doctor for Checks {
    fn more_sources(&self, agent: &Seen<'_>, sources: &[Source]) -> Vec<Source> {
        plugins::sources(agent, sources)
    }

    fn findings(&self, agent: &Seen<'_>, sources: &[Source]) -> Vec<Finding> {
        findings(agent.machine, sources)
    }

    fn needed(&self, agent: &Seen<'_>, sources: &[Source]) -> Vec<(PathBuf, Content)> {
        // A plugin without a name does not count.
        let ours = sources.iter().filter(|source| source.whose == Whose::Plugin && source.asks_us());
        let manifests = ours.filter_map(|source| {
            let manifests = source.path.ancestors().map(|root| root.join(MANIFEST));
            manifests.into_iter().find(|manifest| agent.machine.is_file(manifest))
        });
        let lists = plugins::lists(agent).into_iter().map(|list| (list, Content::Plain));
        manifests.map(|manifest| (manifest, Content::Settings)).chain(lists).collect()
    }

    fn switches(&self) -> &'static [&'static str] {
        &WITHOUT_HOOKS
    }
}

/// Returns a finding of another agent that also runs the hooks of the user's Claude Code settings, if those call us.
pub(crate) fn also_runs(agent: &Seen<'_>) -> Option<Finding> {
    let home = agent.machine.variable("HOME").map(PathBuf::from)?;
    let file = home.join(RECIPE.directory).join(RECIPE.file);
    let text = agent.machine.read(&file).ok().flatten().unwrap_or_default();
    entries(&text, &RECIPE).ok().filter(|entries| !entries.is_empty())?;
    let title = agent.recipe.title;
    let text =
        format!("{title} also runs the hooks of {}, so checkrein judges each call twice", file.display());
    let fix = "nothing needs to be done: the decision is the same, and the call is recorded once";
    Some(Finding::note("asked-twice", text, fix))
}

fn findings(machine: &dyn Machine, sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The strongest file with a value decides.
    let mut by_strength: Vec<&Source> = sources.iter().collect();
    by_strength.retain(|source| source.whose != Whose::Above);
    by_strength.small_sort_by_key(|source| std::cmp::Reverse(source.whose));
    let off = by_strength.iter().find_map(|source| Some((source, is_set(source, "disableAllHooks")?)));
    let managed = || sources.iter().filter(|source| source.whose == Whose::Managed);
    // These run, whatever the other files say.
    let ours = managed().any(|source| source.entries().is_ok_and(|entries| !entries.is_empty()));
    if let Some((source, true)) = off {
        let path = source.path.display();
        let text = format!("hooks are disabled in {path}: `disableAllHooks` is set");
        findings.push(if ours && source.whose != Whose::Managed {
            Finding::note("others-disabled", text, "the administrator's hooks still run, including checkrein")
        } else {
            Finding::problem("all-disabled", text, "remove it")
        });
    }
    findings.extend(switches(machine, sources));
    if let Some(source) = managed().find(|source| is_set(source, "allowManagedHooksOnly") == Some(true)) {
        let text = format!("{} allows only the administrator's hooks", source.path.display());
        if !ours {
            findings.push(Finding::problem(
                "managed-only",
                text,
                "ask the administrator to register checkrein there",
            ));
        }
    }
    for source in managed().filter(|source| is_set(source, "allowManagedHooksOnly") != Some(true)) {
        let text = format!("an administrator's settings are active: {}", source.path.display());
        findings.push(Finding::note("managed", text, "they override your own"));
    }
    findings.extend(elsewhere(sources));
    let project = |source: &&Source| {
        source.whose == Whose::Project && source.entries().is_ok_and(|all| !all.is_empty())
    };
    if let Some(source) = sources.iter().find(project) {
        let text =
            format!("Copilot CLI runs the hooks of {} as well, in another dialect", source.path.display());
        findings.push(Finding::note(
            "read-by-others",
            text,
            "use `checkrein init --user` if both work in this project",
        ));
    }
    findings
}

/// Returns a finding if checkrein is registered only in a project file that is not read here.
fn elsewhere(sources: &[Source]) -> Option<Finding> {
    let asks = |source: &&Source| source.entries().is_ok_and(|entries| !entries.is_empty());
    let ours: Vec<&Source> = sources.iter().filter(asks).collect();
    let first = ours.first().filter(|_| ours.iter().all(|source| source.whose == Whose::Above))?;
    let text = format!(
        "{} is not read here: Claude Code reads the settings of the directory that it is started in",
        first.path.display()
    );
    Some(Finding::problem(
        "project-elsewhere",
        text,
        "start it in the directory above `.claude`, or run `checkrein init --user`",
    ))
}

/// Variables that make the agent start without hooks. The agent's own files may set them too.
const WITHOUT_HOOKS: [&str; 2] = ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"];

fn switches(machine: &dyn Machine, sources: &[Source]) -> Vec<Finding> {
    let is_on = |value: &str| !["", "0", "false", "no", "off"].contains(&value.to_ascii_lowercase().as_str());
    let mut findings = Vec::new();
    for name in WITHOUT_HOOKS {
        if machine.variable(name).is_some_and(|value| is_on(&value.to_string_lossy())) {
            let text = format!("hooks are disabled in this environment: `{name}` is set");
            findings.push(Finding::problem("all-disabled", text, "remove it"));
        }
        let named = sources.iter().filter(|source| source.whose > Whose::Plugin).find(|source| {
            let tree = source.tree();
            let value = tree.as_ref().and_then(|tree| tree.get("env")?.get(name)?.text());
            value.is_some_and(is_on)
        });
        if let Some(source) = named {
            let text =
                format!("hooks are disabled in {}: `{name}` is set under `env`", source.path.display());
            findings.push(Finding::problem("all-disabled", text, "remove it"));
        }
    }
    findings
}

fn is_set(source: &Source, key: &str) -> Option<bool> {
    match &source.tree()?.get(key)?.value {
        Tree::Other(Value::Bool(set)) => Some(*set),
        Tree::Other(_) | Tree::Object(_) | Tree::Array(_) | Tree::String(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        claude::RECIPE,
        doctor::{Form, tests::Nowhere},
    };

    const OURS: &str = r#"{"hooks": {"PreToolUse": [{"hooks": [
        {"type": "command", "command": "/opt/checkrein hook --host claude --event PreToolUse"}]}]}}"#;

    fn ids(files: &[(Whose, &str)]) -> Vec<&'static str> {
        let source = |(number, (whose, text)): (usize, &(Whose, &str))| Source {
            form: Form::Hooks,
            recipe: &RECIPE,
            whose: *whose,
            path: format!("/nowhere/{number}.json").into(),
            text: Ok((*text).to_owned()),
        };
        let sources: Vec<Source> = files.iter().enumerate().map(source).collect();
        findings(&Nowhere, &sources).iter().map(|found| found.id).collect()
    }

    #[test]
    fn an_administrators_files_are_read_together() {
        const ONLY: &str = r#"{"allowManagedHooksOnly": true}"#;
        const OFF: &str = r#"{"disableAllHooks": true}"#;
        assert_eq!(ids(&[(Whose::User, OURS), (Whose::Managed, ONLY)]), ["managed-only"]);
        // Registered in one file and allowed in another.
        assert_eq!(ids(&[(Whose::Managed, OURS), (Whose::Managed, ONLY)]), ["managed"]);
        // A user disables the user's own hooks, and an administrator all.
        assert_eq!(ids(&[(Whose::User, OFF), (Whose::Managed, OURS)]), ["others-disabled", "managed"]);
        assert_eq!(ids(&[(Whose::User, OFF), (Whose::User, OURS)]), ["all-disabled"]);
        let off_for_all = ids(&[(Whose::Managed, OFF), (Whose::Managed, OURS)]);
        assert!(off_for_all.contains(&"all-disabled"), "{off_for_all:?}");
    }
}
