//! The things that a call would take away, for a caller that keeps them before it runs.

use crate::{
    effect::{Effect, Target},
    eval::searched_directory,
    judge::{CallContext, Judgement, roots},
    path::{PathPattern, Roots, classify},
    vocabulary::{Tags, Zone},
    world::World,
};
use checkrein_git::Question;
use std::path::PathBuf;

/// Something that a call would take away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The effect that takes it: an index into [`Judgement::effects`].
    pub effect: usize,
    /// True if all of it is on the disk now, at the paths of the effect. Otherwise something in the call may put more there first, or
    /// the paths are not known.
    pub exact: bool,
    /// True if it is among the files below a directory, and only the run finds out which.
    pub searched: bool,
    /// The questions for git about it; for a name, its repository. One of them is `None` if something leads git elsewhere.
    pub questions: Vec<Option<Question>>,
}

impl Judgement {
    /// Returns true if every finding is of a built-in rule about something that can be restored, and no configuration made
    /// that rule stricter.
    pub fn is_recoverable(&self) -> bool {
        !self.findings.is_empty()
            && self.findings.iter().all(|finding| {
                finding.rule.recoverable && finding.raised.is_none() && finding.in_file.is_none()
            })
    }

    /// Returns the effects that some finding is about, by their index.
    pub fn objected(&self) -> Vec<usize> {
        let is_about = |place: &usize| {
            self.effects.get(*place).is_some_and(|effect| {
                let by = self.ran.get(effect.by);
                self.findings.iter().any(|finding| finding.rule.is_about(effect, by))
            })
        };
        (0..self.effects.len()).filter(is_about).collect()
    }
}

impl Loss {
    /// Returns the directory below which everything is that the effect of a search takes.
    pub fn searched_in<'e>(&self, effect: &'e Effect) -> Option<&'e str> {
        match &effect.target {
            Target::Path(spot) if self.searched => searched_directory(&spot.path),
            _ => None,
        }
    }
}

/// The places of a call: what any path means to the rules.
pub struct Places {
    roots: Roots,
    home: Option<PathBuf>,
}

impl std::fmt::Debug for Places {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Places").finish_non_exhaustive()
    }
}

impl Places {
    /// The places of a call.
    pub fn new(place: &CallContext, world: &dyn World) -> Self {
        Self { roots: roots(place, world), home: world.home().map(PathBuf::from) }
    }

    /// Returns the home directory.
    pub fn home(&self) -> Option<PathBuf> {
        self.home.clone()
    }

    /// Returns the zone and the tags of an absolute path without links.
    pub fn of(&self, path: &str) -> (Zone, Tags) {
        classify(&PathPattern::of(path), &self.roots)
    }
}
