//! Compound commands: groups, conditions, loops, functions, tests.

use super::{Parser, assignment::is_name, word::Ends};
use crate::{
    script::UnreadableReason,
    syntax::{Command, Kind, List, RawWord},
};

impl Parser<'_, '_> {
    /// A compound command, if one is next.
    pub(super) fn compound(&mut self) -> Option<Kind> {
        let start = self.at;
        match self.look()? {
            '(' => {
                self.bump();
                if let Some(end) = self.arithmetic_end() {
                    return Some(Kind::Arithmetic(self.arithmetic(end)));
                }
                let list = self.filled_list();
                self.close(start, |reader| reader.eat(")"));
                Some(Kind::Subshell(list))
            }
            '{' if self.eat_reserved("{") => {
                let list = self.filled_list();
                self.close(start, |reader| reader.eat_reserved("}"));
                Some(Kind::Group(list))
            }
            '[' if self.eat_reserved("[[") => Some(self.test(start)),
            'i' if self.eat_reserved("if") => Some(self.condition(start)),
            'w' if self.eat_reserved("while") => Some(self.while_loop(start, false)),
            'u' if self.eat_reserved("until") => Some(self.while_loop(start, true)),
            'f' if self.eat_reserved("for") => Some(self.for_loop(start)),
            's' if self.eat_reserved("select") => Some(self.for_loop(start)),
            'c' if self.eat_reserved("case") => Some(self.case(start)),
            'c' if self.eat_reserved("coproc") => self.coprocess(),
            'f' if self.eat_reserved("function") => {
                self.inline_space();
                let name = self.word(Ends::Operator);
                let name = name.map(|name| self.text_of(&name)).unwrap_or_default();
                self.parentheses();
                let Command { kind, .. } = self.function(name, start);
                Some(kind)
            }
            _ => None,
        }
    }

    /// A list of at least one command.
    fn filled_list(&mut self) -> List {
        let start = self.at;
        let list = self.list();
        if list.chains.is_empty() {
            self.opaque(start..self.at, UnreadableReason::Unexpected);
        }
        list
    }

    /// Takes what ends a compound command, or notes that it is missing.
    fn close(&mut self, start: usize, end: impl FnOnce(&mut Self) -> bool) {
        self.space();
        if !end(self) {
            self.opaque(start..self.at, UnreadableReason::OpenCommand);
        }
    }

    fn condition(&mut self, start: usize) -> Kind {
        let (mut branches, mut otherwise) = (Vec::new(), None);
        loop {
            let condition = self.filled_list();
            self.close(start, |reader| reader.eat_reserved("then"));
            branches.push((condition, self.filled_list()));
            if !self.eat_reserved("elif") {
                break;
            }
        }
        if self.eat_reserved("else") {
            otherwise = Some(self.filled_list());
        }
        self.close(start, |reader| reader.eat_reserved("fi"));
        Kind::If { branches, otherwise }
    }

    fn while_loop(&mut self, start: usize, until: bool) -> Kind {
        let condition = self.filled_list();
        Kind::While { condition, body: self.body(start), until }
    }

    /// `do … done`, or the braces that bash also takes after `for`.
    fn body(&mut self, start: usize) -> List {
        self.space();
        let braces = self.eat_reserved("{");
        if !braces {
            self.close(start, |reader| reader.eat_reserved("do"));
        }
        let list = self.filled_list();
        self.close(start, |reader| reader.eat_reserved(if braces { "}" } else { "done" }));
        list
    }

    fn for_loop(&mut self, start: usize) -> Kind {
        self.inline_space();
        if self.eat("(") {
            let header = match self.arithmetic_end() {
                Some(end) => self.arithmetic(end),
                None => {
                    self.opaque(start..self.at, UnreadableReason::Unexpected);
                    Vec::new()
                }
            };
            self.inline_space();
            self.eat(";");
            return Kind::CountingFor { header, body: self.body(start) };
        }
        let name = self.word(Ends::Operator);
        let name = name.as_ref().and_then(RawWord::bare).unwrap_or_else(|| {
            self.opaque(start..self.at, UnreadableReason::Unexpected);
            String::new()
        });
        self.space();
        let mut words = None;
        if self.eat_reserved("in") {
            let words = words.insert(Vec::new());
            loop {
                self.inline_space();
                match self.word(Ends::Operator) {
                    Some(word) => words.push(word),
                    None => break,
                }
            }
        }
        self.inline_space();
        self.eat(";");
        Kind::For { name, words, body: self.body(start) }
    }

    fn case(&mut self, start: usize) -> Kind {
        self.inline_space();
        let subject = self.word(Ends::Operator).unwrap_or_else(|| self.empty_word());
        self.close(start, |reader| reader.eat_reserved("in"));
        let mut arms = Vec::new();
        let closed = loop {
            self.space();
            if self.eat_reserved("esac") {
                break true;
            }
            self.eat("(");
            let patterns = self.patterns();
            if patterns.is_empty() || !self.eat(")") {
                break false;
            }
            arms.push((patterns, self.list()));
            if !(self.eat(";;&") || self.eat(";;") || self.eat(";&")) {
                self.space();
                break self.eat_reserved("esac");
            }
        };
        if !closed {
            self.opaque(start..self.at, UnreadableReason::OpenCommand);
        }
        Kind::Case { subject, arms }
    }

    /// The patterns of an arm, up to the parenthesis.
    fn patterns(&mut self) -> Vec<RawWord> {
        let mut patterns = Vec::new();
        loop {
            self.inline_space();
            let Some(pattern) = self.word(Ends::Operator) else { return patterns };
            patterns.push(pattern);
            self.inline_space();
            if !self.eat("|") {
                return patterns;
            }
        }
    }

    /// After `coproc`: a compound command, perhaps with a name before it, or a simple command.
    fn coprocess(&mut self) -> Option<Kind> {
        self.inline_space();
        let start = self.at;
        if !self.at_end_of_list()
            && let Some(name) = self.word(Ends::Operator)
        {
            self.inline_space();
            let named = name.bare().is_some_and(|name| name.chars().all(|char| is_name(char, 1)));
            let before = self.at;
            if !(named && self.compound_follows()) {
                self.at = start;
            } else {
                self.at = before;
            }
        }
        let Some(command) = self.command() else {
            self.opaque(start..self.at, UnreadableReason::Unexpected);
            return None;
        };
        Some(Kind::Coprocess(Box::new(command)))
    }

    fn compound_follows(&mut self) -> bool {
        if self.look() == Some('(') {
            return true;
        }
        let start = self.at;
        let reserved = ["{", "[[", "if", "while", "until", "for", "select", "case"];
        let follows = reserved.into_iter().any(|word| self.eat_reserved(word));
        self.at = start;
        follows
    }

    /// After `[[`.
    fn test(&mut self, start: usize) -> Kind {
        let mut words: Vec<RawWord> = Vec::new();
        loop {
            self.space();
            if self.eat_reserved("]]") {
                return Kind::Test(words);
            }
            let regex = words.last().and_then(RawWord::bare).is_some_and(|word| word == "=~");
            let ends = if regex { Ends::Regex } else { Ends::Operator };
            if let Some(word) = self.word(ends) {
                words.push(word);
                continue;
            }
            if !["&&", "||", "(", ")", "<", ">"].into_iter().any(|operator| self.eat(operator)) {
                self.opaque(start..self.at, UnreadableReason::OpenCommand);
                return Kind::Test(words);
            }
        }
    }
}
