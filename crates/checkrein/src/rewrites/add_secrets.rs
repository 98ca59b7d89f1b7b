//! `git add -A` that would take files with secrets leaves them out.

use super::{
    force_push::subcommand,
    text::{Changes, Command, Scene},
};
use checkrein_core::SmallSort as _;
use checkrein_guard::{Action, NewWord, Target};
use std::path::Path;

/// The maximum number of files that are left out: a longer list is not a command that a user would read.
const MOST: usize = 12;
/// Options that do not change what is taken.
const PLAIN: &[&str] = &["-A", "--all", "-u", "--update", "-v", "--verbose", "--no-ignore-removal"];

/// Returns the command without the files; an error says why that is not possible.
pub(super) fn change(scene: &Scene<'_>) -> Result<Changes, String> {
    let mut changes = Changes::new();
    for command in scene.commands(|name| name == "git") {
        let secrets = secrets(scene, &command);
        if !secrets.is_empty()
            && let Some(change) = without(&command, &secrets)?
        {
            changes.push(change);
        }
    }
    Ok(changes)
}

/// The files with secrets that the guard found a command to take.
fn secrets(scene: &Scene<'_>, command: &Command<'_>) -> Vec<String> {
    let words: Vec<String> = command.words().iter().map(checkrein_guard::shown).collect();
    let of_this = |by: usize| scene.judgement().ran.get(by).is_some_and(|ran| ran.words == words);
    let paths = scene.judgement().effects.iter().filter_map(|effect| match (effect.action, &effect.target) {
        (Action::Publish, Target::Path(path)) if of_this(effect.by) => Some(path.path.clone()),
        _ => None,
    });
    let mut paths: Vec<String> = paths.collect();
    paths.small_sort();
    paths.dedup();
    paths
}

fn without(
    command: &Command<'_>,
    secrets: &[String],
) -> Result<Option<(checkrein_guard::CommandId, Vec<NewWord>)>, String> {
    let Some((add, _)) = subcommand(command).filter(|(_, name)| name == "add" || name == "stage") else {
        return Ok(None);
    };
    if secrets.len() > MOST {
        return Err(format!(
            "`git add` would take {} files with secrets; name the files to add",
            secrets.len()
        ));
    }
    let Some(directory) = command.directory() else { return Ok(None) };
    let mut has_all = false;
    for index in add + 1..command.words().len() {
        // A file that is named is meant; so is what is not known.
        let Some(word) = command.word(index) else { return Ok(None) };
        let is_place = Path::new(directory).join(&word).is_dir() || word == ":/";
        has_all |= matches!(word.as_str(), "-A" | "--all" | "-u" | "--update") || is_place;
        if !is_place && word != "--" && !PLAIN.contains(&word.as_str()) {
            return Ok(None);
        }
    }
    if !has_all {
        return Ok(None);
    }
    let mut left_out = Vec::new();
    for path in secrets {
        left_out.push(NewWord::New(
            excluded(directory, path).ok_or("a file with secrets is outside of the work tree")?,
        ));
    }
    let all = 0..command.words().len();
    Ok(Some(command.with(all.map(NewWord::Kept).chain(left_out))))
}

/// The pathspec that leaves a file out, seen from the directory of the command or from the top of the work tree.
fn excluded(directory: &str, path: &str) -> Option<String> {
    let top = checkrein_git::work_tree(Path::new(directory))?.top;
    let below = Path::new(path).strip_prefix(&top).ok()?.to_str()?.to_owned();
    // A name with a pattern in it would leave out more.
    (!below.is_empty()).then(|| format!(":(top,exclude,literal){below}"))
}
