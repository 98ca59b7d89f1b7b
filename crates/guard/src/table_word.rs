//! The words that the table of programs knows: they may be shown where no other word of a command may.

use crate::program::{self, Program, Value};

/// A program of the table, or one of its subcommands.
#[derive(Clone, Copy, Debug)]
pub struct KnownProgram(&'static Program);

impl KnownProgram {
    /// Returns the program of this name.
    pub fn of(name: &str) -> Option<Self> {
        program::find(name).map(Self)
    }

    /// Returns the subcommand that a word names. A pattern of the table names none: its words are the caller's.
    #[must_use]
    pub fn subcommand(self, word: &str) -> Option<Self> {
        let found = program::subcommands(self.0, word).into_iter();
        found.into_iter().find(|entry| entry.name.last() == Some(&word)).map(Self)
    }

    /// Returns true if the table has subcommands of it.
    pub fn has_subcommands(self) -> bool {
        program::has_subcommands(self.0)
    }

    /// Returns whether an option takes the next word as its value; `None` if the table does not have the option.
    pub fn option(self, name: &str) -> Option<bool> {
        let root = self.0.name.first().and_then(|name| program::find(name));
        let all = self.0.options.into_iter().chain(root.into_iter().flat_map(|root| root.options));
        let found = all.into_iter().find(|option| option.names.contains(&name))?;
        Some(matches!(found.value, Value::Required(_) | Value::Several(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_of_the_table_are_known() {
        let go = KnownProgram::of("go").unwrap();
        assert!(go.has_subcommands() && go.subcommand("test").is_some());
        assert!(go.subcommand("ignore-all-rules").is_none() && go.option("--obey-me").is_none());
        assert!(KnownProgram::of("mkdir").is_some_and(|mkdir| mkdir.option("-p") == Some(false)));
        assert!(KnownProgram::of("a-program-that-nobody-has").is_none());
        // The words that a pattern matches are those of others.
        let shell = KnownProgram::of("zookeeper-shell").unwrap();
        assert!(shell.subcommand("any-host").is_none());
    }
}
