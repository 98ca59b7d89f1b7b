//! The variables of the shell, as far as the text makes them known.

use crate::{
    ShellEnv,
    script::{ANY, Watched},
    setting::Watch,
    word::{Candidates, Part, Unknown, UnknownSource, Word},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The known value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Unset,
    /// Set to this, which may hold parts that are unknown.
    Set(Arc<Word>),
    /// An array of these words, from its first place on.
    Array(Arc<[Word]>),
}

/// `$1`, `$2`, …: those that `shift` has left of them.
#[derive(Clone, Debug)]
pub(super) struct Arguments {
    words: Arc<[Word]>,
    shifted: usize,
}

impl Arguments {
    pub(super) fn new(words: &[Word]) -> Self {
        Self { words: words.into(), shifted: 0 }
    }

    /// Removes the first ones without a copy, or returns `None` if there are fewer.
    pub(super) fn without(self, first: usize) -> Option<Self> {
        let shifted = self.shifted.checked_add(first).filter(|shifted| *shifted <= self.words.len())?;
        Some(Self { shifted, ..self })
    }

    pub(super) fn words(&self) -> &[Word] {
        self.words.get(self.shifted..).unwrap_or_default()
    }

    /// Returns true if both are certainly equal. Long lists are not compared: that would be repeated again and again.
    fn are(&self, others: &Self) -> bool {
        const FEW: usize = 16;
        Arc::ptr_eq(&self.words, &others.words) && self.shifted == others.shifted
            || self.words().len() <= FEW && self.words() == others.words()
    }
}

/// Tells if a value may be none of those that are known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// Only if one of them is not known as a whole.
    Open,
    /// It may.
    Anything,
}

/// The maximum number of possible values of a variable.
const VALUES: usize = 16;
/// The size of all of them.
const SIZE: usize = 1024;

/// One of several words, if that is useful. A word that may be empty is not: anything made of it would be a guess.
fn one_of(name: &str, words: &[&Arc<Word>], ends: Ends) -> Option<Value> {
    let mut open = ends == Ends::Anything;
    let mut all: Vec<Word> = Vec::new();
    for word in words {
        match word.parts.as_slice() {
            [] => return None,
            [Part::Unknown(unknown)] => match &unknown.among {
                Candidates::These(words) => all.extend(words.iter().cloned()),
                Candidates::TheseOrAnything(words) => {
                    open = true;
                    all.extend(words.iter().cloned());
                }
                Candidates::Anything => {
                    open = true;
                    if matches!(unknown.why, UnknownSource::Home(_)) {
                        all.push(Word::clone(word));
                    }
                }
            },
            // Alternatives of alternatives are not followed without end.
            parts
                if parts.iter().any(
                    |part| matches!(part, Part::Unknown(unknown) if unknown.among != Candidates::Anything),
                ) =>
            {
                return None;
            }
            _ => all.push(Word::clone(word)),
        }
    }
    all.dedup();
    let size: usize = all.iter().map(Word::size).sum();
    let says = !all.is_empty()
        && all.len() <= VALUES
        && size <= SIZE
        && all.iter().all(|word| !word.parts.is_empty());
    if !says {
        return None;
    }
    open |= all.iter().any(|word| word.constant().is_none());
    let among = if open { Candidates::TheseOrAnything(all.into()) } else { Candidates::These(all.into()) };
    let unknown = Unknown { among, empty: open, ..Unknown::new(UnknownSource::Variable(name.to_owned())) };
    Some(Value::Set(Arc::new(Word { parts: vec![Part::Unknown(unknown)], span: 0..0 })))
}

/// All that is known at one point of the text. A variable that is not in it may be anything.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment {
    variables: Arc<BTreeMap<String, Value>>,
    /// Variables to which an assignment does more, or less, than to assign.
    protected: Arc<BTreeSet<String>>,
    /// The names that the programs of the text are given, apart from those that were exported before it.
    exported: Arc<BTreeSet<String>>,
    /// Their values, as long as nothing was set.
    passed: Option<Arc<BTreeMap<String, String>>>,
    /// `$1`, `$2`, …, if the text sets them.
    pub(super) arguments: Option<Arguments>,
    /// The variables that the caller watches, as the text last set them by any way.
    watched: Option<Arc<BTreeMap<String, Watched>>>,
    /// Selects those variables.
    watch: Option<Watch>,
    /// True if nothing can be known from here on: a name may be an alias of another one, or other commands run in
    /// between.
    blind: bool,
}

impl Environment {
    pub(super) fn new(setting: &ShellEnv, watch: Option<Watch>) -> Self {
        let mut environment = Self { watch, ..Self::default() };
        let mut set = |name: &str, value: &str| environment.set(name, Some(Word::text(value, 0..0)));
        for (name, value) in &setting.variables {
            set(name, value);
        }
        if let Some(home) = &setting.home {
            set("HOME", home);
        }
        if let Some(cwd) = &setting.cwd {
            set("PWD", cwd);
        }
        set("IFS", setting.ifs.as_deref().unwrap_or(" \t\n"));
        setting.variables.keys().for_each(|name| environment.export(name));
        environment.watched = None;
        environment.arguments = setting.arguments.as_deref().map(Arguments::new);
        environment
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    /// Returns true if anything was set since the copy `before` was made.
    pub(super) fn differs(&self, before: &Self) -> bool {
        !Arc::ptr_eq(&self.variables, &before.variables)
    }

    /// Returns the cost of setting something after a copy was made.
    pub(super) fn size(&self) -> usize {
        self.variables.len()
    }

    /// Sets a variable; to nothing that is known, if there is no value.
    pub(super) fn set(&mut self, name: &str, value: Option<Word>) {
        if self.is_watched(name) {
            self.note(name, value.clone().map_or(Watched::Lost, Watched::To));
        }
        self.put(name, value.map(|word| Value::Set(Arc::new(word))));
    }

    /// Sets an array whose words are all known.
    pub(super) fn set_array(&mut self, name: &str, words: Vec<Word>) {
        self.put(name, Some(Value::Array(words.into())));
    }

    pub(super) fn unset(&mut self, name: &str) {
        if self.is_watched(name) {
            self.note(name, Watched::Unset);
        }
        self.put(name, Some(Value::Unset));
    }

    /// Nothing is known of a variable any more, since something that is followed by itself sets it.
    pub(super) fn forget(&mut self, name: &str) {
        self.put(name, None);
    }

    /// Something is set by a name that is not known, so that nothing is known.
    pub(super) fn set_any(&mut self) {
        self.note(ANY, Watched::Lost);
        self.forget_all();
    }

    /// Records that another name is an alias of a variable from here on.
    pub(super) fn refer(&mut self, target: Option<&str>) {
        match target {
            Some(name) if !self.is_watched(name) => {}
            name => self.note(name.unwrap_or(ANY), Watched::Lost),
        }
    }

    /// Returns true if the caller watches this variable.
    pub(super) fn is_watched(&self, name: &str) -> bool {
        self.watch.is_some_and(|watch| watch(name))
    }

    /// Records an assignment to a watched variable, also a default that may be assigned (`${NAME:=value}`).
    pub(super) fn note(&mut self, name: &str, watched: Watched) {
        Arc::make_mut(self.watched.get_or_insert_default()).insert(name.to_owned(), watched);
    }

    pub(super) fn watched(&self) -> Option<Arc<BTreeMap<String, Watched>>> {
        self.watched.clone()
    }

    /// From here on programs are given the variable.
    pub(super) fn export(&mut self, name: &str) {
        if !self.exported.contains(name) {
            Arc::make_mut(&mut self.exported).insert(name.to_owned());
            self.passed = None;
        }
    }

    /// Returns the variables that programs inherit here, as far as the text exports them and their values are known,
    /// and the cost of collecting them.
    pub(super) fn passed(&mut self) -> (Option<Arc<BTreeMap<String, String>>>, usize) {
        if self.exported.is_empty() || self.passed.is_some() {
            return (self.passed.clone(), 0);
        }
        let constant = |name: &String| match self.variables.get(name) {
            Some(Value::Set(word)) => Some((name.clone(), word.constant()?.into_owned())),
            Some(Value::Unset | Value::Array(_)) | None => None,
        };
        let passed: Arc<BTreeMap<_, _>> = Arc::new(self.exported.iter().filter_map(constant).collect());
        let cost = passed.iter().map(|(name, value)| 32 + name.len() + value.len()).sum();
        self.passed = Some(passed);
        (self.passed.clone(), cost)
    }

    fn put(&mut self, name: &str, value: Option<Value>) {
        self.passed = None;
        match value.filter(|_| !self.blind && !self.protected.contains(name)) {
            Some(value) => {
                Arc::make_mut(&mut self.variables).insert(name.to_owned(), value);
            }
            None => {
                if self.variables.contains_key(name) {
                    Arc::make_mut(&mut self.variables).remove(name);
                }
            }
        }
    }

    /// From here on an assignment fails, or computes.
    pub(super) fn protect(&mut self, name: &str) {
        Arc::make_mut(&mut self.protected).insert(name.to_owned());
    }

    pub(super) fn forget_all(&mut self) {
        self.variables = Arc::default();
        self.passed = None;
        self.arguments = None;
    }

    pub(super) fn blind(&mut self) {
        self.forget_all();
        self.blind = true;
    }

    /// Forgets what differs from `before`: it holds only if what came between has run.
    pub(super) fn unsettle(&mut self, before: &Self) {
        let same =
            self.arguments.as_ref().zip(before.arguments.as_ref()).is_some_and(|(one, two)| one.are(two));
        if !same {
            self.arguments = None;
        }
        self.blind |= before.blind;
        for (name, watched) in before.watched.iter().flat_map(|watched| watched.iter()) {
            if !self.watched.as_ref().is_some_and(|own| own.contains_key(name)) {
                self.note(name, watched.clone());
            }
        }
        if !Arc::ptr_eq(&self.protected, &before.protected) {
            Arc::make_mut(&mut self.protected).extend(before.protected.iter().cloned());
        }
        if !Arc::ptr_eq(&self.exported, &before.exported) {
            Arc::make_mut(&mut self.exported).retain(|name| before.exported.contains(name));
        }
        self.passed = None;
        if self.differs(before) {
            Arc::make_mut(&mut self.variables).retain(|name, value| match before.variables.get(name) {
                Some(old) if old == value => true,
                // Either of the two, if that is known.
                Some(Value::Set(old)) => match value {
                    Value::Set(new) => match one_of(name, &[old, new], Ends::Open) {
                        Some(either) => {
                            *value = either;
                            true
                        }
                        None => false,
                    },
                    Value::Unset | Value::Array(_) => false,
                },
                Some(_) | None => false,
            });
        }
    }

    /// Something that may run again and again sets a variable: it may be what it was, or anything else.
    pub(super) fn may_be(&mut self, name: &str, values: &[&Value]) {
        let known: Vec<&Arc<Word>> = values
            .iter()
            .filter_map(|value| match value {
                Value::Set(word) => Some(word),
                Value::Unset | Value::Array(_) => None,
            })
            // What is counted is something else each time.
            .filter(|word| word.constant().is_none_or(|text| text.parse::<i64>().is_err()))
            .collect();
        let value = if known.is_empty() { None } else { one_of(name, &known, Ends::Anything) };
        self.put(name, value);
    }

    /// Keeps only what holds whenever a function is called.
    pub(super) fn keep(&mut self, holds: impl Fn(&str) -> bool) {
        Arc::make_mut(&mut self.variables).retain(|name, _| holds(name));
        self.passed = None;
        self.arguments = None;
    }
}
