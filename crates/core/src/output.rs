//! Tool results: the text that hooks read and edit, inside the shape that the host expects back.
//!
//! Hosts send anything from a plain string to a nested object. A redactor needs one text, but a host ignores an
//! edited result that lost its shape, and then the secret reaches the model after all. An [`Output`] therefore keeps
//! both: it collects the text from the fields that a model is shown, and it writes an edited text back into the
//! first of them and empties the others. Hooks see an unknown shape as its JSON; an edit of it must be JSON of the
//! same type.

use serde_json::Value;
use std::borrow::Cow;

/// The result of a tool, or the error text of a failed call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    text: String,
    shape: Shape,
}

#[derive(Clone, Debug, Default, PartialEq)]
enum Shape {
    /// Plain text.
    #[default]
    Text,
    /// The host's own value, which contains the text.
    Native(Value),
    /// The host's own value, whose shape cannot hold the edited text.
    Lost(Value),
}

impl Output {
    /// Creates an output from a value in the host's own shape.
    pub fn from_native(native: Value) -> Self {
        match native {
            Value::String(text) => Self { text, shape: Shape::Text },
            native => Self { text: text_of(&native), shape: Shape::Native(native) },
        }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the value in the host's shape, with every edit applied; `None` if the shape cannot hold an edit.
    pub fn native(&self) -> Option<Cow<'_, Value>> {
        match &self.shape {
            Shape::Text => Some(Cow::Owned(Value::String(self.text.clone()))),
            Shape::Native(native) => Some(Cow::Borrowed(native)),
            Shape::Lost(_) => None,
        }
    }

    /// Replaces the text and keeps the shape.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.replace(Self::from(text.into()));
        self
    }

    /// Replaces everything with `text`. Values that are not text are removed too, because a denial covers the whole
    /// result.
    #[must_use]
    pub fn withheld(mut self, text: impl Into<String>) -> Self {
        if let Shape::Native(native) | Shape::Lost(native) = &mut self.shape {
            let blocks = match native {
                Value::Array(_) => Some(&mut *native),
                Value::Object(fields) => {
                    fields.shift_remove("structuredContent");
                    for list in ["structuredPatch", "filenames"] {
                        if let Some(Value::Array(list)) = fields.get_mut(list) {
                            list.clear();
                        }
                    }
                    fields.get_mut("content").filter(|content| content.is_array())
                }
                _ => None,
            };
            if let Some(Value::Array(blocks)) = blocks {
                blocks.retain(|block| block.get("text").is_some_and(Value::is_string));
                blocks.truncate(1);
            }
        }
        self.with_text(text)
    }

    /// Returns true if the shape has a place for the text of [`withheld`](Self::withheld).
    pub fn can_be_withheld(&self) -> bool {
        match &self.shape {
            Shape::Text => true,
            Shape::Native(native) | Shape::Lost(native) => parts(native).is_some(),
        }
    }

    /// Applies `edited` and returns true if that changed anything. A plain text keeps the current shape.
    pub(crate) fn replace(&mut self, edited: Self) -> bool {
        if let (Shape::Native(old) | Shape::Lost(old), Shape::Native(new)) = (&self.shape, &edited.shape)
            && !alike(old, new)
        {
            // The host would ignore this value and show the model the original.
            self.shape = Shape::Lost(old.clone());
            self.text = edited.text;
            return true;
        }
        if edited.shape != Shape::Text {
            let changed = *self != edited;
            *self = edited;
            return changed;
        }
        if self.text == edited.text {
            return false;
        }
        self.shape = match std::mem::take(&mut self.shape) {
            Shape::Text => Shape::Text,
            Shape::Native(mut native) | Shape::Lost(mut native) => {
                if put_text(&mut native, &edited.text) {
                    Shape::Native(native)
                } else {
                    Shape::Lost(native)
                }
            }
        };
        self.text = edited.text;
        true
    }
}

impl From<String> for Output {
    fn from(text: String) -> Self {
        Self { text, shape: Shape::Text }
    }
}

impl From<&str> for Output {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

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
];

/// Returns true if a host that expects the shape of `old` is likely to accept `new`.
fn alike(old: &Value, new: &Value) -> bool {
    std::mem::discriminant(old) == std::mem::discriminant(new)
        && (parts(old).is_none() || parts(new).is_some())
}

fn text_of(native: &Value) -> String {
    if let Some(parts) = parts(native) {
        let texts: Vec<&str> = parts.iter().filter_map(|place| at(native, place)?.as_str()).collect();
        let filled: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        return filled.join("\n");
    }
    native.to_string()
}

fn put_text(native: &mut Value, text: &str) -> bool {
    let Some(parts) = parts(native) else {
        // Only JSON of the same type can replace a value of unknown shape.
        let Ok(edited) = serde_json::from_str::<Value>(text) else { return false };
        let same_type = std::mem::discriminant(&edited) == std::mem::discriminant(native);
        if same_type {
            *native = edited;
        }
        return same_type;
    };
    let mut rest = text;
    for place in parts {
        if let Some(Value::String(old)) = native.pointer_mut(&place) {
            rest.clone_into(old);
            rest = "";
        }
    }
    true
}

/// Returns the fields of `native` that hold text for the model, if its shape is known.
fn parts(native: &Value) -> Option<Vec<String>> {
    // Content blocks, bare or under `content`: `[{"type": "text", "text": "..."}]`.
    for (prefix, blocks) in [("", Some(native)), ("/content", at(native, "/content"))] {
        let Some(Value::Array(blocks)) = blocks else { continue };
        let texts: Vec<String> = (0..blocks.len())
            .map(|index| format!("{prefix}/{index}/text"))
            .filter(|place| at(native, place).is_some_and(Value::is_string))
            .collect();
        return Some(texts).filter(|texts| !texts.is_empty());
    }
    let row = PLACES
        .iter()
        .find(|row| row.first().and_then(|place| at(native, place)).is_some_and(Value::is_string))?;
    Some(row.iter().map(|place| (*place).to_owned()).collect())
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn edited(native: Value, text: &str) -> Option<Value> {
        let mut output = Output::from_native(native);
        output.replace(text.into());
        assert_eq!(output.text(), text);
        output.native().map(Cow::into_owned)
    }

    #[test]
    fn a_shell_result_shows_both_streams_and_keeps_its_shape() {
        let native = json!({"stdout": "out", "stderr": "err", "interrupted": false});
        assert_eq!(Output::from_native(native.clone()).text(), "out\nerr");
        assert_eq!(edited(native, "new"), Some(json!({"stdout": "new", "stderr": "", "interrupted": false})));
    }

    #[test]
    fn a_result_can_be_withheld_if_it_has_room_for_a_text() {
        let natives = [
            json!("text"),
            json!({"stdout": "", "stderr": ""}),
            json!({"unknown": "x"}),
            json!({"file": {"content": "x"}}),
            json!({"content": [{"type": "image"}, {"type": "text", "text": "x"}]}),
            json!({"content": [{"type": "image"}]}),
            json!([{"type": "text", "text": "x"}]),
            json!([]),
            json!(1),
        ];
        for native in natives {
            let output = Output::from_native(native);
            let taken = output.clone().withheld("the reason").native().is_some();
            assert_eq!(output.can_be_withheld(), taken, "{output:?}");
        }
    }

    #[test]
    fn nested_text_and_content_blocks_keep_their_shape() {
        let read = json!({"type": "text", "file": {"filePath": "/a", "content": "x", "numLines": 1}});
        assert_eq!(
            edited(read, "y"),
            Some(json!({"type": "text", "file": {"filePath": "/a", "content": "y", "numLines": 1}}))
        );
        let blocks = json!([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]);
        assert_eq!(Output::from_native(blocks.clone()).text(), "a\nb");
        assert_eq!(
            edited(blocks, "c"),
            Some(json!([{"type": "text", "text": "c"}, {"type": "image"}, {"type": "text", "text": ""}]))
        );
    }

    #[test]
    fn an_unknown_shape_takes_only_json_of_its_type() {
        let native = json!({"count": 3, "secret": "s"});
        assert_eq!(Output::from_native(native.clone()).text(), r#"{"count":3,"secret":"s"}"#);
        assert_eq!(
            edited(native.clone(), r#"{"count":3,"secret":"-"}"#),
            Some(json!({"count": 3, "secret": "-"}))
        );
        assert_eq!(edited(native, "withheld"), None);
    }

    #[test]
    fn a_withheld_result_leaves_nothing_behind() {
        for native in [
            json!([{"type": "text", "text": "a"}, {"type": "image", "data": "SECRET"}, {"type": "text", "text": "SECRET"}]),
            json!({"content": [{"type": "text", "text": "SECRET"}, {"type": "resource", "resource": {"text": "SECRET"}}],
                   "structuredContent": {"key": "SECRET"}}),
            json!({"filePath": "/a", "newString": "SECRET", "oldString": "SECRET", "structuredPatch": ["SECRET"]}),
            json!({"stdout": "SECRET", "stderr": "SECRET", "interrupted": false}),
        ] {
            let withheld = Output::from_native(native.clone()).withheld("gone").native().unwrap().to_string();
            assert!(!withheld.contains("SECRET") && withheld.contains("gone"), "{native}: {withheld}");
        }
        assert_eq!(Output::from_native(json!({"rows": 3})).withheld("gone").native(), None);
    }

    #[test]
    fn an_edit_of_another_shape_is_not_a_replacement() {
        let shell = json!({"stdout": "SECRET", "stderr": ""});
        for edit in [json!({"foo": "-"}), json!([1]), json!(null)] {
            let mut output = Output::from_native(shell.clone());
            assert!(output.replace(Output::from_native(edit.clone())));
            assert_eq!(output.native(), None, "{edit}");
        }
        let mut output = Output::from_native(shell);
        assert!(output.replace(Output::from_native(json!({"stdout": "-", "stderr": "", "more": 1}))));
        assert_eq!(
            output.native().map(Cow::into_owned),
            Some(json!({"stdout": "-", "stderr": "", "more": 1}))
        );
    }

    #[test]
    fn the_empty_text_is_an_edit() {
        assert_eq!(edited(json!("secret"), ""), Some(json!("")));
    }
}
