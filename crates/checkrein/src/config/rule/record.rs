//! Serializes rules, exceptions and allow rules as JSON with every key, for listings, and for the compiled form, which leaves out what a file need not write.

use super::exception::NEVER;
use checkrein_guard::{AllowRule, Exception, Mark, Marks, Rule, Tag, Tags, Verb, Zone};
use serde_json::{Value, json};

/// Returns a rule with all of its keys.
pub(crate) fn to_json(rule: &Rule) -> Value {
    let words = |marks: Marks| marks.iter().map(Mark::as_str).collect::<Vec<_>>();
    let tags = |tags: Tags| tags.iter().map(Tag::as_str).collect::<Vec<_>>();
    json!({
        "id": rule.id,
        "line": rule.line,
        "effect": rule.verbs.iter().map(Verb::as_str).collect::<Vec<_>>(),
        "zone": rule.zones.iter().map(Zone::as_str).collect::<Vec<_>>(),
        "tag": tags(rule.tags),
        "not_tag": tags(rule.not_tags),
        "with": words(rule.with),
        "with_any": words(rule.with_any),
        "unless": words(rule.unless),
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

/// Returns an allow rule with all of its keys.
pub(crate) fn allow_rule_to_json(allow: &AllowRule) -> Value {
    json!({
        "line": allow.line,
        "programs": allow.programs,
        "effect": allow.verbs.iter().map(Verb::as_str).collect::<Vec<_>>(),
        "zone": allow.zones.iter().map(Zone::as_str).collect::<Vec<_>>(),
        "target": allow.targets,
    })
}
