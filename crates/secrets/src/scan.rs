//! The scan of a text: candidates from the prefilter, each confirmed exactly.

use crate::{
    generic,
    placeholder::{is_documented, is_placeholder, is_reference},
    prefilter, shape,
    tables::{self, Class, Kind, Shape, Target},
};
use std::ops::Range;

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where the secret is, in bytes of the text.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: Kind,
}

/// What a rule has found, before overlaps are settled.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) kind: Kind,
    pub(crate) range: Range<usize>,
}

impl Found {
    pub(crate) const fn new(kind: Kind, range: Range<usize>) -> Self {
        Self { kind, range }
    }
}

/// Finds the secrets in a text by the built-in rules, in order and without overlaps.
pub fn scan(text: &[u8]) -> Vec<Finding> {
    let mut found = Vec::new();
    candidates(text, &mut |one| found.push(one));
    settle(text, found)
}

/// Counts the positions that the prefilter lets through, to measure it.
pub fn count_candidates(text: &[u8]) -> usize {
    let mut count = 0;
    prefilter::positions(text, &tables::GRAM_BITS, |_, _| count += 1);
    count
}

pub(crate) fn candidates(text: &[u8], found: &mut impl FnMut(Found)) {
    let mut after_name = 0;
    prefilter::positions(text, &tables::GRAM_BITS, |at, hash| {
        tables::anchors(text, at, hash, |target, start| match target {
            Target::Shape(shape) => at_shape(text, start, shape, found),
            Target::Name if start >= after_name => after_name = generic::at_name(text, start, found),
            Target::Name => {}
            Target::Url => generic::at_url(text, start, found),
        });
    });
}

fn at_shape(text: &[u8], at: usize, shape: &Shape, found: &mut impl FnMut(Found)) {
    let Some(matched) = shape::at(text, at, shape) else { return };
    let kind = shape.kind();
    let (check, argument) = kind.check();
    let Some(passed) = check.pass(argument, text, &matched) else { return };
    if kind.class() != Class::Checksum {
        // The prefix is the vendor's; what follows it should be random.
        let anchor = shape.after().first().map_or(0, |op| usize::from(op.max));
        let body = if shape.before().is_empty() { matched.whole.start + anchor } else { matched.whole.start };
        let body = text.get(body.max(passed.hidden.start)..passed.hidden.end).unwrap_or_default();
        let whole = text.get(matched.whole.clone()).unwrap_or_default();
        if is_placeholder(body) || is_documented(whole) || is_reference(body) {
            return;
        }
    }
    found(Found::new(kind, passed.hidden));
    if let Some(other) = passed.other {
        found(Found::new(tables::AWS_SECRET_KEY_OF_PAIR, other));
    }
}

/// Puts findings in order, and keeps the surest and then the longest of those that overlap.
pub(crate) fn settle(text: &[u8], mut found: Vec<Found>) -> Vec<Finding> {
    found.retain(|one| {
        !one.range.is_empty()
            && (one.kind.class() == Class::Checksum
                || !text.get(one.range.clone()).is_some_and(is_documented))
    });
    found.sort_by_key(|one| {
        (std::cmp::Reverse(one.kind.class()), std::cmp::Reverse(one.range.len()), one.range.start, one.kind)
    });
    let mut kept: Vec<Finding> = Vec::new();
    for Found { kind, range } in found {
        // Kept findings do not overlap, so that only the neighbours in order can.
        let at = kept.partition_point(|other| other.range.start < range.start);
        let overlaps = |other: Option<&Finding>| {
            other.is_some_and(|other| other.range.start < range.end && range.start < other.range.end)
        };
        let before = at.checked_sub(1).and_then(|at| kept.get(at));
        if !overlaps(before) && !overlaps(kept.get(at)) {
            kept.insert(at, Finding { range, kind });
        }
    }
    kept
}
