//! A rule as JSON with every key, and back: what listings show, and what is kept compiled.

use checkrein_core::Decision;
use checkrein_guard::{Mark, Marks, Rule, Tag, Tags, Verb, Verbs, Zone, Zones};
use serde_json::{Value, json};
use std::borrow::Cow;

/// Everything that the configuration says about a rule.
pub(crate) fn to_json(rule: &Rule) -> Value {
    let words = |marks: Marks| marks.iter().map(Mark::as_str).collect::<Vec<_>>();
    let tags = |tags: Tags| tags.iter().map(Tag::as_str).collect::<Vec<_>>();
    json!({
        "id": rule.id,
        "line": rule.line,
        "does": rule.verbs.iter().map(Verb::as_str).collect::<Vec<_>>(),
        "zone": rule.zones.iter().map(Zone::as_str).collect::<Vec<_>>(),
        "tag": tags(rule.tags),
        "not-tag": tags(rule.not_tags),
        "marks": words(rule.marks),
        "any": words(rule.any),
        "without": words(rule.without),
        "programs": rule.programs,
        "names": rule.names,
        "decision": rule.decision.as_str(),
        "reason": rule.reason,
        "person": rule.person,
        "instead": rule.instead,
        "matches": rule.matches,
        "free": rule.free,
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
        verbs: Verbs::of(&words(value.get("does")?, Verb::of)?),
        zones: Zones::of(&words(value.get("zone")?, Zone::of)?),
        tags: tags("tag")?,
        not_tags: tags("not-tag")?,
        marks: marks("marks")?,
        any: marks("any")?,
        without: marks("without")?,
        programs: list("programs")?,
        names: list("names")?,
        decision: [Decision::Ask, Decision::Deny].into_iter().find(|known| known.as_str() == decision)?,
        reason: text("reason")?,
        person: text("person")?,
        instead: text("instead")?,
        matches: list("matches")?,
        free: list("free")?,
    })
}

fn words<T>(value: &Value, of: fn(&str) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(|word| of(word.as_str()?)).collect()
}
