//! Writes untrusted text into a TOML file: as strings that read back unchanged, and as comments that stay in
//! their line.
//!
//! A character that an editor or a terminal obeys instead of showing it is written by its number, in both: the user who
//! reads the result must see what will run.

use checkrein_core::sanitize::{escape, is_hidden};
use std::fmt::Write as _;

/// `text` as a TOML string in one line: literal where that saves escapes, else basic.
pub(super) fn string(text: &str) -> String {
    let hidden = text.chars().any(is_hidden);
    if !hidden && !text.contains('\'') && text.contains(['"', '\\']) {
        return format!("'{text}'");
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if is_hidden(c) => {
                // Writing to a string cannot fail.
                let _ = match u32::from(c) {
                    code @ ..=0xffff => write!(quoted, "\\u{code:04X}"),
                    code => write!(quoted, "\\U{code:08X}"),
                };
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A list of strings.
pub(super) fn strings<S: AsRef<str>>(texts: &[S]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| string(text.as_ref())).collect();
    format!("[{}]", texts.join(", "))
}

/// Returns `text` in a form for one line of a comment or of a terminal.
pub(super) fn line(text: &str) -> String {
    escape(text).replace('\t', "\\t")
}

/// `text` as comment lines of a bearable width, each of them after `prefix`.
pub(super) fn comment(prefix: &str, text: &str) -> String {
    const WIDTH: usize = 110;
    let mut lines = String::new();
    let mut current = String::new();
    for word in line(text).split(' ') {
        if !current.is_empty() && prefix.len() + current.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push_str(&format!("{prefix}{current}\n"));
            current.clear();
        } else if !current.is_empty() {
            current.push(' ');
        }
        current.push_str(word);
    }
    lines.push_str(&format!("{prefix}{current}\n"));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_form_that_reads_best() {
        for (text, expected) in [
            ("./guard.sh", "\"./guard.sh\""),
            ("", "\"\""),
            ("echo \"$X\"", "'echo \"$X\"'"),
            ("a\\b", "'a\\b'"),
            ("it's", "\"it's\""),
            ("it's \"x\"", "\"it's \\\"x\\\"\""),
            ("a\nb\t", "\"a\\nb\\t\""),
            ("\u{1b}[0m\u{7f}", "\"\\u001B[0m\\u007F\""),
            ("a\u{202e}b", "\"a\\u202Eb\""),
        ] {
            assert_eq!(string(text), expected);
        }
    }

    fn read(toml: &str) -> String {
        let table = toml::de::DeTable::parse(toml).unwrap();
        let value = table.get_ref().get("x").unwrap().get_ref();
        value.as_str().unwrap().to_owned()
    }

    proptest! {
        #[test]
        fn a_string_reads_back(text in any::<String>()) {
            let written = string(&text);
            assert!(!written.contains('\n'));
            assert_eq!(read(&format!("x = {written} # end\n")), text);
        }

        #[test]
        fn strings_with_quotes_read_back(text in "[\"'\\\\\n\r\t\u{0}\u{7f}\u{85}\u{202e}# a-c]{0,12}") {
            assert_eq!(read(&format!("x = {}", string(&text))), text);
        }

        #[test]
        fn a_comment_never_leaves_its_lines(text in "([\n\r\t\u{0}\u{7f}\u{85}\u{2028}# \"'=a-c]|\\PC){0,300}") {
            for comment in comment("# ", &text).lines() {
                assert!(comment.starts_with("# "));
                toml::de::DeTable::parse(comment).unwrap();
            }
        }
    }
}
