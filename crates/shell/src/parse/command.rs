//! Lists, pipelines, simple commands and redirections.

use super::{Parser, Tabs, assignment::as_assignment, word::Ends};
use crate::{
    script::{RedirectKind, UnreadableReason},
    syntax::{Chain, Command, Kind, Link, List, Piece, Pipeline, RawRedirect, RawTarget, RawWord},
};

/// Words that end a list where a command is expected, or are an error there.
const CLOSING: [&str; 10] = ["then", "do", "done", "fi", "elif", "else", "esac", "}", "in", "]]"];

/// Commands whose arguments can be assignments, and arrays.
pub(crate) const DECLARATIONS: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

impl Parser<'_, '_> {
    /// Commands until something that is not a command: the end, `)`, `;;`, or a closing word. That is left.
    pub(super) fn list(&mut self) -> List {
        let mut list = List::default();
        loop {
            self.space();
            if self.at_end_of_list() {
                return list;
            }
            let start = self.at;
            let Some(first) = self.pipeline() else {
                // An operator without a command before it.
                if self.at == start {
                    self.skip_operator();
                }
                self.opaque(start..self.at, UnreadableReason::Unexpected);
                continue;
            };
            let mut chain = Chain { first, rest: Vec::new(), background: false };
            loop {
                self.inline_space();
                let link = if self.eat("&&") {
                    Link::And
                } else if self.eat("||") {
                    Link::Or
                } else {
                    break;
                };
                self.space();
                let before = self.at;
                match self.pipeline() {
                    Some(pipeline) => chain.rest.push((link, pipeline)),
                    None => {
                        self.opaque(before..self.at, UnreadableReason::Unexpected);
                        break;
                    }
                }
            }
            if !self.is_next(";;") && !self.is_next(";&") && !self.eat(";") {
                chain.background = self.eat("&");
            }
            list.chains.push(chain);
        }
    }

    pub(super) fn at_end_of_list(&mut self) -> bool {
        match self.look() {
            None | Some(')') => true,
            Some(';') => self.is_next(";;") || self.is_next(";&"),
            Some(_) => {
                let start = self.at;
                let closing = self.closing_word().is_some();
                self.at = start;
                closing
            }
        }
    }

    /// Takes a word that closes a compound command, if one is next.
    pub(super) fn closing_word(&mut self) -> Option<RawWord> {
        let start = self.at;
        let first = self.look()?;
        if !matches!(first, 't' | 'd' | 'f' | 'e' | 'i' | '}' | ']') {
            return None;
        }
        let found = CLOSING.iter().any(|word| self.eat_reserved(word));
        if !found {
            self.at = start;
        }
        found.then(|| RawWord { pieces: Vec::new(), span: self.since(start) })
    }

    /// Consumes a reserved word, which must be a word by itself.
    pub(super) fn eat_reserved(&mut self, word: &str) -> bool {
        let start = self.at;
        if self.eat(word) {
            match self.look() {
                None | Some(' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>') => return true,
                Some(_) => {}
            }
        }
        self.at = start;
        false
    }

    /// Returns whether `time` is the word of the shell here. With options that this word does not have it is the program, for the
    /// shells that have no such word; the others run nothing then.
    fn is_keyword_time(&self) -> bool {
        let Some(rest) = self.rest().strip_prefix("time") else { return false };
        let rest = rest.trim_start_matches([' ', '\t', '\\', '\n', '\'', '"']);
        let word =
            rest.split([' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>']).next().unwrap_or_default();
        !word.starts_with('-') || matches!(word, "-p" | "--")
    }

    fn skip_operator(&mut self) {
        if !["&&", "||", "|&", ";"].into_iter().any(|operator| self.eat(operator)) {
            self.look();
            self.bump();
        }
    }

    fn pipeline(&mut self) -> Option<Pipeline> {
        let mut prefixed = false;
        loop {
            self.inline_space();
            if self.eat_reserved("!") {
                prefixed = true;
            } else if self.is_keyword_time() && self.eat_reserved("time") {
                prefixed = true;
                self.inline_space();
                if self.eat_reserved("-p") {
                    self.inline_space();
                }
                self.eat_reserved("--");
            } else {
                break;
            }
        }
        let mut pipeline = Pipeline::default();
        loop {
            let start = self.at;
            match self.command() {
                Some(command) => pipeline.stages.push(command),
                // `time` and `!` may be alone, but nothing is closed directly after them.
                None if prefixed && pipeline.stages.is_empty() => {
                    if !matches!(self.look(), None | Some('\n' | ';' | '&' | ')')) {
                        self.opaque(start..self.at, UnreadableReason::Unexpected);
                    }
                    return Some(pipeline);
                }
                None if pipeline.stages.is_empty() => return None,
                None => {
                    self.opaque(start..self.at, UnreadableReason::Unexpected);
                    return Some(pipeline);
                }
            }
            self.inline_space();
            if self.is_next("||") || !(self.eat("|&") || self.eat("|")) {
                return Some(pipeline);
            }
            self.space();
        }
    }

    /// A command with its redirections.
    pub(super) fn command(&mut self) -> Option<Command> {
        self.inline_space();
        let start = self.at;
        if self.look().is_none() || self.at_end_of_list() {
            return None;
        }
        if !self.enter() {
            return None;
        }
        let compound = self.compound();
        let command = match compound {
            Some(kind) => {
                let mut redirects = Vec::new();
                self.inline_space();
                while let Some(redirect) = self.redirect() {
                    redirects.push(redirect);
                    self.inline_space();
                }
                // A word cannot follow; whatever it is, it is noted and read as a command of its own.
                if !matches!(self.look(), None | Some('\n' | ';' | '&' | '|' | ')')) && !self.at_end_of_list()
                {
                    self.opaque(self.at..self.at + 1, UnreadableReason::Unexpected);
                }
                Some(Command { kind, redirects, span: self.since(start) })
            }
            None => self.simple(start),
        };
        self.leave();
        command
    }

    fn simple(&mut self, start: usize) -> Option<Command> {
        let (mut assignments, mut words, mut redirects) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            self.inline_space();
            if let Some(redirect) = self.redirect() {
                redirects.push(redirect);
                continue;
            }
            let Some(word) = self.word(Ends::Operator) else { break };
            // Behind the name of the command it is an argument.
            match words.is_empty().then(|| as_assignment(&word)).flatten() {
                Some(assignment) => assignments.push(assignment),
                None => {
                    self.expect_no_array(&word, words.first());
                    words.push(word);
                }
            }
            if let [name] = words.as_slice()
                && assignments.is_empty()
                && redirects.is_empty()
                && self.parentheses()
            {
                let name = self.text_of(name);
                return Some(self.function(name, start));
            }
        }
        if self.look() == Some('(') {
            // `a (b)`: whatever is inside is still read.
            let open = self.at;
            self.bump();
            self.opaque(open..self.at, UnreadableReason::Unexpected);
        }
        if assignments.is_empty() && words.is_empty() && redirects.is_empty() {
            return None;
        }
        Some(Command { kind: Kind::SimpleCommand { assignments, words }, redirects, span: self.since(start) })
    }

    /// An array is no argument, except of commands that declare.
    fn expect_no_array(&mut self, word: &RawWord, program: Option<&RawWord>) {
        let declares =
            || program.is_some_and(|program| DECLARATIONS.iter().any(|name| program.is_bare(name)));
        if word.pieces.iter().any(|piece| matches!(piece, Piece::Array(_))) && !declares() {
            self.opaque(word.span.clone(), UnreadableReason::Unexpected);
        }
    }

    /// Takes `()`.
    pub(super) fn parentheses(&mut self) -> bool {
        let start = self.at;
        self.inline_space();
        if self.eat("(") {
            self.inline_space();
            if self.eat(")") {
                return true;
            }
        }
        self.at = start;
        false
    }

    /// The word as written.
    pub(super) fn text_of(&self, word: &RawWord) -> String {
        word.bare().unwrap_or_else(|| self.text.get(word.span.clone()).unwrap_or_default().to_owned())
    }

    /// After the name of a function and its parentheses.
    pub(super) fn function(&mut self, name: String, start: usize) -> Command {
        self.space();
        let body = self.command();
        if let Some(Command { kind: Kind::SimpleCommand { .. } | Kind::Coprocess(_), .. }) = &body {
            self.opaque(start..self.at, UnreadableReason::Unexpected);
        }
        let body = body.unwrap_or_else(|| {
            self.opaque(start..self.at, UnreadableReason::OpenCommand);
            Command { kind: Kind::Group(List::default()), redirects: Vec::new(), span: self.since(start) }
        });
        let kind = Kind::Function { name, body: Box::new(body) };
        Command { kind, redirects: Vec::new(), span: self.since(start) }
    }

    fn redirect(&mut self) -> Option<RawRedirect> {
        // Checked before every word; almost always the first character rules it out.
        if !matches!(self.look()?, '0'..='9' | '{' | '<' | '>' | '&') {
            return None;
        }
        let start = self.at;
        let descriptor = self.descriptor();
        let kind =
            if self.is_next("<(") || self.is_next(">(") { None } else { self.redirect_operator(start) };
        let Some((kind, tabs)) = kind else {
            self.at = start;
            return None;
        };
        let target = if let Some(tabs) = tabs {
            self.document_target(tabs)
        } else {
            self.inline_space();
            let word = self.word(Ends::Operator);
            if word.is_none() {
                self.opaque(start..self.at, UnreadableReason::Unexpected);
            }
            RawTarget::Word(word.unwrap_or_else(|| self.empty_word()))
        };
        Some(RawRedirect { descriptor, kind, target })
    }

    /// The digits, or `{name}`, directly before an operator.
    fn descriptor(&mut self) -> Option<u32> {
        let start = self.at;
        let mut digits = String::new();
        while let Some(char) = self.look().filter(char::is_ascii_digit) {
            self.bump();
            digits.push(char);
        }
        let named = digits.is_empty() && self.eat("{") && self.name().is_some() && self.eat("}");
        if !matches!(self.look(), Some('<' | '>')) {
            self.at = start;
            return None;
        }
        if named {
            // The shell chooses a free one, above all that a command uses.
            return Some(u32::MAX);
        }
        digits.parse().ok()
    }

    fn redirect_operator(&mut self, start: usize) -> Option<(RedirectKind, Option<Tabs>)> {
        use RedirectKind as Is;
        let both = self.at == start;
        let kind = if self.eat("<<<") {
            Is::Text
        } else if self.eat("<<-") {
            return Some((Is::Document, Some(Tabs::Strip)));
        } else if self.eat("<<") {
            return Some((Is::Document, Some(Tabs::Keep)));
        } else if self.eat("<&") {
            Is::DuplicateInput
        } else if self.eat("<>") {
            Is::ReadWrite
        } else if self.eat("<") {
            Is::Read
        } else if self.eat(">>") {
            Is::Append
        } else if self.eat(">&") {
            Is::DuplicateOutput
        } else if self.eat(">|") || self.eat(">") {
            Is::Write
        } else if both && self.eat("&>>") {
            Is::AppendBoth
        } else if both && self.eat("&>") {
            Is::WriteBoth
        } else {
            return None;
        };
        Some((kind, None))
    }
}
