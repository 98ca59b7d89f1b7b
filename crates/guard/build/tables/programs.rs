//! `programs/*.toml`: which arguments of a program are paths, hosts and commands, and what its options change.

use super::{
    HANDLERS,
    document::{Result, Section, Text},
    option::{effect, operands, option},
    pools::{NO_QUALITIES, Parts},
    words::{Vocabulary, member, qualities, unknown},
};
use crate::notation::{Prints, Style, Trait, Wraps};
use std::collections::BTreeMap;

/// The keys of an entry.
pub(crate) const KEYS: [&str; 11] =
    ["as", "options", "operands", "when", "effects", "with", "wraps", "prints", "style", "handler", "traits"];

/// The entries of all files.
pub(super) struct Programs {
    /// The parts of each entry, by the words of its name.
    pub(super) entries: BTreeMap<Vec<&'static str>, Parts>,
    /// Other names of a whole program with all of its subcommands.
    pub(super) same: Vec<(Text, Text)>,
}

impl Programs {
    pub(super) fn of(files: &[Section]) -> Result<Self> {
        let mut programs = Self { entries: BTreeMap::new(), same: Vec::new() };
        for file in files {
            programs.add(file)?;
        }
        // A program without an entry of its own, but with subcommands.
        let names = programs.entries.keys();
        let parents: Vec<Vec<&'static str>> = names
            .flat_map(|name| {
                (1..name.len()).filter_map(|length| name.get(..length)).map(<[&'static str]>::to_vec)
            })
            .collect();
        for parent in parents {
            let text = empty(&parent);
            programs.entries.entry(parent).or_insert(text);
        }
        Ok(programs)
    }

    fn add(&mut self, file: &Section) -> Result<()> {
        for (name, of) in file.section("same")?.entries() {
            self.same.push((name, of.string()?));
        }
        // What holds for everything in the file.
        let common = file.strings("with")?;
        for (name, entry) in file.entries().filter(|(name, _)| !matches!(name.text, "same" | "with")) {
            let entry = entry.section()?;
            entry.only(&KEYS)?;
            let others = entry.strings("as")?;
            for name in std::iter::once(name).chain(others) {
                let words: Vec<&'static str> = name.text.split(' ').collect();
                let source = program(&words, &entry, &common)?;
                if self.entries.insert(words, source).is_some() {
                    return Err(name.problem(format_args!("`{}` is already in the tables", name.text)));
                }
            }
        }
        Ok(())
    }
}

/// Reads an entry.
fn program(name: &[&'static str], entry: &Section, common: &[Text]) -> Result<Parts> {
    let mut cases = Vec::new();
    for (words, case) in entry.section("when")?.entries() {
        let words: Vec<Text> = words.words().collect();
        cases.push((qualities(&words)?, operands(case.string()?)?));
    }
    let with = [common, &entry.strings("with")?].concat();
    Ok(Parts {
        name: name.to_vec(),
        options: entry.strings("options")?.into_iter().map(option).collect::<Result<_>>()?,
        operands: entry.string("operands")?.map_or_else(|| Ok(Vec::new()), operands)?,
        cases,
        effects: entry.strings("effects")?.into_iter().map(effect).collect::<Result<_>>()?,
        qualities: qualities(&with)?,
        wraps: word::<Wraps>(entry, "wraps", &Wraps::Plainly)?,
        prints: word::<Prints>(entry, "prints", &Prints::Something)?,
        style: word::<Style>(entry, "style", &Style::Gnu)?,
        traits: entry.strings("traits")?.into_iter().map(member::<Trait>).collect::<Result<_>>()?,
        handler: handler(entry)?,
    })
}

/// Returns the entry of a program of which only subcommands are known.
fn empty(name: &[&'static str]) -> Parts {
    Parts {
        name: name.to_vec(),
        options: Vec::new(),
        operands: Vec::new(),
        cases: Vec::new(),
        effects: Vec::new(),
        qualities: NO_QUALITIES.to_owned(),
        wraps: "Wraps::Plainly".to_owned(),
        prints: "Prints::Something".to_owned(),
        style: "Style::Gnu".to_owned(),
        traits: Vec::new(),
        handler: "None".to_owned(),
    }
}

/// Returns the source of the word of a key, or of the usual one.
fn word<T: Vocabulary>(entry: &Section, key: &str, usual: &T) -> Result<String> {
    entry.string(key)?.map_or_else(|| Ok(format!("{}::{usual:?}", T::TYPE)), member::<T>)
}

fn handler(entry: &Section) -> Result<String> {
    let Some(name) = entry.string("handler")? else { return Ok("None".to_owned()) };
    match HANDLERS.iter().position(|known| *known == name.text) {
        Some(place) => Ok(format!("Some(Handler({place}))")),
        None => Err(unknown("handler", name, HANDLERS.iter().copied())),
    }
}
