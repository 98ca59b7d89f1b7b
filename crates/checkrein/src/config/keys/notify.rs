//! The keys of `[notify]`.

use super::{Absent, DefaultValue, Key, KeyType, Table, words};
use crate::{config::layer::Layer, notify::NotifyOn};

const ABOUT_PROGRAMS: &str = "only the managed and the user's file can set notifications";
const NO: Absent = Absent::Default(DefaultValue::Flag(false));

/// The row of the table in its file.
pub(super) const KEY: Key = Key::new(
    "notify",
    KeyType::Table(&NOTIFY),
    Absent::Means("no notifications"),
    "Notifications outside of the agent: when a call is denied, when the user is asked, and when a session with denials ends.",
)
.note(
    "They are started after the answer, and at most one every 10 seconds. They name the id of the record, the rule and the agent. \
     Checkrein itself opens no connection.",
)
.refused(&[(Layer::Project, ABOUT_PROGRAMS), (Layer::Flag, ABOUT_PROGRAMS)]);

/// A `[notify]`.
pub(crate) static NOTIFY: Table = Table::new(
    "notify",
    "the settings of notifications",
    &[
        Key::new(
            "desktop",
            KeyType::Flag,
            NO,
            "Whether the desktop shows them: with `notify-send`, on macOS with `osascript`.",
        ),
        Key::new(
            "command",
            KeyType::Command,
            Absent::Means("no program"),
            "A program and its first arguments, as a list. A title and a text follow as two further arguments; stdin has both as JSON.",
        )
        .example("[\"/usr/local/bin/tell-me\"]"),
        Key::new(
            "on",
            KeyType::Words(words::<NotifyOn>),
            Absent::Means("all of them"),
            "The events: a denial, a question, the end of a session in which something was denied.",
        )
        .example("[\"deny\", \"ask\", \"end\"]"),
        Key::new("detail", KeyType::Flag, NO, "Whether the text has the command or the path, without secrets."),
    ],
);
