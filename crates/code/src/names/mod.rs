//! What the names of each language mean: data, not code.
//!
//! A name is written with dots, whatever its language writes: `FileUtils.rm_rf`, `IO.Socket.INET.new`. A method is looked up by
//! its last part alone, when the whole name is not in the table and the text does not define it.

mod go;
mod javascript;
mod lua;
mod perl;
mod php;
mod python;
mod ruby;

use super::Language;

/// What a call does. Its arguments are counted from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// A text for a shell.
    Shell,
    /// A list to run, or with the option `shell` a text for a shell.
    Run,
    /// One text is for a shell, several are a vector.
    Words,
    /// A program, a list, and options.
    Spawn,
    /// A program at this place, and a list or the rest after it.
    Vector(usize),
    /// Deletes what all arguments name.
    Delete(Deep),
    Write,
    Append,
    /// Opens a file in a mode, which is the next argument.
    Open,
    /// Opens as Perl does: the mode may stand in the path, and a pipe may be meant.
    PerlOpen,
    Move,
    Copy,
    /// What the link leads to, then the link.
    Link,
    /// The link, then what it leads to.
    LinkTo,
    /// A path, then the mode.
    Mode(Deep),
    /// The mode, then paths.
    ModeFirst(Deep),
    Owner,
    /// The owner and the group, then paths.
    OwnerLast,
    Read,
    /// Reads from a path, or from the network if it is a URL.
    ReadOrFetch,
    /// Fetches a URL.
    Fetch,
    /// Fetches a URL to a file.
    FetchTo,
    /// Sends the rest to a URL.
    Post,
    /// The method, then a URL.
    Request,
    /// Connects to a host and port, in any order.
    Connect,
    /// Sends to what it is called on.
    Send,
    Evaluate,
    /// The last argument is evaluated.
    EvaluateLast,
    /// Gives the thing of this name.
    Shown(&'static str),
    /// A console: what is typed, or comes from standard input, is evaluated.
    Console,
    /// Ties a descriptor to what it is given.
    Tie,
    Kill,
    /// Lists the processes that run.
    Processes,
    /// Types all that it is given into a terminal.
    Type,
    /// Says where a program lies.
    Lookup,
    /// Runs a module of the language as a program, with arguments that are not followed.
    Module,
    /// Types the keys of these names.
    Keys,
    /// Types something that is not followed here.
    Unseen,
    /// Controls a device: a terminal may be told what was typed.
    Ioctl,
    /// A text for a database: the first that is a text.
    Query,
    /// All that a database, or a table of it, holds goes.
    Wipe,
    Print,
    Home,
    /// A new file or directory among the temporary ones.
    Temporary,
    /// The directory of temporary files.
    TemporaryRoot,
    Join,
    /// The value of its first argument.
    Same,
    /// The same text, decoded: unknown, but for what is decoded here.
    Decode(Encoding),
    ExpandUser,
    /// A pattern of file names.
    Glob,
    /// A pattern of file names below the first argument.
    GlobBelow,
    /// The names in a directory.
    Names,
    /// The paths in a directory.
    Entries,
    /// Directories with their directories and files.
    Walk,
    Getenv,
    /// A part of a module by its name.
    Getattr,
    /// Calls a method by its name.
    ByName,
    Import,
    /// Numbers to characters.
    Chr,
    Chdir,
    /// Joins a list with the text that it is called on, or with its second argument.
    JoinList,
    /// Joins with its first argument.
    JoinWith,
    Replace,
    Reverse,
    Split,
    Dirname,
    Format,
    /// A socket that is not connected yet.
    Socket,
    Enumerate,
    /// Writes to the file that it is called on.
    Put,
    /// A list of its arguments.
    Tuple,
    /// A value that has nothing of its arguments.
    Fresh,
    /// The names of the text itself.
    Scope,
    /// A text in quotes for a shell.
    Quoted,
    /// In small letters.
    Lower,
    /// In capitals.
    Upper,
    /// The first of a list.
    First,
    /// The last of a list.
    Last,
    /// A list from a place on.
    Slice,
    /// Nothing of interest, although another name that ends so is.
    Nothing,
}

/// With everything below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deep {
    Never,
    Always,
    /// With an option of this name, or after an argument that is true.
    Option,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Base64,
    Hex,
    Rot13,
    /// The encoding is the second argument.
    Named,
    /// One that is not undone here.
    Other,
}

/// Whether a method's receiver is its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum With {
    Receiver,
    Arguments,
}

/// The names of one language.
pub(super) struct Table {
    pub(super) functions: &'static [(&'static str, Call)],
    pub(super) methods: &'static [(&'static str, With, Call)],
    /// The names of the whole environment.
    pub(super) environment: &'static [&'static str],
    /// Operators that join texts.
    pub(super) joins: &'static [&'static str],
    /// Operators before a part of a name.
    pub(super) dots: &'static [&'static str],
    /// Whether a call needs no brackets.
    pub(super) commands: bool,
}

impl Table {
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::Python => &python::TABLE,
            Language::Perl => &perl::TABLE,
            Language::Ruby => &ruby::TABLE,
            Language::Php => &php::TABLE,
            Language::Lua => &lua::TABLE,
            Language::Go => &go::TABLE,
            Language::JavaScript
            | Language::Awk
            | Language::Sed
            | Language::PowerShell
            | Language::AppleScript
            | Language::Make => &javascript::TABLE,
        }
    }

    pub(super) fn function(&self, name: &str) -> Option<Call> {
        self.functions.iter().find(|(known, _)| *known == name).map(|(_, call)| *call)
    }

    pub(super) fn method(&self, name: &str) -> Option<(With, Call)> {
        self.methods.iter().find(|(known, _, _)| *known == name).map(|(_, with, call)| (*with, *call))
    }
}
