//! A path as a list of steps.

use super::Last;
use crate::world::{Entry, World};
use std::fmt;

/// How deep a path is followed; a deeper one may lead anywhere.
const DEEPEST: usize = 256;
/// How many links are followed before a path counts as a loop.
const LINKS: usize = 32;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A name.
    Name(String),
    /// A pattern of names.
    Pattern(String),
    /// Any number of names.
    Unknown,
}

/// A path without `.` and `..`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    /// Where it starts. A path that starts nowhere may lead anywhere.
    pub(crate) absolute: bool,
    pub(crate) steps: Vec<Step>,
    /// Whether it ends with `/`, so that a link at its end is followed.
    pub(super) slash: bool,
}

impl Steps {
    /// An absolute path; a relative one starts nowhere.
    pub(crate) fn of(path: &str) -> Self {
        let mut steps = Self { absolute: path.starts_with('/'), ..Self::default() };
        path.split('/').for_each(|name| steps.push(Step::Name(name.to_owned())));
        steps.slash = path.len() > 1 && path.ends_with('/');
        if steps.steps.len() > DEEPEST { Self::unknown() } else { steps }
    }

    /// A path that may lead anywhere.
    pub(crate) fn unknown() -> Self {
        Self { absolute: false, steps: vec![Step::Unknown], slash: false }
    }

    /// Goes on with more steps. `slash`: they end with one.
    pub(crate) fn join(mut self, steps: impl IntoIterator<Item = Step>, slash: bool) -> Self {
        steps.into_iter().for_each(|step| self.push(step));
        self.slash = slash;
        if self.steps.len() > DEEPEST { Self::unknown() } else { self }
    }

    fn push(&mut self, step: Step) {
        match step {
            Step::Name(name) if name.is_empty() || name == "." => {}
            Step::Name(name) if name == ".." => {
                // Above the root is the root; above the unknown is the unknown.
                if self.steps.last() != Some(&Step::Unknown) {
                    self.steps.pop();
                }
            }
            step => self.steps.push(step),
        }
    }

    /// Whether every step is a name, from the root on.
    pub(crate) fn is_known(&self) -> bool {
        self.absolute && self.steps.iter().all(|step| matches!(step, Step::Name(_)))
    }

    /// The steps after those of `root`, if the path is there or below. A pattern or an unknown step is never a step of a root.
    pub(crate) fn below(&self, root: &Self) -> Option<&[Step]> {
        if !self.absolute || !root.absolute {
            return None;
        }
        let rest = self.steps.get(root.steps.len()..)?;
        self.steps.iter().zip(&root.steps).all(|(step, of_root)| step == of_root).then_some(rest)
    }

    /// The path with its links followed, as far as the disk knows them.
    pub(crate) fn follow_links(&self, last: Last, world: &dyn World) -> Self {
        let mut result = Self { absolute: self.absolute, steps: Vec::new(), slash: self.slash };
        if !self.absolute {
            return self.clone();
        }
        let mut rest: Vec<Step> = self.steps.iter().rev().cloned().collect();
        let mut links = 0;
        let mut known = true;
        while let Some(step) = rest.pop() {
            let is_name = matches!(step, Step::Name(_));
            known &= is_name;
            result.push(step);
            let is_last = rest.is_empty();
            if !known || (is_last && last == Last::Keep && !self.slash) {
                continue;
            }
            match world.entry(&result.to_string()) {
                Some(Entry::Link(target)) if links < LINKS => {
                    links += 1;
                    if target.starts_with('/') {
                        result.steps.clear();
                    } else {
                        result.steps.pop();
                    }
                    let more = target.split('/').rev();
                    rest.extend(more.filter(|name| !name.is_empty()).map(|name| Step::Name(name.to_owned())));
                }
                // A loop leads nowhere, and nobody can say where it will lead.
                Some(Entry::Link(_)) => return Self::unknown(),
                Some(_) => {}
                // What does not exist has no links below it.
                None => known = false,
            }
        }
        result
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.absolute && self.steps.is_empty() {
            return formatter.write_str("/");
        }
        for (place, step) in self.steps.iter().enumerate() {
            if self.absolute || place > 0 {
                formatter.write_str("/")?;
            }
            formatter.write_str(match step {
                Step::Name(name) | Step::Pattern(name) => name,
                Step::Unknown => "…",
            })?;
        }
        Ok(())
    }
}

/// Whether a pattern matches every name, hidden ones perhaps not.
pub(super) fn matches_all(pattern: &str) -> bool {
    pattern.contains('*') && pattern.chars().all(|char| matches!(char, '*' | '?' | '.'))
        || matches!(pattern, "[!.]*" | ".[!.]*" | "[^.]*" | ".[^.]*" | "[a-z]*" | "[A-Za-z]*" | "[a-zA-Z]*")
}
