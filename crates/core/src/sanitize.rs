//! Escapes text for output: characters that a terminal would obey or that are invisible are written out.
//!
//! Reasons, names, commands, paths and errors come from models, projects, hooks and files. Printed verbatim, they
//! could move the cursor of a terminal, reverse a line, or carry words that a model reads and a user does not see.
//! This module has the only table of such characters, and every text goes through one of these functions on its way
//! out. They do not apply to data: a hook's edit of a tool's input or result stays as it is.

use std::{borrow::Cow, fmt::Write as _};

/// The reason why a character is not printed verbatim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hidden {
    /// A control character, which a terminal may obey. Line ends belong here.
    Control,
    /// A character that changes the direction of text.
    Bidi,
    /// An invisible character: joiners, fillers, tags, variation selectors, format characters.
    Invisible,
    /// A character that looks like a space but is another character.
    Space,
    /// A character without an agreed meaning: private use or noncharacter.
    Private,
}

impl Hidden {
    /// Classifies a character; `None` if it is visible. Space and tab count as visible.
    pub const fn of(char: char) -> Option<Self> {
        match char {
            '\t' | ' '..='~' => None,
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(Self::Control),
            '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                Some(Self::Bidi)
            }
            '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            // Line and paragraph separators, which some programs show as nothing.
            | '\u{2028}'..='\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            // The braille pattern without dots.
            | '\u{2800}'
            | '\u{3000}' => Some(Self::Space),
            '\u{ad}'
            | '\u{34f}'
            | '\u{600}'..='\u{605}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{890}'..='\u{891}'
            | '\u{8e2}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffc}'
            | '\u{110bd}'
            | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{16fe4}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d159}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}' => Some(Self::Invisible),
            '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{f0000}'..='\u{10ffff}' => {
                Some(Self::Private)
            }
            // The last two code points of every plane are noncharacters.
            _ if char as u32 & 0xfffe == 0xfffe => Some(Self::Private),
            _ => None,
        }
    }
}

/// Returns true if a character must not be printed verbatim: a terminal obeys it, it reorders the text around it, or
/// it is invisible.
pub const fn is_hidden(char: char) -> bool {
    Hidden::of(char).is_some()
}

/// Returns true if the text is plain ASCII without control characters, as most texts are, and needs no closer look.
fn is_ordinary(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'))
}

/// Escapes a text into one line, with everything hidden written out, including line ends: for untrusted strings such
/// as commands, paths and names. Tabs stay.
pub fn escape(text: &str) -> Cow<'_, str> {
    if is_ordinary(text) || !text.contains(is_hidden) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    text.chars().for_each(|char| push(&mut shown, char));
    shown.into()
}

/// Escapes a text into one line of at most `most` characters. Line ends and tabs become spaces, and a cut is marked.
pub fn one_line(text: &str, most: usize) -> String {
    let mut line = String::with_capacity(text.len().min(most));
    let mut chars = text.chars();
    for char in chars.by_ref().take(most) {
        push(&mut line, if matches!(char, '\n' | '\t') { ' ' } else { char });
    }
    if chars.next().is_some() {
        line.push('…');
    }
    line
}

/// Escapes a text of one or more lines, such as a reason or a context that a hook wrote: line ends and tabs stay.
///
/// Languages and emoji need a few invisible characters, and the text must stay readable. Other kinds of space become
/// a plain space, and a joiner or a variation selector directly after a letter or a picture outside ASCII is
/// dropped. Every other hidden character is written out, including a second joiner in a row.
pub fn prose(text: &str) -> Cow<'_, str> {
    if is_ordinary(text) || !text.contains(|char| char != '\n' && is_hidden(char)) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for (char, how) in as_prose(text) {
        match how {
            Prose::Kept => shown.push(char),
            Prose::Space => shown.push(' '),
            Prose::Left => {}
            Prose::WrittenOut => push(&mut shown, char),
        }
    }
    shown.into()
}

/// Returns true if [`prose`] would not change the text.
pub fn is_prose(text: &str) -> bool {
    is_ordinary(text) || as_prose(text).all(|(_, how)| how != Prose::WrittenOut)
}

/// The treatment of a character in [`prose`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prose {
    Kept,
    Space,
    Left,
    WrittenOut,
}

fn as_prose(text: &str) -> impl Iterator<Item = (char, Prose)> {
    let mut last = None;
    let mut chars = text.chars().peekable();
    std::iter::from_fn(move || {
        let char = chars.next()?;
        let after_visible = last.replace(char).is_some_and(|last: char| !last.is_ascii() && !is_hidden(last));
        let how = match char {
            '\n' => Prose::Kept,
            '\r' if chars.peek() == Some(&'\n') => Prose::Left,
            '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' if after_visible => Prose::Left,
            // Line separators are not spaces, and neither is a character that only looks like one.
            '\u{2028}' | '\u{2029}' | '\u{2800}' => Prose::WrittenOut,
            _ => match Hidden::of(char) {
                Some(Hidden::Space) => Prose::Space,
                Some(Hidden::Control | Hidden::Bidi | Hidden::Invisible | Hidden::Private) => {
                    Prose::WrittenOut
                }
                None => Prose::Kept,
            },
        };
        Some((char, how))
    })
}

/// Escapes an owned text like [`prose`].
pub fn prose_of(text: String) -> String {
    match prose(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(shown) => shown,
    }
}

/// Reduces an untrusted string to something that can only be read as a name: at most `most` ASCII letters, digits,
/// `-` and `_`. Everything else becomes `-`.
pub fn name(text: &str, most: usize) -> String {
    let mut name = String::new();
    for char in text.chars() {
        if char.is_ascii_alphanumeric() || char == '_' {
            name.push(char);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
        if name.len() > most {
            // The name is ASCII only.
            name.truncate(most);
            break;
        }
    }
    name.truncate(name.trim_end_matches('-').len());
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

/// Escapes every hidden character in a JSON text with JSON escapes: the value stays the same, and a reader of the
/// text sees all of it.
pub fn json(text: String) -> String {
    if is_ordinary(&text) || !text.contains(|char| !matches!(char, '\n') && is_hidden(char)) {
        return text;
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for char in text.chars() {
        if char != '\n' && is_hidden(char) {
            for unit in char.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(char);
        }
    }
    shown
}

fn push(shown: &mut String, char: char) {
    if is_hidden(char) {
        shown.extend(char.escape_unicode());
    } else {
        shown.push(char);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

    /// Compares the table with the Unicode properties of each character.
    #[test]
    fn the_table_has_what_unicode_calls_hidden() {
        let classes = r"\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Join_Control}\p{Variation_Selector}\p{Noncharacter_Code_Point}\u{2800}";
        let hidden = Regex::new(&format!("[{classes}&&[^ \t]]")).unwrap();
        // Characters that are shown as nothing, or as a box, without a property that says so.
        let known_more = ['\u{fffc}', '\u{16fe4}', '\u{1d159}'];
        for char in char::MIN..=char::MAX {
            let expected = hidden.is_match(char.encode_utf8(&mut [0; 4])) || known_more.contains(&char);
            assert_eq!(is_hidden(char), expected, "{}", char.escape_unicode());
        }
    }

    #[test]
    fn ordinary_text_of_every_language_stays() {
        for text in [
            "a\tb",
            "Äpfel für 3 €",
            "漢字、かな。",
            "한국어",
            "שלום עולם",
            "مرحبا",
            "नमस्ते",
            "🦀 ✓ → …",
            "e\u{301}",
        ] {
            assert_eq!(escape(text), text);
            assert_eq!(prose(text), text);
            assert_eq!(one_line(text, 100), text.replace('\t', " "));
        }
    }

    #[test]
    fn hidden_characters_of_untrusted_text_are_written_out() {
        assert_eq!(
            escape("a\n\u{1b}[2J\u{9b}\u{61c}\u{ad}\u{e0041}\u{2800}"),
            r"a\u{a}\u{1b}[2J\u{9b}\u{61c}\u{ad}\u{e0041}\u{2800}"
        );
        assert_eq!(escape("⚠\u{fe0f}"), r"⚠\u{fe0f}");
        assert_eq!(one_line("a\nb\tc\u{202e}", 10), r"a b c\u{202e}");
        assert_eq!(one_line("abcdef", 3), "abc…");
        for (text, expected) in [
            ("no-push_12", "no-push_12"),
            ("./hooks/a.sh --x", "hooks-a-sh-x"),
            ("a`b c\n漢", "a-b-c"),
            ("\u{202e}漢", "unnamed"),
            ("", "unnamed"),
        ] {
            assert_eq!(name(text, 30), expected);
        }
        assert_eq!(name(&"x".repeat(40), 30), "x".repeat(30));
        assert_eq!(name("abc def", 4), "abc");
    }

    #[test]
    fn prose_stays_readable() {
        assert_eq!(prose("a\r\nb\tc\n"), "a\nb\tc\n");
        assert_eq!(
            prose("⚠\u{fe0f} 👩\u{200d}💻 می\u{200c}خواهم à\u{a0}: x\u{202f}!"),
            "⚠ 👩💻 میخواهم à : x !"
        );
        // These characters cannot carry a message.
        assert_eq!(prose("a\u{200d}b"), r"a\u{200d}b");
        assert_eq!(prose("⚠\u{fe0f}\u{fe0f}"), r"⚠\u{fe0f}");
        assert_eq!(prose("漢\u{e0100}\u{e0041}"), r"漢\u{e0100}\u{e0041}");
        assert!(is_prose("⚠\u{fe0f} à\u{a0}: x\ny") && !is_prose("a\u{200d}") && !is_prose("\u{e0041}"));
        assert_eq!(prose("a\rb\u{2028}c\u{2800}"), r"a\u{d}b\u{2028}c\u{2800}");
    }

    #[test]
    fn escaped_json_has_the_same_value() {
        let data = "a\u{202e}\u{1b}\u{e0041}\u{fe0f} ✓\n\u{9b}";
        let shown = json(serde_json::Value::from(data).to_string());
        assert!(!shown.contains(is_hidden), "{shown:?}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), data);
    }

    fn any_text() -> impl Strategy<Value = String> {
        let odd = prop_oneof![
            any::<char>(),
            (0_u32..0x3100).prop_filter_map("a character", char::from_u32),
            (0xe0000_u32..0xe0200).prop_filter_map("a character", char::from_u32),
            prop::sample::select(vec!['\n', '\r', '\t', '\u{200d}', '\u{fe0f}', '漢', '🦀', 'a']),
        ];
        prop::collection::vec(odd, 0..40).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn no_hidden_character_comes_out(text in any_text()) {
            prop_assert!(!escape(&text).contains(is_hidden));
            prop_assert!(!prose(&text).contains(|char| char != '\n' && is_hidden(char)));
            prop_assert!(!one_line(&text, 20).contains(|char: char| char == '\t' || is_hidden(char)));
            prop_assert!(!json(serde_json::Value::from(text.as_str()).to_string()).contains(is_hidden));
            prop_assert_eq!(prose_of(text.clone()), prose(&text).into_owned());
        }

        #[test]
        fn escaping_twice_changes_nothing(text in any_text()) {
            let (once, line) = (prose(&text).into_owned(), escape(&text).into_owned());
            prop_assert_eq!(prose(&once), once.as_str());
            prop_assert_eq!(escape(&line), line.as_str());
        }
    }
}
