//! The manifests and the files of hooks of all packages.

use crate::{Failed, Result, cannot};
use checkrein_hosts::install::{CLAUDE, CODEX, COPILOT, GEMINI, OPENCODE, PI, QWEN, Recipe, plugin_file};
use serde_json::{Value, json};
use std::{fs, path::Path};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The directories of the packages, each with a program of its own.
pub(super) const PLACES: [&str; 5] = ["marketplace/checkrein", "gemini", "qwen", "pi", "opencode"];

/// The facts about the plugin that every manifest repeats.
#[derive(Debug)]
pub(super) struct Description {
    name: String,
    title: String,
    text: String,
    author: String,
    license: String,
    keywords: Vec<String>,
}

impl Description {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = fs::read(path).map_err(|error| cannot("read", &path.to_string_lossy(), &error))?;
        let unreadable = || Failed::Because(format!("{} is not a description of a plugin", path.display()));
        let value: Value = serde_json::from_slice(&text).map_err(|_| unreadable())?;
        let text =
            |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned).ok_or_else(unreadable);
        let keywords = value.get("keywords").and_then(Value::as_array).ok_or_else(unreadable)?;
        Ok(Self {
            name: text("name")?,
            title: text("title")?,
            text: text("description")?,
            author: text("author")?,
            license: text("license")?,
            keywords: keywords.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        })
    }

    /// Returns the manifest that most agents have, with its file of hooks.
    fn manifest(&self, hooks: &str) -> Value {
        json!({
            "name": self.name,
            "version": VERSION,
            "description": self.text,
            "author": {"name": self.author},
            "license": self.license,
            "keywords": self.keywords,
            "hooks": hooks,
        })
    }

    /// Returns the list of a marketplace with only this plugin.
    fn marketplace(&self) -> Value {
        json!({
            "name": self.name,
            "owner": {"name": self.author},
            "metadata": {"description": self.text, "version": VERSION},
            "plugins": [{
                "name": self.name,
                "source": "./checkrein",
                "description": self.text,
                "version": VERSION,
            }],
        })
    }

    /// Codex has a form of its own.
    fn codex_marketplace(&self) -> Value {
        json!({
            "name": self.name,
            "interface": {"displayName": self.title},
            "plugins": [{
                "name": self.name,
                "source": {"source": "local", "path": "./checkrein"},
                "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
                "category": "Security",
            }],
        })
    }

    /// Returns the manifest of a package of npm.
    fn npm(&self, host: &str, more: &Value) -> Value {
        let mut manifest = json!({
            "name": format!("{}-{host}", self.name),
            "version": VERSION,
            "description": self.text,
            "author": self.author,
            "license": self.license,
            "type": "module",
            "files": ["checkrein.ts", "program", "LICENSE-MIT", "LICENSE-APACHE"],
        });
        if let (Some(fields), Some(more)) = (manifest.as_object_mut(), more.as_object()) {
            fields.extend(more.clone());
        }
        manifest
    }
}

/// Returns the files of all packages but the programs, by their path.
pub(super) fn files(description: &Description) -> Result<Vec<(&'static str, String)>> {
    let hooks = |recipe: &Recipe, root: &str| {
        plugin_file(recipe, root)
            .map_err(|error| Failed::Because(format!("no hooks for {}: {error}", recipe.title)))
    };
    let json = |value: Value| format!("{value:#}\n");
    let extension = |more: Value| {
        let mut manifest =
            json!({"name": description.name, "version": VERSION, "description": description.text});
        if let (Some(fields), Some(more)) = (manifest.as_object_mut(), more.as_object()) {
            fields.extend(more.clone());
        }
        manifest
    };
    let mut pi_keywords = description.keywords.clone();
    pi_keywords.push("pi-package".to_owned());
    Ok(vec![
        ("marketplace/.claude-plugin/marketplace.json", json(description.marketplace())),
        ("marketplace/.github/plugin/marketplace.json", json(description.marketplace())),
        ("marketplace/.agents/plugins/marketplace.json", json(description.codex_marketplace())),
        (
            "marketplace/checkrein/.claude-plugin/plugin.json",
            json(description.manifest("./agents/claude.json")),
        ),
        ("marketplace/checkrein/.codex-plugin/plugin.json", json(description.manifest("./agents/codex.json"))),
        (
            "marketplace/checkrein/.github/plugin/plugin.json",
            json(description.manifest("./agents/copilot.json")),
        ),
        ("marketplace/checkrein/agents/claude.json", hooks(&CLAUDE, "${CLAUDE_PLUGIN_ROOT}")?),
        ("marketplace/checkrein/agents/codex.json", hooks(&CODEX, "${PLUGIN_ROOT}")?),
        ("marketplace/checkrein/agents/copilot.json", hooks(&COPILOT, "${PLUGIN_ROOT}")?),
        ("gemini/gemini-extension.json", json(extension(json!({})))),
        ("gemini/hooks/hooks.json", hooks(&GEMINI, "${extensionPath}")?),
        ("qwen/qwen-extension.json", json(extension(json!({"hooks": "./qwen.json"})))),
        ("qwen/qwen.json", hooks(&QWEN, "${CLAUDE_PLUGIN_ROOT}")?),
        (
            "pi/package.json",
            json(description.npm(
                "pi",
                &json!({"keywords": pi_keywords, "pi": {"extensions": ["./checkrein.ts"]}}),
            )),
        ),
        ("pi/checkrein.ts", hooks(&PI, "")?),
        (
            "opencode/package.json",
            json(description.npm(
                "opencode",
                &json!({"keywords": description.keywords, "main": "./checkrein.ts", "exports": {".": "./checkrein.ts"}}),
            )),
        ),
        ("opencode/checkrein.ts", hooks(&OPENCODE, "")?),
    ])
}

/// Checks that every manifest names files that exist, and that no other agent finds hooks by a default name.
pub(super) fn check(directory: &Path) -> Result<()> {
    let wrong = |text: String| Err(Failed::Because(text));
    for place in PLACES {
        let place = directory.join(place);
        let default = place.join("hooks/hooks.json");
        if default.exists() != place.join("gemini-extension.json").exists() {
            return wrong(format!("{} would be loaded by agents that it is not for", default.display()));
        }
        let manifests = [
            ".claude-plugin/plugin.json",
            ".codex-plugin/plugin.json",
            ".github/plugin/plugin.json",
            "qwen-extension.json",
        ];
        for manifest in manifests.map(|name| place.join(name)).iter().filter(|path| path.exists()) {
            let text =
                fs::read(manifest).map_err(|error| cannot("read", &manifest.to_string_lossy(), &error))?;
            let value: Value = serde_json::from_slice(&text).unwrap_or_default();
            let hooks = value.get("hooks").and_then(Value::as_str).unwrap_or("no hooks");
            if !place.join(hooks).is_file() {
                return wrong(format!("{} names {hooks}, which does not exist", manifest.display()));
            }
        }
    }
    Ok(())
}
