//! Extended regular expressions, as `pkill`, `killall -r` and `grep -E` take them: as far as needed to find where one
//! matches a short known text.
//!
//! The work is bounded: an expression that needs more counts as a match, because it cannot be ruled out.

use std::ops::Range;

/// The maximum number of steps for one search.
const STEPS: usize = 20_000;
/// The maximum nesting depth of groups.
const DEPTH: usize = 24;
/// The maximum for a repetition count.
const MOST: usize = 255;

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Ere {
    node: Node,
    ignore_case: bool,
}

#[derive(Clone, Debug)]
enum Node {
    /// One of these.
    Any(Vec<Node>),
    /// One after another.
    All(Vec<Node>),
    /// Between so many and so many of it.
    Repeat(Box<Node>, usize, usize),
    Char(char),
    Dot,
    /// A set of characters, or everything else.
    Set(bool, Vec<(char, char)>),
    Start,
    End,
    /// The beginning or the end of a word, or either.
    Edge,
}

impl Ere {
    /// Reads an expression; none if it is none.
    pub(crate) fn new(text: &str, ignore_case: bool) -> Option<Self> {
        let chars: Vec<char> = text.chars().collect();
        let mut reader = PatternParser { chars: &chars, at: 0 };
        let node = reader.any(0)?;
        (reader.at == chars.len()).then_some(Self { node, ignore_case })
    }

    /// Creates an expression that matches this text literally.
    pub(crate) fn literal(text: &str, ignore_case: bool) -> Self {
        Self { node: Node::All(text.chars().map(Node::Char).collect()), ignore_case }
    }

    /// Returns the first match of at least one character, as a range of characters; the whole text if the search
    /// takes too long.
    pub(crate) fn find(&self, text: &str) -> Option<Range<usize>> {
        let chars: Vec<char> = text.chars().collect();
        let mut matcher = Matcher { chars: &chars, steps: STEPS, ignore_case: self.ignore_case };
        for start in 0..=chars.len() {
            let mut end = None;
            matcher.node(&self.node, start, &mut |at| {
                end = end.max(Some(at));
                // The longest counts, so all are heard.
                false
            });
            if matcher.steps == 0 {
                return Some(0..chars.len());
            }
            if let Some(end) = end.filter(|end| *end > start) {
                return Some(start..end);
            }
        }
        None
    }

    /// Returns true if it matches the whole text.
    pub(crate) fn is_whole(&self, text: &str) -> bool {
        let length = text.chars().count();
        self.find(text).is_some_and(|found| found == (0..length))
    }
}

struct PatternParser<'a> {
    chars: &'a [char],
    at: usize,
}

impl PatternParser<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    fn eats(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn any(&mut self, depth: usize) -> Option<Node> {
        if depth > DEPTH {
            return None;
        }
        let mut ways = vec![self.all(depth)?];
        while self.eats('|') {
            ways.push(self.all(depth)?);
        }
        Some(match ways.len() {
            1 => ways.pop()?,
            _ => Node::Any(ways),
        })
    }

    fn all(&mut self, depth: usize) -> Option<Node> {
        let mut parts = Vec::new();
        while let Some(char) = self.peek().filter(|char| !matches!(char, '|' | ')')) {
            self.at += 1;
            let one = match char {
                '(' => {
                    let inner = self.any(depth + 1)?;
                    if !self.eats(')') {
                        return None;
                    }
                    inner
                }
                '[' => self.set()?,
                '.' => Node::Dot,
                '^' => Node::Start,
                '$' => Node::End,
                '\\' => escaped(self.bump()?),
                '*' | '+' | '?' if parts.is_empty() => Node::Char(char),
                other => Node::Char(other),
            };
            parts.push(self.repeated(one)?);
        }
        Some(Node::All(parts))
    }

    fn repeated(&mut self, one: Node) -> Option<Node> {
        let mut node = one;
        loop {
            let (least, most) = match self.peek() {
                Some('*') => (0, MOST),
                Some('+') => (1, MOST),
                Some('?') => (0, 1),
                Some('{') => match self.bounds() {
                    Some(bounds) => {
                        node = Node::Repeat(Box::new(node), bounds.0, bounds.1);
                        continue;
                    }
                    None => return Some(node),
                },
                _ => return Some(node),
            };
            self.at += 1;
            node = Node::Repeat(Box::new(node), least, most);
        }
    }

    /// `{2}`, `{2,}`, `{2,3}`; anything else is a brace.
    fn bounds(&mut self) -> Option<(usize, usize)> {
        let rest = self.chars.get(self.at + 1..)?;
        let length = rest.iter().position(|char| *char == '}')?;
        let inside: String = rest.get(..length)?.iter().collect();
        let (least, most) = match inside.split_once(',') {
            None => {
                let both: usize = inside.parse().ok()?;
                (both, both)
            }
            Some((least, "")) => (least.parse().ok()?, MOST),
            Some((least, most)) => (least.parse().unwrap_or(0), most.parse().ok()?),
        };
        self.at += length + 2;
        Some((least.min(MOST), most.min(MOST)))
    }

    fn set(&mut self) -> Option<Node> {
        let not = self.eats('^');
        let mut ranges = Vec::new();
        let mut first = true;
        loop {
            let char = self.bump()?;
            match char {
                ']' if !first => return Some(Node::Set(not, ranges)),
                '[' if self.peek() == Some(':') => {
                    let rest = self.chars.get(self.at + 1..)?;
                    let length = rest.iter().position(|char| *char == ':')?;
                    let name: String = rest.get(..length)?.iter().collect();
                    ranges.extend_from_slice(class(&name)?);
                    self.at += length + 3;
                }
                low => {
                    let next = self.chars.get(self.at + 1).copied();
                    match next.filter(|next| self.peek() == Some('-') && *next != ']') {
                        Some(high) => {
                            self.at += 2;
                            ranges.push((low, high));
                        }
                        None => ranges.push((low, low)),
                    }
                }
            }
            first = false;
        }
    }
}

fn escaped(char: char) -> Node {
    let class_of = |not: bool, name: &str| {
        let mut ranges = class(name).unwrap_or_default().to_vec();
        ranges.extend((name == "alnum").then_some(('_', '_')));
        Node::Set(not, ranges)
    };
    match char {
        'w' => class_of(false, "alnum"),
        'W' => class_of(true, "alnum"),
        's' => class_of(false, "space"),
        'S' => class_of(true, "space"),
        'd' => class_of(false, "digit"),
        'D' => class_of(true, "digit"),
        'b' | '<' | '>' => Node::Edge,
        '`' => Node::Start,
        '\'' => Node::End,
        other => Node::Char(other),
    }
}

fn class(name: &str) -> Option<&'static [(char, char)]> {
    Some(match name {
        "alpha" => &[('a', 'z'), ('A', 'Z')],
        "lower" => &[('a', 'z')],
        "upper" => &[('A', 'Z')],
        "digit" => &[('0', '9')],
        "xdigit" => &[('0', '9'), ('a', 'f'), ('A', 'F')],
        "alnum" => &[('a', 'z'), ('A', 'Z'), ('0', '9')],
        "space" => &[(' ', ' '), ('\t', '\r')],
        "blank" => &[(' ', ' '), ('\t', '\t')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "print" => &[(' ', '~')],
        "graph" => &[('!', '~')],
        "cntrl" => &[('\0', '\u{1f}')],
        _ => return None,
    })
}

struct Matcher<'a> {
    chars: &'a [char],
    steps: usize,
    ignore_case: bool,
}

impl Matcher<'_> {
    /// Calls `then` with every place where the node may end; `then` says whether that is enough.
    fn node(&mut self, node: &Node, at: usize, then: &mut dyn FnMut(usize) -> bool) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        match node {
            Node::Any(ways) => ways.iter().any(|way| self.node(way, at, then)),
            Node::All(parts) => self.all(parts, at, then),
            Node::Repeat(one, least, most) => self.repeat(one, (*least, *most), at, then),
            Node::Start => at == 0 && then(at),
            Node::End => at == self.chars.len() && then(at),
            Node::Edge => self.is_edge(at) && then(at),
            Node::Char(_) | Node::Dot | Node::Set(..) => {
                self.chars.get(at).is_some_and(|char| self.is(node, *char)) && then(at + 1)
            }
        }
    }

    fn all(&mut self, parts: &[Node], at: usize, then: &mut dyn FnMut(usize) -> bool) -> bool {
        let Some((first, rest)) = parts.split_first() else { return then(at) };
        // Whatever follows is tried at every possible end, and each of those has to be found first.
        let mut ends = Vec::new();
        self.node(first, at, &mut |end| {
            if !ends.contains(&end) {
                ends.push(end);
            }
            false
        });
        ends.into_iter().any(|end| self.all(rest, end, then))
    }

    fn repeat(
        &mut self,
        one: &Node,
        (least, most): (usize, usize),
        at: usize,
        then: &mut dyn FnMut(usize) -> bool,
    ) -> bool {
        let mut ends = if least == 0 { vec![at] } else { Vec::new() };
        let mut last = vec![at];
        for count in 1..=most {
            let mut next = Vec::new();
            for from in &last {
                self.node(one, *from, &mut |end| {
                    if !next.contains(&end) {
                        next.push(end);
                    }
                    false
                });
            }
            next.retain(|end| count <= least || !ends.contains(end));
            if next.is_empty() || self.steps == 0 {
                break;
            }
            if count >= least {
                ends.extend(next.iter().copied());
            }
            last = next;
        }
        ends.into_iter().any(then)
    }

    fn is(&self, node: &Node, char: char) -> bool {
        let fits = |char: char| match node {
            Node::Char(own) => *own == char,
            Node::Dot => true,
            Node::Set(not, ranges) => *not != ranges.iter().any(|(low, high)| (*low..=*high).contains(&char)),
            _ => false,
        };
        fits(char) || self.ignore_case && (fits(char.to_ascii_lowercase()) || fits(char.to_ascii_uppercase()))
    }

    fn is_edge(&self, at: usize) -> bool {
        let is_word =
            |at: usize| self.chars.get(at).is_some_and(|char| char.is_alphanumeric() || *char == '_');
        at.checked_sub(1).is_some_and(is_word) != is_word(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(pattern: &str, text: &str) -> Option<Range<usize>> {
        Ere::new(pattern, false).and_then(|ere| ere.find(text))
    }

    #[test]
    fn expressions_match_as_the_tools_have_it() {
        let text = "checkrein hook --host claude";
        for pattern in [
            "check",
            "[c]heckrein",
            "chec?k+rein",
            "^checkrein",
            "claude$",
            "ch.*k",
            "(x|hook)",
            "h(oo){1}k",
            "rei[[:alpha:]]",
            "c[^x]eck",
            "\\bhook\\b",
            "ho{2}k",
            "-{2}host",
            "ein hook",
            "check(rein)?",
            "[a-c]h",
        ] {
            assert!(finds(pattern, text).is_some(), "{pattern}");
        }
        for pattern in
            ["node", "^hook", "checkrein$", "chk", "[C]heck", "next dev", "ho{3}k", "x|y", "^check$"]
        {
            assert!(finds(pattern, text).is_none(), "{pattern}");
        }
        assert_eq!(finds("hook", text), Some(10..14));
        assert!(Ere::new("CHECK", true).and_then(|ere| ere.find(text)).is_some());
        assert!(Ere::new("check.*", false).is_some_and(|ere| ere.is_whole("checkrein")));
        assert!(!Ere::new("check", false).is_some_and(|ere| ere.is_whole("checkrein")));
        assert!(Ere::literal("a.b", false).find("axb").is_none());
    }

    #[test]
    fn no_expression_takes_long_or_breaks() {
        for pattern in [
            "(",
            "[",
            "a{",
            "(((((a*)*)*)*)*)*b",
            "(.*)*(.*)*(.*)*x",
            "\\",
            "[[:nothing:]]",
            "",
            "(a|b|)*",
            "{3}",
        ] {
            finds(pattern, &"a".repeat(200));
        }
    }
}
