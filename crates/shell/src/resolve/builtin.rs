//! Follows built-in commands that change the shell itself: its variables, arguments, aliases and options.

use super::{
    Resolver,
    environment::{Arguments, Value},
};
use crate::{
    parse::{DECLARATIONS, is_name},
    script::{Alias, CommandId, Nesting, Span, UnreadableReason},
    word::{Candidates, Part, Unknown, UnknownSource, Word},
};

/// Commands with which assignments before them stay, in some shells.
const SPECIAL: [&str; 15] = [
    ".", ":", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift",
    "source", "trap", "unset",
];

fn is_variable(text: &str) -> bool {
    !text.is_empty() && text.chars().enumerate().all(|(place, char)| is_name(char, place))
}

/// The constant text before the first `=`, and the rest, if the word is `name=…`.
fn name_and_value(word: &Word) -> Option<(&str, Option<Word>)> {
    let Some((Part::Text(first), rest)) = word.parts.split_first() else { return None };
    let Some((name, value)) = first.split_once('=') else {
        return rest.is_empty().then_some((first.as_str(), None));
    };
    let mut whole = Word::text(value, word.span.clone());
    rest.iter().for_each(|part| whole.push(part.clone()));
    Some((name, Some(whole)))
}

impl Resolver<'_> {
    /// Follows what a command does to the shell. `before` are the variables set before its name.
    pub(super) fn effects(&mut self, words: &[Word], before: &[&str], id: CommandId, span: &Span) {
        let mut words = words;
        let (name, arguments) = loop {
            let Some((first, rest)) = words.split_first() else { return };
            let Some(name) = first.constant() else {
                // A program cannot set variables. A word that is not known to be a program can.
                let is_path =
                    first.parts.iter().any(|part| matches!(part, Part::Text(text) if text.contains('/')));
                if !is_path {
                    self.environment.forget_all();
                }
                return;
            };
            match &*name {
                "command" | "builtin" => {
                    let is_option = |word: &&Word| word.constant().is_some_and(|word| word.starts_with('-'));
                    let options = rest.iter().take_while(is_option).count();
                    words = rest.get(options..).unwrap_or_default();
                }
                _ => break (name, rest),
            }
        };
        if self.script.aliases.iter().any(|alias| alias.name == name) {
            self.environment.forget_all();
        }
        let called = self.functions.get(&*name).cloned();
        if let Some(writes) = &called {
            self.apply(writes);
        }
        if called.is_some() || SPECIAL.contains(&&*name) {
            before.iter().for_each(|name| self.environment.forget(name));
        }
        match &*name {
            "eval" | "source" | "." | "enable" => self.environment.forget_all(),
            "read" | "mapfile" | "readarray" | "getopts" | "wait" => self.reads(&name, arguments),
            "printf" => self.printf(arguments),
            "let" => self.lets(arguments),
            "unset" => self.unsets(arguments),
            "cd" | "pushd" | "popd" => self.leaves(&name, span),
            "trap" => self.trap(arguments),
            "set" => self.set(arguments, span),
            "shift" => self.shift(arguments),
            "alias" => {
                let defined = arguments.iter().filter_map(name_and_value);
                let aliases: Vec<Alias> = defined
                    .filter_map(|(name, value)| {
                        Some(Alias { name: name.to_owned(), value: value?, defined_by: id })
                    })
                    .collect();
                self.burn(aliases.len() * 64);
                self.script.aliases.extend(aliases);
            }
            name if DECLARATIONS.contains(&name) => self.declare(name, arguments),
            _ => {}
        }
    }

    /// Commands that set the variables they name.
    fn reads(&mut self, command: &str, arguments: &[Word]) {
        for name in ["REPLY", "MAPFILE", "OPTARG", "OPTIND"] {
            self.environment.set(name, None);
        }
        for argument in arguments {
            match argument.constant() {
                // It is evaluated for every line.
                Some(option) if command != "read" && option.starts_with("-C") => {
                    self.environment.forget_all();
                }
                Some(name) => {
                    let end = name.find('[').unwrap_or(name.len());
                    self.environment.set(name.get(..end).unwrap_or_default(), None);
                    // `-aname` and the like.
                    if name.starts_with('-') {
                        for (place, _) in name.char_indices() {
                            self.environment.set(name.get(place..).unwrap_or_default(), None);
                        }
                    }
                }
                None => self.environment.set_any(),
            }
        }
    }

    fn printf(&mut self, arguments: &[Word]) {
        let Some((first, rest)) = arguments.split_first() else { return };
        match first.constant() {
            Some(option) if option == "-v" => match rest.first().and_then(Word::constant) {
                Some(name) if is_variable(&name) => self.environment.set(&name, None),
                Some(_) | None => self.environment.set_any(),
            },
            Some(option) if option.starts_with("-v") => {
                let name = option.get(2..).unwrap_or_default();
                self.environment.set(name, None);
                self.environment.forget_all();
            }
            Some(_) => {}
            None if first.starts_with_unknown().is_some() => self.environment.forget_all(),
            None => {}
        }
    }

    fn lets(&mut self, arguments: &[Word]) {
        for argument in arguments {
            match argument.constant() {
                Some(text) => {
                    for name in super::arithmetic::names(&text) {
                        self.environment.set(&name, None);
                    }
                }
                None => self.environment.forget_all(),
            }
        }
    }

    fn unsets(&mut self, arguments: &[Word]) {
        let mut plain = true;
        for argument in arguments {
            match argument.constant() {
                Some(option) if option.starts_with('-') => plain &= option == "-v" || option == "--",
                // A function of the same name may be meant if there is no such variable; then nothing is lost by this.
                Some(name) if is_variable(&name) && plain && self.environment.get(&name).is_some() => {
                    self.environment.unset(&name);
                }
                Some(name) if is_variable(&name) && plain => self.environment.unset(&name),
                Some(name) => {
                    let end = name.find('[').unwrap_or(name.len());
                    self.environment.set(name.get(..end).unwrap_or_default(), None);
                }
                None => self.environment.forget_all(),
            }
        }
    }

    /// The directory changes: `OLDPWD` has the previous one, if the new one exists.
    fn leaves(&mut self, command: &str, span: &Span) {
        let before = match self.environment.get("PWD") {
            Some(Value::Set(before)) if command == "cd" => Some(before.as_ref().clone()),
            Some(Value::Set(_) | Value::Unset | Value::Array(_)) | None => None,
        };
        let old = before.map(|before| {
            let among = Candidates::TheseOrAnything([before].into());
            let unknown =
                Unknown { empty: false, among, ..Unknown::new(UnknownSource::Variable("OLDPWD".to_owned())) };
            Word { parts: vec![Part::Unknown(unknown)], span: span.clone() }
        });
        self.environment.set("PWD", None);
        self.environment.set("OLDPWD", old);
    }

    /// Commands that run at the end change nothing before it; others run between all commands.
    fn trap(&mut self, arguments: &[Word]) {
        let ends = [
            "EXIT", "0", "INT", "TERM", "HUP", "QUIT", "SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "1", "2",
            "3", "15",
        ];
        let harmless = |signal: &Word| signal.constant().is_some_and(|signal| ends.contains(&&*signal));
        if !arguments.iter().skip(1).all(harmless) {
            self.environment.blind();
        }
    }

    fn set(&mut self, arguments: &[Word], span: &Span) {
        let mut rest = arguments;
        while let Some((first, after)) = rest.split_first() {
            let Some(option) = first.constant() else {
                if first.starts_with_unknown().is_some() {
                    self.environment.arguments = None;
                    self.opaque(span.clone(), UnreadableReason::Option);
                    return;
                }
                break;
            };
            if option == "--" {
                rest = after;
                self.arguments_are(rest);
                return;
            }
            if !option.starts_with(['-', '+']) {
                break;
            }
            rest = after;
            let named = option.ends_with('o').then(|| after.first().and_then(Word::constant)).flatten();
            if named.is_some() {
                rest = after.get(1..).unwrap_or_default();
            }
            // Assignments anywhere in a command, or no braces.
            let keyword = option.contains('k') || option.contains('B');
            if keyword || named.is_some_and(|name| matches!(&*name, "keyword" | "braceexpand")) {
                self.opaque(span.clone(), UnreadableReason::Option);
            }
        }
        if !rest.is_empty() {
            self.arguments_are(rest);
        }
    }

    fn arguments_are(&mut self, words: &[Word]) {
        let certain =
            !words.iter().any(|word| word.unknowns().any(|unknown| unknown.splits) || has_glob(word));
        let fits = self.burn(words.iter().map(Word::size).sum());
        self.environment.arguments = (certain && fits).then(|| Arguments::new(words));
    }

    fn shift(&mut self, arguments: &[Word]) {
        let by = match arguments.first() {
            None => Some(1),
            Some(word) => word.constant().and_then(|text| text.parse::<usize>().ok()),
        };
        self.environment.arguments = match (self.environment.arguments.take(), by) {
            (Some(before), Some(by)) => before.without(by),
            (None, _) | (_, None) => None,
        };
    }

    fn declare(&mut self, command: &str, arguments: &[Word]) {
        // Outside a function `local` fails, in some shells.
        let in_function =
            self.in_function || self.places.iter().any(|place| matches!(place, Nesting::Function(_)));
        let mut plain = command != "local" || in_function;
        let mut protected = command == "readonly";
        let mut exports = command == "export";
        let mut refers = false;
        for argument in arguments {
            let Some((name, value)) = name_and_value(argument) else {
                self.environment.set_any();
                continue;
            };
            if let Some(options) = name.strip_prefix(['-', '+']) {
                if options.contains('n') && command != "export" {
                    // From here on one name is an alias of another.
                    self.environment.blind();
                    refers = true;
                }
                exports |= option_exports(name);
                // Attributes stay: numbers, capitals, arrays.
                let usual = options.chars().all(|option| matches!(option, 'x' | 'g' | 'p'));
                protected |= !usual;
                plain &= usual || options == "r";
                continue;
            }
            if refers && let Some(target) = &value {
                self.environment.refer(target.constant().as_deref());
            }
            let appends = name.ends_with('+');
            let name = name.strip_suffix('+').unwrap_or(name);
            if !is_variable(name) {
                let end = name.find('[').unwrap_or(name.len());
                self.environment.set(name.get(..end).unwrap_or_default(), None);
                continue;
            }
            if exports {
                self.environment.export(name);
            }
            match value {
                Some(value) if plain && !appends && !is_array(&value) => {
                    let fits = self.burn(value.size());
                    self.environment.set(name, fits.then_some(value));
                }
                Some(_) => self.environment.set(name, None),
                // A local variable without a value hides the one outside.
                None if command == "export" || command == "readonly" => {}
                None => self.environment.set(name, None),
            }
            if protected {
                self.environment.protect(name);
            }
        }
    }
}

/// Returns true if an option of `declare` exports the variable.
fn option_exports(option: &str) -> bool {
    option.starts_with('-') && option.contains('x')
}

fn has_glob(word: &Word) -> bool {
    word.parts.iter().any(|part| matches!(part, Part::Glob(_)))
}

/// A value that is not a text: what an array becomes here.
fn is_array(value: &Word) -> bool {
    value.unknowns().any(|unknown| matches!(unknown.why, UnknownSource::Computed | UnknownSource::Array))
}
