//! Names of keys, and what they do to the line that is being typed.

use checkrein_shell::{Part, Unknown, UnknownSource, Word};

/// In the place of keys that throw the line away.
pub(super) const CLEARED: char = '\u{3}';
/// In the place of keys that put something there which was typed before, or choose something.
pub(super) const RECALLED: char = '\u{2}';

/// Returns typed text as a shell reads it: such keys end what precedes them.
pub(super) fn read(text: &Word) -> Word {
    let mut plain = Word { parts: Vec::new(), span: text.span.clone() };
    for part in &text.parts {
        match part {
            Part::Text(text) => plain.push_text(&text.replace([CLEARED, RECALLED], "\n")),
            other => plain.push(other.clone()),
        }
    }
    plain
}

/// A line as it is typed, key by key.
#[derive(Default)]
pub(super) struct Line {
    pub(super) typed: Word,
}

impl Line {
    /// A text as it is.
    pub(super) fn text(&mut self, text: &str) {
        self.typed.push_text(text);
    }

    /// A word that may be the name of a key.
    pub(super) fn key(&mut self, word: &Word) {
        let Some(name) = word.constant() else {
            word.parts.iter().for_each(|part| self.typed.push(part.clone()));
            return;
        };
        match name.to_ascii_lowercase().replace("ctrl+", "c-").replace('^', "c-").as_str() {
            "space" => self.text(" "),
            // It completes what precedes it, in a way that is not known here.
            "tab" | "c-i" => match self.typed.parts.last() {
                Some(Part::Text(text)) if !text.ends_with(['\n', CLEARED, RECALLED]) => {
                    self.typed.push(Part::Unknown(Unknown::new(UnknownSource::Computed)));
                    self.text(" ");
                }
                _ => self.typed.push_text(&RECALLED.to_string()),
            },
            // What was copied is pasted.
            "c-v" | "c-shift+v" | "c-s-v" | "shift+insert" | "super+v" | "cmd+v" | "c-y" | "ic"
            | "c-shift+insert" => {
                self.typed.push(Part::Unknown(Unknown::new(UnknownSource::Computed)));
            }
            "enter" | "return" | "c-m" | "c-j" | "kpenter" | "kp_enter" | "linefeed" => self.text("\n"),
            "bspace" | "backspace" | "c-h" | "delete" | "dc" => self.erase(|_| true),
            "c-w" => {
                self.erase(char::is_whitespace);
                self.erase(|char| !char.is_whitespace());
            }
            "c-u" => {
                self.erase(|char| char != '\n');
                self.typed.push_text(&CLEARED.to_string());
            }
            "c-c" | "c-d" | "c-l" | "c-g" | "c-z" | "escape" => self.typed.push_text(&CLEARED.to_string()),
            "up" | "down" | "c-p" | "c-n" | "c-r" | "c-s" => self.typed.push_text(&RECALLED.to_string()),
            "left" | "right" | "home" | "end" | "c-a" | "c-e" | "c-b" | "c-f" | "btab" | "ppage"
            | "npage" | "pageup" | "pagedown" => {}
            _ => self.text(&name),
        }
    }

    /// Takes away the last characters, as long as they are such; of any kind, one.
    fn erase(&mut self, is: impl Fn(char) -> bool) {
        let Some(Part::Text(text)) = self.typed.parts.last_mut() else { return };
        let any = is('a') && is(' ') && is('\n');
        while let Some(last) = text.pop() {
            if any {
                break;
            }
            if !is(last) {
                text.push(last);
                break;
            }
        }
        if text.is_empty() {
            self.typed.parts.pop();
        }
    }
}

/// A text with escapes of a program that types it: `\n`, `\015`, `\x0d`, `\u000d`, `^M`.
pub(super) fn unescaped(word: &Word) -> Word {
    let mut plain = Word { parts: Vec::new(), span: word.span.clone() };
    for part in &word.parts {
        match part {
            Part::Text(text) => plain.push_text(&unescape(text)),
            other => plain.push(other.clone()),
        }
    }
    plain
}

fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let code = match (char, chars.peek().copied()) {
            ('^', Some(letter @ ('M' | 'm' | 'J' | 'j'))) => {
                chars.next();
                Some(letter as u32 & 0x1f)
            }
            ('\\', Some(kind @ ('x' | 'u'))) => {
                chars.next();
                digits(&mut chars, 16, if kind == 'x' { 2 } else { 4 })
            }
            ('\\', Some('0'..='7')) => digits(&mut chars, 8, 4),
            ('\\', Some(letter)) => {
                chars.next();
                Some(match letter {
                    'n' | 'r' => u32::from(b'\n'),
                    't' => u32::from(b'\t'),
                    'e' | 'a' | 'b' => u32::from(b' '),
                    other => other as u32,
                })
            }
            _ => Some(char as u32),
        };
        match code.and_then(char::from_u32) {
            Some('\r') => plain.push('\n'),
            Some(char) => plain.push(char),
            None => {}
        }
    }
    plain
}

fn digits(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, base: u32, most: usize) -> Option<u32> {
    let mut code = None;
    for _ in 0..most {
        let Some(digit) = chars.peek().and_then(|char| char.to_digit(base)) else { break };
        chars.next();
        code = Some(code.unwrap_or(0) * base + digit);
    }
    code
}

/// A number of a character, as `zellij action write` and `send-keys -H` take them.
pub(super) fn code(word: &Word, base: u32) -> Option<char> {
    let number = word.constant()?;
    let number = u32::from_str_radix(number.trim_start_matches("0x"), base).ok()?;
    char::from_u32(number).map(|char| if char == '\r' { '\n' } else { char })
}
