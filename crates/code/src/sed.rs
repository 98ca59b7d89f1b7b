//! sed: its commands that run, write and read files.
//!
//! The script is read command by command, because only then is it known whether a `w` is a command or a letter of a
//! pattern.

use super::{Act, Does, Started, lex::Cursor, value::word};
use checkrein_shell::Word;

/// Returns what a sed script would do.
pub(super) fn acts(source: &str, started: &Started) -> Vec<Act> {
    let mut reader =
        SedScript { cursor: Cursor::new(source), input: started.input.as_deref(), acts: Vec::new() };
    while reader.cursor.peek().is_some() && reader.acts.len() <= super::MAX_ACTS {
        reader.command();
    }
    reader.acts
}

struct SedScript<'a> {
    cursor: Cursor<'a>,
    /// Its input, if that is known.
    input: Option<&'a str>,
    acts: Vec<Act>,
}

impl SedScript<'_> {
    fn skip_space(&mut self) {
        self.cursor.skip_while(|char| char.is_whitespace() || char == ';');
    }

    fn command(&mut self) {
        self.skip_space();
        self.address();
        self.cursor.skip_while(|char| char == ' ' || char == '\t');
        if self.cursor.eat(",") {
            self.cursor.skip_while(|char| char == ' ');
            if !self.cursor.eat("+") {
                self.cursor.eat("~");
            }
            self.address();
        }
        self.cursor.skip_while(|char| char == ' ' || char == '\t' || char == '!');
        let from = self.cursor.at;
        match self.cursor.bump() {
            Some('s') => self.substitute(from),
            Some('y') => {
                if let Some(delimiter) = self.cursor.bump() {
                    self.half(delimiter);
                    self.half(delimiter);
                }
            }
            Some('e') => {
                let command = self.line();
                // Alone it runs what is in the pattern space.
                if command.is_empty() {
                    self.lines(from);
                }
                let text = if command.is_empty() { super::unknown_word() } else { word(&command) };
                self.tell(Does::Shell(text), from);
            }
            Some('w' | 'W') => self.file(from, |path| Does::Write { path, append: false }),
            Some('r' | 'R') => self.file(from, Does::Read),
            Some('a' | 'i' | 'c') => self.text(),
            Some(':' | 'b' | 't' | 'T') => {
                self.cursor.skip_while(|char| char != '\n' && char != ';' && char != '}');
            }
            Some('#' | 'v') => {
                self.line();
            }
            Some(_) | None => {}
        }
    }

    /// The lines that it reads, if they are known: the pattern space runs, unchanged or changed in part.
    fn lines(&mut self, from: usize) {
        for line in self.input.unwrap_or_default().lines().take(super::MAX_ACTS.saturating_add(1)) {
            self.tell(Does::Shell(word(line)), from);
        }
    }

    /// Follows a replacement at the start or the end of the known lines.
    fn added(&mut self, pattern: &str, replacement: &Word, from: usize) {
        for line in self.input.unwrap_or_default().lines().take(super::MAX_ACTS.saturating_add(1)) {
            let (one, two) = match pattern {
                "^" => (replacement.clone(), word(line)),
                "$" => (word(line), replacement.clone()),
                _ => return,
            };
            let mut whole = one;
            two.parts.into_iter().for_each(|part| whole.push(part));
            self.tell(Does::Shell(whole), from);
        }
    }

    /// A number, `$`, or a pattern, with its flags.
    fn address(&mut self) {
        match self.cursor.peek() {
            Some('/') => {
                self.cursor.bump();
                self.pattern('/');
                self.cursor.skip_while(|char| char == 'I' || char == 'M');
            }
            Some('\\') => {
                self.cursor.bump();
                if let Some(delimiter) = self.cursor.bump() {
                    self.pattern(delimiter);
                    self.cursor.skip_while(|char| char == 'I' || char == 'M');
                }
            }
            Some('$') => {
                self.cursor.bump();
            }
            _ => self.cursor.skip_while(|char| char.is_ascii_digit() || char == '~'),
        }
    }

    /// Up to a delimiter, which is passed.
    fn half(&mut self, delimiter: char) {
        while let Some(char) = self.cursor.bump() {
            if char == '\\' {
                self.cursor.bump();
            } else if char == delimiter {
                break;
            }
        }
    }

    /// Skips a pattern, which may contain its delimiter in square brackets.
    fn pattern(&mut self, delimiter: char) {
        while let Some(char) = self.cursor.bump() {
            match char {
                '\\' => {
                    self.cursor.bump();
                }
                '[' if delimiter != '[' => {
                    self.cursor.eat("^");
                    self.cursor.eat("]");
                    self.cursor.skip_while(|char| char != ']' && char != '\n');
                    self.cursor.eat("]");
                }
                char if char == delimiter => break,
                _ => {}
            }
        }
    }

    fn substitute(&mut self, from: usize) {
        let Some(delimiter) = self.cursor.bump() else { return };
        let pattern = self.cursor.at;
        self.pattern(delimiter);
        let replacement = self.cursor.at;
        let pattern = self.cursor.slice(pattern, replacement.saturating_sub(delimiter.len_utf8())).to_owned();
        self.half(delimiter);
        let end = self.cursor.at.saturating_sub(delimiter.len_utf8()).max(replacement);
        let replacement = self.cursor.slice(replacement, end).to_owned();
        loop {
            match self.cursor.peek() {
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => {
                    self.cursor.bump();
                }
                Some('e') => {
                    self.cursor.bump();
                    let text = replaced(&replacement);
                    self.added(&pattern, &text, from);
                    self.tell(Does::Shell(text), from);
                    self.lines(from);
                }
                Some('w') => {
                    self.cursor.bump();
                    self.file(from, |path| Does::Write { path, append: false });
                    break;
                }
                _ => break,
            }
        }
    }

    /// The text of `a`, `i` and `c`: to the end of the line, and further after a backslash.
    fn text(&mut self) {
        loop {
            match self.cursor.bump() {
                Some('\\') => {
                    self.cursor.bump();
                }
                Some('\n') | None => break,
                Some(_) => {}
            }
        }
    }

    fn line(&mut self) -> String {
        self.cursor.take_while(|char| char != '\n').trim().to_owned()
    }

    fn file(&mut self, from: usize, does: impl Fn(Word) -> Does) {
        let name = self.line();
        if !name.is_empty()
            && !matches!(name.as_str(), "/dev/stdout" | "/dev/stderr" | "/dev/stdin" | "/dev/null")
        {
            self.tell(does(word(&name)), from);
        }
    }

    fn tell(&mut self, does: Does, from: usize) {
        self.acts.push(Act { does, span: from..self.cursor.at });
    }
}

/// Returns the result of a replacement: its references are unknown, and so may be the text before and after the
/// match.
fn replaced(text: &str) -> Word {
    let mut made = Word::default();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '&' => made.push(super::computed()),
            '\\' => match chars.next() {
                Some('0'..='9' | 'L' | 'U' | 'E' | 'l' | 'u') => made.push(super::computed()),
                Some('n') => made.push_text("\n"),
                Some(other) => made.push_text(&other.to_string()),
                None => {}
            },
            other => made.push_text(&other.to_string()),
        }
    }
    if made.parts.is_empty() { super::unknown_word() } else { made }
}
