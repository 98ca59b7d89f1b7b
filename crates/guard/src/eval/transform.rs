//! Programs that make another text of a text: the ways in which a command is hidden in a pipe.

use super::{Evaluator, Frame, flow::Flow};
use crate::{
    program::Parsed,
    qualities::Qualities,
    vocabulary::{Modifier, Taint},
};
use checkrein_code::decode;
use checkrein_shell::Word;
use std::borrow::Cow;

impl Evaluator<'_> {
    /// Returns the output of a decoder.
    pub(super) fn decoded(&self, program: &[&str], source: &Flow) -> Flow {
        let text = source.text.as_deref().and_then(|text| match *program.first()? {
            "base64" | "gbase64" | "openssl" => decode::base64(text),
            "base32" => decode::base32(text),
            "xxd" => decode::hex(text),
            _ => None,
        });
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        let mut qualities = source.qualities;
        if text.is_none() {
            qualities = qualities.with(Taint::Decoded);
        }
        Flow { text, qualities, typed: source.typed, ..Flow::default() }
    }

    /// Returns the output of `rev` and `tr`.
    pub(super) fn rewritten(&self, parsed: &Parsed, frame: &Frame) -> Flow {
        let source = &frame.stdin;
        let operands: Vec<Cow<'_, str>> = parsed.operands.iter().filter_map(Word::constant).collect();
        let text = source.text.as_deref().and_then(|text| {
            match (*parsed.program.name.first()?, operands.as_slice()) {
                ("rev", []) => {
                    Some(text.lines().map(|line| line.chars().rev().collect::<String>() + "\n").collect())
                }
                ("tac", []) => Some(text.lines().rev().map(|line| format!("{line}\n")).collect()),
                ("tr", [from, to]) if !parsed.qualities.has(Modifier::Remove) => {
                    Some(translate(text, from, to))
                }
                ("tr", [from]) if parsed.qualities.has(Modifier::Remove) => {
                    let gone = set(from);
                    Some(text.chars().filter(|char| !gone.contains(char)).collect())
                }
                _ => None,
            }
        });
        let qualities = match (&text, &source.text) {
            (None, Some(_)) => source.qualities.with(Taint::Decoded),
            // What only loses or changes letters is still what it was.
            (None, None) => source.qualities,
            (Some(_), _) => source.qualities,
        };
        let paths =
            if qualities == Qualities::NONE && text.is_none() { source.paths.clone() } else { Vec::new() };
        Flow { text, qualities, paths, typed: source.typed, ..Flow::default() }
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
    let chars: Vec<char> = super::stdout::unescape(text).chars().collect();
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
