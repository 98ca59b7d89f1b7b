//! Serializes rules, exceptions and allow rules as JSON with every key, for listings and for the compiled form.

use super::exception::{NEVER, authority};
use crate::config::layer::Layer;
use checkrein_core::Decision;
use checkrein_guard::{AllowRule, Exception, Mark, Marks, Rule, Tag, Tags, Verb, Verbs, Zone, Zones};
use serde_json::{Value, json};
use std::borrow::Cow;

/// Everything that the configuration says about a rule.
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

/// The rule that [`to_json`] wrote; `None` for anything else.
pub(crate) fn from_json(value: &Value) -> Option<Rule> {
    let text = |key: &str| Some(Cow::from(value.get(key)?.as_str()?.to_owned()));
    let list = |key: &str| -> Option<Cow<'static, [Cow<'static, str>]>> {
        let texts = value.get(key)?.as_array()?.iter();
        texts
            .map(|text| text.as_str().map(|text| text.to_owned().into()))
            .collect::<Option<Vec<_>>>()
            .map(Into::into)
    };
    let marks = |key: &str| Some(Marks::of(&words(value.get(key)?, Mark::of)?));
    let tags = |key: &str| Some(Tags::of(&words(value.get(key)?, Tag::of)?));
    let decision = value.get("decision")?.as_str()?;
    Some(Rule {
        id: text("id")?,
        line: u32::try_from(value.get("line")?.as_u64()?).ok()?,
        verbs: Verbs::of(&words(value.get("effect")?, Verb::of)?),
        zones: Zones::of(&words(value.get("zone")?, Zone::of)?),
        tags: tags("tag")?,
        not_tags: tags("not_tag")?,
        with: marks("with")?,
        with_any: marks("with_any")?,
        unless: marks("unless")?,
        programs: list("programs")?,
        targets: list("target")?,
        decision: [Decision::Ask, Decision::Deny].into_iter().find(|known| known.as_str() == decision)?,
        reason: text("reason")?,
        summary: text("summary")?,
        suggestion: text("suggestion")?,
        matches: list("match")?,
        not_matches: list("not_match")?,
    })
}

fn words<T>(value: &Value, of: fn(&str) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(|word| of(word.as_str()?)).collect()
}

/// Everything that the configuration says about an exception.
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

/// The exception that [`exception_to_json`] wrote; `None` for anything else.
pub(crate) fn exception_from_json(value: &Value, layer: Layer) -> Option<Exception> {
    let until = value.get("until")?.as_str()?;
    Some(Exception {
        line: u32::try_from(value.get("line")?.as_u64()?).ok()?,
        authority: authority(layer),
        rules: strings(value.get("rules")?)?,
        programs: strings(value.get("programs")?)?,
        targets: strings(value.get("target")?)?,
        directories: strings(value.get("directory")?)?,
        reason: value.get("reason")?.as_str()?.to_owned(),
        until: if until == NEVER { None } else { Some(until.parse().ok()?) },
    })
}

/// Everything that the configuration says about an allow rule.
pub(crate) fn allow_rule_to_json(allow: &AllowRule) -> Value {
    json!({
        "line": allow.line,
        "programs": allow.programs,
        "effect": allow.verbs.iter().map(Verb::as_str).collect::<Vec<_>>(),
        "zone": allow.zones.iter().map(Zone::as_str).collect::<Vec<_>>(),
        "target": allow.targets,
    })
}

/// The allow rule that [`allow_rule_to_json`] wrote; `None` for anything else.
pub(crate) fn allow_rule_from_json(value: &Value) -> Option<AllowRule> {
    Some(AllowRule {
        line: u32::try_from(value.get("line")?.as_u64()?).ok()?,
        programs: strings(value.get("programs")?)?,
        verbs: Verbs::of(&words(value.get("effect")?, Verb::of)?),
        zones: Zones::of(&words(value.get("zone")?, Zone::of)?),
        targets: strings(value.get("target")?)?,
    })
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}
