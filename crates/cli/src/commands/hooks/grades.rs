//! The grades of the layers and the monitor mode, as `checkrein hooks` lists them.

use crate::{
    commands::monitor,
    term::{out, style, wrap::fitted},
};
use checkrein::{Decision, EventName, Guard, Layer, LayeredConfig, MonitorState};
use serde_json::{Value, json};

/// Returns every grade with its layer, file and status.
pub(crate) fn rows(stack: &LayeredConfig, event: Option<EventName>) -> Vec<Value> {
    let mut rows = Vec::new();
    for config in stack.configs().iter().filter(|_| judged(event)) {
        for (grade, mut fields) in config.grades().iter().zip(config.grades_as_json()) {
            if let Some(fields) = fields.as_object_mut() {
                fields.insert("layer".into(), config.layer().as_str().into());
                fields.insert("path".into(), config.path().to_string_lossy().into());
                fields.insert("status".into(), status(stack.refused_by(config), grade.decision).into());
            }
            rows.push(fields);
        }
    }
    rows
}

/// Returns the monitor mode of every layer.
pub(crate) fn monitor_rows(stack: &LayeredConfig) -> Value {
    json!(stack.monitor_modes().iter().map(monitor::row).collect::<Vec<_>>())
}

/// Prints the monitor mode, which matters more than anything else in the list.
pub(crate) fn show_monitor(stack: &LayeredConfig) {
    for mode in stack.monitor_modes() {
        fitted(&style::harmless(&monitor::sentence(&mode)), 0).iter().for_each(|line| out!("{line}"));
    }
}

/// Prints every grade with its layer.
pub(crate) fn show(stack: &LayeredConfig, event: Option<EventName>) {
    let grades =
        || stack.configs().iter().flat_map(|config| config.grades().iter().map(move |grade| (config, grade)));
    if !judged(event) || grades().next().is_none() {
        return;
    }
    out!("\ngrades");
    for (config, grade) in grades() {
        let status = status(stack.refused_by(config), grade.decision);
        out!("  • {} {}", grade.decision, style::harmless(&grade.rules.join(", ")));
        out!("    {}, line {}: {status}", config.layer(), grade.line);
    }
}

/// Returns a warning for each monitor mode that has ended.
pub(crate) fn warnings(stack: &LayeredConfig) -> Vec<String> {
    let modes = stack.monitor_modes().into_iter().filter(|mode| mode.state != MonitorState::Active);
    modes.map(|mode| format!("{}: {}", mode.config.path().display(), monitor::sentence(&mode))).collect()
}

fn status(refused_by: Option<Layer>, decision: Decision) -> String {
    match refused_by.filter(|_| decision < Decision::Deny) {
        Some(layer) => format!("refused by the {layer} layer"),
        None => "active".to_owned(),
    }
}

fn judged(event: Option<EventName>) -> bool {
    event.is_none_or(|event| Guard::EVENTS.contains(&event))
}
