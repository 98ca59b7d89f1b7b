//! `data/usual.toml`: where each program is in the table.
//!
//! The whole table is large and is on many pages of the program, of which a search should touch few. So the search goes through
//! numbers that are next to each other, and usual programs come first.

use super::{
    constant,
    document::{Result, Section},
    pools::{Parts, Pools},
    programs::Programs,
    words::unknown,
};
use std::{collections::BTreeMap, fmt::Write};

/// The table of programs with the place of each program.
pub(super) struct Places {
    /// The first entry of each program, and how many there are.
    places: BTreeMap<&'static str, (usize, usize)>,
    entries: Vec<Parts>,
}

impl Places {
    pub(super) fn of(programs: Programs, file: &Section) -> Result<Self> {
        let mut families: BTreeMap<&str, Vec<Parts>> = BTreeMap::new();
        for (name, program) in programs.entries {
            families.entry(name.first().copied().unwrap_or_default()).or_default().push(program);
        }
        let mut all = Self { places: BTreeMap::new(), entries: Vec::new() };
        file.only(&["programs"])?;
        for name in file.strings("programs")? {
            match families.remove(name.text) {
                Some(family) => all.add(name.text, family),
                None if all.places.contains_key(name.text) => {
                    return Err(name.problem(format_args!("`{}` is already in the list", name.text)));
                }
                None => return Err(unknown("program", name, families.into_keys())),
            }
        }
        families.into_iter().for_each(|(name, family)| all.add(name, family));
        for (name, of) in programs.same {
            let place = all.places.get(of.text).copied();
            let place = place.ok_or_else(|| unknown("program", of, all.places.keys().copied()))?;
            if all.places.insert(name.text, place).is_some() {
                return Err(name.problem(format_args!("`{}` is already in the tables", name.text)));
            }
        }
        Ok(all)
    }

    fn add(&mut self, name: &'static str, family: Vec<Parts>) {
        self.places.insert(name, (self.entries.len(), family.len()));
        self.entries.extend(family);
    }

    /// Returns the names of all programs.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.places.keys().copied()
    }

    /// Returns the source of the table.
    pub(super) fn table(&self) -> String {
        let keys: Vec<u64> = self.names().map(beginning).collect();
        let index = self.places.iter().fold(String::new(), |mut index, (name, (first, count))| {
            let _infallible =
                write!(index, "ProgramGroup {{ name: {name:?}, first: {first}, count: {count} }}, ");
            index
        });
        // In the order of the entries, so that the lists of usual programs are next to each other as well.
        let mut pools = Pools::new();
        let entries: Vec<String> = self.entries.iter().map(|entry| pools.entry(entry)).collect();
        [
            constant("family_keys", "&[u64]", &format!("&{keys:?}")),
            constant("families", "&[ProgramGroup]", &format!("&[{index}]")),
            constant("programs", "&[Program]", &format!("&[{}]", entries.join(",\n"))),
            pools.tables(),
        ]
        .concat()
    }
}

/// Returns the first bytes of a name as a number, in the order of names; `program::beginning` is the same.
fn beginning(name: &str) -> u64 {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte);
    u64::from_be_bytes(bytes)
}
