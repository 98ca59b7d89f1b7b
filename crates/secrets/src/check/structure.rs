//! Structure inside values: JSON, macaroons, users and passwords.

use super::base::base64;
use serde_json::Value;

/// Returns whether header and payload of a JWT are JSON objects, and it is neither unsigned nor public.
pub(crate) fn is_jwt(value: &[u8]) -> bool {
    let mut parts = value.split(|byte| *byte == b'.');
    let mut object = || object(parts.next()?);
    let (Some(header), Some(payload)) = (object(), object()) else { return false };
    let algorithm = header.get("alg").and_then(Value::as_str);
    // The key of a project that every visitor gets, and the example of the specification's best-known page.
    let is_public = payload.get("role").and_then(Value::as_str) == Some("anon");
    let is_example = payload.get("name").and_then(Value::as_str) == Some("John Doe");
    algorithm.is_some_and(|algorithm| !algorithm.eq_ignore_ascii_case("none")) && !is_public && !is_example
}

fn object(part: &[u8]) -> Option<serde_json::Map<String, Value>> {
    serde_json::from_slice(&base64(part)?).ok()
}

/// Returns whether the beginning of a value is base64 of a JSON object with these keys.
pub(crate) fn is_base64_json(value: &[u8], keys: &str) -> bool {
    let encoded = value.split(|byte| *byte == b'_').next().unwrap_or_default();
    object(encoded).is_some_and(|object| keys.split(',').all(|key| object.contains_key(key)))
}

/// Returns true if a value is base64 of a readable user and a readable password.
pub(crate) fn is_basic(value: &[u8]) -> bool {
    let Some(decoded) = base64(value).and_then(|bytes| String::from_utf8(bytes).ok()) else { return false };
    let is_read = decoded.bytes().all(|byte| byte >= b' ' && byte != 0x7f);
    decoded.split_once(':').is_some_and(|(user, password)| !user.is_empty() && password.len() >= 4) && is_read
}

/// Returns whether the part after the prefix is a macaroon of version 2: a location, then an identifier and caveats.
pub(crate) fn is_macaroon(value: &[u8]) -> bool {
    let Some(body) = value.iter().position(|byte| *byte == b'-').and_then(|at| value.get(at + 1..)) else {
        return false;
    };
    let Some(bytes) = base64(body) else { return false };
    // Version, field 1 (location) with its length, then field 2 (identifier).
    match bytes.as_slice() {
        [2, 1, length, rest @ ..] => {
            let location = rest.get(..usize::from(*length));
            location.is_some_and(|location| location.contains(&b'.') && location.is_ascii())
                && rest.get(usize::from(*length)) == Some(&2)
        }
        _ => false,
    }
}

/// Returns whether the first part is base64 of a number, as the tokens of Discord's bots have.
pub(crate) fn is_discord(value: &[u8]) -> bool {
    let first = value.split(|byte| *byte == b'.').next().unwrap_or_default();
    base64(first).is_some_and(|bytes| bytes.len() >= 17 && bytes.iter().all(u8::is_ascii_digit))
}

/// Returns whether a value has letters and digits in a mixture that no word and no number has.
pub(crate) fn is_mixed(value: &[u8]) -> bool {
    // A prefix is no evidence: only what comes after its separator counts.
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let changes = value.windows(2).filter(|pair| matches!(pair, [a, b] if kind(*a) != kind(*b))).count();
    digits >= 2 && letters >= 4 && changes * 4 >= value.len()
}

const fn kind(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

/// Returns whether a value has capital and small letters and digits, and is not hexadecimal.
pub(crate) fn is_mixed3(value: &[u8]) -> bool {
    let any = |fits: fn(&u8) -> bool| value.iter().any(fits);
    any(u8::is_ascii_lowercase)
        && any(u8::is_ascii_uppercase)
        && any(u8::is_ascii_digit)
        && !value.iter().all(u8::is_ascii_hexdigit)
}
