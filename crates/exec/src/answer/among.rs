//! An answer among other text.
//!
//! Scripts print lines without meaning anything by it. But whoever lets such a line slip out before or after an answer
//! has still given one, and a typo in it must not open the gate either: an objection among noise is an objection, an
//! edit among noise is an edit, and what looks like an answer and is none is a failure. Only an `allow` has to stand alone.

use super::{Word, bad, object};
use checkrein_core::{Decision, EventName, Failure, Map, Verdict, json, nearest};
use serde::de::IgnoredAny;

/// No more lines than this are looked at as the beginning of an object, so that a hostile text costs little.
const MOST_OBJECTS: usize = 256;

/// What stands among other text.
pub(super) fn among(event: EventName, text: &str) -> Result<Option<Verdict>, Failure> {
    let mut found: Vec<Verdict> = Vec::new();
    let mut failure = None;
    let mut rest = text;
    let mut looks = 0;
    while !rest.is_empty() {
        let line = rest.lines().next().unwrap_or_default();
        let after_line = rest.get(line.len()..).unwrap_or_default().trim_start_matches(['\r', '\n']);
        let bare = line.trim();
        let place = if looks < MOST_OBJECTS { bare.find('{') } else { None };
        looks += usize::from(place.is_some());
        let mut after = after_line;
        match place {
            Some(0) => {
                let from = rest.trim_start();
                match first_object(from) {
                    Some((object, length)) => {
                        after = from.get(length..).unwrap_or_default();
                        match read(event, object) {
                            Ok(verdict) => found.extend(verdict),
                            Err(error) => drop(failure.get_or_insert(error)),
                        }
                    }
                    None if mentions_a_decision(bare) => {
                        let shown: String = bare.chars().take(40).collect();
                        failure.get_or_insert_with(|| {
                            bad(format!("`{shown}` looks like an answer, but is none"))
                        });
                    }
                    None => {}
                }
            }
            // Something was printed without the end of a line before it.
            Some(at) => {
                let object = bare.get(at..).and_then(|text| json::parse_object(text.as_bytes()).ok());
                let verdict = object.and_then(|object| object::read_object(event, object).ok());
                found.extend(verdict.filter(|verdict| verdict.decision >= Decision::Ask));
            }
            None => found.extend(objection(bare)),
        }
        rest = after;
    }
    merge(found, failure)
}

/// The strictest of several answers. Objections need no agreement; anything else that is said twice cannot be carried out.
fn merge(found: Vec<Verdict>, failure: Option<Failure>) -> Result<Option<Verdict>, Failure> {
    let strictest = found.iter().map(|verdict| verdict.decision).max().unwrap_or_default();
    let mut found = found.into_iter();
    match (strictest, failure) {
        (Decision::Deny, _) => Ok(found.find(|verdict| verdict.decision == strictest)),
        (_, Some(failure)) => Err(failure),
        (Decision::Ask, None) => Ok(found.find(|verdict| verdict.decision == strictest)),
        (Decision::Abstain | Decision::Allow, None) => match (found.next(), found.next()) {
            (None, _) => Ok(None),
            // An `allow` among other text is silence: nobody knows what else went wrong.
            (Some(verdict), None) => Ok(Some(Verdict { decision: Decision::Abstain, ..verdict })),
            (Some(_), Some(_)) => Err(bad("stdout holds more than one answer".to_owned())),
        },
    }
}

/// The verdict of an object; nothing if it is no answer at all, such as a line of a log.
fn read(event: EventName, object: Map) -> Result<Option<Verdict>, Failure> {
    if object.is_empty()
        || !object.keys().any(|key| object::is_like_a_field(key)) && !object::objects(&object)
    {
        return Ok(None);
    }
    object::read_object(event, object).map(Some)
}

/// The object at the beginning of `text`, if nothing else stands on the line on which it ends.
fn first_object(text: &str) -> Option<(Map, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let length = values.byte_offset();
    let (object, after) = text.split_at_checked(length)?;
    let ends = after.lines().next().is_none_or(|line| line.trim().is_empty());
    ends.then(|| json::parse_object(object.as_bytes()).ok()).flatten().map(|object| (object, length))
}

/// A word on a line of its own that objects. A word that allows, or that says nothing, stands there by chance.
fn objection(line: &str) -> Option<Verdict> {
    let unquoted = line.strip_prefix('"').and_then(|line| line.strip_suffix('"'));
    let word = unquoted.unwrap_or(line).to_ascii_lowercase();
    let verdict = Word::of(&word)?.alone().ok()?;
    (verdict.decision >= Decision::Ask).then_some(verdict)
}

/// Whether a line that starts like an object, and is none, was meant as an answer.
fn mentions_a_decision(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.any(|word| {
        ["decision", "permissionDecision", "hookSpecificOutput", "deny", "block", "ask"].contains(&word)
            || nearest::nearest(word, ["decision", "permissionDecision", "hookSpecificOutput"]).is_some()
    })
}
