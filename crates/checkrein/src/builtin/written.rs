//! What is in a file that a tool writes, if somebody runs it.
//!
//! To write a script is not to run it, so what would be denied is asked about: a person who reads it may well want it. A part
//! of a file does not say what its variables are, and a file does not say with which arguments it is called. What depends on
//! those is no reason to ask. A script that cannot be read is one: whoever wants to hide something makes it long or broken. A
//! part of a file is allowed to be broken, since nobody sees its ends.

use super::{
    reading::{Language, Reading, reading},
    together,
};
use checkrein_guard::{CallPlace, Judgement, Verb, World};
use serde_json::Value;

/// What the commands in a file would come to, if that is worth a question. `verb` says whether it is the whole file.
pub(super) fn judged(
    verb: Verb,
    path: &str,
    content: &str,
    place: &CallPlace,
    world: &dyn World,
) -> Option<Judgement> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    if name == "package.json" {
        return package(content, place, world);
    }
    let language = Language::of_file(path, content)?;
    answer(&reading(language, content, place, world), verb == Verb::Write)
}

/// What is said of a text that somebody runs later.
pub(super) fn answer(reading: &Reading, whole: bool) -> Option<Judgement> {
    if let Some(finding) = reading.denied() {
        return Some(together::script(&finding.rule));
    }
    if reading.too_much {
        return Some(together::unread_script("it is too long or too deep to be read"));
    }
    if reading.broken && whole {
        return Some(together::unread_script("a quote, a bracket or a here-document in it has no end"));
    }
    None
}

/// The scripts of a package.
fn package(content: &str, place: &CallPlace, world: &dyn World) -> Option<Judgement> {
    let Ok(Value::Object(package)) = serde_json::from_str::<Value>(content) else {
        // A part of the file: each line that looks like a script is one.
        let lines = content.lines().filter_map(|line| line.trim().trim_end_matches(',').split_once(':'));
        let values = lines.filter_map(|(_, value)| serde_json::from_str::<String>(value.trim()).ok());
        return values
            .take(500)
            .find_map(|script| answer(&reading(Language::Shell, &script, place, world), false));
    };
    let Some(Value::Object(scripts)) = package.get("scripts") else { return None };
    let mut texts = scripts.values().filter_map(Value::as_str);
    texts.find_map(|script| answer(&reading(Language::Shell, script, place, world), true))
}
