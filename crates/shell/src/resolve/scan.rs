//! Finds the variables that a part of the text may set, without following it: for loops and functions, which run more
//! than once, or later.

use crate::syntax::{Chain, Command, Kind, List, Piece, RawTarget, RawWord, Tree};
use std::collections::BTreeMap;

/// The variables that may be set, and how often they are written.
#[derive(Clone, Debug, Default)]
pub(super) struct Writes {
    pub(super) names: BTreeMap<String, usize>,
    /// The functions that are defined.
    pub(super) functions: Vec<String>,
    /// Anything may be set.
    pub(super) anything: bool,
    /// Variables may be given attributes that last.
    pub(super) attributes: bool,
}

/// Scans a list. `functions` are the names whose calls may set anything.
pub(super) fn scan<'a>(
    tree: &Tree,
    functions: &BTreeMap<String, Writes>,
    lists: impl IntoIterator<Item = &'a List>,
) -> Writes {
    let mut scanner = Scanner { tree, functions, writes: Writes::default() };
    for list in lists {
        scanner.list(list);
    }
    scanner.writes
}

/// Scans the body of a function.
pub(super) fn scan_command(tree: &Tree, functions: &BTreeMap<String, Writes>, command: &Command) -> Writes {
    let mut scanner = Scanner { tree, functions, writes: Writes::default() };
    scanner.command(command);
    scanner.writes
}

struct Scanner<'a> {
    tree: &'a Tree,
    functions: &'a BTreeMap<String, Writes>,
    writes: Writes,
}

impl Scanner<'_> {
    fn name(&mut self, name: &str) {
        *self.writes.names.entry(name.to_owned()).or_default() += 1;
    }

    fn list(&mut self, list: &List) {
        for Chain { first, rest, .. } in &list.chains {
            for pipeline in std::iter::once(first).chain(rest.iter().map(|(_, pipeline)| pipeline)) {
                for command in &pipeline.stages {
                    self.command(command);
                }
            }
        }
    }

    fn command(&mut self, command: &Command) {
        for redirect in &command.redirects {
            match &redirect.target {
                RawTarget::Word(word) => self.pieces(&word.pieces),
                RawTarget::Document(place) => {
                    let tree = self.tree;
                    self.pieces(tree.documents.get(*place).map_or(&[], |document| &document.pieces));
                }
            }
        }
        match &command.kind {
            Kind::SimpleCommand { assignments, words } => {
                for assignment in assignments {
                    self.name(&assignment.name);
                    assignment.index.iter().for_each(|index| self.arithmetic(index));
                    self.pieces(&assignment.value.pieces);
                }
                self.simple(words);
            }
            Kind::Group(list) | Kind::Subshell(list) => self.list(list),
            Kind::If { branches, otherwise } => {
                for (condition, body) in branches {
                    self.list(condition);
                    self.list(body);
                }
                otherwise.iter().for_each(|list| self.list(list));
            }
            Kind::While { condition, body, .. } => {
                self.list(condition);
                self.list(body);
            }
            Kind::For { name, words, body } => {
                self.name(name);
                words.iter().flatten().for_each(|word| self.pieces(&word.pieces));
                self.list(body);
            }
            Kind::CountingFor { header, body } => {
                self.arithmetic(header);
                self.list(body);
            }
            Kind::Case { subject, arms } => {
                self.pieces(&subject.pieces);
                for (patterns, body) in arms {
                    patterns.iter().for_each(|pattern| self.pieces(&pattern.pieces));
                    self.list(body);
                }
            }
            Kind::Function { name, body } => {
                self.writes.functions.push(name.clone());
                self.command(body);
            }
            Kind::Coprocess(body) => self.command(body),
            Kind::Test(words) => {
                self.name("BASH_REMATCH");
                words.iter().for_each(|word| self.pieces(&word.pieces));
            }
            Kind::Arithmetic(pieces) => self.arithmetic(pieces),
        }
    }

    fn simple(&mut self, words: &[RawWord]) {
        words.iter().for_each(|word| self.pieces(&word.pieces));
        let Some((first, rest)) = words.split_first() else { return };
        let global =
            |word: &RawWord| word.bare().is_none_or(|word| word.starts_with('-') && word.contains('g'));
        self.writes.attributes |= match first.bare().as_deref() {
            Some("readonly") => true,
            Some("declare" | "typeset") => rest.first().is_some_and(global),
            Some(_) | None => false,
        };
        let Some(program) = first.bare() else {
            // Quotes and backslashes alone do not make it unknown, but neither is it worth more here.
            self.writes.anything = true;
            return;
        };
        match program.as_str() {
            "eval" | "source" | "." | "trap" | "builtin" | "command" | "set" | "shift" | "enable"
            | "coproc" => {
                self.writes.anything = true;
            }
            "read" | "mapfile" | "readarray" | "getopts" | "unset" | "let" | "declare" | "typeset"
            | "local" | "export" | "readonly" | "wait" => {
                for name in ["REPLY", "MAPFILE", "OPTARG", "OPTIND"] {
                    self.name(name);
                }
                // A name may be an alias of another one.
                let refers = |word: &RawWord| {
                    word.bare().is_some_and(|word| word.starts_with('-') && word.contains('n'))
                };
                self.writes.anything |=
                    matches!(program.as_str(), "declare" | "typeset" | "local") && rest.iter().any(refers);
                for word in rest {
                    match word.pieces.first() {
                        Some(Piece::Bare(_)) => self.leading_name(word),
                        Some(_) | None => self.writes.anything = true,
                    }
                }
            }
            // `-v` can only come first.
            "printf" => self.writes.anything |= rest.first().is_some_and(could_be_option),
            "cd" | "pushd" | "popd" => {
                self.name("PWD");
                self.name("OLDPWD");
            }
            program => {
                self.writes.anything |=
                    self.functions.contains_key(program) || program.contains(['*', '?', '[', '{']);
            }
        }
    }

    /// The name at the beginning of a word, which must go on with `=`, `+` or `[`, or end.
    fn leading_name(&mut self, word: &RawWord) {
        let mut name = String::new();
        for piece in &word.pieces {
            match piece {
                Piece::Bare(char) if char.is_ascii_alphanumeric() || *char == '_' => name.push(*char),
                Piece::Bare('=' | '+' | '[') => break,
                // An option, such as `-r`, or something less plain.
                Piece::Bare('-') if name.is_empty() => return,
                _ => {
                    self.writes.anything = true;
                    return;
                }
            }
        }
        self.name(&name);
    }

    fn arithmetic(&mut self, pieces: &[Piece]) {
        self.pieces(pieces);
        let text: String =
            pieces.iter().map(|piece| if let Piece::Bare(char) = piece { *char } else { ' ' }).collect();
        for name in super::arithmetic::names(&text) {
            self.name(&name);
        }
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Parameter(parameter, _) => {
                    use crate::syntax::Change;
                    parameter.index.iter().for_each(|index| self.pieces(index));
                    match &parameter.change {
                        Change::None | Change::Length | Change::Indirect | Change::Case { .. } => {}
                        Change::Fallback { operator, word, .. } => {
                            if matches!(operator, '=' | ':') {
                                self.name(&parameter.name);
                            }
                            self.pieces(word);
                        }
                        Change::Remove { pattern, .. } => self.pieces(pattern),
                        Change::Replace { pattern, with, .. } => {
                            self.pieces(pattern);
                            self.pieces(with);
                        }
                        Change::Slice { from, length } => {
                            self.arithmetic(from);
                            length.iter().for_each(|length| self.arithmetic(length));
                        }
                        Change::Other(pieces) => self.pieces(pieces),
                    }
                }
                Piece::Arithmetic(pieces, _) => self.arithmetic(pieces),
                Piece::Array(words) => words.iter().for_each(|word| self.pieces(&word.pieces)),
                // A substitution sets variables in a shell of its own.
                Piece::Bare(_)
                | Piece::Quoted(_)
                | Piece::Substitution(..)
                | Piece::Process(_)
                | Piece::Sink(_)
                | Piece::Hole(..)
                | Piece::Uncertain
                | Piece::Unreadable => {}
            }
        }
    }
}

fn could_be_option(word: &RawWord) -> bool {
    match word.pieces.iter().find(|piece| !matches!(piece, Piece::Quoted(text) if text.is_empty())) {
        Some(Piece::Bare(char)) => *char == '-',
        Some(Piece::Quoted(text)) => text.starts_with('-'),
        Some(_) => true,
        None => false,
    }
}
