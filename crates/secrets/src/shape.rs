//! Returns whether the text around an anchor has a shape: literals and runs of classes, matched without building anything.

use crate::{
    tables::{LITERAL, Op, Shape, is_in, literal},
    terminal,
};
use std::ops::Range;

/// The number of steps that the attempt to match one shape may take: a run before a literal is shortened step by step.
const STEPS: u32 = 4_096;

/// The place of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Matched {
    /// Everything that has the shape.
    pub(crate) whole: Range<usize>,
    /// The part that is secret.
    pub(crate) hidden: Range<usize>,
}

/// Matches a shape whose anchor begins at `at`.
pub(crate) fn at(text: &[u8], at: usize, shape: &Shape) -> Option<Matched> {
    let mut walk = Walk { text, steps: STEPS, hide: shape.hide, hidden: None };
    let mut end = walk.forward(at, shape.after(), 0)?;
    let start = walk.backward(at, shape.before())?;
    // The full stop of a sentence is not a part of a token.
    while text.get(end.wrapping_sub(1)) == Some(&b'.') {
        end -= 1;
    }
    let begins_with_run = shape.before().last().is_some_and(|op| op.class != LITERAL);
    if !begins_with_run && !shape.kind().begins_anywhere() && !is_boundary(text, start) {
        return None;
    }
    let hidden = walk.hidden.filter(|_| shape.hide > 0).unwrap_or(start);
    Some(Matched { whole: start..end, hidden: hidden..end })
}

/// Returns whether a whole text has a shape that begins with its first step.
pub(crate) fn is_whole(text: &[u8], shape: &Shape) -> bool {
    let mut walk = Walk { text, steps: STEPS, hide: 0, hidden: None };
    walk.forward(0, shape.after(), 0) == Some(text.len())
}

/// Returns whether a word may begin here: after no letter, digit or `_`, or after an escape such as `\n`, `%3D` or a colour.
pub(crate) fn is_boundary(text: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| text.get(at)).copied();
    match before(1) {
        None => true,
        Some(byte) if !byte.is_ascii_alphanumeric() && byte != b'_' => true,
        Some(b'n' | b'r' | b't' | b'f' | b'b') if before(2) == Some(b'\\') => true,
        Some(byte) if byte.is_ascii_hexdigit() && before(2).is_some_and(|byte| byte.is_ascii_hexdigit()) => {
            before(3) == Some(b'%') || (before(5) == Some(b'u') && before(6) == Some(b'\\'))
        }
        Some(_) => terminal::ends_at(text, at),
    }
}

struct Walk<'t> {
    text: &'t [u8],
    steps: u32,
    hide: u8,
    hidden: Option<usize>,
}

impl Walk<'_> {
    /// Returns where the steps end that begin at `at`. `index` is the number of the first of them.
    fn forward(&mut self, at: usize, ops: &[Op], index: u8) -> Option<usize> {
        self.steps = self.steps.checked_sub(1)?;
        if self.hide > 0 && index == self.hide {
            self.hidden = Some(at);
        }
        let Some((op, rest)) = ops.split_first() else { return Some(at) };
        if op.class == LITERAL {
            let literal = literal(*op);
            if !self.text.get(at..)?.starts_with(literal) {
                return None;
            }
            let end = at + literal.len();
            let is_cut = literal.last().is_some_and(u8::is_ascii_alphanumeric)
                && self.text.get(end).is_some_and(u8::is_ascii_alphanumeric);
            return if rest.is_empty() && is_cut { None } else { self.forward(end, rest, index + 1) };
        }
        let after = self.text.get(at..)?;
        let max = limit(*op);
        let run = after.iter().take(max).take_while(|byte| is_in(op.class, **byte)).count();
        if run < usize::from(op.min) {
            return None;
        }
        if rest.is_empty() {
            // One more of the same class: not this shape.
            let more = |at: usize| after.get(at).is_some_and(|byte| is_in(op.class, *byte));
            // A full stop at the end of a sentence is not more.
            let is_cut = run == max && more(run) && (after.get(run) != Some(&b'.') || more(run + 1));
            return (!is_cut).then_some(at + run);
        }
        (usize::from(op.min)..=run).rev().find_map(|run| self.forward(at + run, rest, index + 1))
    }

    /// Returns where the steps begin that end at `at`; they are in backward order.
    fn backward(&mut self, at: usize, ops: &[Op]) -> Option<usize> {
        self.steps = self.steps.checked_sub(1)?;
        let Some((op, rest)) = ops.split_first() else { return Some(at) };
        let before = self.text.get(..at)?;
        if op.class == LITERAL {
            let start = at.checked_sub(before.ends_with(literal(*op)).then(|| literal(*op).len())?)?;
            return self.backward(start, rest);
        }
        let max = limit(*op);
        let run = before.iter().rev().take(max).take_while(|byte| is_in(op.class, **byte)).count();
        if run < usize::from(op.min) {
            return None;
        }
        if rest.is_empty() {
            let is_cut =
                run == max && before.iter().rev().nth(run).is_some_and(|byte| is_in(op.class, *byte));
            let is_cut = is_cut && !is_boundary(self.text, at - run);
            return (!is_cut).then_some(at - run);
        }
        (usize::from(op.min)..=run).rev().find_map(|run| self.backward(at - run, rest))
    }
}

/// The longest run of a step. A step without a limit ends where a hostile text would make it costly.
fn limit(op: Op) -> usize {
    if op.max == u16::MAX { 1 << 16 } else { usize::from(op.max) }
}
