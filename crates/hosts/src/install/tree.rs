//! JSON with the place of every value, so that a text can be changed at one place and keep all others.
//!
//! A parser of our own, because one that makes values forgets the text, and an edit needs the brackets and commas. It is
//! strict, as the agents are.

use checkrein_core::sanitize;
use std::ops::Range;

/// Why a text cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub what: String,
}

impl SyntaxError {
    /// A defect at a byte of `text`.
    pub fn at(text: &str, byte: usize, what: impl Into<String>) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Self { line, column, what: what.into() }
    }
}

/// A value and the bytes that it takes in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// From its first byte to the one after its last.
    pub span: Range<usize>,
    /// What it is.
    pub value: Value,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Members in the order of the text, each with the place of its key.
    Object(Vec<(String, Range<usize>, Node)>),
    /// Elements.
    Array(Vec<Node>),
    /// A text.
    String(String),
    /// A number, `true`, `false` or `null`.
    Other(serde_json::Value),
}

impl Node {
    /// The members, if it is an object.
    pub fn members(&self) -> Option<&[(String, Range<usize>, Self)]> {
        if let Value::Object(members) = &self.value { Some(members) } else { None }
    }

    /// The elements, if it is a list.
    pub fn elements(&self) -> Option<&[Self]> {
        if let Value::Array(elements) = &self.value { Some(elements) } else { None }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        if let Value::String(text) = &self.value { Some(text) } else { None }
    }

    /// The member `key` of an object. Of several with one name agents take the last.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.members()?.iter().rev().find(|(name, ..)| name == key).map(|(.., node)| node)
    }

    /// How often an object has the member `key`.
    pub fn count(&self, key: &str) -> usize {
        self.members().map_or(0, |members| members.iter().filter(|(name, ..)| name == key).count())
    }

    /// The same without places.
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

/// Deeper is nothing that a user wrote.
const DEPTH: usize = 100;

/// Reads a text that holds one value. A mark of the byte order before it is passed over.
pub fn parse(text: &str) -> Result<Node, SyntaxError> {
    let mut reader = Reader { text, at: 0 };
    reader.skip_mark();
    reader.blanks();
    let node = reader.value(0)?;
    reader.blanks();
    if reader.at < text.len() {
        return Err(reader.defect("nothing may follow the value"));
    }
    Ok(node)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
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

    fn blanks(&mut self) {
        while matches!(self.next(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn defect(&self, what: impl Into<String>) -> SyntaxError {
        SyntaxError::at(self.text, self.at, what)
    }

    /// What stands here instead of what is expected, in words.
    fn unexpected(&self, expected: &str) -> SyntaxError {
        let found = match self.rest().chars().next() {
            None => "the end of the file".to_owned(),
            Some('/') => "a comment, which agents do not read in this file,".to_owned(),
            Some(char) => format!("`{}`", sanitize::escape(char.encode_utf8(&mut [0; 4]))),
        };
        self.defect(format!("{found} stands where {expected} is expected"))
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
        self.blanks();
        if self.next() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            let start = self.at;
            if self.next() != Some(b'"') {
                return Err(self.unexpected("a name in quotes"));
            }
            let key = self.string()?;
            let place = start..self.at;
            self.blanks();
            if self.next() != Some(b':') {
                return Err(self.unexpected("`:`"));
            }
            self.at += 1;
            self.blanks();
            members.push((key, place, self.value(depth + 1)?));
            self.blanks();
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Object(members));
                }
                _ => return Err(self.unexpected("`,` or `}`")),
            }
            self.blanks();
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        self.at += 1;
        let mut elements = Vec::new();
        self.blanks();
        if self.next() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            self.blanks();
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::Array(elements));
                }
                _ => return Err(self.unexpected("`,` or `]`")),
            }
            self.blanks();
        }
    }

    /// A text with its quotes. What is between them is read by the JSON library.
    fn string(&mut self) -> Result<String, SyntaxError> {
        let bytes = self.text.as_bytes();
        let mut end = self.at + 1;
        loop {
            match bytes.get(end) {
                None | Some(b'\n') => return Err(self.defect("this text is not closed")),
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
            }
        }
        let literal = self.text.get(self.at..=end).unwrap_or_default();
        let text = serde_json::from_str(literal).map_err(|_| self.defect("this is no valid text"))?;
        self.at = end + 1;
        Ok(text)
    }

    fn scalar(&mut self) -> Result<Value, SyntaxError> {
        let rest = self.rest();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(rest.len());
        let literal = rest.get(..end).unwrap_or_default();
        let value =
            serde_json::from_str(literal).map_err(|_| self.defect(format!("`{literal}` is no value")))?;
        self.at += end;
        Ok(Value::Other(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_what_the_library_reads() {
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
    fn every_defect_has_its_place() {
        for (text, expected) in [
            ("", "line 1, column 1: the end of the file stands where a value is expected"),
            ("{\n  \"a\": 1,\n}", "line 3, column 1: `}` stands where a name in quotes is expected"),
            (
                "{\n  // why\n}",
                "line 2, column 3: a comment, which agents do not read in this file, stands where a name in quotes is expected",
            ),
            ("{\"ä\" 1}", "line 1, column 6: `1` stands where `:` is expected"),
            ("{\"a\": 1 \"b\": 2}", "line 1, column 9: `\"` stands where `,` or `}` is expected"),
            ("[1 2]", "line 1, column 4: `2` stands where `,` or `]` is expected"),
            ("{\"a\": nul}", "line 1, column 7: `nul` is no value"),
            ("{\"a\": 01}", "line 1, column 7: `01` is no value"),
            ("{\"a\": \"b\n\"}", "line 1, column 7: this text is not closed"),
            ("{\"a\": \"\\q\"}", "line 1, column 7: this is no valid text"),
            ("\"\\", "line 1, column 1: this text is not closed"),
            ("{} {}", "line 1, column 4: nothing may follow the value"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), expected, "{text}");
        }
        let deep = "[".repeat(10_000);
        assert!(parse(&deep).unwrap_err().what.contains("nested"));
    }

    #[test]
    fn of_two_members_of_one_name_the_last_counts() {
        let node = parse(r#"{"a": 1, "a": 2}"#).unwrap();
        assert_eq!(node.get("a").unwrap().to_json(), 2);
        assert_eq!(node.count("a"), 2);
    }
}
