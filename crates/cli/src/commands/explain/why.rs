//! `checkrein why ID`: shows the record of one event, judges the call again, and lists what differs.

use super::{Pass, json, text};
use crate::{
    args::Why,
    commands::{check, log},
    exit::ExitStatus,
    policy,
    term::{data, out, style, wrap::fitted},
};
use anyhow::{anyhow, bail};
use checkrein::{
    EventId, Map, Policy, Session, ToolCall, ToolKind,
    trail::{self, Backwards, Honored, Newest, Record, Trail},
};
use serde_json::{Value, json};
use std::path::Path;

/// A record that is this much older than the id ends the search: a line that waited is taken in late.
const SLACK: u64 = 3_600_000_000;

pub(crate) fn run(why: &Why) -> anyhow::Result<ExitStatus> {
    let id: EventId = why.id.parse()?;
    let directory = log::directory()?;
    let Some((record, honored)) = find(&directory, id)? else {
        bail!(
            "there is no record `{id}`\n\nhint: `checkrein log` lists the newest ones; old ones are removed after a while"
        );
    };
    let pass = call(&record).map(|call| {
        let cwd = record.text("cwd").unwrap_or("/");
        let mut payload = check::call_in(call, cwd);
        payload.session.id = record.session().map(str::to_owned);
        Pass::of(payload, None)
    });
    let differs = pass.as_ref().map(|pass| differences(&record, pass));
    if why.json {
        let mut object = pass.as_ref().map(json::object).unwrap_or_default();
        object.entry("decision").or_insert_with(|| record.decision.as_str().into());
        object.insert("record".into(), Value::Object(record.fields.clone()));
        object.insert("honored".into(), honored.as_str().into());
        object.insert("differs".into(), json!(differs));
        data!("{}", style::json(object));
    } else {
        show(&record, honored, pass.as_ref(), differs.as_deref());
    }
    Ok(record.decision.into())
}

fn find(directory: &Path, id: EventId) -> anyhow::Result<Option<(Record, Honored)>> {
    let mut later = Backwards::default();
    let newest = Newest::open(directory).map_err(|error| anyhow!("cannot read the trail: {error}"))?;
    for stored in newest {
        let Some(record) = stored?.record else { continue };
        let honored = later.see(&record);
        if record.id == id {
            return Ok(Some((record, honored)));
        }
        if record.id.micros() + SLACK < id.micros() {
            break;
        }
    }
    Ok(None)
}

/// Returns whether the event decides about a call. After the fact there is nothing left to decide.
fn is_before_a_call(record: &Record) -> bool {
    matches!(record.event(), "PreToolUse" | "PermissionRequest")
}

/// Returns the call of a record, if the record has all of it.
fn call(record: &Record) -> Option<ToolCall> {
    let tool = record.tool().filter(|_| is_before_a_call(record))?;
    if let Some(Value::Object(input)) = record.fields.get("input") {
        return Some(ToolCall::new(tool, input.clone()));
    }
    let summary = record.text("summary").filter(|_| record.is("whole"))?;
    let name = match ToolKind::of(tool) {
        ToolKind::Shell => "command",
        ToolKind::Read | ToolKind::Delete => "file_path",
        // The content of a file is not kept, and would be judged as well.
        _ => return None,
    };
    let mut input = Map::new();
    input.insert(name.into(), summary.into());
    Some(ToolCall::new(tool, input))
}

/// Returns what is decided differently now.
fn differences(record: &Record, pass: &Pass) -> Vec<Value> {
    let mut found = Vec::new();
    let mut differ = |what: &str, then: Value, now: Value| {
        if then != now {
            found.push(json!({"what": what, "then": then, "now": now}));
        }
    };
    differ("decision", record.decision.as_str().into(), pass.outcome.decision.as_str().into());
    let rules = |judgement: &checkrein::guard::Judgement| {
        let mut rules: Vec<String> =
            judgement.findings.iter().map(|finding| finding.rule.id.to_string()).collect();
        rules.dedup();
        rules
    };
    let now = pass.judgement.as_ref().map(rules).unwrap_or_default();
    differ("rules", json!(record.texts("rules").collect::<Vec<_>>()), json!(now));
    let policy = Policy::load_or_repair(&policy::places(
        None,
        &Session { cwd: record.text("cwd").map(str::to_owned), ..Session::default() },
    ));
    let policy = policy.ok().and_then(|policy| Trail::of(&policy)).map(|trail| trail.policy().to_owned());
    if let Some(policy) = policy {
        differ("policy", record.text("policy").unwrap_or_default().into(), policy.into());
    }
    found
}

fn show(record: &Record, honored: Honored, pass: Option<&Pass>, differs: Option<&[Value]>) {
    show_record(record, honored);
    out!();
    if let (Some(pass), Some(differs)) = (pass, differs) {
        show_pass(pass, differs);
    } else if is_before_a_call(record) {
        out!(
            "The record does not have the whole call, so it is not judged again (`trail = \"full\"` keeps whole inputs)."
        );
    }
}

fn show_record(record: &Record, honored: Honored) {
    let line = |name: &str, value: Option<&str>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            for (place, part) in fitted(value, 11).into_iter().enumerate() {
                let name = if place == 0 { name } else { "" };
                out!("  {name:<9}{}", style::harmless(&part));
            }
        }
    };
    out!("\x1b[1mrecord {}\x1b[0m", record.id);
    line("time", Some(&trail::format_time(record.id.micros())));
    line("host", record.host());
    line("session", record.session());
    line("agent", record.text("agent"));
    line("event", Some(record.event()));
    line("tool", record.tool());
    line("call", record.text("summary"));
    line("in", record.text("cwd"));
    out!("  decision {}", log::decision(record));
    line("rules", Some(&record.texts("rules").collect::<Vec<_>>().join(", ")));
    line("reason", record.text("reason"));
    for effect in record.texts("effects") {
        line("effect", Some(effect));
    }
    let hooks: Vec<String> = record
        .hooks
        .iter()
        .map(|hook| match hook.micros {
            Some(micros) => format!("{} {} ({micros} µs)", hook.name, hook.decision),
            None => format!("{} {}", hook.name, hook.decision),
        })
        .collect();
    line("hooks", Some(&hooks.join(", ")));
    line("honored", Some(honored.as_str()));
}

/// Shows the new judgement of a recorded call, and the differences.
fn show_pass(pass: &Pass, differs: &[Value]) {
    out!("\x1b[1mjudged again\x1b[0m");
    for differs in differs {
        let text = |name: &str| match differs.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        out!(
            "  differs: {}, then {}, now {}",
            text("what"),
            style::harmless(&text("then")),
            style::harmless(&text("now"))
        );
    }
    if differs.is_empty() {
        out!("  nothing differs");
    }
    out!();
    text::show(pass);
}
