//! Sorting for lists that are short or sorted rarely: one copy of the algorithm for all types.
//!
//! The sort of the standard library is compiled again for each type and each comparison, into five kilobytes of code that is fast
//! for long lists. In the program that was a twentieth of its size.

use std::{cmp::Ordering, mem};

/// Sorts with little code. Equal items keep their order.
pub trait SmallSort<T> {
    /// Sorts by the order of the items.
    fn small_sort(&mut self)
    where
        T: Ord;

    /// Sorts by a comparison.
    fn small_sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Sorts by a key of each item.
    fn small_sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K);
}

impl<T> SmallSort<T> for [T] {
    fn small_sort(&mut self)
    where
        T: Ord,
    {
        self.small_sort_by(T::cmp);
    }

    fn small_sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let items = &*self;
        let swaps = swaps(items.len(), &|one, other| match (items.get(one), items.get(other)) {
            (Some(one), Some(other)) => compare(one, other),
            _ => Ordering::Equal,
        });
        for (one, other) in swaps {
            self.swap(one, other);
        }
    }

    fn small_sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.small_sort_by(|one, other| key(one).cmp(&key(other)));
    }
}

/// Returns the swaps, one after another, that sort so many items, which `compare` compares by their places.
fn swaps(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut swaps = Vec::new();
    if length < 2 {
        return swaps;
    }
    // The place from which the item of each place comes.
    let mut from: Vec<usize> = (0..length).collect();
    from.sort_by(|one, other| compare(*one, *other));
    for start in 0..length {
        // Items change places in circles. The one that was at the start is moved along, and ends where the circle closes.
        let mut place = start;
        while let Some(next) = from.get_mut(place).map(|from| mem::replace(from, place)) {
            if next == start || next == place {
                break;
            }
            swaps.push((place, next));
            place = next;
        }
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(items in proptest::collection::vec((0_u8..6, any::<u8>()), 0..40)) {
            let (mut ours, mut theirs) = (items.clone(), items.clone());
            ours.small_sort();
            theirs.sort();
            prop_assert_eq!(&ours, &theirs);
            let (mut ours, mut theirs) = (items.clone(), items);
            ours.small_sort_by_key(|(key, _)| *key);
            theirs.sort_by_key(|(key, _)| *key);
            prop_assert_eq!(ours, theirs);
        }
    }
}
