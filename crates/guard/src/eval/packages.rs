//! Our own packages in the hands of a package manager: to install another version of the guard is to replace it.

use super::{Evaluator, Frame, installed};
use crate::{
    data::{
        PACKAGES_ADDS, PACKAGES_FOR_EVERYBODY, PACKAGES_LOOKS, PACKAGES_MANAGERS, PACKAGES_OF_A_PROJECT,
        PACKAGES_OURS,
    },
    effect::Target,
    glob,
    own::Kind,
    path::LinkPolicy,
    qualities::qualities,
    vocabulary::{Action, Modifier},
};
use checkrein_shell::Word;
use serde_json::Value;

impl Evaluator<'_> {
    /// Notes what a package manager does with a package of ours. `rest`: its arguments.
    pub(super) fn emit_own_packages(&mut self, manager: &str, rest: &[Word], frame: &Frame) {
        let has = |list: &[&str], text: &str| list.binary_search(&text).is_ok();
        if !has(PACKAGES_MANAGERS, manager) {
            return;
        }
        let words: Vec<String> = rest.iter().flat_map(|word| self.names_of(word)).collect();
        self.emit_agent_versions(manager, &words, frame);
        let named = words.iter().find(|word| is_ours(word)).cloned();
        let built = || self.builds_ours(manager, &words, frame).then(|| "checkrein".to_owned());
        let Some(name) = named.or_else(built) else { return };
        let command = words.iter().find(|word| !word.starts_with('-') && !word.starts_with('+'));
        let command = command.map(String::as_str).unwrap_or_default();
        // `uv tool list`, `uv pip show`.
        let second = words.iter().filter(|word| !word.starts_with('-')).nth(1).map(String::as_str);
        let nested = matches!(command, "tool" | "pip" | "self" | "profile" | "global");
        let does = if nested && second.is_some_and(|second| !is_ours(second)) {
            second.unwrap_or_default()
        } else {
            command
        };
        let looks = has(PACKAGES_LOOKS, does)
            || words.first().is_some_and(|first| has(PACKAGES_LOOKS, first))
            || words.iter().any(|word| matches!(word.as_str(), "--dry-run" | "--help" | "--simulate"));
        // `npm link` without a package installs this one for every user.
        let links = does == "link" && second.is_none();
        let everybody = links || words.iter().any(|word| has(PACKAGES_FOR_EVERYBODY, word));
        let of_project = has(PACKAGES_OF_A_PROJECT, manager) && !everybody
            || matches!(manager, "cargo" | "uv" | "rye") && has(PACKAGES_ADDS, does) && !nested;
        if looks || of_project && !self.is_in_project() {
            return;
        }
        self.emit(Action::Package, Target::Name(name), qualities![Modifier::Guard], frame);
    }

    /// Notes that an agent is replaced by a chosen version: an older one may know neither our hooks nor what
    /// happens when one fails.
    fn emit_agent_versions(&mut self, manager: &str, words: &[String], frame: &Frame) {
        let has = |list: &[&str], text: &str| list.binary_search(&text).is_ok();
        let Some(command) = words.iter().find(|word| !word.starts_with('-')) else { return };
        let everybody = words.iter().any(|word| has(PACKAGES_FOR_EVERYBODY, word));
        let looks = has(PACKAGES_LOOKS, command) || words.iter().any(|word| word == "--dry-run");
        if looks || has(PACKAGES_OF_A_PROJECT, manager) && !everybody {
            return;
        }
        let named = words.iter().filter_map(|word| pinned(word));
        let agent = named.map(installed::program_of).find(|name| installed::is_agent(name));
        if let Some(agent) = agent {
            self.emit(Action::Configure, Target::Name(agent), qualities![Modifier::Agent], frame);
        }
    }

    /// Returns true if the running guard is one of the project's own programs.
    fn is_in_project(&self) -> bool {
        let Some(project) = self.roots.project.clone() else { return false };
        self.ours().below(&project.steps).any(|(kind, _)| kind == Kind::Ours)
    }

    /// Returns true if a package is installed from a directory whose manifest has a program of our name, whatever the directory
    /// is called: `cargo install --path x`, `pip install ./x`, `npm install -g .`.
    fn builds_ours(&self, manager: &str, words: &[String], frame: &Frame) -> bool {
        if !words.iter().any(|word| matches!(word.as_str(), "install" | "i" | "add" | "link")) {
            return false;
        }
        let path = |word: &&String| word.starts_with(['.', '/', '~']) || word.starts_with("file:");
        let after = words.windows(2).filter_map(|pair| match pair {
            [option, path] if option == "--path" || option == "--editable" => Some(path),
            _ => None,
        });
        let joined = words.iter().filter_map(|word| word.strip_prefix("--path="));
        // Without an operand it is the package of this directory.
        let alone = words.iter().filter(|word| !word.starts_with('-')).count() == 1;
        let here = (alone && matches!(manager, "npm" | "pnpm" | "bun")).then_some(".");
        let directories = words
            .iter()
            .filter(path)
            .chain(after)
            .map(|word| word.trim_start_matches("file://").trim_start_matches("file:"))
            .chain(joined);
        let mut directories: Vec<&str> = directories.take(DIRECTORIES).collect();
        if directories.is_empty() {
            directories.extend(here);
        }
        directories.iter().any(|directory| {
            MANIFESTS.iter().any(|manifest| {
                let file = self.home_word(&format!("{}/{manifest}", directory.trim_end_matches('/')));
                let places = self.places(&file, LinkPolicy::Follow, frame);
                let mut texts = places.iter().filter_map(|(spot, _)| self.world.text(&spot.path));
                texts.any(|text| names_ours(manifest, &text))
            })
        })
    }
}

/// The maximum number of directories of one command that are looked into.
const DIRECTORIES: usize = 8;

/// The manifests that name the programs of a package.
const MANIFESTS: [&str; 4] = ["Cargo.toml", "package.json", "pyproject.toml", "setup.cfg"];

/// Returns true if a manifest has a package or a program of our name.
fn names_ours(manifest: &str, text: &str) -> bool {
    match manifest {
        "Cargo.toml" => text.lines().any(|line| {
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            key.trim() == "name" && is_ours(value.trim().trim_matches(['"', '\'']))
        }),
        "package.json" => {
            let manifest: Value = serde_json::from_str(text).unwrap_or_default();
            let programs = manifest.get("bin").and_then(Value::as_object);
            manifest.get("name").and_then(Value::as_str).is_some_and(is_ours)
                || programs.is_some_and(|programs| programs.keys().any(|name| is_ours(name)))
        }
        "pyproject.toml" => scripts_of(text, |section| section.ends_with("scripts]")),
        _ => scripts_of(text, |section| section.contains("entry_points") || section.contains("metadata")),
    }
}

/// Returns true if a section that counts has our name, as a key or as the name of the package.
fn scripts_of(text: &str, counts: fn(&str) -> bool) -> bool {
    let mut section = "";
    text.lines().map(str::trim).any(|line| {
        if line.starts_with('[') {
            section = line;
        }
        let Some((key, value)) = line.split_once('=') else { return false };
        let key = key.trim().trim_matches(['"', '\'']);
        let value = value.trim().trim_matches(['"', '\'']);
        (counts(section) || section == "[project]") && (is_ours(key) || key == "name" && is_ours(value))
    })
}

/// The name of a package that is wanted in one version: `name@1.2`, `name==1.2`.
fn pinned(word: &str) -> Option<&str> {
    let (name, version) = word.rsplit_once("==").or_else(|| word.rsplit_once('@'))?;
    let version = version.trim_start_matches(['v', '^', '~', '=']);
    (!name.is_empty() && version.starts_with(|char: char| char.is_ascii_digit())).then_some(name)
}

/// Returns true if a word names a package of ours: with a version, a scope, a URL, or as a file.
fn is_ours(word: &str) -> bool {
    let word = word.strip_prefix("--bin=").or_else(|| word.strip_prefix("--git=")).unwrap_or(word);
    if word.starts_with('-') || word.contains(char::is_whitespace) {
        return false;
    }
    let pieces = word
        .split(['/', '#', ':', '@', '=', '<', '>', '~', '!', '[', ']', ';', ',', '.', '^', '+', '$', '%']);
    pieces.filter(|piece| !piece.is_empty()).any(|piece| {
        let plain = piece.to_ascii_lowercase().replace('_', "-");
        PACKAGES_OURS.iter().any(|ours| {
            let versioned =
                plain.strip_prefix(ours).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
            let patterned = plain.contains(['*', '?'])
                && plain.chars().filter(|char| char.is_alphanumeric()).count() > 2
                && glob::matches(&plain, ours);
            versioned || patterned
        })
    })
}
