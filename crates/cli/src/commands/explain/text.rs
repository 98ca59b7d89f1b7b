//! The explanation as text. All text from the call or from a hook goes through [`style::harmless`].

use super::{Pass, Reading, words};
use crate::term::{out, style, wrap::fitted};
use checkrein::{
    Change, Decision,
    guard::{Effect, Host, Invocation, Judgement, Runs, Script, SimpleCommand, Suppressed, Target},
};
use std::time::Duration;

/// Prints the explanation.
pub(super) fn show(pass: &Pass) {
    reading(pass);
    if let Some(judgement) = &pass.judgement {
        ran(pass, judgement);
        effects(judgement);
        rules(pass, judgement);
    } else {
        title("guard");
        say(2, "nothing in this call is checked by the guard");
    }
    hooks(pass);
    decision(pass);
    times(pass);
}

fn title(text: &str) {
    out!("\x1b[1m{text}\x1b[0m");
}

/// Prints one or more indented lines.
fn say(indent: usize, text: &str) {
    for line in fitted(text, indent) {
        out!("{:indent$}{}", "", style::harmless(&line));
    }
}

/// Prints one or more indented and dimmed lines.
fn remark(indent: usize, text: &str) {
    for line in fitted(text, indent) {
        out!("{:indent$}{}", "", style::dim(&style::harmless(&line)));
    }
}

fn reading(pass: &Pass) {
    title("read");
    if pass.outcome.is_edited() {
        remark(2, "as rewritten");
    }
    match &pass.reading {
        Reading::Shell { text, script } => script_read(text, script),
        Reading::Arguments => say(2, "a program with its arguments, run without a shell"),
        Reading::PowerShell => say(2, "a PowerShell script"),
        Reading::Nothing => say(2, "no shell command"),
    }
    out!();
}

fn script_read(text: &str, script: &Script) {
    for (index, simple) in script.commands.iter().enumerate() {
        simple_read(index, simple);
    }
    for alias in &script.aliases {
        say(2, &format!("`{}` is an alias of `{}`", alias.name, words::plain(&alias.value)));
    }
    for opaque in &script.opaque {
        say(2, &words::unreadable(opaque, text));
    }
    if script.commands.is_empty() && script.opaque.is_empty() {
        say(2, "no command");
    }
}

fn simple_read(index: usize, simple: &SimpleCommand) {
    let number = index + 1;
    // Text for a command may have many lines; they are shown on one.
    say(2, &format!("{number:<3}{}", words::command(simple).replace('\n', "⏎")));
    for said in words::position(simple) {
        remark(5, &said);
    }
    if simple.runs == Runs::Maybe && simple.within.is_empty() {
        remark(5, "runs conditionally");
    }
    let mut unknown: Vec<String> = words::all(simple).flat_map(words::unknowns).collect();
    unknown.dedup();
    for said in unknown {
        remark(5, &format!("… {said}"));
    }
    for said in words::odd(simple) {
        remark(5, &said);
    }
}

fn ran(pass: &Pass, judgement: &Judgement) {
    title("would run");
    let top = judgement.ran.iter().map(|ran| ran.depth).min().unwrap_or_default();
    for ran in &judgement.ran {
        let known = match &ran.known_as {
            Some(name) => format!("known as {name}"),
            None => "unknown program".to_owned(),
        };
        let indent = ran.depth.saturating_sub(top) * 2 + 2;
        let command = words::joined(&ran.words).replace('\n', "⏎");
        out!("{:indent$}{}  {}", "", style::harmless(&command), style::dim(&style::harmless(&known)));
    }
    if judgement.ran.is_empty() {
        say(2, "no command");
    }
    for opaque in pass.inner_opaque() {
        say(2, &format!("a nested script cannot be parsed: {}", opaque.why));
    }
    out!();
}

fn effects(judgement: &Judgement) {
    title("effects");
    for (index, effect) in judgement.effects.iter().enumerate() {
        say(2, &format!("{:<3}{}", index + 1, one_effect(effect)));
        if let Some(by) = judgement.ran.get(effect.by) {
            remark(5, &by_whom(by));
        }
    }
    if judgement.effects.is_empty() {
        say(2, "none known");
    }
    let glossary = words::glossary(&judgement.effects);
    let kinds = glossary.iter().map(|(kind, ..)| kind.len()).max().unwrap_or_default();
    let width = glossary.iter().map(|(_, word, _)| word.len()).max().unwrap_or_default();
    if !glossary.is_empty() {
        out!();
    }
    for (kind, word, about) in glossary {
        remark(2, &format!("{kind:<kinds$} {word:<width$}  {about}"));
    }
    out!();
}

fn by_whom(ran: &Invocation) -> String {
    format!("by {}", style::one_line(&words::joined(&ran.words)))
}

fn one_effect(effect: &Effect) -> String {
    let target = match &effect.target {
        Target::Nothing => String::new(),
        Target::Path(spot) => {
            let tags: String = spot.tags.iter().map(|tag| format!(", {tag}")).collect();
            format!(" {} ({}{tags})", spot.path, spot.zone)
        }
        Target::Host(Host { name, .. }) if name.is_empty() => " a machine".to_owned(),
        Target::Host(Host { name, .. }) | Target::Name(name) => format!(" {name}"),
    };
    let words: Vec<&str> = effect.words().map(|(_, word, _)| word).collect();
    let words = if words.is_empty() { String::new() } else { format!("  {}", words.join(", ")) };
    format!("{}{target}{words}", effect.action)
}

fn rules(pass: &Pass, judgement: &Judgement) {
    title("rules");
    for finding in &judgement.findings {
        let rule = &finding.rule;
        // The file of a built-in rule is one that a user does not have; `checkrein rules ID` shows the rule.
        let place = pass.stack.file_of(rule).map_or_else(
            || "built in".to_owned(),
            |file| format!("{}:{}", style::harmless(&file.display().to_string()), rule.line),
        );
        let place = style::dim(&place);
        out!("  {} {}  {place}", coloured(rule.decision), rule.id);
        if let Some(changed) = pass.changed(rule) {
            say(5, &changed);
        }
        let rule = pass.as_written(rule);
        // A rule of a configuration may have no summary and no suggestion.
        if !rule.summary.is_empty() {
            say(5, &rule.summary);
        }
        say(5, &format!("because of effect {}: {}", finding.effect + 1, rule.reason));
        if !rule.suggestion.is_empty() {
            say(5, &format!("suggestion: {}", rule.suggestion));
        }
    }
    for finding in &judgement.monitored {
        out!("  {} {} {}", style::dim("monitored"), coloured(finding.rule.decision), finding.rule.id);
        say(5, "monitor mode: this is recorded, and not blocked");
    }
    for Suppressed { finding, by } in &judgement.suppressed {
        out!("  {} {}", style::dim("suppressed"), finding.rule.id);
        say(5, &format!("by the exception {}: {}", pass.place_of(by), by.reason));
    }
    for Suppressed { finding, by } in &judgement.expired {
        say(2, &format!("an exception to {} has expired: {}", finding.rule.id, pass.place_of(by)));
    }
    if judgement.findings.is_empty() {
        let others = !judgement.suppressed.is_empty() || !judgement.monitored.is_empty();
        say(2, if others { "no other rule matches" } else { "none matches" });
    }
    out!();
    if let Some(allowed) = &pass.allowed {
        title("allow rules");
        say(2, allowed);
        out!();
    }
}

fn hooks(pass: &Pass) {
    let outcome = &pass.outcome;
    title("hooks");
    for step in &outcome.trail {
        let name = style::harmless(outcome.hook(step));
        let took = step.elapsed.map(|took| format!("  {}", style::dim(&micros(took)))).unwrap_or_default();
        let again = if step.again { ", again" } else { "" };
        out!("  {name} ({}{again}): {}{took}", step.role, coloured(step.decision));
        if let Some(failure) = &step.failure {
            say(5, &format!("failed: {failure}"));
        } else if let Some(reason) = &step.reason {
            say(5, reason);
        }
        step.context.iter().for_each(|text| say(5, &format!("tells the model: {text}")));
        step.notice.iter().for_each(|text| say(5, &format!("tells the user: {text}")));
        match &step.change {
            Some(Change::Input(keys)) => say(5, &format!("changes `{}`", keys.join("`, `"))),
            Some(Change::Output | Change::Prompt) | None => {}
        }
    }
    if pass.judgement.is_some() && !pass.guard_was_asked() {
        say(2, "guard: not asked, because the call was already denied");
    }
    pass.remarks.iter().for_each(|text| say(2, text));
    out!();
}

fn decision(pass: &Pass) {
    let outcome = &pass.outcome;
    title("decision");
    out!("  {}", style::verdict(outcome));
    if let (true, Some(call)) =
        (outcome.is_edited() && outcome.decision != Decision::Deny, outcome.payload.event.call())
    {
        say(2, &format!("now: {}", serde_json::Value::Object(call.input.clone())));
    }
    if let Some(stop) = &outcome.stop {
        say(2, &format!("{} asks to stop the turn: {}", stop.hook, stop.reason));
    }
    out!();
}

fn times(pass: &Pass) {
    title("time");
    let times = &pass.times;
    let parts = [
        ("read", times.read),
        ("judge", times.judge),
        ("configuration", Some(times.configuration)),
        ("hooks", Some(times.hooks)),
        ("whole pass", Some(times.whole())),
    ];
    for (name, took) in parts.into_iter().filter_map(|(name, took)| Some((name, took?))) {
        out!("  {name:<15}{}", micros(took));
    }
}

fn micros(took: Duration) -> String {
    format!("{:.0} µs", took.as_secs_f64() * 1e6)
}

/// Returns a decision in its usual color.
fn coloured(decision: Decision) -> String {
    let colour = match decision {
        Decision::Deny => "\x1b[31m",
        Decision::Ask => "\x1b[33m",
        Decision::Allow | Decision::Abstain => "\x1b[32m",
    };
    let word = match decision {
        Decision::Abstain => "no objection",
        Decision::Allow | Decision::Ask | Decision::Deny => decision.as_str(),
    };
    format!("{colour}{word}\x1b[0m")
}
