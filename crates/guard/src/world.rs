//! The questions that the guard may ask about the machine. It asks no others.
//!
//! The guard is a function: the same text in the same world is judged the same. Disk and environment come through this
//! trait, so that a test needs neither, and a judgement can be explained or repeated elsewhere.

use crate::own::{Belonging, Identity, Own};
use checkrein_git::{Answer, Question};
use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
};

/// The kind of an entry in a directory, without following a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link to this.
    Link(String),
    /// A device, a pipe, a socket.
    Other,
}

/// The machine, as far as the guard looks at it.
pub trait World {
    /// The home directory of the user.
    fn home(&self) -> Option<String>;

    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;

    /// The home directory of the account that this process runs as, as the system has it.
    fn account_home(&self) -> Option<String> {
        None
    }

    /// The values of several variables, in the order of `names`. A machine that searches for each can find all in one pass.
    fn variables(&self, names: &[&str]) -> Vec<Option<String>> {
        names.iter().map(|name| self.variable(name)).collect()
    }

    /// Returns the kind of the entry at an absolute path.
    fn entry(&self, path: &str) -> Option<FileKind>;

    /// The beginning of a text file, no more than [`checkrein_shell::MAX_BYTES`].
    fn text(&self, path: &str) -> Option<String>;

    /// Returns what git still has of what a command would take away. Only asked about what a rule objects to.
    fn repository(&self, _question: &Question) -> Answer {
        Answer::Unknown("there is no disk".to_owned())
    }

    /// Returns the files of the work tree of a directory that git neither tracks nor ignores, by their whole paths. Only asked about
    /// a command that would take all of them.
    fn untracked(&self, _directory: &str) -> Vec<String> {
        Vec::new()
    }

    /// Returns what the running guard knows about itself; `None` on a machine that only a test describes.
    fn own(&self) -> Option<&dyn Own> {
        None
    }

    /// Returns true if the file at an absolute path is a copy of the guard's own program, byte for byte, under any
    /// name.
    fn is_this_program(&self, _path: &str) -> bool {
        false
    }

    /// Returns true if a command of ours shows a word at a terminal right now and waits for it.
    fn is_confirming(&self) -> bool {
        false
    }
}

/// A machine that is asked about each path only once while a call is judged.
///
/// The paths of a call are in few directories, and each of those is looked up for every path below it. Caching also
/// makes a judgement see one state of the disk.
pub struct CachedWorld<'a> {
    world: &'a dyn World,
    entries: RefCell<BTreeMap<String, Option<FileKind>>>,
    /// Files that belong to the guard in addition to those that the machine names.
    also: &'a [Belonging],
    belongings: OnceCell<Vec<Belonging>>,
    identities: RefCell<BTreeMap<String, Option<Identity>>>,
    folds: RefCell<BTreeMap<String, bool>>,
}

impl<'a> CachedWorld<'a> {
    /// Caches the answers of this machine.
    pub fn new(world: &'a dyn World) -> Self {
        Self {
            world,
            entries: RefCell::default(),
            also: &[],
            belongings: OnceCell::new(),
            identities: RefCell::default(),
            folds: RefCell::default(),
        }
    }

    /// Adds files that belong to the guard.
    #[must_use]
    pub fn also(mut self, also: &'a [Belonging]) -> Self {
        self.also = also;
        self
    }
}

impl World for CachedWorld<'_> {
    fn home(&self) -> Option<String> {
        self.world.home()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.world.variable(name)
    }

    fn variables(&self, names: &[&str]) -> Vec<Option<String>> {
        self.world.variables(names)
    }

    fn account_home(&self) -> Option<String> {
        self.world.account_home()
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        if let Some(known) = self.entries.borrow().get(path) {
            return known.clone();
        }
        let entry = self.world.entry(path);
        self.entries.borrow_mut().insert(path.to_owned(), entry.clone());
        entry
    }

    fn text(&self, path: &str) -> Option<String> {
        self.world.text(path)
    }

    fn repository(&self, question: &Question) -> Answer {
        self.world.repository(question)
    }

    fn untracked(&self, directory: &str) -> Vec<String> {
        self.world.untracked(directory)
    }

    fn is_this_program(&self, path: &str) -> bool {
        self.world.is_this_program(path)
    }

    fn is_confirming(&self) -> bool {
        self.world.is_confirming()
    }

    fn own(&self) -> Option<&dyn Own> {
        self.world.own().map(|_| self as &dyn Own)
    }
}

impl Own for CachedWorld<'_> {
    fn belongings(&self, project: Option<&str>) -> Vec<Belonging> {
        let all = || {
            let Some(own) = self.world.own() else { return self.also.to_vec() };
            let named = self.also.iter().flat_map(|file| own.named_in(&file.path));
            own.belongings(project).into_iter().chain(self.also.iter().cloned()).chain(named).collect()
        };
        self.belongings.get_or_init(all).clone()
    }

    fn entries(&self, settings: &str) -> Option<Vec<String>> {
        self.world.own()?.entries(settings)
    }

    fn plainly(&self, settings: &str) -> Option<String> {
        self.world.own()?.plainly(settings)
    }

    fn named_in(&self, configuration: &str) -> Vec<Belonging> {
        self.world.own().map(|own| own.named_in(configuration)).unwrap_or_default()
    }

    fn agents(&self) -> Vec<String> {
        self.world.own().map(Own::agents).unwrap_or_default()
    }

    fn identity(&self, path: &str) -> Option<Identity> {
        if let Some(known) = self.identities.borrow().get(path) {
            return *known;
        }
        let identity = self.world.own().and_then(|own| own.identity(path));
        self.identities.borrow_mut().insert(path.to_owned(), identity);
        identity
    }

    fn names(&self, directory: &str) -> Vec<String> {
        self.world.own().map(|own| own.names(directory)).unwrap_or_default()
    }

    fn folds(&self, directory: &str) -> bool {
        if let Some(known) = self.folds.borrow().get(directory) {
            return *known;
        }
        let folds = self.world.own().is_some_and(|own| own.folds(directory));
        self.folds.borrow_mut().insert(directory.to_owned(), folds);
        folds
    }

    fn synonyms(&self) -> &'static [(&'static str, &'static str)] {
        self.world.own().map(Own::synonyms).unwrap_or_default()
    }
}

/// A machine with a home directory and an empty disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EmptyWorld {
    /// The home directory.
    pub home: Option<String>,
}

impl EmptyWorld {
    /// A machine with this home directory.
    pub fn new(home: impl Into<String>) -> Self {
        Self { home: Some(home.into()) }
    }
}

impl World for EmptyWorld {
    fn home(&self) -> Option<String> {
        self.home.clone()
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn entry(&self, _: &str) -> Option<FileKind> {
        None
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Counts how often it is asked.
    #[derive(Default)]
    struct Asked(Cell<usize>);

    impl World for Asked {
        fn home(&self) -> Option<String> {
            None
        }

        fn variable(&self, _: &str) -> Option<String> {
            None
        }

        fn entry(&self, path: &str) -> Option<FileKind> {
            self.0.set(self.0.get() + 1);
            (path == "/there").then_some(FileKind::Directory)
        }

        fn text(&self, _: &str) -> Option<String> {
            None
        }
    }

    #[test]
    fn what_is_at_a_path_is_asked_once() {
        let asked = Asked::default();
        let world = CachedWorld::new(&asked);
        for _ in 0..3 {
            assert_eq!(world.entry("/there"), Some(FileKind::Directory));
            assert_eq!(world.entry("/gone"), None);
        }
        assert_eq!(asked.0.get(), 2);
    }
}
