//! Serializes rules, exceptions and allow rules as JSON with every key, for listings and for the compiled form.

use super::exception::{NEVER, authority};
use crate::config::layer::Layer;
use checkrein_core::Decision;
use checkrein_guard::{
    Action, Actions, AllowRule, Certainties, Certainty, Domain, Domains, Environment, Environments,
    Exception, Modifier, Modifiers, Rule, Tag, Tags, Taint, Taints, Zone, Zones,
};
use serde_json::{Value, json};
use std::borrow::Cow;

/// Everything that the configuration says about a rule.
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
    let modifiers = |key: &str| Some(Modifiers::of(&words(value.get(key)?, Modifier::of)?));
    let taints = |key: &str| Some(Taints::of(&words(value.get(key)?, Taint::of)?));
    let domains = |key: &str| Some(Domains::of(&words(value.get(key)?, Domain::of)?));
    let environments = |key: &str| Some(Environments::of(&words(value.get(key)?, Environment::of)?));
    let certainties = |key: &str| Some(Certainties::of(&words(value.get(key)?, Certainty::of)?));
    let tags = |key: &str| Some(Tags::of(&words(value.get(key)?, Tag::of)?));
    let decision = value.get("decision")?.as_str()?;
    let actions = Actions::of(&words(value.get("effect")?, Action::of)?);
    let decision = [Decision::Ask, Decision::Deny].into_iter().find(|known| known.as_str() == decision)?;
    Some(Rule {
        line: u32::try_from(value.get("line")?.as_u64()?).ok()?,
        zones: Zones::of(&words(value.get("zone")?, Zone::of)?),
        tags: tags("tag")?,
        not_tags: tags("not_tag")?,
        with: modifiers("with")?,
        with_any: modifiers("with_any")?,
        unless: modifiers("unless")?,
        data: taints("data")?,
        not_data: taints("not_data")?,
        domain: domains("domain")?,
        not_domain: domains("not_domain")?,
        environment: environments("environment")?,
        not_environment: environments("not_environment")?,
        certainty: certainties("certainty")?,
        not_certainty: certainties("not_certainty")?,
        programs: list("programs")?,
        targets: list("target")?,
        summary: text("summary")?,
        suggestion: text("suggestion")?,
        matches: list("match")?,
        not_matches: list("not_match")?,
        ..Rule::new(text("id")?, actions, decision, text("reason")?)
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
        "effect": allow.actions.iter().map(Action::as_str).collect::<Vec<_>>(),
        "zone": allow.zones.iter().map(Zone::as_str).collect::<Vec<_>>(),
        "target": allow.targets,
    })
}

/// The allow rule that [`allow_rule_to_json`] wrote; `None` for anything else.
pub(crate) fn allow_rule_from_json(value: &Value) -> Option<AllowRule> {
    Some(AllowRule {
        line: u32::try_from(value.get("line")?.as_u64()?).ok()?,
        programs: strings(value.get("programs")?)?,
        actions: Actions::of(&words(value.get("effect")?, Action::of)?),
        zones: Zones::of(&words(value.get("zone")?, Zone::of)?),
        targets: strings(value.get("target")?)?,
    })
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}
