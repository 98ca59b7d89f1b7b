//! The scan of a text: candidates from the prefilter, each confirmed exactly.

use crate::{
    encoded, generic,
    known::Known,
    pattern::Patterns,
    placeholder::{is_documented, is_placeholder, is_reference},
    prefilter,
    shape::{self, Matched},
    tables::{self, Class, Kind, Shape, Target},
    terminal, wrapped,
};
use std::ops::Range;

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The place of the secret, in bytes of the text.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: Kind,
    /// The encoding that it is written in.
    pub encoding: Encoding,
    /// The number of the pattern or of the known value, for these kinds.
    pub number: Option<usize>,
}

/// The encoding of a secret in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Encoding {
    /// As it is.
    Plain,
    /// With line breaks in it.
    Wrapped,
    /// With escapes of URLs, of JSON or of a terminal.
    Escaped,
    /// In base64.
    Base64,
    /// In hexadecimal.
    Hex,
    /// In UTF-16.
    Utf16,
}

impl Encoding {
    /// The name of the encoding in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Wrapped => "wrapped",
            Self::Escaped => "escaped",
            Self::Base64 => "base64",
            Self::Hex => "hex",
            Self::Utf16 => "utf16",
        }
    }
}

/// A finding of a rule, before overlaps are settled.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) kind: Kind,
    pub(crate) range: Range<usize>,
    pub(crate) encoding: Encoding,
    pub(crate) number: Option<usize>,
}

impl Found {
    pub(crate) const fn new(kind: Kind, range: Range<usize>) -> Self {
        Self { kind, range, encoding: Encoding::Plain, number: None }
    }

    pub(crate) const fn of(kind: Kind, range: Range<usize>, number: usize) -> Self {
        Self { kind, range, encoding: Encoding::Plain, number: Some(number) }
    }
}

/// A scanner: the built-in rules, and what a user adds to them.
#[derive(Clone, Debug, Default)]
pub struct Scanner {
    patterns: Option<Patterns>,
    known: Option<Known>,
}

impl Scanner {
    /// The built-in rules alone. This does no work.
    pub const fn new() -> Self {
        Self { patterns: None, known: None }
    }

    /// Adds patterns of the configuration.
    #[must_use]
    pub fn with_patterns(self, patterns: Patterns) -> Self {
        Self { patterns: Some(patterns), ..self }
    }

    /// Adds values that are known to be secret.
    #[must_use]
    pub fn with_known(self, known: Known) -> Self {
        Self { known: Some(known), ..self }
    }

    /// Returns whether the value with this name is expected to be secret: `DB_PASSWORD`, `apiToken`.
    pub fn is_secret_name(name: &str) -> bool {
        /// The longest name of a variable or a member.
        const LONGEST: usize = 80;
        name.len() <= LONGEST && crate::names::promise(&crate::names::words(name.as_bytes())).is_some()
    }

    /// Finds the secrets in a text, in order and without overlaps.
    pub fn scan(&self, text: &[u8]) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut add = |one| found.push(one);
        let all = |text: &[u8], add: &mut dyn FnMut(Found)| {
            candidates(text, self.patterns.as_ref(), add);
            if let Some(known) = &self.known {
                known.scan(text, add);
            }
        };
        all(text, &mut add);
        encoded::scan(text, &mut add);
        terminal::scan(text, all, &mut add);
        settle(text, found)
    }

    /// The name of what a finding is: of its kind, of the pattern, or of the known value.
    pub fn name<'s>(&'s self, finding: &Finding) -> &'s str {
        let number = finding.number.unwrap_or(usize::MAX);
        let own = match finding.kind {
            tables::OWN_PATTERN => self.patterns.as_ref().and_then(|patterns| patterns.name(number)),
            tables::KNOWN_VALUE => self.known.as_ref().and_then(|known| known.name(number)),
            _ => None,
        };
        own.unwrap_or_else(|| finding.kind.name())
    }
}

/// Finds the secrets in a text by the built-in rules, in order and without overlaps.
pub fn scan(text: &[u8]) -> Vec<Finding> {
    const BUILT_IN: Scanner = Scanner::new();
    BUILT_IN.scan(text)
}

/// Finds the secrets in a text, and calls `also` with every position that is the anchor of a rule: one pass for two purposes.
pub(crate) fn scan_and(text: &[u8], also: &mut dyn FnMut(Target, usize)) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |one| found.push(one);
    anchored(text, None, &mut add, also);
    encoded::scan(text, &mut add);
    terminal::scan(text, |plain, add| candidates(plain, None, add), &mut add);
    settle(text, found)
}

/// Counts the positions that the prefilter lets through, to measure it.
pub fn count_candidates(text: &[u8]) -> usize {
    let mut count = 0;
    prefilter::positions(text, &tables::GRAM_BITS, |_, _| count += 1);
    count
}

pub(crate) fn candidates(text: &[u8], patterns: Option<&Patterns>, found: &mut dyn FnMut(Found)) {
    anchored(text, patterns, found, &mut |_, _| {});
}

fn anchored(
    text: &[u8],
    patterns: Option<&Patterns>,
    found: &mut dyn FnMut(Found),
    also: &mut dyn FnMut(Target, usize),
) {
    let mut found = |one| found(one);
    let mut after_name = 0;
    let bits = patterns.map_or(&tables::GRAM_BITS, Patterns::bits);
    prefilter::positions(text, bits, |at, hash| {
        tables::anchors(text, at, hash, |target, start| {
            also(target, start);
            match target {
                Target::Shape(shape) => at_shape(text, start, shape, &mut found),
                Target::Name if start >= after_name => after_name = generic::at_name(text, start, &mut found),
                Target::Name => {}
                Target::Url => generic::at_url(text, start, &mut found),
            }
        });
        if let Some(patterns) = patterns {
            patterns.at(text, at, hash, &mut found);
        }
    });
}

fn at_shape(text: &[u8], at: usize, shape: &Shape, found: &mut impl FnMut(Found)) {
    match shape::at(text, at, shape) {
        Some(matched) if confirm(text, &matched, shape, found) => {}
        _ => wrapped::at(text, at, shape, found),
    }
}

/// Applies the check of a kind and what holds for every kind. Returns whether the value is one.
pub(crate) fn confirm(text: &[u8], matched: &Matched, shape: &Shape, found: &mut impl FnMut(Found)) -> bool {
    let kind = shape.kind();
    let (check, argument) = kind.check();
    let Some(passed) = check.pass(argument, text, matched) else { return false };
    if kind.class() != Class::Checksum {
        // The prefix is the vendor's; what follows it should be random.
        let anchor = shape.after().first().map_or(0, |op| usize::from(op.max));
        let body = if shape.before().is_empty() { matched.whole.start + anchor } else { matched.whole.start };
        let body = text.get(body.max(passed.hidden.start)..passed.hidden.end).unwrap_or_default();
        let whole = text.get(matched.whole.clone()).unwrap_or_default();
        if is_placeholder(body) || is_documented(whole) || is_reference(body) {
            return false;
        }
    }
    found(Found::new(kind, passed.hidden));
    if let Some(other) = passed.other {
        found(Found::new(tables::AWS_SECRET_KEY_OF_PAIR, other));
    }
    true
}

/// Puts findings in order, and keeps the surest and then the longest of those that overlap.
fn settle(text: &[u8], mut found: Vec<Found>) -> Vec<Finding> {
    found.retain(|one| {
        let is_sure = one.kind.class() == Class::Checksum || one.number.is_some();
        !one.range.is_empty() && (is_sure || !text.get(one.range.clone()).is_some_and(is_documented))
    });
    found.sort_by_key(|one| {
        (
            std::cmp::Reverse(one.kind.class()),
            std::cmp::Reverse(one.range.len()),
            one.range.start,
            one.encoding,
            one.kind,
        )
    });
    let mut kept: Vec<Finding> = Vec::new();
    for Found { kind, range, encoding, number } in found {
        // Kept findings do not overlap, so that only the neighbours in order can.
        let at = kept.partition_point(|other| other.range.start < range.start);
        let overlaps = |other: Option<&Finding>| {
            other.is_some_and(|other| other.range.start < range.end && range.start < other.range.end)
        };
        let before = at.checked_sub(1).and_then(|at| kept.get(at));
        if !overlaps(before) && !overlaps(kept.get(at)) {
            kept.insert(at, Finding { range, kind, encoding, number });
        }
    }
    kept
}
