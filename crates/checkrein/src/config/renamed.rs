//! Keys and words that were renamed. The error for an old one names the new one. None of the old words is
//! accepted.

use checkrein_guard::{Certainty, Domain, Environment, Taint};

/// The table that a key is in, its old name, and its new name. The file itself is the table without a name.
const KEYS: &[(&str, &str, &str)] = &[
    ("", "grant", "allow"),
    ("hook", "grants", "may_allow"),
    ("hook", "loosenable", "overridable"),
    ("rule", "does", "effect"),
    ("rule", "marks", "with"),
    ("rule", "any", "with_any"),
    ("rule", "without", "unless"),
    ("rule", "matches", "match"),
    ("rule", "free", "not_match"),
    ("rule", "instead", "suggestion"),
    ("rule", "person", "summary"),
    ("rule", "names", "target"),
    ("rule", "not-tag", "not_tag"),
    ("exception", "names", "target"),
    ("allow", "does", "effect"),
    ("allow", "names", "target"),
];

/// Keys of `[[exception]]` that `[[allow]]` has not: it once was its name.
const EXCEPTION: &[&str] = &["rules", "directory", "reason", "until"];

/// Words of the guard.
const WORDS: &[(&str, &str)] = &[("rehearsal", "test")];

/// The new name of a key.
pub(crate) fn key(table: &str, old: &str) -> Option<&'static str> {
    KEYS.iter().find(|(of, name, _)| *of == table && *name == old).map(|(.., new)| *new)
}

/// Returns what to write in place of an old key.
pub(crate) fn hint(table: &str, old: &str) -> Option<String> {
    if table == "allow" && EXCEPTION.contains(&old) {
        return Some(
            "an exception to a rule is `[[exception]]`; `[[allow]]` is for commands that need no question"
                .into(),
        );
    }
    match (table, key(table, old)?) {
        ("", new) => Some(format!("it is called `[[{new}]]` now")),
        (_, new) => Some(format!("it is called `{new}` now")),
    }
}

/// Returns the key that a word belongs to, if the word was written under a key of another kind: all of them were under `with`,
/// `with_any` and `unless` once.
pub(crate) fn key_of_word(key: &str, word: &str) -> Option<String> {
    let kinds = [
        (Taint::of(word).is_some(), "data"),
        (Domain::of(word).is_some(), "domain"),
        (Environment::of(word).is_some(), "environment"),
        (Certainty::of(word).is_some(), "certainty"),
    ];
    let (_, kind) = kinds.into_iter().find(|(is, _)| *is)?;
    match key {
        "with" | "with_any" => Some(kind.to_owned()),
        "unless" => Some(format!("not_{kind}")),
        _ => None,
    }
}

/// The new form of a word of the guard.
pub(crate) fn word(old: &str) -> Option<&'static str> {
    WORDS.iter().find(|(word, _)| *word == old).map(|(_, new)| *new)
}

#[cfg(test)]
mod tests {
    use super::{EXCEPTION, KEYS, WORDS};
    use crate::config::{
        format::Notation,
        rule::{ALLOW_KEYS, EXCEPTION_KEYS, KEYS as RULE_KEYS},
    };
    use checkrein_guard::Environment;

    /// No old name is still known where it stood, and every new one is.
    #[test]
    fn the_table_leads_from_unknown_keys_to_known_ones() {
        for (table, old, new) in KEYS {
            let known = match *table {
                "" => Notation::Toml.root_keys(),
                "hook" => Notation::Toml.keys(),
                "rule" => RULE_KEYS,
                "exception" => EXCEPTION_KEYS,
                _ => ALLOW_KEYS,
            };
            assert!(known.contains(new) && !known.contains(old), "{table}.{old} -> {new}");
        }
        assert!(EXCEPTION.iter().all(|key| EXCEPTION_KEYS.contains(key) && !ALLOW_KEYS.contains(key)));
        assert!(
            WORDS.iter().all(|(old, new)| Environment::of(old).is_none() && Environment::of(new).is_some())
        );
    }
}
