//! `data/tools.toml` and `data/arguments.toml`: by which words tools and their arguments are recognized.

use super::{
    constant,
    document::{Problem, Result, Section, Text, plain},
    words::member,
};
use crate::{
    notation::Meaning,
    vocabulary::{Action, Domain},
};
use std::collections::BTreeSet;

/// The lists of words.
const LISTS: [&str; 20] = [
    "shells",
    "consoles",
    "runners",
    "pages",
    "files",
    "filling",
    "fills",
    "opens",
    "searching",
    "telling",
    "taking",
    "small",
    "large",
    "programs",
    "foreign",
    "enters",
    "prose",
    "any_language",
    "elsewhere",
    "sandbox",
];

/// Returns the source of the tables about tools.
pub(super) fn table(file: &Section) -> Result<String> {
    file.only(&[LISTS.as_slice(), &["languages", "server", "client", "action"]].concat())?;
    let mut code = String::new();
    for key in LISTS {
        let list = file.strings(key)?;
        if list.is_empty() {
            return Err(file.place.problem(format_args!("`{key}` is missing")));
        }
        code.push_str(&constant(&format!("tool_{key}"), "&[&str]", &list_of(&list, &mut BTreeSet::new())?));
    }
    let languages = file.section("languages")?;
    let languages = languages
        .entries()
        .map(|(word, language)| Ok(format!("({:?}, {:?}), ", word.text, language.string()?.text)));
    let languages = languages.collect::<Result<String>>()?;
    code.push_str(&constant("tool_languages", "&[(&str, &str)]", &format!("&[{languages}]")));
    let mut known = BTreeSet::new();
    let servers = rows(file, "server", &["domain", "words"], |row| {
        let words = list_of(&row.strings("words")?, &mut known)?;
        Ok(format!("({}, {words}), ", member::<Domain>(row.need("domain")?)?))
    })?;
    code.push_str(&constant("tool_servers", "&[(Domain, &[&str])]", &servers));
    let mut known = BTreeSet::new();
    let clients = rows(file, "client", &["words", "command"], |row| {
        let command = row.strings("command")?;
        if !["{database}", "{statement}"].iter().all(|part| command.iter().any(|word| word.text == *part)) {
            return Err(row.place.problem("`command` needs `{database}` and `{statement}`"));
        }
        Ok(format!("({}, &{:?}), ", list_of(&row.strings("words")?, &mut known)?, plain(&command)))
    })?;
    code.push_str(&constant("tool_clients", "&[(&[&str], &[&str])]", &clients));
    let mut known = BTreeSet::new();
    let actions = rows(file, "action", &["action", "words"], |row| {
        let words = list_of(&row.strings("words")?, &mut known)?;
        Ok(format!("({}, {words}), ", member::<Action>(row.need("action")?)?))
    })?;
    code.push_str(&constant("tool_actions", "&[(Action, &[&str])]", &actions));
    Ok(code)
}

/// Returns the source of the tables about arguments.
pub(super) fn arguments(file: &Section) -> Result<String> {
    let (mut names, mut about, mut known) = (String::new(), "&[]".to_owned(), BTreeSet::new());
    for (key, list) in file.entries() {
        let list = list.strings()?;
        if key.text == "about" {
            about = list_of(&list, &mut BTreeSet::new())?;
            continue;
        }
        let meaning = member::<Meaning>(key)?;
        if let Some(name) =
            list.iter().find(|name| !name.text.chars().all(|char| matches!(char, 'a'..='z' | '0'..='9')))
        {
            return Err(
                name.problem(format_args!("write `{}` in small letters, without separators", name.text))
            );
        }
        names.push_str(&format!("({meaning}, {}), ", list_of(&list, &mut known)?));
    }
    Ok([
        constant("argument_names", "&[(Meaning, &[&str])]", &format!("&[{names}]")),
        constant("argument_about", "&[&str]", &about),
    ]
    .concat())
}

fn rows(
    file: &Section,
    key: &str,
    keys: &[&str],
    mut row: impl FnMut(&Section) -> Result<String>,
) -> Result<String> {
    let mut rows = String::new();
    for section in file.sections(key)? {
        section.only(keys)?;
        rows.push_str(&row(&section)?);
    }
    Ok(format!("&[{rows}]"))
}

/// Returns the source of a list, and fails if a word is known already: the second place of a word would have no effect.
fn list_of(words: &[Text], known: &mut BTreeSet<&'static str>) -> Result<String> {
    match words.iter().find(|word| !known.insert(word.text)) {
        Some(word) => Err(twice(*word)),
        None => Ok(format!("&{:?}", plain(words))),
    }
}

fn twice(word: Text) -> Problem {
    word.problem(format_args!("`{}` is already in the table", word.text))
}
