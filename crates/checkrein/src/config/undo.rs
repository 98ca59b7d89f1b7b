//! `[undo]`: what is kept, for how long, and if that makes questions unnecessary.

use crate::config::{
    content::Settings,
    fields::{Fields, Slot},
    reader::ConfigReader,
};
use checkrein_undo::Limits;
use serde_json::{Map, Value};
use std::time::Duration;

/// The largest values that a file may name.
pub(crate) const MOST_DAYS: u32 = 3_650;
pub(crate) const MOST_MEGABYTES: u32 = 1_048_576;
pub(crate) const MOST_FILES: u32 = 1_000_000;
pub(crate) const MOST_MILLISECONDS: u32 = 4_000;

/// The keys of one file. A key that is not there leaves the decision to other layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct UndoKeys {
    off: Option<bool>,
    relax: Option<bool>,
    days: Option<u32>,
    megabytes: Option<u32>,
    call_files: Option<u32>,
    call_megabytes: Option<u32>,
    call_milliseconds: Option<u32>,
}

impl UndoKeys {
    /// Returns the keys as a file would write them.
    pub(crate) fn to_json(self) -> Value {
        let keys = [
            ("off", self.off.map(Value::from)),
            ("relax", self.relax.map(Value::from)),
            ("days", self.days.map(Value::from)),
            ("megabytes", self.megabytes.map(Value::from)),
            ("call_files", self.call_files.map(Value::from)),
            ("call_megabytes", self.call_megabytes.map(Value::from)),
            ("call_milliseconds", self.call_milliseconds.map(Value::from)),
        ];
        let known = keys.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        Value::Object(known.collect::<Map<String, Value>>())
    }
}

impl<'t> ConfigReader<'_, 't> {
    pub(crate) fn undo(&mut self, fields: &mut Fields<'t>) -> UndoKeys {
        let Some(table) = fields.table("undo").value() else { return UndoKeys::default() };
        let mut table = table.value;
        let flag = |slot: Slot<bool>| slot.value().map(|flag| flag.value);
        let keys = UndoKeys {
            off: flag(table.flag_at("off")),
            relax: flag(table.flag_at("relax")),
            days: self.whole(&mut table, "days", MOST_DAYS),
            megabytes: self.whole(&mut table, "megabytes", MOST_MEGABYTES),
            call_files: self.whole(&mut table, "call_files", MOST_FILES),
            call_megabytes: self.whole(&mut table, "call_megabytes", MOST_MEGABYTES),
            call_milliseconds: self.whole(&mut table, "call_milliseconds", MOST_MILLISECONDS),
        };
        table.finish();
        keys
    }
}

/// The settings of undo, from all layers together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndoSettings {
    /// True if anything is kept.
    pub keeps: bool,
    /// True if what was kept need not be asked about.
    pub relaxes: bool,
    /// The bounds.
    pub limits: Limits,
}

impl UndoSettings {
    /// Merges the files of the layers, the one with the most authority first: the first that has a key decides.
    pub(crate) fn of<'s>(files: &(impl Iterator<Item = &'s Settings> + Clone)) -> Self {
        let keys = || files.clone().map(|settings| settings.undo);
        let keeps = !keys().find_map(|keys| keys.off).unwrap_or(false);
        let mut limits = Limits::default();
        if let Some(days) = keys().find_map(|keys| keys.days) {
            limits.life = Duration::from_secs(u64::from(days) * 24 * 3600);
        }
        if let Some(megabytes) = keys().find_map(|keys| keys.megabytes) {
            limits.store = u64::from(megabytes) << 20;
        }
        if let Some(files) = keys().find_map(|keys| keys.call_files) {
            limits.entries = usize::try_from(files).unwrap_or(usize::MAX);
        }
        if let Some(megabytes) = keys().find_map(|keys| keys.call_megabytes) {
            limits.bytes = u64::from(megabytes) << 20;
        }
        if let Some(milliseconds) = keys().find_map(|keys| keys.call_milliseconds) {
            limits.time = Duration::from_millis(milliseconds.into());
        }
        Self { keeps, relaxes: keeps && keys().find_map(|keys| keys.relax).unwrap_or(true), limits }
    }
}
