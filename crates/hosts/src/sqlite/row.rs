//! The content of a row: a list of types, then a list of values.

use super::schema::Column;
use checkrein_core::Map;
use serde_json::Value;

/// Reads a number of one to nine bytes; each byte but the last has its highest bit set. Returns it and the position after it.
pub(super) fn varint(bytes: &[u8], at: usize) -> Option<(i64, usize)> {
    let mut number: u64 = 0;
    for place in 0..9 {
        let position = at.checked_add(place)?;
        let byte = *bytes.get(position)?;
        if place == 8 {
            number = number << 8 | u64::from(byte);
        } else {
            number = number << 7 | u64::from(byte & 0x7f);
        }
        if place == 8 || byte & 0x80 == 0 {
            return Some((number.cast_signed(), position + 1));
        }
    }
    None
}

/// Returns the values of a row by column; `None` if it is damaged. A column that was added after the row has no value.
pub(super) fn decode(content: &[u8], id: i64, columns: &[Column]) -> Option<Map> {
    let (length, mut kind_at) = varint(content, 0)?;
    let types_end = usize::try_from(length).ok().filter(|end| *end <= content.len())?;
    let mut value_at = types_end;
    let mut values = Map::new();
    for column in columns {
        let value = if kind_at < types_end {
            let (kind, after) = varint(content, kind_at)?;
            kind_at = after;
            let (value, after) = value(content, value_at, kind)?;
            value_at = after;
            value
        } else {
            Value::Null
        };
        // The number of the row is not stored a second time.
        let value = if column.is_row_number { id.into() } else { value };
        values.insert(column.name.clone(), value);
    }
    Some(values)
}

/// Reads a value of a type, and returns it with the position after it.
fn value(content: &[u8], at: usize, kind: i64) -> Option<(Value, usize)> {
    let take = |length: usize| {
        let end = at.checked_add(length)?;
        Some((content.get(at..end)?, end))
    };
    let integer = |length: usize| {
        let (bytes, end) = take(length)?;
        let negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
        let start = if negative { -1 } else { 0 };
        Some((bytes.iter().fold(start, |number: i64, byte| number << 8 | i64::from(*byte)), end))
    };
    let (value, end) = match kind {
        0 => (Value::Null, at),
        1..=4 => {
            let (number, end) = integer(usize::try_from(kind).ok()?)?;
            (number.into(), end)
        }
        5 => {
            let (number, end) = integer(6)?;
            (number.into(), end)
        }
        6 => {
            let (number, end) = integer(8)?;
            (number.into(), end)
        }
        7 => {
            let (bytes, end) = take(8)?;
            (f64::from_be_bytes(bytes.try_into().ok()?).into(), end)
        }
        8 => (0.into(), at),
        9 => (1.into(), at),
        10 | 11 => return None,
        kind if kind % 2 == 0 => {
            let (_, end) = take(usize::try_from((kind - 12) / 2).ok()?)?;
            (Value::Null, end)
        }
        kind => {
            let (bytes, end) = take(usize::try_from((kind - 13) / 2).ok()?)?;
            (String::from_utf8_lossy(bytes).into_owned().into(), end)
        }
    };
    Some((value, end))
}
