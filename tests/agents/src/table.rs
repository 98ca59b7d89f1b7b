//! The table of what was proved, in the README and in `docs/agents.md`.

use checkrein_live::{Ability, Proof};
use std::fmt::Write as _;

/// The lines before and after the table.
pub const MARKS: [&str; 2] = [
    "<!-- proved live: written by `cargo xtask agents --update` -->",
    "<!-- end of what was proved live -->",
];

/// Returns the findings as a table, with a row for each ability and a column for each agent.
#[must_use]
pub fn table(proofs: &[Proof]) -> String {
    let mut table = String::from("| situation |");
    for proof in proofs {
        // Writing to a string cannot fail.
        let _ = write!(table, " {} {} |", proof.agent.title(), proof.version);
    }
    table += "\n| --- |";
    table += &" --- |".repeat(proofs.len());
    table.push('\n');
    for ability in Ability::ALL {
        let _ = write!(table, "| {} |", ability.title());
        for proof in proofs {
            let finding = proof.findings.iter().find(|finding| finding.ability == ability);
            let _ =
                write!(table, " {} |", finding.map_or("does not apply", |finding| finding.words.as_str()));
        }
        table.push('\n');
    }
    table
}

/// Returns the text between the markers of a document.
#[must_use]
pub fn between(document: &str) -> Option<&str> {
    let [begin, end] = MARKS;
    let (_, rest) = document.split_once(begin)?;
    let (inside, _) = rest.split_once(end)?;
    Some(inside.trim_matches('\n'))
}

/// Returns the document with another text between its markers.
#[must_use]
pub fn replaced(document: &str, table: &str) -> Option<String> {
    let [begin, end] = MARKS;
    let (before, rest) = document.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n\n{}\n\n{end}{after}", table.trim_end()))
}
