//! Claude Code plugins: an installed and enabled plugin brings hooks of its own.

use crate::doctor::{Machine, Seen, Source, Whose};
use checkrein_core::SmallSort as _;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The agent's list of installed plugins, in its directory.
const INSTALLED: &str = "plugins/installed_plugins.json";

/// The agent's list of marketplaces, in its directory.
const MARKETPLACES: &str = "plugins/known_marketplaces.json";

/// The plugins that a marketplace offers, in its directory.
const OFFERS: &str = ".claude-plugin/marketplace.json";

/// The placeholder for the directory of a plugin in its hooks.
const ROOT: &str = "${CLAUDE_PLUGIN_ROOT}";

/// The manifest of a plugin, in its directory.
pub(super) const MANIFEST: &str = ".claude-plugin/plugin.json";

/// Returns the hook files of every enabled plugin.
pub(super) fn sources(agent: &Seen<'_>, settings: &[Source]) -> Vec<Source> {
    let mut sources = Vec::new();
    for root in enabled(agent, settings) {
        for path in files(agent.machine, &root) {
            let Some(mut source) = Source::read(agent.machine, agent.recipe, Whose::Plugin, path) else {
                continue;
            };
            // The agent does the same when it starts a hook.
            let place = Value::from(root.to_string_lossy()).to_string();
            let place = place.trim_matches('"');
            source.text = source.text.map(|text| text.replace(ROOT, place));
            sources.push(source);
        }
    }
    sources
}

/// Returns the directories of the installed and enabled plugins.
fn enabled(agent: &Seen<'_>, settings: &[Source]) -> Vec<PathBuf> {
    let Some(installed) =
        agent.directory.and_then(|directory| json(agent.machine, &directory.join(INSTALLED)))
    else {
        return Vec::new();
    };
    let is_enabled = |name: &str| {
        // The strongest file with a value decides.
        let mut by_strength: Vec<&Source> =
            settings.iter().filter(|source| source.whose != Whose::Above).collect();
        by_strength.small_sort_by_key(|source| std::cmp::Reverse(source.whose));
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
        .flat_map(|(name, places)| {
            if let Some(source) = in_place(agent, name) {
                return vec![source];
            }
            let places = match places {
                Value::Array(places) => places.iter().collect(),
                place => vec![place],
            };
            let path = |place: &Value| Some(PathBuf::from(place.get("installPath")?.as_str()?));
            places.into_iter().filter_map(path).collect()
        })
        .collect()
}

/// Returns the directory of a plugin that is read directly from its marketplace, a directory on this machine, and
/// not from a copy.
fn in_place(agent: &Seen<'_>, name: &str) -> Option<PathBuf> {
    let (plugin, marketplace) = name.rsplit_once('@')?;
    let known = json(agent.machine, &agent.directory?.join(MARKETPLACES))?;
    let known = known.get(marketplace)?;
    if known.get("source")?.get("source")? != "directory" {
        return None;
    }
    let root = PathBuf::from(known.get("installLocation")?.as_str()?);
    let offers = json(agent.machine, &root.join(OFFERS))?;
    let offer = offers
        .get("plugins")?
        .as_array()?
        .iter()
        .find(|offer| offer.get("name").is_some_and(|is| is == plugin))?;
    Some(plain(&root.join(offer.get("source")?.as_str()?)))
}

/// Returns the lists by which the agent finds its plugins.
pub(super) fn lists(agent: &Seen<'_>) -> Vec<PathBuf> {
    let Some(directory) = agent.directory else { return Vec::new() };
    let known = json(agent.machine, &directory.join(MARKETPLACES)).unwrap_or_default();
    let known = known.as_object().into_iter().flatten();
    let offers =
        known.filter_map(|(_, known)| Some(Path::new(known.get("installLocation")?.as_str()?).join(OFFERS)));
    [INSTALLED, MARKETPLACES]
        .iter()
        .map(|list| directory.join(list))
        .chain(offers)
        .filter(|list| agent.machine.is_file(list))
        .collect()
}

/// Returns the path without `.` components.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| part.as_os_str() != ".").collect()
}

/// Returns the hook files of the plugin in a directory: the standard one, and those that the manifest names.
fn files(machine: &dyn Machine, root: &Path) -> Vec<PathBuf> {
    let mut files = vec![root.join("hooks/hooks.json")];
    let manifest = json(machine, &root.join(MANIFEST)).unwrap_or_default();
    match manifest.get("hooks") {
        Some(Value::String(path)) => files.push(root.join(path)),
        Some(Value::Array(paths)) => {
            files.extend(paths.iter().filter_map(Value::as_str).map(|path| root.join(path)));
        }
        // The hooks are in the manifest itself.
        Some(Value::Object(_)) => files.push(root.join(MANIFEST)),
        _ => {}
    }
    // `./hooks/hooks.json` is the standard file.
    let mut plain: Vec<PathBuf> = files.iter().map(|file| plain(file)).collect();
    plain.dedup();
    plain
}

fn json(machine: &dyn Machine, path: &Path) -> Option<Value> {
    serde_json::from_str(&machine.read(path).ok()??).ok()
}
