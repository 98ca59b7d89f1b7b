//! Tags paths by the patterns of `data/paths.toml`.
//!
//! A path is compared with the few patterns whose first step can be one of its own: the tables are sorted by it.

use super::{PathPattern, Roots, Segment};
use crate::{
    data::{HOME_TAGS, NAME_TAGS, ROOT_TAGS},
    glob, ours,
    vocabulary::{Tag, Tags},
};

/// A pattern of paths.
pub(crate) struct Pattern {
    /// The steps; `**` matches any number of them.
    pub(crate) steps: &'static [&'static str],
    /// It takes back what others say.
    pub(crate) not: bool,
}

/// Patterns that start at the same place, by their first step.
pub(crate) struct TagTable {
    /// Sorted. `*.ext` is here as `.ext`: an ending is looked up like a name.
    pub(crate) exact: &'static [(&'static str, Tag, Pattern)],
    pub(crate) globs: &'static [(&'static str, Tag, Pattern)],
}

/// Returns the tags of a path. Below a directory that a variable moves it has those of the usual place.
pub(crate) fn tags(steps: &PathPattern, roots: &Roots) -> Tags {
    let usual = roots.moved.iter().filter_map(|(actual, usual)| {
        let rest = steps.below(actual)?;
        Some(named(&usual.clone().join(rest.iter().cloned(), false), roots))
    });
    let tags = usual.fold(named(steps, roots), Tags::and);
    // Our own tag is more specific.
    if tags.has(Tag::Checkrein) { tags.without(Tag::Agent) } else { tags }
}

/// Returns the tags of a path where names are compared without regard to case: it is compared with every pattern.
pub(super) fn folded(steps: &PathPattern, roots: &Roots) -> Tags {
    let reduced = |step: &Segment| match step {
        Segment::Name(name) => Segment::Name(ours::reduced(name).into()),
        Segment::Pattern(pattern) => Segment::Pattern(ours::reduced(pattern).into()),
        Segment::Unknown => Segment::Unknown,
    };
    let (mut are, mut not) = (Tags::NONE, Tags::NONE);
    let mut look = |table: &TagTable, steps: &[Segment]| {
        let steps: Vec<Segment> = steps.iter().map(reduced).collect();
        for (_, tag, pattern) in table.exact.iter().chain(table.globs) {
            let words: Vec<_> = pattern.steps.iter().map(|word| ours::reduced(word)).collect();
            let words: Vec<&str> = words.iter().map(|word| &**word).collect();
            if matches(&steps, &words) {
                if pattern.not { not = not.with(*tag) } else { are = are.with(*tag) }
            }
        }
    };
    if let Some(rest) = roots.home.as_ref().and_then(|home| steps.below(home)) {
        look(&HOME_TAGS, rest);
    }
    look(&ROOT_TAGS, &steps.steps);
    for start in 0..steps.steps.len() {
        look(&NAME_TAGS, steps.steps.get(start..).unwrap_or_default());
    }
    for (actual, usual) in &roots.moved {
        if let Some((rest, home)) = steps.below(actual).zip(roots.home.as_ref()) {
            let usual = usual.clone().join(rest.iter().cloned(), false);
            look(&HOME_TAGS, usual.below(home).unwrap_or_default());
        }
    }
    not.iter().fold(are, Tags::without)
}

/// Returns the tags of a path by its names.
fn named(steps: &PathPattern, roots: &Roots) -> Tags {
    let (mut are, mut not) = (Tags::NONE, Tags::NONE);
    let mut look = |table: &TagTable, steps: &[Segment]| {
        for (tag, pattern) in table.candidates(steps) {
            if matches(steps, pattern.steps) {
                if pattern.not {
                    // A pattern of the command may name more than what is taken back.
                    if matches!(steps.last(), Some(Segment::Name(_))) {
                        not = not.with(tag);
                    }
                } else {
                    are = are.with(tag);
                }
            }
        }
    };
    if let Some(rest) = roots.home.as_ref().and_then(|home| steps.below(home)) {
        look(&HOME_TAGS, rest);
    }
    if steps.absolute {
        look(&ROOT_TAGS, &steps.steps);
    }
    // Patterns of names are those of files; a directory is named.
    let last = steps.steps.len().saturating_sub(1);
    for start in 0..steps.steps.len() {
        let table = if start == last { &NAME_TAGS } else { &TagTable { exact: NAME_TAGS.exact, globs: &[] } };
        look(table, steps.steps.get(start..).unwrap_or_default());
    }
    not.iter().fold(are, Tags::without)
}

impl TagTable {
    /// The patterns whose first step may be that of a path.
    fn candidates<'a>(&'a self, steps: &'a [Segment]) -> impl Iterator<Item = (Tag, &'a Pattern)> {
        let (mut endings, mut covered): (&[_], &[_]) = (&[], &[]);
        let (exact, globs): (&[_], &[_]) = match steps.first() {
            Some(Segment::Name(name)) => {
                endings = ending(name).map(|ending| self.keyed(ending)).unwrap_or_default();
                (self.keyed(name), self.globs)
            }
            // A pattern may be many names: those that begin as it does.
            // One that begins with a `*` names an ending, and never a hidden file: it is one of the patterns, or none.
            Some(Segment::Pattern(pattern)) if pattern.starts_with('*') => {
                endings = ending(pattern).map(|ending| self.keyed(ending)).unwrap_or_default();
                // `*.py*` is more than one ending, and what people write is among them.
                let begins = ending(pattern).and_then(|ending| ending.split(['*', '?', '[']).next());
                covered = begins
                    .filter(|begins| begins.len() > 1)
                    .map(|begins| self.beginning(begins))
                    .unwrap_or_default();
                let same = self.globs.iter().position(|(first, ..)| *first == &**pattern);
                (&[], same.and_then(|place| self.globs.get(place..=place)).unwrap_or_default())
            }
            Some(Segment::Pattern(pattern)) => {
                let prefix = pattern.split(['*', '?', '[']).next().unwrap_or_default();
                (self.beginning(prefix), &[])
            }
            Some(Segment::Unknown) | None => (&[], &[]),
        };
        let written = covered.iter().filter(|(_, tag, _)| *tag == Tag::Source);
        exact.iter().chain(endings).chain(globs).chain(written).map(|(_, tag, pattern)| (*tag, pattern))
    }

    /// The patterns whose first step begins so.
    fn beginning(&self, prefix: &str) -> &[(&'static str, Tag, Pattern)] {
        let start = self.exact.partition_point(|(first, ..)| *first < prefix);
        let rest = self.exact.get(start..).unwrap_or_default();
        let length = rest.partition_point(|(first, ..)| first.starts_with(prefix));
        rest.get(..length).unwrap_or_default()
    }

    fn keyed(&self, key: &str) -> &[(&'static str, Tag, Pattern)] {
        let start = self.exact.partition_point(|(first, ..)| *first < key);
        let rest = self.exact.get(start..).unwrap_or_default();
        let length = rest.iter().take_while(|(first, ..)| *first == key).count();
        rest.get(..length).unwrap_or_default()
    }
}

/// The ending of a name that has something before it.
fn ending(name: &str) -> Option<&str> {
    name.rfind('.').filter(|dot| *dot > 0).and_then(|dot| name.get(dot..))
}

/// Returns true if a path matches a pattern from its start. `x/**` is `x` and everything in it.
pub(super) fn matches(steps: &[Segment], pattern: &[&str]) -> bool {
    match (pattern.split_first(), steps.split_first()) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some((&"**", [])), _) => true,
        (Some((&"**", rest)), _) => {
            (0..=steps.len()).any(|skip| steps.get(skip..).is_some_and(|steps| matches(steps, rest)))
        }
        (Some(_), None) => false,
        (Some((pattern, patterns)), Some((step, steps))) => {
            let fits = match step {
                Segment::Name(name) => glob::matches(pattern, name),
                // `id_*` may well be `id_rsa`; a bare `*` counts as everything elsewhere.
                Segment::Pattern(own) => {
                    let end = own.rsplit(['*', '?', ']']).next().unwrap_or_default();
                    pattern.ends_with(end)
                        && own.chars().any(char::is_alphanumeric)
                        && glob::matches(own, pattern)
                }
                Segment::Unknown => false,
            };
            fits && matches(steps, patterns)
        }
    }
}
