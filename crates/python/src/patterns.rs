//! Which of many patterns occur in a text: one pass, however many there are.
//!
//! `regex::RegexSet` stops at every match to note it, and patterns that describe words match at nearly every byte. Here the
//! automaton is walked by hand: a state that was met before in the same text has nothing new to say, so most bytes cost
//! one step. It reads bytes as ASCII, which makes it several times smaller than one that knows all of Unicode, and small
//! tables stay in the processor's caches. On a text that is ASCII both say the same; any other is left to the set.

use pyo3::{exceptions::PyValueError, prelude::*};
use regex::{RegexSet, RegexSetBuilder};
use regex_automata::{
    Input, MatchKind,
    hybrid::{
        LazyStateID,
        dfa::{Cache, Config, DFA},
    },
    nfa::thompson,
    util::syntax,
};
use std::{
    hash::{Hash, Hasher},
    sync::{Mutex, PoisonError},
};

/// More than a thousand patterns fit.
const SIZE: usize = 64 << 20;

/// How many states of a text are remembered as having nothing new to say. A power of two.
const REMEMBERED: usize = 512;

/// Patterns, compiled.
pub(crate) struct Patterns {
    set: RegexSet,
    /// `None` if a pattern speaks of more than ASCII; the set then does everything.
    automaton: Option<DFA>,
    /// What automata have learnt so far. As many as threads have scanned at once.
    caches: Mutex<Vec<Cache>>,
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
        Ok(Self { set, automaton, caches: Mutex::default() })
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
        let idle = self.caches.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut cache = idle.unwrap_or_else(|| automaton.create_cache());
        let found = Walk::new(automaton, &mut cache, self.set.len()).run(parts);
        self.caches.lock().unwrap_or_else(PoisonError::into_inner).push(cache);
        found
    }
}

/// A bit for each pattern.
struct Found(Vec<u64>);

impl Found {
    fn none_of(patterns: usize) -> Self {
        Self(vec![0; patterns.div_ceil(64)])
    }

    fn has(&self, pattern: usize) -> bool {
        self.0.get(pattern / 64).is_some_and(|bits| bits & (1 << (pattern % 64)) != 0)
    }

    fn add(&mut self, pattern: usize) {
        if let Some(bits) = self.0.get_mut(pattern / 64) {
            *bits |= 1 << (pattern % 64);
        }
    }

    fn count(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }
}

/// One pass over one text.
struct Walk<'a> {
    automaton: &'a DFA,
    cache: &'a mut Cache,
    found: Found,
    /// States that were met, each in the place that its number says.
    met: [Option<LazyStateID>; REMEMBERED],
    /// How often the cache was cleared when they were met: numbers mean something else afterwards.
    clears: usize,
}

impl<'a> Walk<'a> {
    fn new(automaton: &'a DFA, cache: &'a mut Cache, patterns: usize) -> Self {
        let clears = cache.clear_count();
        Self { automaton, cache, found: Found::none_of(patterns), met: [None; REMEMBERED], clears }
    }

    /// The patterns that occur; `None` if the automaton gave up.
    fn run(mut self, parts: &[&str]) -> Option<Found> {
        let mut state = self.automaton.start_state_forward(self.cache, &Input::new("")).ok()?;
        for part in parts {
            for byte in part.as_bytes() {
                state = self.automaton.next_state(self.cache, state, *byte).ok()?;
                if state.is_tagged() {
                    self.look(state);
                }
            }
        }
        let last = self.automaton.next_eoi_state(self.cache, state).ok()?;
        self.look(last);
        Some(self.found)
    }

    /// Notes the patterns that end here.
    fn look(&mut self, state: LazyStateID) {
        if !state.is_match() {
            return;
        }
        if self.clears != self.cache.clear_count() {
            self.clears = self.cache.clear_count();
            self.met = [None; REMEMBERED];
        }
        let Some(place) = self.met.get_mut(Number::of(state) % REMEMBERED) else { return };
        if *place == Some(state) {
            return;
        }
        *place = Some(state);
        for index in 0..self.automaton.match_len(self.cache, state) {
            let pattern = self.automaton.match_pattern(self.cache, state, index);
            self.found.add(pattern.as_usize());
        }
    }
}

/// The number of a state, which it shows to nobody but a hasher.
#[derive(Default)]
struct Number(u32);

impl Number {
    fn of(state: LazyStateID) -> usize {
        let mut number = Self::default();
        state.hash(&mut number);
        // Numbers are multiples of a power of two; a product spreads them.
        (number.0.wrapping_mul(0x9e37_79b1) >> 20) as usize
    }
}

impl Hasher for Number {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u32::from(*byte);
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        u64::from(self.0)
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
