//! Arguments that are inside a text: objects and lists as JSON, and text in base64 or hexadecimal digits.
//!
//! A tool that runs `{"script_base64": "…", "interpreter": "sh"}` decodes it first. So the call is judged a second time, as it
//! is after that.

use super::arguments::{self, DEPTH, Meaning, meaning, words};
use checkrein_code::decode;
use checkrein_core::Map;
use serde_json::Value;

/// The minimum length of a text that is taken for an encoded one without a label.
const SHORTEST: usize = 12;
/// The maximum length of a text that is opened.
const LONGEST: usize = 256 * 1024;

/// Returns the input with the texts opened that hold something else; `None` if there are none.
pub(super) fn opened(input: &Map) -> Option<Map> {
    let mut found = false;
    let map = opened_map(input, 0, &mut found);
    found.then_some(map)
}

fn opened_map(map: &Map, depth: usize, found: &mut bool) -> Map {
    let common = encoding_in(map);
    let interpreted = arguments::of(map, Meaning::Language).next().is_some() || has_lone_shell(map);
    map.iter()
        .map(|(name, value)| {
            let own = encoding_of(&words(name));
            if let Some(encoding) = own.or(common)
                && let Some(text) = value.as_str().and_then(|text| encoding.decoded(text))
            {
                *found = true;
                return (plain_name(name, map), Value::String(text));
            }
            // Next to an interpreter a text that is not a program until it is decoded needs no other label.
            if interpreted
                && let Some(text) =
                    value.as_str().and_then(|text| data_address(text).or_else(|| hidden(text)))
            {
                *found = true;
                return (plain_name(name, map), Value::String(text));
            }
            // The text of a file is a text, whatever it looks like.
            let kept = matches!(meaning(name), Some(Meaning::Content | Meaning::Patch));
            let value = if kept { value.clone() } else { opened_value(value, depth + 1, found) };
            (name.clone(), value)
        })
        .collect()
}

fn opened_value(value: &Value, depth: usize, found: &mut bool) -> Value {
    match value {
        _ if depth > DEPTH => value.clone(),
        Value::String(text) if text.len() <= LONGEST && text.trim_start().starts_with(['{', '[']) => {
            match serde_json::from_str::<Value>(text) {
                Ok(inner @ (Value::Object(_) | Value::Array(_))) => {
                    *found = true;
                    opened_value(&inner, depth + 1, found)
                }
                _ => value.clone(),
            }
        }
        Value::Object(map) => Value::Object(opened_map(map, depth + 1, found)),
        Value::Array(list) => {
            Value::Array(list.iter().map(|item| opened_value(item, depth + 1, found)).collect())
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// A way to write text with other characters.
#[derive(Clone, Copy)]
enum Encoding {
    Base64,
    Base32,
    Hex,
}

impl Encoding {
    fn named(word: &str) -> Option<Self> {
        match word {
            "base64" | "b64" | "base64url" => Some(Self::Base64),
            "base32" | "b32" => Some(Self::Base32),
            "hex" | "base16" | "hexadecimal" => Some(Self::Hex),
            _ => None,
        }
    }

    /// Returns the text that was encoded. Pictures and the like are not text.
    fn decoded(self, text: &str) -> Option<String> {
        if text.is_empty() || text.len() > LONGEST {
            return None;
        }
        let bytes = match self {
            Self::Base64 => decode::base64(text),
            Self::Base32 => decode::base32(text),
            Self::Hex => decode::hex(text),
        };
        String::from_utf8(bytes?).ok().filter(|text| !text.contains('\0'))
    }
}

/// Returns the decoded form of a text without a label, if that looks like a line that was typed.
fn hidden(text: &str) -> Option<String> {
    if text.len() < SHORTEST || text.contains(char::is_whitespace) {
        return None;
    }
    let is_written = |text: &String| {
        text.contains(' ') && text.chars().all(|char| !char.is_control() || char.is_ascii_whitespace())
    };
    [Encoding::Hex, Encoding::Base64, Encoding::Base32]
        .into_iter()
        .filter_map(|encoding| encoding.decoded(text))
        .find(is_written)
}

/// Returns the text in an address that holds its own content: `data:text/plain;base64,…`.
fn data_address(text: &str) -> Option<String> {
    let (kind, content) = text.strip_prefix("data:")?.split_once(',')?;
    kind.ends_with(";base64").then(|| Encoding::Base64.decoded(content))?
}

/// Returns the encoding that a name says: `script_base64`, `b64`.
fn encoding_of(words: &[String]) -> Option<Encoding> {
    words.iter().find_map(|word| Encoding::named(word))
}

/// Returns the encoding that another argument of the object says: `"encoding": "base64"`, `"is_base64": true`.
fn encoding_in(map: &Map) -> Option<Encoding> {
    map.iter().find_map(|(name, value)| match value {
        Value::String(text) => Encoding::named(&arguments::plain(text)),
        Value::Bool(true) => encoding_of(&words(name)),
        _ => None,
    })
}

/// Returns the name of an argument after its text was decoded. One that only names the encoding is code if the object says in
/// which language it is.
fn plain_name(name: &str, map: &Map) -> String {
    let left: Vec<String> = words(name)
        .into_iter()
        .filter(|word| Encoding::named(word).is_none() && word != "encoded" && word != "enc")
        .collect();
    let is_code = arguments::of(map, Meaning::Language).next().is_some();
    let plain = left.join("_");
    match meaning(&plain) {
        // A shell is named next to it, and nothing else that it could run.
        None | Some(Meaning::Body | Meaning::Content | Meaning::Input) if has_lone_shell(map) => {
            "script".to_owned()
        }
        None | Some(Meaning::Body | Meaning::Input) if is_code => "code".to_owned(),
        _ if !left.is_empty() => plain,
        // Only what is for a file has a place to go to.
        _ if map
            .keys()
            .any(|name| matches!(meaning(name), Some(Meaning::File | Meaning::Path | Meaning::Output))) =>
        {
            "content".to_owned()
        }
        _ => "decoded".to_owned(),
    }
}

/// Returns true if the command of an object is a shell alone: `"shell": "/bin/bash"`.
fn has_lone_shell(map: &Map) -> bool {
    const SHELLS: [&str; 6] = ["sh", "bash", "zsh", "dash", "ksh", "fish"];
    arguments::of(map, Meaning::Command)
        .any(|command| SHELLS.contains(&command.trim().rsplit('/').next().unwrap_or_default()))
}
