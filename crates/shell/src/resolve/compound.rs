//! Compound commands: what may run, may run again, or runs later.

use super::{Resolver, expand, scan};
use crate::{
    Word,
    script::{Function, Input, Nesting, Redirect, RedirectKind, Span},
    syntax::{Chain, Command, Kind, List, Piece, RawWord},
    word::{Candidates, Part, Unknown, UnknownSource},
};
use std::{collections::BTreeMap, sync::Arc};

impl Resolver<'_> {
    pub(super) fn compound(&mut self, kind: &Kind, span: &Span) {
        match kind {
            Kind::SimpleCommand { .. } => {}
            Kind::Group(list) => self.list(list),
            Kind::Subshell(list) => self.apart(Nesting::Subshell, |resolver| resolver.list(list)),
            Kind::If { branches, otherwise } => self.condition(branches, otherwise.as_ref()),
            Kind::While { condition, body, until } => {
                self.loops([condition, body], |resolver| {
                    let from = resolver.script.commands.len();
                    resolver.inside(Nesting::Condition, |resolver| resolver.list(condition));
                    if resolver.truth(condition, from) == Some(!until) {
                        resolver.script.endless.push(span.clone());
                    }
                    resolver.maybe(Nesting::Loop, |resolver| resolver.list(body));
                });
            }
            Kind::For { name, words, body } => self.for_loop(name, words.as_deref(), body, span),
            Kind::CountingFor { header, body } => {
                self.visit(header);
                self.evaluates(header);
                self.forget_names(header);
                if counts_on(header) {
                    self.script.endless.push(span.clone());
                }
                self.loops([body], |resolver| resolver.maybe(Nesting::Loop, |resolver| resolver.list(body)));
            }
            Kind::Case { subject, arms } => {
                self.visit(&subject.pieces);
                for (patterns, body) in arms {
                    self.maybe(Nesting::Condition, |resolver| {
                        patterns.iter().for_each(|pattern| resolver.visit(&pattern.pieces));
                    });
                    self.maybe(Nesting::Branch, |resolver| resolver.list(body));
                }
            }
            Kind::Function { name, body } => self.function(name, body, span),
            Kind::Test(words) => {
                words.iter().for_each(|word| self.visit(&word.pieces));
                self.evaluates_test(words);
                self.environment.set("BASH_REMATCH", None);
            }
            Kind::Arithmetic(pieces) => {
                self.visit(pieces);
                self.evaluates(pieces);
                self.forget_names(pieces);
            }
            Kind::Coprocess(body) => {
                let (from, depth) = (self.script.commands.len(), self.depth);
                self.apart(Nesting::Background, |resolver| resolver.command(body));
                // It reads what other commands write to it later.
                let unknown = Unknown::new(UnknownSource::Special("COPROC".to_owned()));
                let pipe = Arc::new(Redirect {
                    descriptor: Some(0),
                    kind: RedirectKind::DuplicateInput,
                    target: Word { parts: vec![Part::Unknown(unknown)], span: span.clone() },
                });
                for inner in self.script.commands.iter_mut().skip(from) {
                    if inner.depth == depth && inner.stdin == Input::Inherited {
                        inner.stdin = Input::Descriptor(Arc::clone(&pipe));
                    }
                }
                // Its descriptors come in a variable, whose name may be given.
                self.environment.forget_all();
            }
        }
    }

    /// Returns the value of a condition that is always true or always false. `from`: the first of its commands.
    fn truth(&self, condition: &List, from: usize) -> Option<bool> {
        let [Chain { first, rest, background: false }] = condition.chains.as_slice() else { return None };
        let ([Command { kind, .. }], []) = (first.stages.as_slice(), rest.as_slice()) else { return None };
        match kind {
            Kind::SimpleCommand { .. } => {
                let [command] = self.script.commands.get(from..)? else { return None };
                let words: Option<Vec<_>> = command.words.iter().map(Word::constant).collect();
                let words = words?;
                let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
                match words.as_slice() {
                    ["true" | ":"] => Some(true),
                    ["false"] => Some(false),
                    ["[", asked @ .., "]"] | ["test", asked @ ..] => compared(asked),
                    _ => None,
                }
            }
            Kind::Test(words) => {
                let words: Option<Vec<String>> =
                    words.iter().map(|word| expand::plain(&word.pieces)).collect();
                let words = words?;
                compared(&words.iter().map(String::as_str).collect::<Vec<_>>())
            }
            Kind::Arithmetic(pieces) => {
                expand::plain(pieces)?.trim().parse::<i64>().ok().map(|number| number != 0)
            }
            _ => None,
        }
    }

    fn condition(&mut self, branches: &[(List, List)], otherwise: Option<&List>) {
        for (index, (condition, body)) in branches.iter().enumerate() {
            if index == 0 {
                self.inside(Nesting::Condition, |resolver| resolver.list(condition));
            } else {
                self.maybe(Nesting::Condition, |resolver| resolver.list(condition));
            }
            self.maybe(Nesting::Branch, |resolver| resolver.list(body));
        }
        if let Some(otherwise) = otherwise {
            self.maybe(Nesting::Branch, |resolver| resolver.list(otherwise));
        }
    }

    /// Follows something that may run again: what it sets is unknown already when it begins.
    fn loops<'a>(&mut self, lists: impl IntoIterator<Item = &'a List>, follow: impl FnOnce(&mut Self)) {
        let writes = scan::scan(self.tree, &self.functions, lists);
        self.burn(writes.names.len() * 8);
        let value = |resolver: &Self, name: &String| resolver.environment.get(name).cloned();
        let known = !writes.anything && !writes.attributes;
        let names: Vec<String> = writes.names.keys().filter(|_| known).cloned().collect();
        let before: Vec<_> = names.iter().map(|name| value(self, name)).collect();
        self.apply(&writes);
        for (name, before) in names.iter().zip(&before) {
            if let Some(before) = before {
                self.environment.may_be(name, &[before]);
            }
        }
        follow(self);
        let after: Vec<_> = names.iter().map(|name| value(self, name)).collect();
        self.apply(&writes);
        for ((name, before), after) in names.iter().zip(&before).zip(&after) {
            let both: Vec<_> = before.iter().chain(after).collect();
            if before.is_some() {
                self.environment.may_be(name, &both);
            }
        }
    }

    fn for_loop(&mut self, name: &str, words: Option<&[RawWord]>, body: &List, span: &Span) {
        let values: Option<Vec<Word>> =
            words.map(|words| words.iter().flat_map(|word| self.words(word)).collect());
        let last = values.clone().filter(|values| values.len() <= 256);
        self.loops([body], |resolver| {
            let among = match values {
                Some(values)
                    if values.len() <= 256 && values.iter().all(|value| value.constant().is_some()) =>
                {
                    Candidates::These(values.into())
                }
                Some(values) if values.len() <= 256 => Candidates::TheseOrAnything(values.into()),
                Some(_) | None => Candidates::Anything,
            };
            let empty = match &among {
                // The expansion of a pattern is never empty.
                Candidates::These(values) | Candidates::TheseOrAnything(values) => {
                    values.iter().any(|value| value.parts.is_empty() || value.is_unknown())
                }
                Candidates::Anything => true,
            };
            let unknown = Unknown { among, empty, ..Unknown::new(UnknownSource::Variable(name.to_owned())) };
            let writes_itself = scan::scan(resolver.tree, &BTreeMap::new(), [body]).names.contains_key(name);
            let value = Word { parts: vec![Part::Unknown(unknown)], span: span.clone() };
            resolver.environment.set(name, (!writes_itself).then_some(value));
            resolver.maybe(Nesting::Loop, |resolver| resolver.list(body));
        });
        // The last of them stays, or what was there before if there were none.
        let left = last.map(|values| {
            let among = Candidates::TheseOrAnything(values.into());
            let unknown = Unknown { among, ..Unknown::new(UnknownSource::Variable(name.to_owned())) };
            Word { parts: vec![Part::Unknown(unknown)], span: span.clone() }
        });
        self.environment.set(name, left);
    }

    fn function(&mut self, name: &str, body: &Command, span: &Span) {
        let from = self.script.commands.len();
        let before = self.snapshot();
        // It runs later, perhaps often: only what is never changed holds there.
        let (writes, given) = (&self.writes, &self.given);
        self.environment.keep(|name| {
            !writes.anything
                && match writes.names.get(name) {
                    None => true,
                    Some(1) => !given.contains(name) && name != "IFS",
                    Some(_) => false,
                }
        });
        self.maybe(Nesting::Function(name.into()), |resolver| resolver.command(body));
        self.restore(before);
        let writes = scan::scan_command(self.tree, &self.functions, body);
        self.functions.insert(name.to_owned(), writes);
        let body = self.direct(from);
        self.script.functions.push(Function { name: name.to_owned(), body, span: span.clone() });
    }
}

/// `for ((;;))`, also with a start and a step: nothing in the middle ends it.
fn counts_on(header: &[Piece]) -> bool {
    // Without a piece in it there is not even a text.
    let text = if header.is_empty() { Some(String::new()) } else { expand::plain(header) };
    let Some(text) = text else { return false };
    let mut parts = text.split(';').map(str::trim);
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(_), Some(middle), Some(_), None) => {
            middle.is_empty() || middle.parse::<i64>().is_ok_and(|number| number != 0)
        }
        _ => false,
    }
}

/// Returns the result of a test whose words are all known.
fn compared(words: &[&str]) -> Option<bool> {
    match words {
        [] => Some(false),
        [one] => Some(!one.is_empty()),
        [one, "=" | "==" | "-eq", two] => Some(one == two),
        _ => None,
    }
}
