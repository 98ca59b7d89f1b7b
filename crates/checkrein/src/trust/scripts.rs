//! Which files a command names.
//!
//! A word that is a path to a file beside the configuration is one that a person would want to see before they trust
//! the command: the script itself, and what is handed to an interpreter. A word that only the shell can understand
//! (quotes, variables, patterns) is not followed; the person is shown the command as it is.

use checkrein_exec::Program;
use std::path::{Path, PathBuf};

/// A file that a command names, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// As it is written, without the option in front of it (`--file=`).
    pub(crate) word: String,
    /// Where it is.
    pub(crate) path: PathBuf,
    place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    /// A word of the list, from this byte on.
    Word(usize, usize),
    /// These bytes of the text.
    Text(usize, usize),
}

/// The files that `program` names, in the order in which they stand.
pub(crate) fn named(program: &Program, folder: &Path) -> Vec<Named> {
    match program {
        Program::List(words) => {
            let words = words.iter().enumerate();
            words.filter_map(|(index, word)| file(word, folder, |start| Place::Word(index, start))).collect()
        }
        Program::Shell(text) => plain_words(text)
            .filter_map(|(start, word)| {
                file(word, folder, |skipped| Place::Text(start + skipped, start + word.len()))
            })
            .collect(),
    }
}

/// `program` with each of `named` replaced by another absolute path.
pub(crate) fn replaced(program: &Program, named: &[(Named, PathBuf)]) -> Program {
    let mut program = program.clone();
    // From the end, so that what stands before keeps its place.
    for (named, copy) in named.iter().rev() {
        let copy = copy.to_string_lossy();
        match (&mut program, &named.place) {
            (Program::List(words), Place::Word(index, start)) => {
                if let Some(word) = words.get_mut(*index) {
                    word.truncate(*start);
                    word.push_str(&copy);
                }
            }
            (Program::Shell(text), Place::Text(start, end)) => {
                text.replace_range(start..end, &format!("'{}'", copy.replace('\'', r"'\''")));
            }
            (Program::List(_), Place::Text(..)) | (Program::Shell(_), Place::Word(..)) => {}
        }
    }
    program
}

/// Places whose files belong to the machine and not to a project.
const SYSTEM: &[&str] =
    &["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/nix", "/snap", "/etc", "/dev", "/proc"];

fn file(word: &str, folder: &Path, place: impl Fn(usize) -> Place) -> Option<Named> {
    // `--config=hooks/rules.json` names a file too.
    let start = if word.starts_with('-') { word.find('=').map_or(0, |at| at + 1) } else { 0 };
    let written = word.get(start..).filter(|written| !written.is_empty())?;
    let path = folder.join(written);
    if SYSTEM.iter().any(|system| path.starts_with(system)) || !path.is_file() {
        return None;
    }
    Some(Named { word: written.to_owned(), path, place: place(start) })
}

/// The words of a shell text that mean themselves, with the byte at which each begins.
fn plain_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let ends = |c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | '<' | '>' | '(' | ')');
    let mut rest = 0;
    std::iter::from_fn(move || {
        loop {
            let ahead = text.get(rest..)?;
            let start = rest + ahead.find(|c| !ends(c))?;
            let word = text.get(start..)?;
            let word = word.get(..word.find(ends).unwrap_or(word.len()))?;
            rest = start + word.len();
            let means_itself = |c: char| {
                !matches!(c, '\'' | '"' | '\\' | '$' | '`' | '*' | '?' | '[' | '{' | '~' | '#' | '!')
            };
            if word.chars().all(means_itself) {
                return Some((start, word));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn words_that_are_files_are_found_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("hooks")).unwrap();
        for name in ["hooks/a.sh", "hooks/b.py", "rules.json"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let list = |words: &[&str]| Program::List(words.iter().map(|word| (*word).to_owned()).collect());
        let shell = |text: &str| Program::Shell(text.to_owned());
        for (program, expected) in [
            (list(&["hooks/a.sh", "x"]), list(&["/copy", "x"])),
            (
                list(&["python3", "hooks/b.py", "--rules=rules.json"]),
                list(&["python3", "/copy", "--rules=/copy"]),
            ),
            (list(&["/bin/sh", "hooks"]), list(&["/bin/sh", "hooks"])),
            (shell("./hooks/a.sh --x"), shell("'/copy' --x")),
            (shell("cat | python3 hooks/b.py>out;./hooks/a.sh"), shell("cat | python3 '/copy'>out;'/copy'")),
            (
                shell("echo 'hooks/a.sh' $X/a.sh \"rules.json\""),
                shell("echo 'hooks/a.sh' $X/a.sh \"rules.json\""),
            ),
        ] {
            let copies: Vec<(Named, PathBuf)> =
                named(&program, folder.path()).into_iter().map(|named| (named, "/copy".into())).collect();
            assert_eq!(replaced(&program, &copies), expected);
        }
    }
}
