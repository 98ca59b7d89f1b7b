//! `checkrein monitor`: lets everything pass for a few days and records what would have been blocked.
//!
//! It writes the table `[monitor]` of the user's own file, after the confirmation that `allow` asks for: for these days nothing
//! is blocked.

use crate::{
    args::Monitor,
    authority::Authority,
    exit::ExitStatus,
    policy,
    term::{data, out, style, wrap::fitted},
    user_file,
};
use anyhow::bail;
use checkrein::{
    LayeredConfig, MOST_MONITOR_DAYS, MonitorMode, MonitorState, Places, Session, today, trail::Level,
};
use serde_json::{Value, json};

/// The beginning of the comment above the table.
const MARK: &str = "# checkrein monitor";
const HEADER: &str = "[monitor]";

pub(crate) fn run(monitor: &Monitor, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let places = policy::places(None, &Session::default());
    let stack = checkrein::whole(LayeredConfig::load(&places))?;
    if let Some(time) = &monitor.time {
        return switch_on(&places, &stack, time, &monitor.rules, authority);
    }
    if monitor.off {
        return switch_off(&places, &stack, authority);
    }
    status(&stack, monitor.json);
    Ok(ExitStatus::Success)
}

fn switch_on(
    places: &Places,
    stack: &LayeredConfig,
    time: &str,
    rules: &[String],
    authority: &Authority,
) -> anyhow::Result<ExitStatus> {
    authority.required()?;
    let days = days(time)?;
    if let Some(layer) = stack.monitor_refused() {
        bail!("the {layer} layer does not allow monitor mode");
    }
    if stack.trail().level == Level::Off {
        bail!(
            "the trail is off, so nothing would be recorded\n\nhint: remove `trail = \"off\"` from the configuration first"
        );
    }
    let until = today().after(days);
    let table = table(&until.to_string(), rules);
    let what = match rules {
        [] => "nothing is blocked".to_owned(),
        rules => format!("nothing is blocked by {}", rules.join(", ")),
    };
    let about = format!(
        "Until {until} {what}: calls that would be denied or asked about run, and are recorded (`checkrein log`). Only the rules that protect \
         Checkrein itself{} stay.",
        if stack.has_managed() { ", and what the administrator decided," } else { "" },
    );
    fitted(&style::harmless(&about), 0).iter().for_each(|line| out!("{line}"));
    out!("\nThis is written into your configuration:\n");
    data!("{}", style::lines(table.trim_end()));
    out!("");
    if !authority.confirms("Switch monitor mode on?")? {
        out!("Nothing was changed.");
        return Ok(ExitStatus::Failure);
    }
    let file = user_file::change(places, |before| {
        let mut text = without_table(before).unwrap_or_else(|| before.to_owned());
        if !text.is_empty() {
            text = format!("{}\n\n", text.trim_end_matches('\n'));
        }
        text + &table
    })?;
    out!("Monitor mode is on until {until}: {}", style::harmless(&file.display().to_string()));
    out!("To end it, run `checkrein monitor --off`.");
    Ok(ExitStatus::Success)
}

/// Ends monitor mode. That makes nothing milder, so a user at the terminal need not confirm it.
fn switch_off(places: &Places, stack: &LayeredConfig, authority: &Authority) -> anyhow::Result<ExitStatus> {
    authority.required()?;
    let own = user_file::read(places)?;
    let Some(text) = own.as_deref().and_then(without_table) else {
        let own =
            stack.monitor_modes().into_iter().any(|mode| places.user.as_deref() == Some(mode.config.path()));
        if own {
            bail!(
                "your configuration does not have `[monitor]` on a line of its own\n\nhint: remove the keys of `monitor` from it"
            );
        }
        out!("Your configuration does not switch monitor mode on.");
        return Ok(ExitStatus::Failure);
    };
    user_file::change(places, |_| text)?;
    out!("Monitor mode is off.");
    Ok(ExitStatus::Success)
}

fn status(stack: &LayeredConfig, as_json: bool) {
    let modes = stack.monitor_modes();
    if as_json {
        let rows: Vec<Value> = modes.iter().map(row).collect();
        let active = modes.iter().any(|mode| mode.state == MonitorState::Active);
        data!("{}", style::json(json!({"active": active, "monitor": rows})));
        return;
    }
    if modes.is_empty() {
        out!("Monitor mode is off.");
    }
    for mode in &modes {
        fitted(&style::harmless(&sentence(mode)), 0).iter().for_each(|line| out!("{line}"));
        out!("  {}", style::harmless(&mode.config.path().display().to_string()));
    }
}

/// Describes the monitor mode of a file in one sentence.
pub(crate) fn sentence(mode: &MonitorMode<'_>) -> String {
    let (layer, until) = (mode.config.layer(), mode.until);
    match (mode.state, mode.rules) {
        (MonitorState::Active, []) => {
            format!("Monitor mode until {until} ({layer}): nothing is blocked, only recorded.")
        }
        (MonitorState::Active, _) => {
            format!("Monitor mode until {until} ({layer}) for {}: not blocked, only recorded.", mode.about())
        }
        (MonitorState::Expired, _) => {
            format!("Monitor mode ended on {until} ({layer}): everything is blocked as usual.")
        }
        (MonitorState::Refused(by), _) => {
            format!("The {layer} layer switches monitor mode on, but the {by} layer does not allow it.")
        }
    }
}

/// Returns the JSON object of a file's monitor mode.
pub(crate) fn row(mode: &MonitorMode<'_>) -> Value {
    let status = match mode.state {
        MonitorState::Active => "active".to_owned(),
        MonitorState::Expired => "expired".to_owned(),
        MonitorState::Refused(by) => format!("refused by the {by} layer"),
    };
    json!({
        "layer": mode.config.layer().as_str(),
        "path": mode.config.path().to_string_lossy(),
        "until": mode.until.to_string(),
        "rules": mode.rules,
        "status": status,
    })
}

/// Reads `7d` or `2w`.
fn days(text: &str) -> anyhow::Result<u64> {
    let number = |number: &str, times: u64| number.parse::<u64>().ok()?.checked_mul(times);
    let days = match (text.strip_suffix('d'), text.strip_suffix('w')) {
        (Some(days), _) => number(days, 1),
        (None, Some(weeks)) => number(weeks, 7),
        (None, None) => None,
    };
    match days.filter(|days| (1..=MOST_MONITOR_DAYS).contains(days)) {
        Some(days) => Ok(days),
        None => bail!(
            "`{text}` is not a time\n\nhint: write days or weeks, for example `7d` or `2w`; at most {MOST_MONITOR_DAYS} days"
        ),
    }
}

fn table(until: &str, rules: &[String]) -> String {
    let mut table = format!("{MARK} on {}\n{HEADER}\nuntil = {until}\n", today());
    if !rules.is_empty() {
        let rules: Vec<String> = rules.iter().map(|rule| Value::from(rule.as_str()).to_string()).collect();
        table.push_str(&format!("rules = [{}]\n", rules.join(", ")));
    }
    table
}

/// Returns a file without its table `[monitor]` and our comment above it; `None` if it has no such line.
fn without_table(text: &str) -> Option<String> {
    let (mut kept, mut inside, mut found) = (String::new(), false, false);
    for line in text.split_inclusive('\n') {
        let header = line.trim();
        if header == HEADER {
            (inside, found) = (true, true);
            continue;
        }
        if header.starts_with('[') {
            inside = false;
        }
        if !inside && !line.starts_with(MARK) {
            kept.push_str(line);
        }
    }
    found.then(|| {
        if kept.trim().is_empty() { String::new() } else { format!("{}\n", kept.trim_end_matches('\n')) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_days_or_weeks_and_not_long() {
        assert_eq!((days("7d").unwrap(), days("2w").unwrap(), days("30d").unwrap()), (7, 14, 30));
        for wrong in ["", "d", "0d", "7", "31d", "5w", "-1d", "1h", "99999999999999999999d"] {
            assert!(days(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_the_table_is_removed() {
        let before = "trail = \"full\"\n\n[[grade]]\nrule = \"git.*\"\ndecision = \"deny\"\n";
        let with = format!("{before}\n{}", table("2026-12-01", &["git.*".to_owned()]));
        assert_eq!(without_table(&with).as_deref(), Some(before));
        let between = "[monitor]\nuntil = 2026-12-01\n\n[[grade]]\nrule = \"git.*\"\n";
        assert_eq!(without_table(between).as_deref(), Some("[[grade]]\nrule = \"git.*\"\n"));
        assert_eq!(without_table("monitor.until = 2026-12-01\n"), None);
    }
}
