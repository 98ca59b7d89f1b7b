//! Secrets without a format of their own, told by a name, a header or a URL.

use crate::{
    assign,
    check::structure,
    names::{self, Promise},
    placeholder::{is_placeholder, is_reference},
    rarity,
    scan::Found,
    shape,
    tables::{self, Kind},
};
use std::ops::Range;

/// The shortest values that count.
const PASSWORD: usize = 7;
const TOKEN: usize = 16;

/// Looks at the name around a keyword, and at its value. Returns where the search for names continues.
pub(crate) fn at_name(text: &[u8], at: usize, found: &mut impl FnMut(Found)) -> usize {
    if let Some(value) = after_scheme(text, at) {
        return header(text, at, &value, found);
    }
    let Some(assignment) = assign::around(text, at) else { return at + 1 };
    let (Some(name), Some(value)) = (text.get(assignment.name.clone()), text.get(assignment.value.clone()))
    else {
        return at + 1;
    };
    let words = names::words(name);
    if words.last().is_some_and(|word| word == "cookie") {
        cookies(text, &assignment.value, found);
        return assignment.name.end;
    }
    if let Some(kind) = kind(&words, value, assignment.is_quoted) {
        found(Found::new(kind, assignment.value));
    }
    assignment.name.end
}

/// Returns the credentials after `Bearer ` or `Basic ` at `at`.
pub(crate) fn after_scheme(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let word = rest.iter().take(7).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let is_scheme = ["bearer", "basic"]
        .iter()
        .any(|scheme| rest.get(..word).is_some_and(|word| word.eq_ignore_ascii_case(scheme.as_bytes())));
    if !is_scheme || rest.get(word) != Some(&b' ') || !shape::is_boundary(text, at) {
        return None;
    }
    let fits = |byte: &&u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=')
    };
    let length = rest.get(word + 1..)?.iter().take(4_096).take_while(fits).count();
    Some(at + word + 1..at + word + 1 + length)
}

fn header(text: &[u8], at: usize, value: &Range<usize>, found: &mut impl FnMut(Found)) -> usize {
    let Some(bytes) = text.get(value.clone()) else { return at + 1 };
    let is_basic = text.get(at + 1).is_some_and(|byte| byte.eq_ignore_ascii_case(&b'a'));
    let is_secret = match is_basic {
        true => bytes.len() >= 8 && structure::is_basic(bytes),
        false => is_random(bytes),
    };
    if is_secret && !is_reference(bytes) && !is_placeholder(bytes) {
        found(Found::new(if is_basic { tables::BASIC_HEADER } else { tables::BEARER_HEADER }, value.clone()));
    }
    value.start
}

/// The values of a cookie header that are sessions.
fn cookies(text: &[u8], value: &Range<usize>, found: &mut impl FnMut(Found)) {
    let line = text.get(value.start..).unwrap_or_default();
    let length = line.iter().take(4_096).take_while(|byte| !matches!(byte, b'\n' | b'"' | b'\'')).count();
    let mut at = value.start;
    for pair in line.get(..length).unwrap_or_default().split(|byte| *byte == b';') {
        let joint = pair.iter().position(|byte| *byte == b'=');
        if let Some((name, given)) =
            joint.and_then(|joint| Some((pair.get(..joint)?, pair.get(joint + 1..)?)))
        {
            let lower = name.to_ascii_lowercase();
            let has = |word: &[u8]| lower.windows(word.len()).any(|window| window == word);
            let is_session =
                has(b"sess") || has(b"sid") || has(b"auth") || has(b"token") || has(b".aspnetcore.");
            let given = given.trim_ascii();
            if is_session && is_random(given) && !is_reference(given) && !is_placeholder(given) {
                let start = at + name.len() + 1;
                found(Found::new(tables::SESSION_COOKIE, start..start + given.len()));
            }
        }
        at += pair.len() + 1;
    }
}

/// The kind of the string of a JSON member, if its name makes it a secret.
pub(crate) fn of_member(name: &str, value: &str) -> Option<Kind> {
    kind(&names::words(name.as_bytes()), value.as_bytes(), true)
}

/// The kind of a value with a name of these words, if it is a secret.
fn kind(words: &[String], value: &[u8], is_quoted: bool) -> Option<Kind> {
    if is_reference(value) {
        return None;
    }
    if let Some(kind) = named(words, value) {
        return (!is_placeholder(value)).then_some(kind);
    }
    match names::promise(words)? {
        Promise::Password => is_password(value, is_quoted).then_some(tables::ASSIGNED_PASSWORD),
        Promise::Token => is_token(value, is_quoted).then_some(tables::ASSIGNED_SECRET),
    }
}

/// The kind whose words are in the name and whose shape the value has.
fn named(words: &[String], value: &[u8]) -> Option<Kind> {
    let has = |wanted: &str| wanted.split('|').any(|wanted| words.iter().any(|word| word == wanted));
    let is_secret = names::promise(words).is_some();
    let (_, shape) = tables::named().find(|(wanted, shape)| {
        let is_card = shape.kind().name() == "card-number";
        (is_secret || is_card) && wanted.split(' ').all(has) && shape::is_whole(value, shape)
    })?;
    let matched = shape::Matched { whole: 0..value.len(), hidden: 0..value.len() };
    let (check, argument) = shape.kind().check();
    check.pass(argument, value, &matched).map(|_| shape.kind())
}

/// Returns whether a value that is called a password is one: short, perhaps, but no word of a form, a type or a message.
fn is_password(value: &[u8], is_quoted: bool) -> bool {
    let any = |fits: fn(&u8) -> bool| value.iter().any(fits);
    if value.len() < PASSWORD
        || value.len() > 200
        || is_placeholder(value)
        || any(|byte| byte.is_ascii_whitespace())
    {
        return false;
    }
    if !value.is_ascii() || is_expression(value, is_quoted) || is_address(value) {
        return false;
    }
    let sign = |byte: &u8| byte.is_ascii_punctuation() && !matches!(byte, b'_' | b'-' | b'.' | b'/' | b':');
    let kinds =
        [any(u8::is_ascii_lowercase), any(u8::is_ascii_uppercase), any(u8::is_ascii_digit), any(sign)];
    let count = kinds.iter().filter(|kind| **kind).count();
    let letters = any(u8::is_ascii_alphabetic);
    if !is_quoted && is_number(value) {
        return false;
    }
    // A name in camel case has two kinds, too.
    letters
        && count >= 2
        && (any(u8::is_ascii_digit) || any(sign))
        && (value.len() < TOKEN || rarity::is_rare(value))
}

/// Returns whether a value is a number of a program: `0x1F_u32`.
fn is_number(value: &[u8]) -> bool {
    let digits = value.strip_prefix(b"0x").unwrap_or(value);
    let is_suffix = |rest: &[u8]| {
        matches!(
            rest,
            b"" | b"u8"
                | b"u16"
                | b"u32"
                | b"u64"
                | b"i32"
                | b"i64"
                | b"usize"
                | b"f32"
                | b"f64"
                | b"L"
                | b"UL"
        )
    };
    let length = digits
        .iter()
        .take_while(|byte| {
            byte.is_ascii_digit()
                || **byte == b'_'
                || (digits.len() < value.len() && byte.is_ascii_hexdigit())
        })
        .count();
    length > 0 && digits.get(length..).is_some_and(is_suffix)
}

/// Returns whether a value that is called a token or a key is random.
fn is_token(value: &[u8], is_quoted: bool) -> bool {
    is_random(value) && !is_placeholder(value) && !is_expression(value, is_quoted) && !is_address(value)
}

fn is_random(value: &[u8]) -> bool {
    let any = |fits: fn(&u8) -> bool| value.iter().any(fits);
    let is_hex = value.iter().all(u8::is_ascii_hexdigit);
    let shortest = if is_hex { 32 } else { TOKEN };
    value.len() >= shortest
        && value.iter().all(u8::is_ascii_graphic)
        && any(u8::is_ascii_digit)
        && any(u8::is_ascii_alphabetic)
        && !is_uuid(value)
        && rarity::is_rare(value)
}

/// Returns whether a value without quotes is source and no text: a call, an index, a path of names.
fn is_expression(value: &[u8], is_quoted: bool) -> bool {
    let any = |signs: &[u8]| value.iter().any(|byte| signs.contains(byte));
    !is_quoted && (any(b"()[]{}|") || value.windows(2).any(|pair| pair == b"->"))
}

fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Returns whether a value is a URL, a path or a mail address.
fn is_address(value: &[u8]) -> bool {
    let has = |needle: &[u8]| value.windows(needle.len()).any(|window| window == needle);
    let is_mail = || {
        let mut parts = value.split(|byte| *byte == b'@');
        let (user, host) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let is_host = |host: &[u8]| {
            host.contains(&b'.')
                && host.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
        };
        !user.is_empty()
            && is_host(host)
            && parts.next().is_none()
            && host.last().is_some_and(u8::is_ascii_alphabetic)
    };
    has(b"://")
        || value.starts_with(b"./")
        || value.starts_with(b"../")
        || value.starts_with(b"~/")
        || is_mail()
}

/// Passwords that programs come with: no secret, above all on the own machine.
const DEFAULTS: &[&str] = &[
    "password",
    "postgres",
    "guest",
    "root",
    "admin",
    "minioadmin",
    "secret",
    "user",
    "pass",
    "changeit",
    "mysql",
    "redis",
    "test",
];

/// Looks at the password in a URL whose `://` is after `at`.
pub(crate) fn at_url(text: &[u8], at: usize, found: &mut impl FnMut(Found)) {
    let start = at + 4;
    let rest = text.get(start..).unwrap_or_default();
    let is_end = |byte: &u8| {
        byte.is_ascii_whitespace()
            || byte.is_ascii_control()
            || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\')
    };
    let word = rest.iter().take(1_024).position(is_end).unwrap_or(rest.len().min(1_024));
    let Some(word) = rest.get(..word) else { return };
    // A password may have a slash in it; then the last `@` before the query ends it.
    let authority = word.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(word.len());
    let sign = word.get(..authority).and_then(|authority| authority.iter().rposition(|byte| *byte == b'@'));
    let Some(sign) = sign else { return };
    let Some(colon) = word.get(..sign).and_then(|info| info.iter().position(|byte| *byte == b':')) else {
        return;
    };
    let (Some(password), Some(host)) = (word.get(colon + 1..sign), word.get(sign + 1..)) else { return };
    let host: Vec<u8> = host
        .iter()
        .copied()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
        .collect();
    let is_default = DEFAULTS.iter().any(|default| password.eq_ignore_ascii_case(default.as_bytes()));
    let user = word.get(..colon).unwrap_or_default();
    // A machine of the own network with a name of one word, such as a container's.
    let is_local = !host.contains(&b'.')
        || host == b"127.0.0.1"
        || host.ends_with(b".local")
        || host.ends_with(b".test");
    let is_weak = is_default || password == user || password.len() < 5;
    let is_example = host.windows(8).any(|window| window == b"example.") && !rarity::is_rare(password);
    if password.is_empty()
        || is_reference(password)
        || (is_placeholder(password) && password.len() < 40)
        || is_example
        || (is_weak && is_local)
        || is_default
    {
        return;
    }
    found(Found::new(tables::URL_PASSWORD, start + colon + 1..start + sign));
}
