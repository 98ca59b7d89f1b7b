//! The expression of `find`: which of the files that it meets reach an action.
//!
//! Adjacent tests must all hold (`-a`), and an action after them is for those files alone. After `-o` come the files
//! that the earlier tests did not select, so only what they are not is known: `-name x -prune -o
//! -delete` deletes everything but `x`. A test before a bracket holds for what is inside it.

use super::WordReader;
use crate::{eval::stdout::pattern_steps, path::Segment};
use checkrein_shell::Word;

/// The maximum nesting of brackets that is followed; deeper ones count as unlimited.
const BRACKETS: usize = 16;

/// The limits of a search.
#[derive(Clone, Default)]
pub(super) struct Filter {
    /// By their names, or by their paths below the start.
    pub(super) names: Vec<Vec<Segment>>,
    /// By something else.
    pub(super) narrow: bool,
    /// Only what is empty, or has a name that is partly known.
    pub(super) chosen: bool,
    /// Only files, which have nothing below them.
    pub(super) files: bool,
    /// Only other names of this file.
    pub(super) same: Option<Word>,
}

impl Filter {
    /// Keeps what both let through.
    fn both(&mut self, other: Self) {
        self.names.extend(other.names);
        self.narrow |= other.narrow;
        self.chosen |= other.chosen;
        self.files |= other.files;
        self.same = other.same.or(self.same.take());
    }

    /// Returns what one of the two lets through.
    fn either(self, other: Self) -> Self {
        let named = !self.names.is_empty() && !other.names.is_empty();
        // If one side selects by names and the other by something else, both are limited, but not by names.
        let limited = |filter: &Self| filter.narrow || !named && !filter.names.is_empty();
        let chosen = |filter: &Self| filter.chosen || !named && !filter.names.is_empty();
        Self {
            narrow: limited(&self) && limited(&other),
            chosen: chosen(&self) && chosen(&other),
            files: self.files && other.files,
            same: self.same.filter(|_| other.same.is_some()),
            names: if named { self.names.into_iter().chain(other.names).collect() } else { Vec::new() },
        }
    }
}

/// The action on the files that are found.
pub(super) enum FindAction<'a> {
    /// They are deleted.
    Delete(&'a Word),
    /// A list of them is written to a file.
    Write(&'a Word),
    /// A command runs for them, perhaps in the directory of each.
    Run {
        /// The option with which it begins.
        by: &'a str,
        /// The command with its arguments.
        command: &'a [Word],
    },
    /// They are printed.
    Print,
}

/// The actions of an expression, each with what reaches it.
pub(super) fn actions(expression: &[Word]) -> Vec<(FindAction<'_>, Filter)> {
    let mut walk = Walk { reader: WordReader::new(expression), actions: Vec::new(), depth: 0 };
    let mut all = walk.list(&Filter::default());
    // A bracket too many ends nothing.
    while !walk.reader.rest().is_empty() {
        all = all.either(walk.list(&Filter::default()));
    }
    let acts = walk.actions.iter().any(|(action, _)| !matches!(action, FindAction::Write(_)));
    if !acts {
        walk.actions.push((FindAction::Print, all));
    }
    walk.actions
}

struct Walk<'a> {
    reader: WordReader<'a>,
    actions: Vec<(FindAction<'a>, Filter)>,
    depth: usize,
}

impl<'a> Walk<'a> {
    /// Rows with `-o` or `,` between them, up to the end of a bracket. `outer`: what holds already.
    fn list(&mut self, outer: &Filter) -> Filter {
        let mut whole: Option<Filter> = None;
        let mut row = Filter::default();
        let mut not = false;
        while let Some(word) = self.reader.next() {
            let test = match word.lead() {
                ")" => break,
                "-o" | "-or" | "," => {
                    let done = std::mem::take(&mut row);
                    whole = Some(match whole.take() {
                        Some(whole) => whole.either(done),
                        None => done,
                    });
                    not = false;
                    continue;
                }
                "!" | "-not" => {
                    not = !not;
                    continue;
                }
                "-a" | "-and" => continue,
                "(" => {
                    let mut inside = outer.clone();
                    inside.both(row.clone());
                    self.depth += 1;
                    let filter = if self.depth > BRACKETS { Filter::default() } else { self.list(&inside) };
                    self.depth = self.depth.saturating_sub(1);
                    filter
                }
                lead => match self.action(word, lead) {
                    Some(action) => {
                        let mut reached = outer.clone();
                        reached.both(row.clone());
                        self.actions.push((action, reached));
                        Filter::default()
                    }
                    None => self.test(lead),
                },
            };
            // Of what is not something, nothing is known.
            if !std::mem::take(&mut not) {
                row.both(test);
            }
        }
        match whole {
            Some(whole) => whole.either(row),
            None => row,
        }
    }

    fn action(&mut self, word: &'a Word, lead: &'a str) -> Option<FindAction<'a>> {
        match lead {
            "-delete" => Some(FindAction::Delete(word)),
            "-print" | "-print0" | "-ls" => Some(FindAction::Print),
            "-printf" => {
                self.reader.next();
                Some(FindAction::Print)
            }
            "-fprint" | "-fprint0" | "-fls" => self.reader.next().map(FindAction::Write),
            "-fprintf" => {
                let file = self.reader.next();
                self.reader.next();
                file.map(FindAction::Write)
            }
            by @ ("-exec" | "-execdir" | "-ok" | "-okdir") => {
                let rest = self.reader.rest();
                let is_end = |word: &Word| matches!(word.lead(), ";" | "+");
                let length = rest.iter().position(is_end).unwrap_or(rest.len());
                self.reader.skip(length + 1);
                Some(FindAction::Run { by, command: rest.get(..length).unwrap_or_default() })
            }
            _ => None,
        }
    }

    fn test(&mut self, lead: &str) -> Filter {
        let mut filter = Filter::default();
        match lead {
            "-name" | "-iname" | "-path" | "-ipath" | "-wholename" | "-iwholename" | "-regex" | "-iregex"
            | "-lname" | "-ilname" => {
                let name = self.reader.next();
                let text = name.and_then(|word| word.pattern()).unwrap_or_default();
                // A name that is partly known is still a limit.
                let partly = text.is_empty() && name.is_some_and(|word| word.parts.len() > 1);
                filter.narrow = partly;
                filter.chosen = partly;
                filter.names.extend(steps_of(&text));
            }
            "-type" | "-xtype" => {
                filter.files = self.reader.next().is_some_and(|word| word.lead() == "f");
            }
            "-mtime" | "-mmin" | "-atime" | "-amin" | "-ctime" | "-cmin" | "-newer" | "-anewer"
            | "-cnewer" | "-size" | "-user" | "-group" | "-uid" | "-gid" | "-perm" | "-inum" | "-links"
            | "-fstype" | "-used" | "-newermt" => {
                self.reader.next();
                filter.narrow = true;
            }
            "-samefile" => {
                filter.same = self.reader.next().cloned();
                filter.narrow = true;
            }
            "-empty" | "-nouser" | "-nogroup" | "-executable" => {
                filter.chosen = lead == "-empty";
                filter.narrow = true;
            }
            "-maxdepth" | "-mindepth" => drop(self.reader.next()),
            _ => {}
        }
        filter
    }
}

/// A pattern of names or paths, unless it matches every name.
fn steps_of(text: &str) -> Option<Vec<Segment>> {
    if text.chars().all(|char| matches!(char, '*' | '?' | '.' | '/')) {
        return None;
    }
    let steps = pattern_steps(text.trim_start_matches("./").trim_start_matches("*/"));
    let says = |step: &&Segment| {
        !matches!(step, Segment::Pattern(pattern) if &**pattern == "*") || !text.contains('/')
    };
    Some(steps.steps.iter().filter(says).cloned().collect())
}
