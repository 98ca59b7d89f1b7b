//! The rules of the layers, as `checkrein hooks` lists them. All of them are active: they can only make answers stricter.

use crate::term::{out, style};
use checkrein::{
    EventName, Guard, LayeredConfig,
    guard::{Action, Certainty, Domain, Environment, Modifier, Rule, Tag, Taint, Zone},
};
use serde_json::{Value, json};

/// Returns every rule with its layer and file, or nothing if rules do not apply to the event.
pub(crate) fn rows(stack: &LayeredConfig, event: Option<EventName>) -> Vec<Value> {
    let mut rows = Vec::new();
    for config in stack.configs().iter().filter(|_| judged(event)) {
        for rule in config.rules_as_json() {
            let mut row = json!({
                "layer": config.layer().as_str(),
                "path": config.path().to_string_lossy(),
                "status": "active",
            });
            if let (Some(row), Value::Object(mut rule)) = (row.as_object_mut(), rule) {
                row.append(&mut rule);
            }
            rows.push(row);
        }
    }
    rows
}

/// Prints every rule with its layer.
pub(crate) fn show(stack: &LayeredConfig, event: Option<EventName>) {
    let rules =
        || stack.configs().iter().flat_map(|config| config.rules().iter().map(move |rule| (config, rule)));
    if !judged(event) || rules().next().is_none() {
        return;
    }
    out!("\nrules");
    for (config, rule) in rules() {
        out!("  • {} {}  {}", rule.decision, rule.id, style::harmless(&about(rule)));
        out!("    {}, line {}: active", config.layer(), rule.line);
    }
}

fn judged(event: Option<EventName>) -> bool {
    event.is_none_or(|event| Guard::EVENTS.contains(&event))
}

/// Describes what a rule matches.
fn about(rule: &Rule) -> String {
    let texts = |texts: &[_]| texts.join(", ");
    let parts = [
        ("", rule.actions.iter().map(Action::as_str).collect::<Vec<_>>().join(", ")),
        ("zone ", rule.zones.iter().map(Zone::as_str).collect::<Vec<_>>().join(", ")),
        ("tag ", rule.tags.iter().map(Tag::as_str).collect::<Vec<_>>().join(", ")),
        ("not tag ", rule.not_tags.iter().map(Tag::as_str).collect::<Vec<_>>().join(", ")),
        ("", rule.with.iter().map(Modifier::as_str).collect::<Vec<_>>().join(" and ")),
        ("any of ", rule.with_any.iter().map(Modifier::as_str).collect::<Vec<_>>().join(", ")),
        ("without ", rule.unless.iter().map(Modifier::as_str).collect::<Vec<_>>().join(", ")),
        ("data ", rule.data.iter().map(Taint::as_str).collect::<Vec<_>>().join(", ")),
        ("not data ", rule.not_data.iter().map(Taint::as_str).collect::<Vec<_>>().join(", ")),
        ("domain ", rule.domain.iter().map(Domain::as_str).collect::<Vec<_>>().join(", ")),
        ("not domain ", rule.not_domain.iter().map(Domain::as_str).collect::<Vec<_>>().join(", ")),
        ("environment ", rule.environment.iter().map(Environment::as_str).collect::<Vec<_>>().join(", ")),
        (
            "not environment ",
            rule.not_environment.iter().map(Environment::as_str).collect::<Vec<_>>().join(", "),
        ),
        ("certainty ", rule.certainty.iter().map(Certainty::as_str).collect::<Vec<_>>().join(", ")),
        ("not certainty ", rule.not_certainty.iter().map(Certainty::as_str).collect::<Vec<_>>().join(", ")),
        ("by ", texts(&rule.programs)),
        ("named ", texts(&rule.targets)),
    ];
    let said = parts.into_iter().filter(|(_, words)| !words.is_empty());
    said.map(|(what, words)| format!("{what}{words}")).collect::<Vec<_>>().join("; ")
}
