//! The structure of a program apart from its values: loops that start processes without an end, and conditions that
//! limit what is deleted.
//!
//! Both look at tokens, so that a comment or an unused text says nothing.

use super::{
    Language,
    lex::{Piece, Tok, Token, Tokens, lex},
};
use checkrein_shell::work;
use std::ops::Range;

/// Returns true if a program starts itself again and again: it forks in a loop that only something in it can end, and
/// waits for no process.
pub fn forks_on(language: Language, source: &str) -> bool {
    if !looks_alike(language) || !source.contains("fork") || !work::burn(COST * source.len()) {
        return false;
    }
    let program = Program { language, source, tokens: lex(language, source) };
    (0..program.tokens.list.len()).filter_map(|at| program.endless_at(at)).any(|scope| {
        let calls = |wanted: fn(&str) -> bool| {
            scope.clone().any(|at| matches!(program.tok(at), Some(Tok::Name(name)) if wanted(name)))
        };
        calls(|name| matches!(name, "fork" | "pcntl_fork")) && !calls(|name| WAITS.contains(&name))
    })
}

/// The fuel that examining a byte of the text costs.
const COST: usize = 8;
/// The maximum number of brackets around a call that are examined.
const AROUND: usize = 32;

/// Calls after which a program goes on only when another has ended.
const WAITS: [&str; 7] = ["wait", "wait2", "waitpid", "waitall", "wait3", "pcntl_wait", "pcntl_waitpid"];

/// The ending to which a condition limits what the call at this place is about: `if name.endswith(".pyc")`.
pub fn ending(language: Language, source: &str, call: &Range<usize>) -> Option<String> {
    if !looks_alike(language) || !work::burn(COST * source.len()) {
        return None;
    }
    let program = Program { language, source, tokens: lex(language, source) };
    program.asked_around(call, asked)
}

/// The names to which a condition limits what the call at this place is about: `if name in ("build", "dist")`.
pub fn members(language: Language, source: &str, call: &Range<usize>) -> Option<Vec<String>> {
    if !looks_alike(language) || !work::burn(COST * source.len()) {
        return None;
    }
    let program = Program { language, source, tokens: lex(language, source) };
    program.asked_around(call, asked_members)
}

/// The texts and patterns by which a program selects: those that it compares with, searches for, or stores under a name
/// that it uses.
pub fn selects_by(language: Language, source: &str) -> Vec<String> {
    if !work::burn(COST * source.len()) {
        return Vec::new();
    }
    let program = Program { language, source, tokens: lex(language, source) };
    let mut found = Vec::new();
    for at in 0..program.tokens.list.len() {
        let text = match program.tok(at) {
            Some(Tok::Pattern(_)) => {
                let span = program.token(at).map_or(0..0, |token| token.span.clone());
                source.get(span).map(|written| written.trim_matches('/').to_owned())
            }
            Some(Tok::Text(pieces)) if program.is_compared(at) || program.is_kept(at) => {
                let text = |piece: &Piece| match piece {
                    Piece::Text(text) => Some(text.clone()),
                    Piece::Code(_) => None,
                };
                pieces.iter().map(text).collect()
            }
            _ => None,
        };
        found.extend(text);
    }
    found
}

/// Functions and methods that look for a text.
const SEARCHES: [&str; 22] = [
    "includes",
    "include?",
    "contains",
    "match",
    "matches",
    "match?",
    "test",
    "search",
    "find",
    "findall",
    "fullmatch",
    "index",
    "indexOf",
    "startswith",
    "startsWith",
    "start_with?",
    "endswith",
    "endsWith",
    "end_with?",
    "compile",
    "str_contains",
    "preg_match",
];

const fn looks_alike(language: Language) -> bool {
    use Language::{JavaScript, Lua, Perl, Php, Python, Ruby};
    matches!(language, Python | Perl | Ruby | JavaScript | Php | Lua)
}

struct Program<'a> {
    language: Language,
    source: &'a str,
    tokens: Tokens,
}

/// Something that holds wherever a call runs.
struct Guard {
    condition: Range<usize>,
    /// The parameter by which a filter calls what it looks at.
    passes: Option<String>,
}

impl Program<'_> {
    fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.list.get(at)
    }

    fn tok(&self, at: usize) -> Option<&Tok> {
        self.token(at).map(|token| &token.tok)
    }

    fn is_op(&self, at: usize, op: &str) -> bool {
        matches!(self.tok(at), Some(Tok::Op(found)) if *found == op)
    }

    fn is_name(&self, at: usize, name: &str) -> bool {
        matches!(self.tok(at), Some(Tok::Name(found)) if found == name)
    }

    fn close(&self, at: usize) -> usize {
        self.token(at).map_or(usize::MAX, |token| token.close).min(self.tokens.list.len())
    }

    /// The bracket that is closed at this place.
    fn opener(&self, close: usize) -> Option<usize> {
        (0..close).rev().find(|at| self.token(*at).is_some_and(|token| token.close == close))
    }

    /// Returns true if a text is compared with something, or searched for.
    fn is_compared(&self, at: usize) -> bool {
        let compares = |at: usize| match self.tok(at) {
            Some(Tok::Op(op)) => matches!(*op, "==" | "===" | "!=" | "!==" | "~" | "!~" | "=~"),
            Some(Tok::Name(word)) => matches!(word.as_str(), "in" | "eq" | "ne" | "is"),
            _ => false,
        };
        let before = at.checked_sub(1);
        let called = || {
            let open = before.filter(|at| self.is_op(*at, "(") || self.is_op(*at, ","))?;
            let open = if self.is_op(open, "(") {
                open
            } else {
                (0..open).rev().find(|place| self.is_op(*place, "(") && self.close(*place) > at)?
            };
            match self.tok(open.checked_sub(1)?) {
                Some(Tok::Name(name)) => Some(SEARCHES.contains(&name.as_str())),
                _ => None,
            }
        };
        before.is_some_and(compares) || compares(at + 1) || called().unwrap_or(false)
    }

    /// Returns true if a text is kept under a name that is used elsewhere.
    fn is_kept(&self, at: usize) -> bool {
        let name = at.checked_sub(2).filter(|name| self.is_op(name + 1, "=")).and_then(|name| self.tok(name));
        let Some(Tok::Name(name)) = name else { return false };
        (0..self.tokens.list.len()).filter(|at| self.is_name(*at, name)).nth(1).is_some()
    }

    /// Returns the column of a token, if it is the first of its line.
    fn column(&self, at: usize) -> Option<usize> {
        let start = self.token(at)?.span.start;
        let before = at.checked_sub(1).and_then(|at| self.token(at));
        // Only what is between two tokens is looked at, however long the line is.
        let gap = self.source.get(before.map_or(0, |token| token.span.end.min(start))..start)?;
        match (gap.rfind('\n'), before) {
            (Some(end), _) => Some(gap.len() - end - 1),
            // The end of a line may be a token itself.
            (None, Some(token)) => (token.tok == Tok::End
                && self.source.get(token.span.clone()).is_some_and(|text| text.contains('\n')))
            .then_some(gap.len()),
            (None, None) => Some(gap.len()),
        }
    }

    /// The end of the statement at this place.
    fn end(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(tok) = self.tok(at) {
            match tok {
                Tok::End | Tok::Op(")" | "]" | "}") => break,
                Tok::Op("(" | "[" | "{") => at = self.close(at),
                _ => {}
            }
            at += 1;
        }
        at.min(self.tokens.list.len())
    }

    /// Returns what the loop at this place repeats, if nothing outside it ends it.
    fn endless_at(&self, at: usize) -> Option<Range<usize>> {
        let Some(Tok::Name(word)) = self.tok(at) else { return None };
        if !matches!(word.as_str(), "while" | "until" | "loop" | "for" | "foreach")
            || !work::burn(self.tokens.list.len())
        {
            return None;
        }
        let condition = match word.as_str() {
            "while" | "until" => at + 1..self.head(at + 1),
            "loop" if self.is_op(at + 1, "{") || self.is_name(at + 1, "do") => {
                return Some(at..self.body(at + 1));
            }
            "for" | "foreach" => {
                let head = at + 1..self.head(at + 1);
                return self.counts_on(head.clone()).then(|| self.before(at)..self.body(head.end));
            }
            _ => return None,
        };
        let holds = match self.constant(condition.clone()) {
            Some(value) => value == (word == "while"),
            // A loop on its own processes: every one of them goes on.
            None => condition.clone().any(|at| self.is_name(at, "fork")),
        };
        holds.then(|| self.before(at)..self.body(condition.end))
    }

    /// Returns the start of what a loop repeats: `… while 1` and a comprehension repeat what precedes them.
    fn before(&self, at: usize) -> usize {
        if self.column(at).is_some() {
            return at;
        }
        let bounds = |place: &usize| match self.tok(*place) {
            Some(Tok::End | Tok::Op("{" | "}")) => true,
            Some(Tok::Op("(" | "[")) => self.close(*place) > at,
            _ => false,
        };
        (0..at).rev().find(bounds).map_or(0, |place| place + 1)
    }

    /// The end of what a loop or a condition asks.
    fn head(&self, from: usize) -> usize {
        if self.is_op(from, "(") && self.language != Language::Python {
            return self.close(from) + 1;
        }
        let end = self.end(from);
        let stops = |at: &usize| {
            matches!(self.tok(*at), Some(Tok::Op(":" | "{")))
                || self.is_name(*at, "do")
                || self.is_name(*at, "then")
        };
        (from..end).find(stops).unwrap_or(end)
    }

    /// The end of a body that begins at this place.
    fn body(&self, from: usize) -> usize {
        let length = self.tokens.list.len();
        if self.is_op(from, "{") {
            return self.close(from);
        }
        match self.language {
            Language::Python => {
                let line = (0..from).rev().find_map(|at| self.column(at)).unwrap_or_default();
                let leaves = |at: &usize| self.column(*at).is_some_and(|column| column <= line);
                (from + 1..length).find(leaves).unwrap_or(length)
            }
            // The matching `end` is not searched for: the end of the text includes it.
            Language::Ruby | Language::Lua => length,
            _ => self.end(from),
        }
    }

    /// The value of a condition that is written out.
    fn constant(&self, range: Range<usize>) -> Option<bool> {
        let inner: Vec<&Tok> =
            range.filter_map(|at| self.tok(at)).filter(|tok| !matches!(tok, Tok::Op("(" | ")"))).collect();
        match inner.as_slice() {
            [Tok::Number(number)] => Some(*number != 0),
            [Tok::Name(name)] if name.eq_ignore_ascii_case("true") => Some(true),
            [Tok::Name(name)] if name.eq_ignore_ascii_case("false") => Some(false),
            // `while ()` of Perl.
            [] => Some(true),
            _ => None,
        }
    }

    /// `for (;;)`, `for x in iter(int, 1)`, `for x in itertools.count()`: what comes never ends.
    fn counts_on(&self, head: Range<usize>) -> bool {
        let inner: Vec<&Tok> = head.filter_map(|at| self.tok(at)).collect();
        match inner.as_slice() {
            [Tok::Op("("), first, second, Tok::Op(")")] => {
                [first, second].iter().all(|tok| matches!(tok, Tok::End | Tok::Op(";")))
            }
            [.., Tok::Name(of), Tok::Op("("), Tok::Name(int), Tok::Op(","), _, Tok::Op(")")] => {
                of == "iter" && int == "int"
            }
            [.., Tok::Name(of), Tok::Op("("), Tok::Op(")")] => of == "count",
            _ => false,
        }
    }

    /// Returns the conditions that must hold where a call runs, as far as they are visible.
    fn guards(&self, first: usize, after: usize) -> Vec<Guard> {
        let mut guards = Vec::new();
        let mut add = |condition: Range<usize>| guards.push(Guard { condition, passes: None });
        // `… if condition`, also in a comprehension.
        if matches!(self.language, Language::Python | Language::Ruby | Language::Perl) {
            let end = self.end(after);
            if let Some(at) = (after..end).find(|at| self.is_name(*at, "if")) {
                let stop = (at..end).find(|at| self.is_name(*at, "else")).unwrap_or(end);
                add(at + 1..stop);
            }
        }
        if self.language == Language::Python {
            self.guards_by_indent(first).into_iter().for_each(add);
            return guards;
        }
        // `if (condition) call` and `if (condition) { … call … }`.
        let direct = first.checked_sub(1).filter(|at| self.is_op(*at, ")"));
        let braces =
            (0..first).rev().filter(|at| self.is_op(*at, "{") && self.close(*at) >= after).take(AROUND);
        let before_brace = braces.filter_map(|at| at.checked_sub(1)).filter(|at| self.is_op(*at, ")"));
        for close in before_brace.chain(direct) {
            if let Some(open) = self.opener(close)
                && open.checked_sub(1).is_some_and(|at| self.is_name(at, "if"))
            {
                add(open + 1..close);
            }
        }
        guards.extend(self.filters(first, after));
        guards
    }

    /// `list.filter(f => condition).forEach(f => call)`
    fn filters(&self, first: usize, after: usize) -> Vec<Guard> {
        let around =
            (0..first).rev().filter(|at| self.is_op(*at, "(") && self.close(*at) >= after).take(AROUND);
        let filter = |at: usize| {
            // The name of the method, its dot, and the end of what precedes it.
            let close = at.checked_sub(3).filter(|at| self.is_op(*at, ")"))?;
            let open = self.opener(close)?;
            let Some(Tok::Name(parameter)) = self.tok(open + 1) else { return None };
            (self.is_name(open.checked_sub(1)?, "filter") && self.is_op(open + 2, "=>"))
                .then(|| Guard { condition: open + 3..close, passes: Some(parameter.clone()) })
        };
        around.filter_map(filter).collect()
    }

    /// The conditions of the blocks around a line.
    fn guards_by_indent(&self, first: usize) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut inside = usize::MAX;
        for at in (0..=first).rev() {
            let Some(column) = self.column(at).filter(|column| *column < inside) else { continue };
            let is_own = inside == usize::MAX;
            inside = column;
            if self.is_name(at, "if") || self.is_name(at, "elif") {
                let head = self.head(at + 1);
                if !is_own || head < first {
                    found.push(at + 1..head);
                }
            }
        }
        found
    }

    /// Returns true if a name gets another value in between.
    fn assigns(&self, name: &str, range: Range<usize>) -> bool {
        range.clone().any(|at| {
            self.is_name(at, name)
                && (self.is_op(at + 1, "=") || self.is_op(at + 1, "+=") || self.is_name(at + 1, "in"))
        })
    }

    /// The list in brackets that a name is set to, if it is set once.
    fn list_of(&self, name: &str) -> Option<Range<usize>> {
        let sets = |at: &usize| self.is_name(*at, name) && self.is_op(at + 1, "=");
        let mut set = (0..self.tokens.list.len()).filter(sets);
        let open = set.next().filter(|_| set.next().is_none())? + 2;
        let opens = ["(", "[", "{"].iter().any(|op| self.is_op(open, op));
        let close = self.close(open);
        (opens && close > open).then(|| open..close + 1)
    }

    /// Returns what a condition around a call asks of something that the call is about.
    fn asked_around<T>(&self, call: &Range<usize>, read: fn(&[&Tok]) -> Option<(String, T)>) -> Option<T> {
        let list = &self.tokens.list;
        let first = list.iter().position(|token| token.span.start >= call.start)?;
        let after = list.iter().position(|token| token.span.start >= call.end).unwrap_or(list.len());
        let named = |subject: &str| (first..after).any(|at| self.is_name(at, subject));
        self.guards(first, after).into_iter().find_map(|guard| {
            let (subject, asked) = self.asks(guard.condition.clone(), read)?;
            let about = match &guard.passes {
                // What is left of a list is called otherwise by those who go through it.
                Some(parameter) => *parameter == subject,
                None => named(&subject) && !self.assigns(&subject, guard.condition.end..first),
            };
            about.then_some(asked)
        })
    }

    /// The name that a condition tests, and the test. Any further test makes the condition narrower.
    fn asks<T>(
        &self,
        condition: Range<usize>,
        read: fn(&[&Tok]) -> Option<(String, T)>,
    ) -> Option<(String, T)> {
        let widens = |at: usize| match self.tok(at) {
            Some(Tok::Name(word)) => matches!(word.as_str(), "or" | "not" | "xor" | "unless"),
            Some(Tok::Op(op)) => matches!(*op, "||" | "!" | "?" | "!=" | "!=="),
            _ => false,
        };
        if condition.clone().any(widens) {
            return None;
        }
        let mut parts = vec![Vec::new()];
        for at in condition {
            match self.tok(at)? {
                Tok::Op("&&") => parts.push(Vec::new()),
                Tok::Name(word) if word == "and" => parts.push(Vec::new()),
                // A list that was given a name is what it was set to.
                Tok::Name(name) if is_within(parts.last()?) => match self.list_of(name) {
                    Some(list) => parts.last_mut()?.extend(list.filter_map(|at| self.tok(at))),
                    None => return None,
                },
                tok => parts.last_mut()?.push(tok),
            }
        }
        parts.iter().find_map(|part| read(part))
    }
}

/// `name.endswith(".x")`, `path.suffix == ".x"`, `extname(name) === ".x"`
fn asked(part: &[&Tok]) -> Option<(String, String)> {
    let part = match part {
        [Tok::Op("("), inner @ .., Tok::Op(")")] => inner,
        part => part,
    };
    let (subject, text) = match part {
        [
            Tok::Name(subject),
            Tok::Op(".") | Tok::Op("->"),
            Tok::Name(method),
            Tok::Op("("),
            Tok::Text(text),
            Tok::Op(")"),
        ] if matches!(method.as_str(), "endswith" | "endsWith" | "end_with?") => (subject, text),
        [Tok::Name(subject), Tok::Op("."), Tok::Name(field), Tok::Op("==" | "==="), Tok::Text(text)]
            if field == "suffix" =>
        {
            (subject, text)
        }
        [
            ..,
            Tok::Name(function),
            Tok::Op("("),
            Tok::Name(subject),
            Tok::Op(")"),
            Tok::Op("==" | "==="),
            Tok::Text(text),
        ] if function == "extname" => (subject, text),
        _ => return None,
    };
    let [Piece::Text(ending)] = text.as_slice() else { return None };
    let rest = ending.strip_prefix('.')?;
    (!rest.is_empty() && rest.chars().all(char::is_alphanumeric)).then(|| (subject.clone(), ending.clone()))
}

/// Returns true if a list follows: `name in`.
fn is_within(part: &[&Tok]) -> bool {
    matches!(part, [.., Tok::Name(_), Tok::Name(within)] if within == "in")
}

/// `name in ("x", "y")`, `path.name in {"x"}`, `["x", "y"].includes(name)`, `name == "x"`
fn asked_members(part: &[&Tok]) -> Option<(String, Vec<String>)> {
    let (subject, list) = match part {
        [
            Tok::Name(subject),
            Tok::Op("."),
            Tok::Name(field),
            Tok::Name(within),
            Tok::Op("(" | "[" | "{"),
            list @ ..,
            Tok::Op(")" | "]" | "}"),
        ] if field == "name" && within == "in" => (subject, list),
        [
            Tok::Name(subject),
            Tok::Name(within),
            Tok::Op("(" | "[" | "{"),
            list @ ..,
            Tok::Op(")" | "]" | "}"),
        ] if within == "in" => (subject, list),
        [
            Tok::Op("["),
            list @ ..,
            Tok::Op("]"),
            Tok::Op("."),
            Tok::Name(method),
            Tok::Op("("),
            Tok::Name(subject),
            Tok::Op(")"),
        ] if matches!(method.as_str(), "includes" | "include?") => (subject, list),
        [Tok::Name(subject), Tok::Op("==" | "==="), list @ Tok::Text(_)] => {
            (subject, std::slice::from_ref(list))
        }
        _ => return None,
    };
    let mut names = Vec::new();
    for (place, tok) in list.iter().enumerate() {
        match tok {
            Tok::Op(",") | Tok::End if place > 0 => {}
            Tok::Text(pieces) => match pieces.as_slice() {
                [Piece::Text(name)] if !name.is_empty() => names.push(name.clone()),
                _ => return None,
            },
            _ => return None,
        }
    }
    (!names.is_empty()).then(|| (subject.clone(), names))
}
