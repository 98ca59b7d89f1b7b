//! What is wrong with a configuration, and where.
//!
//! A broken configuration denies everything that can be denied, so its message is what stands between a person and
//! their work: it names the file, the place, the key, what was expected and the nearest name, and it names *all*
//! problems, since nobody wants to find them one by one. The text of a configuration may come from a stranger's
//! repository: control characters are never shown as they are, and long lines are cut.

use crate::tree::Span;
use checkrein_core::sanitize::{is_hidden, one_line};
use std::{cell::OnceCell, error::Error, fmt, path::Path, sync::Arc};

/// One thing that is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    file: Arc<Path>,
    place: Option<Place>,
    key: String,
    message: String,
    hint: Option<String>,
}

/// A place in a text, and the line as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    line: usize,
    column: usize,
    shown: String,
    /// How many characters of `shown` stand before the marker, and how long it is.
    marker: (usize, usize),
}

impl Problem {
    /// A problem of the file as a whole.
    pub(crate) fn of_file(file: &Path, message: impl fmt::Display) -> Self {
        let message = plain(&message.to_string());
        Self { file: file.into(), place: None, key: String::new(), message, hint: None }
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

    /// What is wrong, and what was expected.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to write instead.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// All of it in one line, for a place that has room for one.
    pub fn one_line(&self) -> String {
        let hint = self.hint.as_deref().map(|hint| format!(" ({hint})")).unwrap_or_default();
        format!("{}{hint}", self.head())
    }

    fn head(&self) -> String {
        let mut head = plain(&self.file.display().to_string());
        if let Some(place) = &self.place {
            head.push_str(&format!(":{}:{}", place.line, place.column));
        }
        if !self.key.is_empty() {
            head.push_str(&format!(": {}", self.key));
        }
        format!("{head}: {}", self.message)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.head())?;
        if let Some(Place { line, shown, marker: (before, length), .. }) = &self.place {
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
pub struct Problems(Box<List>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct List {
    first: Problem,
    others: Vec<Problem>,
    cut: bool,
}

impl Problems {
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

    /// Whether there may be more than were kept.
    pub const fn is_cut(&self) -> bool {
        self.0.cut
    }

    /// Adds those of another file.
    pub(crate) fn append(&mut self, more: Self) {
        self.0.cut |= more.0.cut;
        self.0.others.push(more.0.first);
        self.0.others.extend(more.0.others);
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

impl From<Problem> for Problems {
    fn from(first: Problem) -> Self {
        Self(Box::new(List { first, others: Vec::new(), cut: false }))
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first().fmt(f)?;
        for problem in &self.0.others {
            write!(f, "\n\n{problem}")?;
        }
        if self.is_cut() {
            write!(f, "\n\nthere may be more problems after these {}", Self::MOST)
        } else {
            Ok(())
        }
    }
}

impl Error for Problems {}

/// Collects the problems of one text.
#[derive(Debug)]
pub(crate) struct Report<'t> {
    file: Arc<Path>,
    text: &'t str,
    line_starts: OnceCell<Vec<usize>>,
    problems: Vec<(usize, Problem)>,
}

impl<'t> Report<'t> {
    pub(crate) fn new(file: &Path, text: &'t str) -> Self {
        Self { file: file.into(), text, line_starts: OnceCell::new(), problems: Vec::new() }
    }

    /// Whether nothing more is kept. Readers stop here, so that a hostile text costs no more than an honest one.
    pub(crate) fn is_full(&self) -> bool {
        self.problems.len() >= Problems::MOST
    }

    /// Adds a problem at `span`.
    pub(crate) fn add(&mut self, key: impl Into<String>, span: &Span, message: &str, hint: Option<&str>) {
        if self.is_full() {
            return;
        }
        let problem = Problem {
            file: self.file.clone(),
            place: Some(self.place(span)),
            key: plain(&key.into()),
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
    pub(crate) fn finish(mut self) -> Result<(), Problems> {
        let cut = self.is_full();
        self.problems.sort_by_key(|(start, _)| *start);
        let mut problems = self.problems.into_iter().map(|(_, problem)| problem);
        let Some(first) = problems.next() else { return Ok(()) };
        Err(Problems(Box::new(List { first, others: problems.collect(), cut })))
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            let breaks = self.text.match_indices('\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(breaks).collect()
        })
    }

    fn place(&self, span: &Span) -> Place {
        /// How much of a line is shown before the place, and from it on.
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
        Place { line, column, shown, marker }
    }
}

/// A character as it may be shown in a line, so that a marker under it stays in its place.
fn shown(c: char) -> char {
    match c {
        '\t' => ' ',
        c if is_hidden(c) => '\u{fffd}',
        c => c,
    }
}

/// A text as it may be shown in a message: in one line, with no character that acts on a terminal, and not endless.
fn plain(text: &str) -> String {
    const MOST: usize = 300;
    one_line(text, MOST)
}
