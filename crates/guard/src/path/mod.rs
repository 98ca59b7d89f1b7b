//! Resolves paths, and classifies what is there.
//!
//! A path is a list of steps, some of which may be patterns or unknown. It is resolved as the call would do it:
//! against its working directory, through `..`, `~` and the links on disk. Then [`zone`] says where it is and
//! [`mod@tags`] what it is.

mod spelling;
mod steps;
mod tags;
mod zone;

pub(crate) use steps::PathPattern;
pub(crate) use steps::Segment;
pub(crate) use tags::{Pattern, TagTable, tags};
pub(crate) use zone::Names;
pub(crate) use zone::Roots;
pub use zone::is_temporary;

use crate::{
    vocabulary::{Tags, Zone},
    world::World,
};

/// A place that an effect is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedPath {
    /// The absolute path, as far as it is known: patterns as written, `…` for what is unknown.
    pub path: String,
    /// Its zone.
    pub zone: Zone,
    /// Its tags.
    pub tags: Tags,
    /// The part of it that is meant.
    pub reach: Reach,
}

/// The part of a place that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The thing itself.
    Itself,
    /// Everything in a directory.
    Contents,
    /// The entries that a pattern matches.
    Some,
}

/// Tells if a link at the end of a path is followed: by what writes or reads, not by what deletes or moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkPolicy {
    /// The link leads to what is meant.
    Follow,
    /// The link itself is meant.
    Keep,
}

/// Returns the zone and the tags of a path, without a look at the disk.
pub(crate) fn classify(steps: &PathPattern, roots: &Roots) -> (Zone, Tags) {
    (zone::zone(steps, roots), tags(steps, roots))
}

/// Finds out where a path leads.
pub(crate) fn locate(
    steps: &PathPattern,
    roots: &Roots,
    last: LinkPolicy,
    world: &dyn World,
) -> ResolvedPath {
    // `/dev/stdin` is a link to whatever that is at the moment, and what is meant is its name.
    let steps = if zone::is_nowhere(steps) { steps.clone() } else { steps.follow_links(last, world) };
    let (steps, folds) = spelling::as_usual(steps, roots, world);
    let zone = zone::zone(&steps, roots);
    let tags = if folds { tags(&steps, roots).and(tags::folded(&steps, roots)) } else { tags(&steps, roots) };
    let reach = match steps.steps.last() {
        Some(Segment::Pattern(pattern)) if steps::matches_all(pattern) => Reach::Contents,
        Some(Segment::Pattern(_) | Segment::Unknown) => Reach::Some,
        Some(Segment::Name(_)) | None => Reach::Itself,
    };
    ResolvedPath { path: steps.to_string(), zone, tags, reach }
}
