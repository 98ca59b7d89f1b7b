//! The values that an expression may have, as far as the text tells, and the origin of their content.

use super::{From, computed, home};
use checkrein_shell::{Candidates, Part, Unknown, UnknownSource, Word};
use std::borrow::Cow;

/// The longest text that is carried.
const MAX_TEXT: usize = super::MAX_CODE;
/// The most alternatives, elements and origins that are carried.
const MAX_MANY: usize = 128;

/// The most elements that lists have together.
const MAX_LIST: usize = 4096;

/// The most parts of a text that are carried.
const MAX_PARTS: usize = 128;
/// The maximum nesting of lists.
const MAX_DEPTH: usize = 6;

/// A value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Value {
    pub(super) shape: Shape,
    /// The origin of its content.
    pub(super) from: Vec<Origin>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Shape {
    /// A text or a path.
    Text(Word),
    Number(i64),
    /// A module, a class, a function, or a variable that the text does not set; its parts joined by dots.
    Name(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
    OneOf(Vec<Value>),
    /// An open file.
    File(Word),
    /// An open connection.
    Socket(Word),
    #[default]
    Unknown,
}

/// The origin of content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    File(Word),
    Network,
    Decoded,
    /// Standard input.
    Input,
    Environment,
    /// All that a table or a store holds.
    Everything,
    /// A database that ends with the program.
    Memory,
    /// A server of this machine.
    Here,
    /// The processes that run.
    Processes,
    /// The process that started this one.
    Parent,
    /// The names of the variables of the environment.
    Names,
}

/// The beginnings of addresses of this machine.
const LOCAL: &[&str] = &[
    "http://localhost",
    "http://127.0.0.1",
    "https://localhost",
    "http://localstack",
    "http://host.docker.internal",
];

/// A word of constant text.
pub(super) fn word(text: &str) -> Word {
    Word::text(text, 0..0)
}

impl Value {
    pub(super) fn text(text: &str) -> Self {
        Self::word(word(text))
    }

    pub(super) fn word(word: Word) -> Self {
        Shape::Text(word).into()
    }

    pub(super) fn name(name: impl Into<String>) -> Self {
        Shape::Name(name.into()).into()
    }

    pub(super) fn home() -> Self {
        Self::word(Word { parts: vec![home()], span: 0..0 })
    }

    /// A number of a range, or one that goes up or down.
    pub(super) fn counted() -> Self {
        Self::word(Word { parts: vec![super::counted()], span: 0..0 })
    }

    /// Returns true if a part of it is such a number.
    pub(super) fn is_counted(&self) -> bool {
        let has = |word: &Word| word.unknowns().any(|part| matches!(part.why, UnknownSource::Arithmetic));
        match &self.shape {
            Shape::Text(word) => has(word),
            Shape::List(list) | Shape::OneOf(list) => list.iter().any(Self::is_counted),
            _ => false,
        }
    }

    /// Returns true for the number that means every process.
    pub(super) fn is_everything(&self) -> bool {
        match &self.shape {
            Shape::Number(number) => *number == -1,
            Shape::Text(word) => word.constant().is_some_and(|text| text == "-1"),
            Shape::List(list) | Shape::OneOf(list) => list.iter().any(Self::is_everything),
            _ => false,
        }
    }

    /// Returns true for the process that started this one, also as a property of a module.
    pub(super) fn is_parent(&self) -> bool {
        let named =
            |name: &str| name.rsplit('.').next().is_some_and(|name| name.eq_ignore_ascii_case("ppid"));
        matches!(&self.shape, Shape::Name(name) if named(name)) || self.origins().contains(&Origin::Parent)
    }

    pub(super) fn pattern(pattern: &str) -> Self {
        Self::word(glob(pattern))
    }

    /// More than is carried. Whatever is made of it is too much as well, so that nothing is given up quietly.
    pub(super) fn too_much(from: Vec<Origin>) -> Self {
        Self { shape: Shape::Text(super::word_of_too_much()), from }
    }

    /// Returns true if a part of it was given up.
    pub(super) fn is_too_much(&self) -> bool {
        match &self.shape {
            Shape::Text(word) => word.unknowns().any(|unknown| matches!(unknown.why, UnknownSource::TooMuch)),
            _ => false,
        }
    }

    /// A list. Lists in lists in lists are not followed: a text could nest them without an end.
    pub(super) fn list(list: Vec<Self>) -> Self {
        if list.iter().any(|value| value.depth() >= MAX_DEPTH) {
            return Self::too_much(list.iter().fold(Vec::new(), |from, value| joined(from, value.origins())));
        }
        Shape::List(list).into()
    }

    /// Fields and their values, as deep as a list.
    pub(super) fn map(map: Vec<(String, Self)>) -> Self {
        if map.iter().any(|(_, value)| value.depth() >= MAX_DEPTH) {
            let origins = map.iter().map(|(_, value)| value.origins());
            return Self::too_much(origins.fold(Vec::new(), joined));
        }
        Shape::Map(map).into()
    }

    fn depth(&self) -> usize {
        let inner = match &self.shape {
            Shape::List(list) | Shape::OneOf(list) => list.iter().map(Self::depth).max(),
            Shape::Map(map) => map.iter().map(|(_, value)| value.depth()).max(),
            _ => return 0,
        };
        inner.unwrap_or(0).saturating_add(1)
    }

    pub(super) fn of(origin: Origin) -> Self {
        Self { shape: Shape::Unknown, from: vec![origin] }
    }

    /// One of two.
    pub(super) fn or(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let from = joined(self.from, other.from);
        let mut all = Vec::new();
        for shape in [self.shape, other.shape] {
            match shape {
                Shape::OneOf(more) => all.extend(more),
                other => all.push(other.into()),
            }
        }
        all.dedup();
        if all.len() > MAX_MANY || all.iter().any(|value: &Self| value.depth() > MAX_DEPTH) {
            return Self::too_much(from);
        }
        Self { shape: Shape::OneOf(all), from }
    }

    pub(super) fn any(values: impl IntoIterator<Item = Self>) -> Self {
        let mut different: Vec<Self> = Vec::new();
        for value in values {
            if different.len() > MAX_MANY {
                // One more than are carried, so that what is left out shows.
                break;
            }
            if !different.contains(&value) {
                different.push(value);
            }
        }
        different.into_iter().reduce(Self::or).unwrap_or_default()
    }

    /// Nothing is known of it but the origins of these.
    pub(super) fn unknown_from<'a>(values: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut cut = false;
        let from = values.into_iter().fold(Vec::new(), |from, value| {
            cut |= value.is_too_much();
            let from = joined(from, value.origins());
            if value.is_local_address() { joined(from, vec![Origin::Here]) } else { from }
        });
        if cut { Self::too_much(from) } else { Self { shape: Shape::Unknown, from } }
    }

    /// Returns true for the address of a server of this machine, or a map that has one.
    fn is_local_address(&self) -> bool {
        let is_local = |value: &Self| match &value.shape {
            Shape::Text(word) => LOCAL.iter().any(|start| {
                word.lead()
                    .strip_prefix(start)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
            }),
            _ => false,
        };
        match &self.shape {
            Shape::Map(map) => map.iter().any(|(_, value)| is_local(value)),
            _ => is_local(self),
        }
    }

    pub(super) fn with(mut self, from: Vec<Origin>) -> Self {
        self.from = joined(self.from, from);
        self
    }

    /// Its own origins and those of its elements.
    pub(super) fn origins(&self) -> Vec<Origin> {
        let inner: Vec<&Self> = match &self.shape {
            Shape::List(list) | Shape::OneOf(list) => list.iter().collect(),
            Shape::Map(map) => map.iter().map(|(_, value)| value).collect(),
            Shape::Text(_)
            | Shape::Number(_)
            | Shape::Name(_)
            | Shape::File(_)
            | Shape::Socket(_)
            | Shape::Unknown => Vec::new(),
        };
        inner.iter().fold(self.from.clone(), |from, value| joined(from, value.origins()))
    }

    /// Returns the origin of a text that is evaluated.
    pub(super) fn source(&self) -> From {
        if self.is_too_much() {
            return From::TooMuch;
        }
        let of = |origin: &Origin| match origin {
            Origin::Network => From::Network,
            Origin::Decoded => From::Decoded,
            Origin::Input => From::Input,
            Origin::File(_)
            | Origin::Environment
            | Origin::Everything
            | Origin::Memory
            | Origin::Here
            | Origin::Processes
            | Origin::Parent
            | Origin::Names => From::Unknown,
        };
        self.origins().iter().map(of).max().unwrap_or(From::Unknown)
    }

    /// As one word.
    pub(super) fn as_word(&self) -> Word {
        match &self.shape {
            Shape::Text(word) | Shape::File(word) | Shape::Socket(word) => word.clone(),
            Shape::Number(number) => word(&number.to_string()),
            Shape::List(list) if list.len() == 1 => {
                list.first().map_or_else(super::unknown_word, Self::as_word)
            }
            Shape::OneOf(list) => one_of(list),
            Shape::Name(_) | Shape::List(_) | Shape::Map(_) | Shape::Unknown => super::unknown_word(),
        }
    }

    /// The words that it may be, one after another; lists are taken apart.
    pub(super) fn words(&self) -> Vec<Word> {
        match &self.shape {
            Shape::List(list) | Shape::OneOf(list) => {
                let mut words = list.iter().flat_map(|value| match &value.shape {
                    Shape::List(inner) | Shape::OneOf(inner) => inner.iter().map(Self::as_word).collect(),
                    _ => vec![value.as_word()],
                });
                let mut some: Vec<Word> = words.by_ref().take(MAX_MANY).collect();
                // What is left out shows.
                some.extend(words.next().map(|_| super::word_of_too_much()));
                some
            }
            _ => vec![self.as_word()],
        }
    }

    /// Its constant text.
    pub(super) fn constant(&self) -> Option<String> {
        match &self.shape {
            Shape::Text(word) => word.constant().map(Cow::into_owned),
            Shape::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self.shape {
            Shape::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the value that a loop over it binds.
    pub(super) fn element(&self) -> Self {
        let element = match &self.shape {
            Shape::List(list) => Self::any(list.iter().cloned()),
            Shape::OneOf(list) => Self::any(list.iter().map(|value| match &value.shape {
                Shape::List(inner) => Self::any(inner.iter().cloned()),
                _ => value.clone(),
            })),
            Shape::File(path) => Self::of(Origin::File(path.clone())),
            Shape::Socket(_) => Self::of(Origin::Network),
            Shape::Map(map) => Self::any(map.iter().map(|(_, value)| value.clone())),
            Shape::Text(_) | Shape::Number(_) | Shape::Name(_) | Shape::Unknown => self.clone(),
        };
        element.with(self.from.clone())
    }

    /// The value of an index or of a field.
    pub(super) fn at(&self, key: &Self) -> Self {
        let found = match &self.shape {
            Shape::List(list) => match key.number() {
                Some(number) if number >= 0 => {
                    usize::try_from(number).ok().and_then(|at| list.get(at)).cloned()
                }
                Some(-1) => list.last().cloned(),
                // A list of names and values in turn.
                None if key.constant().is_some() && list.len().is_multiple_of(2) => {
                    let wanted = key.constant();
                    let name = |value: &Self| match &value.shape {
                        Shape::Name(name) => Some(name.clone()),
                        _ => value.constant(),
                    };
                    let pair = list.chunks(2).find(|pair| pair.first().and_then(name) == wanted);
                    Some(pair.and_then(|pair| pair.last().cloned()).unwrap_or_else(|| self.element()))
                }
                _ => Some(self.element()),
            },
            Shape::Map(map) => match key.constant() {
                Some(key) => {
                    map.iter().rev().find_map(|(name, value)| {
                        // What another map holds was spread into this one.
                        let spread =
                            || Some(value.at(&Self::text(&key))).filter(|found| *found != Self::default());
                        match &value.shape {
                            _ if *name == key => Some(value.clone()),
                            Shape::Map(_) | Shape::OneOf(_) if name.is_empty() => spread(),
                            _ => None,
                        }
                    })
                }
                None => Some(Self::any(map.iter().map(|(_, value)| value.clone()))),
            },
            // One of several maps or lists.
            Shape::OneOf(list)
                if list.iter().any(|value| matches!(value.shape, Shape::Map(_) | Shape::List(_))) =>
            {
                Some(Self::any(list.iter().map(|value| value.at(key))))
            }
            Shape::Text(_) if self.is_too_much() => Some(self.clone()),
            _ => None,
        };
        found.unwrap_or_default().with(self.from.clone())
    }

    /// This text and then that one.
    pub(super) fn then(self, next: &Self) -> Self {
        if let (Shape::OneOf(one), Shape::OneOf(two)) = (&self.shape, &next.shape)
            && one.len().saturating_mul(two.len()) > MAX_MANY
        {
            let from = joined(self.origins(), next.origins());
            return Self::too_much(from);
        }
        if let Shape::OneOf(list) = &self.shape {
            return Self::any(list.iter().map(|value| value.clone().then(next))).with(self.from);
        }
        if let Shape::OneOf(list) = &next.shape {
            let both = list.iter().map(|value| self.clone().then(value));
            return Self::any(both).with(next.from.clone());
        }
        let from = joined(self.from, next.origins());
        let mut word = match (self.shape, &next.shape) {
            (Shape::List(mut one), Shape::List(two)) => {
                if one.len().saturating_add(two.len()) > MAX_LIST {
                    return Self::too_much(from);
                }
                one.extend(two.iter().cloned());
                return Self { shape: Shape::List(one), from };
            }
            // A list and something else make a list.
            (Shape::List(mut one), Shape::Unknown | Shape::Name(_)) if one.len() < MAX_LIST => {
                one.push(Self::word(super::several()));
                return Self { shape: Shape::List(one), from };
            }
            (Shape::Text(word), _) => word,
            (shape, _) => Self::from(shape).as_word(),
        };
        match &next.shape {
            Shape::Text(next) => next.parts.iter().for_each(|part| word.push(part.clone())),
            _ => next.as_word().parts.into_iter().for_each(|part| word.push(part)),
        }
        Self { shape: Shape::Text(carried(word)), from }
    }

    /// This directory and then that name below it, as paths are joined.
    pub(super) fn below(self, name: &Self) -> Self {
        if let Shape::OneOf(list) = &name.shape {
            return Self::any(list.iter().map(|name| self.clone().below(name)));
        }
        if let Shape::OneOf(list) = &self.shape {
            return Self::any(list.iter().map(|value| value.clone().below(name)));
        }
        let next = name.as_word();
        let absolute = match next.parts.first() {
            Some(Part::Text(text)) => text.starts_with('/') || text.starts_with("~/"),
            Some(Part::Unknown(unknown)) => matches!(unknown.why, UnknownSource::Home(_)),
            Some(Part::Glob(_)) | None => false,
        };
        let mut word = self.as_word();
        if absolute || word.parts.is_empty() {
            return Self { shape: Shape::Text(next), from: joined(self.from, name.from.clone()) };
        }
        if !matches!(word.parts.last(), Some(Part::Text(text)) if text.ends_with('/')) {
            word.push_text("/");
            if !matches!(word.parts.last(), Some(Part::Text(text)) if text.ends_with('/')) {
                word.push(Part::Text("/".to_owned()));
            }
        }
        for part in next.parts {
            word.push(part);
        }
        Self { shape: Shape::Text(carried(word)), from: joined(self.from, name.from.clone()) }
    }

    /// About how much memory it takes.
    pub(super) fn size(&self) -> usize {
        match &self.shape {
            Shape::Text(word) | Shape::File(word) | Shape::Socket(word) => word.size(),
            Shape::Name(name) => name.len(),
            Shape::List(list) | Shape::OneOf(list) => {
                list.iter().map(Self::size).sum::<usize>().saturating_add(32)
            }
            Shape::Map(map) => map.iter().map(|(_, value)| value.size()).sum::<usize>().saturating_add(32),
            Shape::Number(_) | Shape::Unknown => 32,
        }
    }
}

impl std::convert::From<Shape> for Value {
    fn from(shape: Shape) -> Self {
        Self { shape, from: Vec::new() }
    }
}

/// Returns the word if it is short enough to be carried.
fn carried(word: Word) -> Word {
    if word.parts.len() > MAX_PARTS || word.size() > MAX_TEXT { super::word_of_too_much() } else { word }
}

/// A word that is one of several.
fn one_of(list: &[Value]) -> Word {
    let words: Vec<Word> = list.iter().map(Value::as_word).collect();
    let open = words.iter().any(Word::is_unknown);
    let empty = words.iter().any(Word::could_be_empty);
    let words = words.into();
    let among = if open { Candidates::TheseOrAnything(words) } else { Candidates::These(words) };
    let unknown = Unknown { empty, among, ..Unknown::new(UnknownSource::Computed) };
    Word { parts: vec![Part::Unknown(unknown)], span: 0..0 }
}

/// Returns a text in which `*`, `?` and `[…]` match names.
pub(super) fn glob(pattern: &str) -> Word {
    let mut word = Word::default();
    let mut rest = pattern;
    while let Some(char) = rest.chars().next() {
        let end = match char {
            '*' | '?' => char.len_utf8(),
            '[' => rest.find(']').map_or(rest.len(), |at| at.saturating_add(1)),
            _ => 0,
        };
        if end > 0 {
            word.push_glob(rest.get(..end).unwrap_or(""));
            rest = rest.get(end..).unwrap_or("");
        } else {
            let end = rest.find(['*', '?', '[']).unwrap_or(rest.len());
            word.push_text(rest.get(..end).unwrap_or(""));
            rest = rest.get(end..).unwrap_or("");
        }
    }
    word
}

/// A text that may begin with the home directory: `~/x`.
pub(super) fn tilde(text: &str) -> Option<Word> {
    let rest = text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))?;
    let mut word = Word { parts: vec![home()], span: 0..0 };
    word.push_text(rest);
    Some(word)
}

/// Returns the result of a conversion that is not followed.
pub(super) fn changed(value: &Value) -> Value {
    if value.is_too_much() {
        return value.clone();
    }
    Value { shape: Shape::Text(Word { parts: vec![computed()], span: 0..0 }), from: value.origins() }
}

fn joined(mut one: Vec<Origin>, two: Vec<Origin>) -> Vec<Origin> {
    for origin in two {
        if one.len() < MAX_MANY && !one.contains(&origin) {
            one.push(origin);
        }
    }
    one
}
