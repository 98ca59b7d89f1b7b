//! The configuration that a call would have needed to pass without a prompt, as far as it may be suggested.
//!
//! History can be written by an agent, so little may be suggested from it: only reading in the project, and only by programs that
//! only read by the guard's tables (`guard/src/reading.rs`), never a path, a program of the project or an unknown one. The guard itself
//! decides whether an entry covers a call: each candidate is tried.

use checkrein::SmallSort as _;
use checkrein::{
    Guard, Map, Payload,
    guard::{
        Action, AllowRule, Authority, CallContext, Effect, EvalContext, Exception, Judgement, NotAllowed,
        Target, World, Zone, is_suppressible, reading_name,
    },
    today, variable,
};
use serde_json::{Value, json};

/// The most commands of one call that entries are made for.
const MOST: usize = 6;

/// A part of an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::commands) enum Want {
    /// A program that only reads, by its name in the guard's tables, and the zones that it read in.
    Allow { program: String, zones: Vec<String> },
    /// A file whose reading a rule is about.
    Exception { rule: String, program: Option<String>, target: String, directory: String },
}

impl Want {
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Allow { program, zones } => json!({"program": program, "zones": zones}),
            Self::Exception { rule, program, target, directory } => {
                json!({"rule": rule, "program": program, "target": target, "directory": directory})
            }
        }
    }

    pub(super) fn read(value: &Map) -> Option<Self> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let Some(rule) = text("rule") else {
            let zones = value.get("zones")?.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned);
            return Some(Self::Allow { program: text("program")?, zones: zones.collect() });
        };
        Some(Self::Exception {
            rule,
            program: text("program"),
            target: text("target")?,
            directory: text("directory")?,
        })
    }
}

/// Returns what the call needs, all of it; nothing if no suggestion may cover it.
pub(super) fn of<W: World>(guard: &Guard<W>, payload: &Payload, judgement: &Judgement) -> Vec<Want> {
    let Some(call) = payload.event.call() else { return Vec::new() };
    let place = guard.place(call, payload);
    let wants =
        if judgement.findings.is_empty() { allowed(judgement, &place) } else { excepted(judgement, &place) };
    wants.unwrap_or_default()
}

/// Returns the programs that an allow rule would have to name. The guard says which command is missing until none is.
fn allowed(judgement: &Judgement, place: &CallContext) -> Option<Vec<Want>> {
    let mut rules: Vec<AllowRule> = Vec::new();
    let mut wants = Vec::new();
    while let Err(missing) = judgement.allowed(&rules, place) {
        let NotAllowed::Command(index) = missing else { return None };
        let ran = judgement.ran.get(index).filter(|_| wants.len() < MOST)?;
        let program = reading_name(ran)?;
        rules.push(AllowRule {
            line: 0,
            programs: vec![format!("{program} *")],
            actions: AllowRule::ACTIONS,
            zones: AllowRule::ZONES,
            targets: Vec::new(),
        });
        wants.push(Want::Allow { zones: zones(judgement, &program), program });
    }
    wants.small_sort();
    wants.dedup();
    Some(wants)
}

/// Returns the zones in which a program read.
fn zones(judgement: &Judgement, program: &str) -> Vec<String> {
    let by =
        |effect: &&Effect| judgement.ran.get(effect.by).and_then(reading_name).as_deref() == Some(program);
    let read = judgement.effects.iter().filter(by).filter_map(|effect| match &effect.target {
        Target::Path(spot) if spot.zone != Zone::Nowhere => Some(spot.zone.as_str().to_owned()),
        _ => None,
    });
    let mut zones: Vec<String> = read.collect();
    zones.small_sort();
    zones.dedup();
    zones
}

/// Returns the exceptions for files of the project that were only read.
fn excepted(judgement: &Judgement, place: &CallContext) -> Option<Vec<Want>> {
    let directory = place.project.clone().or_else(|| place.cwd.clone())?;
    let mut wants = Vec::new();
    for finding in &judgement.findings {
        let rule = &finding.rule;
        if !is_suppressible(rule) {
            return None;
        }
        for effect in &judgement.effects {
            let ran = judgement.ran.get(effect.by);
            if !rule.is_about(effect, ran) {
                continue;
            }
            let Target::Path(spot) = &effect.target else { return None };
            if effect.action != Action::Read || !AllowRule::ZONES.has(spot.zone) || wants.len() >= MOST {
                return None;
            }
            let program = match ran {
                Some(ran) => Some(reading_name(ran)?),
                None => None,
            };
            let (rule, target) = (rule.id.to_string(), spot.path.clone());
            wants.push(Want::Exception { rule, program, target, directory: directory.clone() });
        }
    }
    wants.small_sort();
    wants.dedup();
    let exceptions: Vec<Exception> = wants.iter().filter_map(exception).collect();
    let at = EvalContext {
        place,
        home: variable("HOME").map(|home| home.to_string_lossy().into_owned()),
        today: today(),
    };
    let rest = judgement.clone().with_exceptions(&exceptions, &at);
    rest.findings.is_empty().then_some(wants)
}

fn exception(want: &Want) -> Option<Exception> {
    use crate::commands::allow::lasting::literal;
    let Want::Exception { rule, program, target, directory } = want else { return None };
    Some(Exception {
        line: 0,
        authority: Authority::User,
        rules: vec![rule.clone()],
        programs: program.iter().map(|program| literal(program)).collect(),
        targets: vec![literal(target)],
        directories: vec![directory.clone()],
        reason: String::new(),
        until: None,
    })
}
