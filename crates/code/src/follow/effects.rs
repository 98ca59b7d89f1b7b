//! The effects of known calls, as actions.

use super::{Args, Follower, Value};
use crate::{
    Act, Does, Language, TYPED,
    names::{Call, Deep},
    several,
    value::{Origin, Shape, word},
};
use checkrein_shell::{Part, Word};
use std::{borrow::Cow, ops::Range};

/// The maximum number of lists that an argument may be, which are run one by one.
const EACH: usize = 16;

/// The maximum number of printed texts that are kept.
const SAID: usize = 64;

/// Returns true for the method of a request that deletes.
fn is_delete(method: &Value) -> bool {
    method.constant().is_some_and(|method| method.eq_ignore_ascii_case("delete"))
}

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

    /// An option, also inside an object that is given.
    pub(super) fn option(&self, wanted: &str) -> Option<Value> {
        if let Some((_, value)) = self.named.iter().find(|(name, _)| name == wanted) {
            return Some(value.clone());
        }
        self.list.iter().find_map(|value| match &value.shape {
            Shape::Map(map) => map.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone()),
            _ => None,
        })
    }

    /// Returns true if an option is set. An unknown one counts as set.
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
    pub(super) fn path(&self, word: Word) -> Word {
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

    pub(super) fn paths(&self, value: &Value) -> Vec<Word> {
        value.words().into_iter().map(|word| self.path(word)).collect()
    }

    /// Applies a known call. The value is what it returns.
    pub(super) fn apply(&mut self, call: Call, args: &Args, start: usize) -> Value {
        let span = self.span(start);
        if let Some(result) = self.each_of(call, args, start) {
            return result;
        }
        if matches!(call, Call::Shell | Call::Run | Call::Spawn | Call::Words | Call::Vector(_)) {
            let plain = matches!(call, Call::Words | Call::Vector(_)) || self.language == Language::Ruby;
            self.with_environment(args, plain);
        }
        match call {
            Call::Shell => self.shell_call(args, &span),
            Call::Run => self.run_list(args, &span),
            Call::Words => self.run_words(args, &span),
            Call::Spawn if self.told_from_afar(&args.at(0), &span) => Value::default(),
            Call::Spawn => self.spawn(args, &span),
            Call::Vector(place) => self.run_vector(place, start, args, &span),
            Call::Delete(deep) => self.delete(args, deep, &span),
            Call::Write | Call::Append => self.write_file(call, args, &span),
            Call::Open => self.open(args, &span),
            Call::PerlOpen => self.perl_open(args, &span),
            Call::Move | Call::Copy | Call::Link | Call::LinkTo => self.relocate(call, args, &span),
            Call::Mode(deep) | Call::ModeFirst(deep) => self.change_mode(call, deep, args, &span),
            Call::Owner | Call::OwnerLast => self.change_owner(call, args, &span),
            Call::Read | Call::ReadOrFetch => self.read_file(call, args, &span),
            Call::Erase => self.erase(&args.at(0), &span),
            Call::Request if is_delete(&args.at(0)) => self.erase(&args.at(1), &span),
            Call::Fetch | Call::Post if args.option("method").is_some_and(|method| is_delete(&method)) => {
                self.erase(&args.at(0), &span)
            }
            Call::Fetch | Call::Post => self.reach(&args.at(0), args, &span),
            Call::Request => self.reach(&args.at(1), args, &span),
            Call::FetchTo => self.fetch_to(args, &span),
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
            Call::RunFile => self.run_file(&args.at(0), &span),
            Call::Indirect => {
                self.call_unknown(args, start);
                Value::default()
            }
            Call::Search => {
                self.bind_found(args);
                Value::default()
            }
            Call::Tie => {
                let far = args.list.iter().any(|value| value.origins().contains(&Origin::Network));
                self.tied |= far;
                Value::default()
            }
            Call::Count => Value::counted(),
            Call::Processes => {
                self.act(Does::Processes, &span);
                Value::of(Origin::Processes)
            }
            Call::Parent => Value::of(Origin::Parent),
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
            Call::Keys => self.type_keys(args, &span),
            Call::Unseen => {
                self.act(Does::Type(Value::default().as_word()), &span);
                Value::default()
            }
            Call::Ioctl => self.control_device(args, &span),
            Call::Kill => {
                let listed = args.list.iter().any(|value| value.origins().contains(&Origin::Processes));
                self.act(if listed { Does::KillListed } else { Does::Kill }, &span);
                if args.list.iter().any(Value::is_counted) {
                    self.act(Does::KillCounted, &span);
                }
                // Perl and Ruby name the signal first.
                let signal_first = matches!(self.language, Language::Perl | Language::Ruby);
                let ended = args.list.get(usize::from(signal_first)..).unwrap_or_default();
                let ended = if signal_first { ended } else { ended.get(..1).unwrap_or_default() };
                if ended.iter().any(Value::is_everything) {
                    self.act(Does::KillAll, &span);
                }
                if ended.iter().any(Value::is_parent) {
                    self.act(Does::KillParent, &span);
                }
                Value::default()
            }
            Call::Wipe => {
                // With an argument it is about what that says.
                if args.list.iter().all(|value| matches!(&value.shape, Shape::Map(map) if map.is_empty())) {
                    self.act(Does::Wipe, &span);
                }
                Value::default()
            }
            Call::Destroy(whole) => {
                let given = args.list.iter().chain(args.named.iter().map(|(_, value)| value));
                let of_map = |value: &Value| match &value.shape {
                    Shape::Map(map) => map.first().map(|(_, value)| value.clone()).unwrap_or_default(),
                    _ => value.clone(),
                };
                let what = given.map(of_map).next().unwrap_or_default().as_word();
                self.act(Does::Destroy { what, whole }, &span);
                Value::default()
            }
            Call::WipeAll => {
                if args.at(0).origins().contains(&Origin::Everything) && args.list.len() == 1 {
                    self.act(Does::Wipe, &span);
                }
                Value::default()
            }
            Call::Query => self.query(args, &span),
            Call::DropDatabase => {
                let mut text = word("DROP DATABASE ");
                args.at(0).as_word().parts.into_iter().for_each(|part| text.push(part));
                self.act(Does::Query(text), &span);
                Value::default()
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

    /// Runs each of several lists that an argument may be.
    fn each_of(&mut self, call: Call, args: &Args, start: usize) -> Option<Value> {
        if !matches!(call, Call::Shell | Call::Run | Call::Spawn | Call::Words | Call::Vector(_)) {
            return None;
        }
        let (place, list) = args.list.iter().enumerate().find_map(|(place, value)| match &value.shape {
            Shape::OneOf(list)
                if list.len() <= EACH && list.iter().any(|one| matches!(one.shape, Shape::List(_))) =>
            {
                Some((place, list.clone()))
            }
            _ => None,
        })?;
        let each = list.into_iter().map(|one| {
            let mut args = args.clone();
            if let Some(slot) = args.list.get_mut(place) {
                *slot = one;
            }
            self.apply(call, &args, start)
        });
        Some(Value::any(each.collect::<Vec<_>>()))
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
            Shape::File(path) => {
                let path = self.path(path.clone());
                for value in values {
                    if let Shape::Text(text) = &value.shape {
                        self.act(Does::Fill { path: path.clone(), text: text.clone() }, span);
                    }
                }
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

/// A shell's text in a directory.
pub(super) fn in_directory(directory: Option<&Word>, text: Word) -> Word {
    let Some(directory) = directory else { return text };
    let mut whole = word("cd '");
    for part in directory.parts.iter().cloned().chain([Part::Text("' && ".to_owned())]).chain(text.parts) {
        whole.push(part);
    }
    whole
}
