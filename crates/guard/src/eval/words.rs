//! The values that a word may have.

use super::Evaluator;
use crate::path::PathPattern;
use checkrein_shell::{Candidates, Part, Unknown, UnknownSource, Word};
use std::borrow::Cow;

/// The maximum number of parts of a word that are examined one by one.
const PARTS: usize = 48;
/// The maximum number of values that a word may have.
pub(super) const CANDIDATES: usize = 256;

/// One of the things that a word may be.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidate<'a> {
    pub(super) pieces: Vec<Piece<'a>>,
    /// An unknown part is taken to be empty.
    pub(super) emptied: bool,
}

/// A part of it.
#[derive(Clone, Debug)]
pub(super) enum Piece<'a> {
    Text(Cow<'a, str>),
    Glob(&'a str),
    Path(PathPattern),
    Unknown,
}

/// A word for people: `…` for what is not known.
pub fn show(word: &Word) -> String {
    let piece = |part: &Part| match part {
        Part::Text(text) | Part::Glob(text) => text.clone(),
        Part::Unknown(Unknown { why: UnknownSource::Variable(name), .. }) => format!("${name}"),
        Part::Unknown(Unknown { why: UnknownSource::Home(None), .. }) => "~".to_owned(),
        Part::Unknown(_) => "…".to_owned(),
    };
    word.parts.iter().map(piece).collect()
}

impl Evaluator<'_> {
    /// The texts that a word may be, as far as they are known.
    pub(super) fn texts(&self, word: &Word) -> Vec<String> {
        if let Some(text) = word.constant() {
            return vec![text.into_owned()];
        }
        let text = |candidate: Candidate<'_>| -> Option<String> {
            let piece = |piece: &Piece<'_>| match piece {
                Piece::Text(text) => Some(text.clone().into_owned()),
                Piece::Path(steps) if steps.is_known() => Some(steps.to_string()),
                Piece::Glob(_) | Piece::Path(_) | Piece::Unknown => None,
            };
            candidate.pieces.iter().map(piece).collect()
        };
        self.candidates(word).into_iter().filter(|candidate| !candidate.emptied).filter_map(text).collect()
    }

    /// The things that a word may be.
    pub(super) fn candidates<'a>(&'a self, word: &'a Word) -> Vec<Candidate<'a>> {
        if word.parts.len() > PARTS {
            // No real command is like this; the worst case is that all of it is empty.
            let whole =
                Candidate { pieces: vec![Piece::Text(word.lead().into()), Piece::Unknown], emptied: false };
            let empty = word
                .if_unknowns_are_empty()
                .map(|text| Candidate { pieces: vec![Piece::Text(text.into())], emptied: true });
            return std::iter::once(whole).chain(empty).collect();
        }
        if !self.sink.burn(8 * word.parts.len()) {
            return vec![Candidate { pieces: vec![Piece::Unknown], emptied: false }];
        }
        let mut candidates = vec![Candidate::default()];
        for part in &word.parts {
            let ways = self.ways(part, 0);
            self.sink.burn(4 * candidates.len() * ways.len());
            let mut next = Vec::new();
            for candidate in &candidates {
                for way in &ways {
                    if next.len() < CANDIDATES {
                        let mut longer = candidate.clone();
                        longer.pieces.extend(way.pieces.iter().cloned());
                        longer.emptied |= way.emptied;
                        next.push(longer);
                    }
                }
            }
            candidates = next;
        }
        candidates
    }

    /// A text outside quotes may become several words.
    fn pieces_of(&self, unknown: &Unknown, ways: &mut Vec<Candidate<'_>>) {
        if !unknown.splits {
            return;
        }
        let texts: Vec<String> = ways
            .iter()
            .filter_map(|way| match way.pieces.as_slice() {
                [Piece::Text(text)] if text.contains(char::is_whitespace) => Some(text.clone().into_owned()),
                _ => None,
            })
            .collect();
        for text in &texts {
            let pieces = self.split(text).into_iter().take(CANDIDATES);
            ways.extend(pieces.map(|piece| Candidate {
                pieces: vec![Piece::Text(piece.to_owned().into())],
                emptied: false,
            }));
        }
    }

    /// Returns the values that a whole word may have.
    fn whole<'a>(&'a self, word: &'a Word, depth: usize) -> Vec<Candidate<'a>> {
        let mut whole = vec![Candidate::default()];
        for part in &word.parts {
            if !self.sink.burn(8 * whole.len()) {
                break;
            }
            let more = self.ways(part, depth);
            whole = whole
                .iter()
                .flat_map(|start| {
                    more.iter().map(|way| Candidate {
                        pieces: start.pieces.iter().chain(&way.pieces).cloned().collect(),
                        emptied: start.emptied || way.emptied,
                    })
                })
                .take(CANDIDATES)
                .collect();
        }
        whole
    }

    /// Returns the values that one part may have.
    fn ways<'a>(&'a self, part: &'a Part, depth: usize) -> Vec<Candidate<'a>> {
        let one = |piece: Piece<'a>| Candidate { pieces: vec![piece], emptied: false };
        let unknown = match part {
            Part::Text(text) => return vec![one(Piece::Text(text.into()))],
            Part::Glob(text) => return vec![one(Piece::Glob(text))],
            Part::Unknown(unknown) => unknown,
        };
        let mut ways = Vec::new();
        match &unknown.among {
            Candidates::These(words) | Candidates::TheseOrAnything(words) if depth < 4 => {
                for word in words.iter().take(CANDIDATES) {
                    ways.extend(self.whole(word, depth + 1));
                }
                self.pieces_of(unknown, &mut ways);
                // What has a default means that.
                let default = !unknown.empty
                    && matches!(unknown.why, UnknownSource::Variable(_) | UnknownSource::Given(_))
                    || unknown.why == UnknownSource::Array;
                if matches!(unknown.among, Candidates::These(_)) || default && !ways.is_empty() {
                    return ways;
                }
            }
            Candidates::These(_) | Candidates::TheseOrAnything(_) | Candidates::Anything => {}
        }
        let (values, certain) = self.scope().map(|scope| scope.may_be(unknown)).unwrap_or_default();
        if depth < 4 {
            for value in values.iter().chain(self.argument_of(unknown)) {
                ways.extend(self.whole(value, depth + 1));
            }
        }
        self.pieces_of(unknown, &mut ways);
        if certain && !ways.is_empty() {
            return ways;
        }
        // Its value may have been replaced by something that is not visible here.
        let replaced = matches!(unknown.why, UnknownSource::Variable(_) | UnknownSource::Element(_))
            && self.scope().is_some_and(|scope| scope.assigned.is_wild());
        let flow = self.origin(unknown);
        if let Some(text) = &flow.text {
            let text = text.trim_end_matches('\n');
            if unknown.splits {
                ways.extend(
                    text.split_ascii_whitespace()
                        .take(CANDIDATES)
                        .map(|text| one(Piece::Text(text.to_owned().into()))),
                );
            } else {
                // A variable that is read line by line is one of the lines.
                let lines = matches!(unknown.why, UnknownSource::Variable(_) | UnknownSource::Element(_))
                    && text.contains('\n');
                if !lines {
                    ways.push(one(Piece::Text(text.to_owned().into())));
                }
                if lines {
                    ways.extend(
                        text.lines().take(CANDIDATES).map(|text| one(Piece::Text(text.to_owned().into()))),
                    );
                }
            }
            if replaced {
                ways.push(one(Piece::Unknown));
            }
            return ways;
        }
        if !flow.paths.is_empty() {
            ways.extend(flow.paths.iter().cloned().map(|steps| one(Piece::Path(steps))));
            return ways;
        }
        match &unknown.why {
            UnknownSource::Variable(name) if matches!(name.as_str(), "TMPDIR" | "TEMP" | "TMP") => {
                ways.push(one(Piece::Text("/tmp".into())));
            }
            // Its name suggests something temporary, and nothing contradicts that.
            UnknownSource::Variable(name) if ways.is_empty() && is_temporary(name) => {
                ways.push(one(Piece::Text("/tmp/tmp.XXXXXXXXXX".into())));
            }
            _ if ways.is_empty() || !matches!(unknown.among, Candidates::These(_)) => {
                ways.push(one(Piece::Unknown));
            }
            _ => {}
        }
        // A variable that is not set, or a command that prints nothing.
        if unknown.empty
            && matches!(
                unknown.why,
                UnknownSource::Variable(_)
                    | UnknownSource::Element(_)
                    | UnknownSource::Special(_)
                    | UnknownSource::Substitution(_)
                    | UnknownSource::Given(_)
            )
        {
            ways.push(Candidate { pieces: Vec::new(), emptied: true });
        }
        ways
    }
}

impl Piece<'_> {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Glob(text) => Some(text),
            Self::Path(_) | Self::Unknown => None,
        }
    }
}

/// Returns true if the name of a variable suggests something temporary.
fn is_temporary(name: &str) -> bool {
    name.split('_').any(|word| {
        ["tmp", "temp", "tmpdir", "tempdir", "tmpfile", "tempfile", "tmpd"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
    })
}
