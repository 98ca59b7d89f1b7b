//! Files with a name and a value on each line: `.env`, ini, properties, YAML, TOML, HCL.

use super::{Value, is_secret, lines_of};
use std::ops::Range;

/// The values of a file.
pub(super) fn values(text: &str, strict: bool) -> Vec<Value> {
    let mut reader = PairsReader { text, strict, values: Vec::new(), done: 0, all_below: None };
    let is_manifest = super::is_secret_manifest(text);
    for (start, line) in lines_of(text) {
        if start >= reader.done {
            reader.line(start, line, is_manifest);
        }
    }
    reader.values
}

struct PairsReader<'t> {
    text: &'t str,
    strict: bool,
    values: Vec<Value>,
    /// The end of what has been read, if a value goes over several lines.
    done: usize,
    /// The indentation of a table all of whose values are secret.
    all_below: Option<usize>,
}

impl PairsReader<'_> {
    fn line(&mut self, start: usize, line: &str, is_manifest: bool) {
        let indent = line.len() - line.trim_start().len();
        if line.trim().is_empty() {
            return;
        }
        if self.all_below.is_some_and(|above| indent <= above) {
            self.all_below = None;
        }
        let body = line.trim_start();
        if body.starts_with(['#', ';', '['])
            || body.starts_with("//") && !body.contains(":_")
            || body.starts_with("---")
        {
            return;
        }
        let Some((name, value_at)) = split(line) else { return self.bare(start, line) };
        let rest = line.get(value_at..).unwrap_or_default();
        let value_at = value_at + (rest.len() - rest.trim_start().len());
        let value = line.get(value_at..).unwrap_or_default();
        if is_manifest && matches!(name, "data" | "stringData") && value.is_empty() {
            self.all_below = Some(indent);
            return;
        }
        let range = match value.trim_end() {
            block if is_block(block) => self.block(start + line.len(), indent),
            here if here.starts_with("<<") => self.here_document(start + line.len(), here),
            _ => self.scalar(start + value_at),
        };
        let Some(content) = self.text.get(range.clone()) else { return };
        let is_secret = self.all_below.is_some() || is_secret(name, content, self.strict);
        self.values.push(Value { range, is_secret });
    }

    /// Reads a line that is not a pair: an item of a list, or something else without a name.
    fn bare(&mut self, start: usize, line: &str) {
        let word = line.trim().trim_start_matches("- ");
        let offset = word.as_ptr() as usize - line.as_ptr() as usize;
        let range = start + offset..start + offset + word.len();
        self.values.push(Value { range, is_secret: is_secret("", word, self.strict) });
    }

    /// A value to its quote, which may be on another line, or to the end of the line or a comment.
    fn scalar(&mut self, at: usize) -> Range<usize> {
        let rest = self.text.get(at..).unwrap_or_default();
        let line = rest.find('\n').unwrap_or(rest.len());
        if let Some(quote) = rest.chars().next().filter(|char| matches!(char, '"' | '\'' | '`')) {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, char)| {
                let is_end = *char == quote && !escaped;
                escaped = *char == '\\' && !escaped && quote == '"';
                is_end
            });
            // Without an end on any line the quote is part of the value, which ends with its line.
            let end = end.map_or(line, |(end, _)| end);
            self.done = at + end;
            let after = rest.get(end + 1..).unwrap_or_default();
            // `'it'"'"'s'`: the shell joins adjacent strings, so all of it is the value.
            if after.starts_with(|char: char| {
                !char.is_whitespace() && !matches!(char, ',' | ';' | ')' | ']' | '}' | '#')
            }) {
                let whole = end + 1 + bare(after.lines().next().unwrap_or_default());
                self.done = at + whole;
                return at..at + whole;
            }
            return at + 1..at + end.max(1);
        }
        at..at + bare(rest.get(..line).unwrap_or_default())
    }

    /// The lines after `at` that are indented more than their name.
    fn block(&mut self, at: usize, indent: usize) -> Range<usize> {
        let rest = self.text.get(at..).unwrap_or_default();
        let (mut first, mut last) = (None, 0);
        for (start, line) in lines_of(rest).skip(1) {
            let own = line.len() - line.trim_start().len();
            if !line.trim().is_empty() && own <= indent {
                break;
            }
            if !line.trim().is_empty() {
                first.get_or_insert(start + own);
                last = start + line.len();
            }
        }
        self.done = at + last;
        at + first.unwrap_or(last)..at + last
    }

    fn here_document(&mut self, at: usize, head: &str) -> Range<usize> {
        let word = head.trim_start_matches(['<', '-', '~']).trim_matches(['"', '\'']);
        let rest = self.text.get(at..).unwrap_or_default();
        let mut inside = lines_of(rest).skip(1);
        let first = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let end = inside.find(|(_, line)| line.trim() == word).map_or(rest.len(), |(start, _)| start);
        self.done = at + end;
        at + first..at + end.saturating_sub(1).max(first)
    }
}

/// The length of a value that ends with its line or before a comment.
fn bare(line: &str) -> usize {
    let comment = line.find(" #").unwrap_or(line.len());
    line.get(..comment).unwrap_or_default().trim_end().trim_end_matches(',').len()
}

/// Returns whether a value is written below its name.
fn is_block(value: &str) -> bool {
    value.starts_with(['|', '>']) && value.len() <= 3
}

/// The name of a line, and the position after what joins it to its value.
fn split(line: &str) -> Option<(&str, usize)> {
    // The name of a registry has a colon: `//host/:_authToken=`.
    let from = line.find(":_").map_or(0, |at| at + 1);
    let at = from + line.get(from..)?.find(['=', ':'])?;
    let joint = line.get(at..)?;
    let length = if joint.starts_with(":=") || joint.starts_with("=>") { 2 } else { 1 };
    let name = line.get(..at)?.trim().trim_start_matches("- ").trim_start_matches("export ").trim();
    let name = name.trim_matches(['"', '\'']);
    (!name.is_empty()).then_some((name, at + length))
}
