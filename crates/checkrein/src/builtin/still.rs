//! A machine on which nothing changes while many calls are judged: a history, a comparison of policies.

use checkrein_git::{Answer, Question};
use checkrein_guard::{Belonging, FileKind, Identity, Own, World};
use std::{
    cell::{OnceCell, RefCell},
    collections::HashMap,
    hash::Hash,
};

/// The number of paths that are remembered. With more of them it begins anew, so that memory stays flat.
const MOST: usize = 4096;

/// A machine that is asked only once about each path. A running agent changes its disk from call to call, so this is only for
/// calls of the past, or that never run.
#[derive(Debug, Default)]
pub struct Still<W> {
    world: W,
    entries: Memory<String, Option<FileKind>>,
    identities: Memory<String, Option<Identity>>,
    folds: Memory<String, bool>,
    belongings: Memory<Option<String>, Vec<Belonging>>,
    named: Memory<String, Vec<Belonging>>,
    agents: OnceCell<Vec<String>>,
    account: OnceCell<Option<String>>,
}

impl<W> Still<W> {
    /// Remembers the answers of a machine.
    pub fn new(world: W) -> Self {
        Self {
            world,
            entries: Memory::default(),
            identities: Memory::default(),
            folds: Memory::default(),
            belongings: Memory::default(),
            named: Memory::default(),
            agents: OnceCell::new(),
            account: OnceCell::new(),
        }
    }
}

/// Answers by what was asked.
#[derive(Debug)]
struct Memory<K, V>(RefCell<HashMap<K, V>>);

impl<K, V> Default for Memory<K, V> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<K: Hash + Eq, V: Clone> Memory<K, V> {
    fn get<Q: Hash + Eq + ?Sized + ToOwned<Owned = K>>(&self, key: &Q, ask: impl FnOnce() -> V) -> V
    where
        K: std::borrow::Borrow<Q>,
    {
        if let Some(known) = self.0.borrow().get(key) {
            return known.clone();
        }
        let value = ask();
        let mut known = self.0.borrow_mut();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key.to_owned(), value.clone());
        value
    }
}

impl<W: World> World for Still<W> {
    fn home(&self) -> Option<String> {
        self.world.home()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.world.variable(name)
    }

    fn account_home(&self) -> Option<String> {
        self.account.get_or_init(|| self.world.account_home()).clone()
    }

    fn variables(&self, names: &[&str]) -> Vec<Option<String>> {
        self.world.variables(names)
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        self.entries.get(path, || self.world.entry(path))
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

    fn own(&self) -> Option<&dyn Own> {
        self.world.own().map(|_| self as &dyn Own)
    }

    fn is_this_program(&self, path: &str) -> bool {
        self.world.is_this_program(path)
    }

    fn is_confirming(&self) -> bool {
        self.world.is_confirming()
    }
}

/// A machine without a guard of its own is never asked: [`World::own`] above has none.
impl<W: World> Own for Still<W> {
    fn belongings(&self, project: Option<&str>) -> Vec<Belonging> {
        let ask = || self.world.own().map(|own| own.belongings(project)).unwrap_or_default();
        self.belongings.get(&project.map(str::to_owned), ask)
    }

    fn entries(&self, settings: &str) -> Option<Vec<String>> {
        self.world.own()?.entries(settings)
    }

    fn plainly(&self, settings: &str) -> Option<String> {
        self.world.own()?.plainly(settings)
    }

    fn named_in(&self, configuration: &str) -> Vec<Belonging> {
        let ask = || self.world.own().map(|own| own.named_in(configuration)).unwrap_or_default();
        self.named.get(configuration, ask)
    }

    fn agents(&self) -> Vec<String> {
        self.agents.get_or_init(|| self.world.own().map(Own::agents).unwrap_or_default()).clone()
    }

    fn identity(&self, path: &str) -> Option<Identity> {
        self.identities.get(path, || self.world.own().and_then(|own| own.identity(path)))
    }

    fn names(&self, directory: &str) -> Vec<String> {
        self.world.own().map(|own| own.names(directory)).unwrap_or_default()
    }

    fn folds(&self, directory: &str) -> bool {
        self.folds.get(directory, || self.world.own().is_some_and(|own| own.folds(directory)))
    }

    fn synonyms(&self) -> &'static [(&'static str, &'static str)] {
        self.world.own().map(Own::synonyms).unwrap_or_default()
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
            path.starts_with("/there").then_some(FileKind::Directory)
        }

        fn text(&self, _: &str) -> Option<String> {
            None
        }
    }

    #[test]
    fn a_path_is_asked_once_and_memory_stays_flat() {
        let still = Still::new(Asked::default());
        for _ in 0..3 {
            assert_eq!(still.entry("/there"), Some(FileKind::Directory));
            assert_eq!(still.entry("/gone"), None);
        }
        assert_eq!(still.world.0.get(), 2);
        for number in 0..3 * MOST {
            still.entry(&format!("/{number}"));
        }
        assert!(still.entries.0.borrow().len() <= MOST);
    }

    /// Everything that the guard asks the machine for is passed on.
    #[test]
    fn the_answers_are_those_of_the_machine() {
        let still = Still::new(crate::Disk);
        let (own, disk) = (still.own().unwrap(), crate::Disk.own().unwrap());
        for _ in 0..2 {
            for path in ["/", "/etc/passwd", "/proc/self", "/gone"] {
                // `/proc/self` is a link to this process, whichever thread asks.
                assert_eq!(still.entry(path), crate::Disk.entry(path), "{path}");
                assert_eq!(own.identity(path), disk.identity(path), "{path}");
            }
            assert_eq!(own.belongings(None), disk.belongings(None));
            assert_eq!(own.belongings(Some("/tmp")), disk.belongings(Some("/tmp")));
            assert_eq!(own.agents(), disk.agents());
            assert_eq!(own.folds("/etc"), disk.folds("/etc"));
            assert_eq!(own.names("/etc").len(), disk.names("/etc").len());
            assert_eq!(own.synonyms(), disk.synonyms());
            assert_eq!(still.home(), crate::Disk.home());
            assert_eq!(still.account_home(), crate::Disk.account_home());
            assert_eq!(still.text("/etc/passwd"), crate::Disk.text("/etc/passwd"));
            assert_eq!(still.variables(&["PATH", "HOME"]), crate::Disk.variables(&["PATH", "HOME"]));
        }
    }
}
