//! The exceptions and allow rules of the layers, as `checkrein hooks` lists them.

use crate::term::{out, style};
use checkrein::{
    Config, EventName, Guard, LayeredConfig,
    guard::{Action, Exception, Zone},
};
use serde_json::{Value, json};

/// Returns every exception with its layer, file and status.
pub(crate) fn exceptions(stack: &LayeredConfig, event: Option<EventName>) -> Vec<Value> {
    let mut rows = Vec::new();
    for config in stack.configs().iter().filter(|_| judged(event)) {
        for (exception, fields) in config.exceptions().iter().zip(config.exceptions_as_json()) {
            rows.push(row(config, &status(stack, config, Some(exception)), fields));
        }
    }
    rows
}

/// Returns every allow rule with its layer, file and status.
pub(crate) fn allow_rules(stack: &LayeredConfig, event: Option<EventName>) -> Vec<Value> {
    let mut rows = Vec::new();
    for config in stack.configs().iter().filter(|_| judged(event)) {
        let status = status(stack, config, None);
        rows.extend(config.allow_rules_as_json().map(|fields| row(config, &status, fields)));
    }
    rows
}

fn row(config: &Config, status: &str, fields: Value) -> Value {
    let mut row = json!({
        "layer": config.layer().as_str(),
        "path": config.path().to_string_lossy(),
        "status": status,
    });
    if let (Some(row), Value::Object(mut fields)) = (row.as_object_mut(), fields) {
        row.append(&mut fields);
    }
    row
}

/// Prints every exception and allow rule.
pub(crate) fn show(stack: &LayeredConfig, event: Option<EventName>) {
    let configs = || stack.configs().iter().filter(|_| judged(event));
    if configs().any(|config| !config.exceptions().is_empty()) {
        out!("\nexceptions");
    }
    for config in configs() {
        for exception in config.exceptions() {
            let status = status(stack, config, Some(exception));
            out!("  {} {}", mark(&status), style::harmless(&about(exception)));
            out!("    {}, line {}: {status}", config.layer(), exception.line);
            out!("    because {}", style::harmless(&exception.reason));
        }
    }
    if configs().any(|config| !config.allow_rules().is_empty()) {
        out!("\nallow rules");
    }
    for config in configs() {
        let status = status(stack, config, None);
        for allow in config.allow_rules() {
            let actions: Vec<&str> = allow.actions.iter().map(Action::as_str).collect();
            let zones: Vec<&str> = allow.zones.iter().map(Zone::as_str).collect();
            let mut about =
                format!("{}; may {} in {}", allow.programs.join(", "), actions.join(", "), zones.join(", "));
            if !allow.targets.is_empty() {
                about.push_str(&format!("; named {}", allow.targets.join(", ")));
            }
            out!("  {} {}", mark(&status), style::harmless(&about));
            out!("    {}, line {}: {status}", config.layer(), allow.line);
        }
    }
}

/// Returns a warning for each expired exception.
pub(crate) fn warnings(stack: &LayeredConfig) -> Vec<String> {
    let today = checkrein::today();
    let mut warnings = Vec::new();
    for config in stack.configs() {
        for exception in config.exceptions().iter().filter(|exception| exception.is_over(today)) {
            warnings.push(format!(
                "{}:{}: the exception to {} has expired",
                config.path().display(),
                exception.line,
                exception.rules.join(", ")
            ));
        }
    }
    warnings
}

fn judged(event: Option<EventName>) -> bool {
    event.is_none_or(|event| Guard::EVENTS.contains(&event))
}

const ACTIVE: &str = "active";

fn mark(status: &str) -> &'static str {
    if status.starts_with(ACTIVE) { "•" } else { "-" }
}

fn status(stack: &LayeredConfig, config: &Config, exception: Option<&Exception>) -> String {
    if let Some(layer) = stack.refused_by(config) {
        return format!("refused by the {layer} layer");
    }
    match exception.and_then(|exception| exception.until.map(|until| (exception, until))) {
        Some((exception, until)) if exception.is_over(checkrein::today()) => format!("expired on {until}"),
        Some((_, until)) => format!("{ACTIVE} until {until}"),
        None => ACTIVE.to_owned(),
    }
}

/// Describes what an exception covers.
pub(crate) fn about(exception: &Exception) -> String {
    let parts = [
        ("", &exception.rules),
        ("by ", &exception.programs),
        ("named ", &exception.targets),
        ("in ", &exception.directories),
    ];
    let said = parts.into_iter().filter(|(_, words)| !words.is_empty());
    said.map(|(what, words)| format!("{what}{}", words.join(", "))).collect::<Vec<_>>().join("; ")
}
