//! The files that the guard itself depends on, and the relation of a path to them: it is one of these files, or
//! contains one.
//!
//! The usual places come from `data/paths.toml`, where variables of the environment move them; the program and what the
//! command line names come from the machine ([`Own`]). Every link on the way to one of them is one of them, too.

mod names;

pub(crate) use names::{reduced, same};

use crate::{
    data::{BELONGINGS, HOMES, HOOK_FILES, PLUGIN_COPIES, PLUGIN_NOTES},
    glob,
    own::{Belonging, Identity, Kind, Own},
    path::{LinkPolicy, PathPattern, Segment},
    world::{FileKind, World},
};
use std::{cell::OnceCell, collections::BTreeSet, rc::Rc};

/// The maximum number of links that are followed on the way to one file.
const LINKS: usize = 32;
/// The maximum number of our directories that are searched for another name of a file.
const SEARCHED: usize = 64;

/// The relation of a path to something of ours, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lies {
    /// A part of it is not known, and it may be one of them.
    Perhaps,
    /// It is above one.
    Above,
    /// It is one, or in one.
    Is,
}

/// One thing that a path has to do with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) kind: Kind,
    pub(crate) lies: Lies,
    /// The usual name of the path, if it is in something that has one.
    pub(crate) usual: Option<PathPattern>,
}

/// Something that we depend on, by its real path.
#[derive(Debug)]
struct Thing {
    kind: Kind,
    path: Vec<Rc<str>>,
    /// Its usual name. Few are ever asked for, so it is only taken apart then.
    usual: Option<String>,
}

/// Everything that we depend on.
#[derive(Debug, Default)]
pub(crate) struct Ours {
    things: Vec<Thing>,
    /// Each directory on the way to one of them that exists, each link, and the files themselves.
    existing: Vec<Vec<Rc<str>>>,
    /// The identities of these.
    identities: OnceCell<Vec<Option<Identity>>>,
    /// Directories that a variable or a link has moved: their paths, and their usual names.
    moved: Vec<(Vec<Rc<str>>, PathPattern)>,
}

/// The home directory, and the values of the variables that move usual places. They are asked for once: there are many places.
struct Usual<'h> {
    home: &'h str,
    values: Vec<Option<String>>,
}

impl<'h> Usual<'h> {
    fn new(home: &'h str, world: &dyn World) -> Self {
        let names: Vec<&str> = HOMES.iter().map(|(variable, ..)| *variable).collect();
        let mut values = world.variables(&names);
        values.iter_mut().for_each(|value| *value = value.take().filter(|value| value.starts_with('/')));
        Self { home, values }
    }

    /// A usual path, as it is in use: below the variable that moves it, or below the home directory.
    fn in_use(&self, path: &str) -> String {
        let moved = HOMES.iter().zip(&self.values).find_map(|((_, below, stands_for), value)| {
            let value = value.as_ref()?;
            let rest =
                path.strip_prefix(stands_for).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
            Some([value.trim_end_matches('/'), below, rest].concat())
        });
        moved.unwrap_or_else(|| self.absolute(path))
    }

    fn absolute(&self, path: &str) -> String {
        absolute(path, self.home)
    }
}

fn absolute(path: &str, home: &str) -> String {
    path.strip_prefix('~').map_or_else(|| path.to_owned(), |rest| [home, rest].concat())
}

/// Returns the directories that a variable moves: the actual path of each, and its usual one.
pub(crate) fn moved(world: &dyn World, home: Option<&str>) -> Vec<(PathPattern, PathPattern)> {
    let Some(home) = home else { return Vec::new() };
    let usual = Usual::new(home, world);
    let rows = HOMES.iter().zip(&usual.values).filter_map(|((_, below, stands_for), value)| {
        let value = value.as_ref()?;
        let actual = PathPattern::of(&format!("{value}{below}"));
        let usual = PathPattern::of(&absolute(stands_for, home));
        (!actual.steps.is_empty() && actual.steps != usual.steps).then_some((actual, usual))
    });
    rows.collect()
}

/// The files in which agents are told whom to ask: those of the user and the machine, and those of a project.
pub fn hook_files(world: &dyn World, project: Option<&str>) -> Vec<Belonging> {
    let home = world.home().unwrap_or_default();
    let usual = Usual::new(&home, world);
    let mut files = Vec::new();
    for file in HOOK_FILES {
        match (file.starts_with(['~', '/']), project) {
            (true, _) => {
                files.push(Belonging { path: usual.in_use(file), kind: Kind::Agent });
            }
            (false, Some(project)) => {
                files.push(Belonging { path: format!("{project}/{file}"), kind: Kind::Project });
            }
            (false, None) => {}
        }
    }
    files
}

/// The places that lead to the plugins of the user's agents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginPlaces {
    /// Files that name the directory of each plugin or marketplace.
    pub lists: Vec<String>,
    /// Directories into which an agent copies our plugin; `*` is any one name.
    pub copies: Vec<String>,
}

/// Returns the places that lead to the plugins of the user's agents.
pub fn plugin_places(world: &dyn World) -> PluginPlaces {
    let home = world.home().unwrap_or_default();
    let usual = Usual::new(&home, world);
    let in_use = |path: &&str| usual.in_use(path);
    let lists = HOOK_FILES.iter().filter(|file| file.starts_with(['~', '/'])).chain(PLUGIN_NOTES);
    PluginPlaces { lists: lists.map(in_use).collect(), copies: PLUGIN_COPIES.iter().map(in_use).collect() }
}

impl Ours {
    /// Collects what is in use on this machine, for a session that works on this project.
    pub(crate) fn new(world: &dyn World, home: &str, project: Option<&str>) -> Self {
        let mut ours = Self::default();
        let places = Usual::new(home, world);
        let mut way = Way::new(world);
        for (path, state) in BELONGINGS {
            let kind = if *state { Kind::State } else { Kind::Ours };
            let belonging = Belonging { path: places.in_use(path), kind };
            ours.add(&belonging, Some(places.absolute(path)), &mut way);
        }
        for file in HOOK_FILES.iter().filter(|file| file.starts_with(['~', '/'])) {
            let belonging = Belonging { path: places.in_use(file), kind: Kind::Agent };
            ours.add(&belonging, Some(places.absolute(file)), &mut way);
        }
        if let Some(project) = project {
            for file in HOOK_FILES.iter().filter(|file| !file.starts_with(['~', '/'])) {
                let path = format!("{project}/{file}");
                // A project that has none has nothing to lose.
                if world.entry(&path).is_none() {
                    continue;
                }
                ours.add(&Belonging { path: path.clone(), kind: Kind::Project }, Some(path), &mut way);
            }
        }
        for belonging in world.own().map(|own| own.belongings(project)).unwrap_or_default() {
            ours.add(&belonging, None, &mut way);
        }
        let directories: BTreeSet<&str> = HOMES.iter().map(|(.., stands_for)| *stands_for).collect();
        for directory in directories {
            let (path, usual) = (places.in_use(directory), places.absolute(directory));
            if way.follow(&path, |_| {}) == names(&usual) {
                continue;
            }
            let usual = PathPattern::of(&usual);
            let real = plain(&PathPattern::of(&path).follow_links(LinkPolicy::Follow, world));
            if real != plain(&usual) {
                ours.moved.push((real, usual));
            }
        }
        ours.existing = way.existing;
        ours
    }

    /// The programs of agents, which are looked for only where one may be meant.
    pub(crate) fn with_agents(world: &dyn World) -> Self {
        let mut ours = Self::default();
        let mut way = Way::new(world);
        for path in world.own().map(Own::agents).unwrap_or_default() {
            ours.add(&Belonging { path, kind: Kind::AgentProgram }, None, &mut way);
        }
        ours.existing = way.existing;
        ours
    }

    /// Adds a thing, and every link on the way to it.
    fn add(&mut self, belonging: &Belonging, usual: Option<String>, way: &mut Way<'_>) {
        let kind = belonging.kind;
        let mut put = |path: Vec<Rc<str>>, usual: Option<String>| {
            let known = self.things.iter().any(|thing| thing.path == path && thing.kind == kind);
            if !known && !path.is_empty() {
                self.things.push(Thing { kind, path, usual });
            }
        };
        let real = way.follow(&belonging.path, |link| put(link, None));
        put(real, usual);
    }

    /// Returns the relation of a path to us, by its names and by the file that is there.
    pub(crate) fn about(&self, spot: &[Segment], world: &dyn World) -> Vec<Found> {
        let own = world.own();
        let mut found = self.by_names(spot, own);
        if let Some(own) = own {
            if let Some(other) = self.by_identity(spot, own) {
                for more in self.by_names(&other, Some(own)) {
                    if !found.contains(&more) {
                        found.push(more);
                    }
                }
            }
            if let Some(kind) = self.another_name(spot, own, world) {
                found.push(kind);
            }
        }
        for (real, usual) in &self.moved {
            if let Some(rest) = below(spot, real, own) {
                let usual = Some(usual.clone().join(rest.iter().cloned(), false));
                found.push(Found { kind: Kind::Agent, lies: Lies::Is, usual });
            }
        }
        found
    }

    fn by_names(&self, spot: &[Segment], own: Option<&dyn Own>) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        for thing in &self.things {
            let Some(lies) = compare(spot, &thing.path, 0, own) else { continue };
            let usual = thing.usual.as_ref().filter(|_| lies == Lies::Is).map(|usual| {
                let rest = spot.get(thing.path.len()..).unwrap_or_default();
                PathPattern::of(usual).join(rest.iter().cloned(), false)
            });
            let one = Found { kind: thing.kind, lies, usual };
            if !found.contains(&one) {
                found.push(one);
            }
        }
        found
    }

    /// Returns the path under our names, if something on the way is one of our directories: mounted there, or written
    /// otherwise.
    fn by_identity(&self, spot: &[Segment], own: &dyn Own) -> Option<Vec<Segment>> {
        let names: Vec<&Rc<str>> = spot
            .iter()
            .map_while(|step| match step {
                Segment::Name(name) => Some(name),
                Segment::Pattern(_) | Segment::Unknown => None,
            })
            .collect();
        for length in (1..=names.len()).rev() {
            let path: String = names.iter().take(length).flat_map(|name| ["/", name]).collect();
            let Some(identity) = own.identity(&path) else { continue };
            let is_same = |known: &Option<Identity>| known.is_some_and(|known| known.is(identity));
            let same = self.identities(own).iter().position(is_same);
            if let Some(same) = same.and_then(|place| self.existing.get(place)) {
                let rest = spot.get(length..).unwrap_or_default();
                let by_name = same.iter().map(|name| Segment::Name(name.clone()));
                let other: Vec<Segment> = by_name.chain(rest.iter().cloned()).collect();
                return (other != spot).then_some(other);
            }
        }
        None
    }

    /// Returns the identities of what exists of our files and of the directories on the way to them.
    fn identities(&self, own: &dyn Own) -> &[Option<Identity>] {
        self.identities.get_or_init(|| self.existing.iter().map(|path| own.identity(&shown(path))).collect())
    }

    /// Finds another name of a file among ours.
    fn another_name(&self, spot: &[Segment], own: &dyn Own, world: &dyn World) -> Option<Found> {
        let path: Option<String> = spot
            .iter()
            .map(|step| match step {
                Segment::Name(name) => Some(format!("/{name}")),
                Segment::Pattern(_) | Segment::Unknown => None,
            })
            .collect();
        let path = path?;
        let identity = own.identity(&path).filter(|identity| identity.links > 1)?;
        if world.entry(&path) != Some(FileKind::File) {
            return None;
        }
        let mut directories: Vec<(String, &Thing)> = self
            .things
            .iter()
            .filter(|thing| matches!(thing.kind, Kind::Ours | Kind::State))
            .map(|thing| (shown(&thing.path), thing))
            .collect();
        let mut searched = 0;
        while let Some((directory, thing)) = directories.pop() {
            searched += 1;
            if searched > SEARCHED {
                // That cannot be decided, and such a file is rare.
                return Some(Found { kind: thing.kind, lies: Lies::Perhaps, usual: None });
            }
            for name in own.names(&directory) {
                let below = format!("{directory}/{name}");
                if own.identity(&below).is_some_and(|known| known.is(identity)) {
                    return Some(Found { kind: thing.kind, lies: Lies::Is, usual: None });
                }
                if world.entry(&below) == Some(FileKind::Directory) {
                    directories.push((below, thing));
                }
            }
        }
        None
    }

    /// The path of each thing.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (Kind, &[Rc<str>])> {
        self.things.iter().map(|thing| (thing.kind, thing.path.as_slice()))
    }

    /// The steps from a directory down to each thing below it.
    pub(crate) fn below<'a>(
        &'a self,
        directory: &'a [Segment],
    ) -> impl Iterator<Item = (Kind, &'a [Rc<str>])> {
        self.things.iter().filter_map(move |thing| {
            let same = directory.iter().zip(&thing.path);
            let above = directory.len() < thing.path.len()
                && same.into_iter().all(|(step, name)| matches!(step, Segment::Name(own) if own == name));
            above.then(|| (thing.kind, thing.path.get(directory.len()..).unwrap_or_default()))
        })
    }
}

/// Follows paths with their links. Paths of one directory are asked about one after another, so the last way that has none is
/// remembered.
struct Way<'w> {
    world: &'w dyn World,
    /// The directories of the last path, which are there and are no links.
    plain: Vec<Rc<str>>,
    /// The real path of everything that exists on any way.
    existing: Vec<Vec<Rc<str>>>,
}

impl<'w> Way<'w> {
    const fn new(world: &'w dyn World) -> Self {
        Self { world, plain: Vec::new(), existing: Vec::new() }
    }

    /// Returns the real path, and hands in every link on the way.
    fn follow(&mut self, path: &str, mut link: impl FnMut(Vec<Rc<str>>)) -> Vec<Rc<str>> {
        let mut rest: Vec<Rc<str>> = names(path);
        rest.reverse();
        let (mut real, mut shown): (Vec<Rc<str>>, String) = (Vec::new(), String::new());
        let (mut links, mut exists) = (0, true);
        while let Some(name) = rest.pop() {
            match &*name {
                "" | "." => continue,
                ".." => {
                    real.pop();
                    shown.truncate(shown.rfind('/').unwrap_or(0));
                    continue;
                }
                name => {
                    shown.push('/');
                    shown.push_str(name);
                }
            }
            real.push(name);
            if !exists || self.plain.starts_with(&real) {
                continue;
            }
            let entry = self.world.entry(&shown);
            if entry.is_some() && !self.existing.contains(&real) {
                self.existing.push(real.clone());
            }
            match entry {
                Some(FileKind::Link(target)) if links < LINKS => {
                    links += 1;
                    link(real.clone());
                    if target.starts_with('/') {
                        real.clear();
                        shown.clear();
                    } else {
                        real.pop();
                        shown.truncate(shown.rfind('/').unwrap_or(0));
                    }
                    rest.extend(target.split('/').rev().map(Rc::from));
                }
                Some(FileKind::Directory) => self.plain.clone_from(&real),
                Some(_) => {}
                None => exists = false,
            }
        }
        real
    }
}

/// The names of a path, without `.` and `..`.
fn names(path: &str) -> Vec<Rc<str>> {
    let mut names: Vec<Rc<str>> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name.into()),
        }
    }
    names
}

/// Returns the relation of a path to a thing. `depth`: the number of steps of the thing that were passed.
fn compare(spot: &[Segment], thing: &[Rc<str>], depth: usize, own: Option<&dyn Own>) -> Option<Lies> {
    let rest = thing.get(depth..).unwrap_or_default();
    match (spot.split_first(), rest.split_first()) {
        (_, None) => Some(Lies::Is),
        (None, Some(_)) => Some(Lies::Above),
        (Some((Segment::Unknown, [])), Some(_)) => Some(Lies::Perhaps),
        // What is named behind it is looked for at every depth.
        (Some((Segment::Unknown, behind)), Some(_)) => {
            (depth..thing.len()).filter_map(|depth| compare(behind, thing, depth, own)).max()
        }
        (Some((step, behind)), Some((name, _))) => {
            let fits = match step {
                Segment::Name(own_name) => {
                    own_name == name
                        || own.is_some_and(|own| {
                            same(own_name, name) && own.folds(&shown(thing.get(..depth).unwrap_or_default()))
                        })
                }
                Segment::Pattern(pattern) => {
                    glob::matches(pattern, name)
                        || own.is_some_and(|own| {
                            glob::matches(&reduced(pattern), &reduced(name))
                                && own.folds(&shown(thing.get(..depth).unwrap_or_default()))
                        })
                }
                Segment::Unknown => false,
            };
            if fits { compare(behind, thing, depth + 1, own) } else { None }
        }
    }
}

/// The steps behind a directory, if the path is in it.
fn below<'a>(spot: &'a [Segment], directory: &[Rc<str>], own: Option<&dyn Own>) -> Option<&'a [Segment]> {
    let known = |step: &Segment| matches!(step, Segment::Name(_) | Segment::Pattern(_));
    let inside = spot.get(..directory.len())?.iter().all(known);
    (inside && compare(spot, directory, 0, own) == Some(Lies::Is)).then(|| spot.get(directory.len()..))?
}

/// The names of a path that is known.
fn plain(steps: &PathPattern) -> Vec<Rc<str>> {
    let names = steps.steps.iter().map_while(|step| match step {
        Segment::Name(name) => Some(name.clone()),
        Segment::Pattern(_) | Segment::Unknown => None,
    });
    names.collect()
}

fn shown(names: &[Rc<str>]) -> String {
    if names.is_empty() {
        return "/".to_owned();
    }
    names.iter().flat_map(|name| ["/", name]).collect()
}
