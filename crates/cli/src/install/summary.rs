//! The summary of a planned change: a line per agent, which fits a screen where the diff does not.

use super::plan::{Counts, Planned};
use crate::term::{out, style, wrap::fitted};
use std::path::{Path, PathBuf};

/// Prints a line per agent: how many hooks are added, changed or removed, and where.
pub(crate) fn show(planned: &[Planned]) {
    for of_agent in planned.chunk_by(|one, next| one.recipe.host == next.recipe.host) {
        if let Some(line) = line(of_agent) {
            fitted(&line, 2).iter().for_each(|line| out!("  {line}"));
        }
    }
}

fn line(of_agent: &[Planned]) -> Option<String> {
    let changes = || of_agent.iter().filter_map(|planned| Some((planned, planned.change()?)));
    let (first, change) = changes().next()?;
    let total = changes().map(|(planned, change)| change.counts(planned.recipe)).fold(
        Counts::default(),
        |sum, counts| Counts {
            added: sum.added + counts.added,
            changed: sum.changed + counts.changed,
            removed: sum.removed + counts.removed,
        },
    );
    let numbers = [(total.added, "added to"), (total.changed, "changed in"), (total.removed, "removed from")];
    let said: Vec<String> = numbers
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, verb)| format!("{} {verb}", hooks(*count)))
        .collect();
    // Of a file with other changes only, such as a duplicate, the diff tells more.
    let said = if said.is_empty() { "the order of hooks changed in".to_owned() } else { said.join(" and ") };
    let file = style::harmless(&place(of_agent, &first.path).to_string_lossy());
    let state = match (&change.before, &change.after) {
        (None, _) => " (new file)",
        (Some(_), None) => " (the file goes as well)",
        (Some(_), Some(_)) => "",
    };
    Some(format!("{}: {said} {file}{state}", first.recipe.labelled()))
}

/// Returns the file, or the directory if there are several.
fn place(of_agent: &[Planned], first: &Path) -> PathBuf {
    match of_agent {
        [_] => first.to_owned(),
        _ => first.parent().unwrap_or(first).to_owned(),
    }
}

fn hooks(count: usize) -> String {
    if count == 1 { "1 hook".to_owned() } else { format!("{count} hooks") }
}
