//! Plans the change of one file, before the user is asked.

use super::{
    agents::{Agent, Scope},
    record::{Record, digest},
    write,
};
use anyhow::Context;
use checkrein_hosts::install::{Entry, Kind, Recipe, Wanted, entries, install, uninstall};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A file of an agent, and its planned change.
pub(crate) struct Planned {
    pub(crate) recipe: &'static Recipe,
    /// The path as the agent knows it.
    pub(crate) path: PathBuf,
    /// The change, nothing to do, or why it is not possible.
    pub(crate) outcome: Result<Option<Change>, String>,
    /// Lines with a user's own entries that also run checkrein.
    pub(crate) handmade: Vec<usize>,
    /// True if only its permissions are in the way of a change.
    pub(crate) is_read_only: bool,
}

impl Planned {
    pub(crate) fn change(&self) -> Option<&Change> {
        self.outcome.as_ref().ok()?.as_ref()
    }

    /// Returns true if nothing is taken away.
    pub(crate) fn only_adds(&self) -> bool {
        self.change().is_none_or(|change| change.only_adds(self.recipe))
    }
}

/// The numbers of our entries that a change adds, changes and removes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) added: usize,
    pub(crate) changed: usize,
    pub(crate) removed: usize,
}

/// A change to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The file itself, with all links resolved.
    target: PathBuf,
    /// The current content; `None` if there is no file.
    pub(crate) before: Option<String>,
    /// The new content.
    pub(crate) after: Option<String>,
    /// The new record; `None` removes it.
    record: Option<Record>,
    /// A directory that was created for the file, and is removed with it if it is empty.
    directory: Option<PathBuf>,
    /// The permissions of a new file.
    mode: u32,
}

/// Plans to add our entries to the files of `agent`.
pub(crate) fn to_install(agent: &Agent, scope: Scope, wanted: &[Wanted], state: &Path) -> Vec<Planned> {
    let Some(place) = agent.place(scope) else { return Vec::new() };
    let by_file = wanted.chunk_by(|one, next| one.file == next.file);
    let one = |wanted: &[Wanted]| {
        let path = place.join(&wanted.first()?.file);
        Some(planned(agent, path, |target, text| install_into(agent.recipe, target, text, wanted, state)))
    };
    by_file.filter_map(one).collect()
}

/// Plans to remove our entries from the files of `agent`.
pub(crate) fn to_uninstall(agent: &Agent, scope: Scope, state: &Path) -> Vec<Planned> {
    let Some(place) = agent.place(scope) else { return Vec::new() };
    let files = agent.recipe.files();
    let is_only_one = files.len() == 1;
    // With many files, missing ones are not worth a line.
    let paths = files.iter().map(|file| place.join(file)).filter(|path| is_only_one || path.exists());
    let one = |path| planned(agent, path, |target, text| uninstall_from(agent.recipe, target, text, state));
    paths.map(one).collect()
}

fn planned(
    agent: &Agent,
    path: PathBuf,
    change: impl FnOnce(PathBuf, Option<String>) -> anyhow::Result<Option<Change>>,
) -> Planned {
    let recipe = agent.recipe;
    let (handmade, outcome) = read(&path).map_or_else(
        |problem| (Vec::new(), Err(problem)),
        |(target, text)| (handmade(recipe, text.as_deref()), change(target, text)),
    );
    let mut outcome = outcome.map_err(|error| format!("{error:#}"));
    let is_read_only = matches!(&outcome, Ok(Some(change)) if write::is_read_only(&change.target));
    if is_read_only {
        outcome = Err("it is read-only, which usually means that another tool writes it".to_owned());
    }
    Planned { recipe, path, outcome, handmade, is_read_only }
}

fn read(path: &Path) -> anyhow::Result<(PathBuf, Option<String>)> {
    let target = write::target(path)?;
    let text = write::read(&target)?;
    Ok((target, text))
}

fn handmade(recipe: &Recipe, text: Option<&str>) -> Vec<usize> {
    let found = entries(text.unwrap_or_default(), recipe).unwrap_or_default();
    found.iter().filter(|entry| entry.command.is_handmade).map(|entry| entry.line).collect()
}

fn install_into(
    recipe: &Recipe,
    target: PathBuf,
    text: Option<String>,
    wanted: &[Wanted],
    state: &Path,
) -> anyhow::Result<Option<Change>> {
    let known = Record::load(state, &target);
    let installed = install(text.as_deref().unwrap_or_default(), recipe, wanted)?;
    if text.as_deref() == Some(installed.text.as_str()) {
        return Ok(None);
    }
    let record = match (known, &text) {
        // The file is unchanged since the last installation, so the first backup is kept.
        (Some(known), Some(text)) if known.after == digest(text) => {
            let mut made = known.made;
            made.extend(installed.made);
            Record { made, after: digest(&installed.text), ..known }
        }
        // A file that is ours as a whole has nothing to keep.
        (known, Some(_)) if recipe.layout.kind.is_whole() => Record {
            before: None,
            after: digest(&installed.text),
            made: Vec::new(),
            made_directory: known.is_some_and(|known| known.made_directory),
        },
        (known, Some(text)) => {
            let before = uninstall(text, recipe, known.as_ref().map(|known| known.made.as_slice()))?;
            let made_directory = known.as_ref().is_some_and(|known| known.made_directory);
            let made = known.map(|known| known.made).into_iter().flatten().chain(installed.made).collect();
            Record { before: Some(before), after: digest(&installed.text), made, made_directory }
        }
        (_, None) => {
            let made_directory = target.parent().is_some_and(|directory| !directory.exists());
            Record { before: None, after: digest(&installed.text), made: installed.made, made_directory }
        }
    };
    Ok(Some(Change {
        target,
        before: text,
        after: Some(installed.text),
        record: Some(record),
        directory: None,
        mode: mode(recipe),
    }))
}

/// Returns the permissions of a new file.
fn mode(recipe: &Recipe) -> u32 {
    match recipe.layout.kind {
        Kind::Scripts => 0o755,
        Kind::Entries | Kind::Tables | Kind::Yaml | Kind::Bridge(_) => 0o644,
    }
}

fn uninstall_from(
    recipe: &Recipe,
    target: PathBuf,
    text: Option<String>,
    state: &Path,
) -> anyhow::Result<Option<Change>> {
    let Some(text) = text else { return Ok(None) };
    let known = Record::load(state, &target);
    let made_directory = known.as_ref().is_some_and(|known| known.made_directory);
    let after = match known {
        Some(known) if known.after == digest(&text) => known.before,
        known => {
            let made = known.as_ref().map(|known| known.made.as_slice());
            let shorter = uninstall(&text, recipe, made)?;
            if shorter == text {
                return Ok(None);
            }
            let is_whole = recipe.layout.kind.is_whole();
            let nothing = shorter.trim().is_empty()
                || recipe
                    .layout
                    .parse(&shorter)
                    .is_ok_and(|root| root.members().is_some_and(<[_]>::is_empty));
            let was_ours = known.is_some_and(|known| known.before.is_none());
            Some(shorter).filter(|_| !(is_whole || nothing && was_ours))
        }
    };
    let directory = target.parent().filter(|_| made_directory && after.is_none()).map(Path::to_owned);
    Ok(Some(Change { target, before: Some(text), after, record: None, directory, mode: mode(recipe) }))
}

impl Change {
    /// Returns true if it removes nothing: every entry that runs us stays as it was, and the new ones run
    /// the same program.
    fn only_adds(&self, recipe: &Recipe) -> bool {
        let found =
            |text: &Option<String>| entries(text.as_deref().unwrap_or_default(), recipe).unwrap_or_default();
        let (before, mut added) = (found(&self.before), found(&self.after));
        for old in &before {
            let same = |new: &Entry| {
                (&new.key, &new.matcher, &new.handler) == (&old.key, &old.matcher, &old.handler)
            };
            match added.iter().position(same) {
                Some(place) => drop(added.remove(place)),
                None => return false,
            }
        }
        let known = |new: &Entry| before.iter().any(|old| old.command.program == new.command.program);
        before.is_empty() || added.iter().all(known)
    }

    /// Returns how many of our entries are new in the file, are written anew, and go.
    pub(crate) fn counts(&self, recipe: &Recipe) -> Counts {
        let found =
            |text: &Option<String>| entries(text.as_deref().unwrap_or_default(), recipe).unwrap_or_default();
        let (before, after) = (found(&self.before), found(&self.after));
        let ours = |all: &[Entry]| all.iter().filter(|entry| !entry.command.is_handmade).count();
        let kept =
            |new: &&Entry| before.iter().any(|old| (&old.key, &old.handler) == (&new.key, &new.handler));
        let (old, new) = (ours(&before), ours(&after));
        let same = after.iter().filter(|entry| !entry.command.is_handmade).filter(kept).count();
        Counts {
            added: new.saturating_sub(old),
            changed: new.min(old).saturating_sub(same),
            removed: old.saturating_sub(new),
        }
    }

    /// Returns the path of the file for display.
    pub(crate) fn shown_path(&self) -> String {
        self.target.to_string_lossy().into_owned()
    }

    /// Writes the change. The lock must be held. Returns the path of the backup, if there is one.
    pub(crate) fn write(&self, state: &Path) -> anyhow::Result<Option<PathBuf>> {
        let say = || format!("`{}`", self.target.display());
        if let Some(directory) = self.target.parent().filter(|_| self.after.is_some()) {
            fs::create_dir_all(directory)
                .with_context(|| format!("cannot create the directory `{}`", directory.display()))?;
        }
        let backup = match &self.record {
            Some(record) => Some(record.save(state, &self.target)?),
            None => None,
        };
        write::replace(&self.target, self.before.as_deref(), self.after.as_deref(), self.mode)
            .with_context(say)?;
        if self.record.is_none() {
            Record::forget(state, &self.target);
        }
        if let Some(directory) = &self.directory {
            // The directory stays if it has other files.
            let _ = fs::remove_dir(directory);
        }
        Ok(backup)
    }
}
