//! Many measurements of several things, interleaved.

use std::hint::black_box;

/// Something to measure.
pub(crate) struct Row<'a, T> {
    pub(crate) name: String,
    pub(crate) measure: Box<dyn FnMut() -> T + 'a>,
}

impl<'a, T> Row<'a, T> {
    pub(crate) fn new(name: impl Into<String>, measure: impl FnMut() -> T + 'a) -> Self {
        Self { name: name.into(), measure: Box::new(measure) }
    }
}

/// Measures every row once per round, in a different order each time: what ran before a row (which caches
/// it warmed, what it left to clean up) must vary, or it becomes part of the figure.
pub(crate) fn interleaved<T>(mut rows: Vec<Row<'_, T>>, rounds: usize) -> Vec<(String, Vec<T>)> {
    for row in &mut rows {
        black_box((row.measure)());
    }
    let mut order: Vec<(u64, usize)> = (0..rows.len()).map(|row| (0, row)).collect();
    let mut samples: Vec<Vec<T>> = rows.iter().map(|_| Vec::with_capacity(rounds)).collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..rounds {
        for (key, _) in &mut order {
            *key = random.next();
        }
        order.sort_unstable();
        for (_, index) in &order {
            if let (Some(row), Some(samples)) = (rows.get_mut(*index), samples.get_mut(*index)) {
                samples.push((row.measure)());
            }
        }
    }
    rows.into_iter().map(|row| row.name).zip(samples).collect()
}

/// A pseudo-random sequence that is the same in each run, and good enough to shuffle a few rows.
struct Random(u64);

impl Random {
    const fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// A summary of many measurements of one thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Summary {
    pub(crate) median: f64,
    pub(crate) least: f64,
    /// The median distance from the median, as a fraction of it. Unlike the standard deviation it describes
    /// the usual measurement, not the one that was interrupted.
    pub(crate) deviation: f64,
}

impl Summary {
    /// Summarises the samples; `None` if there are none.
    pub(crate) fn of(samples: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut samples: Vec<f64> = samples.into_iter().collect();
        let median = median(&mut samples)?;
        let least = *samples.first()?;
        let mut distances: Vec<f64> = samples.iter().map(|sample| (sample - median).abs()).collect();
        Some(Self { median, least, deviation: self::median(&mut distances)? / median })
    }
}

fn median(samples: &mut [f64]) -> Option<f64> {
    samples.sort_unstable_by(f64::total_cmp);
    samples.get(samples.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_interrupted_measurement_does_not_move_the_summary() {
        let summary = Summary::of([10.0, 12.0, 9.0, 1000.0, 11.0]).unwrap();
        assert_eq!(summary, Summary { median: 11.0, least: 9.0, deviation: 1.0 / 11.0 });
        assert_eq!(Summary::of([]), None);
    }

    #[test]
    fn every_row_is_measured_in_every_round_and_the_order_changes() {
        let log = std::cell::RefCell::new(Vec::new());
        let note = |row| log.borrow_mut().push(row);
        let rows = (0..3).map(|row| Row::new(row.to_string(), move || note(row))).collect();
        let measured = interleaved(rows, 50);
        assert!(measured.iter().all(|(_, samples)| samples.len() == 50));
        let log = log.into_inner();
        let rounds: Vec<&[i32]> = log.chunks(3).skip(1).collect();
        assert!(rounds.iter().all(|round| (0..3).all(|row| round.contains(&row))));
        assert!(rounds.iter().any(|round| round != &rounds[0]));
    }
}
