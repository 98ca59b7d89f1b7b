//! `programs/*.toml`: which arguments of a program are paths, hosts and commands, and what its options change.

use super::{
    HANDLERS,
    document::{Result, Section, Text},
    option::{effect, operands, option},
    words::{Vocabulary, member, qualities, unknown},
};
use crate::notation::{Prints, Style, Trait, Wraps};
use std::collections::BTreeMap;

/// The keys of an entry.
pub(crate) const KEYS: [&str; 11] =
    ["as", "options", "operands", "when", "effects", "with", "wraps", "prints", "style", "handler", "traits"];

/// The entries of all files.
pub(super) struct Programs {
    /// The source of each entry, by the words of its name.
    pub(super) entries: BTreeMap<Vec<&'static str>, String>,
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
        let parents: Vec<Vec<&str>> = names
            .flat_map(|name| (1..name.len()).filter_map(|length| name.get(..length)).map(<[&str]>::to_vec))
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
                let words: Vec<&str> = name.text.split(' ').collect();
                let source = program(&words, &entry, &common)?;
                if self.entries.insert(words, source).is_some() {
                    return Err(name.problem(format_args!("`{}` is already in the tables", name.text)));
                }
            }
        }
        Ok(())
    }
}

/// Returns the source of an entry.
fn program(name: &[&str], entry: &Section, common: &[Text]) -> Result<String> {
    let options: String = entry.strings("options")?.into_iter().map(option).collect::<Result<_>>()?;
    let mut cases = String::new();
    for (words, case) in entry.section("when")?.entries() {
        let words: Vec<Text> = words.words().collect();
        cases.push_str(&format!("({}, {}), ", qualities(&words)?, operands(case.string()?)?));
    }
    let effects: String = entry.strings("effects")?.into_iter().map(effect).collect::<Result<_>>()?;
    let traits = entry.strings("traits")?.into_iter().map(|word| Ok(format!("{}, ", member::<Trait>(word)?)));
    let traits: String = traits.collect::<Result<_>>()?;
    let with = [common, &entry.strings("with")?].concat();
    Ok(source(&Parts {
        name,
        options: &options,
        operands: &entry.string("operands")?.map_or_else(|| Ok("&[]".to_owned()), operands)?,
        cases: &cases,
        effects: &effects,
        qualities: &qualities(&with)?,
        wraps: &word::<Wraps>(entry, "wraps", &Wraps::Plainly)?,
        prints: &word::<Prints>(entry, "prints", &Prints::Something)?,
        style: &word::<Style>(entry, "style", &Style::Gnu)?,
        traits: &traits,
        handler: &handler(entry)?,
    }))
}

/// Returns the source of the entry of a program of which only subcommands are known.
fn empty(name: &[&str]) -> String {
    source(&Parts {
        name,
        options: "",
        operands: "&[]",
        cases: "",
        effects: "",
        qualities: "Qualities::NONE",
        wraps: "Wraps::Plainly",
        prints: "Prints::Something",
        style: "Style::Gnu",
        traits: "",
        handler: "None",
    })
}

/// The source of each part of an entry.
struct Parts<'a> {
    name: &'a [&'a str],
    options: &'a str,
    operands: &'a str,
    cases: &'a str,
    effects: &'a str,
    qualities: &'a str,
    wraps: &'a str,
    prints: &'a str,
    style: &'a str,
    traits: &'a str,
    handler: &'a str,
}

fn source(parts: &Parts<'_>) -> String {
    let Parts { name, options, operands, cases, effects, qualities, wraps, prints, style, traits, handler } =
        parts;
    format!(
        "Program {{ name: &{name:?}, options: &[{options}], operands: {operands}, cases: &[{cases}], does: &[{effects}], qualities: {qualities}, \
         wraps: {wraps}, prints: {prints}, style: {style}, traits: &[{traits}], handler: {handler} }}"
    )
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
