//! Secrets that are read and not shown.
//!
//! Counting the lines of `.env`, checking if a name is in it, listing its names or loading it into the environment is
//! everyday work that shows no value.

use crate::{program, vocabulary::Modifier};
use checkrein_shell::{CommandId, Input, Nesting, Script, SimpleCommand, Word};

/// Commands that take what is printed for themselves.
const LOADERS: [&str; 8] = ["export", "env", "declare", "typeset", "local", "readonly", "set", "eval"];
/// Programs that print something of what they read, whatever it is.
const FILTERS: [&str; 12] =
    ["sort", "uniq", "cat", "grep", "egrep", "head", "tail", "xargs", "tr", "tee", "sed", "awk"];
/// The maximum length of a pipeline that is followed.
const STAGES: usize = 8;
/// The distance from a command within which its neighbours are searched. Some texts have thousands of commands, and
/// each of them is examined.
const NEAR: usize = 64;

/// Returns true if the values that the command at this place of a text reads are not shown.
pub(super) fn is_unseen(place: usize, simple: &SimpleCommand, script: &Script) -> bool {
    let names = of_names(simple);
    shows_no_value(simple, names)
        || ends_unseen(CommandId(place), names, script, 0)
        || is_loaded(place, simple, script)
}

/// Returns true if a command reads only lists of names and values.
fn of_names(simple: &SimpleCommand) -> bool {
    simple.words.iter().skip(1).any(|word| word.lead().contains(".env"))
}

/// Returns true if a later stage lets no value through.
fn ends_unseen(id: CommandId, names: bool, script: &Script, stage: usize) -> bool {
    let reads = |simple: &&SimpleCommand| matches!(&simple.stdin, Input::Pipe(ids) if ids.contains(&id));
    let mut later = script.commands.iter().enumerate().skip(id.0).take(NEAR);
    let Some((place, next)) = later.find(|(_, simple)| reads(simple)).filter(|_| stage < STAGES) else {
        return false;
    };
    let filters = next.words.first().is_some_and(|name| FILTERS.contains(&name.lead()));
    shows_no_value(next, names)
        || filters
            && (ends_unseen(CommandId(place), names, script, stage + 1) || is_loaded(place, next, script))
}

/// Returns true if the command around it loads the command's output as variables.
fn is_loaded(place: usize, simple: &SimpleCommand, script: &Script) -> bool {
    let near = || script.commands.iter().skip(place.saturating_sub(NEAR)).take(2 * NEAR);
    simple.within.contains(&Nesting::Substitution)
        && near().any(|outer| {
            outer.words.first().is_some_and(|name| LOADERS.contains(&name.lead()))
                && outer.span.start < simple.span.start
                && simple.span.end < outer.span.end
        })
}

/// Returns true if a command prints counts or names of what it reads, and no values.
pub(super) fn shows_no_value(simple: &SimpleCommand, names: bool) -> bool {
    let Some((name, rest)) = simple.words.split_first() else { return false };
    match name.lead() {
        "wc" | "sha256sum" | "sha1sum" | "md5sum" | "shasum" | "cksum" | "b2sum" => true,
        name @ ("grep" | "egrep" | "fgrep" | "rg") => {
            let lists = || {
                program::find(name)
                    .is_some_and(|grep| program::parse(grep, rest).qualities.has(Modifier::Lists))
            };
            lists() || names && prints_names(rest)
        }
        // A line without a `=` would be printed whole, so these are for files that have one in every line.
        "cut" => {
            let options = Options::read(rest, "bcdfO");
            names && options.is_some_and(|options| options.only("-d", "=") && options.only("-f", "1"))
        }
        "awk" | "gawk" | "mawk" => {
            let options = Options::read(rest, "Fvf");
            names
                && options.is_some_and(|options| {
                    options.only("-F", "=")
                        && options.values("-v").next().is_none()
                        && options.operands.first().is_some_and(|program| prints_first_field(program))
                })
        }
        "sed" => {
            let options = Options::read(rest, "efl");
            names
                && options.is_some_and(|options| {
                    let mut scripts = options.patterns("-e");
                    scripts.next().is_some_and(hides_values) && scripts.next().is_none()
                })
        }
        _ => false,
    }
}

/// The options of a command as they are written. Short options in one word are separated; long ones are kept.
struct Options {
    /// Each with its value; without one it is empty.
    given: Vec<(String, String)>,
    operands: Vec<String>,
}

impl Options {
    /// `takes`: the letters that have a value. Nothing, if a word is not known.
    fn read(words: &[Word], takes: &str) -> Option<Self> {
        let mut options = Self { given: Vec::new(), operands: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let word = word.constant()?;
            if let Some(long) = word.strip_prefix("--").filter(|long| !long.is_empty()) {
                let (name, value) = long.split_once('=').unwrap_or((long, ""));
                options.given.push((format!("--{name}"), value.to_owned()));
            } else if let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) {
                let mut letters = letters.chars();
                while let Some(letter) = letters.next() {
                    let value = if !takes.contains(letter) {
                        String::new()
                    } else if letters.as_str().is_empty() {
                        words.next()?.constant()?.into_owned()
                    } else {
                        std::mem::replace(&mut letters, "".chars()).collect()
                    };
                    options.given.push((format!("-{letter}"), value));
                }
            } else {
                options.operands.push(word.into_owned());
            }
        }
        Some(options)
    }

    fn has(&self, wanted: &str) -> bool {
        self.given.iter().any(|(name, _)| name == wanted)
    }

    fn values<'a>(&'a self, wanted: &'a str) -> impl Iterator<Item = &'a str> {
        self.given.iter().filter(move |(name, _)| name == wanted).map(|(_, value)| value.as_str())
    }

    /// Returns true if an option is given, and always with this value.
    fn only(&self, name: &str, value: &str) -> bool {
        self.has(name) && self.values(name).all(|given| given == value)
    }

    /// Returns the patterns or scripts: the values of an option, or without it the first operand. Nothing, if some
    /// are in a file or follow a long option.
    fn patterns<'a>(&'a self, option: &'a str) -> impl Iterator<Item = &'a str> {
        let hidden = self.given.iter().any(|(name, _)| name.starts_with("--") || name == "-f");
        let first = self.operands.first().filter(|_| !self.has(option) && !hidden).map(String::as_str);
        self.values(option).filter(move |_| !hidden).chain(first)
    }
}

/// `grep -o '^[A-Z_]*'`: only names are printed.
fn prints_names(rest: &[Word]) -> bool {
    Options::read(rest, "efmABCdD").is_some_and(|options| {
        let mut patterns = options.patterns("-e").peekable();
        options.has("-o") && patterns.peek().is_some() && patterns.all(is_of_names)
    })
}

/// `{print $1}`, however it is spaced, and with a comment.
fn prints_first_field(program: &str) -> bool {
    let lines = program.lines().map(|line| line.split('#').next().unwrap_or_default());
    let plain: String = lines.collect::<Vec<_>>().join(";");
    let words = plain.replace(['{', '}', ';'], " ");
    let shape: String = plain.chars().filter(|char| matches!(char, '{' | '}')).collect();
    words.split_whitespace().eq(["print", "$1"]) && shape == "{}" && plain.trim_start().starts_with('{')
}

/// `^[A-Z_]*`: a pattern from the beginning of a line that does not reach beyond a `=`.
fn is_of_names(pattern: &str) -> bool {
    let Some(rest) = pattern.strip_prefix('^') else { return false };
    let rest = rest.strip_suffix("(?==)").or_else(|| rest.strip_suffix('=')).unwrap_or(rest);
    // A range from a digit to a letter has the `=` in it.
    let ranges =
        ["A-Z", "a-z", "0-9", "A-z", "[:upper:]", "[:lower:]", "[:alpha:]", "[:alnum:]", "[:digit:]"];
    let plain = ranges.iter().fold(rest.to_owned(), |rest, range| rest.replace(range, ""));
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "_[]()+*?{},".contains(char);
    !rest.is_empty() && plain.chars().all(is_plain)
}

/// `s/=.*/…/`, `s/^\(NAME\)=.*/\1=…/`: what follows the `=` is taken away, and nothing brings it back.
fn hides_values(script: &str) -> bool {
    let Some(rest) = script.strip_prefix('s') else { return false };
    let Some(mark) = rest.chars().next().filter(char::is_ascii_punctuation) else { return false };
    let mut parts = rest.split(mark).skip(1);
    let (Some(pattern), Some(instead)) = (parts.next(), parts.next()) else { return false };
    // Nothing but the one substitution.
    let alone = matches!(parts.next(), Some("" | "g" | "p" | "gp")) && parts.next().is_none();
    let value = pattern.split_once('=').map(|(_, value)| value.trim_end_matches('$'));
    value == Some(".*") && alone && !instead.contains('&')
}
