//! A path as a list of steps.
//!
//! The same few directories are the beginning of every path of a call, and each command has its own list of them: steps are
//! shared, and copying a path copies none of its names.

use super::LinkPolicy;
use crate::world::{FileKind, World};
use checkrein_shell::work;
use std::{fmt, rc::Rc};

/// The maximum depth of a path; a deeper one may lead anywhere.
const DEEPEST: usize = 256;
/// The maximum number of links that are followed before a path counts as a loop.
const LINKS: usize = 32;
/// The number of further steps that a path made of another one usually gets.
const ROOM: usize = 4;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    /// A name.
    Name(Rc<str>),
    /// A pattern of names.
    Pattern(Rc<str>),
    /// Any number of names.
    Unknown,
}

/// A path without `.` and `..`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PathPattern {
    /// True if it starts at the root. Otherwise it may lead anywhere.
    pub(crate) absolute: bool,
    pub(crate) steps: Rc<Vec<Segment>>,
    /// True if it ends with `/`, so that a link at its end is followed.
    pub(super) slash: bool,
}

impl PathPattern {
    /// An absolute path; a relative one starts nowhere.
    pub(crate) fn of(path: &str) -> Self {
        let start = Self { absolute: path.starts_with('/'), ..Self::default() };
        let steps = start.walk(path);
        Self { slash: steps.slash && path.len() > 1, ..steps }
    }

    /// A path that may lead anywhere.
    pub(crate) fn unknown() -> Self {
        Self { absolute: false, steps: Rc::new(vec![Segment::Unknown]), slash: false }
    }

    /// Goes on along a path of names.
    pub(crate) fn walk(self, path: &str) -> Self {
        // A step can be as short as a letter, and each is kept by itself.
        if !work::burn(2 * path.len()) {
            return Self::unknown();
        }
        let slash = path.ends_with('/');
        self.go(path.split('/'), slash, |steps, name| {
            // Most names are neither of these, and only then is one kept.
            match name {
                "" | "." => {}
                ".." => up(steps),
                name => steps.push(Segment::Name(name.into())),
            }
        })
    }

    /// Goes on with more steps. `slash`: they end with one.
    pub(crate) fn join(self, steps: impl IntoIterator<Item = Segment>, slash: bool) -> Self {
        self.go(steps, slash, push)
    }

    fn go<T>(
        mut self,
        more: impl IntoIterator<Item = T>,
        slash: bool,
        add: impl Fn(&mut Vec<Segment>, T),
    ) -> Self {
        if Rc::get_mut(&mut self.steps).is_none() {
            work::burn(self.steps.len());
            let mut longer = Vec::with_capacity(self.steps.len() + ROOM);
            longer.extend_from_slice(&self.steps);
            self.steps = Rc::new(longer);
        }
        let own = Rc::make_mut(&mut self.steps);
        more.into_iter().for_each(|step| add(own, step));
        self.slash = slash;
        if self.steps.len() > DEEPEST { Self::unknown() } else { self }
    }

    /// Returns true if every step is a name, from the root on.
    pub(crate) fn is_known(&self) -> bool {
        self.absolute && self.steps.iter().all(|step| matches!(step, Segment::Name(_)))
    }

    /// The steps after those of `root`, if the path is there or below. A pattern or an unknown step is never a step of a root.
    pub(crate) fn below(&self, root: &Self) -> Option<&[Segment]> {
        if self.absolute && root.absolute { after(&self.steps, &root.steps) } else { None }
    }

    /// The path with its links followed, as far as the disk knows them.
    pub(crate) fn follow_links(&self, last: LinkPolicy, world: &dyn World) -> Self {
        if !self.absolute || !self.has_link(last, world) {
            return self.clone();
        }
        let mut result: Vec<Segment> = Vec::new();
        let mut rest: Vec<Segment> = self.steps.iter().rev().cloned().collect();
        let mut links = 0;
        let mut known = true;
        while let Some(step) = rest.pop() {
            let is_name = matches!(step, Segment::Name(_));
            known &= is_name;
            push(&mut result, step);
            let is_last = rest.is_empty();
            if !known || (is_last && last == LinkPolicy::Keep && !self.slash) {
                continue;
            }
            match world.entry(&Shown { absolute: true, steps: &result }.to_string()) {
                Some(FileKind::Link(target)) if links < LINKS => {
                    links += 1;
                    if target.starts_with('/') {
                        result.clear();
                    } else {
                        result.pop();
                    }
                    let more = target.split('/').rev();
                    rest.extend(more.filter(|name| !name.is_empty()).map(|name| Segment::Name(name.into())));
                }
                // A loop leads nowhere, and its future target is unknown.
                Some(FileKind::Link(_)) => return Self::unknown(),
                Some(_) => {}
                // What does not exist has no links below it.
                None => known = false,
            }
        }
        Self { absolute: self.absolute, steps: Rc::new(result), slash: self.slash }
    }

    /// Returns true if a link is on the way. That is rare, and without one the path stays as it is.
    fn has_link(&self, last: LinkPolicy, world: &dyn World) -> bool {
        let mut path = String::new();
        let names = self.steps.iter().map_while(|step| match step {
            Segment::Name(name) => Some(name),
            Segment::Pattern(_) | Segment::Unknown => None,
        });
        for (place, name) in names.enumerate() {
            if place + 1 == self.steps.len() && last == LinkPolicy::Keep && !self.slash {
                return false;
            }
            path.push('/');
            path.push_str(name);
            match world.entry(&path) {
                Some(FileKind::Link(_)) => return true,
                Some(FileKind::File | FileKind::Directory | FileKind::Other) => {}
                None => return false,
            }
        }
        false
    }
}

/// The steps after those of a root, if the path is there or below.
pub(super) fn after<'a>(path: &'a [Segment], root: &[Segment]) -> Option<&'a [Segment]> {
    let rest = path.get(root.len()..)?;
    path.iter().zip(root).all(|(step, of_root)| step == of_root).then_some(rest)
}

fn push(steps: &mut Vec<Segment>, step: Segment) {
    match step {
        Segment::Name(name) if matches!(&*name, "" | ".") => {}
        Segment::Name(name) if &*name == ".." => up(steps),
        step => steps.push(step),
    }
}

/// Above the root is the root; above the unknown is the unknown.
fn up(steps: &mut Vec<Segment>) {
    if steps.last() != Some(&Segment::Unknown) {
        steps.pop();
    }
}

/// A path as it is written.
struct Shown<'a> {
    absolute: bool,
    steps: &'a [Segment],
}

impl fmt::Display for PathPattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Shown { absolute: self.absolute, steps: &self.steps }.fmt(formatter)
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.absolute && self.steps.is_empty() {
            return formatter.write_str("/");
        }
        for (place, step) in self.steps.iter().enumerate() {
            if self.absolute || place > 0 {
                formatter.write_str("/")?;
            }
            formatter.write_str(match step {
                Segment::Name(name) | Segment::Pattern(name) => name,
                Segment::Unknown => "…",
            })?;
        }
        Ok(())
    }
}

/// Returns true if a pattern matches every name, except for hidden ones perhaps.
pub(super) fn matches_all(pattern: &str) -> bool {
    pattern.contains('*') && pattern.chars().all(|char| matches!(char, '*' | '?' | '.'))
        || matches!(pattern, "[!.]*" | ".[!.]*" | "[^.]*" | ".[^.]*" | "[a-z]*" | "[A-Za-z]*" | "[a-zA-Z]*")
}
