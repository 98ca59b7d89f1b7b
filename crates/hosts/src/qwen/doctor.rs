//! Checks what decides if Qwen Code runs hooks, and whose answer it takes.

use crate::{
    doctor::{Doctor, Finding, Seen, Source, Whose, flag, strongest},
    install::Node,
};
use checkrein_core::EventName;
use checkrein_core::SmallSort as _;

pub(super) struct Checks;

impl Doctor for Checks {
    fn findings(&self, _: &Seen<'_>, sources: &[Source]) -> Vec<Finding> {
        disabled(sources).into_iter().chain(not_last(sources)).collect()
    }
}

fn disabled(sources: &[Source]) -> Option<Finding> {
    let (source, is_off) = strongest(sources, |root| flag(root.get("disableAllHooks")?))?;
    is_off.then(|| {
        let text = format!("hooks are disabled in {}: `disableAllHooks` is set", source.path.display());
        Finding::problem("all-disabled", text, "remove it")
    })
}

/// The order in which it asks the hooks of its files, by its documentation.
fn order(whose: Whose) -> u8 {
    match whose {
        Whose::Above => 0,
        Whose::Project | Whose::Local => 1,
        Whose::User => 2,
        Whose::Managed => 3,
        Whose::Plugin => 4,
    }
}

/// Returns a finding if another hook answers after ours: its `allow` would cancel our denial.
fn not_last(sources: &[Source]) -> Option<Finding> {
    let mut ordered: Vec<&Source> = sources.iter().filter(|source| source.whose != Whose::Above).collect();
    ordered.small_sort_by_key(|source| order(source.whose));
    let gates = EventName::ALL.iter().filter(|event| event.is_preventable());
    gates.into_iter().find_map(|event| {
        let mut ours_at = None;
        let mut last = None;
        for (number, source) in ordered.iter().enumerate() {
            let key = source.recipe.key(*event);
            let entries = source.entries().unwrap_or_default();
            let Some(root) = source.tree() else { continue };
            let list = root.get("hooks").and_then(|hooks| hooks.get(key)?.elements()).unwrap_or_default();
            for (group, node) in list.iter().enumerate() {
                let handlers = node.get("hooks").and_then(Node::elements).unwrap_or_default();
                for index in 0..handlers.len() {
                    let place = (number, group, index);
                    let is_ours = entries
                        .iter()
                        .any(|entry| (entry.key.as_str(), entry.group, entry.index) == (key, group, index));
                    if is_ours {
                        ours_at = Some(place);
                    }
                    last = Some((place, source.path.display().to_string()));
                }
            }
        }
        let (last, path) = last?;
        ours_at.filter(|ours| *ours < last)?;
        let text = format!(
            "another hook answers after checkrein on `{}` in {path}, and Qwen Code takes the last answer",
            sources.first()?.recipe.key(*event)
        );
        Some(Finding::problem(
            "not-last",
            text,
            "run `checkrein init --agent qwen`, or move the other hook before it",
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        doctor::{Form, tests::Nowhere},
        qwen::RECIPE,
    };

    const OURS: &str = r#"{"hooks": [{"type": "command", "command": "/opt/checkrein hook --host qwen --event PreToolUse"}]}"#;
    const OTHER: &str = r#"{"hooks": [{"type": "command", "command": "other"}]}"#;

    fn ids(files: &[(Whose, String)]) -> Vec<&'static str> {
        let sources: Vec<Source> = files
            .iter()
            .map(|(whose, text)| Source {
                form: Form::Hooks,
                recipe: &RECIPE,
                whose: *whose,
                path: "/home/dev/.qwen/settings.json".into(),
                text: Ok(text.clone()),
            })
            .collect();
        let agent = Seen { recipe: &RECIPE, version: None, directory: None, machine: &Nowhere };
        Checks.findings(&agent, &sources).into_iter().map(|finding| finding.id).collect()
    }

    fn hooks(groups: &[&str]) -> String {
        format!(r#"{{"hooks": {{"PreToolUse": [{}]}}}}"#, groups.join(", "))
    }

    #[test]
    fn an_allow_after_ours_would_cancel_a_denial() {
        assert_eq!(ids(&[(Whose::User, hooks(&[OTHER, OURS]))]), [""; 0]);
        assert_eq!(ids(&[(Whose::User, hooks(&[OURS, OTHER]))]), ["not-last"]);
        let project = (Whose::Project, hooks(&[OTHER]));
        assert_eq!(ids(&[(Whose::User, hooks(&[OURS])), project.clone()]), [""; 0]);
        let managed = (Whose::Managed, hooks(&[OTHER]));
        assert_eq!(ids(&[(Whose::User, hooks(&[OURS])), managed]), ["not-last"]);
        assert_eq!(ids(&[(Whose::Project, hooks(&[OURS])), (Whose::User, hooks(&[OTHER]))]), ["not-last"]);
        assert_eq!(ids(&[project]), [""; 0]);
    }

    #[test]
    fn a_switch_is_found() {
        assert_eq!(ids(&[(Whose::User, "{\"disableAllHooks\": true} // off".into())]), ["all-disabled"]);
        assert_eq!(ids(&[(Whose::User, "{\"disableAllHooks\": false}".into())]), [""; 0]);
    }
}
