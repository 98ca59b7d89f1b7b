//! Finds what source code for an interpreter would do: its deletes, writes, runs, connects and reads.
//!
//! ```
//! use checkrein_code::{Does, Language, acts};
//!
//! let found = acts(Language::Python, "import os as o; d = '/srv'; print('rmtree'); o.system('rm -rf ' + d)");
//! assert_eq!(found.len(), 1);
//! assert!(matches!(&found[0].does, Does::Shell(text) if text.constant().as_deref() == Some("rm -rf /srv")));
//! ```
//!
//! Seven languages that look alike (Python, Perl, Ruby, JavaScript, PHP, Lua, Go) share one lexer with a table of quotes and
//! comments and one follower of values, and have a table of names each: the follower knows no language, a table knows no syntax.
//! The others are small enough to be read by a file of their own.
//!
//! Nothing here is a real parser, and it need not be. It has to find the calls that matter, to see what they are called
//! with, and to say *unknown* for the rest. Text in comments, in literals and in patterns is no call, so the mere mention of a
//! command has no effect. Every text is read in linear time with a bounded stack; what is too long or too deep is
//! [`Does::Evaluate`] of something unknown.

#![forbid(unsafe_code)]

mod applescript;
mod args;
mod awk;
// The guard undoes the same encodings where a shell command does.
#[doc(hidden)]
pub mod decode;
mod follow;
mod lex;
mod make;
mod names;
mod powershell;
mod sed;
mod structure;
mod value;

pub use args::{Code, Invocation, code_of};
// For the guard, which needs more than the acts of a program. Not part of the public interface.
#[doc(hidden)]
pub use awk::printed as awk_printed;
#[doc(hidden)]
pub use structure::{ending, forks_on, members, selects_by};

use checkrein_shell::{Part, Unknown, UnknownSource, Word, work};
use names::{OwnReader, Table};
use std::{collections::BTreeMap, ops::Range};

/// The maximum length of a text that is read. A longer one is reported as unknown.
pub const MAX_CODE: usize = 64 * 1024;

/// The fuel that reading a byte costs, before anything of it is followed.
const READ: usize = 32;

/// A placeholder in a program for text that is typed later: running the placeholder runs that text.
pub const TYPED: &str = "CHECKREIN_TYPED";

/// The maximum number of acts that are reported for one text. The last one says that there are more.
const MAX_ACTS: usize = 512;

/// A language whose programs are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Python, PyPy.
    Python,
    /// Perl.
    Perl,
    /// Ruby.
    Ruby,
    /// Node, Deno, Bun; TypeScript as well.
    JavaScript,
    /// PHP.
    Php,
    /// Lua.
    Lua,
    /// Go, as `go run` has it.
    Go,
    /// awk, gawk, mawk.
    Awk,
    /// sed.
    Sed,
    /// PowerShell of both kinds.
    PowerShell,
    /// `osascript`; its JavaScript as well.
    AppleScript,
    /// Makefiles.
    Make,
}

impl Language {
    /// The language of an interpreter, by its name or path: `python3.12`, `/usr/bin/nodejs`, `powershell.exe`.
    pub fn of(program: &str) -> Option<Self> {
        let name = program.rsplit(['/', '\\']).next().unwrap_or(program).to_ascii_lowercase();
        let name = name.strip_suffix(".exe").unwrap_or(&name);
        // Versions are at the end: `lua5.4`, `pypy3`, `ruby3.2`, `python3.13t`.
        let bare = name.strip_suffix('t').filter(|bare| bare.ends_with(|char: char| char.is_ascii_digit()));
        let bare = bare.unwrap_or(name);
        let bare = bare.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.' || char == '-');
        match bare {
            "python" | "pythonw" | "pypy" | "ipython" | "micropython" | "jython" | "graalpy" => {
                Some(Self::Python)
            }
            "perl" => Some(Self::Perl),
            "ruby" | "irb" | "jruby" | "truffleruby" | "macruby" => Some(Self::Ruby),
            "node" | "nodejs" | "bun" | "deno" | "tsx" | "ts-node" | "qjs" | "d8" => Some(Self::JavaScript),
            "php" | "php-cli" | "php-cgi" | "hhvm" => Some(Self::Php),
            "lua" | "luajit" | "texlua" => Some(Self::Lua),
            "awk" | "gawk" | "mawk" | "nawk" | "original-awk" | "goawk" => Some(Self::Awk),
            "sed" | "gsed" | "ssed" => Some(Self::Sed),
            "pwsh" | "powershell" | "pwsh-preview" => Some(Self::PowerShell),
            "osascript" => Some(Self::AppleScript),
            "make" | "gmake" | "bmake" => Some(Self::Make),
            _ => None,
        }
    }
}

/// One thing that a text would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// The action.
    pub does: Does,
    /// Its place in the text, in bytes. For a text inside a text, the call that evaluates it.
    pub span: Range<usize>,
}

/// An action of a text. A run in another directory than the current one is written as a shell would write it: with
/// `cd … &&`, or with `env -C …`; a path relative to such a directory is given with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    /// Hands a text to a shell.
    Shell(Word),
    /// Runs an argument vector.
    Run(Vec<Word>),
    /// Deletes a file or a directory.
    Delete {
        /// The path.
        path: Word,
        /// With everything below it.
        recursive: bool,
    },
    /// Writes a file.
    Write {
        /// The path.
        path: Word,
        /// True if the earlier content stays.
        append: bool,
    },
    /// Puts a text into a file that it has opened or named before.
    Fill {
        /// The path.
        path: Word,
        /// The text.
        text: Word,
    },
    /// Ends processes that it found in the list of all.
    KillListed,
    /// Loads one of the modules that it was said to have.
    Load(String),
    /// Calls something that is not known with a text.
    Indirect(Word),
    /// Moves or renames.
    Move {
        /// The source.
        from: Word,
        /// The destination.
        to: Word,
    },
    /// Copies.
    Copy {
        /// The source.
        from: Word,
        /// The path of the copy.
        to: Word,
    },
    /// Makes a hard or symbolic link.
    Link {
        /// The new name.
        path: Word,
        /// The target of the link.
        to: Word,
    },
    /// Changes permissions.
    Mode {
        /// Of what.
        path: Word,
        /// To what: octal digits, or as the language writes it.
        mode: Word,
        /// With everything below it.
        recursive: bool,
    },
    /// Changes the owner.
    Owner {
        /// Of what.
        path: Word,
    },
    /// Reads a file.
    Read(Word),
    /// Connects: a URL, a host, or `host:port`.
    Connect(Word),
    /// Sends data.
    Send {
        /// A URL, a host, or `host:port`.
        to: Word,
        /// The files whose content flows there, as far as it is seen.
        what: Vec<Word>,
    },
    /// Evaluates, in its own language, a text that cannot be read here.
    Evaluate(From),
    /// Gives a text to a database, or to a function of the same name.
    Query(Word),
    /// Empties a database, or a table of it, as a whole.
    Wipe,
    /// Destroys something at a provider.
    Destroy {
        /// Its name, if that is known.
        what: Word,
        /// True if it is a whole cluster, server, bucket or account.
        whole: bool,
    },
    /// Types a text into a terminal.
    Type(Word),
    /// Lists the processes that run.
    Processes,
    /// Ends processes.
    Kill,
    /// Ends processes whose numbers are counted, and not found.
    KillCounted,
    /// Ends every process that the user may end.
    KillAll,
    /// Ends the process that started this one.
    KillParent,
    /// Gives away the whole environment: prints, writes or sends it. A single variable does not count.
    Environment,
}

/// The origin of an evaluated text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum From {
    /// Somewhere.
    Unknown,
    /// The standard input of the program, which is not known here.
    Input,
    /// A part of the text that was not read, because the text is too long, too deep or does too much.
    TooMuch,
    /// A decoded or decompressed text.
    Decoded,
    /// The network.
    Network,
}

/// The arguments and the input of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Started {
    /// Its arguments.
    pub arguments: Vec<Word>,
    /// The file that contains it; `None` if it is in the command line.
    pub file: Option<Word>,
    /// Its standard input, if that is known.
    pub input: Option<String>,
    /// The variables of its environment whose values are known.
    pub environment: BTreeMap<String, String>,
    /// The modules next to it that are loaded when it names them.
    pub modules: Vec<String>,
}

/// Returns true if the module or file of this name is a program, so that loading it starts it. The parsers know no
/// programs.
pub type IsProgram = fn(&str) -> bool;

/// The texts that are written in a program as literals, without those in which something is computed.
pub fn literals(language: Language, source: &str) -> Vec<String> {
    match Table::of(language) {
        Ok(_) if source.len() <= MAX_CODE && work::burn(READ * source.len()) => {
            lex::literals(language, source)
        }
        Ok(_) | Err(_) => Vec::new(),
    }
}

/// Returns what a text would do, in the order of the text.
pub fn acts(language: Language, source: &str) -> Vec<Act> {
    acts_with(language, source, &Started::default(), |_| false)
}

/// The texts that a program prints, as far as they are known, a line for each. It may print more.
pub fn printed(language: Language, source: &str, started: &Started, is_program: IsProgram) -> String {
    match Table::of(language) {
        Ok(table) if source.len() <= MAX_CODE && work::burn(READ * source.len()) => {
            follow::printed(language, table, source, started, is_program)
        }
        Ok(_) | Err(_) => String::new(),
    }
}

/// Returns what a text would do in a program with these arguments and input, in which loading some modules starts
/// them.
pub fn acts_with(language: Language, source: &str, started: &Started, is_program: IsProgram) -> Vec<Act> {
    if source.len() > MAX_CODE || !work::burn(READ * source.len()) {
        return vec![too_much(source)];
    }
    let mut acts = match Table::of(language) {
        Ok(table) => follow::acts(language, table, source, started, is_program),
        Err(OwnReader::Awk) => awk::acts(source, started),
        Err(OwnReader::Sed) => sed::acts(source, started),
        Err(OwnReader::PowerShell) => powershell::acts(source),
        Err(OwnReader::AppleScript) => applescript::acts(source),
        Err(OwnReader::Make) => make::acts(source),
    };
    for act in &mut acts {
        for word in act.does.words_mut() {
            word.span = act.span.clone();
        }
    }
    if acts.len() > MAX_ACTS {
        acts.truncate(MAX_ACTS);
        acts.push(too_much(source));
    }
    acts
}

/// Returns the action of a text that was not read to its end: it is reported as unknown.
const fn too_much(source: &str) -> Act {
    Act { does: Does::Evaluate(From::TooMuch), span: 0..source.len() }
}

/// A word that is more than is carried.
fn word_of_too_much() -> Word {
    Word { parts: vec![Part::Unknown(Unknown::new(UnknownSource::TooMuch))], span: 0..0 }
}

/// Returns a part that is only known at run time, and may be empty.
fn computed() -> Part {
    Part::Unknown(Unknown::new(UnknownSource::Computed))
}

/// A number that the program counts.
fn counted() -> Part {
    Part::Unknown(Unknown { empty: false, ..Unknown::new(UnknownSource::Arithmetic) })
}

/// The home directory.
fn home() -> Part {
    Part::Unknown(Unknown { empty: false, ..Unknown::new(UnknownSource::Home(None)) })
}

/// A word that is completely unknown.
fn unknown_word() -> Word {
    Word { parts: vec![computed()], span: 0..0 }
}

/// Words that are completely unknown, even in number.
fn several() -> Word {
    let unknown = Unknown { many: true, ..Unknown::new(UnknownSource::Computed) };
    Word { parts: vec![Part::Unknown(unknown)], span: 0..0 }
}

impl Does {
    /// Its words, to be changed.
    pub fn words_mut(&mut self) -> Vec<&mut Word> {
        match self {
            Self::Shell(word)
            | Self::Read(word)
            | Self::Connect(word)
            | Self::Query(word)
            | Self::Type(word) => vec![word],
            Self::Run(words) => words.iter_mut().collect(),
            Self::Delete { path, .. } | Self::Write { path, .. } | Self::Owner { path } => vec![path],
            Self::Fill { path, text } => vec![path, text],
            Self::Indirect(word) | Self::Destroy { what: word, .. } => vec![word],
            Self::Move { from, to } | Self::Copy { from, to } => vec![from, to],
            Self::Link { path, to } => vec![path, to],
            Self::Mode { path, mode, .. } => vec![path, mode],
            Self::Send { to, what } => what.iter_mut().chain([to]).collect(),
            Self::Evaluate(_)
            | Self::Load(_)
            | Self::Kill
            | Self::KillListed
            | Self::KillCounted
            | Self::KillAll
            | Self::KillParent
            | Self::Processes
            | Self::Wipe
            | Self::Environment => Vec::new(),
        }
    }
}
