//! `[learn]`: whether failed commands are remembered, and for how long.

use crate::config::{
    content::Settings,
    fields::{Fields, Slot},
    reader::ConfigReader,
};
use serde_json::{Map, Value};

/// The largest value that a file may name, and the value if none does.
pub(crate) const MOST_DAYS: u32 = 3_650;
const DAYS: u32 = 30;

/// The keys of one file. A key that is not there leaves the decision to other layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LearnKeys {
    on: Option<bool>,
    days: Option<u32>,
}

impl LearnKeys {
    /// Returns the keys as a file would write them.
    pub(crate) fn to_json(self) -> Value {
        let keys = [("on", self.on.map(Value::from)), ("days", self.days.map(Value::from))];
        let known = keys.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        Value::Object(known.collect::<Map<String, Value>>())
    }
}

impl<'t> ConfigReader<'_, 't> {
    pub(crate) fn learn(&mut self, fields: &mut Fields<'t>) -> LearnKeys {
        let Some(table) = fields.table("learn").value() else { return LearnKeys::default() };
        let mut table = table.value;
        let on: Slot<bool> = table.flag_at("on");
        let keys =
            LearnKeys { on: on.value().map(|on| on.value), days: self.whole(&mut table, "days", MOST_DAYS) };
        table.finish();
        keys
    }
}

/// The settings of the memory of failures, from all layers together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnSettings {
    /// True if failed commands are remembered.
    pub on: bool,
    /// The number of days after which a failure that did not happen again is forgotten.
    pub days: u32,
}

impl LearnSettings {
    /// Merges the files of the layers, the one with the most authority first: the first that has a key decides.
    pub(crate) fn of<'s>(files: &(impl Iterator<Item = &'s Settings> + Clone)) -> Self {
        let keys = || files.clone().map(|settings| settings.learn);
        Self {
            on: keys().find_map(|keys| keys.on).unwrap_or(false),
            days: keys().find_map(|keys| keys.days).unwrap_or(DAYS),
        }
    }
}
