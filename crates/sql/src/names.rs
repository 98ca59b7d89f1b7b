//! Names of objects: as they are in a text, and which of them are plainly throw-away.

use super::token::{Kind, Token};

/// Returns whether a name says of itself that it is not a loss: `test_x`, `x_tmp`, `#x` of SQL Server, `pg_temp.x`, `:memory:`.
pub fn is_throwaway(name: &str) -> bool {
    const MARKS: [&str; 5] = ["test", "tmp", "temp", "scratch", "dummy"];
    let name = name.trim().to_ascii_lowercase();
    if name == ":memory:" || name.starts_with('#') {
        return true;
    }
    if is_production(&name) {
        return false;
    }
    let mut parts = name.rsplit('.');
    let last = parts.next().unwrap_or_default();
    let last = last.strip_suffix(":").unwrap_or(last);
    let marked = |text: &str| {
        MARKS.iter().any(|mark| {
            text == *mark
                || text.strip_prefix(mark).is_some_and(|rest| rest.starts_with(['_', '-', ':']))
                || text.strip_suffix(mark).is_some_and(|rest| rest.ends_with(['_', '-', ':']))
        })
    };
    marked(last) || parts.any(|part| matches!(part, "pg_temp" | "temp" | "tempdb"))
}

/// Returns whether one of the words of a name says that it is the production environment: `prod`, `shop-PROD-eu`, but not `non-prod`.
pub fn is_production(name: &str) -> bool {
    let mut before = "";
    for word in name.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let is = |text: &str, words: &[&str]| words.iter().any(|known| text.eq_ignore_ascii_case(known));
        if is(word, &["prod", "production", "prd"]) && !is(before, &["non", "not", "pre", "no"]) {
            return true;
        }
        before = word;
    }
    false
}

/// Returns whether each of the names, joined by `, `, is throw-away.
pub(super) fn all_throwaway(names: &str) -> bool {
    !names.is_empty() && names.split(", ").all(is_throwaway)
}

/// The name that starts here, with what qualifies it, and how many tokens it takes.
pub(super) fn name(tokens: &[Token<'_>]) -> (String, usize) {
    let mut name = String::new();
    let mut taken = 0;
    let mut wants_part = true;
    for token in tokens {
        match token.kind {
            Kind::Word | Kind::Name | Kind::Number | Kind::Text if wants_part => {
                name.push_str(&token.text);
                wants_part = false;
            }
            Kind::Symbol if token.is_symbol('.') && taken > 0 => {
                name.push('.');
                wants_part = true;
            }
            // A parameter of psql: `:name`.
            Kind::Symbol if token.is_symbol(':') && taken == 0 => name.push(':'),
            Kind::Word
            | Kind::Name
            | Kind::Number
            | Kind::Text
            | Kind::Symbol
            | Kind::Command
            | Kind::End
            | Kind::Broken => break,
        }
        taken += 1;
    }
    (name, taken)
}

/// The names in a list, joined by `, `, after the words that may be before them.
pub(super) fn list(tokens: &[Token<'_>]) -> String {
    const BEFORE: [&str; 11] = [
        "IF",
        "EXISTS",
        "NOT",
        "ONLY",
        "CONCURRENTLY",
        "TABLE",
        "LOW_PRIORITY",
        "QUICK",
        "IGNORE",
        "EMPTY",
        "INTO",
    ];
    let skipped = tokens.iter().take_while(|token| BEFORE.iter().any(|word| token.is(word))).count();
    let mut rest = tokens.get(skipped..).unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    loop {
        let (one, taken) = name(rest);
        if taken == 0 {
            break;
        }
        names.push(one);
        rest = rest.get(taken..).unwrap_or_default();
        // `t *` of Postgres: with what inherits from it.
        if rest.first().is_some_and(|token| token.is_symbol('*')) {
            rest = rest.get(1..).unwrap_or_default();
        }
        match rest.split_first() {
            Some((comma, more)) if comma.is_symbol(',') => rest = more,
            Some(_) | None => break,
        }
    }
    names.join(", ")
}
