//! The guard's verdict on every command in the repository, before and after a change.
//!
//! An example of the testkit does the judging; `crates/testkit/examples/verdicts` has the format. This
//! compares two files by the digests of their cases, so that the position of a case does not matter.

use crate::{Failed, Result, cannot, cargo, output, say, target};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

const USAGE: &str = "use `verdicts [FILE]` or `verdicts --compare OLD NEW [--renamed MAP]`";

pub(crate) fn verdicts(arguments: &[&str]) -> Result<()> {
    match arguments {
        [] => write(&target().join("verdicts.txt")),
        ["--compare", old, new] => compare(old, new, None),
        ["--compare", old, new, "--renamed", map] | ["--renamed", map, "--compare", old, new] => {
            compare(old, new, Some(map))
        }
        [file] if !file.starts_with('-') => write(&here(file)),
        _ => Err(Failed::Because(USAGE.to_owned())),
    }
}

/// Resolves a path relative to the caller's directory.
fn here(file: &str) -> PathBuf {
    std::env::current_dir().unwrap_or_default().join(file)
}

fn write(file: &Path) -> Result<()> {
    let example = ["run", "--quiet", "--package", "checkrein-testkit", "--example", "verdicts"];
    let lines = output(cargo().args(example))?;
    let name = file.to_string_lossy();
    fs::write(file, &lines).map_err(|error| cannot("write", &name, &error))?;
    say(&format!("{} cases in {name}", lines.lines().count()));
    Ok(())
}

fn read(file: &str) -> Result<String> {
    fs::read_to_string(here(file)).map_err(|error| cannot("read", file, &error))
}

fn compare(old: &str, new: &str, map: Option<&str>) -> Result<()> {
    let map = map.map(read).transpose()?.unwrap_or_default();
    let renamed = Renamed::read(&map).map_err(Failed::Because)?;
    let (old, new) = (read(old)?, read(new)?);
    let comparison = Comparison::of(&old, &new, &renamed).map_err(Failed::Because)?;
    print!("{}", comparison.report);
    say(&comparison.summary());
    if comparison.differs() { Err(Failed::Exit(1)) } else { Ok(()) }
}

/// Words that have another name in the new file.
#[derive(Default)]
struct Renamed<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Renamed<'a> {
    fn read(map: &'a str) -> std::result::Result<Self, String> {
        let mut words = BTreeMap::new();
        for line in map.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut pair = line.split_whitespace();
            let (Some(old), Some(new), None) = (pair.next(), pair.next(), pair.next()) else {
                return Err(format!("`{line}` in the map is not an old and a new word"));
            };
            if words.insert(old, new).is_some() {
                return Err(format!("`{old}` is in the map twice"));
            }
        }
        Ok(Self(words))
    }

    /// Returns a text with its new words, which are separated by spaces and by punctuation that no id has.
    fn apply(&self, text: &str) -> String {
        let mut renamed = String::new();
        for piece in text.split_inclusive(|char: char| !is_part_of_an_id(char)) {
            let word = piece.trim_end_matches(|char: char| !is_part_of_an_id(char));
            renamed += self.0.get(word).unwrap_or(&word);
            renamed += piece.get(word.len()..).unwrap_or_default();
        }
        renamed
    }
}

fn is_part_of_an_id(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '.' | '-' | '_')
}

/// The verdict on a case.
#[derive(PartialEq, Eq)]
struct Verdict {
    decision: String,
    rules: BTreeSet<String>,
    effects: Vec<String>,
    origin: String,
}

/// Returns the cases of a file by their digests.
fn cases(file: &str, renamed: &Renamed<'_>) -> std::result::Result<BTreeMap<String, Verdict>, String> {
    let mut cases: BTreeMap<String, Verdict> = BTreeMap::new();
    for line in file.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [digest, decision, rules, effects, origin] = columns.as_slice() else {
            return Err(format!("not a line of verdicts: `{line}`"));
        };
        let list = |text: &str, separator: &str| -> Vec<String> {
            let parts = text.split(separator).filter(|part| !part.is_empty());
            parts.map(|part| renamed.apply(part)).collect()
        };
        let said = Verdict {
            decision: (*decision).to_owned(),
            rules: list(rules, ",").into_iter().collect(),
            effects: list(effects, "; "),
            origin: (*origin).to_owned(),
        };
        cases.entry((*digest).to_owned()).or_insert(said);
    }
    if cases.is_empty() { Err("there is no case in the file".to_owned()) } else { Ok(cases) }
}

/// The differences between two files, as text, and their number.
#[derive(Default)]
struct Comparison {
    report: String,
    same: usize,
    decisions: usize,
    rules: usize,
    effects: usize,
    orders: usize,
    gone: usize,
    added: usize,
}

impl Comparison {
    fn of(old: &str, new: &str, renamed: &Renamed<'_>) -> std::result::Result<Self, String> {
        let old = cases(old, renamed)?;
        let mut new = cases(new, &Renamed::default())?;
        let mut all = Self::default();
        for (digest, before) in &old {
            match new.remove(digest) {
                Some(after) => all.case(digest, before, &after),
                None => {
                    all.gone += 1;
                    all.line(&format!("{digest} gone: {}", before.origin));
                }
            }
        }
        all.added = new.len();
        Ok(all)
    }

    fn case(&mut self, digest: &str, before: &Verdict, after: &Verdict) {
        let (mut gone, mut come) = (before.effects.clone(), after.effects.clone());
        // An effect that is on both sides is not a difference, however often it is there.
        gone.retain(|effect| match come.iter().position(|other| other == effect) {
            Some(place) => {
                come.remove(place);
                false
            }
            None => true,
        });
        let (what, count) = if before.decision != after.decision {
            ("decision", &mut self.decisions)
        } else if before.rules != after.rules {
            ("rules", &mut self.rules)
        } else if !gone.is_empty() || !come.is_empty() {
            ("effects", &mut self.effects)
        } else if before.effects != after.effects {
            ("order of effects", &mut self.orders)
        } else {
            self.same += 1;
            return;
        };
        *count += 1;
        self.line(&format!("{digest} {what}: {}", after.origin));
        if before.decision != after.decision || before.rules != after.rules {
            for (sign, said) in [('-', before), ('+', after)] {
                let rules: Vec<&str> = said.rules.iter().map(String::as_str).collect();
                self.line(&format!("  {sign} {} {}", said.decision, rules.join(",")));
            }
        }
        gone.iter().for_each(|effect| self.line(&format!("  - {effect}")));
        come.iter().for_each(|effect| self.line(&format!("  + {effect}")));
    }

    fn line(&mut self, line: &str) {
        self.report += line.trim_end();
        self.report.push('\n');
    }

    /// Returns true if a case differs. New cases are not a difference: they had no verdict before.
    const fn differs(&self) -> bool {
        self.decisions + self.rules + self.effects + self.orders + self.gone > 0
    }

    fn summary(&self) -> String {
        let Self { same, decisions, rules, effects, orders, gone, added, .. } = self;
        format!(
            "{same} the same; other decision {decisions}, other rules {rules}, other effects {effects}, other order of \
             effects {orders}, gone {gone}; new {added}"
        )
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    const OLD: &str = "1\tdeny\ta.x,b.y\tdelete / +force by rm; run\tf:1\n2\tabstain\t\t\tf:2\n";

    fn compared(new: &str, map: &str) -> (bool, String) {
        let comparison = Comparison::of(OLD, new, &Renamed::read(map).unwrap()).unwrap();
        (comparison.differs(), comparison.report)
    }

    #[test]
    fn every_change_is_a_difference_and_a_move_is_not() {
        assert_eq!(compared(OLD, ""), (false, String::new()));
        let moved = OLD.replace("f:1", "g:7");
        assert_eq!(compared(&(moved + "3\task\tc.z\t\tf:3\n"), ""), (false, String::new()));
        for (what, new) in [
            ("1 decision: f:1", OLD.replace("deny", "ask")),
            ("1 rules: f:1", OLD.replace(",b.y", "")),
            ("1 effects: f:1\n  - delete / +force by rm\n  + delete / by rm", OLD.replace(" +force", "")),
            ("1 effects: f:1\n  + run", OLD.replace("; run", "; run; run")),
            (
                "1 order of effects: f:1",
                OLD.replace("delete / +force by rm; run", "run; delete / +force by rm"),
            ),
            ("2 gone: f:2", OLD.replace("2\tabstain\t\t\tf:2\n", "")),
        ] {
            let (differs, report) = compared(&new, "");
            assert!(differs && report.starts_with(what), "{what}: {report}");
        }
    }

    #[test]
    fn renamed_words_are_not_a_difference() {
        let new = OLD.replace("b.y", "b.other").replace("+force", "+forced");
        assert_eq!(compared(&new, "b.y b.other\n# a comment\nforce forced\n"), (false, String::new()));
        assert!(compared(&new, "b.y b.other\n").0);
        assert!(compared(OLD, "b.y b.other\n").0, "the map must be true");
    }

    #[test]
    fn an_unreadable_file_is_an_error() {
        assert!(Renamed::read("one").is_err());
        assert!(Renamed::read("a b\na c").is_err());
        assert!(Comparison::of("x\n", OLD, &Renamed::default()).is_err());
        assert!(Comparison::of("", OLD, &Renamed::default()).is_err());
    }
}
