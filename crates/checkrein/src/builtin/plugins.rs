//! Our plugins on this machine: the directories from which agents run us, copied or loaded in place.
//!
//! An agent keeps a list of its plugins, with the directory of each, and of the marketplaces that it has added. A marketplace on
//! this machine is read in place, so a change of a file there changes what the agent asks.

use super::own::quoted;
use checkrein_core::SmallSort as _;
use checkrein_guard::PluginPlaces;
use std::path::{Component, Path, PathBuf};

/// The program in each of our packages.
const PROGRAM: &str = "program/checkrein";
/// The lists of what a marketplace offers.
const OFFERS: [&str; 3] = [
    ".claude-plugin/marketplace.json",
    ".github/plugin/marketplace.json",
    ".agents/plugins/marketplace.json",
];
/// Maximum number of texts of a list that are looked at.
const TEXTS: usize = 512;
/// Maximum number of names of a directory that are looked at.
const NAMES: usize = 512;
/// Maximum size of a list in bytes.
const SIZE: u64 = 1 << 20;

/// Returns our packages that the agents of the user load, and the lists of the marketplaces that offer them.
pub(super) fn ours(places: &PluginPlaces, home: &str) -> Vec<String> {
    let mut found: Vec<PathBuf> = Vec::new();
    for list in places.lists.iter().map(Path::new) {
        let Some(text) = read(list) else { continue };
        for name in quoted(&text).take(TEXTS) {
            if let Some(path) = named(&name, list, home) {
                packages(&path, &mut found);
            }
        }
    }
    found.extend(places.copies.iter().flat_map(|copy| existing(copy)));
    let mut found: Vec<String> = found.iter().filter_map(|path| path.to_str().map(str::to_owned)).collect();
    found.small_sort();
    found.dedup();
    found
}

/// Returns the path that a text of a list names: absolute, in the home directory, a URL of a file, or next to the list.
fn named(text: &str, list: &Path, home: &str) -> Option<PathBuf> {
    let text = text.strip_prefix("file://").unwrap_or(text);
    let path = match text.strip_prefix("~/") {
        Some(rest) => Path::new(home).join(rest),
        None if text.starts_with('/') => PathBuf::from(text),
        None if text.starts_with("./") || text.starts_with("../") => list.parent()?.join(text),
        None => return None,
    };
    Some(plain(&path))
}

/// Adds the package of ours that a path is, is in, or offers as a marketplace.
fn packages(path: &Path, found: &mut Vec<PathBuf>) {
    // A plugin may be named by its main file.
    for directory in [Some(path), path.parent()].into_iter().flatten() {
        if is_package(directory) {
            found.push(directory.to_owned());
            return;
        }
    }
    let offers = OFFERS.iter().map(|offers| path.join(offers));
    for offers in offers {
        let Some(text) = read(&offers) else { continue };
        let offered = quoted(&text).take(TEXTS).filter_map(|source| {
            let below = source.strip_prefix("./").filter(|below| !below.is_empty())?;
            Some(plain(&path.join(below))).filter(|package| is_package(package))
        });
        let before = found.len();
        found.extend(offered);
        if found.len() > before {
            found.push(offers);
        }
    }
}

fn is_package(directory: &Path) -> bool {
    directory.join(PROGRAM).symlink_metadata().is_ok()
}

/// Returns the paths that a pattern finds: `*` is any one name.
fn existing(pattern: &str) -> Vec<PathBuf> {
    let mut paths = vec![PathBuf::from("/")];
    for step in pattern.split('/').filter(|step| !step.is_empty()) {
        paths = match step {
            "*" => {
                let names = paths
                    .iter()
                    .filter(|path| path.is_dir())
                    .filter_map(|path| path.read_dir().ok())
                    .flatten();
                names.take(NAMES).filter_map(|entry| Some(entry.ok()?.path())).collect()
            }
            name => paths.into_iter().map(|path| path.join(name)).collect(),
        };
    }
    paths.retain(|path| path.symlink_metadata().is_ok());
    paths
}

fn read(path: &Path) -> Option<String> {
    let metadata = path.metadata().ok()?;
    (metadata.is_file() && metadata.len() <= SIZE).then(|| std::fs::read_to_string(path).ok()).flatten()
}

/// Returns the path without `.` and `..`. A link before `..` is not followed: both paths are in the same list of agents.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A home directory with a package of ours at `place`, next to another plugin.
    fn home(place: &str) -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        for plugin in [place, "src/other"] {
            fs::create_dir_all(home.path().join(plugin).join("program")).unwrap();
        }
        fs::write(home.path().join(place).join(PROGRAM), "").unwrap();
        fs::write(home.path().join("src/other/program/other"), "").unwrap();
        home
    }

    fn found(home: &Path, list: &str, text: &str) -> Vec<String> {
        let list = home.join(list);
        fs::create_dir_all(list.parent().unwrap()).unwrap();
        let home = home.to_str().unwrap();
        fs::write(&list, text.replace("HOME", home)).unwrap();
        let places =
            PluginPlaces { lists: vec![list.to_str().unwrap().to_owned()], ..PluginPlaces::default() };
        let below = |path: String| path.strip_prefix(home).unwrap().trim_start_matches('/').to_owned();
        ours(&places, home).into_iter().map(below).collect()
    }

    #[test]
    fn a_package_is_found_however_a_list_names_it() {
        let machine = home("src/plugins/pi");
        let home = machine.path();
        for text in [
            r#"{"packages": ["HOME/src/plugins/pi"]}"#,
            r#"{"packages": ["HOME/src/other", "~/src/plugins/pi/"]}"#,
            r#"{"plugin": ["file://HOME/src/plugins/pi"]}"#,
            r#"{"plugin": ["file://HOME/src/plugins/pi/checkrein.ts"]}"#,
            r#"{"packages": ["../../src/./plugins/x/../pi"]}"#,
            r#"{"type": "link", "source": "HOME/src/plugins/pi"}"#,
            "[a.b]\nsource = 'HOME/src/plugins/pi'\n",
        ] {
            assert_eq!(
                found(home, ".pi/agent.json", &text.replace("../../", "../")),
                ["src/plugins/pi"],
                "{text}"
            );
        }
        for text in [r#"{"packages": ["HOME/src/other", "npm:checkrein-pi", "pi"]}"#, "{}", "", "\""] {
            assert_eq!(found(home, ".pi/agent.json", text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_marketplace_is_what_it_offers_of_ours() {
        let machine = home("src/market/tools/checkrein");
        let home = machine.path();
        let list = r#"{"m": {"source": {"source": "directory", "path": "HOME/src/market"}, "installLocation": "HOME/src/market"}}"#;
        assert_eq!(found(home, ".claude/known.json", list), Vec::<String>::new());
        let offers = home.join("src/market").join(OFFERS[0]);
        fs::create_dir_all(offers.parent().unwrap()).unwrap();
        fs::write(
            &offers,
            r#"{"plugins": [{"source": "./"}, {"source": "./tools/checkrein"}, {"source": "./other"}]}"#,
        )
        .unwrap();
        let expected = ["src/market/.claude-plugin/marketplace.json", "src/market/tools/checkrein"];
        assert_eq!(found(home, ".claude/known.json", list), expected);
        fs::write(&offers, r#"{"plugins": [{"source": "./other"}]}"#).unwrap();
        assert_eq!(found(home, ".claude/known.json", list), Vec::<String>::new());
    }

    #[test]
    fn a_copy_is_found_by_its_place() {
        let machine = home("cache/any/checkrein");
        let root = machine.path().to_str().unwrap();
        let pattern = |rest: &str| format!("{root}/{rest}");
        assert_eq!(existing(&pattern("cache/*/checkrein")), [machine.path().join("cache/any/checkrein")]);
        assert_eq!(existing(&pattern("cache/*/other")), Vec::<PathBuf>::new());
        assert_eq!(existing(&pattern("nothing/*/checkrein")), Vec::<PathBuf>::new());
    }
}
