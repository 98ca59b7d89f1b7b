//! The keys of `[learn]`.

use super::{Absent, Key, KeyType, Table};
use crate::config::{layer::Layer, learn::MOST_DAYS};

const ABOUT_LEARNING: &str =
    "a project does not decide what is remembered of your sessions; write it into your own file";

const fn key(name: &'static str, kind: KeyType, absent: &'static str, about: &'static str) -> Key {
    Key::new(name, kind, Absent::Means(absent), about).refused(&[(Layer::Project, ABOUT_LEARNING)])
}

/// The row of the table in its file.
pub(super) const KEY: Key = Key::new(
    "learn",
    KeyType::Table(&LEARN),
    Absent::Means("the defaults of its keys"),
    "Whether commands that failed are remembered, with those that worked instead.",
)
.note("The layer with the most authority that has a key decides.");

/// A `[learn]`.
pub(crate) static LEARN: Table = Table::new(
    "learn",
    "the settings of the memory of failures",
    &[
        key(
            "on",
            KeyType::Flag,
            "`false`",
            "Whether a command that failed is remembered together with the one that worked instead, and mentioned at the next try.",
        )
        .note("No words of outputs or prompts are kept. In a project with something that no user has trusted, nothing is kept.")
        .example("true"),
        key(
            "days",
            KeyType::Whole(MOST_DAYS),
            "30",
            "How many days a failure is remembered if it does not happen again.",
        )
        .example("90"),
    ],
);
