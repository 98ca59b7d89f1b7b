//! Tool results: the text that hooks read and edit, inside the shape that the host expects back.
//!
//! Hosts send anything from a plain string to a nested object. A redactor needs one text, but a host ignores an
//! edited result that lost its shape, and then the secret reaches the model after all. An [`Output`] therefore keeps
//! both: it collects the text from the fields that a model is shown, and it writes an edited text back into the
//! first of them and empties the others. A result may repeat its text elsewhere (`structuredContent`, the lines of a
//! patch), so an edit also removes every other copy of what it removed. Hooks see an unknown shape as its JSON; an
//! edit of it must be JSON of the same type. A value whose every part a model gets has no shape at all: hooks see its
//! JSON, whatever its fields are called.

mod copies;
mod shape;

use serde_json::Value;
use shape::{alike, is_known, put_text, text_of};
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
    /// A value whose JSON is the text.
    Json(Value),
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

    /// Creates an output from a value that a model gets as JSON, with every field.
    ///
    /// ```
    /// use checkrein_core::Output;
    /// use serde_json::json;
    /// let found = json!({"output": "3 rows", "key": "hunter2"});
    /// assert_eq!(Output::from_json(found.clone()).text(), r#"{"output":"3 rows","key":"hunter2"}"#);
    /// assert_eq!(Output::from_native(found).text(), "3 rows"); // the shape of a host that shows this field
    /// ```
    pub fn from_json(value: Value) -> Self {
        match value {
            Value::String(text) => Self { text, shape: Shape::Text },
            value => Self { text: value.to_string(), shape: Shape::Json(value) },
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
            Shape::Native(native) | Shape::Json(native) => Some(Cow::Borrowed(native)),
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
        if let Shape::Json(_) = self.shape {
            return Self::from(text.into());
        }
        if let Shape::Native(native) | Shape::Lost(native) = &mut self.shape {
            shape::clear(native);
        }
        self.with_text(text)
    }

    /// Returns true if the shape has a place for the text of [`withheld`](Self::withheld).
    pub fn can_be_withheld(&self) -> bool {
        match &self.shape {
            Shape::Text | Shape::Json(_) => true,
            Shape::Native(native) | Shape::Lost(native) => is_known(native),
        }
    }

    /// Applies `edited` and returns true if that changed anything. A plain text keeps the current shape.
    pub(crate) fn replace(&mut self, edited: Self) -> bool {
        if let Shape::Json(old) = &self.shape {
            return self.replace_json(edited.into_json_like(old));
        }
        let edited = match edited.shape {
            Shape::Json(value) if self.shape != Shape::Text => Self::from_native(value),
            _ => edited,
        };
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
            Shape::Text | Shape::Json(_) => Shape::Text,
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

    fn replace_json(&mut self, edited: Self) -> bool {
        let changed = *self != edited;
        *self = edited;
        changed
    }

    /// Returns an edit of the JSON of `old` as JSON again, if it is some of the same type.
    fn into_json_like(self, old: &Value) -> Self {
        let value = match self.shape {
            Shape::Native(value) | Shape::Json(value) => return Self::from_json(value),
            Shape::Text | Shape::Lost(_) => serde_json::from_str::<Value>(&self.text).ok(),
        };
        let same_type = |value: &Value| std::mem::discriminant(value) == std::mem::discriminant(old);
        match value.filter(same_type) {
            Some(value) => Self { text: self.text, shape: Shape::Json(value) },
            None => Self::from(self.text),
        }
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
            json!({"stdout": "fine", "stderr": "", "raw": "SECRET", "more": [{"deep": "SECRET"}]}),
            json!({"content": [{"type": "resource", "resource": {"text": "SECRET", "blob": "SECRET"}}]}),
            json!([{"type": "tool_result", "content": [{"type": "text", "text": "SECRET"}]}]),
        ] {
            let withheld = Output::from_native(native.clone()).withheld("gone").native().unwrap().to_string();
            assert!(!withheld.contains("SECRET") && withheld.contains("gone"), "{native}: {withheld}");
        }
        assert_eq!(Output::from_native(json!({"rows": 3})).withheld("gone").native(), None);
    }

    /// Every shape in which a result can say the same thing twice.
    fn repeating(secret: &str) -> Vec<Value> {
        let data = json!({"user": "ada", "key": secret});
        let text = format!("the key is {secret} today");
        let block = |text: &str| json!({"type": "text", "text": text});
        vec![
            json!({"content": [block(&data.to_string())], "structuredContent": data}),
            json!({"content": [block(&text)], "structuredContent": {"nested": [{"deep": data}]}}),
            json!({"content": [block("see the data")], "structuredContent": data}),
            json!({"content": [block(&text)], "structuredContent": {secret: 1}}),
            json!({"content": [block("a"), {"type": "resource", "resource": {"uri": "a:b", "text": text}}]}),
            json!([{"type": "tool_result", "content": [block(&text), {"type": "tool_result", "content": text}]}]),
            json!([{"type": "document", "source": {"type": "text", "data": text}}, block(&text)]),
            json!({"filePath": "/a", "newString": text, "oldString": "", "originalFile": null,
                   "structuredPatch": [{"lines": [format!("+{text}"), " context"]}]}),
            json!({"stdout": text, "stderr": "", "raw": {"chunks": [secret]}, "interrupted": false}),
            json!({"output": text, "metadata": {"output": text, "title": "done"}}),
        ]
    }

    #[test]
    fn an_edit_of_the_text_leaves_no_other_copy() {
        for secret in ["hunter2-hunter2", "p@ss", "4111111111111111"] {
            for native in repeating(secret) {
                let mut output = Output::from_native(native.clone());
                assert!(output.text().contains(secret), "hooks do not see all of {native}");
                let redacted = output.text().replace(secret, "[redacted]");
                assert!(output.replace(redacted.clone().into()), "{native}");
                let edited = output.native().unwrap().to_string();
                assert!(!edited.contains(secret) && edited.contains("[redacted]"), "{native}: {edited}");
                assert_eq!(
                    Output::from_native(output.native().unwrap().into_owned()).text(),
                    redacted.trim()
                );
                // A second edit finds nothing of the first.
                assert!(output.replace("nothing".into()));
                assert!(!output.native().unwrap().to_string().contains("[redacted]"));
            }
        }
    }

    #[test]
    fn an_edit_keeps_what_it_did_not_remove() {
        let data = json!({"user": "ada", "key": "hunter2", "count": 3});
        let native =
            json!({"content": [{"type": "text", "text": data.to_string()}], "structuredContent": data});
        let text = Output::from_native(native.clone()).text().replace("hunter2", "-");
        let expected = json!({"user": "ada", "key": "-", "count": 3});
        assert_eq!(
            edited(native, &text),
            Some(json!({"content": [{"type": "text", "text": text}], "structuredContent": expected}))
        );
        let apart = json!({"content": [{"type": "text", "text": "see"}], "structuredContent": data});
        let text = Output::from_native(apart.clone()).text().replace("hunter2", "-");
        assert_eq!(
            edited(apart, &text),
            Some(json!({"content": [{"type": "text", "text": "see"}], "structuredContent": expected}))
        );
        let shell = json!({"stdout": "a secret", "stderr": "", "taskId": "t-1", "filePath": "/secret"});
        assert_eq!(
            edited(shell, "a -"),
            Some(json!({"stdout": "a -", "stderr": "", "taskId": "t-1", "filePath": "/secret"}))
        );
    }

    #[test]
    fn an_edit_after_one_that_did_not_fit_leaves_no_copy_either() {
        let native =
            json!({"content": [{"type": "text", "text": "SECRET"}], "structuredContent": {"key": "SECRET"}});
        let mut output = Output::from_native(native);
        assert!(output.replace(Output::from_native(json!([1]))));
        assert!(output.replace("fine".into()));
        assert_eq!(
            output.native().map(Cow::into_owned),
            Some(json!({"content": [{"type": "text", "text": "fine"}]}))
        );
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
    fn a_block_of_an_unknown_kind_is_seen() {
        let fine = json!({"type": "text", "text": "fine"});
        for block in [
            json!({"type": "json", "json": {"key": "SECRET"}}),
            json!({"type": "resource_link", "uri": "a:b", "description": "SECRET"}),
            json!("SECRET"),
            json!({"type": "result", "content": [{"type": "json", "json": "SECRET"}]}),
            json!({"type": "text", "text": {"value": "SECRET"}}),
            json!({"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "SECRET"}]}}),
        ] {
            for native in [json!([fine, block]), json!({"content": [fine, block]})] {
                let mut output = Output::from_native(native.clone());
                assert!(output.text().contains("SECRET"), "{native}");
                assert!(output.replace(output.text().replace("SECRET", "-").into()));
                let edited = output.native().unwrap().to_string();
                assert!(!edited.contains("SECRET") && edited.contains("fine"), "{native}: {edited}");
                assert!(Output::from_native(native).can_be_withheld());
            }
        }
        // What is no text does not turn the texts next to it into JSON.
        for media in [
            json!({"type": "image", "data": "aGk="}),
            json!({"type": "resource", "resource": {"blob": "aGk="}}),
        ] {
            assert_eq!(Output::from_native(json!([fine, media])).text(), "fine");
        }
    }

    #[test]
    fn a_value_that_a_model_gets_as_json_is_seen_whole() {
        let value = json!({"output": "fine", "text": "more", "key": "SECRET"});
        let output = Output::from_json(value.clone());
        assert_eq!(
            (output.text(), output.native().unwrap().into_owned()),
            (value.to_string().as_str(), value)
        );
        let edited = |text: &str| {
            let mut output = output.clone();
            assert!(output.replace(text.into()));
            (output.text().to_owned(), output.native().unwrap().into_owned())
        };
        let left = json!({"output": "fine", "text": "more", "key": "-"});
        assert_eq!(edited(&left.to_string()), (left.to_string(), left.clone()));
        for text in ["nothing", "[1]", ""] {
            assert_eq!(edited(text), (text.to_owned(), json!(text)));
        }
        let mut other = output.clone();
        assert!(
            other.replace(Output::from_json(left.clone()))
                && !other.replace(Output::from_native(left.clone()))
        );
        assert_eq!(other.native().unwrap().into_owned(), left);
        assert_eq!(output.withheld("gone"), Output::from("gone"));
        // The shape of a host stays.
        let mut shell = Output::from_native(json!({"stdout": "SECRET", "stderr": ""}));
        assert!(shell.replace(Output::from_json(json!({"stdout": "-", "stderr": ""}))));
        assert_eq!(shell, Output::from_native(json!({"stdout": "-", "stderr": ""})));
    }

    #[test]
    fn the_empty_text_is_an_edit() {
        assert_eq!(edited(json!("secret"), ""), Some(json!("")));
    }
}
