//! Patterns of the configuration, which join the scan of the built-in rules.
//!
//! A pattern is searched for by a literal that it cannot match without, in the same pass as everything else; its regular
//! expression runs only on the line around that literal. So a thousand patterns cost as much as ten. A pattern matches within one
//! line, at most [`REACH`] bytes from its literal.

use crate::{
    gram,
    prefilter::Bits,
    scan::Found,
    tables::{self, GRAM_BITS},
};
use regex_lite::Regex;
use std::{collections::HashMap, fmt, ops::Range};

/// The distance from its literal within which a pattern may match.
const REACH: usize = 4_096;

/// Patterns, ready to be searched for.
#[derive(Clone, Debug)]
pub struct Patterns {
    bits: Box<Bits>,
    patterns: Vec<Pattern>,
    /// The patterns whose literal has a gram with this hash.
    by_hash: HashMap<u32, Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Pattern {
    name: String,
    regex: Regex,
    literal: Vec<u8>,
    gram_at: usize,
}

/// The reason why a pattern cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// The expression is not valid.
    Invalid {
        /// The name of the pattern.
        name: String,
        /// The problem.
        problem: String,
    },
    /// The expression has no literal of four characters that every match has.
    NoLiteral {
        /// The name of the pattern.
        name: String,
    },
}

impl fmt::Display for PatternError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { name, problem } => write!(formatter, "pattern `{name}`: {problem}"),
            Self::NoLiteral { name } => write!(
                formatter,
                "pattern `{name}` has no literal text of at least four characters that every match has: add the prefix or the \
                 word that comes before the secret"
            ),
        }
    }
}

impl std::error::Error for PatternError {}

impl Patterns {
    /// Prepares patterns: names and regular expressions. A group called `secret` is what is hidden; without one it is the match.
    pub fn new<'p>(patterns: impl IntoIterator<Item = (&'p str, &'p str)>) -> Result<Self, PatternError> {
        let mut ready = Self { bits: Box::new(GRAM_BITS), patterns: Vec::new(), by_hash: HashMap::new() };
        for (name, expression) in patterns {
            let regex = Regex::new(expression).map_err(|error| PatternError::Invalid {
                name: name.to_owned(),
                problem: error.to_string(),
            })?;
            let literal = literal(expression).filter(|literal| literal.len() >= 4);
            let Some(literal) = literal else {
                return Err(PatternError::NoLiteral { name: name.to_owned() });
            };
            ready.add(Pattern { name: name.to_owned(), regex, gram_at: 0, literal: literal.into_bytes() });
        }
        Ok(ready)
    }

    fn add(&mut self, mut pattern: Pattern) {
        // Of the grams of the literal, the one that the fewest patterns share.
        let grams = pattern.literal.windows(4).enumerate();
        let hashes =
            grams.filter_map(|(at, gram)| Some((at, gram::hash(u32::from_le_bytes(gram.try_into().ok()?)))));
        let Some((at, hash)) = hashes
            .min_by_key(|(at, hash)| (self.by_hash.get(hash).map_or(0, Vec::len), std::cmp::Reverse(*at)))
        else {
            return;
        };
        pattern.gram_at = at;
        if let Some(word) = self.bits.get_mut((hash >> 6) as usize) {
            *word |= 1 << (hash & 63);
        }
        self.by_hash.entry(hash).or_default().push(self.patterns.len());
        self.patterns.push(pattern);
    }

    /// The name of a pattern, by its number.
    pub fn name(&self, number: usize) -> Option<&str> {
        self.patterns.get(number).map(|pattern| pattern.name.as_str())
    }

    /// The table of grams of the built-in rules and of these patterns.
    pub(crate) const fn bits(&self) -> &Bits {
        &self.bits
    }

    /// Looks at the patterns whose literal may be at `at`.
    pub(crate) fn at(&self, text: &[u8], at: usize, hash: u32, found: &mut impl FnMut(Found)) {
        for number in self.by_hash.get(&hash).into_iter().flatten() {
            let Some(pattern) = self.patterns.get(*number) else { continue };
            let Some(start) = at.checked_sub(pattern.gram_at) else { continue };
            let literal = text.get(start..start + pattern.literal.len());
            if !literal.is_some_and(|here| here.eq_ignore_ascii_case(&pattern.literal)) {
                continue;
            }
            let line = line_around(text, start);
            let Some(here) = text.get(line.clone()) else { continue };
            // Bytes that are not text can be in no match.
            let here = String::from_utf8_lossy(here);
            if here.len() != line.len() {
                continue;
            }
            for captures in pattern.regex.captures_iter(&here) {
                let Some(whole) = captures.name("secret").or_else(|| captures.get(0)) else { continue };
                found(Found::of(
                    tables::OWN_PATTERN,
                    line.start + whole.start()..line.start + whole.end(),
                    *number,
                ));
            }
        }
    }
}

fn line_around(text: &[u8], at: usize) -> Range<usize> {
    let before = text.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let after = text.get(at..).unwrap_or_default();
    let after = after.get(..REACH).unwrap_or(after);
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let end = after.iter().position(|byte| *byte == b'\n').unwrap_or(after.len());
    at - (before.len() - start)..at + end
}

/// The longest literal that every match of an expression has, as far as it is written outside groups and classes.
fn literal(expression: &str) -> Option<String> {
    let mut longest = String::new();
    let mut current = String::new();
    let mut depth = 0_usize;
    let mut chars = expression.chars().peekable();
    while let Some(char) = chars.next() {
        let mut plain = None;
        match char {
            '|' if depth == 0 => return None,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '[' => {
                // A class ends at the first bracket that is neither escaped nor its first member.
                let mut members = 0;
                while let Some(member) = chars.next() {
                    match member {
                        '\\' => drop(chars.next()),
                        ']' if members > 0 => break,
                        '^' if members == 0 => continue,
                        _ => {}
                    }
                    members += 1;
                }
            }
            '\\' => match chars.next() {
                // An escaped sign is itself; a boundary ends no literal before it but joins none either.
                Some(escaped) if !escaped.is_ascii_alphanumeric() => plain = Some(escaped),
                Some('x' | 'u' | 'p' | 'P') => return (longest.len() >= 4).then_some(longest),
                _ => {}
            },
            '.' | '^' | '$' => {}
            '{' => while chars.next_if(|char| *char != '}').is_some() {},
            '}' | '*' | '+' | '?' => {}
            other => plain = Some(other),
        }
        let optional = matches!(chars.peek(), Some('*' | '?' | '{'));
        match plain.filter(|plain| depth == 0 && plain.is_ascii() && !optional) {
            Some(plain) => current.push(plain),
            None => current.clear(),
        }
        if current.len() > longest.len() {
            longest.clone_from(&current);
        }
        if chars.peek() == Some(&'+') {
            current.clear();
        }
    }
    (!longest.is_empty()).then_some(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_in_every_match() {
        for (expression, expected) in [
            (r"\btoken17\b", Some("token17")),
            (r"acme_[a-z]{20}", Some("acme_")),
            (r"acme_?live_[0-9]+", Some("live_")),
            (r"(abcd|efgh)ijkl", Some("ijkl")),
            (r"abcd|efgh", None),
            (r"ab+cdef", Some("cdef")),
            (r"key=\$2b\$[./A-Za-z0-9]{53}", Some("key=$2b$")),
            (r"[]abc]defgh", Some("defgh")),
            (r"abcd{2}efg", Some("abc")),
        ] {
            assert_eq!(literal(expression).as_deref(), expected, "{expression}");
        }
    }

    #[test]
    fn a_pattern_without_a_literal_is_refused_with_what_to_do() {
        let error = Patterns::new([("any", "[a-z]{40}")]).unwrap_err();
        assert!(error.to_string().contains("at least four characters"), "{error}");
        assert!(matches!(Patterns::new([("bad", "(")]), Err(PatternError::Invalid { .. })));
    }
}
