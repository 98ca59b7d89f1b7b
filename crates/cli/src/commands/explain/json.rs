//! The explanation as one JSON object.

use super::{Pass, Reading, words};
use crate::{json_report, term::style};
use checkrein::{
    Change, Decision, Map, Outcome, Step,
    guard::{Effect, Finding, Invocation, Judgement, Runs, Script, SimpleCommand, Suppressed, Word},
};
use serde_json::{Value, json};
use std::time::Duration;

/// Formats the explanation as JSON in one line.
pub(super) fn of(pass: &Pass) -> String {
    style::json(object(pass))
}

pub(super) fn object(pass: &Pass) -> Map {
    let outcome = &pass.outcome;
    let mut object = Map::new();
    object.insert("decision".into(), outcome.decision.as_str().into());
    if let Some(call) = outcome.payload.event.call() {
        object.insert("tool".into(), call.name.as_str().into());
        object.insert("input".into(), call.input.clone().into());
    }
    object.insert("read".into(), reading(&pass.reading));
    object.insert("ran".into(), of_judgement(pass, |judgement| judgement.ran.iter().map(ran).collect()));
    let inner: Vec<String> = pass.inner_opaque().map(|opaque| opaque.why.to_string()).collect();
    object.insert("unreadable_inside".into(), json!(inner));
    object.insert("effects".into(), of_judgement(pass, effects));
    object.insert("words".into(), of_judgement(pass, glossary));
    object.insert("rules".into(), of_judgement(pass, |judgement| rules(pass, judgement)));
    object
        .insert("suppressed".into(), of_judgement(pass, |judgement| suppressed(pass, &judgement.suppressed)));
    object.insert("expired".into(), of_judgement(pass, |judgement| suppressed(pass, &judgement.expired)));
    object.insert("allow".into(), json!(pass.allowed));
    object.insert("hooks".into(), outcome.trail.iter().map(|step| hook(outcome, step)).collect());
    object.insert("remarks".into(), json!(pass.remarks));
    if outcome.is_edited() && outcome.decision != Decision::Deny {
        let before = outcome.payload.event.call().map(|call| call.original_input().clone());
        object.insert("original_input".into(), json!(before));
    }
    if let Some(stop) = &outcome.stop {
        object.insert("stop".into(), json!({"hook": &*stop.hook, "reason": stop.reason}));
    }
    let times = &pass.times;
    object.insert(
        "micros".into(),
        json!({
            "read": times.read.map(micros),
            "judge": times.judge.map(micros),
            "configuration": micros(times.configuration),
            "hooks": micros(times.hooks),
            "whole": micros(times.whole()),
        }),
    );
    object
}

/// Returns a list from the guard's judgement; empty if there is none.
fn of_judgement(pass: &Pass, list: impl Fn(&Judgement) -> Vec<Value>) -> Value {
    pass.judgement.as_ref().map(list).unwrap_or_default().into()
}

fn micros(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e7).round() / 10.0
}

fn reading(reading: &Reading) -> Value {
    match reading {
        Reading::Shell { script, .. } => shell(script),
        Reading::Arguments => json!({"as": "arguments"}),
        Reading::PowerShell => json!({"as": "powershell"}),
        Reading::Nothing => json!({"as": "nothing"}),
    }
}

fn shell(script: &Script) -> Value {
    let aliases: Vec<Value> =
        script.aliases.iter().map(|alias| json!({"name": alias.name, "value": word(&alias.value)})).collect();
    let unreadable: Vec<Value> = script
        .opaque
        .iter()
        .map(
            |opaque| json!({"from": opaque.span.start, "to": opaque.span.end, "why": opaque.why.to_string()}),
        )
        .collect();
    json!({
        "as": "shell",
        "commands": script.commands.iter().map(simple).collect::<Vec<Value>>(),
        "aliases": aliases,
        "unreadable": unreadable,
    })
}

fn simple(simple: &SimpleCommand) -> Value {
    let assignments: Vec<Value> =
        simple.assignments.iter().map(|(name, value)| json!({"name": name, "value": word(value)})).collect();
    let redirects: Vec<Value> = simple
        .redirects
        .iter()
        .map(|redirect| json!({"shown": words::redirect(redirect), "target": word(&redirect.target)}))
        .collect();
    json!({
        "from": simple.span.start,
        "to": simple.span.end,
        "shown": words::command(simple),
        "assignments": assignments,
        "words": simple.words.iter().map(word).collect::<Vec<Value>>(),
        "redirects": redirects,
        "position": words::position(simple),
        "runs": match simple.runs {
            Runs::Always => "always",
            Runs::Maybe => "maybe",
        },
        "odd": words::odd(simple),
    })
}

fn word(word: &Word) -> Value {
    let mut object = Map::new();
    object.insert("text".into(), words::plain(word).into());
    let unknown = words::unknowns(word);
    if !unknown.is_empty() {
        object.insert("unknown".into(), json!(unknown));
    }
    Value::Object(object)
}

fn ran(ran: &Invocation) -> Value {
    json!({"words": ran.words, "known_as": ran.known_as, "depth": ran.depth})
}

fn effects(judgement: &Judgement) -> Vec<Value> {
    let one = |effect: &Effect| {
        let mut object = json_report::effect(effect);
        if let Value::Object(fields) = &mut object {
            fields.insert("by".into(), effect.by.into());
        }
        object
    };
    judgement.effects.iter().map(one).collect()
}

fn glossary(judgement: &Judgement) -> Vec<Value> {
    let entries = words::glossary(&judgement.effects).into_iter();
    entries.map(|(kind, word, about)| json!({"kind": kind, "word": word, "about": about})).collect()
}

fn rules(pass: &Pass, judgement: &Judgement) -> Vec<Value> {
    let one = |finding: &Finding| {
        let Finding { rule, effect, raised, .. } = finding;
        let written = pass.as_written(rule);
        json!({
            "id": rule.id,
            "decision": rule.decision.as_str(),
            "file": pass.file_of(rule),
            "line": pass.file_of(rule).map(|_| rule.line),
            "effect": effect,
            "raised_by": raised.map(super::grader),
            "reason": written.reason,
            "summary": written.summary,
            "suggestion": written.suggestion,
        })
    };
    judgement.findings.iter().map(one).collect()
}

fn suppressed(pass: &Pass, suppressed: &[Suppressed]) -> Vec<Value> {
    let one = |Suppressed { finding, by }: &Suppressed| {
        json!({
            "id": finding.rule.id,
            "decision": finding.rule.decision.as_str(),
            "effect": finding.effect,
            "file": pass.stack.file_of_exception(by).map(|path| path.display().to_string()),
            "line": by.line,
            "reason": by.reason,
            "until": by.until.map(|until| until.to_string()),
        })
    };
    suppressed.iter().map(one).collect()
}

fn hook(outcome: &Outcome, step: &Step) -> Value {
    let mut object = Map::new();
    object.insert("name".into(), outcome.hook(step).into());
    object.insert("role".into(), step.role.as_str().into());
    object.insert("decision".into(), step.decision.as_str().into());
    object.insert("again".into(), step.again.into());
    if let Some(reason) = &step.reason {
        object.insert("reason".into(), reason.as_str().into());
    }
    if !step.context.is_empty() {
        object.insert("context".into(), json!(step.context));
    }
    if let Some(notice) = &step.notice {
        object.insert("notice".into(), notice.as_str().into());
    }
    match &step.change {
        Some(Change::Input(keys)) => {
            object.insert("changed".into(), json!(keys));
        }
        Some(Change::Output | Change::Prompt) | None => {}
    }
    if let Some(failure) = &step.failure {
        object.insert("failure".into(), failure.to_string().into());
    }
    object.insert("micros".into(), json!(step.elapsed.map(micros)));
    Value::Object(object)
}
