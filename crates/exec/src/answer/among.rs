//! Finds an answer among other text.
//!
//! Scripts print lines that mean nothing. But a hook that prints such a line before or after an answer has still
//! answered, and a typo in it must not let a call through either: a denial among noise is a denial, an edit among
//! noise is an edit, and what looks like an answer but is not valid is a failure. Only an `allow` has to be alone.

use super::{Word, bad, object};
use checkrein_core::{Decision, EventName, Failure, Map, Verdict, json, nearest};
use serde::de::IgnoredAny;

/// The maximum number of lines tried as the start of an object, so that a hostile text costs little.
const MOST_OBJECTS: usize = 256;

/// Returns the answer among other text.
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
                            bad(format!("`{shown}` looks like an answer, but is not valid"))
                        });
                    }
                    None => {}
                }
            }
            // Something was printed without a line end before it.
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

/// Returns the strictest of several answers. Denials need not agree; anything else given twice cannot be carried
/// out.
fn merge(found: Vec<Verdict>, failure: Option<Failure>) -> Result<Option<Verdict>, Failure> {
    let strictest = found.iter().map(|verdict| verdict.decision).max().unwrap_or_default();
    let mut found = found.into_iter();
    match (strictest, failure) {
        (Decision::Deny, _) => Ok(found.find(|verdict| verdict.decision == strictest)),
        (_, Some(failure)) => Err(failure),
        (Decision::Ask, None) => Ok(found.find(|verdict| verdict.decision == strictest)),
        (Decision::Abstain | Decision::Allow, None) => match (found.next(), found.next()) {
            (None, _) => Ok(None),
            // An `allow` among other text has no effect, because something else may have gone wrong.
            (Some(verdict), None) => Ok(Some(Verdict { decision: Decision::Abstain, ..verdict })),
            (Some(_), Some(_)) => Err(bad("stdout has more than one answer".to_owned())),
        },
    }
}

/// Returns the verdict of an object; nothing if it is not an answer, such as a line of a log.
fn read(event: EventName, object: Map) -> Result<Option<Verdict>, Failure> {
    if object.is_empty()
        || !object.keys().any(|key| object::is_like_a_field(key)) && !object::objects(&object)
    {
        return Ok(None);
    }
    object::read_object(event, object).map(Some)
}

/// Returns the object at the beginning of `text`, if nothing else follows it on its last line.
fn first_object(text: &str) -> Option<(Map, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let length = values.byte_offset();
    let (object, after) = text.split_at_checked(length)?;
    let ends = after.lines().next().is_none_or(|line| line.trim().is_empty());
    ends.then(|| json::parse_object(object.as_bytes()).ok()).flatten().map(|object| (object, length))
}

/// Returns the verdict of a word on its own line that denies or asks. Any other word is there by chance.
fn objection(line: &str) -> Option<Verdict> {
    let unquoted = line.strip_prefix('"').and_then(|line| line.strip_suffix('"'));
    let word = unquoted.unwrap_or(line).to_ascii_lowercase();
    let verdict = Word::of(&word)?.alone().ok()?;
    (verdict.decision >= Decision::Ask).then_some(verdict)
}

/// Returns true if a line that starts like an object, but is not valid, was meant as an answer.
fn mentions_a_decision(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.any(|word| {
        ["decision", "permissionDecision", "hookSpecificOutput", "deny", "block", "ask"].contains(&word)
            || nearest::nearest(word, ["decision", "permissionDecision", "hookSpecificOutput"]).is_some()
    })
}
