//! Values that a file with secrets may show: they are of no use to others.

use crate::rarity;

/// Returns whether a value is a switch, which tells nothing even where a secret is expected.
pub(super) fn is_switch(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    matches!(lower.as_str(), "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "none" | "0" | "1")
}

/// Returns whether a value with an ordinary name is clearly no secret: a switch, a number, words, an address, a path.
pub(super) fn is_harmless(value: &str) -> bool {
    let is_number = value.len() <= 8
        && value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'_'));
    is_switch(value) || is_number || is_amount(value) || are_words(value) || is_address(value)
}

/// `30s`, `512MB`, `1.80.1`
fn is_amount(value: &str) -> bool {
    let digits = value.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let unit = value.len() - digits.len();
    !digits.is_empty()
        && value.len() <= 10
        && unit <= 3
        && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'_' | b':'))
}

fn are_words(value: &str) -> bool {
    let fits = |byte: u8| {
        byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_' | b'.' | b' ' | b',' | b'/' | b':')
    };
    value.bytes().all(fits) && !(value.len() >= 12 && rarity::is_rare(value.as_bytes()))
}

/// A URL without a user, a host, a path, a mail address: made of words and numbers, none of which is rare.
fn is_address(value: &str) -> bool {
    let rest = value.split_once("://").map(|(_, rest)| rest);
    let has_user =
        rest.is_some_and(|rest| rest.split(['/', '?', '#']).next().is_some_and(|host| host.contains('@')));
    let looks_so = rest.is_some()
        || value.starts_with(['/', '~'])
        || value.starts_with("./")
        || value.split_once('@').is_some_and(|(_, host)| host.contains('.'))
        || (value.contains('.') && !value.contains(['=', '+', '$', '!', '%']));
    let is_rare = |part: &str| part.len() >= 12 && rarity::is_rare(part.as_bytes());
    let mut parts = value.split(['/', '?', '&', '=', ':', '.', '@', '#']);
    looks_so
        && !has_user
        && value.is_ascii()
        && !value.contains(' ')
        && parts.all(|part| !is_mixed(part) && !is_rare(part))
}

/// Returns whether digits and letters alternate, as in no name.
fn is_mixed(part: &str) -> bool {
    let kinds = part.bytes().map(|byte| byte.is_ascii_digit());
    let changes = kinds.clone().zip(kinds.skip(1)).filter(|(one, next)| one != next).count();
    part.len() >= 8 && changes >= 3
}
