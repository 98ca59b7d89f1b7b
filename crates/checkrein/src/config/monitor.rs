//! `[monitor]`: what is only recorded, by whom, and until when.

use crate::config::{
    Config,
    fields::{At, Fields, Slot, Text},
    layer::{ExceptionPolicy, Layer},
    reader::{Checks, ConfigReader},
    rule::exception::{Purpose, authority},
};
use checkrein_guard::{Authority, Day, Monitor};
use serde_json::{Value, json};

/// The longest time that monitor mode can be switched on for, in days.
pub const MOST_MONITOR_DAYS: u64 = 30;

/// The table of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MonitorKeys {
    pub(crate) until: Option<Day>,
    pub(crate) rules: Vec<String>,
    pub(crate) forbid: bool,
}

impl MonitorKeys {
    /// Returns the table as a file would write it.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "until": self.until.map(|day| day.to_string()),
            "rules": self.rules,
            "forbid": self.forbid,
        })
    }
}

impl<'t> ConfigReader<'_, 't> {
    /// Reads the table.
    pub(crate) fn monitor(&mut self, fields: &mut Fields<'t>) -> Option<MonitorKeys> {
        let At { value: mut table, .. } = fields.table("monitor").value()?;
        let span = table.span.clone();
        let until = table.text("until").value();
        let rules = match table.texts("rules") {
            Slot::Absent => Some(Vec::new()),
            slot => self.rule_patterns("monitor.rules", slot, Purpose::Monitor),
        };
        let forbid = table.flag("forbid");
        table.finish();
        if until.is_none() && !forbid && self.checks != Checks::Compiled {
            let hint = format!("for example `until = {}`", crate::today());
            self.problem("monitor", &span, "monitor mode needs `until`, its last day", Some(&hint));
        }
        let until = match until {
            Some(until) => Some(self.last_day(&until)?),
            None => None,
        };
        Some(MonitorKeys { until, rules: rules?, forbid })
    }

    fn last_day(&mut self, At { span, value }: &At<Text<'t>>) -> Option<Day> {
        let today = crate::today();
        let Ok(day) = value.parse::<Day>() else {
            let hint = format!("for example `{today}`");
            self.problem("monitor.until", span, &format!("`{value}` is not a date"), Some(&hint));
            return None;
        };
        let last = today.after(MOST_MONITOR_DAYS);
        if day > last && self.checks != Checks::Compiled {
            let message = format!("monitor mode can last {MOST_MONITOR_DAYS} days at most, until {last}");
            self.problem("monitor.until", span, &message, None);
            return None;
        }
        Some(day)
    }
}

/// The state of a file's monitor mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MonitorState {
    /// Its rules are only recorded.
    Active,
    /// Its last day is over.
    Expired,
    /// A layer above does not want it.
    Refused(Layer),
}

/// The monitor mode that a file switches on.
#[derive(Clone, Debug)]
pub struct MonitorMode<'a> {
    /// The file.
    pub config: &'a Config,
    /// Its last day.
    pub until: Day,
    /// Patterns for the ids of the rules that are only recorded; everything, if there are none.
    pub rules: &'a [String],
    /// Tells if it counts today.
    pub state: MonitorState,
}

impl MonitorMode<'_> {
    /// Describes what it covers.
    pub fn about(&self) -> String {
        if self.rules.is_empty() { "everything".to_owned() } else { self.rules.join(", ") }
    }
}

/// Returns the layer above `layer` that does not let it switch on monitor mode. Who refuses exceptions refuses that as well.
pub(crate) fn refused(configs: &[Config], layer: Layer) -> Option<Layer> {
    let forbids = |config: &&Config| {
        let settings = &config.content.settings;
        settings.exceptions == ExceptionPolicy::Refuse
            || settings.monitor.as_ref().is_some_and(|monitor| monitor.forbid)
    };
    configs.iter().filter(|config| config.layer < layer).find(forbids).map(Config::layer)
}

/// Returns the monitor mode of every file that has one.
pub(crate) fn modes(configs: &[Config], today: Day) -> Vec<MonitorMode<'_>> {
    let mode = |config| -> Option<MonitorMode<'_>> {
        let config: &Config = config;
        let monitor = config.content.settings.monitor.as_ref()?;
        let until = monitor.until?;
        let state = match refused(configs, config.layer) {
            Some(layer) => MonitorState::Refused(layer),
            // A day that is too far away was written under another clock.
            None if until < today || until > today.after(MOST_MONITOR_DAYS) => MonitorState::Expired,
            None => MonitorState::Active,
        };
        Some(MonitorMode { config, until, rules: &monitor.rules, state })
    };
    configs.iter().filter_map(mode).collect()
}

/// Everything that is only recorded today.
#[derive(Clone, Debug, Default)]
pub(crate) struct Monitored(Vec<Monitor>);

impl Monitored {
    pub(crate) fn of(modes: &[MonitorMode<'_>]) -> Self {
        let active = modes.iter().filter(|mode| mode.state == MonitorState::Active);
        let monitor = |mode: &MonitorMode<'_>| Monitor {
            authority: authority(mode.config.layer),
            rules: mode.rules.to_vec(),
        };
        Self(active.map(monitor).collect())
    }

    /// The monitors of rules.
    pub(crate) fn rules(&self) -> &[Monitor] {
        &self.0
    }

    /// Returns whether everything that `layer` decides without a rule is only recorded.
    pub(crate) fn covers_all_of(&self, layer: Layer) -> bool {
        self.0.iter().any(|monitor| {
            monitor.rules.is_empty() && (monitor.authority == Authority::Managed || layer != Layer::Managed)
        })
    }
}
