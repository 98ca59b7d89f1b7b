//! The check of words against the vocabulary.

use super::document::{Problem, Result, Text};
use crate::{
    flag::ParseFlag,
    notation::{Meaning, Prints, Role, Style, Trait, VariableKind, Wraps},
    vocabulary::{Action, Certainty, Domain, Environment, Modifier, Tag, Taint, Zone},
};
use std::{collections::BTreeMap, fmt::Write};

/// A kind of word, and the source of its members.
pub(crate) trait Vocabulary: Sized + std::fmt::Debug {
    /// The name of such a word in messages.
    const WHAT: &'static str;
    /// The name of the type.
    const TYPE: &'static str;
    /// The name of the type of sets, if there is one.
    const SET: &'static str;

    fn named(word: &str) -> Option<Self>;

    fn all() -> Vec<&'static str>;
}

macro_rules! vocabulary {
    ($($kind:ident $what:literal $set:literal $all:expr;)+) => {
        $(impl Vocabulary for $kind {
            const WHAT: &'static str = $what;
            const TYPE: &'static str = stringify!($kind);
            const SET: &'static str = $set;

            fn named(word: &str) -> Option<Self> {
                Self::of(word)
            }

            fn all() -> Vec<&'static str> {
                $all
            }
        })+
    };
}

fn firsts(words: &[(&'static str, &'static str)]) -> Vec<&'static str> {
    words.iter().map(|(word, _)| *word).collect()
}

vocabulary! {
    Action "effect" "Actions" Self::ALL.iter().map(|word| word.as_str()).collect();
    Modifier "modifier" "Modifiers" Self::ALL.iter().map(|word| word.as_str()).collect();
    Taint "origin of data" "Taints" Self::ALL.iter().map(|word| word.as_str()).collect();
    Domain "domain" "Domains" Self::ALL.iter().map(|word| word.as_str()).collect();
    Environment "environment" "Environments" Self::ALL.iter().map(|word| word.as_str()).collect();
    Certainty "certainty" "Certainties" Self::ALL.iter().map(|word| word.as_str()).collect();
    ParseFlag "flag" "ParseFlags" Self::ALL.iter().map(|word| word.as_str()).collect();
    Tag "tag" "Tags" Self::ALL.iter().map(|word| word.as_str()).collect();
    Zone "zone" "Zones" Self::ALL.iter().map(|word| word.as_str()).collect();
    Meaning "meaning of an argument" "" firsts(Self::WORDS);
    Role "role" "" firsts(Self::WORDS);
    Wraps "value of `wraps`" "" firsts(Self::WORDS);
    Prints "value of `prints`" "" firsts(Self::WORDS);
    Style "style" "" firsts(Self::WORDS);
    Trait "trait" "" firsts(Self::WORDS);
    VariableKind "kind of variable" "" firsts(Self::WORDS);
}

/// Returns the source of the member that a word names.
pub(crate) fn member<T: Vocabulary>(word: Text) -> Result<String> {
    let member = T::named(word.text).ok_or_else(|| unknown(T::WHAT, word, T::all()))?;
    Ok(format!("{}::{member:?}", T::TYPE))
}

/// Returns the source of the set that words name.
pub(crate) fn set<T: Vocabulary>(words: &[Text]) -> Result<String> {
    let members: Vec<String> = words.iter().map(|word| member::<T>(*word)).collect::<Result<_>>()?;
    Ok(format!("{}::of(&[{}])", T::SET, members.join(", ")))
}

/// Returns the source of the qualities that words of any kind name.
pub(crate) fn qualities(words: &[Text]) -> Result<String> {
    let mut sets: BTreeMap<&str, (&str, Vec<String>)> = BTreeMap::new();
    for word in words {
        let (field, set, member) = quality(*word)?;
        sets.entry(field).or_insert((set, Vec::new())).1.push(member);
    }
    if sets.is_empty() {
        return Ok("Qualities::NONE".to_owned());
    }
    let fields = sets.iter().fold(String::new(), |mut fields, (field, (set, members))| {
        let _infallible = write!(fields, "{field}: {set}::of(&[{}]), ", members.join(", "));
        fields
    });
    Ok(format!("Qualities {{ {fields}..Qualities::NONE }}"))
}

/// Returns the field, the set and the member of a word of any kind.
fn quality(word: Text) -> Result<(&'static str, &'static str, String)> {
    fn one<T: Vocabulary>(field: &'static str, word: Text) -> Option<(&'static str, &'static str, String)> {
        Some((field, T::SET, member::<T>(word).ok()?))
    }
    let found = one::<Modifier>("how", word)
        .or_else(|| one::<Taint>("data", word))
        .or_else(|| one::<Domain>("domain", word))
        .or_else(|| one::<Environment>("environment", word))
        .or_else(|| one::<Certainty>("certainty", word))
        .or_else(|| one::<ParseFlag>("flags", word));
    found.ok_or_else(|| {
        let all = [
            Modifier::all(),
            Taint::all(),
            Domain::all(),
            Environment::all(),
            Certainty::all(),
            ParseFlag::all(),
        ];
        unknown("modifier, flag, domain or environment", word, all.concat())
    })
}

/// Returns the problem of a word that is not one of these, with the one that is meant, probably.
pub(crate) fn unknown<'a>(what: &str, word: Text, known: impl IntoIterator<Item = &'a str>) -> Problem {
    let known: Vec<&str> = known.into_iter().collect();
    let nearest = known.iter().min_by_key(|one| distance(one, word.text));
    let hint = match nearest {
        Some(nearest) if distance(nearest, word.text) <= 2 => format!("did you mean `{nearest}`?"),
        Some(_) | None => format!("there are {}", known.join(", ")),
    };
    word.problem(format_args!("unknown {what} `{}`; {hint}", word.text))
}

/// Returns the number of letters that have to be added, removed or replaced to turn one word into the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (place, letter) in one.chars().enumerate() {
        let mut diagonal = place;
        let mut left = place + 1;
        for (above, wanted) in row.iter_mut().skip(1).zip(other.chars()) {
            let replaced = diagonal + usize::from(letter != wanted);
            diagonal = *above;
            left = replaced.min(left + 1).min(*above + 1);
            *above = left;
        }
        if let Some(first) = row.first_mut() {
            *first = place + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}
