//! What a known call does, told as acts.

use super::{Args, Follower, Value};
use crate::{
    Act, Does, Language, TYPED,
    names::{Call, Deep},
    several,
    value::{Origin, Shape, word},
};
use checkrein_shell::{Part, Word};
use std::{borrow::Cow, ops::Range};

/// How many printed texts are kept.
const SAID: usize = 64;

impl Args {
    /// The argument at a place; the first may be given by its name.
    pub(super) fn at(&self, place: usize) -> Value {
        if let Some(value) = self.list.get(place) {
            return value.clone();
        }
        const NAMES: [&[&str]; 2] = [
            &[
                "path", "file", "args", "src", "url", "command", "cmd", "name", "source", "host", "PeerAddr",
                "PeerHost",
            ],
            &["mode", "dst", "target", "data", "destination", "filename", "port", "PeerPort"],
        ];
        let names = NAMES.get(place).copied().unwrap_or_default();
        let found = self.named.iter().find(|(name, _)| names.contains(&name.as_str()));
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    }

    /// An option, also inside of an object that is given.
    pub(super) fn option(&self, wanted: &str) -> Option<Value> {
        if let Some((_, value)) = self.named.iter().find(|(name, _)| name == wanted) {
            return Some(value.clone());
        }
        self.list.iter().find_map(|value| match &value.shape {
            Shape::Map(map) => map.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone()),
            _ => None,
        })
    }

    /// Whether an option is set. What is not known is.
    pub(super) fn flag(&self, wanted: &str) -> bool {
        self.option(wanted).is_some_and(|value| is_true(&value))
    }
}

fn is_true(value: &Value) -> bool {
    match &value.shape {
        Shape::Name(name) => {
            !matches!(name.as_str(), "False" | "false" | "FALSE" | "None" | "null" | "nil" | "undefined")
        }
        Shape::Number(number) => *number != 0,
        Shape::Text(word) => !word.parts.is_empty(),
        Shape::List(_)
        | Shape::Map(_)
        | Shape::OneOf(_)
        | Shape::File(_)
        | Shape::Socket(_)
        | Shape::Unknown => true,
    }
}

impl Follower {
    pub(super) fn act(&mut self, does: Does, span: &Range<usize>) {
        if !self.tells || self.acts.last().is_some_and(|last| last.does == does && last.span == *span) {
            return;
        }
        if self.acts.len() > crate::MAX_ACTS {
            self.cut = true;
            return;
        }
        let size = match &does {
            Does::Shell(word) | Does::Read(word) | Does::Connect(word) => word.size(),
            _ => 64,
        };
        self.spend(size);
        self.acts.push(Act { does, span: span.clone() });
    }

    /// A path as it is after the program changed its directory.
    fn path(&self, word: Word) -> Word {
        let Some(directory) = &self.directory else { return word };
        let relative = match word.parts.first() {
            Some(Part::Text(text)) => !text.starts_with(['/', '~']),
            Some(Part::Glob(_)) | None => true,
            Some(Part::Unknown(_)) => false,
        };
        if !relative {
            return word;
        }
        Value::word(directory.clone()).below(&Value::word(word)).as_word()
    }

    /// A shell's text in the directory that the program changed to.
    pub(super) fn in_directory(&self, text: Word) -> Word {
        in_directory(self.directory.as_ref(), text)
    }

    fn paths(&self, value: &Value) -> Vec<Word> {
        value.words().into_iter().map(|word| self.path(word)).collect()
    }

    /// Applies a known call. The value is what it returns.
    pub(super) fn apply(&mut self, call: Call, args: &Args, start: usize) -> Value {
        let span = self.span(start);
        if matches!(call, Call::Shell | Call::Run | Call::Spawn | Call::Words | Call::Vector(_)) {
            self.with_environment(args, matches!(call, Call::Words | Call::Vector(_)));
        }
        match call {
            Call::Shell => {
                let text = args.at(0);
                match &text.shape {
                    _ if self.told_from_afar(&text, &span) => {}
                    // A list is run as it is.
                    Shape::List(_) => self.run(text.words(), None, &span),
                    _ => self.shell_in(&text, args.option("cwd"), &span),
                }
                Value::unknown_from([&text])
            }
            Call::Run => self.run_list(args, &span),
            Call::Words => self.run_words(args, &span),
            Call::Spawn if self.told_from_afar(&args.at(0), &span) => Value::default(),
            Call::Spawn => {
                let directory = args.option("cwd").map(|value| value.as_word());
                let mut words = vec![args.at(0).as_word()];
                let second = args.option("args").unwrap_or_else(|| args.at(1));
                if let Shape::List(list) = &second.shape {
                    words.extend(list.iter().map(Value::as_word));
                } else if !matches!(second.shape, Shape::Map(_)) && second != Value::default() {
                    let whole = matches!(second.shape, Shape::Unknown | Shape::Name(_));
                    words.push(if whole { several() } else { second.as_word() });
                }
                if args.flag("shell") {
                    let joined = words
                        .into_iter()
                        .map(Value::word)
                        .reduce(|one, two| one.then(&Value::text(" ")).then(&two));
                    self.shell_in(&joined.unwrap_or_default(), args.option("cwd"), &span);
                } else {
                    self.run(words, directory.as_ref(), &span);
                }
                Value::default()
            }
            Call::Vector(place) => {
                let mut words = vec![args.at(place).as_word()];
                let rest: Vec<Value> = args.list.iter().skip(place.saturating_add(1)).cloned().collect();
                match rest.first().map(|value| &value.shape) {
                    // The first of a vector is only how the program is called.
                    Some(Shape::List(list)) if self.language != Language::Php => {
                        words.extend(list.iter().skip(1).map(Value::as_word));
                    }
                    Some(Shape::List(list)) => words.extend(list.iter().map(Value::as_word)),
                    Some(_) if self.is_exec_list(start) => {
                        words.extend(rest.iter().skip(1).map(Value::as_word));
                    }
                    Some(_) => words.extend(rest.iter().map(Value::as_word)),
                    None => {}
                }
                self.run(words, None, &span);
                Value::default()
            }
            Call::Delete(deep) => self.delete(args, deep, &span),
            Call::Write | Call::Append => {
                let value = args.at(0);
                let append = call == Call::Append
                    || args
                        .list
                        .iter()
                        .any(|value| matches!(&value.shape, Shape::Name(name) if name == "FILE_APPEND"))
                    || args
                        .option("flags")
                        .or(args.option("flag"))
                        .is_some_and(|flags| flags.constant().is_some_and(|flags| flags.contains('a')));
                for path in self.paths(&value) {
                    self.act(Does::Write { path, append }, &span);
                }
                self.environment(args.list.iter().skip(1), &span);
                Value { shape: Shape::File(value.as_word()), from: Vec::new() }
            }
            Call::Open => self.open(args, &span),
            Call::PerlOpen => self.perl_open(args, &span),
            Call::Move | Call::Copy | Call::Link | Call::LinkTo => {
                let (one, two) = (args.at(0), args.at(1));
                let to = self.path(two.as_word());
                for from in self.paths(&one) {
                    let to = to.clone();
                    let does = match call {
                        Call::Move => Does::Move { from, to },
                        Call::Copy => Does::Copy { from, to },
                        Call::Link => Does::Link { path: to, to: from },
                        _ => Does::Link { path: from, to },
                    };
                    self.act(does, &span);
                }
                two
            }
            Call::Mode(deep) | Call::ModeFirst(deep) => {
                let first = matches!(call, Call::ModeFirst(_));
                let mode = mode(&args.at(usize::from(!first)));
                let paths: Vec<Value> =
                    if first { args.list.iter().skip(1).cloned().collect() } else { vec![args.at(0)] };
                let paths: Vec<Word> = paths.iter().flat_map(|value| self.paths(value)).collect();
                for path in paths {
                    let recursive = deep == Deep::Always;
                    self.act(Does::Mode { path, mode: mode.clone(), recursive }, &span);
                }
                Value::default()
            }
            Call::Owner | Call::OwnerLast => {
                let skip = if call == Call::OwnerLast { 2 } else { 0 };
                let take = if call == Call::OwnerLast { usize::MAX } else { 1 };
                let paths: Vec<Word> =
                    args.list.iter().skip(skip).take(take).flat_map(|value| self.paths(value)).collect();
                for path in paths {
                    self.act(Does::Owner { path }, &span);
                }
                Value::default()
            }
            Call::Read | Call::ReadOrFetch => self.read_file(call, args, &span),
            Call::Fetch | Call::Post => self.reach(&args.at(0), args, &span),
            Call::Request => self.reach(&args.at(1), args, &span),
            Call::FetchTo => {
                let result = self.reach(&args.at(0), &Args::default(), &span);
                if let Some(path) = args.list.get(1) {
                    let path = self.path(path.as_word());
                    self.act(Does::Write { path, append: false }, &span);
                }
                result
            }
            Call::Connect => self.connect(args, &span),
            Call::Socket => {
                Value { shape: Shape::Socket(crate::unknown_word()), from: vec![Origin::Network] }
            }
            Call::Send | Call::Put => {
                let receiver = args.at(0);
                let rest: Vec<Value> = args.list.iter().skip(1).cloned().collect();
                self.put_at(&receiver, &rest, &span);
                Value::default()
            }
            Call::Shown(name) => Value::name(name),
            Call::Console => match self.given.get(super::argv::WHOLE).cloned() {
                Some(input) => self.evaluate(&input, &span),
                None => Value::default(),
            },
            Call::Evaluate if args.list.is_empty() && self.language == Language::Perl => {
                let line = self.resolve("$_");
                self.evaluate(&line, &span)
            }
            Call::Evaluate => self.evaluate(&args.at(0), &span),
            Call::EvaluateLast => self.evaluate(&args.list.last().cloned().unwrap_or_default(), &span),
            Call::Tie => {
                let far = args.list.iter().any(|value| value.origins().contains(&Origin::Network));
                self.tied |= far;
                Value::default()
            }
            Call::Processes => {
                self.act(Does::Processes, &span);
                Value::default()
            }
            Call::Type => {
                for text in args.at(0).words() {
                    self.act(Does::Type(text), &span);
                }
                Value::default()
            }
            Call::Lookup => {
                self.act(Does::Run(vec![word("which"), args.at(0).as_word()]), &span);
                Value::default()
            }
            Call::Module => {
                // Its arguments are whatever `sys.argv` holds.
                let words = vec![word("python3"), word("-m"), args.at(0).as_word(), several()];
                self.act(Does::Run(words), &span);
                Value::default()
            }
            Call::Keys => {
                for key in args.list.iter().flat_map(Value::words) {
                    let name = key.constant().map(|name| name.to_ascii_lowercase());
                    let text = match name.as_deref() {
                        Some("enter" | "return" | "\\n" | "num_enter") => Word::text("\n", 0..0),
                        Some("space") => Word::text(" ", 0..0),
                        Some(name) if name.chars().count() > 1 => continue,
                        _ => key,
                    };
                    self.act(Does::Type(text), &span);
                }
                Value::default()
            }
            Call::Unseen => {
                self.act(Does::Type(Value::default().as_word()), &span);
                Value::default()
            }
            Call::Ioctl => {
                /// The number of `TIOCSTI` on Linux, and on macOS and the BSDs.
                const TYPES: [i64; 2] = [0x5412, 0x8001_7472];
                let is_typing = |value: &Value| match &value.shape {
                    Shape::Number(number) => TYPES.contains(number),
                    Shape::Name(name) => name.ends_with("TIOCSTI"),
                    _ => false,
                };
                if let Some(place) = args.list.iter().position(is_typing) {
                    let text = args.list.get(place.saturating_add(1)).cloned().unwrap_or_default();
                    self.act(Does::Type(text.as_word()), &span);
                }
                Value::default()
            }
            Call::Kill => {
                self.act(Does::Kill, &span);
                Value::default()
            }
            Call::Wipe => {
                // With an argument it is about what that says.
                if args.list.iter().all(|value| matches!(&value.shape, Shape::Map(map) if map.is_empty())) {
                    self.act(Does::Wipe, &span);
                }
                Value::default()
            }
            Call::Query => {
                // Only what reads like a statement is one: many things have a method of such a name.
                let text = args.list.iter().take(2).find_map(|value| match &value.shape {
                    Shape::Text(word) if word.lead().contains(char::is_whitespace) => Some(word.clone()),
                    _ => None,
                });
                if let Some(text) = text {
                    self.act(Does::Query(text), &span);
                }
                Value::unknown_from(args.list.iter())
            }
            Call::Print => {
                if self.tells && self.said.len() < SAID {
                    self.said.extend(args.list.iter().filter_map(Value::constant));
                }
                self.environment(args.list.iter(), &span);
                Value::default()
            }
            Call::Chdir => {
                let directory = self.path(args.at(0).as_word());
                self.directory = Some(directory);
                Value::default()
            }
            _ => self.compute(call, args, start),
        }
    }

    fn delete(&mut self, args: &Args, deep: Deep, span: &Range<usize>) -> Value {
        let mut recursive = match deep {
            Deep::Always => true,
            Deep::Never => false,
            Deep::Option => args.flag("recursive"),
        };
        let several = matches!(self.language, Language::Ruby | Language::Perl);
        let mut paths: Vec<Value> = if several { args.list.clone() } else { vec![args.at(0)] };
        if args.list.is_empty() && self.language == Language::Perl {
            paths = vec![self.resolve("$_")];
        }
        paths.retain(|value| !matches!(value.shape, Shape::Map(_)));
        // `shell.rm('-rf', path)` has options as a first text.
        if let Some(text) = paths.first().and_then(Value::constant)
            && text.starts_with('-')
        {
            recursive = text.contains(['r', 'R']);
            paths = args.list.iter().skip(1).cloned().collect();
        }
        for path in paths.iter().flat_map(|value| self.paths(value)).collect::<Vec<_>>() {
            self.act(Does::Delete { path, recursive }, span);
        }
        Value::default()
    }

    /// Evaluates a text of the same language.
    pub(super) fn evaluate(&mut self, value: &Value, span: &Range<usize>) -> Value {
        if matches!(value.shape, Shape::Map(_)) {
            return Value::default();
        }
        let words = value.words();
        let texts: Option<Vec<Cow<'_, str>>> = words.iter().map(Word::constant).collect();
        match texts {
            Some(texts) if !value.from.contains(&Origin::Network) => {
                let mut result = Value::default();
                for text in texts {
                    if text.contains(TYPED) {
                        self.act(Does::Shell(Word::text(TYPED, 0..0)), span);
                    }
                    result = self.read(&text, 0, Some(span.clone()));
                }
                result
            }
            _ => {
                let from = value.source();
                self.act(Does::Evaluate(from), span);
                Value::default()
            }
        }
    }

    /// Tells if the whole environment is among what is given away.
    pub(super) fn environment<'a>(&mut self, values: impl Iterator<Item = &'a Value>, span: &Range<usize>) {
        if values.into_iter().any(|value| value.origins().contains(&Origin::Environment)) {
            self.act(Does::Environment, span);
        }
    }

    pub(super) fn put(&mut self, receiver: &Value, values: &[Value]) {
        let span = self.span(self.frame.at.saturating_sub(1));
        self.put_at(receiver, values, &span);
    }

    /// Writes to an open file or connection.
    fn put_at(&mut self, receiver: &Value, values: &[Value], span: &Range<usize>) {
        self.environment(values.iter(), span);
        let what = self.files(values);
        let network = receiver.from.contains(&Origin::Network);
        match &receiver.shape {
            Shape::Socket(host) => {
                let to = if host.is_unknown() {
                    self.host.clone().unwrap_or_else(|| host.clone())
                } else {
                    host.clone()
                };
                self.act(Does::Send { to, what }, span);
            }
            Shape::Text(word) if matches!(word.constant(), Some(text) if text.starts_with('/')) => {
                // `Pathname#write`
                let path = self.path(word.clone());
                self.act(Does::Write { path, append: false }, span);
            }
            _ if network && !what.is_empty() => {
                let to = self.host.clone().unwrap_or_else(crate::unknown_word);
                self.act(Does::Send { to, what }, span);
            }
            _ => {}
        }
    }

    /// The files whose content is in these values.
    pub(super) fn files(&self, values: &[Value]) -> Vec<Word> {
        let mut files = Vec::new();
        for value in values {
            let opened = match &value.shape {
                Shape::File(path) => vec![Origin::File(path.clone())],
                Shape::Map(map) => map
                    .iter()
                    .filter_map(|(_, value)| match &value.shape {
                        Shape::File(path) => Some(Origin::File(path.clone())),
                        _ => None,
                    })
                    .collect(),
                _ => Vec::new(),
            };
            for origin in value.origins().into_iter().chain(opened) {
                if let Origin::File(path) = origin
                    && !files.contains(&path)
                {
                    files.push(path);
                }
            }
        }
        files
    }
}

/// Octal digits for a number.
fn mode(value: &Value) -> Word {
    match value.number() {
        Some(number) if number >= 0 => word(&format!("{number:o}")),
        _ => value.as_word(),
    }
}

/// A shell's text in a directory.
pub(super) fn in_directory(directory: Option<&Word>, text: Word) -> Word {
    let Some(directory) = directory else { return text };
    let mut whole = word("cd '");
    for part in directory.parts.iter().cloned().chain([Part::Text("' && ".to_owned())]).chain(text.parts) {
        whole.push(part);
    }
    whole
}
