//! Selects records.

use crate::{Record, time::days};
use checkrein_core::Decision;

/// A selection of records. An empty filter selects all of them.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Not before this time, in microseconds since 1970.
    pub since: Option<u64>,
    /// Sessions whose id begins like this.
    pub session: Option<String>,
    /// Hosts, or subagents, with this name or id.
    pub agent: Option<String>,
    /// These decisions.
    pub decisions: Vec<Decision>,
    /// Rules with this id; a `*` at the end matches any end.
    pub rule: Option<String>,
}

impl Filter {
    /// Returns whether a record is wanted.
    pub fn wants(&self, record: &Record) -> bool {
        let session = |wanted: &String| record.session().is_some_and(|session| session.starts_with(wanted));
        let agent = |wanted: &String| [record.host(), record.text("agent")].contains(&Some(wanted.as_str()));
        let rule = |wanted: &String| record.texts("rules").any(|rule| matches(wanted, rule));
        self.since.is_none_or(|since| record.id.micros() >= since)
            && self.session.as_ref().is_none_or(session)
            && self.agent.as_ref().is_none_or(agent)
            && (self.decisions.is_empty() || self.decisions.contains(&record.decision))
            && self.rule.as_ref().is_none_or(rule)
    }

    /// Returns whether no older record is wanted, so that a reader from the newest on can stop.
    pub fn is_past(&self, record: &Record) -> bool {
        self.since.is_some_and(|since| record.id.micros() < since)
    }
}

fn matches(pattern: &str, rule: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == rule, |start| rule.starts_with(start))
}

/// The error for a text that is not a time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time: write `30m`, `12h`, `7d`, `2w` or `2026-11-18`")]
pub struct SinceError(String);

/// Reads the beginning of a time: how long ago, or a day. Both are in microseconds since 1970.
///
/// # Errors
///
/// If the text is neither.
pub fn since(text: &str, now: u64) -> Result<u64, SinceError> {
    let error = || SinceError(text.to_owned());
    let units = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400), ('w', 604_800)];
    for (unit, seconds) in units {
        if let Some(number) = text.strip_suffix(unit) {
            let number: u64 = number.parse().map_err(|_| error())?;
            let ago = number.checked_mul(seconds * 1_000_000).ok_or_else(error)?;
            return Ok(now.saturating_sub(ago));
        }
    }
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return Err(error()) };
    let number = |part: &str| part.parse::<u64>().ok();
    let day = number(year).zip(number(month)).zip(number(day));
    let day = day.and_then(|((year, month), day)| days(year, month, day)).ok_or_else(error)?;
    Ok(day * 86_400_000_000)
}
