//! Replaces secrets by tags, in text and in JSON.

use crate::{Encoding, Finding, Key, Scanner, document};
use serde_json::{Map, Value};

/// A scanner and a key: everything that a caller needs to clean a text.
#[derive(Clone, Debug)]
pub struct Redactor {
    scanner: Scanner,
    key: Key,
}

/// Returns a text with a tag in place of each secret of the built-in rules, and what was found in the original.
///
/// Every other byte stays, and a second call changes nothing.
pub fn redact(text: &str, key: &Key) -> (String, Vec<Finding>) {
    const BUILT_IN: Scanner = Scanner::new();
    let findings = BUILT_IN.scan(text.as_bytes());
    (replace(text, &findings, key), findings)
}

impl Redactor {
    /// A redactor that looks for what the scanner finds, and writes tags under a key.
    pub const fn new(scanner: Scanner, key: Key) -> Self {
        Self { scanner, key }
    }

    /// The scanner.
    pub const fn scanner(&self) -> &Scanner {
        &self.scanner
    }

    /// The tag that replaces a finding in its text.
    pub fn tag(&self, text: &[u8], finding: &Finding) -> String {
        self.key.tag(finding.kind.label(), text.get(finding.range.clone()).unwrap_or_default())
    }

    /// Returns a text with a tag in place of each secret, and what was found in the original.
    pub fn text(&self, text: &str) -> (String, Vec<Finding>) {
        let findings = self.scanner.scan(text.as_bytes());
        (replace(text, &findings, &self.key), findings)
    }

    /// Returns a file with a tag in place of each of its values, by the form that its name tells, and what was hidden. A file of
    /// another name is a text: only what the scanner finds in it is hidden.
    pub fn file(&self, path: &str, text: &str) -> (String, Vec<Finding>) {
        let findings = document::hidden(&self.scanner, path, text);
        (replace(text, &findings, &self.key), findings)
    }

    /// Returns whether [`file`](Self::file) knows the form of a file of this name.
    pub fn has_form(path: &str) -> bool {
        document::has_form(path)
    }

    /// Replaces the secrets in the strings of a value, at any depth, and returns how many there were.
    ///
    /// The name of a member counts for its string: `{"password": "…"}` has a password like `password = "…"`. Names of members are
    /// strings, too.
    pub fn json(&self, value: &mut Value) -> usize {
        self.json_where(value, &|_, _| true)
    }

    /// Replaces those secrets in the strings of a value that `counts` says so about, which gets the string and the finding in it.
    pub fn json_where(&self, value: &mut Value, counts: &dyn Fn(&str, &Finding) -> bool) -> usize {
        let mut count = 0;
        // A list of what is left, and no recursion: a value may be nested deeper than the stack.
        let mut left = vec![value];
        while let Some(value) = left.pop() {
            match value {
                Value::String(text) => count += self.string(None, text, counts),
                Value::Array(items) => left.extend(items),
                Value::Object(members) => {
                    count += self.names(members, counts);
                    for (name, value) in members.iter_mut() {
                        match value {
                            Value::String(text) => count += self.string(Some(name), text, counts),
                            other => left.push(other),
                        }
                    }
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        count
    }

    fn string(
        &self,
        name: Option<&str>,
        text: &mut String,
        counts: &dyn Fn(&str, &Finding) -> bool,
    ) -> usize {
        let mut findings = self.scanner.scan(text.as_bytes());
        if findings.is_empty()
            && let Some(kind) = name.and_then(|name| crate::generic::of_member(name, text))
        {
            findings.push(Finding { range: 0..text.len(), kind, encoding: Encoding::Plain, number: None });
        }
        findings.retain(|finding| counts(text, finding));
        if !findings.is_empty() {
            *text = replace(text, &findings, &self.key);
        }
        findings.len()
    }

    fn names(&self, members: &mut Map<String, Value>, counts: &dyn Fn(&str, &Finding) -> bool) -> usize {
        let found = |name: &str| {
            let mut findings = self.scanner.scan(name.as_bytes());
            findings.retain(|finding| counts(name, finding));
            findings
        };
        let count = members.keys().map(|name| found(name).len()).sum();
        if count > 0 {
            let old = std::mem::take(members);
            members.extend(
                old.into_iter().map(|(name, value)| (replace(&name, &found(&name), &self.key), value)),
            );
        }
        count
    }
}

/// Returns a text with a tag in place of each finding.
fn replace(text: &str, findings: &[Finding], key: &Key) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut at = 0;
    for finding in findings {
        // A finding that ends within a character is widened to it: no part of a secret stays.
        let (start, end) = (floor(text, finding.range.start).max(at), ceil(text, finding.range.end));
        let (Some(between), Some(value)) = (text.get(at..start), text.get(start..end)) else { continue };
        redacted.push_str(between);
        redacted.push_str(&key.tag(finding.kind.label(), value.as_bytes()));
        at = end;
    }
    redacted.push_str(text.get(at..).unwrap_or_default());
    redacted
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}
