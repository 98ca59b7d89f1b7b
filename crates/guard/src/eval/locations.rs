//! The places that a word may mean: its paths in the current directories, and where they lead.

use super::{
    Evaluator, Frame,
    words::{Candidate, Piece},
};
use crate::{
    path::{LinkPolicy, PathPattern, ResolvedPath, Roots, Segment, locate},
    qualities::{Qualities, qualities},
    vocabulary::{Certainty, Environment, Zone},
};
use checkrein_shell::{Part, Word, work};

/// The maximum number of places that are cached.
const KNOWN: usize = 48;

/// One of the paths that a word may mean.
struct Meant {
    steps: PathPattern,
    /// An unknown part is taken to be empty.
    emptied: bool,
}

impl Evaluator<'_> {
    /// The places that a word may mean, and how they come about.
    pub(super) fn places(
        &self,
        word: &Word,
        last: LinkPolicy,
        frame: &Frame,
    ) -> Vec<(ResolvedPath, Qualities)> {
        let elsewhere;
        let roots = if frame.qualities.has(Environment::Elsewhere) {
            elsewhere = Roots::elsewhere();
            &elsewhere
        } else {
            &self.roots
        };
        let mut places: Vec<(ResolvedPath, Qualities)> = Vec::new();
        for Meant { steps, emptied } in self.meant(word, &frame.directories) {
            self.sink.burn(steps.steps.len());
            let spot = self.spot(&steps, roots, last, frame);
            let mut qualities = Qualities::NONE;
            if emptied {
                // An empty value only counts where it is dangerous; elsewhere the unknown value itself counts.
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
                qualities = qualities.with(Certainty::EmptyVariable);
            }
            if steps.steps.contains(&Segment::Unknown) {
                qualities = qualities.with(Certainty::Unknown);
            }
            if !places.iter().any(|(known, more)| *known == spot && *more == qualities) {
                places.push((spot, qualities));
            }
        }
        places
    }

    /// Returns the place that a path leads to. A few paths are asked for again and again, so they are cached.
    fn spot(&self, steps: &PathPattern, roots: &Roots, last: LinkPolicy, frame: &Frame) -> ResolvedPath {
        let elsewhere = frame.qualities.has_any(qualities![Environment::Elsewhere, Environment::Throwaway]);
        if !elsewhere
            && let Some((.., spot)) =
                self.known_spots.borrow().iter().find(|(known, how, _)| *how == last && known == steps)
        {
            return spot.clone();
        }
        let spot = self.find_spot(steps, roots, last, frame);
        if !elsewhere {
            let mut known = self.known_spots.borrow_mut();
            if known.len() >= KNOWN {
                known.pop_front();
            }
            known.push_back((steps.clone(), last, spot.clone()));
        }
        spot
    }

    fn find_spot(&self, steps: &PathPattern, roots: &Roots, last: LinkPolicy, frame: &Frame) -> ResolvedPath {
        let linked = self.through_links(steps, last);
        let mut spot = locate(linked.as_ref().unwrap_or(steps), roots, last, self.world);
        if frame.qualities.has(Environment::Throwaway) && spot.zone != Zone::Nowhere {
            // A mounted directory is real; everything else disappears with the container.
            match frame.mounts.iter().find_map(|(inside, outside)| Some((steps.below(inside)?, outside))) {
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
    fn through_links(&self, steps: &PathPattern, last: LinkPolicy) -> Option<PathPattern> {
        if !self.sink.burn(2 * self.session.links.len()) {
            return None;
        }
        self.session.links.iter().find_map(|(link, target)| {
            let rest = steps.below(&PathPattern::of(link))?;
            let itself = rest.is_empty() && last == LinkPolicy::Keep;
            (!itself).then(|| PathPattern::of(target).join(rest.iter().cloned(), false))
        })
    }

    /// The directories that a word may mean.
    pub(super) fn directories_of(&self, word: &Word, frame: &Frame) -> Vec<PathPattern> {
        let meant = self.meant(word, &frame.directories).into_iter().filter(|meant| !meant.emptied);
        meant
            .map(|Meant { steps, .. }| {
                self.sink.burn(4 * steps.steps.len());
                steps.follow_links(LinkPolicy::Follow, self.world)
            })
            .collect()
    }

    /// Returns true if a `~` results from an expansion. This shell takes it for a name, but its author did not mean
    /// one, and another shell, or the next one, expands it.
    fn is_made_tilde(&self, word: &Word, text: &str) -> bool {
        let written = self.scope().and_then(|scope| scope.text.get(word.span.clone()));
        matches!(text.as_bytes(), [b'~'] | [b'~', b'/', ..])
            && written.is_some_and(|written| written.contains('$'))
    }

    /// The paths that a word may mean in these directories.
    fn meant(&self, word: &Word, directories: &[PathPattern]) -> Vec<Meant> {
        // Most words are one text.
        if let [Part::Text(text)] = word.parts.as_slice() {
            if text.starts_with('~') && self.is_made_tilde(word, text) {
                let home = format!("{}{}", self.home, text.trim_start_matches('~'));
                let both = steps_of(text, directories).chain(steps_of(&home, directories));
                return both.map(|steps| Meant { steps, emptied: false }).collect();
            }
            return steps_of(text, directories).map(|steps| Meant { steps, emptied: false }).collect();
        }
        let of_candidate = |candidate: Candidate<'_>| {
            let emptied = candidate.emptied;
            candidate.steps(directories).into_iter().map(move |steps| Meant { steps, emptied })
        };
        self.candidates(word).into_iter().flat_map(of_candidate).collect()
    }
}

impl Candidate<'_> {
    /// The paths that it means in these directories.
    fn steps(&self, directories: &[PathPattern]) -> Vec<PathPattern> {
        if self.pieces.iter().all(|piece| matches!(piece.text(), Some(""))) {
            return Vec::new();
        }
        let length: usize = self.pieces.iter().filter_map(Piece::text).map(str::len).sum();
        if !work::burn(4 * length * (1 + directories.len())) {
            return vec![PathPattern::unknown()];
        }
        let mut steps: Vec<Segment> = Vec::new();
        let mut base: Option<PathPattern> = None;
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
                // A listing prints names. In the listed directory such a name is one of its entries; in another directory
                // it is unknown.
                Piece::Path(path) if path.absolute => {
                    let so_far = base.as_ref().or(directories.first());
                    let so_far = so_far.map(|base| base.clone().join(steps.iter().cloned(), false));
                    match so_far.as_ref().and_then(|so_far| path.below(so_far)) {
                        Some(rest) if text.is_empty() && !rest.is_empty() => {
                            steps.extend(rest.iter().cloned());
                        }
                        _ => unknown = true,
                    }
                    continue;
                }
                Piece::Path(path) => {
                    steps.extend(path.steps.iter().cloned());
                    continue;
                }
                Piece::Unknown if first => {
                    base = Some(PathPattern::unknown());
                    first = false;
                    continue;
                }
                Piece::Unknown => {
                    unknown = true;
                    continue;
                }
            };
            if first && piece.starts_with('/') {
                base = Some(PathPattern::of("/"));
            } else if first && is_drive(piece) {
                base = Some(PathPattern::default());
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
            None => directories
                .iter()
                .map(|directory| directory.clone().join(steps.iter().cloned(), slash))
                .collect(),
        }
    }
}

/// The paths that a text means in these directories.
fn steps_of<'a>(text: &'a str, directories: &'a [PathPattern]) -> impl Iterator<Item = PathPattern> + 'a {
    let fixed = if text.starts_with('/') {
        Some(PathPattern::of("/"))
    } else if is_drive(text) {
        Some(PathPattern::default())
    } else {
        None
    };
    let directories = if text.is_empty() || fixed.is_some() { &[] } else { directories };
    fixed.into_iter().chain(directories.iter().cloned()).map(|directory| directory.walk(text))
}

/// `C:`, `C:\\…` and the like, which no shell of unix means.
fn is_drive(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && chars.next() == Some(':')
        && chars.next().is_none_or(|char| char.is_ascii_alphanumeric() || matches!(char, '\\' | '/' | '*'))
}

fn step(text: &str, glob: bool, unknown: bool) -> Segment {
    if unknown && text.chars().any(char::is_alphanumeric) {
        // What is known of it is its beginning, or some other part.
        Segment::Pattern(format!("{text}*").into())
    } else if unknown {
        Segment::Unknown
    } else if glob && (text.starts_with("!(") || text.starts_with("*(") && text.ends_with(')')) {
        // Everything but some. For zsh `*(D)` is everything, too: what is in the parentheses selects files by their kind.
        Segment::Pattern("*".into())
    } else if glob {
        Segment::Pattern(text.into())
    } else {
        Segment::Name(text.into())
    }
}
