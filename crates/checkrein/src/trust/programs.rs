//! What trust has to know about programs: which run what they are handed, and which only look at it or write it.

/// What a program does with its words, as far as trust is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It cannot run anything, and what it is handed is a text or a condition.
    Says,
    /// It cannot run anything, and reads the files that it is handed.
    Reads,
    /// It cannot run anything, and makes, fills or removes the files that it is handed.
    Writes,
    /// It changes the directory.
    Moves,
    /// It may run what it is handed, or read its own program from there.
    Runs,
}

const SAYS: &[&str] = &[
    ":", "[", "basename", "break", "continue", "date", "dirname", "echo", "exit", "expr", "false",
    "hostname", "id", "kill", "logger", "printf", "pwd", "read", "return", "seq", "set", "shift", "sleep",
    "test", "true", "type", "uname", "unset", "wait", "which", "whoami",
];
const READS: &[&str] = &[
    "cat",
    "cksum",
    "cmp",
    "comm",
    "cut",
    "diff",
    "egrep",
    "fgrep",
    "file",
    "grep",
    "head",
    "jq",
    "ls",
    "md5sum",
    "nl",
    "readlink",
    "realpath",
    "rev",
    "sha1sum",
    "sha256sum",
    "stat",
    "tail",
    "tr",
    "uniq",
    "wc",
];
const WRITES: &[&str] = &["mkdir", "rm", "rmdir", "tee", "touch"];
const MOVES: &[&str] = &["cd", "chdir", "popd", "pushd"];

/// What `program`, a bare name, does with its words. One that is not known may do anything.
pub(super) fn use_of(program: &str) -> Use {
    let uses = [(SAYS, Use::Says), (READS, Use::Reads), (WRITES, Use::Writes), (MOVES, Use::Moves)];
    uses.iter().find(|(names, _)| names.contains(&program)).map_or(Use::Runs, |(_, of)| *of)
}

/// Whether a program runs the one that it is handed.
pub(super) fn wraps(program: &str) -> bool {
    const NAMES: &[&str] = &[
        "builtin", "chroot", "chrt", "command", "doas", "env", "exec", "flock", "ionice", "nice", "nohup",
        "setsid", "stdbuf", "sudo", "taskset", "time", "timeout", "unbuffer", "xargs",
    ];
    NAMES.contains(&program)
}

/// A program that runs a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interpreter {
    /// Of shell texts: `-c` hands it one.
    Shell,
    /// The shell's own `.` and `source`: a file in any case.
    Source,
    /// The shell's own `eval` and `trap`: a text in any case.
    Eval,
    /// Of another language.
    Other,
}

const SHELLS: &[&str] = &["ash", "bash", "dash", "ksh", "mksh", "sh", "zsh"];
const OTHERS: &[&str] = &[
    "Rscript",
    "bun",
    "deno",
    "fish",
    "julia",
    "lua",
    "luajit",
    "node",
    "nodejs",
    "osascript",
    "perl",
    "php",
    "pwsh",
    "pypy",
    "python",
    "ruby",
    "tclsh",
    "ts-node",
    "tsx",
];

/// The interpreter that a word starts, by whatever path and version.
pub(super) fn interpreter(word: &str) -> Option<Interpreter> {
    let name = word.rsplit('/').next().unwrap_or(word);
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    match name {
        "." | "source" => Some(Interpreter::Source),
        "eval" | "trap" => Some(Interpreter::Eval),
        name if SHELLS.contains(&name) => Some(Interpreter::Shell),
        _ if OTHERS.contains(&plain) => Some(Interpreter::Other),
        _ => None,
    }
}

/// How an option of an interpreter changes what the words after it mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag<'a> {
    /// Not at all.
    Alone,
    /// The next word belongs to it, and is no file.
    Value,
    /// The next word is a file that is run.
    File,
    /// The next word is the text that is run.
    Text,
    /// The rest of the word is.
    Joined(&'a str),
    /// The next word is a module that is looked for by its name.
    Module,
    /// Nothing is run.
    Help,
    /// The program is read from standard input.
    Stdin,
}

impl Interpreter {
    /// What `word`, which stands after the interpreter, does as an option; `None` if it is none.
    pub(super) fn flag(self, word: &str) -> Option<Flag<'_>> {
        let name = word.strip_prefix(['-', '+'])?;
        match (self, word) {
            (Self::Source | Self::Eval, _) => None,
            (_, "-") => Some(Flag::Stdin),
            (_, "--version" | "-V" | "--help") => Some(Flag::Help),
            (Self::Shell, "--rcfile" | "--init-file") => Some(Flag::File),
            (Self::Shell, _) if word.starts_with("--") => Some(Flag::Alone),
            (Self::Shell, _) if name.ends_with(['o', 'O']) => Some(Flag::Value),
            (Self::Shell, _) if word.starts_with('-') && name.contains('c') => Some(Flag::Text),
            (Self::Shell, _) if word.starts_with('-') && name.contains('s') => Some(Flag::Stdin),
            (Self::Shell, _) => Some(Flag::Alone),
            (
                Self::Other,
                "-c" | "-e" | "-E" | "-p" | "-pe" | "-ne" | "-le" | "-n" | "--eval" | "--print",
            ) => Some(Flag::Text),
            (Self::Other, "-m") => Some(Flag::Module),
            (
                Self::Other,
                "-r" | "-f" | "-I" | "--require" | "--import" | "--loader" | "--experimental-loader",
            ) => Some(Flag::File),
            (Self::Other, "-W" | "-X" | "-C") => Some(Flag::Value),
            (Self::Other, _) if word.starts_with("-c") || word.starts_with("-e") => {
                Some(Flag::Joined(name.get(1..).unwrap_or_default()))
            }
            (Self::Other, _) => Some(Flag::Alone),
        }
    }
}

/// Variables that decide which code a program loads.
pub(super) fn loads_code(variable: &str) -> bool {
    const NAMES: &[&str] = &[
        "BASH_ENV",
        "CDPATH",
        "CLASSPATH",
        "ENV",
        "GIT_DIR",
        "GIT_EXEC_PATH",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "LUA_PATH",
        "NODE_OPTIONS",
        "NODE_PATH",
        "PATH",
        "PERL5LIB",
        "PERL5OPT",
        "PYTHONHOME",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "RUBYLIB",
        "RUBYOPT",
    ];
    NAMES.contains(&variable) || variable.starts_with("LD_") || variable.starts_with("DYLD_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreters_by_whatever_name() {
        for (word, expected) in [
            ("sh", Some(Interpreter::Shell)),
            ("/usr/bin/bash", Some(Interpreter::Shell)),
            ("python3.11", Some(Interpreter::Other)),
            ("node", Some(Interpreter::Other)),
            (".", Some(Interpreter::Source)),
            ("cargo", None),
            ("pythonic", None),
            ("", None),
        ] {
            assert_eq!(interpreter(word), expected, "{word}");
        }
    }

    #[test]
    fn options_of_interpreters() {
        let shell = |word| Interpreter::Shell.flag(word);
        assert_eq!(shell("-lc"), Some(Flag::Text));
        assert_eq!(shell("-eo"), Some(Flag::Value));
        assert_eq!(shell("-e"), Some(Flag::Alone));
        assert_eq!(shell("-s"), Some(Flag::Stdin));
        assert_eq!(shell("x.sh"), None);
        let other = |word| Interpreter::Other.flag(word);
        assert_eq!(other("-cimport x"), Some(Flag::Joined("import x")));
        assert_eq!(other("-m"), Some(Flag::Module));
        assert_eq!(other("-"), Some(Flag::Stdin));
        assert_eq!(other("--check"), Some(Flag::Alone));
    }
}
