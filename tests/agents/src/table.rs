//! The table of what was proved, in the README and in `docs/agents.md`.

use checkrein_live::{Ability, Proved};
use std::fmt::Write as _;

/// The lines before and after the table.
pub const MARKS: [&str; 2] = [
    "<!-- proved live: written by `cargo xtask agents --update` -->",
    "<!-- end of what was proved live -->",
];

/// The pages with tables, and the number of agents in them, from the first of all on.
pub const PAGES: [(&str, usize); 2] = [("README.md", 2), ("docs/agents.md", usize::MAX)];

/// The number of agents in one table, so that it can be read.
const COLUMNS: usize = 5;

/// Returns the findings as tables, with a row for each situation and a column for each agent.
#[must_use]
pub fn tables(proved: &[Proved]) -> String {
    proved.chunks(COLUMNS).map(table).collect::<Vec<_>>().join("\n")
}

fn table(proved: &[Proved]) -> String {
    let mut table = String::from("| situation |");
    for agent in proved {
        let title =
            checkrein_hosts::install::Recipe::of(&agent.host).map_or("unknown", |recipe| recipe.title);
        // Writing to a string cannot fail.
        let _ = write!(table, " {title} {} |", agent.version);
    }
    table += "\n| --- |";
    table += &" --- |".repeat(proved.len());
    table.push('\n');
    for ability in Ability::ALL {
        let found: Vec<_> = proved.iter().map(|agent| agent.finding(ability)).collect();
        if found.iter().all(Option::is_none) {
            continue;
        }
        let _ = write!(table, "| {} |", ability.title());
        for finding in found {
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
