//! The effects of known calls on terminals.

use super::{Args, Follower, Value};
use crate::{Does, unknown_word, value::Shape};
use checkrein_shell::Word;
use std::ops::Range;

/// Returns whether this is the name of a key that types nothing.
fn is_key(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "esc",
        "escape",
        "tab",
        "shift",
        "ctrl",
        "control",
        "alt",
        "option",
        "altgr",
        "cmd",
        "command",
        "win",
        "super",
        "meta",
        "menu",
        "up",
        "down",
        "left",
        "right",
        "home",
        "end",
        "insert",
        "delete",
        "del",
        "backspace",
        "capslock",
        "caps_lock",
        "pageup",
        "pagedown",
        "page_up",
        "page_down",
        "pgup",
        "pgdn",
        "prtsc",
        "printscreen",
        "print_screen",
        "pause",
        "numlock",
        "num_lock",
        "scrolllock",
        "scroll_lock",
    ];
    let plain = name.strip_prefix("key.").unwrap_or(name);
    let side = plain
        .trim_end_matches("_l")
        .trim_end_matches("_r")
        .trim_end_matches("left")
        .trim_end_matches("right");
    let numbered = plain
        .strip_prefix('f')
        .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()));
    let media = ["volume", "media", "browser", "launch"].iter().any(|start| plain.starts_with(start));
    NAMES.contains(&plain) || NAMES.contains(&side) || numbered || media
}

impl Follower {
    /// Types the keys of these names.
    pub(super) fn type_keys(&mut self, args: &Args, span: &Range<usize>) -> Value {
        // What is pressed may be a name whose value is not known.
        let known = |value: &Value| match value.words() {
            words if words.is_empty() || matches!(value.shape, Shape::Name(_)) => vec![unknown_word()],
            words => words,
        };
        for key in args.list.iter().flat_map(known) {
            let name = key.constant().map(|name| name.to_ascii_lowercase());
            let text = match name.as_deref() {
                Some("enter" | "return" | "\\n" | "num_enter") => Word::text("\n", 0..0),
                Some("space") => Word::text(" ", 0..0),
                Some(name) if is_key(name) => continue,
                // The letters of a text, one by one.
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
