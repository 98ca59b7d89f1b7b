//! Compares names as a file system does that ignores case and the composition of characters.
//!
//! The names that matter here are ours, and plain ASCII. So a name is reduced to what it would have to be to be one of those:
//! marks are taken off letters, look-alikes that fold to a letter become it, what is passed over is gone. Where a directory
//! exists, its identity decides, in every script; this decides only where nothing exists yet. To take too many names for one
//! protects too much, and only on such a file system.

use std::borrow::Cow;

/// Returns true if both are the same name there.
pub(crate) fn same(one: &str, other: &str) -> bool {
    if one.is_ascii() && other.is_ascii() {
        return one.eq_ignore_ascii_case(other);
    }
    reduced(one) == reduced(other)
}

/// Returns the form of a name that is compared.
pub(crate) fn reduced(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(name);
    }
    let mut result = String::with_capacity(name.len());
    for char in name.chars() {
        match char {
            // Passed over by HFS+, and marks that APFS finds in whatever order they are composed.
            '\u{200c}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{206a}'..='\u{206f}'
            | '\u{feff}'
            | '\u{0300}'..='\u{036f}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}' => {}
            'ſ' => result.push('s'),
            '\u{212a}' => result.push('k'),
            'ß' | 'ẞ' => result.push_str("ss"),
            'ﬀ' => result.push_str("ff"),
            'ﬁ' => result.push_str("fi"),
            'ﬂ' => result.push_str("fl"),
            'ﬃ' => result.push_str("ffi"),
            'ﬄ' => result.push_str("ffl"),
            'ﬅ' | 'ﬆ' => result.push_str("st"),
            char => {
                char.to_lowercase().filter(|char| !is_mark(*char)).for_each(|char| result.push(base(char)));
            }
        }
    }
    Cow::Owned(result)
}

const fn is_mark(char: char) -> bool {
    matches!(char, '\u{0300}'..='\u{036f}')
}

/// The letter under a mark, for the letters of Latin-1 and the two blocks behind it.
const fn base(char: char) -> char {
    match char {
        'à'..='å'
        | 'ā'
        | 'ă'
        | 'ą'
        | 'ǎ'
        | 'ȁ'
        | 'ȃ'
        | 'ȧ'
        | 'ạ'
        | 'ả'
        | 'ấ'
        | 'ầ'
        | 'ẩ'
        | 'ẫ'
        | 'ậ'
        | 'ắ'
        | 'ằ'
        | 'ẳ'
        | 'ẵ'
        | 'ặ'
        | 'ḁ' => 'a',
        'ḃ' | 'ḅ' | 'ḇ' => 'b',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' | 'ḉ' => 'c',
        'ď' | 'ḋ' | 'ḍ' | 'ḏ' | 'ḑ' | 'ḓ' => 'd',
        'è'..='ë'
        | 'ē'
        | 'ĕ'
        | 'ė'
        | 'ę'
        | 'ě'
        | 'ȅ'
        | 'ȇ'
        | 'ȩ'
        | 'ḕ'
        | 'ḗ'
        | 'ḙ'
        | 'ḛ'
        | 'ḝ'
        | 'ẹ'
        | 'ẻ'
        | 'ẽ'
        | 'ế'
        | 'ề'
        | 'ể'
        | 'ễ'
        | 'ệ' => 'e',
        'ḟ' => 'f',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' | 'ǧ' | 'ǵ' | 'ḡ' => 'g',
        'ĥ' | 'ȟ' | 'ḣ' | 'ḥ' | 'ḧ' | 'ḩ' | 'ḫ' | 'ẖ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ǐ' | 'ȉ' | 'ȋ' | 'ḭ' | 'ḯ' | 'ỉ' | 'ị' => 'i',
        'ĵ' | 'ǰ' => 'j',
        'ķ' | 'ǩ' | 'ḱ' | 'ḳ' | 'ḵ' => 'k',
        'ĺ' | 'ļ' | 'ľ' | 'ḷ' | 'ḹ' | 'ḻ' | 'ḽ' => 'l',
        'ḿ' | 'ṁ' | 'ṃ' => 'm',
        'ñ' | 'ń' | 'ņ' | 'ň' | 'ǹ' | 'ṅ' | 'ṇ' | 'ṉ' | 'ṋ' => 'n',
        'ò'..='ö'
        | 'ō'
        | 'ŏ'
        | 'ő'
        | 'ơ'
        | 'ǒ'
        | 'ǫ'
        | 'ǭ'
        | 'ȍ'
        | 'ȏ'
        | 'ȫ'
        | 'ȭ'
        | 'ȯ'
        | 'ȱ'
        | 'ṍ'
        | 'ṏ'
        | 'ṑ'
        | 'ṓ'
        | 'ọ'
        | 'ỏ'
        | 'ố'
        | 'ồ'
        | 'ổ'
        | 'ỗ'
        | 'ộ'
        | 'ớ'
        | 'ờ'
        | 'ở'
        | 'ỡ'
        | 'ợ' => 'o',
        'ṕ' | 'ṗ' => 'p',
        'ŕ' | 'ŗ' | 'ř' | 'ȑ' | 'ȓ' | 'ṙ' | 'ṛ' | 'ṝ' | 'ṟ' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' | 'ṡ' | 'ṣ' | 'ṥ' | 'ṧ' | 'ṩ' | 'ẛ' => 's',
        'ţ' | 'ť' | 'ț' | 'ṫ' | 'ṭ' | 'ṯ' | 'ṱ' | 'ẗ' => 't',
        'ù'..='ü'
        | 'ũ'
        | 'ū'
        | 'ŭ'
        | 'ů'
        | 'ű'
        | 'ų'
        | 'ư'
        | 'ǔ'
        | 'ǖ'
        | 'ǘ'
        | 'ǚ'
        | 'ǜ'
        | 'ȕ'
        | 'ȗ'
        | 'ṳ'
        | 'ṵ'
        | 'ṷ'
        | 'ṹ'
        | 'ṻ'
        | 'ụ'
        | 'ủ'
        | 'ứ'
        | 'ừ'
        | 'ử'
        | 'ữ'
        | 'ự' => 'u',
        'ṽ' | 'ṿ' => 'v',
        'ŵ' | 'ẁ' | 'ẃ' | 'ẅ' | 'ẇ' | 'ẉ' | 'ẘ' => 'w',
        'ẋ' | 'ẍ' => 'x',
        'ý' | 'ÿ' | 'ŷ' | 'ȳ' | 'ẏ' | 'ẙ' | 'ỳ' | 'ỵ' | 'ỷ' | 'ỹ' => 'y',
        'ź' | 'ż' | 'ž' | 'ẑ' | 'ẓ' | 'ẕ' => 'z',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_file() {
        for (one, other) in [
            (".claude", ".CLAUDE"),
            (".claude", ".cLaUdE"),
            ("settings.json", "\u{17f}etting\u{17f}.json"),
            (".codex", ".cod\u{200c}ex"),
            ("checkrein", "chec\u{212a}rein"),
            ("config.toml", "con\u{fb01}g.toml"),
            ("jos\u{e9}", "jose\u{301}"),
            ("JOS\u{c9}", "jose\u{301}"),
        ] {
            assert!(same(one, other) && same(other, one), "{one} {other}");
        }
    }

    #[test]
    fn names_of_two() {
        for (one, other) in [(".claude", ".claud"), ("a", "b"), ("ä", "o"), ("日", "本")] {
            assert!(!same(one, other), "{one} {other}");
        }
    }
}
