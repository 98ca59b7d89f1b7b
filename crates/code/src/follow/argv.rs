//! The arguments and the input of a program, by the names under which each language finds them.

use super::{Follower, Value};
use crate::{
    Language, Started,
    lex::STDIN,
    value::{Origin, Shape},
};
use checkrein_shell::Word;
use std::collections::HashMap;

/// The key of the lines of standard input.
pub(super) const LINES: &str = "<lines>";
/// The key of the whole of it.
pub(super) const WHOLE: &str = "<whole>";
/// The maximum number of lines that are known one by one.
const MOST: usize = 32;

/// Returns true if a name is that of standard input.
pub(super) fn is_stream(name: &str) -> bool {
    matches!(name, "sys.stdin" | "STDIN" | "$stdin" | "ARGF" | "process.stdin" | "io.stdin")
}

/// Returns the arguments and the input of the program, by the names that it uses for them.
pub(super) fn given(language: Language, started: &Started) -> HashMap<&'static str, Value> {
    let mut given = arguments(language, started);
    if let Some(input) = &started.input {
        let mut lines: Vec<Value> = input.lines().take(MOST).map(Value::text).collect();
        if input.lines().nth(MOST).is_some() {
            lines.push(Value::too_much(Vec::new()));
        }
        if matches!(language, Language::Perl | Language::Ruby) {
            given.insert("$_", Value::any(lines.iter().cloned()));
            given.insert(STDIN, Value::any(lines.iter().cloned()));
        }
        given.insert(LINES, Value::list(lines));
        given.insert(WHOLE, Value::text(input.trim_end_matches('\n')));
    } else {
        let input = || Value::of(Origin::Input);
        if matches!(language, Language::Perl | Language::Ruby) {
            given.insert("$_", input());
            given.insert(STDIN, input());
        }
        given.insert(LINES, Value::list(vec![input()]));
        given.insert(WHOLE, input());
    }
    given
}

/// The arguments. `None` if they are not known.
fn arguments(language: Language, started: &Started) -> HashMap<&'static str, Value> {
    if started.arguments.is_empty() {
        return HashMap::new();
    }
    let own = || Value::word(Word::text("CHECKREIN_PROGRAM", 0..0));
    let file = || started.file.clone().map_or_else(own, Value::word);
    let arguments = || started.arguments.iter().cloned().map(Value::word);
    let after = |before: Vec<Value>| Value::list(before.into_iter().chain(arguments()).collect());
    match language {
        Language::Python => {
            HashMap::from([("sys.argv", after(vec![file()])), ("sys.orig_argv", after(vec![file()]))])
        }
        Language::JavaScript => {
            // A program in the command line has no name of its own.
            let mut before = vec![own()];
            before.extend(started.file.clone().map(Value::word));
            HashMap::from([
                ("process.argv", after(before.clone())),
                ("Bun.argv", after(before)),
                ("Deno.args", after(Vec::new())),
            ])
        }
        Language::Ruby => HashMap::from([("ARGV", after(Vec::new())), ("$*", after(Vec::new()))]),
        Language::Perl => HashMap::from([("$ARGV", after(Vec::new()))]),
        Language::Php => HashMap::from([("$argv", after(vec![file()]))]),
        Language::Lua => HashMap::from([("arg", after(vec![file()]))]),
        Language::Go => HashMap::from([("os.Args", after(vec![file()]))]),
        Language::Awk | Language::Sed | Language::PowerShell | Language::AppleScript | Language::Make => {
            HashMap::new()
        }
    }
}

impl Follower {
    /// Returns the data that a call reads from standard input, if that is known.
    pub(super) fn input(&self, name: &str, args: &super::Args) -> Option<Value> {
        let whole = self.given.get(WHOLE)?;
        let stream = || match args.list.first().map(|value| &value.shape) {
            Some(Shape::Name(name)) => is_stream(name),
            // A descriptor, or the lines that a stream is.
            Some(Shape::Number(number)) => *number == 0,
            Some(Shape::List(_)) => args.list.first() == self.given.get(LINES),
            Some(Shape::Text(word)) => {
                word.constant().is_some_and(|text| text == "/dev/stdin" || text == "php://stdin")
            }
            Some(_) | None => false,
        };
        let first = || self.given.get(LINES).map(Value::element);
        match (self.language, name) {
            (Language::Python, "input" | "sys.stdin.readline")
            | (Language::Ruby, "gets" | "STDIN.gets" | "$stdin.gets" | "ARGF.gets")
            | (Language::Lua, "io.read") => first(),
            (Language::Python, "sys.stdin.read")
            | (Language::Ruby, "STDIN.read" | "$stdin.read" | "ARGF.read") => Some(whole.clone()),
            (Language::Python, "sys.stdin.readlines")
            | (Language::Ruby, "STDIN.readlines" | "$stdin.readlines" | "readlines") => {
                self.given.get(LINES).cloned()
            }
            (Language::Python, "open" | "io.open") if stream() => Some(Value::name("sys.stdin")),
            (Language::Python, "os.read") if stream() => Some(whole.clone()),
            (Language::Python, "fileinput.input") => self.given.get(LINES).cloned(),
            (Language::Lua, "io.lines") if args.list.is_empty() => self.given.get(LINES).cloned(),
            (Language::Php, "readline") => first(),
            (Language::Php, "fgets") if stream() => first(),
            (Language::Php, "stream_get_contents" | "file_get_contents" | "file")
            | (Language::JavaScript, "fs.readFileSync")
                if stream() =>
            {
                Some(whole.clone())
            }
            _ => None,
        }
    }

    /// The list that Perl uses if none is named: the arguments of the program, or of the function.
    pub(super) fn own_arguments(&self) -> &'static str {
        if self.current.is_empty() { "$ARGV" } else { "@_" }
    }
}
