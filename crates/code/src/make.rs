//! Makefiles: the lines of their recipes and `$(shell …)`, with simple variables.

use super::{
    Act, Does,
    value::{Value, tilde, word},
};
use checkrein_shell::{Word, work};
use std::collections::HashMap;

/// The maximum depth to which variables in variables are expanded.
const MAX_DEPTH: usize = 8;
/// The longest text that a line may become.
const MAX_LINE: usize = 16 * 1024;

/// Returns what a makefile would do. The goal is not known here, so all targets count.
pub(super) fn acts(source: &str) -> Vec<Act> {
    let mut reader = Makefile { variables: HashMap::new(), acts: Vec::new(), fuel: 1 << 20, lost: false };
    let lines = lines(source);
    for (line, _) in &lines {
        reader.assignment(line);
    }
    for (line, at) in &lines {
        if reader.acts.len() > super::MAX_ACTS {
            break;
        }
        reader.line(line, *at);
    }
    if reader.lost {
        reader.acts.push(super::too_much(source));
    }
    reader.acts
}

/// The lines with their places; a backslash at the end joins the next one.
fn lines(source: &str) -> Vec<(String, usize)> {
    let mut lines: Vec<(String, usize)> = Vec::new();
    let mut at = 0_usize;
    let mut goes_on = false;
    for line in source.split_inclusive('\n') {
        let text = line.trim_end_matches(['\n', '\r']);
        let (text, more) = match text.strip_suffix('\\') {
            Some(text) => (text, true),
            None => (text, false),
        };
        match lines.last_mut() {
            Some((last, _)) if goes_on => {
                last.push(' ');
                last.push_str(text.trim_start());
            }
            _ => lines.push((text.to_owned(), at)),
        }
        goes_on = more;
        at = at.saturating_add(line.len());
    }
    lines
}

struct Makefile {
    variables: HashMap<String, String>,
    acts: Vec<Act>,
    fuel: usize,
    lost: bool,
}

impl Makefile {
    fn assignment(&mut self, line: &str) {
        if line.starts_with('\t') || line.trim_start().starts_with('#') {
            return;
        }
        let Some((left, right)) = line.split_once('=') else { return };
        let name = left.trim_end_matches([':', '?', '+', '!']).trim();
        let name = name.trim_start_matches("export ").trim_start_matches("override ").trim();
        if name.is_empty() || name.contains([' ', ':', '$', '(']) {
            return;
        }
        let value = right.split(" #").next().unwrap_or(right).trim();
        if left.trim_end().ends_with('+')
            && let Some(old) = self.variables.get_mut(name)
        {
            if old.len() < MAX_LINE {
                old.push(' ');
                old.push_str(value);
            } else {
                self.lost = true;
            }
            return;
        }
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    fn line(&mut self, line: &str, at: usize) {
        let span = at..at.saturating_add(line.len());
        if let Some(recipe) = line.strip_prefix('\t') {
            self.recipe(recipe, &span);
            return;
        }
        if line.trim_start().starts_with('#') {
            return;
        }
        self.functions(line, &span);
        let assigns = line.split_once('=').is_some_and(|(left, _)| {
            !left.contains(';') && (!left.contains(':') || left.trim_end().ends_with(':'))
        });
        if !assigns
            && let Some((_, rest)) = line.split_once(':')
            && let Some((_, recipe)) = rest.split_once(';')
        {
            self.recipe(recipe, &span);
        }
    }

    fn recipe(&mut self, text: &str, span: &std::ops::Range<usize>) {
        let text = text.trim_start_matches([' ', '\t', '@', '-', '+']);
        if text.is_empty() || text.starts_with('#') {
            return;
        }
        self.functions(text, span);
        let word = self.expand(text);
        self.acts.push(Act { does: Does::Shell(Word { span: span.clone(), ..word }), span: span.clone() });
    }

    /// Follows `$(shell …)` at any place.
    fn functions(&mut self, text: &str, span: &std::ops::Range<usize>) {
        let mut rest = text;
        while let Some(at) = rest.find("$(shell ").or_else(|| rest.find("${shell ")) {
            let tail = rest.get(at.saturating_add(2)..).unwrap_or("");
            let end = close(tail);
            self.fuel = work::left(self.fuel, end);
            if self.fuel == 0 {
                self.lost = true;
                return;
            }
            let inside = tail.get(..end).unwrap_or("").trim_start_matches("shell").trim();
            let word = self.expand(inside);
            self.acts.push(Act { does: Does::Shell(word), span: span.clone() });
            if self.acts.len() > super::MAX_ACTS {
                return;
            }
            rest = tail.get("shell ".len()..).unwrap_or("");
        }
    }

    /// Expands the variables of a text. It uses a work list instead of recursion: the value of a variable is put
    /// before the rest.
    fn expand(&mut self, text: &str) -> Word {
        let mut made = Value::word(Word::default());
        let mut work: Vec<(String, usize)> = vec![(text.to_owned(), 0)];
        while let Some((text, depth)) = work.pop() {
            self.fuel = work::left(self.fuel, text.len().saturating_add(8));
            if self.fuel == 0 {
                self.lost = true;
                break;
            }
            let Some(at) = text.find('$') else {
                made = made.then(&Value::word(word(&text)));
                continue;
            };
            made = made.then(&Value::word(word(text.get(..at).unwrap_or(""))));
            let tail = text.get(at.saturating_add(1)..).unwrap_or("");
            let (name, rest) = match tail.chars().next() {
                // `$$HOME` is the shell's own variable.
                Some('$') => {
                    made = made.then(&Value::text("$"));
                    work.push((tail.get(1..).unwrap_or("").to_owned(), depth));
                    continue;
                }
                Some('(' | '{') => {
                    let inside = tail.get(1..).unwrap_or("");
                    let end = close(inside);
                    (
                        inside.get(..end).unwrap_or("").to_owned(),
                        inside.get(end.saturating_add(1)..).unwrap_or(""),
                    )
                }
                Some(char) => (char.to_string(), tail.get(char.len_utf8()..).unwrap_or("")),
                None => continue,
            };
            work.push((rest.to_owned(), depth));
            match self.variables.get(&name) {
                Some(value) if depth < MAX_DEPTH => work.push((value.clone(), depth.saturating_add(1))),
                Some(_) => {
                    self.lost = true;
                    made = made.then(&Value::word(super::unknown_word()));
                }
                None if name == "HOME" => made = made.then(&Value::word(tilde("~").unwrap_or_default())),
                None => made = made.then(&Value::word(super::unknown_word())),
            }
        }
        made.as_word()
    }
}

/// Returns the end of the bracket that is open here.
fn close(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, char) in text.char_indices() {
        match char {
            '(' | '{' => depth = depth.saturating_add(1),
            ')' | '}' if depth == 0 => return at,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text.len()
}
