//! Decides which regular expressions of other engines mean the same in ours.
//!
//! The engines agree on much and differ in corners, and a guard that silently matches something else is the worst that
//! an import can do. So this is a list of what is known to mean the same, and everything else is refused by name. What
//! is compared is a tool's name, which is ASCII: the classes differ between the engines only beyond it.

use checkrein_core::Pattern;

/// Whose language a regular expression is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavour {
    JavaScript,
    Rust,
}

/// The element before a quantifier.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Atom,
    Assertion,
    Quantifier,
    Lazy,
}

/// Characters that may be escaped to be literal, in all engines.
const ESCAPED: &[u8] = br"^$\.*+?()[]{}|/-";

/// Our pattern for `text`, or why there is none.
pub(super) fn translate(text: &str, flavour: Flavour) -> Result<String, String> {
    if !text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
        return Err("it contains characters beyond ASCII, which the engines compare differently".to_owned());
    }
    Scan { bytes: text.as_bytes(), at: 0, flavour }.check()?;
    let pattern = format!("/{text}/");
    match pattern.parse::<Pattern>() {
        Ok(_) => Ok(pattern),
        Err(error) => Err(error.to_string()),
    }
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    flavour: Flavour,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn takes(&mut self, word: &[u8]) -> bool {
        let there = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word));
        self.at += if there { word.len() } else { 0 };
        there
    }

    fn check(mut self) -> Result<(), String> {
        let mut depth = 0_usize;
        let mut before = Before::Nothing;
        while let Some(byte) = self.next() {
            before = match byte {
                b'\\' => self.escape()?,
                b'[' => self.class()?,
                b'(' => {
                    depth += 1;
                    match self.group()? {
                        Group::Opened => Before::Nothing,
                        Group::Flags => {
                            depth -= 1;
                            Before::Nothing
                        }
                    }
                }
                b')' => {
                    depth = depth.checked_sub(1).ok_or("it closes a group that is not open")?;
                    Before::Atom
                }
                b'*' | b'+' | b'?' => quantified(before, byte)?,
                b'{' => {
                    self.count()?;
                    quantified(before, byte)?
                }
                b'}' | b']' => {
                    return Err(format!("a bare `{}` is read differently by the engines", char::from(byte)));
                }
                b'^' | b'$' => Before::Assertion,
                b'|' => Before::Nothing,
                _ => Before::Atom,
            };
        }
        if depth == 0 { Ok(()) } else { Err("a group is not closed".to_owned()) }
    }

    fn escape(&mut self) -> Result<Before, String> {
        match (self.next(), self.flavour) {
            (None, _) => Err("it ends in a backslash".to_owned()),
            (Some(b'd' | b'D' | b'w' | b'W'), _) | (Some(b's' | b'S'), Flavour::Rust) => Ok(Before::Atom),
            (Some(b'b' | b'B'), _) | (Some(b'A' | b'z'), Flavour::Rust) => Ok(Before::Assertion),
            (Some(b'0'..=b'9' | b'k'), _) => Err("it contains a backreference".to_owned()),
            (Some(b'p' | b'P'), _) => Err("it contains a Unicode class".to_owned()),
            (Some(byte), _) if ESCAPED.contains(&byte) => Ok(Before::Atom),
            (Some(byte), _) => Err(unknown_escape(byte)),
        }
    }

    /// Parses the rest of a class after `[`.
    fn class(&mut self) -> Result<Before, String> {
        self.takes(b"^");
        if self.peek() == Some(b']') {
            return Err("`[]` is read differently by the engines".to_owned());
        }
        // Whether the last item is a class such as `\d`, which no range can start or end with.
        let mut is_class = false;
        loop {
            if [b"&&", b"--", b"~~"].into_iter().any(|word| self.takes(word)) {
                return Err("it contains an operation on classes".to_owned());
            }
            match self.next() {
                None => return Err("a class is not closed".to_owned()),
                Some(b']') => return Ok(Before::Atom),
                Some(b'[') => return Err("it contains a `[` inside a class".to_owned()),
                Some(b'\\') => {
                    is_class = match self.next() {
                        Some(b'd' | b'D' | b'w' | b'W') => true,
                        Some(byte) if ESCAPED.contains(&byte) => false,
                        Some(byte) => return Err(unknown_escape(byte)),
                        None => return Err("a class is not closed".to_owned()),
                    };
                }
                Some(b'-') if self.peek() != Some(b']') => {
                    let to_class = matches!(
                        self.bytes.get(self.at..self.at + 2),
                        Some([b'\\', b'd' | b'D' | b'w' | b'W'])
                    );
                    if is_class || to_class {
                        return Err("it contains a range that starts or ends with a class".to_owned());
                    }
                }
                Some(_) => is_class = false,
            }
        }
    }

    /// Parses the text after `(` that says what kind of group it is.
    fn group(&mut self) -> Result<Group, String> {
        if !self.takes(b"?") || self.takes(b":") {
            return Ok(Group::Opened);
        }
        for word in [&b"="[..], b"!", b"<=", b"<!"] {
            if self.takes(word) {
                return Err("it uses look-around (`(?=`, `(?!`, `(?<=` or `(?<!`)".to_owned());
            }
        }
        if self.takes(b"<") || (self.flavour == Flavour::Rust && self.takes(b"P<")) {
            if !self.peek().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_') {
                return Err("it contains a group whose name is read differently by the engines".to_owned());
            }
            while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                self.at += 1;
            }
            return match self.next() {
                Some(b'>') => Ok(Group::Opened),
                _ => Err("it contains a group whose name is read differently by the engines".to_owned()),
            };
        }
        if self.flavour == Flavour::Rust {
            while self.peek().is_some_and(|byte| matches!(byte, b'i' | b'm' | b's' | b'-')) {
                self.at += 1;
            }
            match self.next() {
                Some(b':') => return Ok(Group::Opened),
                Some(b')') => return Ok(Group::Flags),
                _ => {}
            }
        }
        Err("it contains a group that starts with `(?` and is read differently by the engines".to_owned())
    }

    /// Parses the text after `{`: `2}`, `2,}` or `2,5}`.
    fn count(&mut self) -> Result<(), String> {
        let digits = |scan: &mut Self| {
            let start = scan.at;
            while scan.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                scan.at += 1;
            }
            scan.at > start
        };
        let mut whole = digits(self);
        if whole && self.takes(b",") {
            digits(self);
        }
        whole &= self.takes(b"}");
        if whole { Ok(()) } else { Err("a bare `{` is read differently by the engines".to_owned()) }
    }
}

enum Group {
    Opened,
    /// `(?i)`, which opens nothing.
    Flags,
}

fn quantified(before: Before, byte: u8) -> Result<Before, String> {
    match before {
        Before::Atom => Ok(Before::Quantifier),
        Before::Quantifier if byte == b'?' => Ok(Before::Lazy),
        Before::Quantifier | Before::Lazy => Err("it repeats a repetition".to_owned()),
        Before::Nothing | Before::Assertion => {
            Err(format!("there is nothing that its `{}` can repeat", char::from(byte)))
        }
    }
}

fn unknown_escape(byte: u8) -> String {
    format!("`\\{}` is read differently by the engines", char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_the_same_is_taken() {
        for text in [
            "mcp__.*",
            "^(Bash|Edit)$",
            "Edit.*|Write",
            "^mcp__[a-z_]+__(?:get|list)_\\w*$",
            "Notebook(Edit|Read)?",
            "[^-_]\\.\\d{1,3}",
            "a{2}b{2,}c+?",
            "[\\w-]+",
            "[a\\-z]",
            "(?<verb>get|put)x",
            "\\bBash\\b",
            "a/b",
            "()|",
        ] {
            let pattern = translate(text, Flavour::JavaScript).unwrap();
            assert_eq!(pattern, format!("/{text}/"));
        }
        for text in ["(?i)bash", "(?i:bash)x", "(?P<a>b)", "\\AB\\z", "a\\s?b"] {
            assert!(translate(text, Flavour::Rust).is_ok(), "{text}");
            assert!(translate(text, Flavour::JavaScript).is_err(), "{text}");
        }
    }

    #[test]
    fn what_may_mean_something_else_is_refused_by_name() {
        for (text, reason) in [
            ("^(?!Bash)", "it uses look-around (`(?=`, `(?!`, `(?<=` or `(?<!`)"),
            ("(?<=a)b", "it uses look-around (`(?=`, `(?!`, `(?<=` or `(?<!`)"),
            ("(a)\\1", "it contains a backreference"),
            ("(?<a>b)\\k<a>", "it contains a backreference"),
            ("\\p{L}", "it contains a Unicode class"),
            ("(?<$a>b)", "it contains a group whose name is read differently by the engines"),
            ("(?i:a)", "it contains a group that starts with `(?` and is read differently by the engines"),
            ("[]a]", "`[]` is read differently by the engines"),
            ("[^]", "`[]` is read differently by the engines"),
            ("[a&&b]", "it contains an operation on classes"),
            ("[[a]]", "it contains a `[` inside a class"),
            ("[\\w-z]", "it contains a range that starts or ends with a class"),
            ("[+-\\d]", "it contains a range that starts or ends with a class"),
            ("[\\b]", "`\\b` is read differently by the engines"),
            ("[a", "a class is not closed"),
            ("a]", "a bare `]` is read differently by the engines"),
            ("a{", "a bare `{` is read differently by the engines"),
            ("a{,2}", "a bare `{` is read differently by the engines"),
            ("a}", "a bare `}` is read differently by the engines"),
            ("a**", "it repeats a repetition"),
            ("a+??", "it repeats a repetition"),
            ("a{2}{3}", "it repeats a repetition"),
            ("*a", "there is nothing that its `*` can repeat"),
            ("^*", "there is nothing that its `*` can repeat"),
            ("\\b+", "there is nothing that its `+` can repeat"),
            ("(?:)|+", "there is nothing that its `+` can repeat"),
            ("\\u0041", "`\\u` is read differently by the engines"),
            ("\\_", "`\\_` is read differently by the engines"),
            ("\\s", "`\\s` is read differently by the engines"),
            ("a\\", "it ends in a backslash"),
            ("(a", "a group is not closed"),
            ("a)", "it closes a group that is not open"),
            ("é.", "it contains characters beyond ASCII, which the engines compare differently"),
            ("a\n.", "it contains characters beyond ASCII, which the engines compare differently"),
        ] {
            assert_eq!(translate(text, Flavour::JavaScript), Err(reason.to_owned()), "{text}");
        }
        assert!(translate("[b-a]", Flavour::JavaScript).is_err());
        assert!(translate("(((a{99}){99}){99}){99}", Flavour::JavaScript).is_err());
        assert!(translate(&"(".repeat(100_000), Flavour::JavaScript).is_err());
        assert!(translate(&format!("{}{}", "(".repeat(9_000), ")".repeat(9_000)), Flavour::Rust).is_err());
    }

    #[test]
    fn what_is_translated_matches_what_it_matched() {
        let matches = |text: &str, name: &str| {
            let call = checkrein_core::ToolCall::new(name, checkrein_core::Map::new());
            translate(text, Flavour::JavaScript).unwrap().parse::<Pattern>().unwrap().matches(&call)
        };
        assert!(matches("mcp__.*__write", "mcp__files__write_all"));
        assert!(matches("Edit", "MultiEdit"), "not anchored");
        assert!(!matches("^Edit$", "MultiEdit"));
        assert!(!matches("bash|x.", "Bash"), "case matters");
    }
}
