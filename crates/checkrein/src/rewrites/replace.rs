//! One program in place of another, with its arguments in the other's words.
//!
//! Nothing is guessed: if a word has no counterpart, nothing is replaced, and the reason is given.

use super::{
    settings::Replace,
    table::{self, Mapping, Opt, Said},
    text::{Changes, Command, Scene},
};
use checkrein_guard::NewWord;
use std::path::{Path, PathBuf};

/// The reason why a command is replaced.
pub(super) enum By<'a> {
    /// The file that says which manager the project uses.
    Lock,
    /// A rule of the user.
    Rule(&'a Replace),
}

/// Returns what becomes of the commands of a text; an error says what has no counterpart.
pub(super) fn change(scene: &Scene<'_>, by: &By<'_>) -> Result<Changes, String> {
    let mut changes = Changes::new();
    let is_wanted = |name: &str| match by {
        By::Lock => table::has_mapping(name),
        By::Rule(replace) => replace.program.split(' ').next() == Some(name),
    };
    for command in scene.commands(is_wanted) {
        let Some((mapping, length)) = mapping(&command, by, scene.place.project.as_deref()) else { continue };
        // A program that is written with its path is meant.
        if command.word(0).is_some_and(|word| word.contains('/')) {
            continue;
        }
        let words = mapped(&command, &mapping, length)?;
        changes.push(command.with(words));
    }
    Ok(changes)
}

/// Returns the mapping for a command, and the number of words that are the program.
fn mapping(command: &Command<'_>, by: &By<'_>, project: Option<&str>) -> Option<(Mapping, usize)> {
    let length = |from: &str| {
        let words: Vec<&str> = from.split(' ').collect();
        let is_same = |(at, word): (usize, &&str)| command.word(at).as_deref() == Some(*word);
        words.iter().enumerate().all(is_same).then_some(words.len())
    };
    let known = |to: &str| {
        table::mappings().iter().filter(move |mapping| mapping.to == to).find_map(|mapping| {
            let length = mapping.from.iter().find_map(|from| length(from))?;
            Some((mapping.clone(), length))
        })
    };
    match by {
        By::Lock => {
            let directory = Path::new(command.directory()?);
            let managers = managers(directory, project.map(Path::new));
            managers.iter().find_map(|manager| known(manager).or_else(|| alias(manager, &known)))
        }
        By::Rule(replace) => {
            let length = length(&replace.program)?;
            if !replace.file.is_empty() {
                let top = top(command.directory(), project)?;
                top.join(&replace.file).symlink_metadata().ok()?;
            }
            if replace.options.is_empty() {
                return known(&replace.with).map(|(mapping, _)| (mapping, length));
            }
            let options = replace.options.iter().filter_map(|option| Opt::read(option)).collect();
            let any = Said { from: vec![String::new()], options, ..Said::default() };
            let from = vec![replace.program.clone()];
            Some((Mapping { from, to: replace.with.clone(), commands: vec![any] }, length))
        }
    }
}

/// A manager with a second program for packages that are run once.
fn alias(manager: &str, known: &dyn Fn(&str) -> Option<(Mapping, usize)>) -> Option<(Mapping, usize)> {
    (manager == "bun").then(|| known("bunx")).flatten()
}

/// The top of the project of a command.
fn top(directory: Option<&str>, project: Option<&str>) -> Option<PathBuf> {
    let directory = Path::new(directory?);
    match project.map(Path::new) {
        Some(project) if directory.starts_with(project) => Some(project.to_owned()),
        _ => checkrein_git::work_tree(directory).map(|tree| tree.top).or_else(|| Some(directory.to_owned())),
    }
}

/// The managers that the files next to a command name, one for each family: those of the nearest directory that has any. Two for
/// one family decide nothing.
fn managers(directory: &Path, project: Option<&Path>) -> Vec<String> {
    let top = top(directory.to_str(), project.and_then(Path::to_str));
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for above in directory.ancestors() {
        let here =
            table::locks().iter().filter(|lock| lock.files.iter().any(|file| above.join(file).is_file()));
        let mut families: Vec<(String, Vec<String>)> = Vec::new();
        for lock in here {
            match families.iter_mut().find(|(family, _)| *family == lock.family) {
                Some((_, managers)) => managers.push(lock.manager.clone()),
                None => families.push((lock.family.clone(), vec![lock.manager.clone()])),
            }
        }
        families.retain(|(family, _)| !found.iter().any(|(known, _)| known == family));
        found.extend(families);
        if top.as_deref() == Some(above) {
            break;
        }
    }
    found.into_iter().filter(|(_, managers)| managers.len() == 1).flat_map(|(_, managers)| managers).collect()
}

/// Returns the words of a command in another program; an error says what has no counterpart.
fn mapped(command: &Command<'_>, mapping: &Mapping, length: usize) -> Result<Vec<NewWord>, String> {
    let to = &mapping.to;
    let known = |index: usize| {
        command.word(index).ok_or_else(|| "a part of the command is not known before it runs".to_owned())
    };
    let (said, place) = said(command, mapping, length)?;
    let none = |what: &str| format!("`{what}` has no counterpart in `{to}`");
    let (mut options, mut operands, mut index) = (Vec::new(), Vec::new(), length);
    let mut only_operands = false;
    while index < command.words().len() {
        if Some(index) == place {
            index += 1;
            continue;
        }
        let is_behind = said.rest && (!operands.is_empty() || said.operands.is_none() && only_operands);
        if is_behind {
            operands.push(NewWord::Kept(index));
            index += 1;
            continue;
        }
        // A word that begins with a known letter is an operand, whatever follows.
        let lead = command.words().get(index).map(|word| word.lead().to_owned()).unwrap_or_default();
        let word = if lead.is_empty() || lead.starts_with('-') { known(index)? } else { lead };
        if word == "--" && !only_operands {
            only_operands = true;
            if !said.rest {
                operands.push(NewWord::Kept(index));
            }
        } else if word.starts_with('-') && word.len() > 1 && !only_operands {
            index += option(&word, index, said, &mut options).ok_or_else(|| none(&word))?;
        } else {
            operands.push(NewWord::Kept(index));
        }
        index += 1;
    }
    let operands = without_dashes(operands, said, command);
    let is_alone = operands.is_empty();
    match said.operands.as_deref() {
        Some("none") if !is_alone => return Err(none(&shown(command, length, place))),
        Some("some") if is_alone => return Err(none(&shown(command, length, place))),
        _ => {}
    }
    let with = said.alone.as_ref().filter(|_| is_alone).unwrap_or(&said.with);
    let new = |words: &str| {
        words
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(|word| NewWord::New(word.to_owned()))
            .collect::<Vec<_>>()
    };
    Ok([new(to), new(with), options, operands].concat())
}

/// The dashes between a script and its arguments are for npm alone.
fn without_dashes(mut operands: Vec<NewWord>, said: &Said, command: &Command<'_>) -> Vec<NewWord> {
    let is_dashes = |word: &NewWord| matches!(word, NewWord::Kept(index) if command.word(*index).as_deref() == Some("--"));
    if said.rest
        && let Some(first) = operands.iter().position(is_dashes).filter(|first| *first <= 1)
    {
        operands.remove(first);
    }
    operands
}

/// Finds the row of a command, and the index of its name.
fn said<'m>(
    command: &Command<'_>,
    mapping: &'m Mapping,
    length: usize,
) -> Result<(&'m Said, Option<usize>), String> {
    let of = |name: &str| mapping.commands.iter().find(|said| said.from.iter().any(|from| from == name));
    let has_names = mapping.commands.iter().any(|said| said.from.iter().any(|from| !from.is_empty()));
    let none = |name: &str| {
        format!("`{} {name}` has no counterpart in `{}`", shown_program(command, length), mapping.to)
    };
    if !has_names {
        return of("").map(|said| (said, None)).ok_or_else(|| none(""));
    }
    let values = mapping.commands.iter().flat_map(|said| &said.options).filter(|option| option.has_value);
    let values: Vec<&String> = values.flat_map(|option| &option.names).collect();
    let mut index = length;
    while index < command.words().len() {
        let word = command.word(index).ok_or("a part of the command is not known before it runs")?;
        if values.contains(&&word) {
            index += 2;
        } else if word.starts_with('-') {
            index += 1;
        } else {
            return of(&word).map(|said| (said, Some(index))).ok_or_else(|| none(&word));
        }
    }
    of("").map(|said| (said, None)).ok_or_else(|| none(""))
}

/// Adds what an option becomes. Returns how many more words belong to it; `None` if it has no counterpart.
fn option(word: &str, index: usize, said: &Said, options: &mut Vec<NewWord>) -> Option<usize> {
    let find = |name: &str| said.options.iter().find(|option| option.names.iter().any(|known| known == name));
    if let Some(option) = find(word) {
        match option.becomes.as_deref() {
            None => options.push(NewWord::Kept(index)),
            Some("") => {}
            Some(other) => options.push(NewWord::New(other.to_owned())),
        }
        let is_left_out = option.becomes.as_deref() == Some("");
        if option.has_value && !is_left_out {
            options.push(NewWord::Kept(index + 1));
        }
        return Some(usize::from(option.has_value));
    }
    let (name, value) = word.split_once('=')?;
    let option = find(name).filter(|option| option.has_value)?;
    match option.becomes.as_deref() {
        None => options.push(NewWord::Kept(index)),
        Some("") => {}
        Some(other) => options.push(NewWord::New(format!("{other}={value}"))),
    }
    Some(0)
}

fn shown_program(command: &Command<'_>, length: usize) -> String {
    (0..length).filter_map(|index| command.word(index)).collect::<Vec<_>>().join(" ")
}

fn shown(command: &Command<'_>, length: usize, place: Option<usize>) -> String {
    let name = place.and_then(|place| command.word(place)).map(|name| format!(" {name}"));
    format!("{}{}", shown_program(command, length), name.unwrap_or_default())
}
