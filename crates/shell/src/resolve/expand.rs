//! From a word as written to the words that the shell makes of it.

use super::{
    Resolver, brace,
    environment::Value,
    fields::{Fields, Mode, Separators},
};
use crate::{
    parse::{DECLARATIONS, as_assignment, assignment_length},
    script::{CommandId, Input, Nesting, RedirectKind, Span},
    syntax::{Change, Parameter, Piece, Quoting, RawWord},
    word::{Candidates, Part, Unknown, UnknownSource, Word},
    work,
};
use std::{borrow::Cow, sync::Arc};

/// The places where `~` means a home directory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tilde {
    Nowhere,
    /// At the beginning.
    Start,
    /// At this place, and after a colon behind it.
    Value(usize),
}

/// The maximum number of words of an array that are kept.
const ARRAY: usize = 512;

impl Resolver<'_> {
    /// The words of a command.
    pub(super) fn command_words(&mut self, raw: &[RawWord]) -> Vec<Word> {
        let mut names = raw.iter().skip_while(|word| word.is_bare("command") || word.is_bare("builtin"));
        let declares = names.next().is_some_and(|word| DECLARATIONS.iter().any(|name| word.is_bare(name)));
        let mut words = Vec::new();
        for word in raw {
            match declares.then(|| as_assignment(word)).flatten() {
                Some(assignment) => {
                    self.visit(&word.pieces);
                    let value = self.assignment_value(&assignment.value);
                    let operator = if assignment.append { "+=" } else { "=" };
                    let mut whole = Word::text(&format!("{}{operator}", assignment.name), word.span.clone());
                    value.parts.into_iter().for_each(|part| whole.push(part));
                    words.push(whole);
                }
                None => words.append(&mut self.words(word)),
            }
        }
        words
    }

    /// The words that one word becomes.
    pub(super) fn words(&mut self, raw: &RawWord) -> Vec<Word> {
        self.visit(&raw.pieces);
        let too_much = || {
            let unknown = Unknown { splits: true, ..Unknown::new(UnknownSource::TooMuch) };
            vec![Word { parts: vec![Part::Unknown(unknown)], span: raw.span.clone() }]
        };
        if !self.burn(raw.pieces.len() + 16) {
            return too_much();
        }
        if let Some(text) = plain(&raw.pieces) {
            return vec![Word::owned(text, raw.span.clone())];
        }
        if !brace::any(&raw.pieces) {
            let tilde = assignment_length(&raw.pieces).map_or(Tilde::Start, Tilde::Value);
            return self.fields(&raw.pieces, &raw.span, tilde);
        }
        let Some(expanded) = brace::expand(&raw.pieces) else { return too_much() };
        let mut words = Vec::new();
        for pieces in expanded {
            if !self.burn(pieces.len() + 16) {
                return too_much();
            }
            words.append(&mut self.fields(&pieces, &raw.span, Tilde::Start));
        }
        words
    }

    fn fields(&mut self, pieces: &[Piece], span: &Span, tilde: Tilde) -> Vec<Word> {
        let mut fields = Fields::new(span, Mode::Split, self.separators());
        self.append(pieces, &mut fields, tilde);
        let words = fields.finish();
        // A lone dollar sign keeps bash from splitting what is before it in the same word.
        if pieces.iter().any(|piece| matches!(piece, Piece::Bare('$'))) {
            let whole = self.joined(pieces, span, tilde).pattern();
            if !matches!(words.as_slice(), [word] if word.pattern() == whole) {
                let unknown = Unknown { splits: true, ..Unknown::new(UnknownSource::Computed) };
                return vec![Word { parts: vec![Part::Unknown(unknown)], span: span.clone() }];
            }
        }
        words
    }

    /// The value of an assignment: neither split nor a pattern.
    pub(super) fn assignment_value(&mut self, raw: &RawWord) -> Word {
        self.one(raw, Tilde::Value(0))
    }

    /// A text: as an assignment, without what a colon means there.
    pub(super) fn whole(&mut self, raw: &RawWord) -> Word {
        self.one(raw, Tilde::Start)
    }

    fn one(&mut self, raw: &RawWord, tilde: Tilde) -> Word {
        self.visit(&raw.pieces);
        if !self.burn(raw.pieces.len() + 16) {
            let unknown = Unknown::new(UnknownSource::TooMuch);
            return Word { parts: vec![Part::Unknown(unknown)], span: raw.span.clone() };
        }
        self.joined(&raw.pieces, &raw.span, tilde)
    }

    /// The pieces as one text. The commands in them must have been visited.
    pub(super) fn joined(&mut self, pieces: &[Piece], span: &Span, tilde: Tilde) -> Word {
        let mut fields = Fields::new(span, Mode::Whole, self.separators());
        fields.start();
        self.append(pieces, &mut fields, tilde);
        fields.finish().pop().unwrap_or_default()
    }

    fn separators(&self) -> Separators {
        match self.environment.get("IFS") {
            Some(Value::Unset) => Separators::USUAL,
            Some(Value::Array(_)) => Separators::Unknown,
            Some(Value::Set(word)) => {
                word.constant().map_or(Separators::Unknown, |text| Separators::of(&text))
            }
            None => Separators::Unknown,
        }
    }

    pub(super) fn append(&mut self, pieces: &[Piece], fields: &mut Fields, tilde: Tilde) {
        let mut at = 0;
        // The last place where a set of characters may end.
        let close = pieces.iter().rposition(could_close).unwrap_or(0);
        while let Some(piece) = pieces.get(at) {
            at += 1;
            match piece {
                Piece::Bare('[') if at > close => fields.bare('['),
                Piece::Bare('~') if tilde_counts(pieces, at - 1, tilde) => {
                    at += self.tilde(pieces.get(at..).unwrap_or_default(), fields, tilde);
                }
                Piece::Bare('[') => match bracket(pieces.get(at..).unwrap_or_default()) {
                    Some((text, length)) => {
                        fields.glob(&text);
                        at += length;
                    }
                    // The result of an expansion after it may close it.
                    None => fields.glob("["),
                },
                // Parentheses are in a word only as `?(a|b)`.
                Piece::Bare(char @ ('*' | '?' | '(' | ')')) => fields.glob(char.encode_utf8(&mut [0; 4])),
                Piece::Bare(char) => fields.bare(*char),
                Piece::Quoted(text) => fields.text(text),
                Piece::Parameter(parameter, quoting) => self.append_parameter(parameter, *quoting, fields),
                Piece::Substitution(place, quoting) => {
                    let ids = self.substitutions.get(place).cloned().unwrap_or_default();
                    let among = self.document(&ids).map_or(Candidates::Anything, |text| {
                        Candidates::These([Word::text(text.trim_end_matches('\n'), 0..0)].into())
                    });
                    let why = UnknownSource::Substitution(ids);
                    fields.unknown(Unknown { among, ..Unknown::new(why) }, *quoting);
                }
                Piece::Process(place) | Piece::Sink(place) => {
                    let ids = self.substitutions.get(place).cloned().unwrap_or_default();
                    let unknown = Unknown { empty: false, ..Unknown::new(UnknownSource::Process(ids)) };
                    fields.unknown(unknown, Quoting::Quoted);
                }
                Piece::Arithmetic(pieces, quoting) => match self.arithmetic(pieces) {
                    Some(number) => self.value(vec![Part::Text(number.to_string())], *quoting, fields),
                    None => {
                        let unknown = Unknown { empty: false, ..Unknown::new(UnknownSource::Arithmetic) };
                        fields.unknown(unknown, *quoting);
                    }
                },
                Piece::Array(words) => {
                    let left_out = words.len() > ARRAY;
                    let mut words: Vec<Word> =
                        words.iter().take(ARRAY).flat_map(|word| self.words(word)).map(without_key).collect();
                    if left_out {
                        let more = vec![Part::Unknown(Unknown::new(UnknownSource::TooMuch))];
                        words.push(Word { parts: more, span: 0..0 });
                    }
                    let among = Candidates::TheseOrAnything(words.into());
                    fields.unknown(Unknown { among, ..Unknown::new(UnknownSource::Array) }, Quoting::Quoted);
                }
                Piece::Hole(hole, quoting) => fields.unknown(self.hole(*hole), *quoting),
                Piece::Uncertain => fields.unknown(Unknown::new(UnknownSource::Computed), Quoting::Quoted),
                Piece::Unreadable => fields.unknown(Unknown::new(UnknownSource::Unreadable), Quoting::Bare),
            }
        }
    }

    /// Returns the known facts about a hole.
    pub(super) fn hole(&self, hole: usize) -> Unknown {
        self.tree.holes.get(hole).cloned().unwrap_or_else(|| Unknown::new(UnknownSource::Computed))
    }

    /// The value of an expansion.
    pub(super) fn value(&mut self, parts: Vec<Part>, quoting: Quoting, fields: &mut Fields) {
        let size = parts.iter().map(|part| if let Part::Text(text) = part { text.len() } else { 32 }).sum();
        // Where it is split, every word of it is made anew, character by character.
        work::burn(2 * size + 16);
        if self.burn(size) {
            fields.value(parts, quoting);
        } else {
            fields.unknown(Unknown::new(UnknownSource::TooMuch), quoting);
        }
    }

    fn append_parameter(&mut self, parameter: &Parameter, quoting: Quoting, fields: &mut Fields) {
        match (&parameter.change, parameter.name.as_str()) {
            (Change::Fallback { operator, or_empty, word }, _) => {
                self.fallback(parameter, (*operator, *or_empty, word), quoting, fields);
            }
            (Change::None, name @ ("@" | "*")) if parameter.index.is_none() => {
                let words = self.environment.arguments.clone().map(|words| words.words().to_vec());
                self.arguments(name, words, quoting, fields);
            }
            (Change::None | Change::Slice { .. }, _) if self.has_words(parameter) => {
                let how = if parameter.name == "*" || is_index(parameter, '*') { "*" } else { "@" };
                let words = self.words_of(parameter);
                self.arguments(how, Some(words), quoting, fields);
            }
            _ => {
                let parts = self.parameter(parameter, &fields.span);
                self.value(parts, quoting, fields);
            }
        }
    }

    /// `$@` and `$*`.
    fn arguments(&mut self, name: &str, words: Option<Vec<Word>>, quoting: Quoting, fields: &mut Fields) {
        let Some(arguments) = words.filter(|words| self.burn(words.len())) else {
            fields.unknown(
                Unknown { splits: true, ..Unknown::new(UnknownSource::Special(name.to_owned())) },
                Quoting::Bare,
            );
            return;
        };
        // Joined by the first separator, or each a word.
        let joined = fields.mode == Mode::Whole || (name == "*" && quoting == Quoting::Quoted);
        let separator = match &fields.separators {
            _ if name == "@" => Some(" ".to_owned()),
            Separators::These(chars) => Some(chars.first().map(ToString::to_string).unwrap_or_default()),
            Separators::Unknown => None,
        };
        for (index, argument) in arguments.iter().enumerate() {
            if index > 0 {
                match (&separator, joined) {
                    (Some(separator), true) => fields.text(separator),
                    (None, true) => fields.unknown(Unknown::new(UnknownSource::Computed), Quoting::Quoted),
                    (_, false) => fields.close(),
                }
            }
            self.value(argument.parts.clone(), quoting, fields);
        }
        // `"$*"` is a word also without arguments; `"$@"` is none, although quotes are around it.
        if arguments.is_empty() && name == "@" && quoting == Quoting::Quoted {
            fields.vanish();
        }
    }

    /// Returns true if a parameter expands to several words that are all known: those of an array, or the arguments
    /// from an index on.
    fn has_words(&mut self, parameter: &Parameter) -> bool {
        let known = match parameter.index {
            None => {
                matches!(parameter.name.as_str(), "@" | "*")
                    && self.environment.arguments.is_some()
                    && matches!(parameter.change, Change::Slice { .. })
            }
            Some(_) => {
                (is_index(parameter, '@') || is_index(parameter, '*'))
                    && matches!(self.environment.get(&parameter.name), Some(Value::Array(_)))
            }
        };
        known
            && match &parameter.change {
                Change::Slice { from, length } => {
                    self.arithmetic(from).is_some()
                        && length.as_ref().is_none_or(|length| self.arithmetic(length).is_some())
                }
                _ => true,
            }
    }

    /// Returns the words that the parameter expands to.
    fn words_of(&mut self, parameter: &Parameter) -> Vec<Word> {
        let (words, first) = match (&parameter.index, self.environment.get(&parameter.name)) {
            (Some(_), Some(Value::Array(words))) => (words.to_vec(), 0),
            // The first argument has the number one.
            _ => {
                let arguments = self.environment.arguments.as_ref();
                (arguments.map(|words| words.words().to_vec()).unwrap_or_default(), 1)
            }
        };
        let Change::Slice { from, length } = &parameter.change else { return words };
        let size = i64::try_from(words.len()).unwrap_or(i64::MAX);
        let from = self.arithmetic(from).unwrap_or(0);
        let from = if from < 0 { size.saturating_add(from) } else { from.saturating_sub(first) };
        let length = match length {
            Some(length) => self.arithmetic(length).unwrap_or(0),
            None => i64::MAX,
        };
        let (Ok(from), Ok(length)) = (usize::try_from(from.max(0)), usize::try_from(length)) else {
            return Vec::new();
        };
        words.into_iter().skip(from).take(length).collect()
    }

    fn tilde(&mut self, rest: &[Piece], fields: &mut Fields, tilde: Tilde) -> usize {
        let mut user = String::new();
        for piece in rest {
            match piece {
                Piece::Bare('/') => break,
                Piece::Bare(':') if matches!(tilde, Tilde::Value(_)) => break,
                Piece::Bare(char) => user.push(*char),
                // Quotes and expansions in the name make it ordinary text; in assignments bash sometimes continues.
                _ => {
                    match tilde {
                        Tilde::Nowhere | Tilde::Start => fields.text("~"),
                        Tilde::Value(_) => {
                            fields.unknown(Unknown::new(UnknownSource::Computed), Quoting::Quoted);
                        }
                    }
                    return 0;
                }
            }
        }
        let variable = match user.as_str() {
            "" => Some("HOME"),
            "+" => Some("PWD"),
            "-" => Some("OLDPWD"),
            _ => None,
        };
        let why = match variable {
            Some("HOME") => UnknownSource::Home(None),
            Some(name) => UnknownSource::Variable(name.to_owned()),
            None => UnknownSource::Home(Some(user.clone())),
        };
        match variable.and_then(|name| self.environment.get(name)) {
            Some(Value::Set(word)) => {
                let parts = word.parts.clone();
                self.value(parts, Quoting::Quoted, fields);
            }
            Some(Value::Unset | Value::Array(_)) | None => {
                fields.unknown(Unknown { empty: false, ..Unknown::new(why) }, Quoting::Quoted);
            }
        }
        user.chars().count()
    }

    /// Follows the commands in a word, once.
    pub(super) fn visit(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Substitution(place, _) => self.substitution(*place, Nesting::Substitution),
                Piece::Process(place) => self.substitution(*place, Nesting::Process),
                Piece::Sink(place) => self.substitution(*place, Nesting::Sink),
                Piece::Arithmetic(pieces, _) => {
                    self.visit(pieces);
                    self.evaluates(pieces);
                }
                Piece::Array(words) => words.iter().for_each(|word| self.visit(&word.pieces)),
                Piece::Parameter(parameter, _) => self.visit_parameter(parameter),
                Piece::Bare(_)
                | Piece::Quoted(_)
                | Piece::Hole(..)
                | Piece::Uncertain
                | Piece::Unreadable => {}
            }
        }
    }

    fn visit_parameter(&mut self, parameter: &Parameter) {
        if let Some(index) = &parameter.index {
            self.visit(index);
            self.evaluates(index);
        }
        match &parameter.change {
            Change::None | Change::Length | Change::Indirect | Change::Case { .. } => {}
            Change::Fallback { word, operator, .. } => {
                self.maybe += 1;
                self.visit(word);
                self.maybe -= 1;
                if matches!(operator, '=' | ':') {
                    self.environment.refer(Some(&parameter.name));
                }
            }
            Change::Remove { pattern, .. } => self.visit(pattern),
            Change::Replace { pattern, with, .. } => {
                self.visit(pattern);
                self.visit(with);
            }
            Change::Slice { from, length } => {
                for pieces in std::iter::once(from).chain(length) {
                    self.visit(pieces);
                    self.evaluates(pieces);
                }
            }
            Change::Other(pieces) => self.visit(pieces),
        }
    }

    /// Returns the text that a substitution prints, if it is one here-document without expansions: `$(cat <<'END' … END)`.
    fn document(&self, ids: &[CommandId]) -> Option<String> {
        let [id] = ids else { return None };
        let simple = self.script.commands.get(id.index())?;
        let is_cat = matches!(simple.words.as_slice(), [cat] if cat.constant().as_deref() == Some("cat"));
        let is_alone = simple.assignments.is_empty()
            && simple.inherited.is_empty()
            && simple.redirects.len() == 1
            && matches!(simple.within.last(), Some(Nesting::Substitution))
            && !self.script.functions.iter().any(|function| function.name == "cat");
        match &simple.stdin {
            Input::Text(redirect) if is_cat && is_alone && redirect.kind == RedirectKind::Document => {
                redirect.target.constant().map(Cow::into_owned)
            }
            _ => None,
        }
    }

    fn substitution(&mut self, place: usize, kind: Nesting) {
        let tree = self.tree;
        let Some(list) = tree.substitutions.get(place).filter(|_| !self.substitutions.contains_key(&place))
        else {
            return;
        };
        let from = self.script.commands.len();
        let ids: Arc<[CommandId]> = self.apart(kind, |resolver| {
            resolver.depth += 1;
            resolver.list(list);
            let ids = resolver.direct(from);
            resolver.depth -= 1;
            ids
        });
        self.substitutions.insert(place, ids);
    }
}

/// The text of a word in which nothing is expanded. Most words are such, and cost no more than to be put together.
pub(super) fn plain(pieces: &[Piece]) -> Option<String> {
    if pieces.is_empty() {
        return None;
    }
    let mut text = String::with_capacity(pieces.len());
    for piece in pieces {
        match piece {
            Piece::Bare('{' | '~' | '$' | '*' | '?' | '[' | '(' | ')') => return None,
            Piece::Bare(char) => text.push(*char),
            Piece::Quoted(quoted) => text.push_str(quoted),
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
    Some(text)
}

fn tilde_counts(pieces: &[Piece], at: usize, tilde: Tilde) -> bool {
    match tilde {
        Tilde::Nowhere => false,
        Tilde::Start => at == 0,
        Tilde::Value(from) => {
            let colon = at.checked_sub(1).and_then(|before| pieces.get(before));
            at == from || (at > from && matches!(colon, Some(Piece::Bare(':'))))
        }
    }
}

/// After `[`: the set of characters, if it is closed, and how many pieces it takes.
fn bracket(rest: &[Piece]) -> Option<(String, usize)> {
    let mut text = "[".to_owned();
    for (place, piece) in rest.iter().enumerate() {
        match piece {
            Piece::Bare(']') if place > 0 => {
                text.push(']');
                return Some((text, place + 1));
            }
            Piece::Bare('/') => return None,
            Piece::Bare(char) => text.push(*char),
            Piece::Quoted(quoted) => text.push_str(quoted),
            _ => return None,
        }
    }
    None
}

/// Returns true if a set of characters may end here.
fn could_close(piece: &Piece) -> bool {
    match piece {
        Piece::Bare(char) => *char == ']',
        Piece::Quoted(_) => false,
        _ => true,
    }
}

/// An element of an array without the key that it is given: `[key]=value`.
fn is_index(parameter: &Parameter, sign: char) -> bool {
    matches!(parameter.index.as_deref(), Some([Piece::Bare(char)]) if *char == sign)
}

fn without_key(word: Word) -> Word {
    // A key in brackets looks like a pattern of names.
    if let [Part::Glob(key), Part::Text(rest), ..] = word.parts.as_slice()
        && key.starts_with('[')
        && key.ends_with(']')
        && rest.starts_with('=')
    {
        let mut value = Word { parts: Vec::new(), span: word.span.clone() };
        word.parts.iter().skip(1).for_each(|part| value.push(part.clone()));
        return value.skip("=".len());
    }
    let lead = word.lead();
    let key = lead.strip_prefix('[').and_then(|rest| rest.split_once("]=")).map(|(key, _)| key.len());
    match key {
        Some(length) => word.skip(length + "[]=".len()),
        None => word,
    }
}
