//! Lists of the program table, in four bytes each.
//!
//! The table has thousands of entries with several short lists each, and most lists occur many times. So each kind of item has one
//! pool, which contains every list once, and an entry has the place of its lists there. References would make the program a
//! megabyte larger.

use crate::qualities::Qualities;
use std::{marker::PhantomData, ops::Deref};

/// The bits of a place that count the items.
const COUNT_BITS: u32 = 10;

/// A list of items in the pool of their kind.
pub(crate) struct List<T> {
    place: u32,
    items: PhantomData<fn() -> T>,
}

/// A kind of item with a pool.
pub(crate) trait Pooled: Sized + 'static {
    /// Returns the pool.
    fn pool() -> &'static [Self];
}

impl<T> List<T> {
    /// Returns the list of `count` items from `start` on. Too large a number does not compile: the table is a constant.
    pub(crate) const fn at(start: u32, count: u32) -> Self {
        assert!(count < 1 << COUNT_BITS && start < 1 << (32 - COUNT_BITS), "the table is too large");
        Self { place: start << COUNT_BITS | count, items: PhantomData }
    }
}

impl<T: Pooled> List<T> {
    /// Returns the items.
    pub(crate) fn items(self) -> &'static [T] {
        let (start, count) = (self.place >> COUNT_BITS, self.place & ((1 << COUNT_BITS) - 1));
        let start = start as usize;
        // The build script wrote both, so the items are there.
        T::pool().get(start..start + count as usize).unwrap_or_default()
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T: Pooled> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.items()
    }
}

impl<T: Pooled> IntoIterator for List<T> {
    type Item = &'static T;
    type IntoIter = std::slice::Iter<'static, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items().iter()
    }
}

impl<T: Pooled + std::fmt::Debug> std::fmt::Debug for List<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.items().fmt(formatter)
    }
}

/// The place of qualities among all that the table has. Most entries and options have none, which are the first.
#[derive(Clone, Copy)]
pub(crate) struct QualitiesAt(pub(crate) u16);

impl QualitiesAt {
    /// Returns the qualities.
    pub(crate) fn get(self) -> Qualities {
        crate::data::QUALITIES.get(usize::from(self.0)).copied().unwrap_or_default()
    }
}

impl std::fmt::Debug for QualitiesAt {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(formatter)
    }
}

macro_rules! pools {
    ($($item:ty => $pool:ident,)+) => {
        $(
            impl Pooled for $item {
                fn pool() -> &'static [Self] {
                    crate::data::$pool
                }
            }
        )+
    };
}

pools! {
    &'static str => WORD_POOL,
    super::OptionSpec => OPTION_POOL,
    super::Operand => OPERAND_POOL,
    super::Case => CASE_POOL,
    super::StaticEffect => EFFECT_POOL,
    super::Role => ROLE_POOL,
    super::Trait => TRAIT_POOL,
}
