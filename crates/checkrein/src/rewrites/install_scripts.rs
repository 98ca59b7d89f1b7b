//! `npm install` becomes `npm install --ignore-scripts`: packages are installed without running their scripts.

use super::{
    Mode, table,
    text::{Changes, Command, Scene},
};
use checkrein_guard::NewWord;
use std::path::Path;

/// The file by which a newer yarn is known, which has another option.
const NEWER_YARN: &str = ".yarnrc.yml";

pub(super) fn change(scene: &Scene<'_>, mode: Mode) -> Changes {
    // A manager that runs only few scripts by itself is not worth a suggestion.
    let is_wanted = |manager: &table::Manager| mode == Mode::Apply || !manager.careful;
    scene.commands(|name| table::manager_of(name).is_some_and(is_wanted)).iter().filter_map(changed).collect()
}

fn changed(command: &Command<'_>) -> Option<(checkrein_guard::CommandId, Vec<NewWord>)> {
    let manager = table::manager_of(&command.name())?;
    let option = option(manager, command)?;
    let words = command.words();
    let place = match table::subcommand(manager, command)? {
        Some(index) if manager.installs.contains(&command.word(index)?) => index,
        // `yarn` alone installs; with options it may do something else.
        None if manager.installs_alone && words.len() == 1 => 0,
        Some(_) | None => return None,
    };
    // An option of the author about scripts stays; an unknown word may be such an option.
    let mut options = words.iter().skip(1).map(|word| word.constant());
    let says = |word: Option<std::borrow::Cow<'_, str>>| {
        word.is_none_or(|word| {
            word.contains("ignore-scripts") || word.contains("skip-build") || word == "--scripts"
        })
    };
    if options.any(says) {
        return None;
    }
    let (before, after) = (0..=place, place + 1..words.len());
    let option = option.split(' ').map(|word| NewWord::New(word.to_owned()));
    let alone = (place == 0).then(|| NewWord::New("install".to_owned()));
    Some(command.with(before.map(NewWord::Kept).chain(alone).chain(option).chain(after.map(NewWord::Kept))))
}

fn option(manager: &table::Manager, command: &Command<'_>) -> Option<String> {
    let newer = || {
        let directory = Path::new(command.directory()?);
        directory.ancestors().any(|above| above.join(NEWER_YARN).is_file()).then_some(())
    };
    match manager.without_scripts_newer.is_empty() {
        false if command.directory().is_none() => None,
        false if newer().is_some() => Some(manager.without_scripts_newer.clone()),
        _ => Some(manager.without_scripts.clone()),
    }
}
