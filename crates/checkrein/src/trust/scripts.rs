//! Finds the files that a command names.
//!
//! A word that is a path to a file next to the configuration is one that a user would want to see before they trust
//! the command: the script itself, and what is handed to an interpreter. Quotes, and the two variables that mean the
//! project's directory, are understood. Such words are replaced by the copies that were trusted; what cannot be found in
//! this way is the subject of `coverage`.

use checkrein_exec::Program;
use std::{
    ops::Range,
    path::{Path, PathBuf},
};

/// A path that a command names, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The option in front of it (`--file=`), if there is one.
    option: String,
    /// As it is written after that.
    pub(crate) word: String,
    /// Its path.
    pub(crate) path: PathBuf,
    /// The kind of its entry.
    pub(crate) kind: PathKind,
    place: WordPosition,
}

/// The kind of the entry at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathKind {
    /// A file that is copied.
    File,
    /// A directory; the files in it that the configuration lists are copied.
    Directory,
    /// Nothing.
    Absent,
}

/// The position of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WordPosition {
    /// This word of the list.
    Word(usize),
    /// These bytes of the text.
    Text(Range<usize>),
}

impl Named {
    /// `value`, an option in front of it included, which means `path`.
    pub(super) fn new(value: &str, path: PathBuf, kind: PathKind, place: WordPosition) -> Self {
        let (option, word) = after_option(value);
        Self { option: option.to_owned(), word: word.to_owned(), path, kind, place }
    }

    /// Returns true if it is at this position.
    pub(super) fn is_at(&self, place: &WordPosition) -> bool {
        self.place == *place
    }

    /// Its place among others of the same command.
    pub(super) fn order(&self) -> usize {
        match &self.place {
            WordPosition::Word(index) => *index,
            WordPosition::Text(range) => range.start,
        }
    }
}

/// Returns the files that `program` names, in order, except for words that overlap one of `written`, which are only
/// written to.
pub(super) fn named(program: &Program, directory: &Path, written: &[Range<usize>]) -> Vec<Named> {
    match program {
        Program::List(words) => {
            // A bare first word is a program of the machine, whatever is next to the configuration.
            let words = words.iter().enumerate().filter(|(index, word)| *index > 0 || word.contains('/'));
            words.filter_map(|(index, word)| file(word, directory, WordPosition::Word(index))).collect()
        }
        Program::Shell(text) => words(text, directory)
            .into_iter()
            .filter(|word| !word.is_command || word.value.as_deref().is_some_and(|value| value.contains('/')))
            .filter(|word| {
                !written.iter().any(|other| other.start < word.place.end && word.place.start < other.end)
            })
            .filter_map(|word| file(word.value.as_deref()?, directory, WordPosition::Text(word.place)))
            .collect(),
        // What it imports has no place in a text.
        Program::Callable(_) => Vec::new(),
    }
}

/// The words of a shell text that can be replaced: where they are, and what the shell makes of them.
pub(super) fn tokens(text: &str, directory: &Path) -> Vec<(Range<usize>, Option<String>)> {
    words(text, directory).into_iter().map(|word| (word.place, word.value)).collect()
}

/// `program` with each of `named` replaced by another absolute path.
pub(crate) fn replaced(program: &Program, named: &[(Named, PathBuf)]) -> Program {
    let mut program = program.clone();
    // From the end, so that the positions before stay valid.
    for (named, copy) in named.iter().rev() {
        let word = format!("{}{}", named.option, copy.to_string_lossy());
        match (&mut program, &named.place) {
            (Program::List(words), WordPosition::Word(index)) => {
                if let Some(place) = words.get_mut(*index) {
                    *place = word;
                }
            }
            (Program::Shell(text), WordPosition::Text(place)) => {
                text.replace_range(place.clone(), &format!("'{}'", word.replace('\'', r"'\''")));
            }
            (Program::List(_), WordPosition::Text(_))
            | (Program::Shell(_), WordPosition::Word(_))
            | (Program::Callable(_), WordPosition::Text(_) | WordPosition::Word(_)) => {}
        }
    }
    program
}

/// Places whose files belong to the machine and not to a project. Not among them: `/proc`, whose `self/cwd` is wherever
/// the agent is, and `/dev`, whose `fd` is the same.
const SYSTEM: &[&str] = &["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/nix", "/snap", "/etc"];

/// Returns true if `path`, which is written as `word`, belongs to the machine. A project may be in such a directory
/// too, and a path may lead out of it again, so only its end counts.
pub(super) fn is_of_the_system(word: &str, path: &Path, directory: &Path) -> bool {
    word.starts_with('/')
        && SYSTEM.iter().any(|system| real(path).starts_with(system))
        && !is_of_the_project(path, directory)
}

/// Returns true if `path` belongs to the project whose configuration is in `directory`.
pub(crate) fn is_of_the_project(path: &Path, directory: &Path) -> bool {
    let root = directory.ancestors().find(|ancestor| ancestor.join(".git").exists()).unwrap_or(directory);
    let path = real(path);
    path.starts_with(real(directory)) || path.starts_with(real(root))
}

/// Returns the path with links resolved, or the path itself if nothing is there.
pub(crate) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// An option with its `=`, and what comes after it: `--config=hooks/rules.json` names a file too.
pub(super) fn after_option(word: &str) -> (&str, &str) {
    let start = if word.starts_with('-') { word.find('=').map_or(0, |at| at + 1) } else { 0 };
    word.split_at_checked(start).unwrap_or(("", word))
}

fn file(word: &str, directory: &Path, place: WordPosition) -> Option<Named> {
    let (_, written) = after_option(word);
    let path = directory.join(written);
    if written.is_empty() || !path.is_file() || is_of_the_system(written, &path, directory) {
        return None;
    }
    Some(Named::new(word, path, PathKind::File, place))
}

/// A word of a shell text.
struct Word {
    place: Range<usize>,
    /// Its value as the shell sees it; `None` if only the shell can know.
    value: Option<String>,
    /// True if it is in the position of a command.
    is_command: bool,
}

/// Variables that mean the directory of the project.
pub(super) const DIRECTORY: &[&str] = &["CLAUDE_PROJECT_DIR", "HOOK_CONFIG_DIR"];

/// Returns the words of a shell text. The operators between them, and what they do, do not matter here.
fn words(text: &str, directory: &Path) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut rest = text.char_indices().peekable();
    let mut is_command = true;
    while let Some((start, first)) = rest.peek().copied() {
        if is_between(first) {
            is_command |= matches!(first, ';' | '|' | '&' | '(' | '\n');
            rest.next();
            continue;
        }
        if first == '#' {
            while rest.next_if(|(_, c)| *c != '\n').is_some() {}
            continue;
        }
        let mut value = Some(String::new());
        let mut quote = None;
        let mut end = start;
        while let Some((at, c)) = rest.next_if(|(_, c)| quote.is_some() || !is_between(*c)) {
            end = at + c.len_utf8();
            match (c, quote) {
                (_, Some('\'')) if c != '\'' => push(&mut value, c),
                ('\'' | '"', None) => quote = Some(c),
                ('\'' | '"', Some(open)) if open == c => quote = None,
                ('\\', _) => match rest.next() {
                    // Such a line goes on with the next.
                    Some((at, '\n')) => end = at + 1,
                    Some((at, next)) => {
                        end = at + next.len_utf8();
                        if quote == Some('"') && !matches!(next, '$' | '`' | '"' | '\\') {
                            push(&mut value, '\\');
                        }
                        push(&mut value, next);
                    }
                    None => value = None,
                },
                ('$', _) => {
                    let (name, after) = variable(text.get(end..).unwrap_or_default());
                    let known = name.filter(|name| DIRECTORY.contains(name)).and(directory.to_str());
                    match (known, &mut value) {
                        (Some(directory), Some(value)) => value.push_str(directory),
                        (Some(_), None) => {}
                        (None, _) => value = None,
                    }
                    for _ in text.get(end..end + after).unwrap_or_default().chars() {
                        rest.next();
                    }
                    end += after;
                }
                ('`', _) => value = None,
                ('*' | '?' | '[' | '{' | '~', None) => value = None,
                (other, _) => push(&mut value, other),
            }
        }
        words.push(Word { place: start..end, value, is_command });
        is_command = false;
    }
    words
}

fn push(value: &mut Option<String>, c: char) {
    if let Some(value) = value {
        value.push(c);
    }
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || matches!(c, ';' | '|' | '&' | '<' | '>' | '(' | ')')
}

/// The name of a variable after `$`, and how many bytes that takes. Only the plain forms have a name.
fn variable(text: &str) -> (Option<&str>, usize) {
    let part_of_name = |c: char| c == '_' || c.is_ascii_alphanumeric();
    if let Some(inner) = text.strip_prefix('{') {
        let name = inner.split('}').next().filter(|name| !name.is_empty() && name.chars().all(part_of_name));
        return name.map_or((None, 0), |name| (Some(name), name.len() + 2));
    }
    let length = text.find(|c| !part_of_name(c)).unwrap_or(text.len());
    (text.get(..length).filter(|name| !name.is_empty()), length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn project() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("hooks")).unwrap();
        for name in ["hooks/a.sh", "hooks/b.py", "hooks/with blank.sh", "rules.json"] {
            fs::write(directory.path().join(name), "").unwrap();
        }
        directory
    }

    #[test]
    fn words_that_are_files_are_found_and_replaced() {
        let directory = project();
        let list = |words: &[&str]| Program::List(words.iter().map(|word| (*word).to_owned()).collect());
        let shell = |text: &str| Program::Shell(text.to_owned());
        for (program, expected) in [
            (list(&["hooks/a.sh", "x"]), list(&["/copy", "x"])),
            (
                list(&["python3", "hooks/b.py", "--rules=rules.json"]),
                list(&["python3", "/copy", "--rules=/copy"]),
            ),
            (list(&["/bin/sh", "hooks"]), list(&["/bin/sh", "hooks"])),
            (list(&["rules.json", "rules.json"]), list(&["rules.json", "/copy"])),
            (shell("rules.json rules.json | rules.json"), shell("rules.json '/copy' | rules.json")),
            (shell("./hooks/a.sh --x"), shell("'/copy' --x")),
            (shell("cat | python3 hooks/b.py>out;./hooks/a.sh"), shell("cat | python3 '/copy'>out;'/copy'")),
            (shell(r#"sh "hooks/a.sh" 'rules.json'"#), shell("sh '/copy' '/copy'")),
            (shell(r"sh hooks/with\ blank.sh"), shell("sh '/copy'")),
            (shell(r#"sh "$CLAUDE_PROJECT_DIR"/hooks/a.sh"#), shell("sh '/copy'")),
            (shell(r#""${HOOK_CONFIG_DIR}/hooks/a.sh" --r="rules.json""#), shell("'/copy' '--r=/copy'")),
            (shell("true # hooks/a.sh"), shell("true # hooks/a.sh")),
            (shell("sh $X/hooks/a.sh hooks/*.sh"), shell("sh $X/hooks/a.sh hooks/*.sh")),
        ] {
            let copies: Vec<(Named, PathBuf)> = named(&program, directory.path(), &[])
                .into_iter()
                .map(|named| (named, "/copy".into()))
                .collect();
            assert_eq!(replaced(&program, &copies), expected);
        }
    }

    #[test]
    fn a_line_that_goes_on_is_one_word() {
        let directory = project();
        let text = Program::Shell("sh hooks/\\\na.sh".to_owned());
        assert_eq!(named(&text, directory.path(), &[])[0].word, "hooks/a.sh");
    }

    #[test]
    fn a_project_is_not_the_system_at_any_path() {
        let is = |word: &str, directory: &str| {
            is_of_the_system(word, &Path::new(directory).join(word), Path::new(directory))
        };
        assert!(is("/usr/bin/env", "/home/a"));
        assert!(!is("/usr/bin/env", "/usr/bin"));
        assert!(!is("bin/env", "/usr"));
        assert!(!is("/usr/../proc/self/status", "/home/b"));
        assert!(!is("/proc/self/cwd/hook.sh", "/home/b"));
    }

    #[test]
    fn odd_texts_end() {
        for text in ["'", "\"", "\\", "$", "${", "${}", "a\\", "é'ü", "\"$", "`", "<<<>>>"] {
            let _ = words(text, Path::new("/p"));
        }
    }
}
