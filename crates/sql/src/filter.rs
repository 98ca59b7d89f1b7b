//! Decides whether a statement that deletes or updates rows affects all of them: no `WHERE`, or one that every row passes.

use super::token::{Kind, Token};

/// The depth to which parentheses are followed. A deeper condition may be one that every row passes.
const MAX_DEPTH: usize = 8;
/// The number of parentheses around a condition are taken off at once.
const PARENTHESES: usize = 32;

/// Returns whether the rows are restricted, by a condition or a join. A limit alone takes any of them, and as many again the next time.
pub(super) fn restricts(tokens: &[Token<'_>]) -> bool {
    let mut depth = 0_usize;
    let mut condition = None;
    let mut end = tokens.len();
    let (mut joins, mut outer) = (false, false);
    for (at, token) in tokens.iter().enumerate() {
        if token.is_symbol('(') {
            depth = depth.saturating_add(1);
        } else if token.is_symbol(')') {
            depth = depth.saturating_sub(1);
        }
        if depth > 0 {
            continue;
        }
        if token.is("WHERE") && condition.is_none() {
            condition = Some(at.saturating_add(1));
        } else if token.is_any(&["RETURNING", "ORDER", "LIMIT", "SETTINGS", "OPTION", "OUTPUT"])
            && condition.is_some()
        {
            end = end.min(at);
        } else if token.is("JOIN") {
            joins = true;
        } else if token.is_any(&["LEFT", "CROSS", "FULL", "RIGHT"]) {
            outer = true;
        }
    }
    match condition {
        Some(start) => !is_always_true(tokens.get(start..end).unwrap_or_default(), 0),
        // An inner join keeps the rows that have a partner.
        None => joins && !outer,
    }
}

/// Returns whether every row passes this condition. Errs to no, except for what is too deep to be looked at.
fn is_always_true(tokens: &[Token<'_>], depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return true;
    }
    let tokens = without_parentheses(tokens);
    let deeper = depth.saturating_add(1);
    // More parentheses than are taken off at once.
    if encloses(tokens) {
        return is_always_true(tokens, deeper);
    }
    let any = parts(tokens, "OR");
    if any.len() > 1 {
        return any.into_iter().any(|part| is_always_true(part, deeper));
    }
    let all = parts(tokens, "AND");
    if all.len() > 1 {
        return all.into_iter().all(|part| is_always_true(part, deeper));
    }
    match tokens {
        [one] => one.is("TRUE") || is_nonzero(one),
        [not, value] if not.is("NOT") => value.is("FALSE") || is_zero(value),
        [left, equals, right] if equals.is_symbol('=') => is_same(left, right),
        [left, first, second, right] if first.is_symbol('=') && second.is_symbol('=') => is_same(left, right),
        [left, like, right] if like.is_any(&["LIKE", "ILIKE", "GLOB", "REGEXP", "RLIKE"]) => {
            is_value(left) && right.kind == Kind::Text && matches!(right.text.as_ref(), "%" | "*" | "" | ".*")
        }
        [left, is, right] if is.is("IS") => is_same(left, right) && !is_named(left),
        [left, is, not, null] if is.is("IS") && not.is("NOT") && null.is("NULL") => is_key(left),
        [left, more, right] if more.is_symbol('>') => greater(left, right),
        [left, more, equals, right] if more.is_symbol('>') && equals.is_symbol('=') => {
            greater(left, right) || is_same(left, right)
        }
        [left, more, minus, _] if more.is_symbol('>') && minus.is_symbol('-') => is_key(left),
        [left, less, more, right]
            if (less.is_symbol('<') && more.is_symbol('>'))
                || (less.is_symbol('!') && more.is_symbol('=')) =>
        {
            is_constant(left) && is_constant(right) && left.text != right.text
                || is_key(left) && (is_zero(right) || right.text.is_empty())
        }
        [left, less, right] if less.is_symbol('<') => greater(right, left),
        _ => false,
    }
}

fn greater(left: &Token<'_>, right: &Token<'_>) -> bool {
    if is_key(left) {
        return is_zero(right);
    }
    match (left.kind, right.kind) {
        (Kind::Number, Kind::Number) => match (left.text.parse::<f64>(), right.text.parse::<f64>()) {
            (Ok(left), Ok(right)) => left > right,
            (Ok(_) | Err(_), Ok(_) | Err(_)) => false,
        },
        _ => false,
    }
}

/// A key is never zero, negative or missing in practice: a condition that says so only looks like one.
fn is_key(token: &Token<'_>) -> bool {
    is_named(token) && (token.text.eq_ignore_ascii_case("id") || token.text.eq_ignore_ascii_case("rowid"))
}

fn is_named(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Word | Kind::Name)
}

fn is_constant(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Number | Kind::Text)
}

fn is_value(token: &Token<'_>) -> bool {
    is_named(token) || is_constant(token)
}

fn is_same(left: &Token<'_>, right: &Token<'_>) -> bool {
    is_value(left) && is_value(right) && left.text.eq_ignore_ascii_case(&right.text) && !left.is("NULL")
}

fn is_zero(token: &Token<'_>) -> bool {
    token.kind == Kind::Number && token.text.parse::<f64>().is_ok_and(|value| value == 0.0)
}

fn is_nonzero(token: &Token<'_>) -> bool {
    (token.kind == Kind::Number || token.kind == Kind::Text)
        && token.text.parse::<f64>().is_ok_and(|value| value != 0.0)
}

/// Returns whether parentheses are around all of it.
fn encloses(tokens: &[Token<'_>]) -> bool {
    let [open, inner @ .., close] = tokens else { return false };
    let mut depth = 1_usize;
    open.is_symbol('(')
        && close.is_symbol(')')
        && inner.iter().all(|token| {
            if token.is_symbol('(') {
                depth = depth.saturating_add(1);
            } else if token.is_symbol(')') {
                depth = depth.saturating_sub(1);
            }
            depth > 0
        })
}

/// The tokens without parentheses around all of them.
fn without_parentheses<'t, 'a>(mut tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    // Each pair costs a look at all that is inside it.
    for _ in 0..PARENTHESES {
        let [_, inner @ .., _] = tokens else { break };
        if !encloses(tokens) {
            break;
        }
        tokens = inner;
    }
    tokens
}

/// The parts between a keyword outside parentheses.
fn parts<'t, 'a>(tokens: &'t [Token<'a>], keyword: &str) -> Vec<&'t [Token<'a>]> {
    let mut depth = 0_usize;
    tokens
        .split(|token| {
            if token.is_symbol('(') {
                depth = depth.saturating_add(1);
            } else if token.is_symbol(')') {
                depth = depth.saturating_sub(1);
            }
            depth == 0 && token.is(keyword)
        })
        .collect()
}
