//! Our own packages in the hands of a package manager: to install another version of the guard is to replace it.

use super::{Evaluator, Frame};
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

impl Evaluator<'_> {
    /// Notes what a package manager does with a package of ours. `rest`: its arguments.
    pub(super) fn emit_own_packages(&mut self, manager: &str, rest: &[Word], frame: &Frame) {
        let has = |list: &[&str], text: &str| list.binary_search(&text).is_ok();
        if !has(PACKAGES_MANAGERS, manager) {
            return;
        }
        let words: Vec<String> = rest.iter().flat_map(|word| self.names_of(word)).collect();
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
        let everybody = words.iter().any(|word| has(PACKAGES_FOR_EVERYBODY, word));
        let of_project = has(PACKAGES_OF_A_PROJECT, manager) && !everybody
            || matches!(manager, "cargo" | "uv" | "rye") && has(PACKAGES_ADDS, does) && !nested;
        if looks || of_project && !self.is_in_project() {
            return;
        }
        self.emit(Action::Package, Target::Name(name), qualities![Modifier::Guard], frame);
    }

    /// Returns true if the running guard is one of the project's own programs.
    fn is_in_project(&self) -> bool {
        let Some(project) = self.roots.project.clone() else { return false };
        self.ours().below(&project.steps).any(|(kind, _)| kind == Kind::Ours)
    }

    /// `cargo install --path DIR`: what is in the directory says what it is called.
    fn builds_ours(&self, manager: &str, words: &[String], frame: &Frame) -> bool {
        if manager != "cargo" || !words.iter().any(|word| word == "install") {
            return false;
        }
        let given = words.windows(2).find_map(|pair| match pair {
            [option, path] if option == "--path" => Some(path.as_str()),
            _ => None,
        });
        let joined = words.iter().find_map(|word| word.strip_prefix("--path="));
        let Some(path) = given.or(joined) else { return false };
        let manifest = Word::text(&format!("{path}/Cargo.toml"), 0..0);
        let places = self.places(&manifest, LinkPolicy::Follow, frame);
        let text: String = places.iter().filter_map(|(spot, _)| self.world.text(&spot.path)).collect();
        text.lines().any(|line| {
            let value =
                line.split_once('=').filter(|(key, _)| key.trim() == "name").map(|(_, value)| value.trim());
            value.is_some_and(|value| is_ours(value.trim_matches(['"', '\''])))
        })
    }
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
