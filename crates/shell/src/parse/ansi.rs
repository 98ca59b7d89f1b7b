//! `$'…'`: the escapes that bash takes from C.

use super::Parser;
use crate::{script::UnreadableReason, syntax::Piece};

impl Parser<'_, '_> {
    /// After `$'`.
    pub(super) fn ansi_quote(&mut self) -> Piece {
        let start = self.at;
        let mut bytes = Vec::new();
        let mut computed = true;
        loop {
            match self.bump() {
                None => {
                    self.opaque(start..self.at, UnreadableReason::OpenQuote);
                    return Piece::Unreadable;
                }
                Some('\'') => break,
                Some('\\') => computed &= self.escape(&mut bytes),
                Some(char) => bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        // A hole may begin an escape, or be a part of one.
        computed &= !self.holes.iter().any(|(at, _)| (start..self.at).contains(at));
        // The shell's texts end at a NUL.
        if let Some(nul) = bytes.iter().position(|byte| *byte == 0) {
            bytes.truncate(nul);
        }
        match String::from_utf8(bytes) {
            Ok(text) if computed => Piece::Quoted(text),
            Ok(_) | Err(_) => Piece::Uncertain,
        }
    }

    /// After a backslash. Answers whether the result is the same everywhere.
    fn escape(&mut self, bytes: &mut Vec<u8>) -> bool {
        let Some(char) = self.bump() else { return true };
        match char {
            'a' => bytes.push(0x07),
            'b' => bytes.push(0x08),
            'e' | 'E' => bytes.push(0x1b),
            'f' => bytes.push(0x0c),
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            'v' => bytes.push(0x0b),
            '\\' | '\'' | '"' | '?' => bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            '0'..='7' => {
                self.at -= 1;
                let number = self.number(8, 3).unwrap_or_default();
                bytes.push(u8::try_from(number & 0xff).unwrap_or_default());
            }
            'x' => match self.number(16, 2) {
                Some(number) => bytes.push(u8::try_from(number).unwrap_or_default()),
                // Some versions read `\x{…}`.
                None if self.peek() == Some('{') => return false,
                None => bytes.extend_from_slice(b"\\x"),
            },
            'u' | 'U' => match self.number(16, if char == 'u' { 4 } else { 8 }).map(u8::try_from) {
                Some(Ok(ascii)) if ascii.is_ascii() => bytes.push(ascii),
                // Characters outside ASCII depend on the locale.
                Some(Ok(_) | Err(_)) => return false,
                None => bytes.extend_from_slice(&[b'\\', if char == 'u' { b'u' } else { b'U' }]),
            },
            'c' => match self.bump() {
                Some(control) if control.is_ascii() && control != '\\' && control != '\'' => {
                    bytes.push(u8::try_from(control.to_ascii_uppercase()).unwrap_or_default() & 0x1f);
                }
                Some(_) | None => {
                    // A quote is still the end of the text.
                    self.at -= usize::from(self.text.as_bytes().get(self.at.wrapping_sub(1)) == Some(&b'\''));
                    return false;
                }
            },
            _ => {
                bytes.push(b'\\');
                bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        true
    }

    /// Up to `most` digits.
    fn number(&mut self, radix: u32, most: usize) -> Option<u32> {
        let mut number = None;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|char| char.to_digit(radix)) else { break };
            self.at += 1;
            number = Some(number.unwrap_or(0_u32).wrapping_mul(radix).wrapping_add(digit));
        }
        number
    }
}
