//! The places in which known shapes keep the text that a model is shown.

use super::copies::{Removed, is_structure};
use serde_json::Value;

/// The fields in which known shapes keep what a model is shown. The texts of a row are joined with line breaks. The
/// first row whose first field is a string is used.
const PLACES: &[&[&str]] = &[
    &["/stdout", "/stderr"],                        // shells
    &["/file/content"],                             // reads of text
    &["/content", "/originalFile"],                 // writes, searches
    &["/newString", "/oldString", "/originalFile"], // edits
    &["/result"],                                   // fetches
    &["/text"],
    &["/output"],
    &["/llmContent"],          // Gemini CLI, Qwen Code
    &["/textResultForLlm"],    // Copilot CLI
    &["/text_result_for_llm"], // Copilot CLI, in its other spelling
];

/// The field in which a result of an MCP server repeats its text as data.
const STRUCTURED: &str = "structuredContent";

/// The maximum depth of blocks inside blocks.
const DEPTH: usize = 16;

/// The places in which a block keeps its text, or more blocks.
const IN_BLOCK: &[&str] = &["/text", "/resource/text", "/content", "/source/data"];

/// Kinds of blocks that are no text.
const MEDIA: &[&str] =
    &["image", "image_url", "input_image", "audio", "input_audio", "video", "media", "file"];

/// Returns true if a host that expects the shape of `old` is likely to accept `new`.
pub(super) fn alike(old: &Value, new: &Value) -> bool {
    std::mem::discriminant(old) == std::mem::discriminant(new) && (!is_known(old) || is_known(new))
}

/// Returns true if the shape has a place for a text.
pub(super) fn is_known(native: &Value) -> bool {
    places(native).is_some()
}

/// Returns the text of a result, as hooks see it.
pub(super) fn text_of(native: &Value) -> String {
    let Some(places) = places_of_all(native) else { return native.to_string() };
    let mut text = shown(native, &places);
    if let Some(data) = data_without_text(native, &text) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&data);
    }
    text
}

/// Replaces the text, and removes every other copy of what that removes. Returns false if the shape cannot hold the
/// text.
pub(super) fn put_text(native: &mut Value, text: &str) -> bool {
    let Some(places) = places_of_all(native) else {
        // Only JSON of the same type can replace a value of unknown shape.
        let Ok(edited) = serde_json::from_str::<Value>(text) else { return false };
        let same_type = std::mem::discriminant(&edited) == std::mem::discriminant(native);
        if same_type {
            *native = edited;
        }
        return same_type;
    };
    let old = text_of(native);
    let removed = Removed::between(&old, text);
    let appended = data_without_text(native, &shown(native, &places)).is_some();
    let mut rest = put_data(native, text, appended, &removed);
    for place in &places {
        if let Some(Value::String(old)) = native.pointer_mut(place) {
            rest.clone_into(old);
            rest = "";
        }
    }
    removed.purge(native, &places);
    true
}

/// Removes everything that a model could read, and keeps one place for a text.
pub(super) fn clear(native: &mut Value) {
    let blocks = match native {
        Value::Array(_) => Some(&mut *native),
        Value::Object(fields) => {
            fields.shift_remove(STRUCTURED);
            fields.get_mut("content").filter(|content| content.is_array())
        }
        _ => None,
    };
    if let Some(Value::Array(blocks)) = blocks
        && !blocks.is_empty()
    {
        // A block of the kind that every host shows. Where there was no text, the host expects none.
        let had_text = !in_blocks_of(blocks).is_empty();
        blocks.clear();
        if had_text {
            blocks.push(serde_json::json!({"type": "text", "text": ""}));
        }
    }
    if is_known(native) {
        clear_strings(native);
    }
}

/// Empties every string and list, except for what says which kind of value this is.
fn clear_strings(value: &mut Value) {
    match value {
        Value::String(text) => text.clear(),
        Value::Array(items) if items.iter().all(|item| !item.is_object()) => items.clear(),
        Value::Array(items) => items.iter_mut().for_each(clear_strings),
        Value::Object(fields) => {
            fields
                .iter_mut()
                .filter(|(key, _)| !is_structure(key))
                .for_each(|(_, value)| clear_strings(value));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn shown(native: &Value, places: &[String]) -> String {
    let texts = places.iter().filter_map(|place| at(native, place)?.as_str());
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Returns the structured data of a result as JSON, if it says something that the text does not.
fn data_without_text(native: &Value, text: &str) -> Option<String> {
    let data = native.get(STRUCTURED).filter(|data| data.is_object() || data.is_array())?;
    let json = data.to_string();
    let repeated = serde_json::from_str::<Value>(text).is_ok_and(|shown| shown == *data);
    (!repeated && !text.contains(&json)).then_some(json)
}

/// Updates the structured data of a result and returns the text that belongs into its other places.
///
/// Data that hooks saw after the text is edited like the text; data that repeats the text follows it. If an edit
/// left neither as JSON, data that holds a copy of what was removed is dropped.
fn put_data<'t>(native: &mut Value, text: &'t str, appended: bool, removed: &Removed<'_>) -> &'t str {
    let Value::Object(fields) = native else { return text };
    let Some(data) = fields.get_mut(STRUCTURED) else { return text };
    let (rest, json) = if appended { text.rsplit_once('\n').unwrap_or(("", text)) } else { (text, text) };
    let same_type = |edited: &Value| std::mem::discriminant(edited) == std::mem::discriminant(data);
    if let Some(edited) = serde_json::from_str::<Value>(json).ok().filter(same_type) {
        *data = edited;
        return rest;
    }
    if appended || removed.is_in(data) {
        fields.shift_remove(STRUCTURED);
    }
    text
}

/// Returns the fields of `native` that hold text for the model, if its shape is known.
fn places(native: &Value) -> Option<Vec<String>> {
    // Content blocks, bare or under `content`: `[{"type": "text", "text": "..."}]`.
    for (prefix, blocks) in [("", Some(native)), ("/content", at(native, "/content"))] {
        let Some(Value::Array(blocks)) = blocks else { continue };
        let mut found = Vec::new();
        in_blocks(prefix, blocks, DEPTH, &mut found);
        return Some(found).filter(|found| !found.is_empty());
    }
    let row = PLACES
        .iter()
        .find(|row| row.first().and_then(|place| at(native, place)).is_some_and(Value::is_string))?;
    Some(row.iter().map(|place| (*place).to_owned()).collect())
}

/// Returns the fields that hold text for the model, if these are all that a model could read: a result with a block of
/// an unknown kind is of unknown shape, so that hooks see the block.
fn places_of_all(native: &Value) -> Option<Vec<String>> {
    let lists = [Some(native), at(native, "/content")];
    let mut blocks = lists.into_iter().flatten().filter_map(Value::as_array).flatten();
    if blocks.any(|block| !is_understood(block, DEPTH)) { None } else { places(native) }
}

/// Returns true if the text of a block is in a known place, or if it has none.
fn is_understood(block: &Value, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let kind = at(block, "/type").and_then(Value::as_str).unwrap_or_default();
    let is_binary = || MEDIA.contains(&kind) || at(block, "/resource/blob").is_some_and(Value::is_string);
    let mut found = IN_BLOCK.iter().filter_map(|place| at(block, place)).peekable();
    if found.peek().is_none() {
        return is_binary();
    }
    found.all(|value| match value {
        Value::String(_) => true,
        Value::Array(inner) => inner.iter().all(|block| is_understood(block, depth)),
        _ => false,
    })
}

/// Collects the texts of content blocks: of text blocks, of embedded resources, and of blocks inside blocks.
fn in_blocks(prefix: &str, blocks: &[Value], depth: usize, found: &mut Vec<String>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for (index, block) in blocks.iter().enumerate() {
        for place in IN_BLOCK {
            match at(block, place) {
                // The data of an image is not a text.
                Some(Value::String(_)) if *place == "/source/data" && !is_text_source(block) => {}
                Some(Value::String(_)) => found.push(format!("{prefix}/{index}{place}")),
                Some(Value::Array(inner)) => {
                    in_blocks(&format!("{prefix}/{index}{place}"), inner, depth, found);
                }
                _ => {}
            }
        }
    }
}

fn in_blocks_of(blocks: &[Value]) -> Vec<String> {
    let mut found = Vec::new();
    in_blocks("", blocks, DEPTH, &mut found);
    found
}

fn is_text_source(block: &Value) -> bool {
    at(block, "/source/type").and_then(Value::as_str) == Some("text")
}

/// Returns the value at one of [`PLACES`]. serde's `pointer` unescapes each step and allocates; these paths have no
/// escapes.
fn at<'a>(native: &'a Value, place: &str) -> Option<&'a Value> {
    place.split('/').skip(1).try_fold(native, |value, step| match value {
        Value::Object(fields) => fields.get(step),
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    })
}
