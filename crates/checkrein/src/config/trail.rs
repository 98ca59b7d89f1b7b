//! The settings of the trail: what is kept, for how long, and who decides.

use crate::config::{
    content::Settings,
    fields::{Fields, Slot},
    layer::Layer,
    reader::ConfigReader,
};
use checkrein_trail::{Level, Retention, Sync};
use serde_json::Value;
use std::time::Duration;

/// The longest time and the largest size that a file may name.
pub(crate) const MOST_DAYS: u32 = 3_650;
pub(crate) const MOST_MEGABYTES: u32 = 65_536;

/// The values of `trail`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrailWord {
    Off,
    Structure,
    Summary,
    Full,
    Required,
}

impl TrailWord {
    pub(crate) const ALL: &'static [Self] =
        &[Self::Off, Self::Structure, Self::Summary, Self::Full, Self::Required];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Structure => "structure",
            Self::Summary => "summary",
            Self::Full => "full",
            Self::Required => "required",
        }
    }

    const fn level(self) -> Level {
        match self {
            Self::Off => Level::Off,
            Self::Structure => Level::Structure,
            Self::Summary | Self::Required => Level::Summary,
            Self::Full => Level::Full,
        }
    }
}

/// The values of `trail_sync`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncWord {
    Off,
    Deny,
    All,
}

impl SyncWord {
    pub(crate) const ALL: &'static [Self] = &[Self::Off, Self::Deny, Self::All];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Deny => "deny",
            Self::All => "all",
        }
    }

    const fn sync(self) -> Sync {
        match self {
            Self::Off => Sync::Off,
            Self::Deny => Sync::Deny,
            Self::All => Sync::All,
        }
    }
}

/// The keys of one file. A key that is not there leaves the decision to other layers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TrailKeys {
    trail: Option<TrailWord>,
    sync: Option<SyncWord>,
    days: Option<u32>,
    megabytes: Option<u32>,
}

impl TrailKeys {
    /// Adds the keys to settings as a file would write them.
    pub(crate) fn write(&self, settings: &mut Value) {
        let mut set = |name: &str, value: Option<Value>| {
            if let (Some(settings), Some(value)) = (settings.as_object_mut(), value) {
                settings.insert(name.to_owned(), value);
            }
        };
        set("trail", self.trail.map(|word| word.as_str().into()));
        set("trail_sync", self.sync.map(|word| word.as_str().into()));
        set("trail_days", self.days.map(Value::from));
        set("trail_megabytes", self.megabytes.map(Value::from));
    }
}

impl<'t> ConfigReader<'_, 't> {
    pub(crate) fn trail(&mut self, fields: &mut Fields<'t>) -> TrailKeys {
        let span = fields.span("trail");
        let trail = self.word(fields, "trail");
        if let (Some(TrailWord::Required), Some(span), true) = (trail, span, self.layer != Layer::Managed) {
            let hint = "write `summary`, or `full`";
            self.problem("trail", &span, "only the administrator\'s file can require the trail", Some(hint));
        }
        TrailKeys {
            trail,
            sync: self.word(fields, "trail_sync"),
            days: self.whole(fields, "trail_days", MOST_DAYS),
            megabytes: self.whole(fields, "trail_megabytes", MOST_MEGABYTES),
        }
    }

    /// Takes a whole number from 1 to `most`.
    pub(crate) fn whole(&mut self, fields: &mut Fields<'t>, key: &str, most: u32) -> Option<u32> {
        let Slot::Is(number) = fields.number_at(key) else { return None };
        let found = (1..=most).contains(&(number.value as u32)).then_some(number.value as u32);
        let found = found.filter(|found| f64::from(*found) == number.value);
        if found.is_none() {
            let message = format!("expected a whole number from 1 to {most}, found `{}`", number.value);
            self.problem(key, &number.span, &message, None);
        }
        found
    }
}

/// The settings of the trail, from all layers together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrailSettings {
    /// The level of detail.
    pub level: Level,
    /// True if a call is denied when its record cannot be kept.
    pub required: bool,
    /// When a record has to be on the disk itself.
    pub sync: Sync,
    /// The time for which records are kept.
    pub retention: Retention,
}

impl TrailSettings {
    /// Merges the files of the layers, the one with the most authority first: the first that has a key decides.
    pub(crate) fn of<'s>(files: &(impl Iterator<Item = &'s Settings> + Clone)) -> Self {
        let mut settings = Self::default();
        let keys = || files.clone().map(|settings| settings.trail);
        if let Some(word) = keys().find_map(|keys| keys.trail) {
            settings.level = word.level();
            settings.required = word == TrailWord::Required;
        }
        if let Some(word) = keys().find_map(|keys| keys.sync) {
            settings.sync = word.sync();
        }
        if let Some(days) = keys().find_map(|keys| keys.days) {
            settings.retention.age = Duration::from_secs(u64::from(days) * 24 * 3600);
        }
        if let Some(megabytes) = keys().find_map(|keys| keys.megabytes) {
            settings.retention.bytes = u64::from(megabytes) << 20;
            // A segment is at most an eighth of the space, so that records are left when the oldest one is removed.
            settings.retention.segment = settings.retention.segment.min(settings.retention.bytes / 8);
        }
        settings
    }
}

/// Returns a digest of a text that tells policies apart, in hexadecimal digits.
pub(crate) fn digest(text: &str) -> String {
    checkrein_trail::digest(text.as_bytes())
}
