//! Decoding: base64 of both alphabets, base 32, base 58, hexadecimal.

/// Decodes base64 of either alphabet, with or without padding. Bits that fill no byte are dropped.
pub(crate) fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut buffer, mut bits) = (0_u32, 0_u32);
    let end = text.iter().rposition(|byte| *byte != b'=').map_or(0, |at| at + 1);
    for byte in text.get(..end)? {
        buffer = buffer << 6 | u32::from(sextet(*byte)?);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((buffer >> bits & 0xff) as u8);
        }
    }
    Some(bytes)
}

const fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

/// Decodes base 32 with capital letters.
pub(crate) fn base32(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 5 / 8);
    let (mut buffer, mut bits) = (0_u32, 0_u32);
    for byte in text {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'2'..=b'7' => byte - b'2' + 26,
            _ => return None,
        };
        buffer = buffer << 5 | u32::from(digit);
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push((buffer >> bits & 0xff) as u8);
        }
    }
    Some(bytes)
}

/// The digits of base 58, in order.
pub(crate) const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Decodes base 58. The work grows with the square of the length, so a long text is refused.
pub(crate) fn base58(text: &[u8]) -> Option<Vec<u8>> {
    if text.len() > 128 {
        return None;
    }
    // The number, its last byte first.
    let mut number: Vec<u8> = Vec::with_capacity(text.len());
    for byte in text {
        let mut carry = u32::try_from(BASE58.iter().position(|digit| digit == byte)?).ok()?;
        for byte in &mut number {
            carry += u32::from(*byte) * 58;
            *byte = (carry & 0xff) as u8;
            carry >>= 8;
        }
        while carry > 0 {
            number.push((carry & 0xff) as u8);
            carry >>= 8;
        }
    }
    number.extend(text.iter().take_while(|byte| **byte == b'1').map(|_| 0));
    number.reverse();
    Some(number)
}

/// Decodes hexadecimal of either case.
pub(crate) fn hex(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    text.chunks(2)
        .map(|pair| match pair {
            [high, low] => Some(digit(high)? << 4 | digit(low)?),
            _ => None,
        })
        .collect()
}
