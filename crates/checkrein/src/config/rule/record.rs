//! Serializes rules, exceptions and allow rules as JSON with every key, for listings, and for the compiled form, which leaves out what a file need not write.

use super::exception::NEVER;
use checkrein_guard::{
    Action, AllowRule, Certainties, Certainty, Domain, Domains, Environment, Environments, Exception, Grade,
    Modifier, Modifiers, Rule, Tag, Tags, Taint, Taints, Zone,
};
use serde_json::{Value, json};

/// Returns a rule with all of its keys.
pub(crate) fn to_json(rule: &Rule) -> Value {
    let modifiers = |words: Modifiers| words.iter().map(Modifier::as_str).collect::<Vec<_>>();
    let taints = |words: Taints| words.iter().map(Taint::as_str).collect::<Vec<_>>();
    let domains = |words: Domains| words.iter().map(Domain::as_str).collect::<Vec<_>>();
    let environments = |words: Environments| words.iter().map(Environment::as_str).collect::<Vec<_>>();
    let certainties = |words: Certainties| words.iter().map(Certainty::as_str).collect::<Vec<_>>();
    let tags = |tags: Tags| tags.iter().map(Tag::as_str).collect::<Vec<_>>();
    json!({
        "id": rule.id,
        "line": rule.line,
        "effect": rule.actions.iter().map(Action::as_str).collect::<Vec<_>>(),
        "zone": rule.zones.iter().map(Zone::as_str).collect::<Vec<_>>(),
        "tag": tags(rule.tags),
        "not_tag": tags(rule.not_tags),
        "with": modifiers(rule.with),
        "with_any": modifiers(rule.with_any),
        "unless": modifiers(rule.unless),
        "data": taints(rule.data),
        "not_data": taints(rule.not_data),
        "domain": domains(rule.domain),
        "not_domain": domains(rule.not_domain),
        "environment": environments(rule.environment),
        "not_environment": environments(rule.not_environment),
        "certainty": certainties(rule.certainty),
        "not_certainty": certainties(rule.not_certainty),
        "programs": rule.programs,
        "target": rule.targets,
        "decision": rule.decision.as_str(),
        "reason": rule.reason,
        "summary": rule.summary,
        "suggestion": rule.suggestion,
        "match": rule.matches,
        "not_match": rule.not_matches,
    })
}

/// Returns an exception with all of its keys.
pub(crate) fn exception_to_json(exception: &Exception) -> Value {
    json!({
        "line": exception.line,
        "rules": exception.rules,
        "programs": exception.programs,
        "target": exception.targets,
        "directory": exception.directories,
        "reason": exception.reason,
        "until": exception.until.map_or_else(|| NEVER.to_owned(), |day| day.to_string()),
    })
}

/// Returns a grade with all of its keys.
pub(crate) fn grade_to_json(grade: &Grade) -> Value {
    json!({
        "line": grade.line,
        "rule": grade.rules,
        "decision": grade.decision.as_str(),
    })
}

/// Returns an allow rule with all of its keys.
pub(crate) fn allow_rule_to_json(allow: &AllowRule) -> Value {
    json!({
        "line": allow.line,
        "programs": allow.programs,
        "effect": allow.actions.iter().map(Action::as_str).collect::<Vec<_>>(),
        "zone": allow.zones.iter().map(Zone::as_str).collect::<Vec<_>>(),
        "target": allow.targets,
    })
}
