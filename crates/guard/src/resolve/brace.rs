//! `{a,b}` and `{1..3}`, which bash expands before anything else.

use crate::syntax::Piece;

/// More words than this are not expanded.
const MOST: usize = 1000;

/// The words that come of one; `None` if they are too many.
pub(super) fn expand(pieces: &[Piece]) -> Option<Vec<Vec<Piece>>> {
    let mut done = Vec::new();
    // Prefixes that are final, with what is still to be looked at. The last is the next in order.
    let mut todo = vec![(Vec::new(), pieces.to_vec())];
    let mut steps = 0_usize;
    while let Some((mut prefix, rest)) = todo.pop() {
        steps += 1;
        if done.len() + todo.len() > MOST || steps > 4 * MOST {
            return None;
        }
        let Some((open, brace)) = first_brace(&rest) else {
            prefix.extend(rest);
            done.push(prefix);
            continue;
        };
        prefix.extend_from_slice(rest.get(..open).unwrap_or_default());
        let after = rest.get(brace.after..).unwrap_or_default();
        if brace.choices.len() > MOST {
            return None;
        }
        for choice in brace.choices.into_iter().rev() {
            let mut rest = choice;
            rest.extend_from_slice(after);
            todo.push((prefix.clone(), rest));
        }
    }
    Some(done)
}

struct Brace {
    choices: Vec<Vec<Piece>>,
    /// The place behind the closing brace.
    after: usize,
}

/// The first brace that is an expansion, with its place.
fn first_brace(pieces: &[Piece]) -> Option<(usize, Brace)> {
    let opens = pieces.iter().enumerate().filter(|(_, piece)| matches!(piece, Piece::Bare('{')));
    // Each look is linear, so a word of nothing but braces would be quadratic.
    for (open, _) in opens.take(64) {
        if let Some(brace) = brace_at(pieces, open) {
            return Some((open, brace));
        }
    }
    None
}

fn brace_at(pieces: &[Piece], open: usize) -> Option<Brace> {
    let mut depth = 0_usize;
    let mut cuts = vec![open];
    for (place, piece) in pieces.iter().enumerate().skip(open) {
        match piece {
            Piece::Bare('{') => depth += 1,
            Piece::Bare(',') if depth == 1 => cuts.push(place),
            Piece::Bare('}') if depth == 1 => {
                cuts.push(place);
                return choices(pieces, &cuts).map(|choices| Brace { choices, after: place + 1 });
            }
            Piece::Bare('}') => depth -= 1,
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
        return Some(cuts.windows(2).map(between).collect());
    }
    let inside: Option<String> = between(cuts)
        .iter()
        .map(|piece| if let Piece::Bare(char) = piece { Some(*char) } else { None })
        .collect();
    sequence(&inside?)
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
            // Between the capitals and the small letters lie characters that would mean something.
            .map(|char| if char.is_ascii_alphabetic() { Piece::Bare(char) } else { Piece::Quoted(char.to_string()) })
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
    std::iter::successors(Some(first), next).take(MOST + 1)
}
