//! Compares an outcome with what a case expects.

use checkrein_core::{Decision, Map, Outcome, Retry};
use serde_json::Value;

/// The expected result of a case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    /// The decision.
    pub decision: Decision,
    /// Texts that must each occur in a reason, which is written `hook: reason`.
    pub reasons: Vec<String>,
    /// Texts that must each occur in what the model is told.
    pub contexts: Vec<String>,
    /// The event as the hooks rewrite it, if they do.
    pub rewritten: Option<Rewritten>,
    /// A text that must occur in the reason for which the turn is ended.
    pub stop: Option<String>,
    /// The retry of the failed call.
    pub retry: Option<Retry>,
    /// A text that must occur in the failure of a hook, which is written `hook: failure`.
    pub failure: Option<String>,
}

/// An event as hooks rewrote it.
#[derive(Clone, Debug, PartialEq)]
pub enum Rewritten {
    /// The whole input of the call.
    Input(Map),
    /// The text of the output, of the failure, or of the prompt.
    Text(String),
}

/// One field in which an outcome is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The key of the case: `expect`, `reason`, ...
    pub field: &'static str,
    /// The expected value.
    pub expected: String,
    /// The actual value.
    pub found: String,
}

impl Expected {
    /// Everything that is not as expected; empty if the case passes.
    pub fn compare(&self, outcome: &Outcome) -> Vec<Difference> {
        let mut differences = Differences(Vec::new());
        let reasons = reasons(outcome);
        if self.decision != outcome.decision {
            let because =
                if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) };
            differences.add("expect", self.decision.to_string(), format!("{}{because}", outcome.decision));
        }
        for text in &self.reasons {
            differences.contained("reason", text, &reasons);
        }
        let contexts: Vec<String> =
            outcome.contexts().iter().map(|said| format!("{}: {}", said.hook, said.text)).collect();
        for text in &self.contexts {
            differences.contained("context", text, &contexts);
        }
        let rewritten = Rewritten::of(outcome);
        if self.rewritten != rewritten {
            let shown = |rewritten: &Option<Rewritten>| {
                rewritten.as_ref().map_or_else(|| "unchanged".to_owned(), Rewritten::to_string)
            };
            differences.add("rewritten", shown(&self.rewritten), shown(&rewritten));
        }
        let stop = outcome.stop.as_ref().map(|stop| format!("{}: {}", stop.hook, stop.reason));
        differences.contained_or_none("stop", self.stop.as_deref(), stop.as_slice());
        if self.retry != outcome.retry {
            differences.add("retry", retry(self.retry.as_ref()), retry(outcome.retry.as_ref()));
        }
        let failed =
            outcome.trail.iter().filter_map(|step| Some((outcome.hook(step), step.failure.as_ref()?)));
        let failures: Vec<String> = failed.map(|(hook, failure)| format!("{hook}: {failure}")).collect();
        differences.contained_or_none("failure", self.failure.as_deref(), &failures);
        differences.0
    }
}

/// Returns every reason, and a substitute for one that was not given.
fn reasons(outcome: &Outcome) -> Vec<String> {
    let said: Vec<String> =
        outcome.reasons().iter().map(|said| format!("{}: {}", said.hook, said.text)).collect();
    match outcome.reason() {
        default if said.is_empty() && !default.is_empty() => vec![default],
        _ => said,
    }
}

impl Rewritten {
    /// Returns the event as the hooks rewrote it, if they did and the host is told so.
    fn of(outcome: &Outcome) -> Option<Self> {
        if !outcome.is_edited() || outcome.decision == Decision::Deny {
            return None;
        }
        let event = &outcome.payload.event;
        match (event.output(), event.call(), event.prompt()) {
            (Some(output), _, _) => Some(Self::Text(output.text().to_owned())),
            (None, Some(call), _) => Some(Self::Input(call.input.clone())),
            (None, None, prompt) => prompt.map(|prompt| Self::Text(prompt.to_owned())),
        }
    }
}

impl std::fmt::Display for Rewritten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input(input) => write!(f, "{}", Value::Object(input.clone())),
            Self::Text(text) => write!(f, "{}", Value::String(text.clone())),
        }
    }
}

fn retry(retry: Option<&Retry>) -> String {
    match retry {
        None => "no".to_owned(),
        Some(Retry::Same) => "yes".to_owned(),
        Some(Retry::With(changes)) => Value::Object(changes.clone()).to_string(),
    }
}

struct Differences(Vec<Difference>);

impl Differences {
    fn add(&mut self, field: &'static str, expected: String, found: String) {
        self.0.push(Difference { field, expected, found });
    }

    /// One of `found` must contain `text`.
    fn contained(&mut self, field: &'static str, text: &str, found: &[String]) {
        if !found.iter().any(|found| found.contains(text)) {
            let found = if found.is_empty() { "nothing".to_owned() } else { found.join("\n") };
            self.add(field, format!("… {text} …"), found);
        }
    }

    /// One of `found` must contain `text`; without a text, there must be none.
    fn contained_or_none(&mut self, field: &'static str, text: Option<&str>, found: &[String]) {
        match text {
            Some(text) => self.contained(field, text, found),
            None if found.is_empty() => {}
            None => self.add(field, "nothing".to_owned(), found.join("\n")),
        }
    }
}
