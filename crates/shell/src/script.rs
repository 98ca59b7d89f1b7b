//! The result of reading a shell text: the commands that it would run.
//!
//! A [`Script`] is a flat list, because everything that judges it asks the same question of every command, wherever it
//! is. The context of a command is kept with it, in [`SimpleCommand::within`].

use crate::Word;
use std::{collections::BTreeMap, fmt, ops::Range, sync::Arc};

/// A place in the text, in bytes.
pub type Span = Range<usize>;

/// The place of a command in [`Script::commands`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub usize);

impl CommandId {
    /// The index in [`Script::commands`].
    pub fn index(self) -> usize {
        self.0
    }
}

/// Everything that a text would run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The simple commands in the order in which they would start; those of a substitution before the command that holds it.
    pub commands: Vec<SimpleCommand>,
    /// The functions that the text defines. Their commands are in the list, within [`Nesting::Function`].
    pub functions: Vec<Function>,
    /// The aliases that the text defines.
    pub aliases: Vec<Alias>,
    /// The parts that could not be read. If there are any, the list of commands is incomplete.
    pub opaque: Vec<Opaque>,
    /// Texts that the shell evaluates once more after it has expanded them.
    pub evaluated: Vec<Evaluation>,
    /// The parents of the shells after the first.
    pub(crate) parents: Vec<Shell>,
    /// The loops that only something in them can end.
    pub endless: Vec<Span>,
}

/// A text that the shell evaluates once more, with the commands that it may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// As an arithmetic expression, or as a name: commands in a subscript run.
    Arithmetic(Word),
    /// As a prompt: everything in it is expanded.
    Prompt(Word),
    /// A text that is completely unknown.
    Unknown,
}

/// One of the shells that run a text: the first, or a child that a substitution, a pipeline, parentheses or `&` makes. What a
/// child does to its working directory, its variables and its aliases stays in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shell(pub(crate) usize);

impl Script {
    /// The command of an id.
    pub fn get(&self, id: CommandId) -> Option<&SimpleCommand> {
        self.commands.get(id.0)
    }

    /// The shell that a shell is a child of; none for the first.
    pub fn parent(&self, shell: Shell) -> Option<Shell> {
        self.parents.get(shell.0.checked_sub(1)?).copied()
    }
}

/// One simple command: a program or built-in with its words, or assignments, or redirections alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimpleCommand {
    /// The words after expansion; the first names the command. Empty for assignments alone, and for redirections alone,
    /// such as those of a group or a loop. `[[ … ]]` and `(( … ))` are not in the list, only the commands inside them.
    pub words: Vec<Word>,
    /// The assignments before the words: for the command alone, or for the shell if there are no words.
    pub assignments: Vec<(String, Word)>,
    /// The variables that the text exported before this command, with their values as far as they are known. A shell
    /// that the command starts inherits them.
    pub exported: Option<Arc<BTreeMap<String, String>>>,
    /// The assignments before this command to variables that the caller watches, see [`crate::read_watching`].
    pub watched: Option<Arc<BTreeMap<String, Watched>>>,
    /// The command's own redirections, in order.
    pub redirects: Vec<Arc<Redirect>>,
    /// Those of the groups and loops around it, innermost first.
    pub inherited: Vec<Arc<Redirect>>,
    /// The source of its standard input.
    pub stdin: Input,
    /// The destination of its standard output.
    pub stdout: Output,
    /// The constructs around it, outermost first; empty at the top level.
    pub within: Arc<[Nesting]>,
    /// Tells if it runs whenever the text does.
    pub runs: Runs,
    /// Its place in the source. Inside a text that is rewritten before it is read (`` ` ` ``, `<<-`), the place of
    /// that whole text.
    pub span: Span,
    /// The shell that runs it.
    pub shell: Shell,
    pub(crate) depth: usize,
}

/// An assignment to a variable that the caller watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched {
    /// It gave it this, which may hold parts that are unknown.
    To(Word),
    /// It gave it something that is not known.
    Lost,
    /// It took it away.
    Unset,
}

/// The name under which a variable is kept that is set by a name which is not known.
pub const ANY: &str = "";

/// A construct around a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// The body of a function, which runs when the function is called.
    Function(Arc<str>),
    /// `$(…)` or `` `…` ``: its output becomes text.
    Substitution,
    /// `<(…)`: its output is a file for the command.
    Process,
    /// `>(…)`: what the command writes to that file is its input.
    Sink,
    /// `(…)`.
    Subshell,
    /// A stage of a pipeline.
    Pipeline,
    /// The condition of `if`, `while` or `until`, or the word of `case`.
    Condition,
    /// Code that runs only after a condition: a branch, an arm, the right side of `&&` and `||`.
    Branch,
    /// The body of a loop.
    Loop,
    /// Started in the background, by `&` or `coproc`.
    Background,
}

/// Tells if a command runs whenever the text does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// Yes, unless something before it ends the shell.
    Always,
    /// It depends.
    Maybe,
}

/// The source of standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// From wherever the shell's own comes.
    Inherited,
    /// From these commands, through a pipe.
    Pipe(Arc<[CommandId]>),
    /// From a here-document or a here-string.
    Text(Arc<Redirect>),
    /// From a file.
    File(Arc<Redirect>),
    /// From another descriptor, or closed.
    Descriptor(Arc<Redirect>),
}

/// The destination of standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// To wherever the shell's own goes; inside a substitution, into its text.
    Inherited,
    /// To these commands, through a pipe.
    Pipe(Arc<[CommandId]>),
    /// To a file.
    File(Arc<Redirect>),
    /// To another descriptor, or closed.
    Descriptor(Arc<Redirect>),
}

/// One redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The descriptor, if one is written.
    pub descriptor: Option<u32>,
    /// The operator.
    pub kind: RedirectKind,
    /// The file, the descriptor, or the text.
    pub target: Word,
}

/// The forms of redirections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// `<`
    Read,
    /// `>` and `>|`
    Write,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `&>`, and `>&` with a file
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<&`
    DuplicateInput,
    /// `>&` with a descriptor
    DuplicateOutput,
    /// `<<` and `<<-`; the target is the text
    Document,
    /// `<<<`; the target is the text, without the newline that the shell adds
    Text,
}

impl RedirectKind {
    /// Returns true if the file keeps its content.
    pub fn appends(self) -> bool {
        match self {
            Self::Append | Self::AppendBoth | Self::ReadWrite => true,
            Self::Write | Self::WriteBoth => false,
            Self::Read | Self::DuplicateInput | Self::DuplicateOutput | Self::Document | Self::Text => false,
        }
    }

    /// Returns true if the target is a file that is changed.
    pub fn writes(self) -> bool {
        match self {
            Self::Write | Self::Append | Self::ReadWrite | Self::WriteBoth | Self::AppendBoth => true,
            Self::Read | Self::DuplicateInput | Self::DuplicateOutput | Self::Document | Self::Text => false,
        }
    }
}

/// A function that the text defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its commands.
    pub body: Arc<[CommandId]>,
    /// Its place in the source.
    pub span: Span,
}

/// An alias that the text defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// Its name.
    pub name: String,
    /// The text that replaces it.
    pub value: Word,
    /// The command that defines it.
    pub defined_by: CommandId,
}

/// A part of the text that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opaque {
    /// Its place in the source.
    pub span: Span,
    /// The reason.
    pub why: UnreadableReason,
}

/// The reason why a part of a text could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnreadableReason {
    /// The text is larger than [`crate::MAX_BYTES`].
    TooLong,
    /// It holds a NUL byte, which shells drop or stop at.
    Nul,
    /// It is not UTF-8.
    NotUtf8,
    /// Nested deeper than [`crate::MAX_DEPTH`].
    TooDeep,
    /// Expanding it all would take too much.
    TooMuch,
    /// A quote without its end.
    OpenQuote,
    /// A substitution, expansion or parenthesis without its end.
    OpenBracket,
    /// A compound command without its end.
    OpenCommand,
    /// Something is where the shell expects something else.
    Unexpected,
    /// A here-document that begins inside a substitution and is not in it.
    StrayDocument,
    /// An option that changes how the rest of the text is read.
    Option,
    /// A value is evaluated once more, as a prompt, a name or an expression, and holds something that this would run.
    Evaluated,
}

impl fmt::Display for UnreadableReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooLong => "the text is too long to be read",
            Self::Nul => "the text holds a NUL byte",
            Self::NotUtf8 => "the text is not UTF-8",
            Self::TooDeep => "nested too deeply to be read",
            Self::TooMuch => "expanding it would take too much",
            Self::OpenQuote => "a quote is not closed",
            Self::OpenBracket => "a bracket is not closed",
            Self::OpenCommand => "a compound command is not finished",
            Self::Unexpected => "the shell does not expect this here",
            Self::StrayDocument => "a here-document has no text where it is expected",
            Self::Option => "an option changes how the rest is read",
            Self::Evaluated => "a value is evaluated once more, which can run commands",
        })
    }
}
