//! The results of calls: joined paths, patterns, assembled or decoded texts.

use super::{Args, Follower, Value, call::list_of};
use crate::{
    Does, Language, decode,
    names::{Call, Encoding},
    value::{Origin, Shape, changed, glob, tilde},
};
use checkrein_shell::{Part, Word};

/// The maximum number of alternatives that are computed one by one.
const ALTERNATIVES: usize = 32;

/// The maximum number of elements of a list with which a function is called one by one.
const ELEMENTS: usize = 256;

impl Follower {
    /// A call without an act.
    pub(super) fn compute(&mut self, call: Call, args: &Args, start: usize) -> Value {
        let first = args.at(0);
        self.spend(first.size());
        // What is computed of one of several is one of several.
        if let Shape::OneOf(list) = &first.shape
            && list.len() <= ALTERNATIVES
            && matches!(
                call,
                Call::Split
                    | Call::Lower
                    | Call::Upper
                    | Call::Dirname
                    | Call::LastPart
                    | Call::Decode(_)
                    | Call::Format
                    | Call::Reverse
                    | Call::JoinList
            )
        {
            let each = list.clone().into_iter().map(|one| {
                let mut args = args.clone();
                if let Some(slot) = args.list.first_mut() {
                    *slot = one;
                }
                self.compute(call, &args, start)
            });
            return Value::any(each.collect::<Vec<_>>()).with(first.from);
        }
        match call {
            Call::Pairs => first.pairs(),
            Call::Held => first.held(),
            Call::KeysOf if matches!(first.shape, Shape::Map(_) | Shape::OneOf(_)) => first.keys(),
            Call::KeysOf => Value::default(),
            Call::At => match &first.shape {
                Shape::Map(_) | Shape::OneOf(_) | Shape::List(_) => {
                    let found = first.at(&args.at(1));
                    match args.list.get(2) {
                        Some(default) if found == Value::default() => default.clone(),
                        Some(default) if args.at(1).constant().is_none() => found.or(default.clone()),
                        _ => found,
                    }
                }
                _ => Value::unknown_from(args.list.iter()),
            },
            Call::Default => args.at(1),
            Call::Declare => {
                self.option_of_program(args);
                Value::unknown_from([&first])
            }
            Call::Json => match first.constant() {
                Some(text) => {
                    let span = self.span(start);
                    self.read(&text, 0, Some(span))
                }
                None => Value::unknown_from([&first]),
            },
            Call::LastPart => last_part(&first),
            Call::Bless => {
                self.keep_all(&first);
                first
            }
            Call::Home => Value::home(),
            Call::Temporary => Value::text("/tmp/tmp.XXXXXXXXXX"),
            Call::TemporaryRoot => Value::text("/tmp"),
            Call::Join => {
                let parts = args.list.iter().flat_map(list_of);
                parts.reduce(|one, two| one.below(&two)).unwrap_or_else(|| Value::text("."))
            }
            Call::Elements if matches!(first.shape, Shape::Map(_)) => first.keys(),
            Call::Same | Call::Elements => {
                let rest = args.list.iter().skip(1).chain(args.named.iter().map(|(_, value)| value));
                let origins: Vec<Origin> = rest.flat_map(Value::origins).collect();
                if origins.is_empty() {
                    first
                } else {
                    Value { from: [first.from, origins].concat(), ..first }
                }
            }
            // A named argument selects: `list_blobs(prefix="tmp/")`.
            Call::Everything if !args.named.is_empty() => Value::unknown_from([&first]),
            Call::Everything => Value { shape: Shape::Unknown, from: vec![Origin::Everything] },
            Call::Lower | Call::Upper => match first.constant() {
                Some(text) if call == Call::Lower => Value::text(&text.to_lowercase()),
                Some(text) => Value::text(&text.to_uppercase()),
                None => changed(&first),
            },
            // `numbers.pack("c*")`
            Call::Decode(_) if self.language == Language::Ruby && packs_characters(&first, &args.at(1)) => {
                characters(&Args { list: vec![first], named: Vec::new() })
            }
            Call::Tuple => Value::list(args.list.clone()),
            Call::Fresh => Value::default(),
            Call::Scope => Value::name(""),
            Call::Quoted => Value::text("'").then(&first).then(&Value::text("'")),
            Call::First | Call::Last => self.one_of(call, args),
            Call::Slice => match (&first.shape, args.list.get(1).and_then(Value::number)) {
                (Shape::List(list), None) => Value::list(list.clone()).with(first.from),
                (Shape::List(list), Some(from)) if from >= 0 => {
                    let from = usize::try_from(from).unwrap_or(usize::MAX);
                    Value::list(list.iter().skip(from).cloned().collect()).with(first.from)
                }
                _ => Value::unknown_from([&first]),
            },
            Call::ExpandUser => {
                let expanded =
                    |word: &Word| expand(word).map_or_else(|| Value::word(word.clone()), Value::word);
                match args.list.get(1) {
                    Some(base) if self.language == Language::Ruby => base.clone().below(&first),
                    _ => Value::any(first.words().iter().map(expanded)),
                }
            }
            Call::Decode(encoding) => undo(encoding, &first, &args.at(1), self.language),
            Call::Glob => listed(self.pattern(&first), &first),
            Call::GlobBelow => {
                let pattern = args.list.get(1).and_then(Value::constant).unwrap_or_else(|| "*".to_owned());
                Value::list(vec![first.below(&Value::word(glob(&pattern)))])
            }
            Call::Names => listed(Value::list(vec![Value::pattern("*")]), &first),
            Call::Entries => {
                let directory = if args.list.is_empty() { Value::text(".") } else { first };
                let entries = Value::list(vec![directory.clone().below(&Value::pattern("*"))]);
                listed(entries, &directory)
            }
            Call::Walk => {
                let names = Value::list(vec![Value::pattern("*")]);
                Value::list(vec![Value::list(vec![first, names.clone(), names])])
            }
            Call::Enumerate => {
                Value::list(vec![Value::list(vec![Value::default(), first.element()])]).with(first.from)
            }
            Call::Getenv => {
                let value = self.variable_at(&first);
                // `os.getenv("ROOT", "/srv")`
                match args.list.get(1) {
                    Some(default) if value == Value::default() => default.clone(),
                    _ => value,
                }
            }
            Call::Getattr => match args.at(1).constant() {
                Some(name) => self.attribute(&first, &name),
                None => Value::default(),
            },
            Call::Import => match first.constant() {
                Some(name) => {
                    self.starts_module(&name, start);
                    module(&name)
                }
                None => Value::default(),
            },
            Call::ByName => self.call_by(args, start),
            Call::FunctionOf => first.constant().map_or_else(Value::default, Value::name),
            Call::Chr => characters(args),
            Call::JoinList => {
                let separator = args.list.get(1).cloned().unwrap_or_else(|| Value::text(""));
                joined(&first, &separator)
            }
            Call::JoinWith => {
                let list = match args.list.get(1..) {
                    Some([one]) => one.clone(),
                    Some(several) => Value::list(several.to_vec()),
                    None => Value::default(),
                };
                joined(&list, &first)
            }
            Call::Replace => self.replace(args, start),
            Call::Reverse => match args.list.as_slice() {
                [_] | [] => reverse(&first),
                several => Value::list(several.iter().rev().cloned().collect()),
            },
            Call::Split => split(&first, args.list.get(1)),
            Call::Dirname => dirname(&first),
            Call::Format => {
                let values = args.list.get(1..).unwrap_or_default();
                if self.language == Language::JavaScript {
                    return values.iter().fold(first, |text, value| text.then(value));
                }
                format(&first, values, &args.named)
            }
            _ => Value::unknown_from(args.list.iter().chain(args.named.iter().map(|(_, value)| value))),
        }
    }

    /// The first or the last element of a list, or the one with the given index.
    fn one_of(&mut self, call: Call, args: &Args) -> Value {
        let list = match args.list.first() {
            None if self.language == Language::Perl => self.lookup(self.own_arguments()).unwrap_or_default(),
            // Perl hands over the elements of a list, and not the list.
            Some(_) if self.language == Language::Perl => Value::list(args.list.clone()),
            Some(list) => list.clone(),
            None => Value::default(),
        };
        let Shape::List(elements) = &list.shape else { return Value::unknown_from([&list]) };
        let place = args.list.get(1).and_then(Value::number).filter(|_| self.language == Language::Python);
        let found = match (place.and_then(|place| usize::try_from(place).ok()), call) {
            (Some(place), _) => elements.get(place),
            (None, Call::First) => elements.first(),
            (None, _) => elements.last(),
        };
        found.cloned().unwrap_or_default().with(list.from.clone())
    }

    /// `send(:name, …)`, `call_user_func('name', …)`, `map(f, list)`.
    fn call_by(&mut self, args: &Args, start: usize) -> Value {
        let Some(first) = args.list.first().cloned() else { return Value::default() };
        let by_part = self.language == Language::Ruby && matches!(first.shape, Shape::Name(_));
        let (callee, skip) = match args.list.get(1).and_then(Value::constant) {
            Some(name) if by_part => (self.attribute(&first, &name), 2),
            _ => match first.constant() {
                Some(name) => (Value::name(name), 1),
                None => (first, 1),
            },
        };
        // `map(f, list)`: of each, where all are known.
        if let Some([Value { shape: Shape::List(elements), .. }]) = args.list.get(skip..)
            && (2..=ELEMENTS).contains(&elements.len())
            && elements.iter().all(|element| element.constant().is_some())
            && !by_part
        {
            let given = |element: &Value| Args { list: vec![element.clone()], named: Vec::new() };
            let made = elements.iter().map(|element| self.call(&callee, None, None, given(element), start));
            return Value::list(made.collect());
        }
        let list = args.list.iter().skip(skip).map(Value::element).collect();
        self.call(&callee, None, None, Args { list, named: args.named.clone() }, start)
    }

    /// `path.replace(to)` moves, `text.replace(a, b)` does not.
    fn replace(&mut self, args: &Args, start: usize) -> Value {
        match args.list.as_slice() {
            [from, to] if self.language == Language::Python => {
                let span = self.span(start);
                self.act(Does::Move { from: from.as_word(), to: to.as_word() }, &span);
                to.clone()
            }
            [text, old, new, ..] => match (text.constant(), old.constant(), new.constant()) {
                (Some(text), Some(old), Some(new))
                    if !old.is_empty() && new.len() <= old.len().saturating_add(64) =>
                {
                    let made = text.replace(&old, &new);
                    self.spend(made.len());
                    if made.len() > crate::MAX_CODE {
                        Value::too_much(Vec::new())
                    } else {
                        Value::text(&made)
                    }
                }
                _ => changed(text),
            },
            _ => Value::unknown_from(args.list.iter()),
        }
    }
}

/// Marks what the directory of the processes lists: it has a directory for each.
fn listed(mut entries: Value, directory: &Value) -> Value {
    let is_processes = |text: String| text == "/proc" || text.starts_with("/proc/");
    if directory.words().iter().any(|word| is_processes(word.lead().to_owned())) {
        entries.from.push(Origin::Processes);
        if let Shape::List(list) = &mut entries.shape {
            list.iter_mut().for_each(|entry| entry.from.push(Origin::Processes));
        }
    }
    entries
}

/// A module by the name that it is asked for.
pub(super) fn module(name: &str) -> Value {
    let name = name.trim_start_matches("node:").trim_end_matches("/promises");
    let name = match name {
        "graceful-fs" | "original-fs" => "fs",
        other => other,
    };
    Value::name(name.replace("::", "."))
}

fn expand(word: &Word) -> Option<Word> {
    let mut parts = word.parts.iter();
    let Some(Part::Text(first)) = parts.next() else { return None };
    let mut made = match first.strip_prefix("$HOME") {
        Some(rest) => tilde(&format!("~{rest}"))?,
        None => tilde(first)?,
    };
    parts.for_each(|part| made.push(part.clone()));
    Some(made)
}

fn undo(encoding: Encoding, value: &Value, name: &Value, language: Language) -> Value {
    let named = name.constant().map(|name| name.to_ascii_lowercase().replace(['-', '_'], ""));
    let encoding = match (encoding, named.as_deref()) {
        (Encoding::Named, Some("base64" | "base64url")) => Encoding::Base64,
        (Encoding::Named, Some("hex")) => Encoding::Hex,
        (Encoding::Named, Some("rot13")) => Encoding::Rot13,
        (Encoding::Named, Some("zlib" | "zip" | "bz2" | "uu" | "unicodeescape")) => Encoding::Other,
        // From text to bytes and back.
        (Encoding::Named, _) => return value.clone(),
        // `["…"].pack("H*")`
        (Encoding::Other, _) if language == Language::Ruby => Encoding::Other,
        (Encoding::Hex, _) if language == Language::Perl => match value.constant().as_deref() {
            // The format comes first.
            Some("H*") => return undo(Encoding::Hex, name, &Value::default(), Language::Python),
            _ => Encoding::Other,
        },
        (other, _) => other,
    };
    let bytes = |bytes: Option<Vec<u8>>| bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let decoded = value.constant().and_then(|text| match encoding {
        Encoding::Base64 => bytes(decode::base64(&text)),
        Encoding::Hex => bytes(decode::hex(&text)),
        Encoding::Rot13 => Some(decode::rot13(&text)),
        Encoding::Named | Encoding::Other => None,
    });
    match decoded {
        Some(text) => Value::text(&text),
        None => changed(value).with(vec![Origin::Decoded]),
    }
}

/// Returns true if numbers are assembled as characters.
fn packs_characters(list: &Value, format: &Value) -> bool {
    let numbers =
        matches!(&list.shape, Shape::List(list) if list.iter().all(|value| value.number().is_some()));
    numbers && format.constant().is_some_and(|format| format.starts_with(['c', 'C', 'U']))
}

fn characters(args: &Args) -> Value {
    let flat: Vec<Value> = args.list.iter().flat_map(list_of).collect();
    if let [one] = flat.as_slice()
        && !matches!(one.shape, Shape::Number(_))
    {
        return one.clone();
    }
    let code =
        |value: &Value| value.number().and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32);
    match flat.iter().map(code).collect::<Option<String>>() {
        Some(text) => Value::text(&text),
        None => Value::unknown_from(&flat),
    }
}

fn joined(list: &Value, separator: &Value) -> Value {
    let Shape::List(values) = &list.shape else { return changed(list) };
    let mut values = values.iter();
    let first = values.next().cloned().unwrap_or_else(|| Value::text(""));
    values.fold(first, |text, value| text.then(separator).then(value)).with(list.from.clone())
}

/// The most parts that a text is cut into.
const PARTS: usize = 1024;

fn split(value: &Value, separator: Option<&Value>) -> Value {
    let Some(text) = value.constant() else { return Value::unknown_from([value]) };
    // One more than are carried, so that what is left out shows.
    let parts: Vec<Value> = match separator.and_then(Value::constant) {
        Some(separator) if separator.is_empty() => {
            text.chars().take(PARTS.saturating_add(1)).map(|char| Value::text(&char.to_string())).collect()
        }
        Some(separator) => {
            text.split(separator.as_str()).take(PARTS.saturating_add(1)).map(Value::text).collect()
        }
        None => text.split_whitespace().take(PARTS.saturating_add(1)).map(Value::text).collect(),
    };
    if parts.len() > PARTS { Value::too_much(value.origins()) } else { Value::list(parts) }
}

pub(super) fn reverse(value: &Value) -> Value {
    match &value.shape {
        Shape::List(list) => Value::list(list.iter().rev().cloned().collect()),
        _ => match value.constant() {
            Some(text) => Value::text(&text.chars().rev().collect::<String>()),
            None => changed(value),
        },
    }
}

/// The last part of a path.
pub(super) fn last_part(value: &Value) -> Value {
    let Shape::Text(word) = &value.shape else { return changed(value) };
    let mut last = Word::default();
    for part in &word.parts {
        match part {
            Part::Text(text) => match text.rsplit_once('/') {
                Some((_, rest)) => {
                    last = Word::default();
                    last.push_text(rest);
                }
                None => last.push_text(text),
            },
            Part::Glob(_) => last.push(part.clone()),
            // What is not known may end with a part of its own.
            Part::Unknown(_) => return changed(value),
        }
    }
    Value::word(last).with(value.origins())
}

pub(super) fn dirname(value: &Value) -> Value {
    match value.constant() {
        Some(text) => {
            let text = text.trim_end_matches('/');
            match text.rsplit_once('/') {
                Some(("", _)) => Value::text("/"),
                Some((directory, _)) => Value::text(directory),
                None if text.is_empty() => Value::text("/"),
                None => Value::text("."),
            }
        }
        None => changed(value),
    }
}

/// `'{} {}'.format(a, b)`, `'%s' % a`, `sprintf('%s', a)`.
pub(super) fn format(template: &Value, values: &[Value], named: &[(String, Value)]) -> Value {
    let Some(text) = template.constant() else {
        return changed(template);
    };
    let mut made = Value::text("");
    let mut values = values.iter();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['%', '{']) {
        made = made.then(&Value::text(rest.get(..at).unwrap_or("")));
        let tail = rest.get(at..).unwrap_or("");
        let end = if tail.starts_with('{') {
            tail.find('}').map(|end| end.saturating_add(1))
        } else {
            // A name in brackets precedes the letter.
            let from = if tail.starts_with("%(") { tail.find(')').unwrap_or(0) } else { 0 };
            tail.get(from..)
                .and_then(|rest| rest.find(|char: char| char.is_ascii_alphabetic()))
                .map(|end| end.saturating_add(from).saturating_add(1))
                .filter(|end| *end < 12 || from > 0)
        };
        let Some(end) = end else {
            made = made.then(&Value::text(tail));
            rest = "";
            break;
        };
        let field = tail.get(1..end.saturating_sub(1)).unwrap_or("").trim_start_matches('(');
        let field = field.split([')', ':', '!']).next().unwrap_or("");
        let value = match named.iter().find(|(name, _)| name == field && !field.is_empty()) {
            Some((_, value)) => Some(value.clone()),
            None => values.next().cloned(),
        };
        made = made.then(&value.unwrap_or_default());
        rest = tail.get(end..).unwrap_or("");
    }
    made.then(&Value::text(rest))
}
