//! The keys of `[monitor]`.

use super::{Absent, DefaultValue, Key, KeyType, Table};
use crate::config::layer::Layer;

const ABOUT_PROTECTION: &str = "only the managed and the user's file can switch on monitor mode";
const FORBIDS: &str = "only the managed file can forbid monitor mode";

/// The row of the table in its file.
pub(super) const KEY: Key = Key::new(
    "monitor",
    KeyType::Table(&MONITOR),
    Absent::Means("what rules find is denied or asked about"),
    "Monitor mode: nothing is blocked, and what would have been denied or asked about is recorded in the trail.",
)
.note(
    "`checkrein log` shows it. The rules that protect Checkrein itself are never part of it, and neither is what the managed layer decided, \
     unless the managed layer switches it on. `checkrein monitor --for 7d` writes this table.",
)
.refused(&[(Layer::Project, ABOUT_PROTECTION), (Layer::Flag, ABOUT_PROTECTION)]);

/// A `[monitor]`.
pub(crate) static MONITOR: Table = Table::new(
    "monitor",
    "monitor mode",
    &[
        Key::new(
            "until",
            KeyType::Date,
            Absent::RequiredUnless("forbid"),
            "The last day of monitor mode, in UTC, at most 30 days ahead. Afterwards everything is blocked as usual.",
        )
        .example("2026-12-01"),
        Key::new(
            "rules",
            KeyType::RuleIds,
            Absent::Means("all rules, the hooks of the layers and the checks for secrets"),
            "The ids of the rules that are only recorded. `*` matches the names in a pack, but not packs.",
        )
        .example("[\"kubernetes.*\"]"),
        Key::new(
            "forbid",
            KeyType::Flag,
            Absent::Default(DefaultValue::Flag(false)),
            "Whether lower layers are kept from switching monitor mode on.",
        )
        .refused(&[(Layer::User, FORBIDS), (Layer::Project, FORBIDS), (Layer::Flag, FORBIDS)]),
    ],
);
