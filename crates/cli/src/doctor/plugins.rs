//! Plugins of Claude Code: one that is installed and enabled brings hooks of its own.

use super::sources::{Source, Whose};
use crate::install::{agents::Agent, write};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The agent's list of what is installed, in its directory.
pub(super) const INSTALLED: &str = "plugins/installed_plugins.json";

/// What stands for the directory of a plugin in its hooks.
const ROOT: &str = "${CLAUDE_PLUGIN_ROOT}";

/// The manifest of a plugin, in its directory.
pub(super) const MANIFEST: &str = ".claude-plugin/plugin.json";

/// The files with the hooks of every plugin that is enabled.
pub(super) fn sources(agent: &Agent, settings: &[Source]) -> Vec<Source> {
    let mut sources = Vec::new();
    for root in enabled(agent, settings) {
        for path in files(&root) {
            let Some(mut source) = Source::read(agent.recipe, Whose::Plugin, path) else { continue };
            // As the agent does when it starts one.
            let place = Value::from(root.to_string_lossy()).to_string();
            let place = place.trim_matches('"');
            source.text = source.text.map(|text| text.replace(ROOT, place));
            sources.push(source);
        }
    }
    sources
}

/// The directories of the plugins that are installed and enabled.
fn enabled(agent: &Agent, settings: &[Source]) -> Vec<PathBuf> {
    let Some(installed) = agent.folder.as_ref().and_then(|folder| json(&folder.join(INSTALLED))) else {
        return Vec::new();
    };
    let is_enabled = |name: &str| {
        // The strongest file that says anything decides.
        let mut by_strength: Vec<&Source> = settings.iter().collect();
        by_strength.sort_by_key(|source| std::cmp::Reverse(source.whose));
        let said = |source: &&Source| {
            let text = source.text.as_ref().ok()?;
            let settings: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
            settings.get("enabledPlugins")?.get(name).map(|said| said != &Value::Bool(false))
        };
        by_strength.iter().find_map(said) == Some(true)
    };
    let plugins = installed.get("plugins").and_then(Value::as_object).into_iter().flatten();
    plugins
        .filter(|(name, _)| is_enabled(name))
        .flat_map(|(_, places)| match places {
            Value::Array(places) => places.iter().collect(),
            place => vec![place],
        })
        .filter_map(|place| Some(PathBuf::from(place.get("installPath")?.as_str()?)))
        .collect()
}

/// The files with hooks of the plugin in a directory: the one that every plugin may have, and those that it names.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut files = vec![root.join("hooks/hooks.json")];
    let manifest = json(&root.join(MANIFEST)).unwrap_or_default();
    match manifest.get("hooks") {
        Some(Value::String(path)) => files.push(root.join(path)),
        Some(Value::Array(paths)) => {
            files.extend(paths.iter().filter_map(Value::as_str).map(|path| root.join(path)));
        }
        // They stand in the manifest itself.
        Some(Value::Object(_)) => files.push(root.join(MANIFEST)),
        _ => {}
    }
    // `./hooks/hooks.json` is the same file.
    let plain = |path: PathBuf| path.components().filter(|part| part.as_os_str() != ".").collect::<PathBuf>();
    let mut plain: Vec<PathBuf> = files.into_iter().map(plain).collect();
    plain.dedup();
    plain
}

fn json(path: &Path) -> Option<Value> {
    serde_json::from_str(&write::read(path).ok()??).ok()
}
