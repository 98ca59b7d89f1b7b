//! Here-documents: their text begins on the line after the one that holds their operator.

use super::{InnerText, Parser, Pending, Tabs, word::Ends};
use crate::{
    script::UnreadableReason,
    syntax::{Piece, RawTarget, RawWord},
};

impl Parser<'_, '_> {
    /// After `<<` or `<<-`.
    pub(super) fn document_target(&mut self, tabs: Tabs) -> RawTarget {
        self.inline_space();
        let start = self.at;
        let word = self.word(Ends::Operator);
        let document = self.shared.tree.documents.len();
        let mut delimiter = String::new();
        let mut quoted = false;
        let mut plain = word.is_some();
        let written = self.text.get(start..self.at).unwrap_or_default();
        for piece in word.iter().flat_map(|word| &word.pieces) {
            match piece {
                Piece::Bare(char) => delimiter.push(*char),
                Piece::Quoted(text) => {
                    quoted = true;
                    delimiter.push_str(text);
                }
                _ => plain = false,
            }
        }
        if !plain {
            // Nothing is expanded in a delimiter. Only its quotes are removed, so a name in it can still be read.
            self.opaque(start..self.at, UnreadableReason::Unexpected);
            written.clone_into(&mut delimiter);
        }
        let span = self.span(self.at..self.at);
        self.shared.tree.documents.push(RawWord { pieces: Vec::new(), span });
        self.pending.push(Pending { document, delimiter, tabs, quoted });
        RawTarget::Document(document)
    }

    /// At the beginning of a line: the texts of the documents that wait for it.
    pub(super) fn documents(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let start = self.at;
            let (mut body, end) = self.lines(&pending);
            let span = self.span(start..end);
            let pieces = if pending.quoted {
                let mut pieces = Vec::new();
                let whole = 0..body.text.len();
                self.inner(&mut body, start..end).literal(whole, &mut pieces);
                pieces
            } else if self.enter() {
                let pieces = self.inner(&mut body, start..end).document_pieces();
                self.leave();
                pieces
            } else {
                vec![Piece::Unreadable]
            };
            if let Some(document) = self.shared.tree.documents.get_mut(pending.document) {
                *document = RawWord { pieces, span };
            }
        }
    }

    /// The lines up to the delimiter, and where they end.
    fn lines(&mut self, pending: &Pending) -> (InnerText, usize) {
        let mut text = InnerText::default();
        let mut continued = false;
        loop {
            let end = self.at;
            let rest = self.rest();
            if rest.is_empty() {
                return (text, end);
            }
            let length = rest.find('\n').map_or(rest.len(), |length| length + 1);
            let line = rest.get(..length).unwrap_or_default();
            self.at += length;
            let line =
                if pending.tabs == Tabs::Strip && !continued { line.trim_start_matches('\t') } else { line };
            let content = line.strip_suffix('\n').unwrap_or(line);
            if content == pending.delimiter && !continued {
                return (text, end);
            }
            self.copy(self.at - line.len()..self.at, &mut text);
            let slashes = content.bytes().rev().take_while(|byte| *byte == b'\\').count();
            continued = !pending.quoted && slashes % 2 == 1;
        }
    }

    fn document_pieces(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        while self.look().is_some() {
            self.quoted_piece(&mut pieces, &['$', '`', '\\']);
        }
        pieces
    }
}
