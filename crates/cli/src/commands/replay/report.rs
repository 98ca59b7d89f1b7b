//! The output of a replay: a table for users, JSON lines for programs.

use super::summary::{Call, Group, Summary};
use crate::{
    args::{History, Replay},
    term::{data, out, style},
};
use checkrein::Decision;
use checkrein::SmallSort as _;
use checkrein_hosts::host;
use serde_json::Value;

/// The number of groups in a table.
const MOST: usize = 20;

/// Prints one call as a JSON line.
pub(super) fn call(call: &Call) {
    let mut line = call.to_json();
    if let Value::Object(map) = &mut line {
        // Between our own processes only.
        map.remove("identity");
        map.remove("wants");
    }
    data!("{}", style::json(line));
}

/// Prints the last JSON line.
pub(super) fn end(summary: &Summary) {
    data!("{}", style::json(summary.to_json()));
}

/// Prints the table.
pub(super) fn table(summary: &Summary, arguments: &Replay) {
    if summary.calls == 0 {
        nothing(summary, &arguments.history);
        return;
    }
    for (name, agent) in &summary.agents {
        let title = host(name).and_then(|host| host.recipe).map_or(name.as_str(), |recipe| recipe.title);
        out!(
            "{}: {} in {}",
            style::harmless(title),
            counted(agent.calls, "call"),
            counted(agent.sessions.len() as u64, "session"),
        );
        let alone = agent.calls - agent.denied - agent.asked - agent.allowed;
        let mut line =
            format!("  {} denied, {} asked about, {} left alone", agent.denied, agent.asked, alone);
        if agent.allowed > 0 {
            line.push_str(&format!(", {} allowed without a prompt", agent.allowed));
        }
        out!("{line}");
    }
    groups("Would have been denied", summary, Decision::Deny);
    groups("Would have been asked about", summary, Decision::Ask);
    changes(summary, arguments);
    prompts(summary);
    out!("");
    out!("{}", style::dim(&closing(summary)));
}

/// Prints how many prompts of the agents themselves `[[allow]]` entries would have spared the user.
fn prompts(summary: &Summary) {
    let (saved, savable) = (summary.total(|agent| agent.allowed), summary.total(|agent| agent.savable));
    if saved > 0 {
        out!("\nYour `[[allow]]` entries would have spared you the prompt for {}.", counted(saved, "call"));
    }
    if savable > 0 {
        out!(
            "\n{} only read with programs that the guard knows; `checkrein suggest` has entries that spare you such prompts.",
            counted(savable, "call")
        );
    }
}

/// Writes a span such as `30d` as people say it.
fn in_words(span: &str) -> String {
    let units = [('h', "hours"), ('d', "days"), ('w', "weeks")];
    let found = units.iter().find_map(|(unit, words)| Some((span.strip_suffix(*unit)?, *words)));
    match found {
        Some(("1", words)) => words.trim_end_matches('s').to_owned(),
        Some((count, words)) => format!("{count} {words}"),
        None => span.to_owned(),
    }
}

/// Says that there was no call to judge.
pub(in crate::commands) fn nothing(summary: &Summary, history: &History) {
    let span = match history.since.as_str() {
        "all" => String::new(),
        span => format!(" in the last {}", style::harmless(&in_words(span))),
    };
    if summary.files == 0 {
        out!("No agent has kept a session here{span}.");
        out!("hint: `--since all` goes back to the first one, and `--path DIR` looks in another directory");
    } else {
        out!("No tool was called{span} ({} read).", counted(summary.files, "file"));
    }
}

fn groups(title: &str, summary: &Summary, decision: Decision) {
    let mut found: Vec<(&str, &Group)> = summary
        .groups
        .iter()
        .filter(|((decided, ..), _)| *decided == decision)
        .map(|((_, rule, _), group)| (rule.as_str(), group))
        .collect();
    if found.is_empty() {
        return;
    }
    found.small_sort_by(|(_, a), (_, b)| b.calls.cmp(&a.calls).then_with(|| a.example.cmp(&b.example)));
    out!("\n{title}");
    for (rule, group) in found.iter().take(MOST) {
        row(rule, group);
    }
    if found.len() > MOST {
        out!("  {}", style::dim(&format!("and {} more kinds; `--json` has all of them", found.len() - MOST)));
    }
}

fn row(rule: &str, group: &Group) {
    let sessions = group.sessions.len() as u64;
    let day = group.last.get(..10).unwrap_or_default();
    out!("  {:>4} ×  {}", group.calls, style::one_line(&group.example));
    let place = format!("{}, last on {}", counted(sessions, "session"), style::harmless(day));
    out!("          {}", style::dim(&format!("{} · {place}", style::harmless(rule))));
}

fn changes(summary: &Summary, arguments: &Replay) {
    if arguments.policy.is_none() {
        return;
    }
    if summary.changes.is_empty() {
        out!("\nBoth policies decide the same about every call.");
        return;
    }
    out!("\nThe new policy decides differently");
    for ((before, after, rule), group) in &summary.changes {
        out!("  {} → {}", word(*before), word(*after));
        row(rule, group);
    }
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Abstain => "left alone",
        Decision::Allow => "allowed",
        Decision::Ask => "asked about",
        Decision::Deny => "denied",
    }
}

fn closing(summary: &Summary) -> String {
    let mut text = format!("{} judged in {:.1} s.", counted(summary.calls, "call"), summary.seconds);
    if summary.without_files > 0 {
        text.push_str(&format!(
            " {} judged without the files of that day, because the directory is gone or not recorded.",
            counted(summary.without_files, "call")
        ));
    }
    if summary.unknown + summary.too_long > 0 {
        text.push_str(&format!(
            " Not read: {} of an unknown kind, {} over 4 MiB.",
            counted(summary.unknown, "record"),
            counted(summary.too_long, "record")
        ));
    }
    if summary.incomplete > 0 {
        text.push_str(&format!(
            " Not judged: {} of which the trail keeps only a part (`trail = \"full\"` keeps all).",
            counted(summary.incomplete, "call")
        ));
    }
    text
}

fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
