//! The output of a program of the table, as far as it is known.

use super::{
    Evaluator, Frame,
    flow::{Flow, is_secret_name},
    size,
};
use crate::{
    data::OURSELVES_LOOKUPS,
    path::{LinkPolicy, PathPattern, Reach, Segment},
    program::{ParseFlag, Parsed, Prints, Program, Role, Trait},
    qualities::{Qualities, qualities},
    vocabulary::{Certainty, Environment, Modifier, Taint, Zone},
};
use checkrein_shell::{Source, StandIns, Word};
use std::rc::Rc;

impl Evaluator<'_> {
    /// Returns the output of the program. `held`: the contents of its operands.
    pub(super) fn printed_by(&mut self, parsed: &Parsed, rest: &[Word], held: Flow, frame: &Frame) -> Flow {
        let mut carried = self.passthrough(rest, frame);
        carried.qualities = carried.qualities.and(held.qualities);
        if parsed.program.name.first().is_some_and(|name| OURSELVES_LOOKUPS.contains(name)) {
            carried.qualities = carried.qualities.and(self.lookup_marks(rest));
        }
        if parsed.program.prints == Prints::Input && parsed.qualities.has(Modifier::Lists) {
            carried.qualities = carried.qualities.and(self.searches_for_us(parsed, frame));
        }
        if parsed.qualities.has(Environment::Production) {
            carried.qualities = carried.qualities.with(Environment::Production);
        }
        let reads_input = !parsed
            .roles
            .iter()
            .any(|(role, word)| *role == Role::Read && word.constant().as_deref() != Some("-"));
        match parsed.program.prints {
            // What is made of a file is not the file.
            Prints::Something if carried.qualities.has(Taint::File) => {
                Flow { qualities: carried.qualities.with(Taint::Computed), ..carried }
            }
            Prints::Something => carried,
            // `xclip -o` prints what was copied before, by any program.
            Prints::Nothing if parsed.qualities.has(ParseFlag::OutputGiven) => Flow::default(),
            Prints::Nothing => Flow::text(""),
            Prints::Everything if !parsed.qualities.has(Modifier::Some) && !rest.iter().any(selects) => {
                Flow::of(qualities![Modifier::All])
            }
            Prints::Figures | Prints::Everything => Flow::default(),
            Prints::Numbers => Flow::of(qualities![ParseFlag::Counted]),
            Prints::Arguments => self.joined(rest, &parsed.operands),
            Prints::Input => {
                let mut flow = if reads_input { frame.stdin.clone() } else { held.clone() };
                flow.qualities = flow.qualities.and(held.qualities);
                if carried.qualities.has(Certainty::PerhapsOurs) {
                    flow.qualities = flow.qualities.with(Certainty::PerhapsOurs);
                }
                flow.typed &= !searches_directories(parsed.program, rest);
                if reads_input && !parsed.program.has(Trait::WholeInput) {
                    flow.narrow();
                }
                let huge = |(role, word): &(Role, Word)| {
                    *role == Role::Amount && size::bytes(word).is_some_and(|most| most >= size::HUGE)
                };
                if !parsed.program.has(Trait::Unbounded) && !parsed.roles.iter().any(huge) {
                    flow.qualities = flow.qualities.without(Taint::Endless);
                }
                flow
            }
            Prints::Paths => self.listing(parsed, rest, frame),
            Prints::Programs => {
                let names = parsed.operands.iter().flat_map(|word| self.texts(word));
                let found =
                    names.map(|name| if name.contains('/') { name } else { format!("/usr/bin/{name}") });
                let mut flow = Flow::text(found.collect::<Vec<_>>().join("\n"));
                if parsed.operands.iter().any(|word| self.texts(word).is_empty()) {
                    flow.text = None;
                }
                let ours = self.lookup_marks(rest);
                self.still_perhaps_ours(flow, carried.qualities.and(ours))
            }
            Prints::Download => {
                Flow { qualities: carried.qualities.with(Taint::Downloaded), ..Flow::default() }
            }
            Prints::Decoded if parsed.qualities.has(ParseFlag::Decodes) => {
                let source = if reads_input { frame.stdin.clone() } else { held };
                self.decoded(parsed.program.name.items(), &source)
            }
            Prints::Decoded => carried,
            Prints::Secret => Flow::of(qualities![Taint::Secret, Taint::Revealed]),
            Prints::Environment => {
                let named = !parsed.operands.is_empty();
                let secret = parsed
                    .operands
                    .iter()
                    .flat_map(|word| self.texts(word))
                    .any(|name| is_secret_name(&name));
                match (named, secret) {
                    (true, false) => Flow::default(),
                    (true, true) => Flow::of(qualities![Taint::Secret, Taint::Revealed]),
                    (false, _) => Flow::of(qualities![Taint::Environment, Taint::Secret, Modifier::All]),
                }
            }
            Prints::Identity => Flow::of(qualities![Taint::Identity]),
            Prints::Temporary => {
                Flow::paths([PathPattern::of("/tmp").join([Segment::Name("tmp.XXXXXXXXXX".into())], false)])
            }
            Prints::Dump => Flow::of(carried.qualities.and(qualities![Taint::File, Modifier::Mirror])),
            Prints::Directory => Flow::paths(frame.directories.iter().cloned()),
            Prints::Resolved => {
                self.still_perhaps_ours(self.resolved(&parsed.operands, frame), carried.qualities)
            }
            Prints::Parents => {
                self.still_perhaps_ours(self.parents(&parsed.operands, frame), carried.qualities)
            }
            Prints::Basename => self.still_perhaps_ours(self.basename(&parsed.operands), carried.qualities),
            Prints::Changed => self.rewritten(parsed, frame),
        }
    }

    /// The arguments of `echo`, as it prints them.
    fn joined(&self, rest: &[Word], operands: &[Word]) -> Flow {
        let operands = if operands.is_empty() { rest } else { operands };
        let skipped = operands.iter().skip_while(|word| {
            word.constant().is_some_and(|word| matches!(&*word, "-n" | "-e" | "-ne" | "-en" | "-E"))
        });
        let escapes = operands
            .iter()
            .take(2)
            .any(|word| word.constant().is_some_and(|word| word.starts_with('-') && word.contains('e')));
        let mut text = Some(String::new());
        let mut partial = Source::default();
        let mut flow = Flow::default();
        for (place, word) in skipped.enumerate() {
            let value = self.value_of(word);
            flow.qualities = flow.qualities.and(value.qualities);
            partial.push_text(if place == 0 { "" } else { " " });
            partial.push_source(&self.source_of(word));
            text = text
                .zip(value.text)
                .map(|(text, value)| if place == 0 { value } else { text + " " + &value });
        }
        flow.text = text.map(|text| if escapes { unescape(&text) } else { text } + "\n");
        if flow.qualities.has(Taint::Secret) && flow.text.is_none() {
            flow.qualities = flow.qualities.with(Taint::Revealed);
        }
        if let (None, [word]) = (&flow.text, operands) {
            // One of several: each may be what is printed.
            flow.also = self.texts(word).join("\n");
        }
        if flow.text.is_none() {
            partial = if escapes { unescaped(&partial) } else { partial };
            partial.push_text("\n");
            flow.partial = Some(Rc::new(partial));
            // A pattern of names prints the names.
            flow.paths = operands
                .iter()
                .filter(|word| word.pattern().is_some() && word.constant().is_none())
                .flat_map(|word| {
                    self.scope_directories()
                        .into_iter()
                        .flat_map(move |directory| self.pattern_in(word, &directory))
                })
                .collect();
        }
        flow
    }

    /// Returns the output of `realpath`.
    fn resolved(&self, operands: &[Word], frame: &Frame) -> Flow {
        let places = operands.iter().flat_map(|word| self.places(word, LinkPolicy::Follow, frame));
        let known = places.map(|(spot, _)| spot.path).filter(|path| !path.contains('…'));
        Flow::paths(known.map(|path| pattern_steps(&path)))
    }

    /// Returns the output of `dirname`.
    fn parents(&self, operands: &[Word], frame: &Frame) -> Flow {
        let places = operands.iter().flat_map(|word| self.places(word, LinkPolicy::Keep, frame));
        let known = places.map(|(spot, _)| spot.path).filter(|path| !path.contains('…'));
        Flow::paths(known.map(|path| {
            let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
            pattern_steps(parent.trim_start_matches('/'))
        }))
    }

    /// Returns the output of `basename` for one operand.
    fn basename(&self, operands: &[Word]) -> Flow {
        let known = |word: Option<&Word>| word.and_then(|word| self.value_of(word).text);
        let Some(whole) = known(operands.first()) else { return Flow::default() };
        let last = whole.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let ending = known(operands.get(1));
        let last = ending.as_deref().and_then(|ending| last.strip_suffix(ending)).unwrap_or(last);
        Flow::text(format!("{last}\n"))
    }

    /// Returns the output of `ls` and the like: the names of what is there.
    fn listing(&self, parsed: &Parsed, rest: &[Word], frame: &Frame) -> Flow {
        let here = Word::text(".", 0..0);
        let words: Vec<&Word> =
            if parsed.operands.is_empty() { vec![&here] } else { parsed.operands.iter().collect() };
        let mut paths = Vec::new();
        let mut numbers = Qualities::NONE;
        for word in words {
            for (spot, _) in self.places(word, LinkPolicy::Follow, frame) {
                // The numbers of all processes.
                if spot.path == "/proc" {
                    numbers = qualities![ParseFlag::Counted];
                }
                if spot.path.contains('…') {
                    continue;
                }
                let steps = pattern_steps(&spot.path);
                // A directory is listed, and not itself, unless that is asked for.
                let directory = word.lead().ends_with(['/', '.']) || spot.zone == Zone::Root;
                let itself = rest.iter().any(|word| {
                    word.lead().starts_with('-')
                        && !word.lead().starts_with("--")
                        && word.lead().contains('d')
                });
                if itself || !directory {
                    paths.push(steps.clone());
                }
                if spot.reach == Reach::Itself && !itself {
                    paths.push(steps.join([Segment::Pattern("*".into())], false));
                }
            }
        }
        Flow { qualities: numbers, ..Flow::paths(paths) }
    }

    fn scope_directories(&self) -> Vec<PathPattern> {
        vec![self.cwd.clone()]
    }

    fn pattern_in(&self, word: &Word, directory: &PathPattern) -> Vec<PathPattern> {
        let frame = Frame { directories: vec![directory.clone()], ..Frame::default() };
        let places = self.places(word, LinkPolicy::Keep, &frame);
        places
            .into_iter()
            .filter(|(spot, _)| !spot.path.contains('…'))
            .map(|(spot, _)| pattern_steps(&spot.path))
            .collect()
    }
}

/// Returns true if a query selects by a condition: `[?state=='stopped']`, `select(.n > 1)`.
fn selects(word: &Word) -> bool {
    let has = |part: &checkrein_shell::Part| match part {
        checkrein_shell::Part::Text(text) => text.contains("[?") || text.contains("select("),
        _ => false,
    };
    word.parts.iter().any(has)
}

/// Returns true if a search without a file goes through the directory instead of standard input.
fn searches_directories(program: &Program, rest: &[Word]) -> bool {
    let recursive = |word: &Word| {
        let lead = word.lead();
        lead.starts_with('-')
            && (lead.contains("recursive") || !lead.starts_with("--") && lead.contains(['r', 'R']))
    };
    program.has(Trait::SearchesBelow) || program.has(Trait::SearchesRecursively) && rest.iter().any(recursive)
}

/// A path in which patterns are still patterns.
pub(super) fn pattern_steps(path: &str) -> PathPattern {
    let steps = path.split('/').map(|name| {
        if name.contains(['*', '?', '[']) {
            Segment::Pattern(name.into())
        } else {
            Segment::Name(name.into())
        }
    });
    PathPattern::of("/").join(steps, false)
}

/// A text with holes in which the escapes are replaced.
pub(super) fn unescaped(source: &Source) -> Source {
    let (text, stand_ins) = StandIns::of(source.into());
    stand_ins.restore(&unescape(&text))
}

/// The escapes of `echo -e` and `printf`.
pub(super) fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '\\' {
            result.push(char);
            continue;
        }
        match chars.next() {
            Some('n') => result.push('\n'),
            Some('t') => result.push('\t'),
            Some('r') => result.push('\r'),
            Some('a') => result.push('\u{7}'),
            Some('e') => result.push('\u{1b}'),
            Some('\\') => result.push('\\'),
            Some('x') => push_code(&mut result, &mut chars, 16, 2),
            Some(digit @ '0'..='7') => {
                let mut digits = std::iter::once(digit)
                    .chain(std::iter::from_fn(|| chars.next_if(|char| char.is_digit(8))))
                    .take(4);
                let code =
                    digits.try_fold(0_u32, |code, digit| Some(code * 8 + digit.to_digit(8)?)).unwrap_or(0);
                result.extend(char::from_u32(code & 0xff));
            }
            Some(other) => result.extend(['\\', other]),
            None => result.push('\\'),
        }
    }
    result
}

fn push_code(
    result: &mut String,
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    base: u32,
    most: usize,
) {
    let mut code = 0;
    for _ in 0..most {
        let Some(digit) = chars.next_if(|char| char.is_digit(base)).and_then(|char| char.to_digit(base))
        else {
            break;
        };
        code = code * base + digit;
    }
    result.extend(char::from_u32(code));
}
