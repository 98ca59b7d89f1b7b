//! Walks an automaton along the paths that it has gone before.
//!
//! The table of a lazy automaton has a row for each state and a column for each class of bytes, and a text uses one or
//! two places of a row. Between other work little of it is in the processor's caches, and to wait for one row after
//! another then takes longer than the scan. So the steps that texts really took are written down a second time, as
//! generated parsers keep theirs: rows lie upon each other, each step where the others leave a hole, and says whose it
//! is. What was never asked before is asked of the automaton, once.
//!
//! Patterns that describe words end at nearly every byte. The sets of patterns that end together are few, so a scan
//! marks the sets that it meets, and looks at their patterns when it is done.

use crate::found::{Found, Sets};
use regex_automata::{
    Input,
    hybrid::{
        LazyStateID,
        dfa::{Cache, DFA},
    },
};
use std::collections::HashMap;

/// Where the row of a state begins. It is also the name of the state, so no two states have the same.
type Row = u32;

/// Nobody's: a hole.
const HOLE: Row = Row::MAX;
/// From here on, names of states that have no row yet, because nothing was seen to follow them.
const ROWLESS: Row = 1 << 31;

/// How many places are tried for a row before it goes to the end.
const TRIES: usize = 64;
/// As many steps as are kept: some fifty megabytes.
const MOST: usize = 1 << 22;

/// From a state, with a class of bytes, to the next.
#[derive(Clone, Copy)]
struct Step {
    /// The state that it starts from.
    from: Row,
    to: Row,
}

/// What comes next in a text.
#[derive(Clone, Copy)]
enum Sign {
    Byte(u8),
    End,
}

impl Sign {
    #[inline]
    fn class(self, automaton: &DFA) -> usize {
        match self {
            Self::Byte(byte) => automaton.byte_classes().get(byte).into(),
            Self::End => automaton.byte_classes().eoi().as_usize(),
        }
    }
}

/// What one automaton has learnt from the texts that it was shown.
pub(crate) struct Paths {
    cache: Cache,
    steps: Vec<Step>,
    /// By place: the set of patterns that end where the step leads.
    ends: Vec<u32>,
    /// Where the last row was put.
    recent: usize,
    /// Every name that a state has or had. Steps to an old name find nothing there, and are renewed.
    names: HashMap<Row, LazyStateID>,
    states: HashMap<LazyStateID, Known>,
    start: Option<(Row, u32)>,
    sets: Sets,
}

/// What is known of a state.
#[derive(Clone, Copy)]
struct Known {
    row: Row,
    /// The set of patterns that end here.
    set: u32,
}

impl Paths {
    pub(crate) fn new(automaton: &DFA) -> Self {
        Self {
            cache: automaton.create_cache(),
            steps: Vec::new(),
            ends: Vec::new(),
            recent: 0,
            names: HashMap::new(),
            states: HashMap::new(),
            start: None,
            sets: Sets::new(automaton.pattern_len()),
        }
    }

    /// The patterns that occur in the text that `parts` are together. `None` if the automaton gave up or had to forget
    /// what it knew, or if there is too much to write down: this should then be thrown away.
    pub(crate) fn walk(&mut self, automaton: &DFA, parts: &[&str]) -> Option<Found> {
        self.sets.unmark();
        let (mut state, set) = match self.start {
            Some(start) => start,
            None => self.begin(automaton)?,
        };
        self.sets.mark(set);
        let mut by = usize::MAX;
        for part in parts {
            for byte in part.as_bytes() {
                let place = state as usize + Sign::Byte(*byte).class(automaton);
                by = match self.steps.get(place) {
                    Some(step) if step.from == state => place,
                    Some(_) | None => self.learn(automaton, state, Sign::Byte(*byte), by)?,
                };
                state = self.steps.get(by)?.to;
                self.sets.mark(*self.ends.get(by)?);
            }
        }
        let place = state as usize + Sign::End.class(automaton);
        by = match self.steps.get(place) {
            Some(step) if step.from == state => place,
            Some(_) | None => self.learn(automaton, state, Sign::End, by)?,
        };
        self.sets.mark(*self.ends.get(by)?);
        Some(self.sets.found())
    }

    #[cold]
    fn begin(&mut self, automaton: &DFA) -> Option<(Row, u32)> {
        let id = automaton.start_state_forward(&mut self.cache, &Input::new("")).ok()?;
        let known = self.known(automaton, id)?;
        self.start = Some((known.row, known.set));
        self.start
    }

    /// Asks the automaton for a step that is not written down where the scan looked for it, and says where it is now.
    /// `by` is the place of the step that led to `from`.
    #[cold]
    fn learn(&mut self, automaton: &DFA, from: Row, sign: Sign, by: usize) -> Option<usize> {
        let id = *self.names.get(&from)?;
        let class = sign.class(automaton);
        let mut row = self.states.get(&id)?.row;
        let known_since =
            |steps: &[Step]| steps.get(row as usize + class).is_some_and(|step| step.from == row);
        if row == from || !known_since(&self.steps) {
            let to = match sign {
                Sign::Byte(byte) => automaton.next_state(&mut self.cache, id, byte).ok()?,
                Sign::End => automaton.next_eoi_state(&mut self.cache, id).ok()?,
            };
            let Known { row: to, set } = self.known(automaton, to)?;
            row = self.with_hole(automaton, id, row, class)?;
            *self.steps.get_mut(row as usize + class)? = Step { from: row, to };
            *self.ends.get_mut(row as usize + class)? = set;
        }
        // Whoever comes the same way again finds the row that has everything.
        match self.steps.get_mut(by) {
            Some(step) => step.to = row,
            None => self.start = self.start.map(|(_, set)| (row, set)),
        }
        Some(row as usize + class)
    }

    /// The row of a state, with a hole for a class: where it is, or moved to where there is one.
    fn with_hole(&mut self, automaton: &DFA, id: LazyStateID, row: Row, class: usize) -> Option<Row> {
        let place = (row as usize).checked_add(class)?;
        if row < ROWLESS && self.steps.get(place).is_some_and(|step| step.from == HOLE) {
            return Some(row);
        }
        let width = automaton.byte_classes().alphabet_len();
        let old: Vec<(usize, Step)> = (0..width)
            .filter_map(|class| Some((class, *self.steps.get(row as usize + class)?)))
            .filter(|(_, step)| step.from == row)
            .collect();
        let wanted: Vec<usize> = old.iter().map(|(class, _)| *class).chain([class]).collect();
        let new = self.room(&wanted);
        let name = Row::try_from(new).ok().filter(|_| new < MOST)?;
        let end = new + width;
        if self.steps.len() < end {
            self.steps.resize(end, Step { from: HOLE, to: HOLE });
            self.ends.resize(end, 0);
        }
        for (class, step) in old {
            *self.steps.get_mut(new + class)? = Step { from: name, ..step };
            *self.ends.get_mut(new + class)? = *self.ends.get(row as usize + class)?;
            self.steps.get_mut(row as usize + class)?.from = HOLE;
        }
        self.names.insert(name, id);
        self.states.get_mut(&id)?.row = name;
        Some(name)
    }

    /// Where a row with these classes can lie: near the last one, so that what a text meets together lies together.
    fn room(&mut self, classes: &[usize]) -> usize {
        let fits = |row: &usize| {
            classes.iter().all(|class| self.steps.get(row + class).is_none_or(|step| step.from == HOLE))
                && Row::try_from(*row).is_ok_and(|name| !self.names.contains_key(&name))
        };
        self.recent = (self.recent..self.recent + TRIES).find(fits).unwrap_or(self.steps.len());
        self.recent
    }

    /// What is known of a state of the automaton.
    fn known(&mut self, automaton: &DFA, id: LazyStateID) -> Option<Known> {
        // After it had to forget, its names of states mean something else.
        if id.is_quit() || self.cache.clear_count() > 0 {
            return None;
        }
        if let Some(known) = self.states.get(&id) {
            return Some(*known);
        }
        let number = Row::try_from(self.states.len()).ok()?;
        let row = ROWLESS.checked_add(number).filter(|name| *name < HOLE)?;
        let known = Known { row, set: self.set(automaton, id)? };
        self.names.insert(row, id);
        self.states.insert(id, known);
        Some(known)
    }

    fn set(&mut self, automaton: &DFA, id: LazyStateID) -> Option<u32> {
        let mut found = self.sets.none();
        if id.is_match() {
            for index in 0..automaton.match_len(&self.cache, id) {
                found.add(automaton.match_pattern(&self.cache, id, index).as_usize());
            }
        }
        self.sets.place(found)
    }
}
