//! The rules, as `build.rs` has compiled them: numbers only, so that a program that starts has nothing to load or adjust.

use crate::{
    check::Check,
    gram::{self, BITS},
};

/// A piece of one of the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    at: u16,
    length: u16,
}

/// The confidence in a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The name of the value says so, and the value is rare.
    Generic,
    /// The value has the prefix and the structure that a vendor gives it.
    Prefix,
    /// The value has a checksum that is correct.
    Checksum,
}

impl Class {
    /// The name of the class in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Prefix => "prefix",
            Self::Checksum => "checksum",
        }
    }
}

#[derive(Debug)]
struct KindRow {
    name: Slice,
    label: u16,
    class: Class,
    check: Check,
    argument: Slice,
    left: bool,
    hosts: Slice,
}

/// One step of a shape: a literal, or a run of bytes of a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    /// The number of the class, or [`LITERAL`].
    pub(crate) class: u8,
    /// The least length, or where the literal is.
    pub(crate) min: u16,
    /// The greatest length, or the length of the literal. [`u16::MAX`] has no limit.
    pub(crate) max: u16,
}

/// The class of an [`Op`] that is a literal.
pub(crate) const LITERAL: u8 = u8::MAX;

#[derive(Debug)]
pub(crate) struct Shape {
    kind: u16,
    before: Slice,
    after: Slice,
    /// The first of the steps from the anchor on that is hidden; 0 for everything.
    pub(crate) hide: u8,
}

/// A literal that the search starts at.
#[derive(Debug)]
struct Anchor {
    literal: Slice,
    /// The position of its gram in the literal.
    gram_at: u8,
    fold: bool,
    /// The number of a shape, or one of [`NAME`] and [`URL`].
    target: u16,
}

#[derive(Debug)]
struct Named {
    words: Slice,
    shape: u16,
}

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

const NAME: u16 = u16::MAX - 1;
const URL: u16 = u16::MAX;

/// The thing that an anchor leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// A value of this shape; the anchor is a part of it.
    Shape(&'static Shape),
    /// The name of something secret.
    Name,
    /// The `://` of a URL.
    Url,
}

/// A kind of secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(u16);

impl Kind {
    /// Every kind of the built-in rules.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KINDS.len()).filter_map(|index| u16::try_from(index).ok()).map(Self)
    }

    fn row(self) -> Option<&'static KindRow> {
        KINDS.get(usize::from(self.0))
    }

    /// The name of the kind in reports: `github-pat-classic`.
    pub fn name(self) -> &'static str {
        self.row().map_or("", |row| text(row.name))
    }

    /// The name of the kind in tags, which related kinds share: `github_token`.
    pub fn label(self) -> &'static str {
        self.row().and_then(|row| LABELS.get(usize::from(row.label))).map_or("", |label| text(*label))
    }

    /// The confidence in a finding of this kind.
    pub fn class(self) -> Class {
        self.row().map_or(Class::Generic, |row| row.class)
    }

    /// The hosts that a value of this kind may be sent to, as far as they are the same for every user: `*.slack.com`.
    pub fn hosts(self) -> impl Iterator<Item = &'static str> {
        self.row().map_or("", |row| text(row.hosts)).split(' ').filter(|host| !host.is_empty())
    }

    pub(crate) fn check(self) -> (Check, &'static str) {
        self.row().map_or((Check::None, ""), |row| (row.check, text(row.argument)))
    }

    /// Returns whether a value of this kind may begin in the middle of a word.
    pub(crate) fn begins_anywhere(self) -> bool {
        self.row().is_some_and(|row| row.left)
    }
}

impl Shape {
    pub(crate) const fn kind(&self) -> Kind {
        Kind(self.kind)
    }

    /// The steps before the anchor, in backward order.
    pub(crate) fn before(&self) -> &'static [Op] {
        slice(&OPS, self.before)
    }

    /// The anchor, and what comes after it.
    pub(crate) fn after(&self) -> &'static [Op] {
        slice(&OPS, self.after)
    }
}

/// Returns the labels that tags have.
pub(crate) fn labels() -> impl Iterator<Item = &'static str> {
    LABELS.iter().map(|label| text(*label))
}

/// Returns the shapes of a kind.
#[cfg(feature = "sample")]
pub(crate) fn shapes(kind: Kind) -> impl Iterator<Item = &'static Shape> {
    SHAPES.iter().filter(move |shape| shape.kind() == kind)
}

/// Returns the kinds that are told by the name of a value, with the words of such names and the shape of the value.
pub(crate) fn named() -> impl Iterator<Item = (&'static str, &'static Shape)> {
    NAMED.iter().filter_map(|named| Some((text(named.words), SHAPES.get(usize::from(named.shape))?)))
}

/// Returns whether a byte is of a class.
#[inline]
pub(crate) fn is_in(class: u8, byte: u8) -> bool {
    CLASS_BITS.get(usize::from(byte)).is_some_and(|bits| bits >> (class & 31) & 1 == 1)
}

/// Returns the literal of a step.
pub(crate) fn literal(op: Op) -> &'static [u8] {
    text(Slice { at: op.min, length: op.max }).as_bytes()
}

/// The words of the table of grams, with one bit for each hash.
pub(crate) const WORDS: usize = BITS / 64;

/// Calls `found` with what each anchor whose gram is at `at` leads to, and where that anchor begins.
pub(crate) fn anchors(text: &[u8], at: usize, hash: u32, mut found: impl FnMut(Target, usize)) {
    let bucket = gram::bucket(hash);
    let (Some(&from), Some(&to)) = (HEADS.get(bucket), HEADS.get(bucket + 1)) else { return };
    for &(entry, anchor) in ENTRIES.get(usize::from(from)..usize::from(to)).unwrap_or_default() {
        let Some(anchor) = ANCHORS.get(usize::from(anchor)).filter(|_| entry == hash) else { continue };
        let literal = self::text(anchor.literal).as_bytes();
        let Some(start) = at.checked_sub(usize::from(anchor.gram_at)) else { continue };
        let Some(here) = text.get(start..start + literal.len()) else { continue };
        if here != literal && !(anchor.fold && here.eq_ignore_ascii_case(literal)) {
            continue;
        }
        match anchor.target {
            NAME => found(Target::Name, start),
            URL => found(Target::Url, start),
            shape => {
                if let Some(shape) = SHAPES.get(usize::from(shape)) {
                    found(Target::Shape(shape), start);
                }
            }
        }
    }
}

fn text(slice: Slice) -> &'static str {
    let at = usize::from(slice.at);
    BYTES.get(at..at + usize::from(slice.length)).unwrap_or_default()
}

fn slice<T>(of: &'static [T], slice: Slice) -> &'static [T] {
    let at = usize::from(slice.at);
    of.get(at..at + usize::from(slice.length)).unwrap_or_default()
}
