//! The command line of an interpreter: where its program is, and which files it would change in place.
//!
//! Every interpreter has a small table of its options, since only so it is known which word is the program. Letters may
//! be joined (`-lne`), values may be glued (`-e'…'`, `--eval=…`), and some options swallow the rest of their word: the `e` of
//! `-pie` is a suffix of a backup, not a program.

mod options;
mod powershell;

use super::{Language, value::word};
use checkrein_shell::{Part, Word};
use options::{Options, options};
use powershell::powershell;

/// The place of an interpreter's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// In the command line. Several texts are joined by line ends.
    Text(Word),
    /// In a file.
    File(Word),
    /// It is read from standard input.
    Stdin,
    /// A module by its name: `python -m`.
    Module(Word),
    /// There is none: the version or a help is printed.
    None,
}

/// An interpreter's command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// Its program.
    pub code: Code,
    /// The operands are changed in place.
    pub in_place: bool,
    /// The arguments of the program.
    pub operands: Vec<Word>,
}

/// Reads the words after an interpreter's name.
pub fn code_of(language: Language, args: &[Word]) -> Invocation {
    if language == Language::PowerShell {
        return powershell(args);
    }
    let mut reader = CommandLine {
        language,
        options: options(language),
        texts: Vec::new(),
        before: Vec::new(),
        code: None,
        in_place: false,
        prints: false,
        operands: Vec::new(),
        done: false,
    };
    let mut rest = args;
    while let Some((first, tail)) = rest.split_first() {
        rest = reader.word(first, tail);
    }
    reader.finish()
}

struct CommandLine {
    language: Language,
    options: Options,
    texts: Vec<Word>,
    /// The code before the program: variables of awk, modules of Perl.
    before: Vec<Word>,
    code: Option<Code>,
    in_place: bool,
    /// `node -p`: the first operand is the program, if there is no other.
    prints: bool,
    operands: Vec<Word>,
    done: bool,
}

impl CommandLine {
    /// One word of the command line. What is left after it.
    fn word<'a>(&mut self, first: &Word, tail: &'a [Word]) -> &'a [Word] {
        let begin = match first.parts.first() {
            Some(Part::Text(text)) => text.as_str(),
            Some(Part::Glob(_) | Part::Unknown(_)) | None => "",
        };
        if self.done || !begin.starts_with('-') || begin == "-" && first.parts.len() == 1 {
            self.operand(first);
            return tail;
        }
        if begin == "--" {
            // It ends the options; the next word may still be the program.
            self.done = true;
            return match tail.split_first() {
                Some((next, rest)) => {
                    self.operand(next);
                    rest
                }
                None => tail,
            };
        }
        if begin.starts_with("--") { self.long(first, begin, tail) } else { self.letters(first, begin, tail) }
    }

    fn operand(&mut self, operand: &Word) {
        let constant = operand.constant();
        let has_program = self.code.is_some() || !self.texts.is_empty();
        let script = self.language == Language::JavaScript && self.operands.is_empty() && !has_program;
        match constant.as_deref() {
            _ if has_program || self.language == Language::Make => {
                self.operands.push(operand.clone());
                // Everything after its first argument belongs to the program, including options; only these two
                // continue to read.
                self.done |= !matches!(self.language, Language::Make | Language::Sed);
            }
            Some("eval") if script => self.prints = true,
            Some("run") if script => {}
            _ if self.prints || self.options.first_is_text => {
                self.texts.push(operand.clone());
            }
            Some("-") => self.code = Some(Code::Stdin),
            _ => {
                self.code = Some(Code::File(operand.clone()));
                self.done = true;
            }
        }
    }

    fn long<'a>(&mut self, first: &Word, begin: &str, tail: &'a [Word]) -> &'a [Word] {
        let (name, glued) = match begin.find('=') {
            Some(at) => (begin.get(..at).unwrap_or(begin), Some(without(first, at.saturating_add(1)))),
            None => (begin, None),
        };
        // GNU programs take any beginning of a long name.
        let is = |names: &[&str]| {
            names.iter().any(|known| *known == name || name.len() > 3 && known.starts_with(name))
        };
        if matches!(name, "--version" | "--help") {
            self.code = Some(Code::None);
            return &[];
        }
        if name == "--print" {
            self.prints = true;
            return tail;
        }
        if is(self.options.in_place_long) {
            self.in_place = true;
            return tail;
        }
        let (code, file, value) =
            (is(self.options.code_long), is(self.options.file_long), is(self.options.value_long));
        if !code && !file && !value {
            return tail;
        }
        let (given, tail) = match (glued, tail.split_first()) {
            (Some(glued), _) => (glued, tail),
            (None, Some((next, rest))) => (next.clone(), rest),
            (None, None) => return tail,
        };
        if code {
            self.texts.push(given);
        } else if file {
            self.file(given);
        } else {
            self.valued(name, &given);
        }
        tail
    }

    fn letters<'a>(&mut self, first: &Word, begin: &str, tail: &'a [Word]) -> &'a [Word] {
        for (at, letter) in begin.char_indices().skip(1) {
            let after = at.saturating_add(letter.len_utf8());
            let rest = without(first, after);
            let takes = |letters: &str| letters.contains(letter);
            if takes(self.options.in_place) {
                self.in_place = true;
                // BSD wants the suffix as a word of its own, most often an empty one.
                let empty = tail.first().is_some_and(|next| next.parts.is_empty());
                return if self.language == Language::Sed && rest.parts.is_empty() && empty {
                    tail.get(1..).unwrap_or_default()
                } else {
                    tail
                };
            }
            if takes(self.options.rest) {
                self.valued(&letter.to_string(), &rest);
                // Digits after a letter, and then letters again: `-l012e`, `-0777pe`.
                let digits = matches!(letter, 'l' | '0' | 'W' | 'T' | 'C' | 'D' | 'j');
                let text = begin.get(after..).unwrap_or("");
                let more = text.trim_start_matches(|char: char| {
                    char.is_ascii_hexdigit() && !char.is_ascii_lowercase() || char == 'x'
                });
                if digits {
                    if more.is_empty() {
                        return tail;
                    }
                    continue;
                }
                return tail;
            }
            let (code, file) = (takes(self.options.code), takes(self.options.file));
            let (module, value) = (takes(self.options.module), takes(self.options.value));
            if code || file || module || value {
                let (given, tail) = match tail.split_first() {
                    _ if !rest.parts.is_empty() => (rest, tail),
                    Some((next, others)) => (next.clone(), others),
                    None => return tail,
                };
                if code {
                    self.texts.push(given);
                    self.done |= self.options.ends;
                } else if file {
                    self.file(given);
                } else if module {
                    self.code = Some(Code::Module(given));
                    self.done = true;
                } else {
                    self.valued(&letter.to_string(), &given);
                }
                return tail;
            }
            if takes(self.options.none) && at == 1 {
                self.code.get_or_insert(Code::None);
                if self.code == Some(Code::None) {
                    return &[];
                }
            }
            if letter == 'p' && self.language == Language::JavaScript {
                self.prints = true;
            }
        }
        tail
    }

    fn file(&mut self, file: Word) {
        let stdin = file.constant().as_deref() == Some("-");
        self.code = Some(if stdin { Code::Stdin } else { Code::File(file) });
    }

    /// An option with a value that matters.
    fn valued(&mut self, name: &str, value: &Word) {
        match (self.language, name) {
            (Language::Awk, "i" | "--include") => {
                let library = value.constant().unwrap_or_default();
                self.in_place |= library.trim_start_matches('=') == "inplace";
            }
            // A variable is a constant of the program.
            (Language::Awk, "v" | "--assign") => {
                let mut made = word("BEGIN { ");
                for (at, part) in value.parts.iter().enumerate() {
                    match part {
                        Part::Text(text) if at == 0 => {
                            let (name, rest) = text.split_once('=').unwrap_or((text, ""));
                            made.push_text(name);
                            made.push_text(" = \"");
                            made.push_text(&escaped(rest));
                        }
                        Part::Text(text) | Part::Glob(text) => made.push_text(&escaped(text)),
                        Part::Unknown(_) => made.push(part.clone()),
                    }
                }
                for part in word("\" }\n").parts {
                    made.push(part);
                }
                self.before.push(made);
            }
            // What is asked to be used may be more than a name.
            (Language::Perl, "M" | "m")
                if value.constant().is_none_or(|module| module.contains([';', '(', '{'])) =>
            {
                let mut made = word("use ");
                value.parts.iter().for_each(|part| made.push(part.clone()));
                for part in word(";\n").parts {
                    made.push(part);
                }
                self.before.push(made);
            }
            _ => {}
        }
    }

    fn finish(self) -> Invocation {
        let (in_place, operands) = (self.in_place, self.operands);
        let code = match self.code {
            Some(Code::None) if self.texts.is_empty() => Code::None,
            // A file of awk or sed next to a text: both run, and the file is the less known.
            Some(code) if self.texts.is_empty() || matches!(self.language, Language::Awk | Language::Sed) => {
                code
            }
            Some(code @ (Code::File(_) | Code::Stdin)) => {
                let mut operands = operands;
                if let Code::File(file) = code {
                    operands.insert(0, file);
                }
                return Invocation { code: Code::Text(joined(self.before, self.texts)), in_place, operands };
            }
            None if self.texts.is_empty() => match self.language {
                Language::Make => Code::File(word("Makefile")),
                Language::Sed | Language::Awk => Code::None,
                _ if !self.before.is_empty() => Code::Text(joined(self.before, Vec::new())),
                _ => Code::Stdin,
            },
            Some(Code::Text(_) | Code::Module(_) | Code::None) | None => {
                Code::Text(joined(self.before, self.texts))
            }
        };
        Invocation { code, in_place, operands }
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// The texts as lines of one.
fn joined(before: Vec<Word>, texts: Vec<Word>) -> Word {
    let mut made = Word { parts: Vec::new(), span: texts.first().map_or(0..0, |text| text.span.clone()) };
    for text in before {
        text.parts.into_iter().for_each(|part| made.push(part));
    }
    for (at, text) in texts.into_iter().enumerate() {
        if at > 0 {
            made.push(Part::Text("\n".to_owned()));
        }
        text.parts.into_iter().for_each(|part| made.push(part));
    }
    made
}

/// The word without its first bytes.
fn without(from: &Word, bytes: usize) -> Word {
    let mut made = Word { parts: Vec::new(), span: from.span.clone() };
    for (at, part) in from.parts.iter().enumerate() {
        match part {
            Part::Text(text) if at == 0 => {
                let rest = text.get(bytes..).unwrap_or("");
                if !rest.is_empty() {
                    made.push(Part::Text(rest.to_owned()));
                }
            }
            part => made.push(part.clone()),
        }
    }
    made
}
