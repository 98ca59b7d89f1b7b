//! Running programs and shells, in whatever directory the program is.

use super::{Args, Follower, Value, call::list_of, effects::in_directory};
use crate::{
    Does, From, Language, several, unknown_word,
    value::{Origin, Shape, word},
};
use checkrein_shell::{Candidates, Part, Unknown, Word};
use std::ops::Range;

impl Follower {
    pub(super) fn run(&mut self, words: Vec<Word>, directory: Option<&Word>, span: &Range<usize>) {
        if words.is_empty() {
            return;
        }
        let directory = directory.or(self.directory.as_ref()).cloned();
        let words = match directory {
            Some(directory) => [vec![word("env"), word("-C"), directory], words].concat(),
            None => words,
        };
        let words = match self.given_environment() {
            given if given.is_empty() => words,
            given => [vec![word("env")], given, words].concat(),
        };
        let words = self.below_root(words);
        self.act(Does::Run(words), span);
    }

    /// The command as it runs below the root that the program chose.
    fn below_root(&self, words: Vec<Word>) -> Vec<Word> {
        let words = if self.limited { [vec![word("prlimit")], words].concat() } else { words };
        match &self.root {
            Some(root) => [vec![word("chroot"), root.clone()], words].concat(),
            None => words,
        }
    }

    /// `execl(path, name, …)`: the second is only a name; `create_subprocess_exec(path, …)`: it is not.
    pub(super) fn is_exec_list(&self, start: usize) -> bool {
        let names = (start..self.frame.at).filter_map(|at| self.tok(at));
        names.take(6).any(|tok| matches!(tok, crate::lex::Tok::Name(name) if name.starts_with("execl") || name.starts_with("spawnl")))
    }

    /// A command that another machine sent is as unknown as a program from there, and is reported as one. A command with only
    /// a part from there is a command of the text.
    pub(super) fn told_from_afar(&mut self, command: &Value, span: &Range<usize>) -> bool {
        let first = match &command.shape {
            Shape::List(list) => list.first().cloned().unwrap_or_else(|| Value::text("")),
            _ => command.clone(),
        };
        let open = matches!(
            first.as_word().parts.first(),
            Some(Part::Unknown(Unknown { among: Candidates::Anything, .. }))
        );
        let far = first.origins().contains(&Origin::Network) || self.tied;
        if open && far {
            self.act(Does::Evaluate(From::Network), span);
        } else if open && first.origins().contains(&Origin::Input) {
            self.act(Does::Evaluate(From::Input), span);
        }
        open && far
    }

    pub(super) fn shell_in(&mut self, text: &Value, directory: Option<Value>, span: &Range<usize>) {
        let directory =
            directory.map(|directory| directory.as_word()).filter(|directory| !directory.is_unknown());
        for text in text.words() {
            let text = match &directory {
                Some(directory) => in_directory(Some(directory), text),
                None => self.in_directory(text),
            };
            let does = match self.given_environment() {
                given if given.is_empty() && self.root.is_none() && !self.limited => Does::Shell(text),
                given => {
                    let words = [vec![word("env")], given, vec![word("sh"), word("-c"), text]].concat();
                    Does::Run(self.below_root(words))
                }
            };
            self.act(does, span);
        }
    }

    /// Sets the environment of a program as the option says. `plain`: the environment is an argument of its own.
    pub(super) fn with_environment(&mut self, args: &Args, plain: bool) {
        let own = args.list.iter().filter(|_| plain).find(|value| matches!(value.shape, Shape::Map(_)));
        let array = |value: &&Value| matches!(value.shape, Shape::List(_) | Shape::Map(_));
        let php = args.list.iter().skip(2).filter(|_| self.language == Language::Php);
        let own = own.or_else(|| php.rev().find(array));
        let map = match args.option("env").or_else(|| own.cloned()).map(|value| value.shape) {
            Some(Shape::Map(map)) => map,
            // An array of PHP: names and values in turn.
            Some(Shape::List(list)) if self.language == Language::Php => {
                let pairs = list.chunks(2).filter_map(|pair| match pair {
                    [name, value] => Some((name.constant()?, value.clone())),
                    _ => None,
                });
                pairs.collect()
            }
            _ => Vec::new(),
        };
        // It gets only the given variables, unless they were made from the environment.
        let whole = args.option("env").is_some_and(|value| match &value.shape {
            Shape::Map(map) => !self.is_environment(&value) && map.iter().all(|(name, _)| !name.is_empty()),
            _ => false,
        });
        self.environment = whole.then(|| word("-i")).into_iter().collect();
        self.environment
            .extend(map.iter().filter_map(|(name, value)| super::environment::setting(name, value)));
        // What is given was put together elsewhere.
        let fourth = args.list.get(4).filter(|_| self.language == Language::Php).cloned();
        let given = args.option("env").or(fourth);
        if given.is_some() || plain {
            self.environment.extend(self.fields.iter().cloned());
        }
        let lost = |value: &Value| value.shape == Shape::Unknown && !self.is_environment(value);
        if given.as_ref().is_some_and(lost) {
            // Something is given that is not known.
            let mut unknown = unknown_word();
            unknown.push_text("=");
            self.environment.push(unknown);
        }
    }

    /// A file of the same language, as its interpreter would run it.
    pub(super) fn run_file(&mut self, file: &Value, span: &Range<usize>) -> Value {
        let interpreter = match self.language {
            Language::Python => "python3",
            Language::Perl => "perl",
            Language::Ruby => "ruby",
            Language::Php => "php",
            Language::Lua => "lua",
            _ => "node",
        };
        let is_file = |text: &str| !text.contains("://") && !text.contains(char::is_whitespace);
        match file.constant() {
            Some(path) if is_file(&path) => {
                let path = self.path(word(&path));
                self.act(Does::Run(vec![word(interpreter), path]), span);
                Value::default()
            }
            Some(path) if path.contains("://") => {
                self.reach(file, &Args::default(), span);
                self.act(Does::Evaluate(From::Network), span);
                Value::default()
            }
            _ => self.evaluate(file, span),
        }
    }

    /// Binds what a search calls each thing that it finds.
    pub(super) fn bind_found(&mut self, args: &Args) {
        let directories = args.list.iter().skip(1).flat_map(list_of);
        let found = Value::any(directories.map(|directory| directory.below(&Value::pattern("*"))));
        for name in ["$_", "$File::Find::name", "$File.Find.name"] {
            self.bind(name, found.clone());
        }
    }

    /// A text for a shell, or a list that is run as it is.
    pub(super) fn shell_call(&mut self, args: &Args, span: &Range<usize>) -> Value {
        if args.list.is_empty() && args.named.is_empty() {
            return Value::default();
        }
        // Ruby may name variables first.
        let text = args.list.iter().find(|value| !matches!(value.shape, Shape::Map(_)));
        let text = text.cloned().unwrap_or_else(|| args.at(0));
        match &text.shape {
            _ if self.told_from_afar(&text, span) => {}
            // A list is run as it is.
            Shape::List(_) => self.run(text.words(), None, span),
            _ => self.shell_in(&text, args.option("cwd"), span),
        }
        Value::unknown_from([&text])
    }

    /// A program, a list of its arguments, and options.
    pub(super) fn spawn(&mut self, args: &Args, span: &Range<usize>) -> Value {
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
            let joined =
                words.into_iter().map(Value::word).reduce(|one, two| one.then(&Value::text(" ")).then(&two));
            self.shell_in(&joined.unwrap_or_default(), args.option("cwd"), span);
        } else {
            self.run(words, directory.as_ref(), span);
        }
        Value::default()
    }

    /// A program at a place, and a list or the rest after it.
    pub(super) fn run_vector(
        &mut self,
        place: usize,
        start: usize,
        args: &Args,
        span: &Range<usize>,
    ) -> Value {
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
        self.run(words, None, span);
        Value::default()
    }

    pub(super) fn run_list(&mut self, args: &Args, span: &Range<usize>) -> Value {
        let command = args.option("cmd").unwrap_or_else(|| args.at(0));
        let directory =
            args.option("cwd").map(|value| value.as_word()).filter(|directory| !directory.is_unknown());
        let php = self.language == Language::Php;
        match &command.shape {
            _ if self.told_from_afar(&command, span) => {}
            Shape::List(list) if args.flag("shell") => {
                // Only the first is the shell's text.
                let text = list.first().cloned().unwrap_or_default();
                self.shell_in(&text, args.option("cwd"), span);
            }
            Shape::List(_) => {
                let words = list_of(&command).iter().map(Value::as_word).collect();
                self.run(words, directory.as_ref(), span);
            }
            Shape::Map(_) if command == args.at(0) => {}
            _ if args.flag("shell") || php => self.shell_in(&command, args.option("cwd"), span),
            _ => {
                for word in command.words() {
                    self.run(vec![word], directory.as_ref(), span);
                }
            }
        }
        Value::unknown_from([&command])
    }

    pub(super) fn run_words(&mut self, args: &Args, span: &Range<usize>) -> Value {
        let directory = args.option("chdir").map(|value| value.as_word());
        let list: Vec<&Value> =
            args.list.iter().filter(|value| !matches!(value.shape, Shape::Map(_))).collect();
        match list.as_slice() {
            [] => {}
            [first, ..] if self.told_from_afar(first, span) => {}
            [one] => match &one.shape {
                Shape::List(words) => {
                    self.run(words.iter().map(Value::as_word).collect(), directory.as_ref(), span);
                }
                _ => self.shell_in(one, args.option("chdir"), span),
            },
            several => {
                // Ruby: `["program", "name"]` is the program under another name.
                let named = |place: usize, value: &Value| {
                    let pair = place == 0 && self.language == Language::Ruby;
                    list_of(value).into_iter().take(if pair { 1 } else { usize::MAX }).collect::<Vec<_>>()
                };
                let each = several.iter().enumerate().flat_map(|(place, value)| named(place, value));
                let words = each.map(|value| value.as_word()).collect();
                self.run(words, directory.as_ref(), span);
            }
        }
        Value::unknown_from(args.list.iter())
    }
}
