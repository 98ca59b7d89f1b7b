//! Checks whether the user has agreed to our hooks: Hermes skips every other one, and says so only in its log.

use crate::doctor::{Content, Doctor, Finding, Seen, Source};
use serde_json::Value;
use std::path::PathBuf;

/// The file with the hooks that the user has agreed to, in its directory.
pub const CONSENT: &str = "shell-hooks-allowlist.json";

pub(super) struct Checks;

impl Doctor for Checks {
    fn findings(&self, agent: &Seen<'_>, sources: &[Source]) -> Vec<Finding> {
        skipped(agent, sources).into_iter().chain(switched_off(agent)).collect()
    }

    fn needed(&self, agent: &Seen<'_>, _: &[Source]) -> Vec<(PathBuf, Content)> {
        agent.directory.map(|directory| (directory.join(CONSENT), Content::Plain)).into_iter().collect()
    }

    fn switches(&self) -> &'static [&'static str] {
        &["HERMES_SAFE_MODE"]
    }
}

fn skipped(agent: &Seen<'_>, sources: &[Source]) -> Option<Finding> {
    let accepts_all = |source: &Source| {
        let text = source.text.as_deref().unwrap_or_default();
        text.lines()
            .any(|line| line.split('#').next().unwrap_or_default().trim_end() == "hooks_auto_accept: true")
    };
    if sources.iter().any(accepts_all) {
        return None;
    }
    let text = agent.machine.read(&agent.directory?.join(CONSENT)).ok().flatten().unwrap_or_default();
    let consent: Value = serde_json::from_str(&text).unwrap_or_default();
    let agreed = consent.get("approvals").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_agreed = |event: &str, command: &Value| {
        agreed.iter().any(|known| {
            known.get("event").and_then(Value::as_str) == Some(event) && known.get("command") == Some(command)
        })
    };
    let entries = sources.iter().flat_map(|source| source.entries().unwrap_or_default());
    let missing: Vec<String> = entries
        .filter(|entry| entry.handler.get("command").is_some_and(|command| !is_agreed(&entry.key, command)))
        .map(|entry| format!("`{}`", entry.key))
        .collect();
    if missing.is_empty() {
        return None;
    }
    let text = format!("Hermes skips our hooks until you approve them: {}", missing.join(", "));
    Some(Finding::problem("not-trusted", text, "start `hermes` in a terminal and answer `y` to each of them"))
}

fn switched_off(agent: &Seen<'_>) -> Option<Finding> {
    let is_set = agent.machine.variable("HERMES_SAFE_MODE").is_some_and(|value| !value.is_empty());
    is_set.then(|| {
        Finding::problem(
            "all-disabled",
            "`HERMES_SAFE_MODE` is set, so Hermes starts without hooks",
            "unset it",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        doctor::{Form, Machine, Whose},
        hermes::RECIPE,
        install::{Wanted, install},
    };
    use std::{ffi::OsString, path::Path};

    /// A machine with one consent file.
    struct Home(Option<String>);

    impl Machine for Home {
        fn read(&self, path: &Path) -> Result<Option<String>, String> {
            Ok(self.0.clone().filter(|_| path.ends_with(CONSENT)))
        }

        fn is_file(&self, _: &Path) -> bool {
            false
        }

        fn real(&self, path: &Path) -> PathBuf {
            path.to_owned()
        }

        fn variable(&self, _: &str) -> Option<OsString> {
            None
        }

        fn project(&self) -> Option<PathBuf> {
            None
        }
    }

    fn ids(settings: &str, consent: Option<String>) -> Vec<&'static str> {
        let fired = RECIPE.registered(None, &[]);
        let wanted: Vec<Wanted> =
            fired.map(|fired| Wanted::new(&RECIPE, None, fired, "/opt/checkrein")).collect();
        let text = install(settings, &RECIPE, &wanted).unwrap().text;
        let path = "/home/dev/.hermes/config.yaml".into();
        let source = Source { form: Form::Hooks, recipe: &RECIPE, whose: Whose::User, path, text: Ok(text) };
        let machine = Home(consent);
        let directory = Some(Path::new("/home/dev/.hermes"));
        let agent = Seen { recipe: &RECIPE, version: None, directory, machine: &machine };
        Checks.findings(&agent, &[source]).into_iter().map(|finding| finding.id).collect()
    }

    #[test]
    fn hermes_skips_hooks_without_consent() {
        assert_eq!(ids("", None), ["not-trusted"]);
        assert_eq!(ids("", Some("{\"approvals\": []}".into())), ["not-trusted"]);
        assert_eq!(ids("hooks_auto_accept: true # all\n", None), [""; 0]);
        assert_eq!(ids("# hooks_auto_accept: true\n", None), ["not-trusted"]);
        let mut approvals: Vec<Value> = RECIPE
            .registered(None, &[])
            .map(|fired| {
                let command = format!("/opt/checkrein hook --host hermes --event {}", fired.event);
                serde_json::json!({"event": fired.key, "command": command})
            })
            .collect();
        let consent = |approvals: &[Value]| serde_json::json!({"approvals": approvals}).to_string();
        assert_eq!(ids("", Some(consent(&approvals))), [""; 0]);
        approvals.pop();
        assert_eq!(ids("", Some(consent(&approvals))), ["not-trusted"]);
    }
}
