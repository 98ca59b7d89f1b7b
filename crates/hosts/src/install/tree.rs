//! A JSON parser that keeps the position of every value, so that a text can be edited in place.
//!
//! A parser that only builds values forgets the text, and an edit needs the brackets and commas. It is strict, as
//! the agents are; of some agents it also accepts comments.

use checkrein_core::sanitize;
use std::ops::Range;

/// A syntax error and its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The error.
    pub what: String,
}

impl SyntaxError {
    /// Creates an error at a byte of `text`.
    pub fn at(text: &str, byte: usize, what: impl Into<String>) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Self { line, column, what: what.into() }
    }
}

/// A value and its byte range in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The byte range.
    pub span: Range<usize>,
    /// The value.
    pub value: Value,
}

/// The value of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Members in the order of the text, each with the range of its key.
    Object(Vec<(String, Range<usize>, Node)>),
    /// Elements.
    Array(Vec<Node>),
    /// A string.
    String(String),
    /// A number, `true`, `false` or `null`.
    Other(serde_json::Value),
}

impl Node {
    /// Returns the members of an object.
    pub fn members(&self) -> Option<&[(String, Range<usize>, Self)]> {
        if let Value::Object(members) = &self.value { Some(members) } else { None }
    }

    /// Returns the elements of a list.
    pub fn elements(&self) -> Option<&[Self]> {
        if let Value::Array(elements) = &self.value { Some(elements) } else { None }
    }

    /// Returns the content of a string.
    pub fn text(&self) -> Option<&str> {
        if let Value::String(text) = &self.value { Some(text) } else { None }
    }

    /// Returns the member `key` of an object. Agents take the last of several with one name.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.members()?.iter().rev().find(|(name, ..)| name == key).map(|(.., node)| node)
    }

    /// Returns how many members of an object have this `key`.
    pub fn count(&self, key: &str) -> usize {
        self.members().map_or(0, |members| members.iter().filter(|(name, ..)| name == key).count())
    }

    /// Converts to plain JSON.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Object(members) => {
                members.iter().map(|(key, _, node)| (key.clone(), node.to_json())).collect()
            }
            Value::Array(elements) => elements.iter().map(Self::to_json).collect(),
            Value::String(text) => text.as_str().into(),
            Value::Other(value) => value.clone(),
        }
    }
}

/// The maximum depth.
const DEPTH: usize = 100;

/// The treatment of comments in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// The agent rejects a file with a comment.
    Rejected,
    /// The agent skips `//` to the end of the line, and `/*` to `*/`.
    Skipped,
}

/// Parses a text with one value. A byte order mark before it is skipped.
pub fn parse(text: &str) -> Result<Node, SyntaxError> {
    parse_with(text, Comments::Rejected)
}

/// Parses a text with one value, and comments if they are accepted.
pub fn parse_with(text: &str, comments: Comments) -> Result<Node, SyntaxError> {
    let mut reader = TreeParser { text, at: 0, comments };
    reader.skip_mark();
    reader.skip_whitespace();
    let node = reader.value(0)?;
    reader.skip_whitespace();
    if reader.at < text.len() {
        return Err(reader.defect("unexpected text after the value"));
    }
    Ok(node)
}

struct TreeParser<'a> {
    text: &'a str,
    at: usize,
    comments: Comments,
}

impl TreeParser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_mark(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at += '\u{feff}'.len_utf8();
        }
    }

    /// Skips whitespace, and comments where they are accepted. An unterminated comment is left for the caller to reject.
    fn skip_whitespace(&mut self) {
        loop {
            while matches!(self.next(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
                self.at += 1;
            }
            match self.comment() {
                Some(length) => self.at += length,
                None => return,
            }
        }
    }

    /// Returns the length of the comment that starts here.
    fn comment(&self) -> Option<usize> {
        if self.comments == Comments::Rejected {
            return None;
        }
        let rest = self.rest();
        if rest.starts_with("//") {
            return Some(rest.find('\n').unwrap_or(rest.len()));
        }
        let inside = rest.strip_prefix("/*")?;
        inside.find("*/").map(|end| end + "/**/".len())
    }

    fn defect(&self, what: impl Into<String>) -> SyntaxError {
        SyntaxError::at(self.text, self.at, what)
    }

    /// Returns the error for an unexpected character.
    fn unexpected(&self, expected: &str) -> SyntaxError {
        let found = match self.rest().chars().next() {
            None => "the end of the file".to_owned(),
            Some('/') if self.comments == Comments::Rejected => {
                "a comment, which agents do not accept in this file".to_owned()
            }
            Some(char) => format!("`{}`", sanitize::escape(char.encode_utf8(&mut [0; 4]))),
        };
        self.defect(format!("expected {expected}, found {found}"))
    }

    fn value(&mut self, depth: usize) -> Result<Node, SyntaxError> {
        if depth > DEPTH {
            return Err(self.defect("values are nested too deeply"));
        }
        let start = self.at;
        let value = match self.next() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => self.scalar()?,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Node { span: start..self.at, value })
    }

    fn object(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        self.at += 1;
        let mut members = Vec::new();
        self.skip_whitespace();
        if self.next() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            let start = self.at;
            if self.next() != Some(b'"') {
                return Err(self.unexpected("a quoted name"));
            }
            let key = self.string()?;
            let place = start..self.at;
            self.skip_whitespace();
            if self.next() != Some(b':') {
                return Err(self.unexpected("`:`"));
            }
            self.at += 1;
            self.skip_whitespace();
            members.push((key, place, self.value(depth + 1)?));
            self.skip_whitespace();
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Object(members));
                }
                _ => return Err(self.unexpected("`,` or `}`")),
            }
            self.skip_whitespace();
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        self.at += 1;
        let mut elements = Vec::new();
        self.skip_whitespace();
        if self.next() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            self.skip_whitespace();
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::Array(elements));
                }
                _ => return Err(self.unexpected("`,` or `]`")),
            }
            self.skip_whitespace();
        }
    }

    /// Reads a string with its quotes. The JSON library decodes its content.
    fn string(&mut self) -> Result<String, SyntaxError> {
        let bytes = self.text.as_bytes();
        let mut end = self.at + 1;
        loop {
            match bytes.get(end) {
                None | Some(b'\n') => return Err(self.defect("unterminated string")),
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
            }
        }
        let literal = self.text.get(self.at..=end).unwrap_or_default();
        let text = serde_json::from_str(literal).map_err(|_| self.defect("invalid string"))?;
        self.at = end + 1;
        Ok(text)
    }

    fn scalar(&mut self) -> Result<Value, SyntaxError> {
        let rest = self.rest();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(rest.len());
        let literal = rest.get(..end).unwrap_or_default();
        let value = serde_json::from_str(literal)
            .map_err(|_| self.defect(format!("`{literal}` is not a JSON value")))?;
        self.at += end;
        Ok(Value::Other(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_the_same_values_as_the_library() {
        for text in [
            "{}",
            " [ ] ",
            r#"{"a": [1, -2.5e3, true, null, "x\"\u00e9\\"], "b": {"c": {}}}"#,
            "\t{\r\n\"ä\" : \"\u{1f600}\"\r\n}\n",
            "\"text\"",
        ] {
            let node = parse(text).unwrap();
            assert_eq!(node.to_json(), serde_json::from_str::<serde_json::Value>(text).unwrap(), "{text}");
            assert_eq!(text.get(node.span.clone()), Some(text.trim()));
        }
    }

    #[test]
    fn every_error_has_its_position() {
        for (text, expected) in [
            ("", "line 1, column 1: expected a value, found the end of the file"),
            ("{\n  \"a\": 1,\n}", "line 3, column 1: expected a quoted name, found `}`"),
            (
                "{\n  // why\n}",
                "line 2, column 3: expected a quoted name, found a comment, which agents do not accept in this file",
            ),
            ("{\"ä\" 1}", "line 1, column 6: expected `:`, found `1`"),
            ("{\"a\": 1 \"b\": 2}", "line 1, column 9: expected `,` or `}`, found `\"`"),
            ("[1 2]", "line 1, column 4: expected `,` or `]`, found `2`"),
            ("{\"a\": nul}", "line 1, column 7: `nul` is not a JSON value"),
            ("{\"a\": 01}", "line 1, column 7: `01` is not a JSON value"),
            ("{\"a\": \"b\n\"}", "line 1, column 7: unterminated string"),
            ("{\"a\": \"\\q\"}", "line 1, column 7: invalid string"),
            ("\"\\", "line 1, column 1: unterminated string"),
            ("{} {}", "line 1, column 4: unexpected text after the value"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), expected, "{text}");
        }
        let deep = "[".repeat(10_000);
        assert!(parse(&deep).unwrap_err().what.contains("nested"));
    }

    #[test]
    fn comments_are_skipped_where_an_agent_skips_them() {
        let text = "// first\n{ /* a */ \"a\" /* b */ : // c\n 1, /* \" */ \"b\": \"// no\" /**/ } // last";
        let node = parse_with(text, Comments::Skipped).unwrap();
        assert_eq!(node.to_json(), serde_json::json!({"a": 1, "b": "// no"}));
        assert!(parse(text).is_err());
        for broken in ["{} /*", "{} /", "{ /* }", "[1, // 2]"] {
            assert!(parse_with(broken, Comments::Skipped).is_err(), "{broken}");
        }
    }

    #[test]
    fn the_last_of_two_members_with_one_name_counts() {
        let node = parse(r#"{"a": 1, "a": 2}"#).unwrap();
        assert_eq!(node.get("a").unwrap().to_json(), 2);
        assert_eq!(node.count("a"), 2);
    }
}
