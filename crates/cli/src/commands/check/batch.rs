//! `checkrein check --batch`: answers each JSON line with one JSON line, in order, including invalid lines.

use crate::{
    bounded_line::{self, BoundedLine},
    commands::check::{Judged, call_in, command_input, judge},
    exit::ExitStatus,
    json_report::report,
    policy::{self, Audience},
    term::{stderr, style},
};
use anyhow::Context;
use checkrein::{ConfigError, Map, Payload, Policy, Session, ToolCall, json};
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    io::{BufReader, Write, stdin, stdout},
    path::Path,
};

/// The longest line.
const LINE: u64 = 64 * 1024 * 1024;

pub(crate) fn run(config: Option<&Path>, cwd: &str) -> anyhow::Result<ExitStatus> {
    let session = Session { cwd: Some(cwd.to_owned()), ..Session::default() };
    let policy = Policy::load_or_repair(&policy::places(config, &session));
    let mut input = BufReader::new(stdin().lock());
    let mut output = std::io::BufWriter::new(stdout().lock());
    let mut said = HashSet::new();
    loop {
        let answer = match bounded_line::next(&mut input, LINE).context("cannot read stdin")? {
            BoundedLine::End => break,
            BoundedLine::Whole(line) => answer(&line, cwd, &policy, &mut said),
            BoundedLine::TooLong => bad(Value::Null, "the line is too long"),
        };
        output.write_all(style::json(answer).as_bytes())?;
        output.write_all(b"\n")?;
        if input.buffer().is_empty() {
            // A caller that sends one line at a time waits for its answer.
            output.flush()?;
        }
    }
    output.flush()?;
    Ok(ExitStatus::Success)
}

/// Answers one line. Each remark is reported once, not for every line.
fn answer(line: &[u8], cwd: &str, policy: &Result<Policy, ConfigError>, said: &mut HashSet<String>) -> Map {
    let fields = match json::parse_object(line) {
        Ok(fields) => fields,
        Err(error) => return bad(Value::Null, &error.to_string()),
    };
    let id = fields.get("id").cloned().unwrap_or_default();
    let payload = match question(fields, cwd) {
        Ok(payload) => payload,
        Err(error) => return bad(id, &error),
    };
    let Judged { outcome, mut remarks, judgement, micros } =
        judge(payload, policy.as_ref(), Audience::User { at_a_terminal: false });
    remarks.retain(|remark| said.insert(remark.clone()));
    stderr::remark(&remarks);
    with_id(id, report(&outcome, &judgement, micros))
}

/// Reads `{"id", "command", "cwd"?}`, or a whole payload.
fn question(fields: Map, cwd: &str) -> Result<Payload, String> {
    if fields.contains_key("hook_event_name") {
        let mut payload = checkrein::flat::read(fields, None).map_err(|error| error.to_string())?;
        payload.session.cwd.get_or_insert_with(|| cwd.to_owned());
        return Ok(payload);
    }
    let text = |key: &str| match fields.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(other) => Err(format!("`{key}` should be a string, found {}", json::type_name(other))),
    };
    let command = text("command")?
        .ok_or("expected the field `command`, or a complete payload with `hook_event_name`")?;
    Ok(call_in(ToolCall::new("Bash", command_input(command)), text("cwd")?.unwrap_or(cwd)))
}

/// Returns the answer to an invalid line: a denial with the error.
fn bad(id: Value, why: &str) -> Map {
    let mut report = Map::new();
    report.insert("decision".into(), "deny".into());
    report.insert("rules".into(), json!([]));
    report.insert("reasons".into(), json!([format!("checkrein: {why}")]));
    report.insert("effects".into(), json!([]));
    report.insert("error".into(), why.into());
    report.insert("micros".into(), json!(0.0));
    with_id(id, report)
}

fn with_id(id: Value, mut report: Map) -> Map {
    let mut answer = Map::new();
    answer.insert("id".into(), id);
    answer.append(&mut report);
    answer
}
