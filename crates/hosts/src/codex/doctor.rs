//! Checks the configuration that decides if Codex runs hooks, above all its trust in them.
//!
//! Codex runs a hook only after a user has trusted it, and silently skips it until then. It keeps the digest of the
//! hook in its own configuration, under the file and the position in the list; both are computed here as Codex does.

use crate::{
    doctor::{Content, Doctor, Finding, Form, Machine, Seen, Source, Whose},
    install::{Entry, SyntaxError},
    toml_to_json,
};
use checkrein_core::EventName;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The name of its configuration file.
const CONFIG: &str = "config.toml";

/// The paths of an administrator's configuration.
const MANAGED: [&str; 3] =
    ["/etc/codex/requirements.toml", "/etc/codex/managed_config.toml", "/etc/codex/config.toml"];

pub(super) struct Checks;

impl Doctor for Checks {
    /// Returns the hooks in Codex's configuration itself, if checkrein is among them.
    fn more_sources(&self, agent: &Seen<'_>, _: &[Source]) -> Vec<Source> {
        let configurations = configurations(agent).into_iter();
        configurations.filter_map(|(whose, path)| inline_of(agent, whose, path)).collect()
    }

    fn findings(&self, agent: &Seen<'_>, sources: &[Source]) -> Vec<Finding> {
        findings(agent, sources)
    }

    fn needed(&self, agent: &Seen<'_>, _: &[Source]) -> Vec<(PathBuf, Content)> {
        let files = configurations(agent).into_iter().filter(|(_, path)| agent.machine.is_file(path));
        files.map(|(_, path)| (path, Content::Toml)).collect()
    }
}

fn findings(agent: &Seen<'_>, sources: &[Source]) -> Vec<Finding> {
    let mut findings = managed(sources);
    let Some(directory) = agent.directory else { return findings };
    let path = directory.join(CONFIG);
    let text = match agent.machine.read(&path) {
        Ok(text) => text.unwrap_or_default(),
        Err(error) => {
            findings.push(broken(&path, &error));
            return findings;
        }
    };
    let table = match DeTable::parse(&text) {
        Ok(table) => DeValue::Table(table.into_inner()),
        Err(error) => {
            findings.push(broken(&path, &place_of(&text, &error)));
            return findings;
        }
    };
    findings.extend(switches(&table, &path, sources));
    findings.extend(trust(agent.machine, &table, sources));
    let here = agent.machine.project().map(|project| project.to_string_lossy().into_owned());
    let level =
        here.and_then(|here| get(&table, &["projects", &here, "trust_level"]).and_then(DeValue::as_str));
    let of_project = sources.iter().find(|source| source.whose == Whose::Project && source.asks_us());
    if let Some(source) = of_project.filter(|_| level != Some("trusted")) {
        let text = format!("{} is not read: Codex does not trust this project", source.path.display());
        findings.push(Finding::warning(
            "project-untrusted",
            text,
            "start `codex` here and trust the project",
        ));
    }
    findings
}

/// Returns Codex's configuration files, which may contain hooks.
fn configurations(agent: &Seen<'_>) -> Vec<(Whose, PathBuf)> {
    let user = agent.directory.map(|directory| (Whose::User, directory.join(CONFIG)));
    let project = agent.machine.project();
    let project = project.map(|project| (Whose::Project, project.join(agent.recipe.directory).join(CONFIG)));
    // In the home directory the two are the same.
    let project = project.filter(|(_, path)| user.as_ref().is_none_or(|(_, user)| user != path));
    let managed = MANAGED.iter().map(|path| (Whose::Managed, PathBuf::from(path)));
    user.into_iter().chain(project).chain(managed).collect()
}

fn inline_of(agent: &Seen<'_>, whose: Whose, path: PathBuf) -> Option<Source> {
    let text = agent.machine.read(&path).ok()??;
    let table = DeValue::Table(DeTable::parse(&text).ok()?.into_inner());
    let hooks = get(&table, &["hooks"])?.as_table()?.iter();
    let events: Map<String, Value> = hooks
        .filter(|(key, _)| key.get_ref().parse::<EventName>().is_ok())
        .map(|(key, list)| (key.get_ref().to_string(), toml_to_json(list.get_ref())))
        .collect();
    let text = Ok(json!({"hooks": events}).to_string());
    let source = Source { form: Form::Inline, recipe: agent.recipe, whose, path, text };
    source.asks_us().then_some(source)
}

fn broken(path: &Path, why: &str) -> Finding {
    let text = format!("{}: {why}; Codex does not start with it", path.display());
    Finding::problem("file-broken", text, "fix it there")
}

fn place_of(text: &str, error: &toml::de::Error) -> String {
    let at = error.span().map_or(text.len(), |span| span.start);
    SyntaxError::at(text, at, error.message()).to_string()
}

fn get<'a>(value: &'a DeValue<'a>, path: &[&str]) -> Option<&'a DeValue<'a>> {
    path.iter().try_fold(value, |value, key| Some(value.as_table()?.get(*key)?.get_ref()))
}

/// Checks the administrator's requirements.
fn managed(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let ours = sources.iter().any(|source| source.whose == Whose::Managed && source.asks_us());
    for source in sources.iter().filter(|source| source.whose == Whose::Managed && source.form == Form::Other)
    {
        let Ok(text) = &source.text else { continue };
        let path = source.path.display();
        let table = match DeTable::parse(text) {
            Ok(table) => DeValue::Table(table.into_inner()),
            Err(error) => {
                findings.push(broken(&source.path, &place_of(text, &error)));
                continue;
            }
        };
        let is = |path: &[&str]| get(&table, path).and_then(DeValue::as_bool);
        let only = [&["allow_managed_hooks_only"][..], &["hooks", "allow_managed_hooks_only"]]
            .iter()
            .any(|path| is(path) == Some(true));
        let pinned = ["features", "feature_requirements"]
            .iter()
            .flat_map(|table| FEATURES.map(|feature| [*table, feature]))
            .find(|path| is(path) == Some(false));
        if let Some([_, feature]) = pinned {
            let text = format!("hooks are disabled in {path}: the feature `{feature}` is pinned to `false`");
            findings.push(Finding::problem("all-disabled", text, "ask the administrator to remove it"));
        }
        findings.push(if only && !ours {
            let text = format!("{path} allows only the administrator's hooks");
            Finding::problem("managed-only", text, "ask the administrator to register checkrein there")
        } else {
            let text = format!("an administrator's requirements are active: {path}");
            Finding::note("managed", text, "they override your own")
        });
    }
    findings
}

/// The names of the features that enable hooks.
const FEATURES: [&str; 2] = ["hooks", "codex_hooks"];

/// Checks if hooks are disabled, or configured in two files.
fn switches(table: &DeValue<'_>, path: &Path, sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for name in FEATURES {
        if get(table, &["features", name]).and_then(DeValue::as_bool) == Some(false) {
            let text = format!(
                "hooks are disabled in {}: `{name} = false` is set under `[features]`",
                path.display()
            );
            findings.push(Finding::problem("all-disabled", text, "remove it"));
        }
    }
    let inline = get(table, &["hooks"]).and_then(DeValue::as_table);
    let is_event = |key: &str| key.parse::<EventName>().is_ok();
    let has_file = sources.iter().any(|source| source.whose == Whose::User && source.form == Form::Hooks);
    if has_file && inline.is_some_and(|hooks| hooks.keys().any(|key| is_event(key.get_ref()))) {
        let text = format!("{} has hooks too; Codex runs those of both files, and says so", path.display());
        findings.push(Finding::note(
            "two-files",
            text,
            "move them to `hooks.json` to get rid of the warning",
        ));
    }
    findings
}

/// Checks if a user has trusted our entries.
fn trust(machine: &dyn Machine, table: &DeValue<'_>, sources: &[Source]) -> Vec<Finding> {
    let (mut unknown, mut changed, mut off) = (Vec::new(), Vec::new(), Vec::new());
    // The administrator's hooks need no trust.
    let own = sources.iter().filter(|source| source.has_hooks() && source.whose != Whose::Managed);
    for source in own {
        for entry in source.entries().unwrap_or_default() {
            let state = keys(machine, source, &entry)
                .into_iter()
                .find_map(|key| get(table, &["hooks", "state", &key]));
            let field = |name: &str| state.and_then(|state| get(state, &[name]));
            let event = format!("`{}`", entry.key);
            match field("trusted_hash").and_then(DeValue::as_str) {
                None => unknown.push(event),
                Some(hash) if hash != digest(&entry) => changed.push(event),
                Some(_) if field("enabled").and_then(DeValue::as_bool) == Some(false) => off.push(event),
                Some(_) => {}
            }
        }
    }
    let review = "start `codex` and choose *Trust all and continue*, or review them with `/hooks`";
    let finding = |id, events: &[String], what: &str, fix: &str| {
        (!events.is_empty()).then(|| Finding::problem(id, format!("{what}: {}", events.join(", ")), fix))
    };
    [
        finding(
            "not-trusted",
            &unknown,
            "these hooks are not trusted yet, so Codex silently skips them",
            review,
        ),
        finding(
            "trust-changed",
            &changed,
            "these hooks changed since they were trusted, so Codex silently skips them",
            review,
        ),
        finding(
            "switched-off",
            &off,
            "these hooks are disabled in Codex",
            "start `codex`, type `/hooks` and enable them",
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the names under which Codex may keep its state of an entry: by the path as given, and with links
/// resolved.
fn keys(machine: &dyn Machine, source: &Source, entry: &Entry) -> Vec<String> {
    let real = machine.real(&source.path);
    let name =
        |path: &Path| format!("{}:{}:{}:{}", path.display(), snake(&entry.key), entry.group, entry.index);
    vec![name(&source.path), name(&real)]
}

/// Converts `PreToolUse` to `pre_tool_use`.
fn snake(event: &str) -> String {
    let mut text = String::new();
    for char in event.chars() {
        if char.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(char.to_ascii_lowercase());
    }
    text
}

/// Returns the digest of an entry as Codex computes it: of its normalised JSON, with sorted keys.
fn digest(entry: &Entry) -> String {
    const PATIENCE: u64 = 600;
    let field = |name: &str| entry.handler.get(name).cloned();
    let mut handler = Map::new();
    handler.insert("async".into(), false.into());
    handler.insert("command".into(), field("command").unwrap_or_default());
    handler.extend(field("statusMessage").map(|text| ("statusMessage".to_owned(), text)));
    let timeout = field("timeout").and_then(|timeout| timeout.as_u64()).unwrap_or(PATIENCE).max(1);
    handler.insert("timeout".into(), timeout.into());
    handler.insert("type".into(), "command".into());
    let mut identity = Map::new();
    identity.insert("event_name".into(), snake(&entry.key).into());
    identity.insert("hooks".into(), json!([handler]));
    let ignored = matches!(entry.key.as_str(), "UserPromptSubmit" | "Stop");
    let matcher = entry.matcher.clone().filter(|_| !ignored);
    identity.extend(matcher.map(|matcher| ("matcher".to_owned(), Value::from(matcher))));
    let bytes = Sha256::digest(Value::from(identity).to_string().as_bytes());
    format!("sha256:{}", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{codex::RECIPE, doctor::tests::Nowhere, install::entries};

    #[test]
    fn the_digest_is_of_the_normalised_value_with_sorted_keys() {
        let text = r#"{"hooks": {
            "PostToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "/opt/checkrein hook --host codex"}]}],
            "Stop": [{"matcher": "*", "hooks": [{"timeout": 30, "type": "command", "command": "/opt/checkrein hook --host codex"}]}]
        }}"#;
        let found = entries(text, &RECIPE).unwrap();
        let by_hand = |json: &str| {
            let bytes = Sha256::digest(json.as_bytes());
            format!("sha256:{}", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        };
        assert_eq!(
            digest(found.first().unwrap()),
            by_hand(
                r#"{"event_name":"post_tool_use","hooks":[{"async":false,"command":"/opt/checkrein hook --host codex","timeout":600,"type":"command"}],"matcher":"*"}"#
            )
        );
        assert_eq!(
            digest(found.get(1).unwrap()),
            by_hand(
                r#"{"event_name":"stop","hooks":[{"async":false,"command":"/opt/checkrein hook --host codex","timeout":30,"type":"command"}]}"#
            )
        );
    }

    #[test]
    fn an_administrators_file_is_read() {
        let source = |text: &str| Source {
            form: Form::Other,
            recipe: &RECIPE,
            whose: Whose::Managed,
            path: "/etc/codex/requirements.toml".into(),
            text: Ok(text.to_owned()),
        };
        let ids = |text: &str| -> Vec<&'static str> {
            managed(&[source(text)]).iter().map(|found| found.id).collect()
        };
        assert_eq!(ids("allow_managed_hooks_only = true\n"), ["managed-only"]);
        assert_eq!(ids("[hooks]\nallow_managed_hooks_only = true\n"), ["managed-only"]);
        assert_eq!(ids("x = 1\n"), ["managed"]);
        assert_eq!(ids("[features]\nhooks = false\n"), ["all-disabled", "managed"]);
        assert_eq!(ids("[feature_requirements]\ncodex_hooks = false\n"), ["all-disabled", "managed"]);
        assert_eq!(ids("[features\n"), ["file-broken"]);
        // Checkrein is among the administrator's hooks, which need no trust.
        let ours = Source {
            form: Form::Inline,
            text: Ok(r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/checkrein hook --host codex --event Stop"}]}]}}"#.to_owned()),
            ..source("")
        };
        let sources = [source("allow_managed_hooks_only = true\n"), ours];
        assert_eq!(managed(&sources).iter().map(|found| found.id).collect::<Vec<_>>(), ["managed"]);
        let nothing = DeValue::Table(DeTable::parse("").unwrap().into_inner());
        assert_eq!(trust(&Nowhere, &nothing, &sources), []);
    }
}
