//! The keys of an `[[exception]]`.

use super::{Absent, Key, KeyType, Table, rule::LONGEST_TEXT};

/// An `[[exception]]`.
pub(crate) static EXCEPTION: Table = Table::new(
    "exception",
    "an exception",
    &[
        Key::new(
            "rules",
            KeyType::RuleIds,
            Absent::Required,
            "The ids of the rules to suppress. `*` matches the names in a pack, but not packs.",
        )
        .example("[\"secrets.read-secret\"]"),
        Key::new(
            "programs",
            KeyType::Texts,
            Absent::Means("any program"),
            "Patterns for the program, with its subcommand if it has one.",
        )
        .example("[\"cat\", \"grep\"]"),
        Key::new(
            "target",
            KeyType::Texts,
            Absent::Means("any target"),
            "Patterns for what is affected: a path, a machine, a branch. `~/` is the home directory.",
        )
        .example("[\"*/fixtures/*.pem\"]")
        .formerly(&["names"]),
        Key::new(
            "directory",
            KeyType::Directories,
            Absent::Means("everywhere"),
            "The directories in which the call must be made, and in which every affected path must be.",
        )
        .example("[\"~/shop\"]"),
        Key::new("reason", KeyType::Line(LONGEST_TEXT), Absent::Required, "The reason for the exception.")
            .example("\"the keys of the fixtures open nothing\""),
        Key::new(
            "until",
            KeyType::Day,
            Absent::Required,
            "The last day of the exception, in UTC, or `never`.",
        )
        .example("\"2027-01-31\""),
    ],
);
