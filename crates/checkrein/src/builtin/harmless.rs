//! Text from outside, as it may be shown.
//!
//! Names, commands, paths and reasons come from a model, a project or a hook. Shown as they are, they could move the cursor
//! of a terminal, turn a line round or hide a part of it, and so tell a person or a model something else than what is there.

/// A text with nothing in it that a terminal would obey, and nothing that would reorder or hide what stands around it: such
/// characters are written out, line ends among them. Tabs stay.
pub fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        if is_hidden(char) {
            shown.extend(char.escape_unicode());
        } else {
            shown.push(char);
        }
    }
    shown
}

/// Characters that a terminal obeys instead of showing them, that reorder what stands around them, or that are not seen.
pub fn is_hidden(char: char) -> bool {
    match char {
        '\t' | ' '..='~' => false,
        // Those that are not seen, or look like a blank and are none.
        '\u{a0}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{1680}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{2000}'..='\u{200f}'
        | '\u{2028}'..='\u{202f}'
        | '\u{205f}'..='\u{206f}'
        | '\u{3000}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        _ => char.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkrein_guard::{Odd, Part, Word};

    /// What the guard warns of is not shown as it is.
    #[test]
    fn covers_what_the_guard_finds_odd() {
        for char in char::MIN..=char::MAX {
            let word = Word { parts: vec![Part::Text(char.to_string())], span: 0..0 };
            let odd = word.odd_characters().iter().any(|(_, odd)| match odd {
                Odd::Bidi | Odd::Invisible | Odd::Control => true,
                Odd::Foreign => false,
            });
            assert!(!odd || is_hidden(char), "{}", char.escape_unicode());
        }
    }

    #[test]
    fn text_stays_and_the_rest_is_written_out() {
        assert_eq!(harmless("a\tÄ 漢 🦀"), "a\tÄ 漢 🦀");
        assert_eq!(
            harmless("a\n\u{1b}[2J\u{9b}\u{61c}\u{ad}\u{e0041}"),
            r"a\u{a}\u{1b}[2J\u{9b}\u{61c}\u{ad}\u{e0041}"
        );
    }
}
