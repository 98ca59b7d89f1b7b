//! The effects of known calls on terminals.

use super::{Args, Follower, Value};
use crate::{Does, value::Shape};
use checkrein_shell::Word;
use std::ops::Range;

impl Follower {
    /// Types the keys of these names.
    pub(super) fn type_keys(&mut self, args: &Args, span: &Range<usize>) -> Value {
        for key in args.list.iter().flat_map(Value::words) {
            let name = key.constant().map(|name| name.to_ascii_lowercase());
            let text = match name.as_deref() {
                Some("enter" | "return" | "\\n" | "num_enter") => Word::text("\n", 0..0),
                Some("space") => Word::text(" ", 0..0),
                Some(name) if name.chars().count() > 1 => continue,
                _ => key,
            };
            self.act(Does::Type(text), span);
        }
        Value::default()
    }

    /// Controls a device: a terminal may be told what was typed.
    pub(super) fn control_device(&mut self, args: &Args, span: &Range<usize>) -> Value {
        /// The number of `TIOCSTI` on Linux, and on macOS and the BSDs.
        const TYPES: [i64; 2] = [0x5412, 0x8001_7472];
        let is_typing = |value: &Value| match &value.shape {
            Shape::Number(number) => TYPES.contains(number),
            Shape::Name(name) => name.ends_with("TIOCSTI"),
            _ => false,
        };
        if let Some(place) = args.list.iter().position(is_typing) {
            let text = args.list.get(place.saturating_add(1)).cloned().unwrap_or_default();
            self.act(Does::Type(text.as_word()), span);
        }
        Value::default()
    }
}
