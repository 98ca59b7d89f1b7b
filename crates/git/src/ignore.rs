//! The ignore rules of a repository: `.gitignore` in each directory, and `info/exclude`.
//!
//! The user's own rules for all repositories are not read. So a file that only these ignore counts as one that is not
//! ignored, and that is the careful side: it goes with `git clean`.

use crate::{Objection, budget::Budget};
use std::{cell::Cell, fs, path::Path};

/// The longest file of rules that is read.
const LONGEST: u64 = 256 * 1024;
/// The maximum work for one comparison: some patterns would never end.
const FUEL: usize = 20_000;

/// One rule.
pub(crate) struct Rule {
    /// The directory of its file, below the top.
    base: Vec<u8>,
    pattern: Vec<u8>,
    /// It takes back what others say.
    negated: bool,
    only_directories: bool,
    /// It is about the path below its base, and not about a name anywhere.
    anchored: bool,
}

/// The rules that hold in a directory, the weakest first.
#[derive(Default)]
pub(crate) struct Rules(Vec<Rule>);

impl Rules {
    /// Adds the rules of a file. Returns how many there were before, to go back to.
    pub(crate) fn enter(&mut self, file: &Path, base: &[u8]) -> Result<usize, Objection> {
        let before = self.0.len();
        self.0.extend(rules(file, base)?);
        Ok(before)
    }

    /// Forgets the rules of the directories that were left.
    pub(crate) fn leave(&mut self, before: usize) {
        self.0.truncate(before);
    }

    /// Returns true if a path is ignored, provided that nothing above it is.
    pub(crate) fn ignores(&self, path: &[u8], directory: bool, budget: &Budget) -> Result<bool, Objection> {
        for rule in self.0.iter().rev() {
            budget.step_some()?;
            if rule.matches(path, directory)? {
                return Ok(!rule.negated);
            }
        }
        Ok(false)
    }
}

impl Rule {
    /// Returns true if it takes back what others say.
    pub(crate) fn is_negated(&self) -> bool {
        self.negated
    }

    /// Returns true if it is about a path, which is given from the top.
    pub(crate) fn matches(&self, path: &[u8], directory: bool) -> Result<bool, Objection> {
        if self.only_directories && !directory {
            return Ok(false);
        }
        if !self.anchored {
            let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
            return wild(&self.pattern, name, false);
        }
        let below = if self.base.is_empty() {
            Some(path)
        } else {
            path.strip_prefix(self.base.as_slice()).and_then(|rest| rest.strip_prefix(b"/"))
        };
        below.map_or(Ok(false), |below| wild(&self.pattern, below, true))
    }
}

/// Returns the rules of a file, or none if there is no such file.
pub(crate) fn rules(file: &Path, base: &[u8]) -> Result<Vec<Rule>, Objection> {
    // A link is not followed, as git does not.
    let Ok(metadata) = file.symlink_metadata() else { return Ok(Vec::new()) };
    if !metadata.is_file() {
        return Ok(Vec::new());
    }
    if metadata.len() > LONGEST {
        return Err(Objection::unknown("an ignore file is too long"));
    }
    let bytes = fs::read(file)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    Ok(bytes.split(|byte| *byte == b'\n').filter_map(|line| rule(line, base)).collect())
}

fn rule(line: &[u8], base: &[u8]) -> Option<Rule> {
    let mut pattern = trimmed(line);
    if pattern.is_empty() || pattern.starts_with(b"#") {
        return None;
    }
    let negated = pattern.starts_with(b"!");
    pattern = pattern.strip_prefix(b"!").unwrap_or(pattern);
    let only_directories = pattern.ends_with(b"/");
    pattern = pattern.strip_suffix(b"/").unwrap_or(pattern);
    let anchored = pattern.contains(&b'/');
    pattern = pattern.strip_prefix(b"/").unwrap_or(pattern);
    if pattern.is_empty() {
        return None;
    }
    Some(Rule { base: base.to_vec(), pattern: pattern.to_vec(), negated, only_directories, anchored })
}

/// A line without the spaces at its end, unless one is escaped.
fn trimmed(line: &[u8]) -> &[u8] {
    let mut end = line.len();
    while line.get(..end).is_some_and(|line| line.ends_with(b" ") && !line.ends_with(b"\\ ")) {
        end -= 1;
    }
    line.get(..end).unwrap_or_default()
}

/// Returns true if a pattern matches a text, as git compares them. In paths, only `**` matches a slash.
fn wild(pattern: &[u8], text: &[u8], paths: bool) -> Result<bool, Objection> {
    let fuel = Cell::new(FUEL);
    let fits = Matcher { paths, fuel: &fuel }.fits(pattern, text, true);
    if fuel.get() == 0 { Err(Objection::unknown("an ignore rule takes too long")) } else { Ok(fits) }
}

struct Matcher<'a> {
    paths: bool,
    fuel: &'a Cell<usize>,
}

impl Matcher<'_> {
    /// `starts`: nothing or a slash is before the pattern.
    fn fits(&self, mut pattern: &[u8], mut text: &[u8], mut starts: bool) -> bool {
        loop {
            let left = self.fuel.get().saturating_sub(1);
            self.fuel.set(left);
            if left == 0 {
                return false;
            }
            let Some((first, rest)) = pattern.split_first() else { return text.is_empty() };
            match first {
                b'*' => return self.star(pattern, text, starts),
                b'?' => match text.split_first() {
                    Some((char, after)) if !(self.paths && *char == b'/') => text = after,
                    _ => return false,
                },
                b'[' => match (text.split_first(), class(rest, text.first().copied().unwrap_or_default())) {
                    (Some((char, after)), Some((true, behind))) if !(self.paths && *char == b'/') => {
                        (pattern, text, starts) = (behind, after, false);
                        continue;
                    }
                    _ => return false,
                },
                b'\\' => {
                    let Some((escaped, behind)) = rest.split_first() else { return false };
                    match text.split_first() {
                        Some((char, after)) if char == escaped => {
                            (pattern, text, starts) = (behind, after, *escaped == b'/');
                            continue;
                        }
                        _ => return false,
                    }
                }
                first => match text.split_first() {
                    Some((char, after)) if char == first => text = after,
                    _ => return false,
                },
            }
            (pattern, starts) = (rest, *first == b'/');
        }
    }

    fn star(&self, pattern: &[u8], text: &[u8], starts: bool) -> bool {
        let stars = pattern.iter().take_while(|char| **char == b'*').count();
        let rest = pattern.get(stars..).unwrap_or_default();
        let ends = rest.is_empty() || rest.starts_with(b"/") || rest.starts_with(b"\\/");
        let over_slashes = !self.paths || stars > 1 && starts && ends;
        if self.paths
            && over_slashes
            && rest.starts_with(b"/")
            && self.fits(rest.get(1..).unwrap_or_default(), text, true)
        {
            return true;
        }
        let mut text = text;
        loop {
            if self.fits(rest, text, false) {
                return true;
            }
            match text.split_first() {
                Some((b'/', _)) if !over_slashes => return false,
                Some((_, after)) if self.fuel.get() > 0 => text = after,
                _ => return false,
            }
        }
    }
}

/// Returns if a byte is in a class, and the rest after the class; `None` if the class has no end.
fn class(pattern: &[u8], char: u8) -> Option<(bool, &[u8])> {
    let negated = matches!(pattern.first(), Some(b'!' | b'^'));
    let mut rest = if negated { pattern.get(1..)? } else { pattern };
    let mut found = false;
    let mut first = true;
    let mut before: Option<u8> = None;
    loop {
        let (next, after) = rest.split_first()?;
        rest = after;
        match next {
            b']' if !first => return Some((found != negated, rest)),
            b'-' if before.is_some() && !matches!(rest.first(), None | Some(b']')) => {
                let (mut end, mut after) = rest.split_first()?;
                if *end == b'\\' {
                    (end, after) = after.split_first()?;
                }
                rest = after;
                found |= before.is_some_and(|from| (from..=*end).contains(&char));
                before = None;
            }
            b'[' if rest.starts_with(b":") => {
                let end = rest.windows(2).position(|pair| pair == b":]");
                let name = end.and_then(|end| rest.get(1..end))?;
                found |= named(name, char)?;
                rest = rest.get(end? + 2..)?;
                before = None;
            }
            b'\\' => {
                let (escaped, after) = rest.split_first()?;
                rest = after;
                found |= *escaped == char;
                before = Some(*escaped);
            }
            next => {
                found |= *next == char;
                before = Some(*next);
            }
        }
        first = false;
    }
}

/// Returns true if a byte is in a named class.
fn named(name: &[u8], char: u8) -> Option<bool> {
    Some(match name {
        b"alnum" => char.is_ascii_alphanumeric(),
        b"alpha" => char.is_ascii_alphabetic(),
        b"blank" => matches!(char, b' ' | b'\t'),
        b"cntrl" => char.is_ascii_control(),
        b"digit" => char.is_ascii_digit(),
        b"graph" => char.is_ascii_graphic(),
        b"lower" => char.is_ascii_lowercase(),
        b"print" => char.is_ascii_graphic() || char == b' ',
        b"punct" => char.is_ascii_punctuation(),
        b"space" => char.is_ascii_whitespace() || char == 0x0b,
        b"upper" => char.is_ascii_uppercase(),
        b"xdigit" => char.is_ascii_hexdigit(),
        _ => return None,
    })
}
