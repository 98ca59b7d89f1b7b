//! The table of programs: which arguments are paths, hosts and commands, and which options change what happens.
//!
//! It is data (`programs/*.toml`), compiled in by the build script. A program that is not in the table runs without
//! any known effect.

mod arguments;
pub(crate) mod environment;
#[allow(unreachable_pub, dead_code, reason = "the macro of the vocabulary makes it public")]
mod flag;
mod pool;

pub(crate) use crate::eval::Handler;
pub(crate) use crate::notation::{Prints, Role, Style, Trait, VariableKind, Wraps};
pub(crate) use arguments::{Parsed, parse};
pub(crate) use flag::{ParseFlag, ParseFlags};
pub(crate) use pool::{List, QualitiesAt};

use crate::{
    data::{FAMILIES, FAMILY_KEYS, PROGRAMS},
    glob,
    vocabulary::Action,
};
use checkrein_core::SmallSort as _;

/// The entry of a program, or of one of its subcommands.
#[derive(Debug)]
pub(crate) struct Program {
    /// The program and the words that select the subcommand; the latter may be patterns.
    pub(crate) name: List<&'static str>,
    pub(crate) options: List<OptionSpec>,
    pub(crate) operands: List<Operand>,
    /// Other operands. The first case that fits counts.
    pub(crate) cases: List<Case>,
    /// The effects that do not depend on operands.
    pub(crate) does: List<StaticEffect>,
    /// The properties that distinguish it from other programs with the same roles.
    pub(crate) traits: List<Trait>,
    /// The qualities of all of its effects.
    pub(crate) qualities: QualitiesAt,
    /// The effect of running a command through it.
    pub(crate) wraps: Wraps,
    /// Its output.
    pub(crate) prints: Prints,
    pub(crate) style: Style,
    /// The code for what the table cannot say.
    pub(crate) handler: Option<Handler>,
}

impl Program {
    /// Returns true if the program, or the one that it is a subcommand of, has a trait.
    pub(crate) fn has(&self, wanted: Trait) -> bool {
        let root = || self.name.first().filter(|_| self.name.len() > 1).and_then(|name| find(name));
        self.traits.contains(&wanted) || root().is_some_and(|root| root.traits.contains(&wanted))
    }
}

/// The place of a program and its subcommands in the table.
#[derive(Debug)]
pub(crate) struct ProgramGroup {
    pub(crate) name: &'static str,
    /// Its place in the table.
    pub(crate) first: u16,
    /// The number of its entries.
    pub(crate) count: u16,
}

/// An option.
#[derive(Debug)]
pub(crate) struct OptionSpec {
    pub(crate) names: List<&'static str>,
    /// The qualities that it adds to the command; none, for most options.
    pub(crate) says: QualitiesAt,
    pub(crate) value: Value,
}

/// Tells if an option takes a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    None,
    /// The rest of the word, or the next one.
    Required(Role),
    /// Only what is joined to it.
    Optional(Role),
    /// As many of the next words.
    Several(List<Role>),
}

/// An operand, or any number of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) role: Role,
    pub(crate) many: bool,
}

/// The operands of a command with certain qualities.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) when: QualitiesAt,
    pub(crate) operands: List<Operand>,
}

/// An effect of the program itself.
#[derive(Debug)]
pub(crate) struct StaticEffect {
    pub(crate) action: Action,
    pub(crate) qualities: QualitiesAt,
    pub(crate) when: QualitiesAt,
    pub(crate) unless: QualitiesAt,
}

/// Returns the entry of a program.
pub(crate) fn find(name: &str) -> Option<&'static Program> {
    // Every program has an entry of its own, before those of its subcommands.
    family(name).first()
}

/// The subcommands of a program that a word may select: the one of that name, then patterns, those first that say more.
pub(crate) fn subcommands(program: &'static Program, word: &str) -> Vec<&'static Program> {
    let [first, ..] = program.name.items() else { return Vec::new() };
    let depth = program.name.len();
    let step = |entry: &&'static Program| entry.name.last().copied().unwrap_or_default();
    let mut found: Vec<&'static Program> = family(first)
        .iter()
        .filter(|entry| entry.name.len() == depth + 1 && entry.name.starts_with(program.name.items()))
        .filter(|entry| step(entry) == word || glob::matches(step(entry), word))
        .collect();
    let said =
        |entry: &&'static Program| step(entry).chars().filter(|char| !matches!(char, '*' | '?')).count();
    found.small_sort_by_key(|entry| (step(entry) != word, std::cmp::Reverse(said(entry))));
    found
}

/// Returns whether the table has entries for subcommands of a program.
pub(crate) fn has_subcommands(program: &Program) -> bool {
    let below = |entry: &Program| {
        entry.name.len() > program.name.len() && entry.name.starts_with(program.name.items())
    };
    program.name.first().is_some_and(|first| family(first).iter().any(below))
}

/// All names that the table knows.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().map(|family| family.name)
}

/// The program with all of its subcommands.
fn family(name: &str) -> &'static [Program] {
    let key = beginning(name);
    // The names are elsewhere in memory, on pages that may not have been touched yet. So only those with the same
    // first bytes are compared.
    let place = FAMILY_KEYS.partition_point(|known| *known < key);
    let same = FAMILY_KEYS.iter().skip(place).take_while(|known| **known == key).count();
    let mut families = FAMILIES.iter().skip(place).take(same);
    let found = families.find(|family| family.name == name).and_then(|family| {
        let first = usize::from(family.first);
        PROGRAMS.get(first..first + usize::from(family.count))
    });
    found.unwrap_or_default()
}

/// The first bytes of a name as a number, in the order of names; `build/tables/usual.rs` has the same.
fn beginning(name: &str) -> u64 {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_table_is_found_and_no_other() {
        for family in FAMILIES {
            let name = family.name;
            let found = find(name).map(|program| program.name.items());
            // Another name of a program leads to the entry of that program, which is also under its own name.
            let own = FAMILIES.iter().filter(|other| other.first == family.first).map(|other| [other.name]);
            let own: Vec<_> = own.filter(|own| found == Some(own.as_slice())).collect();
            assert_eq!(own.len(), 1, "{name}: {found:?}");
            let place = PROGRAMS.get(usize::from(family.first)).map(|program| program.name.items());
            assert_eq!(found, place, "{name}");
            assert!(find(&format!("{name}-that-nobody-has")).is_none());
        }
        assert_eq!(find("k").map(|program| program.name.items()), Some(["kubectl"].as_slice()));
        assert_eq!(find("ls").map(|program| program.name.items()), Some(["ls"].as_slice()));
        assert!(find("").is_none());
    }
}
