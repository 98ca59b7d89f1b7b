//! Redirections: what they point at, and what that makes of standard input and output.

use super::Resolver;
use crate::{
    script::{Input, Output, Redirect, RedirectKind, SimpleCommand},
    syntax::{RawRedirect, RawTarget, RawWord},
    word::{Part, Unknown, UnknownSource, Word},
};
use std::sync::Arc;

impl Resolver<'_> {
    pub(super) fn redirects(&mut self, redirects: &[RawRedirect]) -> Vec<Arc<Redirect>> {
        redirects.iter().map(|redirect| Arc::new(self.redirect(redirect))).collect()
    }

    fn redirect(&mut self, redirect: &RawRedirect) -> Redirect {
        let RawRedirect { descriptor, kind, target } = redirect;
        let target = match target {
            RawTarget::Document(place) => {
                let tree = self.tree;
                tree.documents.get(*place).map(|document| self.whole(document)).unwrap_or_default()
            }
            RawTarget::Word(word) if *kind == RedirectKind::Text => self.whole(word),
            RawTarget::Word(word) => self.one_word(word),
        };
        let kind = match kind {
            // `>&` is two operators: the target decides.
            RedirectKind::DuplicateOutput if !is_descriptor(&target) => RedirectKind::WriteBoth,
            kind => *kind,
        };
        Redirect { descriptor: *descriptor, kind, target }
    }

    /// A word that must stay one.
    fn one_word(&mut self, word: &RawWord) -> Word {
        let mut words = self.words(word);
        match (words.pop(), words.is_empty()) {
            (Some(word), true) => word,
            // The shell refuses it.
            (Some(_) | None, _) => {
                let part = Part::Unknown(Unknown { empty: false, ..Unknown::new(UnknownSource::Computed) });
                Word { parts: vec![part], span: word.span.clone() }
            }
        }
    }
}

/// Returns true if the target of `>&` is a descriptor, and not a file.
fn is_descriptor(target: &Word) -> bool {
    match target.constant() {
        Some(text) => {
            text == "-" || text.strip_suffix('-').unwrap_or(&text).bytes().all(|byte| byte.is_ascii_digit())
        }
        None => target.parts.iter().all(|part| match part {
            Part::Text(text) => text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'),
            Part::Glob(_) => false,
            Part::Unknown(_) => true,
        }),
    }
}

impl SimpleCommand {
    /// Sets standard input and output as the redirections say.
    pub(super) fn point(&mut self, redirects: &[Arc<Redirect>]) {
        for redirect in redirects {
            let shared = Arc::clone(redirect);
            match (redirect.kind, redirect.descriptor) {
                (RedirectKind::Read | RedirectKind::ReadWrite, None | Some(0)) => {
                    self.stdin = Input::File(shared);
                }
                (RedirectKind::Document | RedirectKind::Text, None | Some(0)) => {
                    self.stdin = Input::Text(shared);
                }
                (RedirectKind::DuplicateInput, None | Some(0)) => self.stdin = Input::Descriptor(shared),
                (RedirectKind::Write | RedirectKind::Append, None | Some(1)) => {
                    self.stdout = Output::File(shared);
                }
                (RedirectKind::ReadWrite, Some(1)) => self.stdout = Output::File(shared),
                (RedirectKind::WriteBoth | RedirectKind::AppendBoth, _) => self.stdout = Output::File(shared),
                (RedirectKind::DuplicateOutput | RedirectKind::DuplicateInput, None | Some(1)) => {
                    self.stdout = Output::Descriptor(shared);
                }
                (
                    RedirectKind::Read
                    | RedirectKind::ReadWrite
                    | RedirectKind::Document
                    | RedirectKind::Text,
                    Some(_),
                ) => {}
                (RedirectKind::Write | RedirectKind::Append, Some(_)) => {}
                (RedirectKind::DuplicateInput | RedirectKind::DuplicateOutput, Some(_)) => {}
            }
        }
    }

    /// Takes over the redirections of a group around it, where it has none of its own.
    pub(super) fn inherit(&mut self, redirects: &[Arc<Redirect>]) {
        let (stdin, stdout) = (self.stdin.clone(), self.stdout.clone());
        self.point(redirects);
        if stdin != Input::Inherited {
            self.stdin = stdin;
        }
        if stdout != Output::Inherited {
            self.stdout = stdout;
        }
        self.inherited.extend(redirects.iter().cloned());
    }
}
