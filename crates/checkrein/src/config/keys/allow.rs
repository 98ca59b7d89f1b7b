//! The keys of an `[[allow]]`.

use super::{Absent, Key, KeyType, Table, words};
use checkrein_guard::{Action, Zone};

/// Returns the effects that can be allowed: those that are known before a command runs.
fn effects() -> Vec<&'static str> {
    words::<Action>().into_iter().filter(|word| *word != Action::Opaque.as_str()).collect()
}

/// Returns the zones that can be allowed.
fn zones() -> Vec<&'static str> {
    words::<Zone>().into_iter().filter(|word| *word != Zone::Unknown.as_str()).collect()
}

/// An `[[allow]]`.
pub(crate) static ALLOW: Table = Table {
    hints: &[(
        &["rules", "directory", "reason", "until"],
        "an exception to a rule is `[[exception]]`; `[[allow]]` is for commands that need no question",
    )],
    ..Table::new("allow", "an allow rule", KEYS)
};

const KEYS: &[Key] = &[
        Key::new(
            "programs",
            KeyType::Commands,
            Absent::Required,
            "Whole commands, word by word: `git status` matches only that, `git log *` any further words. The first word is the name of a program, without a pattern.",
        )
        .example(
            "[\"ls *\", \"git status\", \"git log *\"]",
        ),
        Key::new(
            "effect",
            KeyType::Words(effects),
            Absent::Means("the commands may only read"),
            "What the commands may do, including their redirections.",
        )
        .example("[\"read\"]")
        .formerly(&["does"]),
        Key::new(
            "zone",
            KeyType::Words(zones),
            Absent::Means("in the project, its generated files and its repository"),
            "Where the affected paths may be.",
        )
        .example("[\"project-root\", \"project\", \"generated\", \"repository\"]"),
        Key::new(
            "target",
            KeyType::Texts,
            Absent::Means("any target"),
            "Patterns for what the commands may affect: a path, a machine, a branch.",
        )
        .example("[\"*\"]")
        .formerly(&["names"]),
];
