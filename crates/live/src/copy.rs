//! Copies a user's file: the settings that decide about hooks, our entries, and nothing else that starts a program
//! or is secret.
//!
//! It lists what to keep, not what to omit: a setting that we have never heard of may name a program or
//! contain a password. Another program's hook keeps its place in the list and becomes a stand-in that
//! records its call and has no opinion. Key helpers, MCP servers, status lines and variables are omitted:
//! the agent has a fake key and a scripted model. A file that cannot be read stays broken.

use crate::own::{Form, Own, OwnFile};
use checkrein_hosts::{
    install::{Command, Comments, parse_with, recipes},
    toml_to_json,
};
use serde_json::{Map, Value, json};
use toml::de::{DeTable, DeValue};

/// The copy of an unreadable file, which is invalid in JSON and in TOML.
const BROKEN: &str = "{";

/// Settings that are kept with any value, because they decide about hooks.
const DECISIVE: &[&str] = &[
    "disableAllHooks",
    "allowManagedHooksOnly",
    "enabledPlugins",
    "allow_managed_hooks_only",
    "features",
    "feature_requirements",
    "hooksConfig",
    // Part of a plugin's manifest, which is invalid without them.
    "name",
    "version",
];

/// Settings that need the network before anything else.
const ONLINE: &[&str] = &["forceRemoteSettingsRefresh"];

/// Lists of permissions. Hooks run before them, but an agent rejects the file if one is not a list.
const PERMISSIONS: &[&str] = &["allow", "ask", "deny"];

/// Returns the copy of a file. `stand_in` is the command line that replaces another hook.
pub(crate) fn copy(file: &OwnFile, own: &Own, stand_in: &str) -> String {
    let Some(text) = &file.text else { return BROKEN.to_owned() };
    match file.form {
        Form::Plain | Form::Ours => text.clone(),
        Form::Settings | Form::Commented | Form::Hooks => json_copy(text, file.form, stand_in),
        Form::Toml => toml_copy(text, own, stand_in),
        Form::Yaml => yaml_copy(text),
    }
}

fn json_copy(text: &str, form: Form, stand_in: &str) -> String {
    let (mark, rest) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    };
    if rest.trim().is_empty() {
        return text.to_owned();
    }
    let comments = if form == Form::Commented { Comments::Skipped } else { Comments::Rejected };
    let Ok(Value::Object(all)) = parse_with(rest, comments).map(|root| root.to_json()) else {
        return BROKEN.to_owned();
    };
    let kept: Map<String, Value> = all
        .into_iter()
        .filter_map(|(key, value)| match (form, key.as_str()) {
            (_, "hooks") => Some((key, stubbed(value, stand_in))),
            // A number may be the version of the format, and an unknown key makes an agent reject the file, whatever
            // its value.
            (Form::Hooks, _) if value.is_number() || value.is_boolean() => Some((key, value)),
            (Form::Hooks, _) => Some((key, Value::String(String::new()))),
            _ => setting(&key, value).map(|value| (key, value)),
        })
        .collect();
    format!("{mark}{}", Value::Object(kept))
}

fn setting(key: &str, value: Value) -> Option<Value> {
    match (key, value) {
        (key, value) if DECISIVE.contains(&key) => Some(value),
        (key, _) if ONLINE.contains(&key) => None,
        ("env", Value::Object(all)) => Some(all.into_iter().filter(is_switch).collect()),
        ("security", Value::Object(all)) => {
            Some(all.into_iter().filter(|(key, _)| key == "folderTrust").collect())
        }
        ("permissions", Value::Object(all)) => {
            Some(all.into_iter().filter(|(key, _)| PERMISSIONS.contains(&key.as_str())).collect())
        }
        // Of plugins, which are enabled.
        ("plugins", Value::Object(all)) => Some(
            all.into_iter()
                .filter(|(key, _)| key == "enabled" || key == "entries")
                .map(|(key, value)| (key, each(value, &["enabled", "hooks"])))
                .collect(),
        ),
        (_, value @ (Value::Bool(_) | Value::Number(_))) => Some(value),
        _ => None,
    }
}

/// Returns true if a variable only enables or disables something, and does not select another model.
fn is_switch((name, value): &(String, Value)) -> bool {
    let elsewhere = ["CLAUDE_CODE_USE_", "CLAUDE_CODE_SKIP_", "ANTHROPIC_"];
    let flag = value.as_str().is_some_and(|value| {
        ["", "0", "1", "true", "false", "yes", "no", "on", "off"]
            .contains(&value.to_ascii_lowercase().as_str())
    });
    flag && !elsewhere.iter().any(|start| name.starts_with(start))
}

/// Returns the hooks, with all but ours replaced.
fn stubbed(value: Value, stand_in: &str) -> Value {
    match value {
        Value::Object(handler) if command_key(&handler).is_some() || handler.contains_key("type") => {
            if is_ours(&handler) {
                return Value::Object(handler);
            }
            // Without a timeout, whose unit depends on the agent.
            json!({"type": "command", command_key(&handler).unwrap_or("command"): stand_in})
        }
        Value::Object(all) => all.into_iter().map(|(key, value)| (key, stubbed(value, stand_in))).collect(),
        Value::Array(all) => all.into_iter().map(|value| stubbed(value, stand_in)).collect(),
        value => value,
    }
}

/// Returns the key of the command in a handler, which depends on the agent.
fn command_key(handler: &Map<String, Value>) -> Option<&'static str> {
    recipes().map(|recipe| recipe.layout.command).find(|key| handler.contains_key(*key))
}

fn is_ours(handler: &Map<String, Value>) -> bool {
    let line = command_key(handler).and_then(|key| handler.get(key)).and_then(Value::as_str);
    let Some(line) = line else { return false };
    let arguments: Option<Vec<String>> = handler
        .get("args")
        .and_then(Value::as_array)
        .map(|arguments| arguments.iter().map(|word| word.as_str().unwrap_or_default().to_owned()).collect());
    Command::find(line, arguments.as_deref()).is_some()
}

fn toml_copy(text: &str, own: &Own, stand_in: &str) -> String {
    let Ok(table) = DeTable::parse(text) else { return BROKEN.to_owned() };
    let Value::Object(all) = toml_to_json(&DeValue::Table(table.into_inner())) else {
        return BROKEN.to_owned();
    };
    let mut kept = String::new();
    for (key, value) in all {
        let value = match key.as_str() {
            "hooks" => also_by_other_names(stubbed(value, stand_in), own),
            "projects" => each(value, &["trust_level"]),
            "profiles" => each(value, &["features"]),
            "profile" => value,
            _ => match setting(&key, value) {
                Some(value) => value,
                None => continue,
            },
        };
        kept += &format!("{} = {}\n", basic(&key), inline(&value));
    }
    kept
}

/// Returns the hooks of a file and the switch that accepts them, line by line. Other programs' hooks are left out: a file
/// with some is not one that we edit, so the proof says little about it.
fn yaml_copy(text: &str) -> String {
    let mut is_hooks = false;
    let mut kept = String::new();
    for line in text.lines() {
        if !line.starts_with([' ', '\t', '-', '#']) {
            is_hooks = line.starts_with("hooks:");
        }
        let is_others = line.contains("command:") && !line.contains("checkrein");
        if is_others {
            return String::new();
        }
        if is_hooks || line.starts_with("hooks_auto_accept:") {
            kept += line;
            kept.push('\n');
        }
    }
    kept
}

/// Keeps only these keys in every table of a table.
fn each(value: Value, keys: &[&str]) -> Value {
    let Value::Object(all) = value else { return value };
    let filtered = all.into_iter().filter_map(|(name, value)| {
        let Value::Object(fields) = value else { return None };
        let fields = fields.into_iter().filter(|(key, _)| keys.contains(&key.as_str())).collect();
        Some((name, Value::Object(fields)))
    });
    filtered.collect()
}

/// Codex stores its trust under the path of a file. A copy has no links, so trust for a link's target is
/// also stored under the link's name.
fn also_by_other_names(mut hooks: Value, own: &Own) -> Value {
    let Some(state) = hooks.get_mut("state").and_then(Value::as_object_mut) else { return hooks };
    for file in &own.files {
        let Ok(real) = file.path.canonicalize() else { continue };
        if real == file.path {
            continue;
        }
        let (real, name) = (format!("{}:", real.display()), file.path.display());
        let same: Vec<(String, Value)> = state
            .iter()
            .filter_map(|(key, value)| Some((format!("{name}:{}", key.strip_prefix(&real)?), value.clone())))
            .collect();
        for (key, value) in same {
            state.entry(key).or_insert(value);
        }
    }
    hooks
}

/// Returns a value as TOML, in one line.
fn inline(value: &Value) -> String {
    match value {
        // TOML has no null, and nothing that we keep contains one.
        Value::Null => "\"\"".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => basic(text),
        Value::Array(all) => format!("[{}]", all.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(all) => {
            let pairs: Vec<String> =
                all.iter().map(|(key, value)| format!("{} = {}", basic(key), inline(value))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}

/// Returns a TOML string: as in JSON, with one more escaped character.
fn basic(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "/opt/checkrein hook --host claude --event PreToolUse";

    fn own(files: Vec<OwnFile>) -> Own {
        Own {
            home: "/home/dev".into(),
            project: "/home/dev/shop".into(),
            cwd: "/home/dev/shop".into(),
            directory: "/home/dev/.codex".into(),
            is_named: false,
            files,
            programs: Vec::new(),
            switches: Vec::new(),
        }
    }

    fn copied(form: Form, text: &str) -> String {
        let file = OwnFile { path: "/home/dev/x".into(), text: Some(text.to_owned()), form };
        copy(&file, &own(Vec::new()), "/stand-in")
    }

    #[test]
    fn only_settings_that_decide_about_hooks_are_kept() {
        let text = json!({
            "apiKeyHelper": "/bin/secret",
            "awsAuthRefresh": "aws sso login",
            "statusLine": {"type": "command", "command": "touch /tmp/x"},
            "otelHeadersHelper": "/bin/secret",
            "mcpServers": {"x": {"command": "touch"}},
            "somethingNew": "touch /tmp/x",
            "model": "opus",
            "env": {"ANTHROPIC_AUTH_TOKEN": "sk-secret", "CLAUDE_CODE_SIMPLE": "1", "ANTHROPIC_X": "1",
                "CLAUDE_CODE_USE_BEDROCK": "1"},
            "permissions": {"deny": ["Read(./.env)"], "defaultMode": "plan", "additionalDirectories": ["/x"]},
            "disableAllHooks": true,
            "forceRemoteSettingsRefresh": true,
            "cleanupPeriodDays": 3,
            "hooks": {"PreToolUse": [
                {"matcher": "Bash", "hooks": [{"type": "command", "command": "touch /tmp/x"}]},
                {"matcher": "*", "hooks": [
                    {"type": "http", "url": "http://x", "headers": {"Authorization": "secret"}},
                    {"type": "command", "command": OURS, "timeout": 30, "onFailure": "block"},
                ]},
            ]},
        });
        let stand_in = json!({"type": "command", "command": "/stand-in"});
        let expected = json!({
            "env": {"CLAUDE_CODE_SIMPLE": "1"},
            "permissions": {"deny": ["Read(./.env)"]},
            "disableAllHooks": true,
            "cleanupPeriodDays": 3,
            "hooks": {"PreToolUse": [
                {"matcher": "Bash", "hooks": [stand_in]},
                {"matcher": "*", "hooks": [
                    stand_in,
                    {"type": "command", "command": OURS, "timeout": 30, "onFailure": "block"},
                ]},
            ]},
        });
        let copy: Value = serde_json::from_str(&copied(Form::Settings, &text.to_string())).unwrap();
        assert_eq!(copy, expected);
    }

    #[test]
    fn of_gemini_settings_the_switches_are_kept_and_comments_go() {
        let text = r#"{
            // secret
            "hooksConfig": {"enabled": false, "disabled": ["x"]},
            "security": {"folderTrust": {"enabled": false}, "auth": {"selectedType": "oauth-personal"}},
            "mcpServers": {"x": {"command": "touch"}} /* secret */
        }"#;
        let copy: Value = serde_json::from_str(&copied(Form::Commented, text)).unwrap();
        let expected = json!({
            "hooksConfig": {"enabled": false, "disabled": ["x"]},
            "security": {"folderTrust": {"enabled": false}},
        });
        assert_eq!(copy, expected);
    }

    /// Copilot CLI has its own key for a command, and rejects a file without the version of the format.
    #[test]
    fn our_entries_are_recognised_in_the_layout_of_every_agent() {
        let ours = json!({"type": "command", "bash": OURS, "timeoutSec": 30});
        let theirs = json!({"type": "command", "bash": "touch /tmp/x", "timeoutSec": 30});
        let text = json!({"version": 1, "hooks": {"preToolUse": [theirs, ours]}});
        let copy: Value = serde_json::from_str(&copied(Form::Hooks, &text.to_string())).unwrap();
        let stand_in = json!({"type": "command", "bash": "/stand-in"});
        assert_eq!(copy, json!({"version": 1, "hooks": {"preToolUse": [stand_in, ours]}}));
    }

    #[test]
    fn a_broken_file_stays_broken_and_reveals_nothing() {
        for text in ["{\"a\": \"secret\",}", "// secret\n{}", "[\"secret\"]", "secret"] {
            let copy = copied(Form::Settings, text);
            assert!(serde_json::from_str::<Value>(&copy).is_err() && !copy.contains("secret"), "{text}");
        }
        let toml = copied(Form::Toml, "a = \"secret\"\n[features\n");
        assert!(DeTable::parse(&toml).is_err() && !toml.contains("secret"));
        // Codex knows no other key in this file.
        let copy = copied(Form::Hooks, "{\"hooks\": {}, \"token\": \"secret\"}");
        assert_eq!(copy, "{\"hooks\":{},\"token\":\"\"}");
        assert_eq!(copied(Form::Settings, "\u{feff}{}"), "\u{feff}{}");
        assert_eq!(copied(Form::Settings, ""), "");
    }

    #[test]
    fn hooks_trust_and_switches_of_a_codex_configuration_are_kept() {
        let text = r#"
            model = "x"
            notify = ["touch", "/tmp/x"]
            profile = "work"
            [features]
            hooks = false
            [mcp_servers.x]
            command = "touch"
            env = { TOKEN = "secret" }
            [profiles.work]
            model = "y"
            features = { hooks = true }
            [projects."/home/dev/shop"]
            trust_level = "trusted"
            [hooks.state."/home/dev/.codex/hooks.json:pre_tool_use:0:0"]
            trusted_hash = "sha256:00"
            [[hooks.PreToolUse]]
            matcher = "*"
            [[hooks.PreToolUse.hooks]]
            type = "command"
            command = "touch /tmp/x \u007f"
        "#;
        let copy = copied(Form::Toml, text);
        let read = toml_to_json(&DeValue::Table(DeTable::parse(&copy).unwrap().into_inner()));
        let expected = json!({
            "features": {"hooks": false},
            "hooks": {
                "PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "/stand-in"}]}],
                "state": {"/home/dev/.codex/hooks.json:pre_tool_use:0:0": {"trusted_hash": "sha256:00"}},
            },
            "profile": "work",
            "profiles": {"work": {"features": {"hooks": true}}},
            "projects": {"/home/dev/shop": {"trust_level": "trusted"}},
        });
        assert_eq!(read, expected, "{copy}");
    }
}
