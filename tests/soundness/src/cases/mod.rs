//! The commands that are run.

mod corpora;
mod forms;
mod tables;

use crate::{cell::SHELLS, launch::Case};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Returns every command, for every shell.
///
/// # Errors
///
/// If a table or a corpus cannot be read.
pub fn all() -> Result<Vec<Case>, String> {
    let mut texts = tables::texts()?;
    texts.extend(forms::texts());
    texts.extend(corpora::texts()?);
    let mut seen = BTreeSet::new();
    let texts = texts.into_iter().filter(|(_, text)| seen.insert(text.clone()));
    Ok(texts.flat_map(|(origin, text)| in_every_shell(&text, &origin)).collect())
}

/// Returns a text for every shell.
pub fn in_every_shell(text: &str, origin: &str) -> Vec<Case> {
    let case =
        |shell: &&str| Case { shell: (*shell).to_owned(), text: text.to_owned(), origin: origin.to_owned() };
    SHELLS.iter().map(case).collect()
}

/// Takes `most` of the cases, evenly from all, the same ones each time.
pub fn sample(cases: Vec<Case>, most: usize) -> Vec<Case> {
    let all = cases.len();
    if all <= most {
        return cases;
    }
    // Cases of one text are next to each other, one per shell: a step that shares no factor with their number reaches every shell.
    let chosen = |place: &usize| place * most / all != (place + 1) * most / all;
    cases.into_iter().enumerate().filter(|(place, _)| chosen(place)).map(|(_, case)| case).collect()
}

fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// Whether a program is among those that a cell has.
fn is_installed(program: &str) -> bool {
    let directories = ["/usr/bin", "/usr/sbin", "/bin", "/sbin"];
    !program.contains('/') && directories.iter().any(|directory| Path::new(directory).join(program).is_file())
}
