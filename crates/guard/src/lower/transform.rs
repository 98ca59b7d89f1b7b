//! Programs that make another text of a text: the ways in which a command is hidden in a pipe.

use super::{Context, Lowering, flow::Flow};
use crate::{
    program::Parsed,
    vocabulary::{Mark, Marks},
    word::Word,
};

impl Lowering<'_> {
    /// What a decoder prints.
    pub(super) fn decoded(&self, program: &[&str], source: &Flow) -> Flow {
        let text = source.text.as_deref().and_then(|text| match *program.first()? {
            "base64" | "gbase64" | "openssl" => base64(text),
            "base32" => base32(text),
            "xxd" => hex(text),
            _ => None,
        });
        let mut marks = source.marks;
        if text.is_none() {
            marks = marks.with(Mark::Decoded);
        }
        Flow { text, marks, ..Flow::default() }
    }

    /// What `rev` and `tr` print.
    pub(super) fn rewritten(&self, parsed: &Parsed, context: &Context) -> Flow {
        let source = &context.stdin;
        let operands: Vec<String> = parsed.operands.iter().filter_map(Word::constant).collect();
        let text = source.text.as_deref().and_then(|text| {
            match (*parsed.program.name.first()?, operands.as_slice()) {
                ("rev", []) => {
                    Some(text.lines().map(|line| line.chars().rev().collect::<String>() + "\n").collect())
                }
                ("tac", []) => Some(text.lines().rev().map(|line| format!("{line}\n")).collect()),
                ("tr", [from, to]) if !parsed.marks.has(Mark::Remove) => Some(translate(text, from, to)),
                ("tr", [from]) if parsed.marks.has(Mark::Remove) => {
                    let gone = set(from);
                    Some(text.chars().filter(|char| !gone.contains(char)).collect())
                }
                _ => None,
            }
        });
        let marks = match (&text, &source.text) {
            (None, Some(_)) => source.marks.with(Mark::Decoded),
            // What only loses or changes letters is still what it was.
            (None, None) => source.marks,
            (Some(_), _) => source.marks,
        };
        let paths = if marks == Marks::NONE && text.is_none() { source.paths.clone() } else { Vec::new() };
        Flow { text, marks, paths, files: false }
    }
}

/// A set of characters as `tr` writes it.
fn set(text: &str) -> Vec<char> {
    let text = match text {
        "[:upper:]" => "A-Z",
        "[:lower:]" => "a-z",
        "[:digit:]" => "0-9",
        "[:alpha:]" => "A-Za-z",
        "[:alnum:]" => "A-Za-z0-9",
        text => text,
    };
    let chars: Vec<char> = super::program::unescape(text).chars().collect();
    let mut result = Vec::new();
    let mut place = 0;
    while let Some(first) = chars.get(place) {
        match (chars.get(place + 1), chars.get(place + 2)) {
            (Some('-'), Some(last)) if first <= last => {
                result.extend((*first..=*last).take(512));
                place += 3;
            }
            _ => {
                result.push(*first);
                place += 1;
            }
        }
    }
    result
}

fn translate(text: &str, from: &str, to: &str) -> String {
    let (from, to) = (set(from), set(to));
    let change = |char: char| match from.iter().position(|known| *known == char) {
        Some(place) => to.get(place).or(to.last()).copied().unwrap_or(char),
        None => char,
    };
    text.chars().map(change).collect()
}

/// Bits that are put together from digits of a few bits each.
fn digits(text: &str, bits: u32, value: impl Fn(char) -> Option<u32>) -> Option<String> {
    let (mut held, mut have, mut bytes) = (0_u32, 0, Vec::new());
    for char in text.chars().filter(|char| !char.is_whitespace() && *char != '=') {
        held = (held << bits) | value(char)?;
        have += bits;
        if have >= 8 {
            have -= 8;
            bytes.push(u8::try_from((held >> have) & 0xff).ok()?);
            held &= (1 << have) - 1;
        }
    }
    String::from_utf8(bytes).ok()
}

fn base64(text: &str) -> Option<String> {
    digits(text, 6, |char| match char {
        'A'..='Z' => Some(char as u32 - 'A' as u32),
        'a'..='z' => Some(char as u32 - 'a' as u32 + 26),
        '0'..='9' => Some(char as u32 - '0' as u32 + 52),
        '+' | '-' => Some(62),
        '/' | '_' => Some(63),
        _ => None,
    })
}

fn base32(text: &str) -> Option<String> {
    digits(text, 5, |char| match char {
        'A'..='Z' => Some(char as u32 - 'A' as u32),
        '2'..='7' => Some(char as u32 - '2' as u32 + 26),
        _ => None,
    })
}

fn hex(text: &str) -> Option<String> {
    digits(text, 4, |char| char.to_digit(16))
}
