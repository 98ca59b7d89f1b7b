//! The words that trust does not cover, the reasons, and what to write instead.

use std::fmt;

/// A word of a command that trust does not cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncovered {
    /// As it is written.
    pub word: String,
    /// The reason.
    pub why: WhyNot,
}

/// The reason why trust does not cover a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// A variable, a pattern, a substitution: it is known only when it runs.
    OnlyTheShell,
    /// A directory.
    Directory,
    /// Neither a file nor a directory.
    NoFile,
    /// A file of the project, named where it cannot be replaced by the copy that was trusted.
    Indirect,
    /// A program that runs what it reads from a pipe.
    Piped,
    /// A change of the directory.
    Moved,
    /// A variable that decides which code is loaded.
    Loads,
    /// An interpreter that does not belong to the machine, with the packages next to it.
    Interpreter,
    /// A program that runs what it finds in the project, without naming it.
    Project,
    /// A script whose first line names an interpreter of the project.
    Shebang,
    /// An interpreter that looks for the modules of its text, and for those that they import, in the working directory.
    Modules,
    /// A text that cannot be read as a shell would.
    Unreadable,
}

impl WhyNot {
    /// Returns what to write instead.
    pub const fn instead(self) -> &'static str {
        match self {
            Self::OnlyTheShell => {
                "write a plain path, such as `./hooks/check.sh` or `\"$HOOK_CONFIG_DIR\"/hooks/check.sh`"
            }
            Self::Directory => {
                "name the file in it that is run, and list what else is needed in `files = [...]`"
            }
            Self::NoFile => "name a file",
            Self::Indirect => {
                "write its path as a word of its own, or put the text into a script and name that"
            }
            Self::Piped => "put the text into a script and name that",
            Self::Moved => "leave that out, and write `cwd = \"config\"`",
            Self::Loads => "leave that out, or put it into a script and name that",
            Self::Interpreter => "name one that is installed on the machine, for example `python3`",
            Self::Project => "name a script, or accept that with `checkrein trust --uncovered`",
            Self::Shebang => {
                "name the interpreter in the command, or one of the machine in the first line of the script"
            }
            Self::Modules => "add the option `-I`, or put the text into a script and name that",
            Self::Unreadable => "put the text into a script and name that",
        }
    }
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OnlyTheShell => "what it names is decided when it runs",
            Self::Directory => "it is a directory, and any file in it could be used",
            Self::NoFile => "it is no file",
            Self::Indirect => "it names a file of this project in a way that cannot be pinned",
            Self::Piped => "it runs whatever it is sent",
            Self::Moved => "it changes the directory, and with it what later words name",
            Self::Loads => "it decides which code is loaded",
            Self::Interpreter => "it loads packages that can change",
            Self::Project => "it runs what the project contains at that moment",
            Self::Shebang => "the script is run by a file of this project, which is not pinned",
            Self::Modules => "it looks for modules in the directory in which it runs",
            Self::Unreadable => "it cannot be read",
        })
    }
}
