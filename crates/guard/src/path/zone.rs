//! Finds the zone of a path. The most specific root decides: temporary, home, project, generated directory. The home
//! directory, the project and the directories above them are never temporary.

use super::{
    PathPattern, Segment,
    steps::{after, matches_all},
    tags,
};
use crate::{
    data::{CACHES, FETCHED, GENERATED, MADE, NOWHERE, PERSONAL, SYSTEM, TEMPORARY},
    glob,
    vocabulary::{Tag, Tags, Zone},
    world::World,
};

/// Names, and patterns of them.
pub(crate) struct Names {
    /// Sorted.
    pub(crate) exact: &'static [&'static str],
    pub(crate) globs: &'static [&'static str],
}

impl Names {
    fn has(&self, step: &Segment) -> bool {
        match step {
            Segment::Name(name) => {
                self.exact.binary_search(&&**name).is_ok()
                    || self.globs.iter().any(|pattern| glob::matches(pattern, name))
            }
            // `*.o` is one of the patterns itself; `build*` may match more than what is generated.
            Segment::Pattern(pattern) => self.globs.contains(&&**pattern),
            Segment::Unknown => false,
        }
    }
}

/// The roots that paths are compared with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roots {
    /// The home directory.
    pub home: Option<PathPattern>,
    /// The project.
    pub project: Option<PathPattern>,
    /// The work tree that the call is made in, if that is another one.
    pub work_tree: Option<PathPattern>,
    /// A directory of temporary files, in addition to those that every machine has.
    pub temporary: Option<PathPattern>,
    /// Directories that a variable moves: their actual and their usual paths.
    pub moved: Vec<(PathPattern, PathPattern)>,
    /// Paths are those of another machine, or of a container.
    pub elsewhere: bool,
}

impl Roots {
    /// The roots of a call: the home directory, the project, and where temporary files are.
    pub(crate) fn new(home: Option<&str>, project: Option<&str>, temporary: Option<&str>) -> Self {
        let root = |path: &str| {
            Some(PathPattern::of(path)).filter(|steps| steps.absolute && !steps.steps.is_empty())
        };
        let home = home.and_then(root);
        // A session in the home directory has no project: everything there is the user's.
        let project = project
            .and_then(root)
            .filter(|project| home.as_ref().is_none_or(|home| home.below(project).is_none()));
        let temporary = temporary.and_then(root);
        Self { home, project, work_tree: None, temporary, moved: Vec::new(), elsewhere: false }
    }

    /// Removes a project that is not a place to work in: a directory of an agent or of keys.
    pub(crate) fn without_reserved_project(mut self) -> Self {
        if self.project.as_ref().is_some_and(|project| is_reserved(project, &self)) {
            self.project = None;
        }
        self
    }

    /// Adds the work tree of a call outside the project. Most calls are made in the project, and the disk is not
    /// read for them.
    pub(crate) fn with_work_tree(mut self, cwd: Option<&str>, world: &dyn World) -> Self {
        let Some(cwd) = cwd.map(PathPattern::of).filter(|cwd| cwd.absolute && cwd.is_known()) else {
            return self;
        };
        if self.project.as_ref().is_none_or(|project| cwd.below(project).is_some()) {
            return self;
        }
        let above = (1..=cwd.steps.len()).rev();
        let mut above =
            above.map(|length| PathPattern::of("/").join(cwd.steps.iter().take(length).cloned(), false));
        let top = above.find(|directory| world.entry(&format!("{directory}/.git")).is_some());
        let is_home = |top: &PathPattern| self.home.as_ref().is_some_and(|home| home.below(top).is_some());
        self.work_tree = top.filter(|top| !is_home(top) && !is_reserved(top, &self));
        self
    }

    /// Returns the roots of another machine: only what every machine has is known there.
    pub(crate) fn elsewhere() -> Self {
        Self { elsewhere: true, ..Self::new(None, None, None) }
    }
}

pub(super) fn zone(steps: &PathPattern, roots: &Roots) -> Zone {
    if !steps.absolute {
        return if is_drive(steps) { drive(steps) } else { by_names(&steps.steps).unwrap_or(Zone::Unknown) };
    }
    // Everything in a directory is the directory, and so is a pattern for all of it.
    let own = match steps.steps.split_last() {
        Some((Segment::Pattern(pattern), rest)) if matches_all(pattern) => rest,
        _ => steps.steps.as_slice(),
    };
    if own.is_empty() {
        return Zone::Root;
    }
    if is_named_nowhere(own) {
        return Zone::Nowhere;
    }
    if let Some(home) = &roots.home
        && after(&home.steps, own).is_some()
    {
        return Zone::HomeRoot;
    }
    for project in roots.project.iter().chain(&roots.work_tree) {
        if after(&project.steps, own).is_some() {
            return Zone::ProjectRoot;
        }
        if let Some(rest) = after(own, &project.steps) {
            return by_names(rest).or_else(|| made(rest)).unwrap_or(Zone::Project);
        }
    }
    if FETCHED.iter().any(|root| after_names(own, root.steps).is_some()) {
        return Zone::Temporary;
    }
    let below_home = roots.home.as_ref().and_then(|home| after(own, &home.steps));
    match (below_home, below_temporary(own, roots)) {
        // The more specific of the two.
        (Some(rest), Some(below)) if rest.len() <= below.len() => in_home(rest),
        (Some(rest), None) => in_home(rest),
        (_, Some([])) => Zone::TemporaryRoot,
        (_, Some(_)) => Zone::Temporary,
        (None, None) => on_machine(own, roots),
    }
}

/// Returns true if a directory is not a place to work in: it belongs to an agent, or contains keys. Work trees that
/// an agent makes for itself are data to it.
fn is_reserved(directory: &PathPattern, roots: &Roots) -> bool {
    let known = tags(&directory.clone().join([Segment::Name("x".into())], false), roots);
    known.has_any(Tags::of(&[
        Tag::Secret,
        Tag::Agent,
        Tag::AgentHooks,
        Tag::AgentRuns,
        Tag::Checkrein,
        Tag::Remembered,
    ]))
}

/// The steps after the most specific directory of temporary files, if the path is in one.
fn below_temporary<'a>(own: &'a [Segment], roots: &Roots) -> Option<&'a [Segment]> {
    let usual = TEMPORARY.iter().filter_map(|root| after_names(own, root.steps));
    let of_call = roots.temporary.iter().filter_map(|root| after(own, &root.steps));
    usual.chain(of_call).min_by_key(|below| below.len())
}

/// Returns true if an absolute path is in a directory of temporary files that every machine has, whatever else it is.
pub fn is_temporary(path: &str) -> bool {
    below_temporary(&PathPattern::of(path).steps, &Roots::default()).is_some()
}

/// Returns true if nothing is kept at a path.
pub(super) fn is_nowhere(steps: &PathPattern) -> bool {
    steps.absolute && is_named_nowhere(&steps.steps)
}

fn is_named_nowhere(steps: &[Segment]) -> bool {
    NOWHERE.iter().any(|pattern| tags::matches(steps, pattern.steps))
}

/// Returns the zone that names imply anywhere: a repository's `.git`, or a generated directory.
fn by_names(steps: &[Segment]) -> Option<Zone> {
    let is_git = |step: &Segment| match step {
        Segment::Name(name) => &**name == ".git",
        Segment::Pattern(pattern) => pattern.starts_with('.') && glob::matches(pattern, ".git"),
        Segment::Unknown => false,
    };
    if steps.iter().any(is_git) {
        // What a git that died left behind; the next one asks for it to be removed.
        let lock = matches!(steps.last(), Some(Segment::Name(name)) if name.ends_with(".lock"));
        return Some(if lock { Zone::Generated } else { Zone::Repository });
    }
    steps.iter().any(|step| GENERATED.has(step)).then_some(Zone::Generated)
}

/// Returns the zone that names imply inside a project.
fn made(steps: &[Segment]) -> Option<Zone> {
    let is_made = |step: &Segment| matches!(step, Segment::Name(name) if MADE.contains(&&**name));
    steps.iter().any(is_made).then_some(Zone::Generated)
}

fn in_home(rest: &[Segment]) -> Zone {
    let is_inside = |cache: &[&str]| after_names(rest, cache).is_some_and(|below| !below.is_empty());
    if CACHES.iter().any(|cache| tags::matches(rest, cache.steps) || is_inside(cache.steps)) {
        return Zone::Generated;
    }
    let zone = match rest.first() {
        None => Zone::HomeRoot,
        // What was downloaded can be downloaded again; all of it together is what a user has.
        Some(Segment::Name(name)) if &**name == "Downloads" && rest.len() > 1 => Zone::Home,
        Some(Segment::Name(name))
            if name.starts_with('.') || PERSONAL.iter().any(|personal| glob::matches(personal, name)) =>
        {
            Zone::Personal
        }
        Some(Segment::Pattern(pattern))
            if pattern.starts_with('.') || PERSONAL.iter().any(|name| glob::matches(pattern, name)) =>
        {
            Zone::Personal
        }
        Some(Segment::Name(_) | Segment::Pattern(_) | Segment::Unknown) => Zone::Home,
    };
    match zone {
        // A build directory of another project is still one.
        Zone::Home if rest.len() > 1 => by_names(rest.get(1..).unwrap_or_default()).unwrap_or(zone),
        zone => zone,
    }
}

/// The steps after those with these names.
fn after_names<'a>(steps: &'a [Segment], names: &[&str]) -> Option<&'a [Segment]> {
    let rest = steps.get(names.len()..)?;
    let same = |(step, wanted): (&Segment, &&str)| matches!(step, Segment::Name(name) if **name == **wanted);
    steps.iter().zip(names).all(same).then_some(rest)
}

fn on_machine(own: &[Segment], roots: &Roots) -> Zone {
    let Some((first, rest)) = own.split_first() else { return Zone::Root };
    let first = match first {
        Segment::Name(name) if SYSTEM.contains(&&**name) => &**name,
        // `@(etc|usr)` and `!(tmp)` are more than this reads.
        Segment::Pattern(pattern) if pattern.contains('(') => return Zone::System,
        Segment::Pattern(pattern) => match SYSTEM.iter().find(|name| glob::matches(pattern, name)) {
            Some(name) => name,
            None => return Zone::Outside,
        },
        // The root and something in it.
        Segment::Unknown => return Zone::Outside,
        // The shared storage of a phone.
        Segment::Name(name) if roots.elsewhere && &**name == "sdcard" && !rest.is_empty() => {
            return Zone::Outside;
        }
        Segment::Name(_) if roots.elsewhere => return by_names(rest).unwrap_or(Zone::System),
        Segment::Name(_) => return by_names(rest).unwrap_or(Zone::Outside),
    };
    match (first, rest) {
        ("dev", [_, ..]) => Zone::Device,
        ("opt" | "srv", [_, _, ..]) => by_names(rest).unwrap_or(Zone::Outside),
        ("home" | "Users" | "Volumes", [_, _, ..]) | ("opt" | "srv", [_, ..]) => {
            by_names(rest).unwrap_or(Zone::Shared)
        }
        ("usr", [Segment::Name(local), _, ..]) if &**local == "local" => Zone::Shared,
        ("var", [Segment::Name(www), _, ..]) if &**www == "www" => Zone::Shared,
        _ => Zone::System,
    }
}

/// `C:\` and what is on it, from a shell of Windows.
fn is_drive(steps: &PathPattern) -> bool {
    let Some(Segment::Name(first)) = steps.steps.first() else { return false };
    let mut chars = first.chars();
    chars.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && chars.next() == Some(':')
}

fn drive(steps: &PathPattern) -> Zone {
    let path = steps.to_string();
    let rest = path.get(2..).unwrap_or_default();
    let names: Vec<&str> = rest.split(['\\', '/']).filter(|name| !name.is_empty() && *name != "*").collect();
    match names.as_slice() {
        [] => Zone::Root,
        [users, user, below @ ..] if users.eq_ignore_ascii_case("users") && !user.contains('*') => {
            let named: Vec<Segment> = below.iter().map(|name| Segment::Name((*name).into())).collect();
            match below {
                [] => Zone::HomeRoot,
                [data, local, temp, ..]
                    if [data, local, temp].map(|name| name.to_ascii_lowercase())
                        == ["appdata", "local", "temp"] =>
                {
                    Zone::Temporary
                }
                _ => in_home(&named),
            }
        }
        [name, ..] if SYSTEM.iter().any(|system| system.eq_ignore_ascii_case(name)) => Zone::System,
        [_, ..] => Zone::Outside,
    }
}
