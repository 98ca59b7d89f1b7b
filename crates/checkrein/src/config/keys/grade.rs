//! The keys of a `[[grade]]`.

use super::{Absent, Key, KeyType, Table, words};
use checkrein_core::Decision;

/// A `[[grade]]`.
pub(crate) static GRADE: Table = Table::new(
    "grade",
    "a grade",
    &[
        Key::new(
            "rule",
            KeyType::RuleIds,
            Absent::Required,
            "The ids of built-in rules. `*` matches the names in a pack, but not packs.",
        )
        .example("[\"kubernetes.*\"]"),
        Key::new(
            "decision",
            KeyType::Word(words::<Decision>),
            Absent::Required,
            "What these rules decide instead of their built-in decision.",
        )
        .example("\"deny\""),
    ],
);
