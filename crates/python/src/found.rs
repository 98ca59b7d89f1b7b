//! Sets of patterns.

use std::collections::HashMap;

/// Sets of patterns, each kept once, and which of them the present text has met.
pub(crate) struct Sets {
    sets: Vec<Found>,
    places: HashMap<Found, u32>,
    marks: Vec<u64>,
    patterns: usize,
}

impl Sets {
    pub(crate) fn new(patterns: usize) -> Self {
        Self { sets: Vec::new(), places: HashMap::new(), marks: Vec::new(), patterns }
    }

    /// The set of no pattern.
    pub(crate) fn none(&self) -> Found {
        Found(vec![0; self.patterns.div_ceil(64)])
    }

    /// The number of a set.
    pub(crate) fn place(&mut self, set: Found) -> Option<u32> {
        if let Some(place) = self.places.get(&set) {
            return Some(*place);
        }
        let place = u32::try_from(self.sets.len()).ok()?;
        self.sets.push(set.clone());
        self.places.insert(set, place);
        self.marks.resize(self.sets.len().div_ceil(64), 0);
        Some(place)
    }

    /// Begins a text.
    pub(crate) fn unmark(&mut self) {
        self.marks.fill(0);
    }

    /// Notes that the text has met a set.
    #[inline]
    pub(crate) fn mark(&mut self, set: u32) {
        if let Some(marks) = self.marks.get_mut((set / 64) as usize) {
            *marks |= 1 << (set % 64);
        }
    }

    /// The patterns of all marked sets.
    pub(crate) fn found(&self) -> Found {
        let mut found = self.none();
        for (word, marks) in self.marks.iter().enumerate() {
            let mut marks = *marks;
            while marks != 0 {
                if let Some(set) = self.sets.get(word * 64 + marks.trailing_zeros() as usize) {
                    found.unite(set);
                }
                marks &= marks - 1;
            }
        }
        found
    }
}

/// A set of patterns: a bit for each.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Found(Vec<u64>);

impl Found {
    pub(crate) fn has(&self, pattern: usize) -> bool {
        self.0.get(pattern / 64).is_some_and(|bits| bits & (1 << (pattern % 64)) != 0)
    }

    pub(crate) fn add(&mut self, pattern: usize) {
        if let Some(bits) = self.0.get_mut(pattern / 64) {
            *bits |= 1 << (pattern % 64);
        }
    }

    fn unite(&mut self, other: &Self) {
        for (bits, more) in self.0.iter_mut().zip(&other.0) {
            *bits |= more;
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }
}
