//! Everything that the evaluator knows about how an effect happens, in one value.
//!
//! The parts are the typed sets of an [`Effect`], and the flags of option parsing, which end here.

use crate::{
    effect::{Effect, Target},
    program::{ParseFlag, ParseFlags},
    vocabulary::{
        Action, Certainties, Certainty, Domain, Domains, Environment, Environments, Modifier, Modifiers,
        Taint, Taints,
    },
};

/// The qualities of an effect, with the flags that only the evaluator needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Qualities {
    pub(crate) how: Modifiers,
    pub(crate) data: Taints,
    pub(crate) flags: ParseFlags,
    pub(crate) domain: Domains,
    pub(crate) environment: Environments,
    pub(crate) certainty: Certainties,
}

/// A word of one of the sets.
pub(crate) trait Quality: Copy {
    /// The set that contains only this word.
    fn alone(self) -> Qualities;
}

macro_rules! qualities_of {
    ($($word:ident in $set:ident as $field:ident,)+) => {
        $(
            impl $word {
                /// The set that contains only this word, for constants.
                pub(crate) const fn quality(self) -> Qualities {
                    Qualities { $field: $set::NONE.with(self), ..Qualities::NONE }
                }
            }

            impl Quality for $word {
                fn alone(self) -> Qualities {
                    self.quality()
                }
            }
        )+

        impl Qualities {
            /// Nothing in particular.
            pub(crate) const NONE: Self = Self { $($field: $set::NONE,)+ };

            /// Returns true if it contains all of another.
            pub(crate) const fn has_all(self, other: Self) -> bool {
                true $(&& self.$field.has_all(other.$field))+
            }

            /// Returns true if it contains any of another.
            pub(crate) const fn has_any(self, other: Self) -> bool {
                false $(|| self.$field.has_any(other.$field))+
            }

            /// Returns true if it is empty.
            pub(crate) const fn is_empty(self) -> bool {
                true $(&& self.$field.is_empty())+
            }

            /// Returns the union with another.
            #[must_use]
            pub(crate) const fn and(self, other: Self) -> Self {
                Self { $($field: self.$field.and(other.$field),)+ }
            }

            /// Returns the intersection of both.
            #[must_use]
            pub(crate) const fn only(self, other: Self) -> Self {
                Self { $($field: self.$field.only(other.$field),)+ }
            }

            /// Returns it without what is in another.
            #[must_use]
            pub(crate) const fn minus(self, other: Self) -> Self {
                Self { $($field: self.$field.minus(other.$field),)+ }
            }
        }
    };
}

qualities_of! {
    Modifier in Modifiers as how,
    Taint in Taints as data,
    ParseFlag in ParseFlags as flags,
    Domain in Domains as domain,
    Environment in Environments as environment,
    Certainty in Certainties as certainty,
}

impl Qualities {
    /// Returns the qualities of an effect.
    pub(crate) const fn of(effect: &Effect) -> Self {
        Self {
            how: effect.how,
            data: effect.data,
            flags: ParseFlags::NONE,
            domain: effect.domain,
            environment: effect.environment,
            certainty: effect.certainty,
        }
    }

    /// Returns an effect that happens in this way. The flags of option parsing end here.
    pub(crate) const fn effect(self, action: Action, target: Target, by: usize) -> Effect {
        let Self { how, data, flags: _, domain, environment, certainty } = self;
        Effect { action, target, how, data, domain, environment, certainty, by }
    }

    /// Returns true if it contains a word.
    pub(crate) fn has(self, word: impl Quality) -> bool {
        self.has_any(word.alone())
    }

    /// Returns these qualities and one more.
    #[must_use]
    pub(crate) fn with(self, word: impl Quality) -> Self {
        self.and(word.alone())
    }

    /// Returns these qualities except one.
    #[must_use]
    pub(crate) fn without(self, word: impl Quality) -> Self {
        self.minus(word.alone())
    }
}

/// The qualities with these words, of whatever kinds.
macro_rules! qualities {
    ($($word:expr),* $(,)?) => {
        crate::qualities::Qualities::NONE$(.and(($word).quality()))*
    };
}

pub(crate) use qualities;
