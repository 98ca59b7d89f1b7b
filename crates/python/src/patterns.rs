//! Finds which of many patterns occur in a text, in one pass.
//!
//! `regex::RegexSet` stops at every match to record it, and patterns that describe words match at nearly
//! every byte. Here we walk the automaton ourselves, and record the patterns of a state once per text. It
//! reads bytes as ASCII, which makes it several times smaller than one for all of Unicode. On ASCII both
//! give the same result; any other text goes to the set.

use pyo3::{exceptions::PyValueError, prelude::*};
use regex::{RegexSet, RegexSetBuilder};
use regex_automata::{
    Input, MatchKind, PatternSet as Found,
    hybrid::{
        LazyStateID,
        dfa::{Cache, Config, DFA},
    },
    nfa::thompson,
    util::syntax,
};
use std::{
    collections::HashSet,
    hash::{BuildHasherDefault, Hasher},
    sync::{Mutex, PoisonError},
};

/// More than a thousand patterns fit.
const SIZE: usize = 64 << 20;

/// Compiled patterns.
pub(crate) struct Patterns {
    set: RegexSet,
    /// `None` if a pattern needs more than ASCII; the set then does all the work.
    automaton: Option<DFA>,
    /// Idle scans: as many as threads have scanned at the same time.
    scans: Mutex<Vec<Scan>>,
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
        Ok(Self { set, automaton, scans: Mutex::default() })
    }

    /// Returns the number of patterns that occur in the concatenation of `parts`.
    pub(crate) fn count(&self, parts: &[&str]) -> usize {
        self.walk(parts, Found::len).unwrap_or_else(|| self.set.matches(&parts.concat()).iter().count())
    }

    /// Returns the patterns that occur, in their order.
    pub(crate) fn found(&self, parts: &[&str]) -> Vec<usize> {
        self.walk(parts, |found| found.iter().map(|pattern| pattern.as_usize()).collect())
            .unwrap_or_else(|| self.set.matches(&parts.concat()).into_iter().collect())
    }

    /// Runs the automaton, if it can decide this text.
    fn walk<T>(&self, parts: &[&str], of: impl FnOnce(&Found) -> T) -> Option<T> {
        let automaton = self.automaton.as_ref().filter(|_| parts.iter().all(|part| part.is_ascii()))?;
        let idle = self.scans.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scan = idle.unwrap_or_else(|| Scan::new(automaton));
        let found = scan.walk(automaton, parts).map(of);
        self.scans.lock().unwrap_or_else(PoisonError::into_inner).push(scan);
        found
    }
}

/// State of a scan that is reused from text to text.
struct Scan {
    cache: Cache,
    /// The states of this text in which patterns end.
    met: HashSet<LazyStateID, BuildHasherDefault<Spread>>,
    found: Found,
}

impl Scan {
    fn new(automaton: &DFA) -> Self {
        Self {
            cache: automaton.create_cache(),
            met: HashSet::default(),
            found: Found::new(automaton.pattern_len()),
        }
    }

    /// Returns the patterns that occur in the concatenation of `parts`. `None` if the automaton gave up, or
    /// ran out of space and cleared its cache, which changes the meaning of its state numbers.
    fn walk(&mut self, automaton: &DFA, parts: &[&str]) -> Option<&Found> {
        self.met.clear();
        self.found.clear();
        let begun_anew = self.cache.clear_count();
        let mut state = automaton.start_state_forward(&mut self.cache, &Input::new("")).ok()?;
        for byte in parts.iter().flat_map(|part| part.as_bytes()) {
            state = automaton.next_state(&mut self.cache, state, *byte).ok()?;
            if state.is_match() {
                self.meet(automaton, state);
            } else if state.is_quit() {
                return None;
            }
        }
        state = automaton.next_eoi_state(&mut self.cache, state).ok()?;
        if state.is_match() {
            self.meet(automaton, state);
        }
        (self.cache.clear_count() == begun_anew && !state.is_quit()).then_some(&self.found)
    }

    #[inline]
    fn meet(&mut self, automaton: &DFA, state: LazyStateID) {
        if self.met.insert(state) {
            for index in 0..automaton.match_len(&self.cache, state) {
                self.found.insert(automaton.match_pattern(&self.cache, state, index));
            }
        }
    }
}

/// Hashes a state number, which no input can choose.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32((*byte).into());
        }
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
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

    /// Returns the number of patterns that occur in `text`.
    #[pyo3(signature = (text, /))]
    fn scan(&self, py: Python<'_>, text: &str) -> usize {
        py.detach(|| self.patterns.count(&[text]))
    }

    /// Returns the positions of the patterns that occur in `text`, in their order.
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
