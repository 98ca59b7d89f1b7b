//! Encodings that hide a text from a reader, and from nothing else.

/// The most that is decoded.
const MAX: usize = checkrein_shell::MAX_BYTES;

/// Decodes bytes from digits of a few bits each; white space and padding between them are skipped.
fn digits(text: &str, width: u32, digit: impl Fn(u8) -> Option<u8>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in text.bytes().take(MAX).filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        bits = (bits << width) | u32::from(digit(byte)?);
        held = held.wrapping_add(width);
        if held >= 8 {
            held = held.wrapping_sub(8);
            bytes.push(u8::try_from((bits >> held) & 0xff).unwrap_or(0));
        }
    }
    Some(bytes)
}

/// Base64 of both alphabets, with or without padding, to bytes.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    digits(text, 6, |byte| match byte {
        b'A'..=b'Z' => Some(byte.wrapping_sub(b'A')),
        b'a'..=b'z' => Some(byte.wrapping_sub(b'a').wrapping_add(26)),
        b'0'..=b'9' => Some(byte.wrapping_sub(b'0').wrapping_add(52)),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    })
}

/// Base32, with or without padding, to bytes.
pub fn base32(text: &str) -> Option<Vec<u8>> {
    digits(text, 5, |byte| match byte {
        b'A'..=b'Z' => Some(byte.wrapping_sub(b'A')),
        b'2'..=b'7' => Some(byte.wrapping_sub(b'2').wrapping_add(26)),
        _ => None,
    })
}

/// Pairs of hexadecimal digits.
pub fn hex(text: &str) -> Option<Vec<u8>> {
    digits(text, 4, |byte| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
}

/// The letters turned by thirteen.
pub fn rot13(text: &str) -> String {
    let turn = |char: char, first: u8| {
        let at = u8::try_from(char).unwrap_or(first).wrapping_sub(first).wrapping_add(13) % 26;
        char::from(at.wrapping_add(first))
    };
    let letter = |char| match char {
        'a'..='z' => turn(char, b'a'),
        'A'..='Z' => turn(char, b'A'),
        other => other,
    };
    text.chars().map(letter).collect()
}

/// UTF-16 with the low byte first: what PowerShell encodes.
pub fn utf16(bytes: &[u8]) -> Option<String> {
    let units: Vec<u16> = bytes
        .chunks(2)
        .map(|pair| pair.iter().rev().fold(0, |unit, byte| (unit << 8) | u16::from(*byte)))
        .collect();
    String::from_utf16(&units).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_undone() {
        assert_eq!(base64("aGVsbG8=").as_deref(), Some(&b"hello"[..]));
        assert_eq!(base64("_-8").as_deref(), Some(&[0xff, 0xef][..]));
        assert_eq!(base64("a%"), None);
        assert_eq!(base32("NBUQ====").as_deref(), Some(&b"hi"[..]));
        assert_eq!(hex("68 65").as_deref(), Some(&b"he"[..]));
        assert_eq!(hex("6g"), None);
        assert_eq!(rot13("Uryyb, 1"), "Hello, 1");
        assert_eq!(utf16(&[0x68, 0, 0x69, 0]).as_deref(), Some("hi"));
    }
}
