//! A fictional table with one key: the minimum that a setting needs, and the proof that it is enough.
//!
//! `[example]` exists only in this crate's tests. `tests.rs` finds it in the reader, in the compiled form, in the schema, in the default
//! configuration, on the reference page, and among the names for shell completions.

use super::{Absent, DefaultValue, Key, KeyType, Table};

/// The row of the table in its file.
pub(super) const KEY: Key =
    Key::new("example", KeyType::Table(&EXAMPLE), Absent::Means("the defaults of its keys"), "An example.");

/// An `[example]`.
pub(crate) static EXAMPLE: Table = Table::new(
    "example",
    "an example",
    &[Key::new(
        "shown",
        KeyType::Flag,
        Absent::Default(DefaultValue::Flag(false)),
        "Whether the example is shown.",
    )],
);

/// Adds the setting to those of a file.
pub(crate) fn with_example(mut settings: serde_json::Value, shown: bool) -> serde_json::Value {
    if let Some(settings) = settings.as_object_mut() {
        settings.insert("example".to_owned(), serde_json::json!({"shown": shown}));
    }
    settings
}
