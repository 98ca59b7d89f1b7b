//! Parameters: their values, and what `${…}` does with them.

use super::{
    Resolver, arithmetic,
    environment::Value,
    expand::Tilde,
    fields::Fields,
    pattern::{self, Element, Match, Side, Where},
};
use crate::{
    parse::is_name,
    script::{Evaluation, Span, UnreadableReason, Watched},
    syntax::{Change, Parameter, Piece, Quoting},
    word::{Candidates, Part, Unknown, UnknownSource, Word},
};
use std::{borrow::Cow, sync::Arc};

/// Longer texts are not matched against patterns, which is not linear.
const MATCHED: usize = 512;

/// Variables that the shell itself sets again and again.
const DYNAMIC: [&str; 34] = [
    "_",
    "BASHOPTS",
    "BASHPID",
    "BASH_ALIASES",
    "BASH_ARGC",
    "BASH_ARGV",
    "BASH_ARGV0",
    "BASH_CMDS",
    "BASH_COMMAND",
    "BASH_LINENO",
    "BASH_REMATCH",
    "BASH_SOURCE",
    "BASH_SUBSHELL",
    "COMP_CWORD",
    "COMP_LINE",
    "COMP_POINT",
    "COMP_WORDS",
    "COPROC",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HISTCMD",
    "LINENO",
    "PIPESTATUS",
    "PPID",
    "RANDOM",
    "SECONDS",
    "SHELLOPTS",
    "SHLVL",
    "SRANDOM",
    "UID",
];

/// Arrays of shells with the path of each program, by its name.
const PROGRAMS: [&str; 2] = ["BASH_CMDS", "commands"];

/// The known value of a parameter.
pub(super) enum Base {
    Unset,
    Set(Vec<Part>),
    Unclear(Unknown),
}

impl Base {
    fn constant(&self) -> Option<String> {
        match self {
            Self::Unset => Some(String::new()),
            Self::Set(parts) => Word { parts: parts.clone(), span: 0..0 }.constant().map(Cow::into_owned),
            Self::Unclear(_) => None,
        }
    }

    pub(super) fn parts(self) -> Vec<Part> {
        match self {
            Self::Unset => Vec::new(),
            Self::Set(parts) => parts,
            Self::Unclear(unknown) => vec![Part::Unknown(unknown)],
        }
    }

    /// Something that is computed from it, and cannot be here.
    fn computed(self) -> Vec<Part> {
        let (why, among) = match self {
            Self::Unclear(unknown) => (unknown.why, unknown.among),
            Self::Set(parts) => {
                let unknown = parts.into_iter().find_map(|part| match part {
                    Part::Unknown(unknown) => Some((unknown.why, unknown.among)),
                    Part::Text(_) | Part::Glob(_) => None,
                });
                unknown.unwrap_or((UnknownSource::Computed, Candidates::Anything))
            }
            Self::Unset => (UnknownSource::Computed, Candidates::Anything),
        };
        let why = match why {
            UnknownSource::Variable(name) | UnknownSource::Element(name) => UnknownSource::Changed(name),
            why => why,
        };
        let made_of = match among {
            Candidates::These(words) | Candidates::TheseOrAnything(words) => Some(words),
            Candidates::Anything => None,
        };
        vec![Part::Unknown(Unknown { made_of, ..Unknown::new(why) })]
    }
}

/// Tells if a parameter counts as set.
enum IsSet {
    Yes,
    No,
    Maybe,
}

impl Resolver<'_> {
    pub(super) fn base(&self, name: &str, index: Option<&Vec<Piece>>) -> Base {
        let special =
            |empty| Base::Unclear(Unknown { empty, ..Unknown::new(UnknownSource::Special(name.to_owned())) });
        if let Some(index) = index {
            return self.element(name, index);
        }
        if let Ok(place) = name.parse::<usize>() {
            return match (&self.environment.arguments, place.checked_sub(1)) {
                (_, None) if let Some(zero) = self.zero => Base::Set(Word::clone(zero).parts),
                (Some(arguments), Some(place)) => {
                    arguments.words().get(place).map_or(Base::Unset, |word| Base::Set(word.clone().parts))
                }
                (Some(_) | None, _) => special(true),
            };
        }
        if name == "#"
            && let Some(arguments) = &self.environment.arguments
        {
            return Base::Set(vec![Part::Text(arguments.words().len().to_string())]);
        }
        if matches!(name, "#" | "?" | "$") {
            return special(false);
        }
        if !name.starts_with(|char| is_name(char, 0)) || DYNAMIC.contains(&name) {
            return special(true);
        }
        match self.environment.get(name) {
            Some(Value::Unset) => Base::Unset,
            Some(Value::Set(word)) => Base::Set(Word::clone(word).parts),
            // Without an index it is the first word of it.
            Some(Value::Array(words)) => {
                words.first().map_or(Base::Unset, |word| Base::Set(word.clone().parts))
            }
            None => Base::Unclear(Unknown::new(UnknownSource::Variable(name.to_owned()))),
        }
    }

    /// `${name[index]}`: one word of an array, or all of them.
    fn element(&self, name: &str, index: &[Piece]) -> Base {
        let text = |piece: &Piece| match piece {
            Piece::Bare(char) => Some(char.to_string()),
            Piece::Quoted(text) => Some(text.clone()),
            Piece::Parameter(parameter, _) if matches!(parameter.change, Change::None) => {
                self.base(&parameter.name, None).constant().filter(|_| parameter.index.is_none())
            }
            _ => None,
        };
        let index: Option<String> = index.iter().map(text).collect();
        if matches!(index.as_deref(), Some("@" | "*")) {
            return Base::Unclear(Unknown {
                many: true,
                ..Unknown::new(UnknownSource::Variable(name.to_owned()))
            });
        }
        if let (true, Some(program)) = (PROGRAMS.contains(&name), &index) {
            return Base::Unclear(Unknown {
                among: Candidates::TheseOrAnything([Word::text(&format!("/usr/bin/{program}"), 0..0)].into()),
                ..Unknown::new(UnknownSource::Element(name.to_owned()))
            });
        }
        let Some(Value::Array(words)) = self.environment.get(name) else {
            return Base::Unclear(Unknown::new(UnknownSource::Element(name.to_owned())));
        };
        // Whatever the index is, it is one of the words, or nothing.
        let unclear = || {
            const FEW: usize = 64;
            let among = if words.is_empty() || words.len() > FEW {
                Candidates::Anything
            } else if words.iter().all(|word| word.constant().is_some()) {
                Candidates::These(Arc::clone(words))
            } else {
                Candidates::TheseOrAnything(Arc::clone(words))
            };
            Base::Unclear(Unknown { among, ..Unknown::new(UnknownSource::Element(name.to_owned())) })
        };
        let place = match index.as_deref().map(str::parse::<i64>) {
            Some(Ok(place)) if place < 0 => {
                i64::try_from(words.len()).ok().and_then(|size| size.checked_add(place))
            }
            Some(Ok(place)) => Some(place),
            Some(Err(_)) | None => None,
        };
        match place.and_then(|place| usize::try_from(place).ok()) {
            Some(place) => words.get(place).map_or(Base::Unset, |word| Base::Set(word.clone().parts)),
            None => unclear(),
        }
    }

    /// The value of a parameter with what is done to it, except for fallbacks.
    pub(super) fn parameter(&mut self, parameter: &Parameter, span: &Span) -> Vec<Part> {
        let Parameter { name, index, change, .. } = parameter;
        let base = self.base(name, index.as_ref());
        let text = |text: Option<String>, base: Base| match text {
            Some(text) => vec![Part::Text(text)],
            None => base.computed(),
        };
        match change {
            Change::None | Change::Fallback { .. } => base.parts(),
            Change::Length => {
                match base.constant().filter(|text| text.is_ascii() && !matches!(name.as_str(), "@" | "*")) {
                    Some(text) => vec![Part::Text(text.len().to_string())],
                    None => vec![Part::Unknown(Unknown {
                        empty: false,
                        ..Unknown::new(UnknownSource::Arithmetic)
                    })],
                }
            }
            Change::Indirect => self.indirect(&base, name, span),
            Change::Remove { operator, longest, pattern } => {
                let side = if *operator == '#' { Side::Front } else { Side::Back };
                let how = if *longest { Match::Longest } else { Match::Shortest };
                let result = self
                    .matched(&base, pattern)
                    .map(|(text, pattern)| pattern::remove(&text, &pattern, side, how));
                text(result, base)
            }
            Change::Replace { operator, pattern, with } => {
                let place = match operator {
                    '/' => Where::All,
                    '#' => Where::Only(Side::Front),
                    '%' => Where::Only(Side::Back),
                    _ => Where::First,
                };
                let matched = self.matched(&base, pattern);
                let with = self.replacement(with, span);
                let result = matched
                    .zip(with)
                    .map(|((text, pattern), with)| pattern::replace(&text, &pattern, &with, place));
                text(result, base)
            }
            Change::Slice { from, length } => {
                let result = self.slice(&base, name, from, length.as_ref());
                text(result, base)
            }
            Change::Case { upper, all } => {
                let result = base.constant().filter(|text| text.is_ascii()).map(|text| match (upper, all) {
                    (true, true) => text.to_ascii_uppercase(),
                    (false, true) => text.to_ascii_lowercase(),
                    (_, false) => {
                        let mut chars = text.chars();
                        let first = chars.next().map(|char| {
                            if *upper { char.to_ascii_uppercase() } else { char.to_ascii_lowercase() }
                        });
                        first.into_iter().chain(chars).collect()
                    }
                });
                text(result, base)
            }
            Change::Other(pieces) => {
                if let [Piece::Bare('@'), Piece::Bare('P'), ..] = pieces.as_slice() {
                    self.opaque(span.clone(), UnreadableReason::Evaluated);
                    self.evaluation(match &base {
                        Base::Set(parts) => {
                            Evaluation::Prompt(Word { parts: parts.clone(), span: span.clone() })
                        }
                        Base::Unset => Evaluation::Prompt(Word::default()),
                        Base::Unclear(_) => Evaluation::Unknown,
                    });
                }
                base.computed()
            }
        }
    }

    /// `${!name}`.
    fn indirect(&mut self, base: &Base, name: &str, span: &Span) -> Vec<Part> {
        let target = base.constant();
        self.burn(4 * target.as_ref().map_or(0, |target| target.len()));
        match target {
            // The number of an argument.
            Some(target) if !target.is_empty() && target.chars().all(|char| char.is_ascii_digit()) => {
                self.base(&target, None).parts()
            }
            Some(target)
                if !target.is_empty()
                    && target.chars().enumerate().all(|(place, char)| is_name(char, place)) =>
            {
                self.base(&target, None).parts()
            }
            Some(target) => {
                if target.contains('[') {
                    self.opaque(span.clone(), UnreadableReason::Evaluated);
                }
                self.evaluation(Evaluation::Arithmetic(Word::text(&target, span.clone())));
                vec![Part::Unknown(Unknown::new(UnknownSource::Computed))]
            }
            None => vec![Part::Unknown(Unknown::new(UnknownSource::Variable(name.to_owned())))],
        }
    }

    fn is_set(base: &Base, or_empty: bool) -> IsSet {
        match base {
            Base::Unset => IsSet::No,
            Base::Unclear(unknown) if unknown.empty => IsSet::Maybe,
            Base::Unclear(_) => IsSet::Yes,
            Base::Set(_) if !or_empty => IsSet::Yes,
            Base::Set(parts) => {
                let word = Word { parts: parts.clone(), span: 0..0 };
                match word.constant() {
                    Some(text) if text.is_empty() => IsSet::No,
                    Some(_) => IsSet::Yes,
                    None if word.could_be_empty() => IsSet::Maybe,
                    None => IsSet::Yes,
                }
            }
        }
    }

    /// Expands `${name:-word}` and the like.
    pub(super) fn fallback(
        &mut self,
        parameter: &Parameter,
        (operator, or_empty, word): (char, bool, &[Piece]),
        quoting: Quoting,
        fields: &mut Fields,
    ) {
        let Parameter { name, index, .. } = parameter;
        let base = self.base(name, index.as_ref());
        let is_set = Self::is_set(&base, or_empty);
        let tilde = match quoting {
            Quoting::Bare => Tilde::Start,
            Quoting::Quoted => Tilde::Nowhere,
        };
        let span = fields.span.clone();
        match (operator, is_set) {
            ('+', IsSet::No) => self.value(Vec::new(), quoting, fields),
            ('+', IsSet::Yes) | ('-', IsSet::No) => {
                if quoting == Quoting::Quoted {
                    fields.text("");
                }
                let before = fields.loosen();
                self.append(word, fields, tilde);
                fields.restore(before);
            }
            ('=', IsSet::No) | (':', _) => {
                let value = self.joined(word, &span, tilde);
                self.environment.set(name, Some(value.clone()));
                self.value(value.parts, quoting, fields);
            }
            (_, IsSet::Yes) => self.value(base.parts(), quoting, fields),
            ('?', IsSet::No | IsSet::Maybe) => {
                // The shell ends if there is nothing.
                let unknown =
                    Unknown { empty: !or_empty, ..Unknown::new(UnknownSource::Variable(name.clone())) };
                fields.unknown(unknown, quoting);
            }
            (_, IsSet::Maybe) | (_, IsSet::No) => {
                let other = self.joined(word, &span, tilde);
                let empty = other.could_be_empty() || operator == '+' || !or_empty;
                let default = (operator == '=' && self.environment.is_watched(name)).then(|| other.clone());
                let among = if operator == '+' {
                    Candidates::These([other, Word::default()].into())
                } else {
                    Candidates::TheseOrAnything([other].into())
                };
                let unknown = Unknown { empty, among, ..Unknown::new(UnknownSource::Variable(name.clone())) };
                if operator == '=' {
                    let value = Word { parts: vec![Part::Unknown(unknown.clone())], span };
                    self.environment.set(name, Some(value));
                }
                if let Some(default) = default {
                    // It is this, or what it was before.
                    self.environment.note(name, Watched::To(default));
                }
                fields.unknown(unknown, quoting);
            }
        }
    }

    /// The constant text and pattern of a match that is worth its work.
    fn matched(&mut self, base: &Base, pattern: &[Piece]) -> Option<(String, Vec<Element>)> {
        let text = base.constant().filter(|text| text.len() <= MATCHED)?;
        let pattern = self.pattern(pattern)?;
        let work = text.len().saturating_mul(text.len()).saturating_mul(pattern.len() + 1);
        self.burn(work).then_some((text, pattern))
    }

    fn pattern(&mut self, pieces: &[Piece]) -> Option<Vec<Element>> {
        let mut elements = Vec::new();
        let bare = |char, elements: &mut Vec<Element>| {
            elements.push(match char {
                '*' => Element::Many,
                '?' => Element::One,
                // Sets and extended patterns are not matched here, nor what an escape in a value means.
                '[' | '(' | '\\' | '~' => return None,
                char => Element::Literal(char),
            });
            Some(())
        };
        for piece in pieces {
            match piece {
                Piece::Bare(char) => bare(*char, &mut elements)?,
                Piece::Quoted(text) => elements.extend(text.chars().map(Element::Literal)),
                Piece::Parameter(parameter, quoting) if matches!(parameter.change, Change::None) => {
                    let value = self.base(&parameter.name, parameter.index.as_ref()).constant()?;
                    match quoting {
                        Quoting::Quoted => elements.extend(value.chars().map(Element::Literal)),
                        Quoting::Bare => value.chars().try_for_each(|char| bare(char, &mut elements))?,
                    }
                }
                Piece::Parameter(..)
                | Piece::Substitution(..)
                | Piece::Process(_)
                | Piece::Sink(_)
                | Piece::Arithmetic(..)
                | Piece::Array(_)
                | Piece::Hole(..)
                | Piece::Uncertain
                | Piece::Unreadable => return None,
            }
        }
        (elements.len() <= MATCHED).then_some(elements)
    }

    /// Returns the replacement of a match. In newer versions `&` without quotes means the match.
    fn replacement(&mut self, pieces: &[Piece], span: &Span) -> Option<String> {
        let plain = pieces.iter().all(|piece| match piece {
            Piece::Bare(char) => !matches!(char, '&' | '~'),
            Piece::Quoted(text) => !text.contains(['&', '\\']),
            _ => false,
        });
        plain.then(|| self.joined(pieces, span, Tilde::Nowhere).constant().map(Cow::into_owned)).flatten()
    }

    fn slice(
        &mut self,
        base: &Base,
        name: &str,
        from: &[Piece],
        length: Option<&Vec<Piece>>,
    ) -> Option<String> {
        let text = base.constant().filter(|text| text.is_ascii() && !matches!(name, "@" | "*"))?;
        let size = i64::try_from(text.len()).ok()?;
        let from = self.arithmetic(from)?;
        let from = if from < 0 { size.checked_add(from)? } else { from };
        let to = match length {
            None => size,
            Some(length) => match self.arithmetic(length)? {
                length if length < 0 => size.checked_add(length)?,
                length => from.checked_add(length)?.min(size),
            },
        };
        if from < 0 || from > size {
            return Some(String::new());
        }
        // The end before the beginning is an error.
        let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
        text.get(from..to).map(ToOwned::to_owned)
    }

    /// The value of an arithmetic expression, if it is constant. Variables that it may assign to are forgotten.
    pub(super) fn arithmetic(&mut self, pieces: &[Piece]) -> Option<i64> {
        let mut text = String::new();
        let mut constant = true;
        for piece in pieces {
            match piece {
                Piece::Bare(char) => text.push(*char),
                Piece::Quoted(quoted) => text.push_str(quoted),
                Piece::Parameter(parameter, _) if matches!(parameter.change, Change::None) => {
                    match self.base(&parameter.name, parameter.index.as_ref()).constant() {
                        Some(value) if self.burn(value.len()) => text.push_str(&value),
                        Some(_) | None => constant = false,
                    }
                }
                Piece::Arithmetic(pieces, _) => match self.arithmetic(pieces) {
                    Some(number) => text.push_str(&number.to_string()),
                    None => constant = false,
                },
                _ => constant = false,
            }
        }
        let lookup = |name: &str| match self.base(name, None) {
            Base::Unset => Some(0),
            base => match base.constant()?.as_str() {
                "" => Some(0),
                value => match value.strip_prefix('-') {
                    Some(digits) => arithmetic::number(digits)?.checked_neg(),
                    None => arithmetic::number(value),
                },
            },
        };
        let value = constant.then(|| arithmetic::evaluate(&text, &lookup)).flatten();
        if value.is_none() {
            // A value in an index is evaluated again, with the commands in it.
            let hidden = arithmetic::names(&text)
                .iter()
                .any(|name| self.base(name, None).constant().is_some_and(|value| value.contains(['$', '`'])));
            if hidden {
                self.opaque(0..0, UnreadableReason::Evaluated);
            }
            self.forget_names(pieces);
        }
        value
    }

    /// Forgets what an arithmetic expression may assign to.
    pub(super) fn forget_names(&mut self, pieces: &[Piece]) {
        let char = |piece: &Piece| match piece {
            Piece::Bare(char) => char.to_string(),
            Piece::Quoted(text) => text.clone(),
            _ => " ".to_owned(),
        };
        let text: String = pieces.iter().map(char).collect();
        for name in arithmetic::names(&text) {
            self.environment.set(&name, None);
        }
    }
}
