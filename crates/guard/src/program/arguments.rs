//! The arguments of a program, read by what the table says about it.

use super::{Operand, OptionSpec, Program, Role, Style, Value, environment, subcommands};
use crate::{program::ParseFlag, qualities::Qualities, vocabulary::Modifier};
use checkrein_shell::{Part, Word};

/// The parsed arguments of a command.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// The entry of the subcommand, if one is named.
    pub(crate) program: &'static Program,
    pub(crate) qualities: Qualities,
    /// The values of options and the operands, with what they are.
    pub(crate) roles: Vec<(Role, Word)>,
    /// The operands alone.
    pub(crate) operands: Vec<Word>,
    /// A command that it runs.
    pub(crate) command: Vec<Word>,
    /// Its words are joined to a text for a shell.
    pub(crate) joins: bool,
}

/// Reads the words after the name.
pub(crate) fn parse(program: &'static Program, words: &[Word]) -> Parsed {
    let mut reader = ArgumentReader {
        chain: vec![program],
        ways: vec![program],
        parsed: Parsed {
            program,
            qualities: program.qualities.get(),
            roles: Vec::new(),
            operands: Vec::new(),
            command: Vec::new(),
            joins: false,
        },
        words,
        stray: false,
    };
    let mut options = program.style != Style::Bare;
    while let Some((word, rest)) = reader.words.split_first() {
        reader.words = rest;
        let lead = word.lead();
        if options && lead == "--" && word.constant().is_some() {
            options = false;
            // `tool things -- command`.
            if reader.spec().iter().any(|operand| operand.many)
                && reader.spec().last().is_some_and(|last| last.role == Role::Command)
            {
                reader.parsed.command = reader.words.to_vec();
                break;
            }
        } else if options && lead.len() > 1 && (lead.starts_with('-') || reader.is_switch(lead)) {
            reader.option(lead, word);
            continue;
        } else if !reader.select(word) {
            if std::mem::take(&mut reader.stray) && reader.is_group() {
                continue;
            }
            if reader.is_command() {
                let operand = reader.spec().get(reader.parsed.operands.len());
                reader.parsed.joins = operand.is_some_and(|operand| operand.role == Role::Script);
                reader.parsed.command = std::iter::once(word).chain(reader.words).cloned().collect();
                break;
            }
            reader.parsed.operands.push(word.clone());
            options &= reader.parsed.program.style != Style::Posix;
        }
        reader.stray = false;
    }
    reader.assign();
    reader.parsed
}

struct ArgumentReader<'a> {
    /// The entries from the program to its subcommand: options of the former hold behind the latter, too.
    chain: Vec<&'static Program>,
    /// The entries that the words so far may mean, the best first. `tool * delete` holds for `tool things delete`, also where
    /// there is a `tool things show`, and the first word went that way.
    ways: Vec<&'static Program>,
    parsed: Parsed,
    words: &'a [Word],
    /// The word before was an option that the table does not know, so that this one may be its value.
    stray: bool,
}

impl ArgumentReader<'_> {
    /// Returns true if the word selects a subcommand.
    fn select(&mut self, word: &Word) -> bool {
        if !self.parsed.operands.is_empty() {
            return false;
        }
        let Some(name) = word.constant() else { return false };
        let next: Vec<&'static Program> = self.ways.iter().flat_map(|way| subcommands(way, &name)).collect();
        let found = next.first().copied();
        if let Some(found) = found {
            // What has operands of its own, or does something, is what is meant; the rest only leads on.
            let is_meant = !found.operands.is_empty() || !found.does.is_empty() || found.handler.is_some();
            self.ways = if is_meant { vec![found] } else { next };
            self.chain.push(found);
            self.parsed.program = found;
            self.parsed.qualities = self.parsed.qualities.and(found.qualities.get());
        }
        found.is_some()
    }

    /// Returns true if only subcommands of it are known: a word that selects none is the value of an option that the
    /// table does not have, as in `tool --project x things drop`.
    fn is_group(&self) -> bool {
        let Program { operands, does, handler, .. } = self.parsed.program;
        operands.is_empty() && does.is_empty() && handler.is_none()
    }

    /// Returns true if the next operand starts a command.
    fn is_command(&self) -> bool {
        let operand = self.spec().get(self.parsed.operands.len());
        operand.is_some_and(|operand| matches!(operand.role, Role::Command | Role::Script))
    }

    fn spec(&self) -> &'static [Operand] {
        let program = self.parsed.program;
        let case = program.cases.iter().find(|case| self.parsed.qualities.has_all(case.when.get()));
        case.map_or(program.operands, |case| case.operands).items()
    }

    /// `/s` of a program that was made for Windows.
    fn is_switch(&self, lead: &str) -> bool {
        lead.starts_with('/') && self.find(|name| name.eq_ignore_ascii_case(lead)).is_some()
    }

    fn find(&self, fits: impl Fn(&str) -> bool) -> Option<&'static OptionSpec> {
        let entries = self.chain.iter().rev();
        entries.flat_map(|entry| entry.options).find(|option| option.names.iter().any(|name| fits(name)))
    }

    fn option(&mut self, lead: &str, word: &Word) {
        let takes_value =
            self.find(|name| name == lead).is_some_and(|option| !matches!(option.value, Value::None));
        if matches!(lead, "--help" | "--version" | "-help" | "-version") && !takes_value {
            self.parsed.qualities = self.parsed.qualities.with(ParseFlag::Help);
        }
        let (name, joined) = match lead.split_once('=') {
            Some((name, _)) => (name, Some(name.len() + 1)),
            None => (lead, None),
        };
        // A long name, perhaps with one dash, perhaps shortened.
        let exact =
            self.find(|option| option == name || name.starts_with('/') && option.eq_ignore_ascii_case(name));
        // Where one dash begins whole names, one letter is a whole name.
        let is_dash = self.chain.iter().any(|entry| entry.style == Style::Dash);
        let exact = exact.filter(|_| name.len() > 2 || name.starts_with('/') || is_dash);
        let long = exact.or_else(|| {
            let shortened =
                name.len() > 3 && name.starts_with("--") && self.parsed.program.style == Style::Gnu;
            shortened.then(|| self.find(|option| option.starts_with(name))).flatten()
        });
        if let Some(option) = long {
            self.take(option, joined.map(|length| word.skip(length)));
            return;
        }
        if name.starts_with("--") || is_dash {
            // `--no-x` takes back what `--x` said.
            match name
                .strip_prefix("--no-")
                .and_then(|name| self.find(|own| own.strip_prefix("--") == Some(name)))
            {
                Some(option) => self.take_back(option),
                None => self.stray = joined.is_none(),
            }
            return;
        }
        // Letters, the last of which may take the rest as its value.
        let letters = lead.char_indices().skip(1);
        for (place, letter) in letters {
            let Some(option) = self.find(|name| {
                let mut chars = name.chars();
                chars.next() == Some('-') && chars.next() == Some(letter) && chars.next().is_none()
            }) else {
                continue;
            };
            let after = place + letter.len_utf8();
            let has_rest = after < lead.len() || !word.skip(lead.len()).parts.is_empty();
            match option.value {
                Value::None => self.note(option.says.get()),
                Value::Required(_) | Value::Optional(_) | Value::Several(_) => {
                    self.take(option, has_rest.then(|| word.skip(after)));
                    return;
                }
            }
        }
    }

    fn note(&mut self, says: Qualities) {
        self.parsed.qualities = self.parsed.qualities.and(says);
    }

    /// An option that is switched off again: it says nothing, and neither do its values that the table names.
    fn take_back(&mut self, option: &'static OptionSpec) {
        let values = self.chain.iter().flat_map(|entry| entry.options).filter(|other| {
            let is_value = |name: &&str| {
                option
                    .names
                    .iter()
                    .any(|own| name.strip_prefix(own).is_some_and(|rest| rest.starts_with('=')))
            };
            other.names.iter().any(is_value)
        });
        let said = values.fold(option.says.get(), |said, value| said.and(value.says.get()));
        self.parsed.qualities = self.parsed.qualities.minus(said);
    }

    /// An option with the value that is joined to it, if any.
    fn take(&mut self, option: &'static OptionSpec, joined: Option<Word>) {
        if let (Value::None | Value::Optional(_), Some(value)) = (option.value, &joined)
            && is_off(option, value)
        {
            self.take_back(option);
            return;
        }
        // Some readers of options take the word `false` behind a switch for its value.
        let is_false = |word: &Word| word.constant().as_deref() == Some("false");
        if let (true, Value::None, Some((next, rest))) =
            (option.says.get().has(Modifier::DryRun), option.value, self.words.split_first())
            && is_false(next)
        {
            self.words = rest;
            self.take_back(option);
            return;
        }
        self.note(option.says.get());
        match (option.value, joined) {
            (Value::Required(Role::Command), None) => {
                self.parsed.command = self.words.to_vec();
                self.words = &[];
            }
            (Value::Required(role), None) => {
                if let Some((next, rest)) = self.words.split_first() {
                    self.words = rest;
                    self.value(option, role, next.clone());
                }
            }
            (Value::Required(role) | Value::Optional(role), Some(value)) => self.value(option, role, value),
            (Value::Several(roles), _) => {
                for role in roles {
                    if let Some((next, rest)) = self.words.split_first() {
                        self.words = rest;
                        self.push(*role, next.clone());
                    }
                }
            }
            (Value::Optional(_) | Value::None, _) => {}
        }
    }

    /// A value; one that the table names (`--method=DELETE`) says something of its own.
    fn value(&mut self, option: &'static OptionSpec, role: Role, value: Word) {
        if let Some(text) = value.constant() {
            let is = |name: &str| {
                option
                    .names
                    .iter()
                    .any(|own| name.strip_prefix(own).and_then(|rest| rest.strip_prefix('=')) == Some(&text))
            };
            let named = self.find(is).map_or(Qualities::NONE, |option| option.says.get());
            self.note(named);
        }
        self.push(role, value);
    }

    fn push(&mut self, role: Role, word: Word) {
        if role == Role::Environment {
            let known = word.parts.iter().filter_map(|part| match part {
                Part::Text(text) | Part::Glob(text) => Some(text.as_str()),
                Part::Unknown(_) => None,
            });
            self.parsed.qualities =
                self.parsed.qualities.and(environment::qualities(&known.collect::<String>()));
        }
        self.parsed.roles.push((role, word));
    }

    /// Gives each operand its role.
    fn assign(&mut self) {
        let spec = self.spec();
        let operands = self.parsed.operands.clone();
        let many = spec.iter().position(|operand| operand.many);
        let fixed_after = many.map_or(0, |many| spec.len() - many - 1);
        for (place, word) in operands.iter().enumerate() {
            let from_end = operands.len() - place;
            let role = match many {
                Some(many) if place >= many && from_end > fixed_after => spec.get(many),
                Some(many) if place >= many => spec.get(spec.len() - from_end),
                Some(_) | None => spec.get(place),
            };
            if let Some(operand) = role {
                self.push(operand.role, word.clone());
            }
        }
    }
}

/// Returns true if the value of a switch means off. For a dry-run switch an unknown value counts as off.
fn is_off(option: &OptionSpec, value: &Word) -> bool {
    const OFF: [&str; 7] = ["false", "f", "0", "no", "off", "none", "never"];
    match value.constant() {
        Some(value) => OFF.iter().any(|off| value.eq_ignore_ascii_case(off)),
        None => option.says.get().has(Modifier::DryRun),
    }
}
