//! Which of many patterns occur in a text: one pass, however many there are.
//!
//! `regex::RegexSet` stops at every match to note it, and patterns that describe words match at nearly every byte. Here
//! the automaton is walked by hand, along [`Paths`]. It reads bytes as ASCII, which makes it several times smaller than
//! one that knows all of Unicode. On a text that is ASCII both say the same; any other is left to the set.

use crate::{found::Found, paths::Paths};
use pyo3::{exceptions::PyValueError, prelude::*};
use regex::{RegexSet, RegexSetBuilder};
use regex_automata::{
    MatchKind,
    hybrid::dfa::{Config, DFA},
    nfa::thompson,
    util::syntax,
};
use std::sync::{Mutex, PoisonError};

/// More than a thousand patterns fit.
const SIZE: usize = 64 << 20;

/// Patterns, compiled.
pub(crate) struct Patterns {
    set: RegexSet,
    /// `None` if a pattern speaks of more than ASCII; the set then does everything.
    automaton: Option<DFA>,
    /// What was learnt so far. As many as threads have scanned at once.
    #[expect(clippy::vec_box, reason = "they are large, and every scan takes one out and puts it back")]
    paths: Mutex<Vec<Box<Paths>>>,
}

impl Patterns {
    pub(crate) fn new<'a>(patterns: impl Iterator<Item = &'a str> + Clone) -> Result<Self, regex::Error> {
        let set = RegexSetBuilder::new(patterns.clone()).size_limit(SIZE).dfa_size_limit(SIZE).build()?;
        let texts: Vec<&str> = patterns.collect();
        let automaton = DFA::builder()
            .configure(Config::new().match_kind(MatchKind::All).cache_capacity(SIZE))
            .syntax(syntax::Config::new().unicode(false).utf8(false))
            .thompson(thompson::Config::new().utf8(false))
            .build_many(&texts)
            .ok();
        Ok(Self { set, automaton, paths: Mutex::default() })
    }

    /// How many patterns occur in the text that `parts` are together.
    pub(crate) fn count(&self, parts: &[&str]) -> usize {
        match self.walk(parts) {
            Some(found) => found.count(),
            None => self.set.matches(&parts.concat()).iter().count(),
        }
    }

    /// The patterns that occur, in their order.
    pub(crate) fn found(&self, parts: &[&str]) -> Vec<usize> {
        match self.walk(parts) {
            Some(found) => (0..self.set.len()).filter(|pattern| found.has(*pattern)).collect(),
            None => self.set.matches(&parts.concat()).into_iter().collect(),
        }
    }

    /// What the automaton finds, if it can say.
    fn walk(&self, parts: &[&str]) -> Option<Found> {
        let automaton = self.automaton.as_ref().filter(|_| parts.iter().all(|part| part.is_ascii()))?;
        let idle = self.paths.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut paths = idle.unwrap_or_else(|| Box::new(Paths::new(automaton)));
        let found = paths.walk(automaton, parts)?;
        self.paths.lock().unwrap_or_else(PoisonError::into_inner).push(paths);
        Some(found)
    }
}

/// Many patterns, compiled into one automaton: a scan costs about the same however many there are.
#[pyclass(frozen, module = "checkrein")]
pub(crate) struct PatternSet {
    patterns: Patterns,
}

#[pymethods]
impl PatternSet {
    #[new]
    fn new(py: Python<'_>, patterns: Vec<String>) -> PyResult<Self> {
        let built = py.detach(|| Patterns::new(patterns.iter().map(String::as_str)));
        built.map(|patterns| Self { patterns }).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The number of patterns that occur in `text`.
    #[pyo3(signature = (text, /))]
    fn scan(&self, py: Python<'_>, text: &str) -> usize {
        py.detach(|| self.patterns.count(&[text]))
    }

    /// The positions of the patterns that occur in `text`, in their order.
    #[pyo3(signature = (text, /))]
    fn find(&self, py: Python<'_>, text: &str) -> Vec<usize> {
        py.detach(|| self.patterns.found(&[text]))
    }

    fn __len__(&self) -> usize {
        self.patterns.set.len()
    }

    fn __repr__(&self) -> String {
        format!("PatternSet(<{} patterns>)", self.patterns.set.len())
    }
}
