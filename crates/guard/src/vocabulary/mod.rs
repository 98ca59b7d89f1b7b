//! The words in which effects, the table of programs and the rules are written.
//!
//! Each kind of word is an enum and a set of it. This is the only definition: the build script includes this module and
//! checks every word of `data`, `programs` and `rules` against it.

mod action;
mod modifier;
mod place;
mod setting;
mod source;

pub use action::{Action, Actions};
pub use modifier::{Modifier, Modifiers};
pub use place::{Tag, Tags, Zone, Zones};
pub use setting::{Domain, Domains, Environment, Environments};
pub use source::{Certainties, Certainty, Taint, Taints};

/// Defines an enum of words and a set of them.
///
/// A word that ends in `(ordinary)` may be part of an effect that an allow rule covers. All others may not, so a new word is
/// never allowed by accident.
macro_rules! words {
    ($(#[doc = $about:literal])+ $name:ident, $(#[doc = $about_set:literal])+ $set:ident($bits:ty) {
        $($(#[doc = $doc:literal])+ $variant:ident = $word:literal $(($ordinary:ident))?,)+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl $name {
            /// All words of this kind, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Returns the word as data, rules and reports spell it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// Returns the member that a word names.
            pub fn of(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }

            /// Returns a sentence that explains the word.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        $(#[doc = $about_set])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $set($bits);

        impl $set {
            /// The empty set.
            pub const NONE: Self = Self(0);

            /// The words that an allow rule may cover.
            #[allow(dead_code, reason = "not every kind of word is covered by allow rules")]
            pub(crate) const ORDINARY: Self =
                Self::of(&[$($(crate::vocabulary::ordinary!($ordinary $name::$variant),)?)+]);

            /// Returns a set of these words.
            pub const fn of(members: &[$name]) -> Self {
                let (mut bits, mut rest) = (0, members);
                while let [first, others @ ..] = rest {
                    bits |= 1 << (*first as u8);
                    rest = others;
                }
                Self(bits)
            }

            /// Returns true if the set contains a word.
            pub const fn has(self, member: $name) -> bool {
                self.0 & (1 << (member as u8)) != 0
            }

            /// Returns true if the set contains all words of another.
            pub const fn has_all(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Returns true if the set contains any word of another.
            pub const fn has_any(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Returns true if the set is empty.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Returns the union with another set.
            #[must_use]
            pub const fn and(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// Returns the set with one more word.
            #[must_use]
            pub const fn with(self, member: $name) -> Self {
                Self(self.0 | 1 << (member as u8))
            }

            /// Returns the set except for one word.
            #[must_use]
            pub const fn without(self, member: $name) -> Self {
                Self(self.0 & !(1 << (member as u8)))
            }

            /// Returns the words that are in both sets.
            #[must_use]
            pub const fn only(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            /// Returns the set without the words of another.
            #[must_use]
            pub const fn minus(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// Returns the words of the set in order.
            pub fn iter(self) -> impl Iterator<Item = $name> {
                $name::ALL.iter().copied().filter(move |member| self.has(*member))
            }
        }
    };
}

/// Accepts `(ordinary)` behind a word, and nothing else.
macro_rules! ordinary {
    (ordinary $member:expr) => {
        $member
    };
}

pub(crate) use {ordinary, words};
