//! The words in which the tables of programs, variables and tools are written.
//!
//! The build script includes this file and checks every word of the tables against it. `programs/README.md` explains how the
//! words are used.

/// Defines an enum of words.
macro_rules! names {
    ($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)+ }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($(#[doc = $doc])+ $variant,)+ }

        #[allow(dead_code, reason = "the build script and the tests look words up; the program has the members")]
        impl $name {
            /// Every word with its meaning, in order.
            pub(crate) const WORDS: &'static [(&'static str, &'static str)] =
                &[$(($word, concat!($($doc),+).trim_ascii()),)+];

            /// Returns the member that a word names.
            pub(crate) fn of(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

names! {
    /// The meaning of an operand, or of the value of an option.
    Role {
        /// Data, and nothing else.
        Text = "text",
        /// A file that is read.
        Read = "read",
        /// A file that is written.
        Write = "write",
        /// A file that is added to, or changed in part.
        Append = "append",
        /// A file that is made empty or cut.
        Truncate = "truncate",
        /// A file or directory that is made.
        Create = "create",
        /// A file or directory that is deleted.
        Delete = "delete",
        /// A file or directory that is moved away.
        Source = "source",
        /// A file whose permissions change.
        Mode = "mode",
        /// A file whose owner changes.
        Owner = "owner",
        /// A link that is made.
        Link = "link",
        /// A place that something is mounted on, taken from or shown at.
        Mount = "mount",
        /// A file that is run.
        Exec = "exec",
        /// From here on: a command with its arguments.
        Command = "command",
        /// From here on: words that are joined to a text for a shell.
        Script = "script",
        /// A command of an editor or a debugger, which may go on to a shell.
        Escape = "escape",
        /// A text for a shell.
        Shell = "shell",
        /// A text that a shell runs on another machine.
        ShellThere = "shell-there",
        /// The program of a command whose arguments come later.
        Started = "started",
        /// A command whose words are separated by commas.
        Commas = "commas",
        /// `keys: command`, as a shell binds keys.
        Binding = "binding",
        /// A file of settings; some of them are commands.
        Settings = "settings",
        /// A file of commands, in a language that is not read here.
        Recipe = "recipe",
        /// A library that is loaded.
        Library = "library",
        /// A file that is written, or after `|` or `!` a command that reads what would be written.
        Outlet = "outlet",
        /// The size of a file that is filled, in bytes.
        Size = "size",
        /// The size of a file with holes, in bytes.
        Extent = "extent",
        /// The number of bytes of its input that it prints.
        Amount = "amount",
        /// A file that is shown, or after `+` a command of what shows it.
        View = "view",
        /// An address.
        Url = "url",
        /// A machine.
        Host = "host",
        /// A thing that has a name: a service, a branch, a table.
        Name = "name",
        /// Data that is sent; `@file` is a file.
        Data = "data",
        /// A file that is sent.
        Upload = "upload",
        /// A field of a form; `name=@file` is a file.
        Form = "form",
        /// A header of a request.
        Header = "header",
        /// A user and a password.
        Login = "login",
        /// The directory in which it works.
        Directory = "directory",
        /// `NAME=value` for the environment.
        Assignment = "assignment",
        /// A file that is read, here or on another machine (`host:path`).
        RemoteRead = "remote-read",
        /// A file that is written, here or on another machine.
        RemoteWrite = "remote-write",
        /// A directory in which files arrive whose names are not known here.
        Into = "into",
        /// A file that is made, or a directory in which files arrive.
        Made = "made",
        /// `NAME=directory` for a builder; some of the names say where files arrive.
        Prefix = "prefix",
        /// A process.
        Pid = "pid",
        /// A permission.
        Permission = "permission",
        /// A package, perhaps from an address.
        Package = "package",
        /// `host:inside` of a container.
        Volume = "volume",
        /// The file `dd` names: `if=`, `of=`.
        Pair = "pair",
        /// An address of `socat`.
        Endpoint = "endpoint",
        /// A text for a database.
        Statement = "statement",
        /// Settings of an agent: JSON, or a file of it.
        AgentSettings = "agent-settings",
        /// The sources of settings that an agent reads.
        AgentSources = "agent-sources",
        /// Servers that an agent starts: JSON, or a file of it.
        AgentServers = "agent-servers",
        /// Agents that another one is told about: JSON, or a file of it.
        AgentDefinitions = "agent-definitions",
        /// A feature of an agent that is switched.
        AgentFeature = "agent-feature",
        /// `key=value` over an agent's configuration.
        AgentOverride = "agent-override",
        /// A path that the command which it runs sees empty, or not at all.
        Hidden = "hidden",
        /// The path whose content that command sees at the next path.
        From = "from",
        /// A path at which that command sees something else.
        At = "at",
        /// Both in one word, `from:at`.
        Bound = "bound",
        /// A path of the home directory; nothing else of that directory is seen.
        Only = "only",
        /// The directory that is the root for that command.
        Root = "root",
        /// `Name=value` of a unit, which may say one of these.
        Property = "property",
        /// A file of `NAME=value` for the environment.
        Variables = "variables",
        /// A variable that the environment has no longer.
        Unset = "unset",
        /// One of several environments: a context, a namespace, a stage, a profile, or the file that describes one.
        Environment = "environment",
    }
}

names! {
    /// The effect of running a command through a program.
    Wraps {
        /// It runs as if it stood alone.
        Plainly = "plainly",
        /// With the rights of another user.
        Privileged = "privileged",
        /// On another machine, or in a container that lives on.
        Elsewhere = "elsewhere",
        /// In a container that is thrown away.
        Throwaway = "throwaway",
        /// Later.
        Later = "later",
        /// As the program of a package, by the name of the package, perhaps with a version.
        Packaged = "packaged",
    }
}

names! {
    /// The output of a program.
    Prints {
        /// Something that depends on what it read.
        Something = "something",
        /// Nothing that matters.
        Nothing = "nothing",
        /// Its arguments.
        Arguments = "arguments",
        /// Its input as it is.
        Input = "input",
        /// The names of its operands, or of what is in them.
        Paths = "paths",
        /// The paths of the programs that it was given.
        Programs = "programs",
        /// The file that it downloaded.
        Download = "download",
        /// Its input, decoded or put together anew.
        Decoded = "decoded",
        /// Numbers in a row.
        Numbers = "numbers",
        /// A secret.
        Secret = "secret",
        /// The environment.
        Environment = "environment",
        /// The identity of the user or the machine.
        Identity = "identity",
        /// A new temporary file.
        Temporary = "temporary",
        /// All that a database or a state holds.
        Dump = "dump",
        /// The working directory.
        Directory = "directory",
        /// Its operands, with links followed.
        Resolved = "resolved",
        /// The directories that hold its operands.
        Parents = "parents",
        /// The last part of its operand, without the ending that it is given.
        Basename = "basename",
        /// Its input, with characters replaced or reversed.
        Changed = "changed",
        /// Numbers, sums, sizes: nothing of what it read.
        Figures = "figures",
        /// The names of all there is of a kind, unless some are chosen.
        Everything = "everything",
    }
}

names! {
    /// A property that distinguishes a program from others whose operands have the same roles.
    Trait {
        /// It keeps what it downloads in a file, also without an option.
        KeepsDownload = "keeps-download",
        /// It copies files and shows nothing of them.
        Copies = "copies",
        /// A directory that it moves onto another one takes the place of that.
        TakesPlace = "takes-place",
        /// `directory/` means what is in the directory.
        SlashMeansContents = "slash-means-contents",
        /// With a recursive option it copies what is below a name.
        CopiesBelow = "copies-below",
        /// In what it reads, `!` begins a command for a shell, and lines fetch files.
        Escapes = "escapes",
        /// A client of a code host, which knows where it goes.
        CodeHost = "code-host",
        /// It runs the scripts of a package at its own events.
        PackageManager = "package-manager",
        /// A package without the name of a program runs the package's own.
        Flakes = "flakes",
        /// It may log in to this very machine.
        LogsIn = "logs-in",
        /// The texts that it runs are in Ruby.
        Ruby = "ruby",
        /// The texts that it runs are in PHP.
        Php = "php",
        /// It prints its whole input, perhaps in another order.
        WholeInput = "whole-input",
        /// It prints for as long as its input lasts.
        Unbounded = "unbounded",
        /// It searches the directory below it, also without an option.
        SearchesBelow = "searches-below",
        /// With a recursive option it searches the directory instead of its input.
        SearchesRecursively = "searches-recursively",
        /// Its input is a patch, which names the files that it changes.
        AppliesPatches = "applies-patches",
        /// The last of the names that it is given may be the directory to extract to.
        DirectoryLast = "directory-last",
        /// A global installation goes below the prefix that an option names.
        GlobalPrefix = "global-prefix",
        /// It runs modules that take their settings as a text: `-a 'dest=directory'`.
        RunsModules = "runs-modules",
        /// An option takes the name of a variable and its value as two words.
        SetsPairs = "sets-pairs",
        /// It opens its operands to change them.
        OpensOperands = "opens-operands",
    }
}

names! {
    /// The syntax of options.
    Style {
        /// Anywhere, with long names that may be shortened.
        Gnu = "gnu",
        /// Before the first operand.
        Posix = "posix",
        /// Long names with one dash.
        Dash = "dash",
        /// There are none.
        Bare = "bare",
    }
}

names! {
    /// The effect of setting an environment variable.
    VariableKind {
        /// Its value is run by a shell.
        Shell = "shell",
        /// Its value is expanded for a prompt, with the commands in it.
        Prompt = "prompt",
        /// Its value is a program that a build runs.
        Tool = "tool",
        /// Its value names what is loaded or run.
        File = "file",
        /// Programs are looked for there.
        Path = "path",
        /// Options for an interpreter.
        Options = "options",
        /// A protection is off.
        Unprotect = "unprotect",
        /// A check of the project is off.
        Bypass = "bypass",
        /// Traces are not kept.
        Tamper = "tamper",
        /// A tool does not ask any more.
        Consent = "consent",
        /// The location of an agent's settings.
        Guard = "guard",
        /// An agent runs without its hooks, unless it is off.
        Switch = "switch",
        /// The location of all settings of a user, including those of agents.
        Home = "home",
        /// One of several environments that a tool works in.
        Environment = "environment",
    }
}

names! {
    /// The meaning of a tool's argument.
    Meaning {
        /// A text for a shell, or a program with its arguments as a list.
        Command = "command",
        /// Several of these.
        Commands = "commands",
        /// The arguments of a program that is in another argument.
        Arguments = "arguments",
        /// A text in a language, which something else names.
        Code = "code",
        /// Text that is typed into something that runs.
        Keys = "keys",
        /// Text that may be typed into something that runs, where the name alone does not say so.
        Input = "input",
        /// A file, by a name that is used for files of this machine only.
        File = "file",
        /// The file of this machine, where the other end is elsewhere: it is sent, or filled.
        Local = "local",
        /// A file, a page, a thing of a server.
        Path = "path",
        /// The source of a move or a copy, or the source code of a program.
        Source = "source",
        /// The destination.
        Target = "target",
        /// The place where something is put.
        Output = "output",
        /// The text of a file.
        Content = "content",
        /// A change of files.
        Patch = "patch",
        /// An address.
        Address = "address",
        /// The content that is sent there.
        Body = "body",
        /// A text for a database.
        Statement = "statement",
        /// In which language a text is.
        Language = "language",
        /// The operation that a tool should perform.
        Action = "action",
        /// The name of a thing.
        Name = "name",
        /// The working directory.
        Directory = "directory",
    }
}
