//! The effects of calls: the vocabulary of `names/*.toml`, which the build also reads from this file.

/// The effect of a call. Its arguments are counted from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
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
    /// Opens as Perl does: the mode may be in the path, and a pipe may be meant.
    PerlOpen,
    Move,
    Copy,
    /// The target of the link, then the link.
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
    /// Runs a file of the same language.
    RunFile,
    /// The function of this name.
    FunctionOf,
    /// Calls something that is not known with what it is given.
    Indirect,
    /// Calls its first argument for everything below the others.
    Search,
    /// Ties a descriptor to what it is given.
    Tie,
    Kill,
    /// Numbers of a range.
    Count,
    /// Lists the processes that run.
    Processes,
    /// The process that started this one.
    Parent,
    /// Types all that it is given into a terminal.
    Type,
    /// Finds the path of a program.
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
    /// Sends a request that deletes what its address names.
    Erase,
    /// All that a database, or a table of it, holds goes.
    Wipe,
    /// Destroys something at a provider; all of a cluster, a server or an account, if that is true.
    Destroy(bool),
    /// All that a table or a store holds, to do something with it.
    Everything,
    /// Deletes its receiver, if that is all of something.
    WipeAll,
    Print,
    Home,
    /// A new file or directory among the temporary ones.
    Temporary,
    /// The directory of temporary files.
    TemporaryRoot,
    Join,
    /// The value of its first argument.
    Same,
    /// Decodes a text: unknown, except for what is decoded here.
    Decode(Encoding),
    ExpandUser,
    /// A pattern of file names.
    Glob,
    /// A pattern of file names below the first argument.
    GlobBelow,
    /// The names in a directory.
    Names,
    /// The pairs of a name and a value that a map holds.
    Pairs,
    /// The values that a map holds.
    Held,
    /// The names that a map holds.
    KeysOf,
    /// The elements of a list, or the names that a map holds.
    Elements,
    /// The value that a map has under a name, or the one that is given in case it has none.
    At,
    /// Its second argument, unless the program is told otherwise.
    Default,
    /// Declares an option of the program.
    Declare,
    /// The value that a text describes as JSON does.
    Json,
    /// The last part of a path.
    LastPart,
    /// Makes an object of the fields that it is given.
    Bless,
    /// Drops the database of this name.
    DropDatabase,
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
pub(crate) enum Deep {
    Never,
    Always,
    /// With an option of this name, or after an argument that is true.
    Option,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Base64,
    Hex,
    Rot13,
    /// The encoding is the second argument.
    Named,
    /// One that is not undone here.
    Other,
}
