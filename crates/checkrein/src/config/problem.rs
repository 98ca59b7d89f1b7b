//! Configuration errors, with their positions.
//!
//! A broken configuration denies everything that can be denied, so its message must be enough for a user to fix it:
//! it names the file, the place, the key, what was expected and the nearest name, and it names *all* problems, so
//! that they need not be found one by one. The text of a configuration may come from a stranger's repository: control
//! characters are never shown as they are, and long lines are cut.
//!
//! That is what a user reads. A model is told the file, the line, the column and the kind of each problem, and nothing that
//! is in the file ([`ConfigError::for_model`]): a configuration can hold a secret, and one of a stranger can be a link to a
//! file that does, or contain instructions. No line is shown of a file whose name says that it holds secrets.

use crate::builtin::Disk;
use crate::config::{layer::Layer, tree::Span};
use checkrein_core::SmallSort as _;
use checkrein_core::sanitize::{escape, is_hidden, one_line};
use checkrein_guard::{Action, CallContext, Tag, Target, judge_file};
use std::{cell::OnceCell, error::Error, fmt, path::Path, sync::Arc};

/// One thing that is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    file: Arc<Path>,
    layer: Option<Layer>,
    kind: ProblemKind,
    place: Option<SourcePosition>,
    key: String,
    message: String,
    hint: Option<String>,
}

/// The kind of a problem, in our own words only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProblemKind {
    /// The file as a whole; its message holds no word of the file.
    File,
    /// The text is not in its notation.
    Syntax,
    /// An unknown key.
    Key,
    /// A setting that a layer may not make, and why.
    Refused(&'static str),
    /// Any other problem: the content is not what is expected there.
    Content,
}

impl ProblemKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::File => "the file cannot be used",
            Self::Syntax => "not valid TOML or JSON",
            Self::Key => "an unknown key",
            Self::Refused(why) => why,
            Self::Content => "a key or a value that is not understood",
        }
    }
}

/// A place in a text, and the line as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SourcePosition {
    line: usize,
    column: usize,
    /// The line, unless nothing of it may be shown.
    shown: Option<String>,
    /// The number of characters of `shown` before the marker, and its length.
    marker: (usize, usize),
}

impl Problem {
    /// A problem of the file as a whole.
    pub(crate) fn of_file(file: &Path, message: impl fmt::Display) -> Self {
        let message = plain(&message.to_string());
        let (layer, kind) = (None, ProblemKind::File);
        Self { file: file.into(), layer, kind, place: None, key: String::new(), message, hint: None }
    }

    /// The file, as it was named.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The line, counted from 1, unless the file as a whole is the problem.
    pub fn line(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.line)
    }

    /// The column in characters, counted from 1.
    pub fn column(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.column)
    }

    /// The key that it is about, such as `hook[0].event`; hooks are counted from 0. Empty if there is none.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the problem, and what was expected.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns what to write instead.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The problem in one line; for a project's file, only its place and kind.
    pub fn one_line(&self) -> String {
        if self.layer == Some(Layer::Project) {
            return self.in_our_words();
        }
        let hint = self.hint.as_deref().map(|hint| format!(" ({hint})")).unwrap_or_default();
        format!("{}{hint}", self.head())
    }

    /// Returns the problem in our words alone: the file, the line, the column and the kind.
    fn in_our_words(&self) -> String {
        let what = if self.kind == ProblemKind::File { &self.message } else { self.kind.as_str() };
        format!("{}: {what}", self.start())
    }

    /// Removes everything that is quoted from the file.
    fn forget_the_text(&mut self) {
        if self.kind != ProblemKind::File {
            self.message =
                format!("{}; the file contains secrets, so none of it is shown", self.kind.as_str());
        }
        self.key.clear();
        self.hint = None;
        if let Some(place) = &mut self.place {
            place.shown = None;
        }
    }

    fn start(&self) -> String {
        let mut start = plain(&self.file.display().to_string());
        if let Some(place) = &self.place {
            start.push_str(&format!(":{}:{}", place.line, place.column));
        }
        start
    }

    fn head(&self) -> String {
        let mut head = self.start();
        if !self.key.is_empty() {
            head.push_str(&format!(": {}", self.key));
        }
        format!("{head}: {}", self.message)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.head())?;
        if let Some(SourcePosition { line, shown: Some(shown), marker: (before, length), .. }) = &self.place {
            let number = line.to_string();
            let gutter = " ".repeat(number.len());
            write!(f, "\n{number} | {shown}\n{gutter} | {}{}", " ".repeat(*before), "^".repeat(*length))?;
        }
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "\nhint: {hint}"))
    }
}

impl Error for Problem {}

/// Everything that is wrong with a configuration, in the order of the text. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(Box<List>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct List {
    first: Problem,
    others: Vec<Problem>,
    cut: bool,
}

impl ConfigError {
    /// No more than this many are kept.
    pub const MOST: usize = 100;

    /// The first one.
    pub const fn first(&self) -> &Problem {
        &self.0.first
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        std::iter::once(&self.0.first).chain(&self.0.others)
    }

    /// Returns true if there may be more than were kept.
    pub const fn is_cut(&self) -> bool {
        self.0.cut
    }

    /// Adds those of another file.
    pub(crate) fn append(&mut self, more: Self) {
        self.0.cut |= more.0.cut;
        self.0.others.push(more.0.first);
        self.0.others.extend(more.0.others);
    }

    /// Marks all problems as those of a file of this layer.
    #[must_use]
    pub(crate) fn of_layer(mut self, layer: Layer) -> Self {
        self.0.first.layer = Some(layer);
        self.0.others.iter_mut().for_each(|problem| problem.layer = Some(layer));
        self
    }

    /// Returns the problems for a model: the owner of the file, and the position and kind of each. It quotes nothing from a file.
    /// `checkrein hook` writes no more than this to stderr, because some hosts show that to the model.
    pub fn for_model(&self) -> String {
        /// Maximum number of problems that are named.
        const MOST: usize = 5;
        let mut lines = Vec::new();
        if self.iter().any(|problem| problem.layer == Some(Layer::Project)) {
            lines.push(
                "a configuration file of this project, which no user has trusted, is broken (`checkrein repair`, run by a user, ignores it for some minutes):"
                    .to_owned(),
            );
        }
        // The project's first, since they are what that is about.
        let of_project = |problem: &&Problem| problem.layer == Some(Layer::Project);
        let of_others = |problem: &&Problem| problem.layer != Some(Layer::Project);
        lines.extend(self.iter().filter(of_project).take(MOST).map(Problem::in_our_words));
        let room = MOST.saturating_sub(self.iter().filter(of_project).count());
        if !lines.is_empty() && room > 0 && self.iter().any(|problem| of_others(&problem)) {
            lines.push("and in files that are not the project's:".to_owned());
        }
        lines.extend(self.iter().filter(of_others).take(room).map(Problem::in_our_words));
        match self.iter().count().saturating_sub(MOST) {
            0 => {}
            1 => lines.push("and 1 more problem".to_owned()),
            more => lines.push(format!("and {more} more problems")),
        }
        lines.join("\n")
    }

    /// Returns the complete text for a user. A project's file is quoted only at a terminal, since elsewhere an agent
    /// may read the text.
    pub fn for_user(&self, at_a_terminal: bool) -> String {
        let quoted = |problem: &Problem| at_a_terminal || problem.layer != Some(Layer::Project);
        let mut texts: Vec<String> = self
            .iter()
            .map(|problem| if quoted(problem) { problem.to_string() } else { problem.in_our_words() })
            .collect();
        if self.is_cut() {
            texts.push(self.and_more());
        }
        texts.join("\n\n")
    }

    fn and_more(&self) -> String {
        format!("there may be more problems after these {}", Self::MOST)
    }

    /// The first one in one line, and how many others there are: the reason of a denial.
    pub fn one_line(&self) -> String {
        let more = match self.0.others.len() {
            0 => String::new(),
            1 => "; and 1 more problem".to_owned(),
            count => format!("; and {count} more problems"),
        };
        format!("{}{more}", self.0.first.one_line())
    }
}

impl From<Problem> for ConfigError {
    fn from(first: Problem) -> Self {
        Self(Box::new(List { first, others: Vec::new(), cut: false }))
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first().fmt(f)?;
        for problem in &self.0.others {
            write!(f, "\n\n{problem}")?;
        }
        if self.is_cut() { write!(f, "\n\n{}", self.and_more()) } else { Ok(()) }
    }
}

impl Error for ConfigError {}

/// Collects the problems of one text.
#[derive(Debug)]
pub(crate) struct ProblemCollector<'t> {
    file: Arc<Path>,
    text: &'t str,
    line_starts: OnceCell<Vec<usize>>,
    problems: Vec<(usize, Problem)>,
}

impl<'t> ProblemCollector<'t> {
    pub(crate) fn new(file: &Path, text: &'t str) -> Self {
        Self { file: file.into(), text, line_starts: OnceCell::new(), problems: Vec::new() }
    }

    /// Returns true if there is no problem so far.
    pub(crate) const fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// Returns true if nothing more is kept. Readers stop here, so that a hostile text costs no more than an honest
    /// one.
    pub(crate) fn is_full(&self) -> bool {
        self.problems.len() >= ConfigError::MOST
    }

    /// Adds a problem at `span`.
    pub(crate) fn add(&mut self, key: impl Into<String>, span: &Span, message: &str, hint: Option<&str>) {
        self.add_kind(ProblemKind::Content, &key.into(), span, message, hint);
    }

    /// Adds a syntax error.
    pub(crate) fn add_syntax(&mut self, span: &Span, message: &str) {
        self.add_kind(ProblemKind::Syntax, "", span, message, None);
    }

    /// Adds an unknown key.
    pub(crate) fn add_key(&mut self, key: impl Into<String>, span: &Span, message: &str, hint: &str) {
        self.add_kind(ProblemKind::Key, &key.into(), span, message, Some(hint));
    }

    /// Adds a key that is not allowed here, and the reason.
    pub(crate) fn add_refused(&mut self, key: impl Into<String>, span: &Span, why: &'static str) {
        self.add_kind(ProblemKind::Refused(why), &key.into(), span, why, None);
    }

    fn add_kind(&mut self, kind: ProblemKind, key: &str, span: &Span, message: &str, hint: Option<&str>) {
        if self.is_full() {
            return;
        }
        let problem = Problem {
            file: self.file.clone(),
            layer: None,
            kind,
            place: Some(self.place(span)),
            key: plain(key),
            message: plain(message),
            hint: hint.map(plain),
        };
        self.problems.push((span.start, problem));
    }

    /// The byte at which a line begins, counted from 1.
    pub(crate) fn line_start(&self, line: usize) -> usize {
        let starts = self.line_starts();
        starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len())
    }

    /// The line of a place, counted from 1.
    pub(crate) fn line(&self, span: &Span) -> usize {
        self.line_starts().partition_point(|start| *start <= span.start).max(1)
    }

    /// All that was added, in the order of the text.
    pub(crate) fn finish(mut self) -> Result<(), ConfigError> {
        let cut = self.is_full();
        if !self.problems.is_empty() && holds_secrets(&self.file) {
            self.problems.iter_mut().for_each(|(_, problem)| problem.forget_the_text());
        }
        self.problems.small_sort_by_key(|(start, _)| *start);
        let mut problems = self.problems.into_iter().map(|(_, problem)| problem);
        let Some(first) = problems.next() else { return Ok(()) };
        Err(ConfigError(Box::new(List { first, others: problems.collect(), cut })))
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            let breaks = self.text.match_indices('\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(breaks).collect()
        })
    }

    fn place(&self, span: &Span) -> SourcePosition {
        /// The maximum lengths of a line's parts that are shown before the place and from it on.
        const BEFORE: usize = 90;
        const AFTER: usize = 70;

        let at = self.text.floor_char_boundary(span.start);
        let (before, after) = self.text.split_at_checked(at).unwrap_or((self.text, ""));
        let line = self.line_starts().partition_point(|start| *start <= at).max(1);
        let line_start = self.line_start(line);
        let column = self.text.get(line_start..at).map_or(0, |part| part.chars().count()) + 1;

        let mut left: Vec<char> =
            before.chars().rev().take_while(|c| *c != '\n').take(BEFORE + 1).map(shown).collect();
        if left.len() > BEFORE {
            left.pop();
            left.push('…');
        }
        let mut right: Vec<char> =
            after.trim_start_matches('\r').chars().take_while(|c| *c != '\n').take(AFTER + 1).collect();
        if right.len() > AFTER {
            right.pop();
            right.push('…');
        } else if right.last() == Some(&'\r') {
            right.pop();
        }
        let marked = self.text.get(at..span.end).map_or(1, |part| part.chars().take(AFTER).count());
        let length = marked.min(right.len()).max(1);
        let marker = (left.len(), length);
        let shown = left.into_iter().rev().chain(right.into_iter().map(shown)).collect();
        SourcePosition { line, column, shown: Some(shown), marker }
    }
}

/// The tags of files that are never quoted.
const SECRETS: [Tag; 3] = [Tag::Secret, Tag::Environ, Tag::History];

/// Returns true if a file contains secrets, by what the guard knows about its name and about the target of the link,
/// if it is one.
fn holds_secrets(path: &Path) -> bool {
    let cwd = path.parent().map(|directory| directory.display().to_string());
    let place = CallContext { cwd, ..CallContext::default() };
    let real = path.canonicalize().ok();
    [Some(path), real.as_deref()].into_iter().flatten().any(|path| {
        let read = judge_file(Action::Read, &path.to_string_lossy(), None, &place, &Disk);
        read.effects.iter().any(|effect| match &effect.target {
            Target::Path(spot) => SECRETS.iter().any(|tag| spot.tags.has(*tag)),
            Target::Host(_) | Target::Name(_) | Target::Nothing => false,
        })
    })
}

/// A character as it may be shown in a line, so that a marker under it stays in its place.
fn shown(c: char) -> char {
    match c {
        '\t' => ' ',
        c if is_hidden(c) => '\u{fffd}',
        c => c,
    }
}

/// A text for a message: one line of bounded length, without characters that act on a terminal.
fn plain(text: &str) -> String {
    const MOST: usize = 300;
    one_line(&escape(text), MOST)
}
