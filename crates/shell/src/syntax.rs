//! The text as it is written, before anything is expanded.
//!
//! It exists between [`crate::parse`] and [`crate::resolve`] only: nothing else sees how a command was spelt.

use crate::{
    script::{RedirectKind, Span},
    word::Unknown,
};

/// Commands one after another.
#[derive(Debug, Default)]
pub(crate) struct List {
    pub(crate) chains: Vec<Chain>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) first: Pipeline,
    pub(crate) rest: Vec<(Link, Pipeline)>,
    pub(crate) background: bool,
}

/// The operator between two pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    And,
    Or,
}

/// Commands joined by `|`.
#[derive(Debug, Default)]
pub(crate) struct Pipeline {
    pub(crate) stages: Vec<Command>,
}

/// A command with its redirections.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) kind: Kind,
    pub(crate) redirects: Vec<RawRedirect>,
    pub(crate) span: Span,
}

/// The forms of commands.
#[derive(Debug)]
pub(crate) enum Kind {
    SimpleCommand {
        assignments: Vec<Assignment>,
        words: Vec<RawWord>,
    },
    Group(List),
    Subshell(List),
    If {
        branches: Vec<(List, List)>,
        otherwise: Option<List>,
    },
    /// `until`: it goes on as long as the condition does not hold.
    While {
        condition: List,
        body: List,
        until: bool,
    },
    For {
        name: String,
        words: Option<Vec<RawWord>>,
        body: List,
    },
    CountingFor {
        header: Vec<Piece>,
        body: List,
    },
    Case {
        subject: RawWord,
        arms: Vec<(Vec<RawWord>, List)>,
    },
    Function {
        name: String,
        body: Box<Command>,
    },
    Test(Vec<RawWord>),
    Arithmetic(Vec<Piece>),
    Coprocess(Box<Command>),
}

/// `name=value`, `name+=value`, `name[i]=value`, `name=(…)`.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) name: String,
    pub(crate) append: bool,
    pub(crate) index: Option<Vec<Piece>>,
    pub(crate) value: RawWord,
}

/// A redirection as written.
#[derive(Debug)]
pub(crate) struct RawRedirect {
    pub(crate) descriptor: Option<u32>,
    pub(crate) kind: RedirectKind,
    pub(crate) target: RawTarget,
}

/// The target of a redirection.
#[derive(Debug)]
pub(crate) enum RawTarget {
    Word(RawWord),
    /// The place of a here-document in [`Tree::documents`]: its text comes later than the redirection.
    Document(usize),
}

/// A word as written.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawWord {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) span: Span,
}

impl RawWord {
    /// Its text if no character of it is quoted or expanded, which is what makes a reserved word.
    pub(crate) fn bare(&self) -> Option<String> {
        bare_text(&self.pieces)
    }

    /// Returns true if the word is this text and no character of it is quoted or expanded.
    pub(crate) fn is_bare(&self, text: &str) -> bool {
        let same = |(piece, wanted): (&Piece, char)| matches!(piece, Piece::Bare(char) if *char == wanted);
        self.pieces.len() == text.chars().count() && self.pieces.iter().zip(text.chars()).all(same)
    }
}

/// The text of pieces without a quoted or expanded character.
pub(crate) fn bare_text(pieces: &[Piece]) -> Option<String> {
    pieces.iter().map(|piece| if let Piece::Bare(char) = piece { Some(*char) } else { None }).collect()
}

/// Tells if an expansion is in double quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    Bare,
    Quoted,
}

/// A part of a word as written.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// One character without quotes.
    Bare(char),
    /// Characters that quotes or a backslash make ordinary.
    Quoted(String),
    Parameter(Box<Parameter>, Quoting),
    /// The place of the commands in [`Tree::substitutions`].
    Substitution(usize, Quoting),
    /// The process substitution `<(…)`, by its place in [`Tree::substitutions`].
    Process(usize),
    /// The process substitution `>(…)`, by its place in [`Tree::substitutions`].
    Sink(usize),
    Arithmetic(Vec<Piece>, Quoting),
    Array(Vec<RawWord>),
    /// A part that the source itself does not know, by its place in [`Tree::holes`].
    Hole(usize, Quoting),
    /// A part that depends on the locale or is not computed here.
    Uncertain,
    /// A part that could not be read.
    Unreadable,
}

/// `$x` and everything between `${` and `}`.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// Without braces, so that a letter behind it would belong to the name.
    pub(crate) short: bool,
    pub(crate) index: Option<Vec<Piece>>,
    pub(crate) change: Change,
}

/// The operation on the value of a parameter.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    None,
    Length,
    Indirect,
    /// `-`, `=`, `?` or `+`, with `:` also for an empty value; `:` alone for `::=`.
    Fallback {
        operator: char,
        or_empty: bool,
        word: Vec<Piece>,
    },
    /// `#`, `##`, `%`, `%%`.
    Remove {
        operator: char,
        longest: bool,
        pattern: Vec<Piece>,
    },
    /// `/`, `//`, `/#`, `/%`.
    Replace {
        operator: char,
        pattern: Vec<Piece>,
        with: Vec<Piece>,
    },
    Slice {
        from: Vec<Piece>,
        length: Option<Vec<Piece>>,
    },
    /// `^`, `^^`, `,`, `,,`, without a pattern.
    Case {
        upper: bool,
        all: bool,
    },
    /// Anything else: read for the commands in it, and unknown.
    Other(Vec<Piece>),
}

/// Everything that was read.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) list: List,
    pub(crate) substitutions: Vec<List>,
    pub(crate) documents: Vec<RawWord>,
    pub(crate) holes: Vec<Unknown>,
}
