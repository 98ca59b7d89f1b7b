//! `{a,b}` and `{1..3}`, which bash expands before anything else.

use crate::{
    parse::is_name,
    syntax::{Piece, Quoting, bare_text},
    work,
};

/// More words than this are not expanded.
const MOST: usize = 1000;

/// Deeper, or more in a row, is not expanded.
const DEEPEST: usize = 64;

/// The words that come of one; `None` if they are too many. It burns by what is made, also of what is thrown away again.
pub(super) fn expand(pieces: &[Piece]) -> Option<Vec<Vec<Piece>>> {
    let words = expanded(pieces, 0)?;
    Some(words.into_iter().map(join).collect())
}

/// Returns true if there is anything to expand.
pub(super) fn any(pieces: &[Piece]) -> bool {
    first_brace(pieces).is_some()
}

fn expanded(pieces: &[Piece], depth: usize) -> Option<Vec<Vec<Piece>>> {
    let found = first_brace(pieces);
    if !work::burn(8 + 4 * pieces.len()) {
        return None;
    }
    let Some((open, brace)) = found else { return Some(vec![pieces.to_vec()]) };
    if depth > DEEPEST || brace.choices.len() > MOST {
        return None;
    }
    let before = pieces.get(..open).unwrap_or_default();
    let mut middles = Vec::new();
    for choice in &brace.choices {
        middles.append(&mut expanded(choice, depth + 1)?);
        if middles.len() > MOST {
            return None;
        }
    }
    let afters = expanded(pieces.get(brace.after..).unwrap_or_default(), depth + 1)?;
    if middles.len().saturating_mul(afters.len()) > MOST {
        return None;
    }
    let longest = |words: &[Vec<Piece>]| words.iter().map(Vec::len).max().unwrap_or(0);
    let length = before.len() + longest(&middles) + longest(&afters);
    if !work::burn(middles.len() * afters.len() * (16 + 4 * length)) {
        return None;
    }
    let mut words = Vec::new();
    for middle in &middles {
        words.extend(afters.iter().map(|after| [before, middle, after].concat()));
    }
    Some(words)
}

/// Reads again what has come together: the shell expands braces in the text, before it looks for names in it.
fn join(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match (joined.last_mut(), &piece) {
            (Some(Piece::Parameter(before, Quoting::Bare)), Piece::Bare(char))
                if before.short
                    && is_name(before.name.chars().next().unwrap_or('1'), 0)
                    && is_name(*char, 1) =>
            {
                before.name.push(*char);
                continue;
            }
            // A dollar sign alone, and now something behind it.
            (Some(last @ Piece::Bare('$')), Piece::Bare(char))
                if !matches!(char, '/' | '.' | ',' | ':' | '=' | '%') =>
            {
                *last = Piece::Uncertain;
            }
            (Some(last @ Piece::Bare('$')), Piece::Quoted(_)) => *last = Piece::Uncertain,
            _ => {}
        }
        joined.push(piece);
    }
    joined
}

struct Brace {
    choices: Vec<Vec<Piece>>,
    /// The place behind the closing brace.
    after: usize,
}

/// The first brace that is an expansion, with its place.
fn first_brace(pieces: &[Piece]) -> Option<(usize, Brace)> {
    let mut from = 0;
    // Each look is linear, so a word of nothing but braces would be quadratic.
    for _ in 0..DEEPEST {
        let open = from + pieces.iter().skip(from).position(|piece| matches!(piece, Piece::Bare('{')))?;
        let cuts = match cuts(pieces, open) {
            // Nothing at all is in `{}` at the beginning, as `find` needs it.
            Some(cuts) if open > 0 || !matches!(pieces.get(1), Some(Piece::Bare('}'))) => cuts,
            Some(_) | None => {
                from = open + 1;
                continue;
            }
        };
        let after = cuts.last().map_or(open, |close| close + 1);
        match choices(pieces, &cuts) {
            Some(choices) => return Some((open, Brace { choices, after })),
            // Text that only looks like a sequence stays as it is.
            None => from = after,
        }
    }
    None
}

/// The places of the opening brace, the commas and the closing one. A closing brace closes only what has a comma or two
/// dots in it.
fn cuts(pieces: &[Piece], open: usize) -> Option<Vec<usize>> {
    let mut depth = 0_usize;
    let mut cuts = vec![open];
    let mut dots = false;
    let is =
        |place: usize, wanted: char| matches!(pieces.get(place), Some(Piece::Bare(char)) if *char == wanted);
    work::burn(pieces.len().saturating_sub(open) / 4);
    for (place, piece) in pieces.iter().enumerate().skip(open + 1) {
        match piece {
            Piece::Bare('{') => depth += 1,
            Piece::Bare('}') if depth > 0 => depth -= 1,
            Piece::Bare('}') if dots || cuts.len() > 1 => {
                cuts.push(place);
                return Some(cuts);
            }
            Piece::Bare(',') if depth == 0 => cuts.push(place),
            Piece::Bare('.') if depth == 0 => dots |= is(place + 1, '.') && !is(place + 2, '}'),
            _ => {}
        }
    }
    None
}

fn choices(pieces: &[Piece], cuts: &[usize]) -> Option<Vec<Vec<Piece>>> {
    let between = |pair: &[usize]| match pair {
        [from, to] => pieces.get(from + 1..*to).unwrap_or_default().to_vec(),
        _ => Vec::new(),
    };
    if cuts.len() > 2 {
        work::burn(8 * cuts.len());
        return Some(cuts.windows(2).map(between).collect());
    }
    sequence(&bare_text(&between(cuts))?)
}

/// `1..3`, `a..e`, `01..10..2`.
fn sequence(text: &str) -> Option<Vec<Vec<Piece>>> {
    let parts: Vec<&str> = text.split("..").collect();
    let (from, to, step) = match parts.as_slice() {
        [from, to] => (*from, *to, 1),
        [from, to, step] => (*from, *to, step.parse::<i64>().ok()?),
        _ => return None,
    };
    let step = i64::try_from(step.unsigned_abs()).ok()?.max(1);
    let word = |text: String| text.chars().map(Piece::Bare).collect();
    if let (Ok(first), Ok(last)) = (from.parse::<i64>(), to.parse::<i64>()) {
        let padded = |text: &str| {
            let digits = text.trim_start_matches(['-', '+']);
            digits.len() > 1 && digits.starts_with('0')
        };
        let width = if padded(from) || padded(to) { from.len().max(to.len()) } else { 0 };
        return Some(steps(first, last, step).map(|number| word(format!("{number:0width$}"))).collect());
    }
    let letter = |text: &str| {
        let mut chars = text.chars();
        chars.next().filter(|char| char.is_ascii_alphabetic() && chars.next().is_none()).map(u32::from)
    };
    let (first, last) = (letter(from)?, letter(to)?);
    let steps = steps(i64::from(first), i64::from(last), step);
    let chars = steps.filter_map(|code| u32::try_from(code).ok().and_then(char::from_u32));
    Some(
        chars
            // Between the upper-case and the lower-case letters are characters with a meaning.
            .map(
                |char| {
                    if char.is_ascii_alphabetic() {
                        Piece::Bare(char)
                    } else {
                        Piece::Quoted(char.to_string())
                    }
                },
            )
            .map(|piece| vec![piece])
            .collect(),
    )
}

/// The numbers of a sequence, and one more than are wanted if they are too many.
fn steps(first: i64, last: i64, step: i64) -> impl Iterator<Item = i64> {
    let step = if first <= last { step } else { -step };
    let next = move |number: &i64| {
        number.checked_add(step).filter(|next| if step > 0 { *next <= last } else { *next >= last })
    };
    // Each becomes a list of its own.
    std::iter::successors(Some(first), next).take(MOST + 1).take_while(|_| work::burn(24))
}
