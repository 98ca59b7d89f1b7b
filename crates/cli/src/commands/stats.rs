//! `checkrein stats`: counts of decisions by day, agent, rule and tool, and how long they took.

use crate::{
    args::Stats,
    commands::log,
    exit::ExitStatus,
    term::{data, err, out, style},
};
use checkrein::SmallSort as _;
use checkrein::{
    Decision,
    trail::{Filter, Reader, Record, local_day},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, io, path::Path};

/// The number of rows that are shown of each table.
const ROWS: usize = 12;

pub(crate) fn run(stats: &Stats) -> anyhow::Result<ExitStatus> {
    let directory = log::directory()?;
    let counted = match count(&directory, &log::filter(&stats.records)?) {
        Ok(counted) => counted,
        Err(error) => return Ok(log::unreadable(&directory, &error)),
    };
    if stats.json {
        data!("{}", style::json(counted.json()));
    } else if counted.all.sum() == 0 {
        err!("checkrein: {}", log::nothing(&directory));
    } else {
        counted.show();
    }
    Ok(ExitStatus::Success)
}

/// The number of times that each decision was made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    denied: u64,
    asked: u64,
    /// Events that would have been denied or asked about, in monitor mode.
    monitored: u64,
    edited: u64,
    allowed: u64,
    silent: u64,
}

impl Counts {
    fn add(&mut self, record: &Record) {
        let count = match record.decision {
            Decision::Deny | Decision::Ask if record.is("monitor") => &mut self.monitored,
            Decision::Deny => &mut self.denied,
            Decision::Ask => &mut self.asked,
            Decision::Abstain | Decision::Allow if record.is("edited") => &mut self.edited,
            Decision::Allow => &mut self.allowed,
            Decision::Abstain => &mut self.silent,
        };
        *count += 1;
    }

    const fn sum(&self) -> u64 {
        self.denied + self.asked + self.monitored + self.edited + self.allowed + self.silent
    }

    fn json(&self) -> Value {
        json!({
            "events": self.sum(),
            "denied": self.denied,
            "asked": self.asked,
            "monitored": self.monitored,
            "edited": self.edited,
            "allowed": self.allowed,
            "no_objection": self.silent,
        })
    }
}

/// Everything that is counted. Its size depends on the number of days, agents, rules and tools, and not on that of records.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    pub(crate) all: Counts,
    days: BTreeMap<String, Counts>,
    agents: BTreeMap<String, Counts>,
    rules: BTreeMap<String, Counts>,
    tools: BTreeMap<String, Counts>,
    latency: Latency,
    alarms: u64,
    unreadable: u64,
}

/// Counts the records of a trail.
pub(crate) fn count(directory: &Path, filter: &Filter) -> io::Result<Counted> {
    let mut counted = Counted::default();
    for stored in Reader::open(directory)? {
        match stored?.record {
            Some(record) if filter.wants(&record) => counted.add(&record),
            Some(_) => {}
            None => counted.unreadable += 1,
        }
    }
    Ok(counted)
}

impl Counted {
    fn add(&mut self, record: &Record) {
        self.all.add(record);
        self.days.entry(local_day(record.id.micros(), 0)).or_default().add(record);
        self.agents.entry(record.host().unwrap_or("unknown").to_owned()).or_default().add(record);
        for rule in record.texts("rules") {
            self.rules.entry(rule.to_owned()).or_default().add(record);
        }
        if let Some(tool) = record.tool() {
            self.tools.entry(tool.to_owned()).or_default().add(record);
        }
        self.latency.add(record.micros());
        self.alarms += u64::from(record.is("alarm"));
    }

    pub(crate) fn json(&self) -> Value {
        let table = |counts: &BTreeMap<String, Counts>| {
            Value::Object(counts.iter().map(|(name, counts)| (name.clone(), counts.json())).collect())
        };
        json!({
            "all": self.all.json(),
            "by_day": table(&self.days),
            "by_agent": table(&self.agents),
            "by_rule": table(&self.rules),
            "by_tool": table(&self.tools),
            "prompts_saved": self.all.allowed,
            "micros": self.latency.json(),
            "disobeyed": self.alarms,
            "unreadable": self.unreadable,
        })
    }

    fn show(&self) {
        table("day", &self.days, |(name, _)| std::cmp::Reverse((*name).clone()));
        let most_first =
            |(name, counts): &(&String, &Counts)| (std::cmp::Reverse(counts.sum()), (*name).clone());
        table("agent", &self.agents, most_first);
        table("rule", &self.rules, most_first);
        table("tool", &self.tools, most_first);
        out!("prompts saved by `[[allow]]`: {}", self.all.allowed);
        if self.all.monitored > 0 {
            out!(
                "monitor mode: {} would have been denied or asked about",
                log::many(self.all.monitored, "event")
            );
        }
        if let [Some(half), Some(most), Some(nearly), Some(worst)] =
            [50, 90, 99, 100].map(|part| self.latency.at(part))
        {
            out!(
                "time to decide: half of all events in {}, 90 % in {}, 99 % in {}, all in {}",
                duration(half),
                duration(most),
                duration(nearly),
                duration(worst)
            );
        }
        if self.unreadable > 0 {
            out!("{} cannot be read: run `checkrein log --verify`", log::many(self.unreadable, "line"));
        }
        if self.alarms > 0 {
            let calls = log::many(self.alarms, "denied call");
            out!("\x1b[31m{calls} ran anyway\x1b[0m: run `checkrein log --verify`");
        }
    }
}

/// Formats a time in the unit that people read: such times have two significant digits.
fn duration(micros: u64) -> String {
    match micros {
        0..1000 => format!("{micros} µs"),
        1000..1_000_000 => format!("{} ms", micros as f64 / 1e3),
        _ => format!("{} s", micros as f64 / 1e6),
    }
}

fn table<K: Ord>(title: &str, counts: &BTreeMap<String, Counts>, order: impl Fn(&(&String, &Counts)) -> K) {
    if counts.is_empty() {
        return;
    }
    let mut rows: Vec<(&String, &Counts)> = counts.iter().collect();
    rows.small_sort_by_key(order);
    out!(
        "\x1b[1m{title:<34}\x1b[0m {:>8} {:>8} {:>8} {:>8} {:>8}",
        "events",
        "denied",
        "asked",
        "edited",
        "allowed"
    );
    for (name, counts) in rows.iter().take(ROWS) {
        let name = checkrein::sanitize::one_line(name, 34);
        out!(
            "{name:<34} {:>8} {:>8} {:>8} {:>8} {:>8}",
            counts.sum(),
            counts.denied,
            counts.asked,
            counts.edited,
            counts.allowed
        );
    }
    if rows.len() > ROWS {
        out!("{}", style::dim(&format!("and {} more", rows.len() - ROWS)));
    }
    out!();
}

/// Times in microseconds, with two significant digits, so that any number of them fits.
#[derive(Debug, Default)]
struct Latency {
    counts: BTreeMap<u64, u64>,
    sum: u64,
}

impl Latency {
    fn add(&mut self, micros: Option<u64>) {
        let Some(micros) = micros else { return };
        let mut unit = 1;
        while micros / unit >= 100 {
            unit *= 10;
        }
        *self.counts.entry(micros.div_ceil(unit) * unit).or_default() += 1;
        self.sum += 1;
    }

    /// Returns the time within which this many percent of the events were decided.
    fn at(&self, percent: u64) -> Option<u64> {
        let wanted = (self.sum * percent).div_ceil(100);
        let mut seen = 0;
        self.counts
            .iter()
            .find(|(_, count)| {
                seen += **count;
                seen >= wanted
            })
            .map(|(micros, _)| *micros)
    }

    fn json(&self) -> Value {
        json!({"p50": self.at(50), "p90": self.at(90), "p99": self.at(99), "max": self.at(100)})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_that_people_read() {
        let all = [0, 950, 1000, 1500, 190_000, 2_300_000].map(duration);
        assert_eq!(all, ["0 µs", "950 µs", "1 ms", "1.5 ms", "190 ms", "2.3 s"]);
    }

    #[test]
    fn percentiles_are_those_of_the_times() {
        let mut latency = Latency::default();
        assert_eq!(latency.at(50), None);
        (1..=1000).for_each(|micros| latency.add(Some(micros)));
        latency.add(None);
        assert_eq!(
            [50, 90, 99, 100].map(|part| latency.at(part)),
            [Some(500), Some(900), Some(990), Some(1000)]
        );
        latency.add(Some(u64::MAX / 2));
        assert!(latency.at(100).unwrap() >= u64::MAX / 2);
    }
}
