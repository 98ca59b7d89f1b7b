//! What a word may be, and the places that it may mean.

use super::{Context, Lowering};
use crate::{
    path::{Last, Roots, Spot, Step, Steps, locate},
    vocabulary::{Mark, Marks, Zone},
    word::{Among, Part, Unknown, Why, Word},
};
use std::borrow::Cow;

/// How many places are remembered.
const KNOWN: usize = 2 * CANDIDATES;
/// How many parts of a word are looked at one by one.
const PARTS: usize = 48;
/// How many things a word may be.
const CANDIDATES: usize = 24;

/// One of the things that a word may be.
#[derive(Clone, Debug, Default)]
struct Candidate<'a> {
    pieces: Vec<Piece<'a>>,
    /// An unknown part is taken to be empty.
    emptied: bool,
}

#[derive(Clone, Debug)]
enum Piece<'a> {
    Text(Cow<'a, str>),
    Glob(&'a str),
    Path(Steps),
    Unknown,
}

/// One of the paths that a word may mean.
struct Meant {
    steps: Steps,
    /// An unknown part is taken to be empty.
    emptied: bool,
}

/// A word for people: `…` for what is not known.
pub(super) fn show(word: &Word) -> String {
    let piece = |part: &Part| match part {
        Part::Text(text) | Part::Glob(text) => text.clone(),
        Part::Unknown(Unknown { why: Why::Variable(name), .. }) => format!("${name}"),
        Part::Unknown(Unknown { why: Why::Home(None), .. }) => "~".to_owned(),
        Part::Unknown(_) => "…".to_owned(),
    };
    word.parts.iter().map(piece).collect()
}

impl Lowering<'_> {
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

    /// The places that a word may mean, and how they come about.
    pub(super) fn places(&self, word: &Word, last: Last, context: &Context) -> Vec<(Spot, Marks)> {
        let elsewhere;
        let roots = if context.marks.has(Mark::Elsewhere) {
            elsewhere = Roots::elsewhere();
            &elsewhere
        } else {
            &self.roots
        };
        let mut places: Vec<(Spot, Marks)> = Vec::new();
        for Meant { steps, emptied } in self.meant(word, &context.folders) {
            self.burn(steps.steps.len());
            let spot = self.spot(&steps, roots, last, context);
            let mut marks = Marks::NONE;
            if emptied {
                // Only what a blank makes dangerous counts; otherwise the unknown itself does.
                if !matches!(
                    spot.zone,
                    Zone::Root
                        | Zone::System
                        | Zone::HomeRoot
                        | Zone::ProjectRoot
                        | Zone::TemporaryRoot
                        | Zone::Personal
                ) {
                    continue;
                }
                marks = marks.with(Mark::EmptyVariable);
            }
            if steps.steps.contains(&Step::Unknown) {
                marks = marks.with(Mark::Unknown);
            }
            if !places.iter().any(|(known, more)| *known == spot && *more == marks) {
                places.push((spot, marks));
            }
        }
        places
    }

    /// Where a path leads. The same few are asked for again and again.
    fn spot(&self, steps: &Steps, roots: &Roots, last: Last, context: &Context) -> Spot {
        let elsewhere = context.marks.has_any(Marks::of(&[Mark::Elsewhere, Mark::Throwaway]));
        if !elsewhere
            && let Some((.., spot)) =
                self.known_spots.borrow().iter().find(|(known, how, _)| *how == last && known == steps)
        {
            return spot.clone();
        }
        let spot = self.find_spot(steps, roots, last, context);
        if !elsewhere {
            let mut known = self.known_spots.borrow_mut();
            if known.len() >= KNOWN {
                known.pop_front();
            }
            known.push_back((steps.clone(), last, spot.clone()));
        }
        spot
    }

    fn find_spot(&self, steps: &Steps, roots: &Roots, last: Last, context: &Context) -> Spot {
        let linked = self.through_links(steps, last);
        let mut spot = locate(linked.as_ref().unwrap_or(steps), roots, last, self.world);
        if context.marks.has(Mark::Throwaway) && spot.zone != Zone::Nowhere {
            // What is mounted is the real thing; the rest goes with the container.
            match context.mounts.iter().find_map(|(inside, outside)| Some((steps.below(inside)?, outside))) {
                Some((rest, outside)) => {
                    let real = outside.clone().join(rest.iter().cloned(), false);
                    spot = locate(&real, &self.roots, last, self.world);
                }
                None => spot.zone = Zone::Temporary,
            }
        }
        spot
    }

    /// The path behind a link that the call itself made.
    fn through_links(&self, steps: &Steps, last: Last) -> Option<Steps> {
        self.links.iter().find_map(|(link, target)| {
            let rest = steps.below(&Steps::of(link))?;
            let itself = rest.is_empty() && last == Last::Keep;
            (!itself).then(|| Steps::of(target).join(rest.iter().cloned(), false))
        })
    }

    /// The folders that a word may mean.
    pub(super) fn folders_of(&self, word: &Word, context: &Context) -> Vec<Steps> {
        let meant = self.meant(word, &context.folders).into_iter().filter(|meant| !meant.emptied);
        meant
            .map(|Meant { steps, .. }| {
                self.burn(4 * steps.steps.len());
                steps.follow_links(Last::Follow, self.world)
            })
            .collect()
    }

    /// The paths that a word may mean in these folders.
    fn meant(&self, word: &Word, folders: &[Steps]) -> Vec<Meant> {
        // Most words are one text.
        if let [Part::Text(text)] = word.parts.as_slice() {
            return steps_of(text, folders).map(|steps| Meant { steps, emptied: false }).collect();
        }
        let of_candidate = |candidate: Candidate<'_>| {
            let emptied = candidate.emptied;
            candidate.steps(folders).into_iter().map(move |steps| Meant { steps, emptied })
        };
        self.candidates(word).into_iter().flat_map(of_candidate).collect()
    }

    fn candidates<'a>(&'a self, word: &'a Word) -> Vec<Candidate<'a>> {
        if word.parts.len() > PARTS {
            // Nobody writes this; what it may be at worst is that all of it is empty.
            let whole =
                Candidate { pieces: vec![Piece::Text(word.lead().into()), Piece::Unknown], emptied: false };
            let empty = word
                .if_unknowns_are_empty()
                .map(|text| Candidate { pieces: vec![Piece::Text(text.into())], emptied: true });
            return std::iter::once(whole).chain(empty).collect();
        }
        if !self.burn(8 * word.parts.len()) {
            return vec![Candidate { pieces: vec![Piece::Unknown], emptied: false }];
        }
        let mut candidates = vec![Candidate::default()];
        for part in &word.parts {
            let ways = self.ways(part, 0);
            self.burn(4 * candidates.len() * ways.len());
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

    /// A text outside of quotes may become several words.
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

    /// What a whole word may be.
    fn whole<'a>(&'a self, word: &'a Word, depth: usize) -> Vec<Candidate<'a>> {
        let mut whole = vec![Candidate::default()];
        for part in &word.parts {
            if !self.burn(8 * whole.len()) {
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

    /// What one part may be.
    fn ways<'a>(&'a self, part: &'a Part, depth: usize) -> Vec<Candidate<'a>> {
        let one = |piece: Piece<'a>| Candidate { pieces: vec![piece], emptied: false };
        let unknown = match part {
            Part::Text(text) => return vec![one(Piece::Text(text.into()))],
            Part::Glob(text) => return vec![one(Piece::Glob(text))],
            Part::Unknown(unknown) => unknown,
        };
        let mut ways = Vec::new();
        match &unknown.among {
            Among::These(words) | Among::TheseOrAnything(words) if depth < 4 => {
                for word in words.iter().take(CANDIDATES) {
                    ways.extend(self.whole(word, depth + 1));
                }
                self.pieces_of(unknown, &mut ways);
                // What has a default means that.
                let default =
                    !unknown.empty && matches!(unknown.why, Why::Variable(_)) || unknown.why == Why::Array;
                if matches!(unknown.among, Among::These(_)) || default && !ways.is_empty() {
                    return ways;
                }
            }
            Among::These(_) | Among::TheseOrAnything(_) | Among::Anything => {}
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
                let lines = matches!(unknown.why, Why::Variable(_)) && text.contains('\n');
                if !lines {
                    ways.push(one(Piece::Text(text.to_owned().into())));
                }
                if lines {
                    ways.extend(
                        text.lines().take(CANDIDATES).map(|text| one(Piece::Text(text.to_owned().into()))),
                    );
                }
            }
            return ways;
        }
        if !flow.paths.is_empty() {
            ways.extend(flow.paths.iter().cloned().map(|steps| one(Piece::Path(steps))));
            return ways;
        }
        match &unknown.why {
            Why::Variable(name) if matches!(name.as_str(), "TMPDIR" | "TEMP" | "TMP") => {
                ways.push(one(Piece::Text("/tmp".into())));
            }
            // By its name it holds something temporary, and nobody says otherwise.
            Why::Variable(name) if ways.is_empty() && is_temporary(name) => {
                ways.push(one(Piece::Text("/tmp/tmp.XXXXXXXXXX".into())));
            }
            _ if ways.is_empty() || !matches!(unknown.among, Among::These(_)) => {
                ways.push(one(Piece::Unknown));
            }
            _ => {}
        }
        // A variable that nobody set, or a command that prints nothing.
        if unknown.empty && matches!(unknown.why, Why::Variable(_) | Why::Special(_) | Why::Substitution(_)) {
            ways.push(Candidate { pieces: Vec::new(), emptied: true });
        }
        ways
    }
}

impl Piece<'_> {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Glob(text) => Some(text),
            Self::Path(_) | Self::Unknown => None,
        }
    }
}

impl Candidate<'_> {
    /// The paths that it means in these folders.
    fn steps(&self, folders: &[Steps]) -> Vec<Steps> {
        if self.pieces.iter().all(|piece| matches!(piece.text(), Some(""))) {
            return Vec::new();
        }
        let mut steps: Vec<Step> = Vec::new();
        let mut base: Option<Steps> = None;
        let mut first = true;
        // The step that is being put together.
        let (mut text, mut glob, mut unknown) = (String::new(), false, false);
        for piece in &self.pieces {
            let (piece, is_glob) = match piece {
                Piece::Text(text) => (&**text, false),
                Piece::Glob(text) => (*text, true),
                // What follows the first one without a slash belongs to its last step, and hardly ever does.
                Piece::Path(path) if first => {
                    base = Some(path.clone());
                    first = false;
                    continue;
                }
                Piece::Path(path) => {
                    steps.extend(path.steps.iter().cloned());
                    continue;
                }
                Piece::Unknown if first => {
                    base = Some(Steps::unknown());
                    first = false;
                    continue;
                }
                Piece::Unknown => {
                    unknown = true;
                    continue;
                }
            };
            if first && piece.starts_with('/') {
                base = Some(Steps::of("/"));
            } else if first && is_drive(piece) {
                base = Some(Steps::default());
            }
            first &= piece.is_empty();
            for (place, name) in piece.split('/').enumerate() {
                if place > 0 {
                    steps.push(step(&text, glob, unknown));
                    (text, glob, unknown) = (String::new(), false, false);
                }
                text.push_str(name);
                glob |= is_glob && !name.is_empty();
            }
        }
        let slash = text.is_empty() && !unknown && !steps.is_empty();
        steps.push(step(&text, glob, unknown));
        match base {
            Some(base) => vec![base.join(steps, slash)],
            None => folders.iter().map(|folder| folder.clone().join(steps.iter().cloned(), slash)).collect(),
        }
    }
}

/// The paths that a text means in these folders.
fn steps_of<'a>(text: &'a str, folders: &'a [Steps]) -> impl Iterator<Item = Steps> + 'a {
    let fixed = if text.starts_with('/') {
        Some(Steps::of("/"))
    } else if is_drive(text) {
        Some(Steps::default())
    } else {
        None
    };
    let folders = if text.is_empty() || fixed.is_some() { &[] } else { folders };
    fixed.into_iter().chain(folders.iter().cloned()).map(|folder| folder.walk(text))
}

/// Whether a variable is called like something temporary.
fn is_temporary(name: &str) -> bool {
    name.split('_').any(|word| {
        ["tmp", "temp", "tmpdir", "tempdir", "tmpfile", "tempfile", "tmpd"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
    })
}

/// `C:`, `C:\\…` and the like, which no shell of unix means.
fn is_drive(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && chars.next() == Some(':')
        && chars.next().is_none_or(|char| char.is_ascii_alphanumeric() || matches!(char, '\\' | '/' | '*'))
}

fn step(text: &str, glob: bool, unknown: bool) -> Step {
    if unknown && text.chars().any(char::is_alphanumeric) {
        // What is known of it is its beginning, or some other part.
        Step::Pattern(format!("{text}*").into())
    } else if unknown {
        Step::Unknown
    } else if glob {
        Step::Pattern(text.into())
    } else {
        Step::Name(text.into())
    }
}
