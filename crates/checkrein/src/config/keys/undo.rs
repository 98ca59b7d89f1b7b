//! The keys of `[undo]`.

use super::{Absent, Key, KeyType, Table};
use crate::config::{
    layer::Layer,
    undo::{MOST_DAYS, MOST_FILES, MOST_MEGABYTES, MOST_MILLISECONDS},
};

const ABOUT_UNDO: &str = "a project does not decide what is kept of your files; write it into your own file";

const fn key(name: &'static str, kind: KeyType, absent: &'static str, about: &'static str) -> Key {
    Key::new(name, kind, Absent::Means(absent), about).refused(&[(Layer::Project, ABOUT_UNDO)])
}

/// The row of the table in its file.
pub(super) const KEY: Key = Key::new(
    "undo",
    KeyType::Table(&UNDO),
    Absent::Means("the defaults of its keys"),
    "What is kept before a call deletes or overwrites it, so that `checkrein undo` can restore it.",
)
.note("The layer with the most authority that has a key decides.");

/// A `[undo]`.
pub(crate) static UNDO: Table = Table::new(
    "undo",
    "the settings of undo",
    &[
        key("off", KeyType::Flag, "`false`", "Whether nothing is kept. Then no question is left out either.").example("true"),
        key(
            "relax",
            KeyType::Flag,
            "`true`",
            "Whether a question about deleting or discarding something in the project is left out if all of it was kept.",
        )
        .note("`checkrein rules` shows which rules are recoverable. A rule of yours, or one that you made stricter, is never left out.")
        .example("false"),
        key("days", KeyType::Whole(MOST_DAYS), "14", "How many days copies are kept.").example("30"),
        key(
            "megabytes",
            KeyType::Whole(MOST_MEGABYTES),
            "2048",
            "How many megabytes (MiB) are kept. The oldest go first, except for those of the last day and those that replaced a question.",
        )
        .example("8192"),
        key("call_files", KeyType::Whole(MOST_FILES), "20000", "How many files and directories are kept for one call.")
            .example("50000"),
        key("call_megabytes", KeyType::Whole(MOST_MEGABYTES), "512", "How many megabytes (MiB) are kept for one call.")
            .example("1024"),
        key(
            "call_milliseconds",
            KeyType::Whole(MOST_MILLISECONDS),
            "1500",
            "How long keeping may take for one call. What takes longer is not kept.",
        )
        .example("3000"),
    ],
);
