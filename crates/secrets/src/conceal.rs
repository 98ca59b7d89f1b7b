//! A stricter look at short texts that are kept or shown: commands, reasons, paths.
//!
//! In the output of a tool a wrong tag is a defect, so that a value must look like a secret. In a record of a command nothing is lost
//! if a value with a secret name is left out whatever it looks like: `--password hunter2`. This adds such values, logins, and long
//! words that are as rare as tokens to what the scanner finds.

use crate::{
    assign::{self, Assignment},
    generic, names,
    placeholder::is_reference,
    rarity,
    scan::scan_and,
    tables::Target,
    tag,
};
use std::{borrow::Cow, ops::Range};

/// The text in place of what is concealed.
const GONE: &str = "…";
/// The shortest word that may be a token without a name, and the shortest part of it that is random.
const WORD: usize = 24;
const PART: usize = 16;
/// The shortest word with slashes that may be one, because paths have slashes, too.
const SLASHED: usize = 32;
/// The number of bytes that are looked at together for a dash.
const STRIDE: usize = 64;
/// Authorization schemes, which precede the secret itself.
const SCHEMES: &[&[u8]] = &[b"bearer", b"basic", b"token", b"digest", b"negotiate", b"apikey", b"bot"];
/// Last words of names whose values are left out here, although in a file they are often harmless.
const ALSO: &[&str] = &["authorization", "cookie", "signature", "sig", "pass"];
/// Those of them that are headers, whose value has several words.
const HEADERS: &[&str] = &["authorization", "cookie"];
/// Options whose value is a name and a password.
const LOGINS: &[&[u8]] = &[b"-u", b"--user", b"--proxy-user"];

/// Returns a text with `…` in place of every secret, of every value with a secret name, and of long words that look random.
pub fn conceal(text: &str) -> Cow<'_, str> {
    let hidden = hidden(text.as_bytes(), 0);
    if hidden.is_empty() {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    for range in hidden {
        let start = floor(text, range.start).max(at);
        shown.push_str(text.get(at..start).unwrap_or_default());
        if range.end > at {
            shown.push_str(GONE);
        }
        at = at.max(ceil(text, range.end));
    }
    shown.push_str(text.get(at..).unwrap_or_default());
    shown.into()
}

/// Returns whether [`conceal`] would leave a text as it is.
pub fn is_plain(text: &[u8]) -> bool {
    hidden(text, 0).is_empty()
}

/// Returns whether a text has no secret, and [`conceal`] would leave it as it is from `names` on. Before that are names and ids, which
/// look random.
pub fn is_plain_after(text: &[u8], names: usize) -> bool {
    hidden(text, names).is_empty()
}

/// Returns the places to conceal, in order: every secret, and from `names` on what else may be one.
fn hidden(text: &[u8], names: usize) -> Vec<Range<usize>> {
    let (mut hidden, mut after_name) = (Vec::new(), 0);
    let found = scan_and(text, &mut |target, start| match target {
        _ if start < names => {}
        Target::Name if start >= after_name => after_name = at_name(text, start, &mut hidden),
        Target::Url => hidden.extend(userinfo(text, start)),
        Target::Name | Target::Shape(_) => {}
    });
    hidden.extend(found.into_iter().map(|finding| finding.range));
    dashed(text, names, &mut hidden);
    rare_words(text, names, &mut hidden);
    hidden.retain(|range| text.get(range.clone()).is_some_and(|value| !value.is_empty() && !is_shown(value)));
    hidden.sort_by_key(|range| (range.start, range.end));
    hidden.dedup_by(|next, kept| {
        let overlaps = next.start < kept.end;
        if overlaps {
            kept.end = kept.end.max(next.end);
        }
        overlaps
    });
    hidden
}

/// Returns whether a value is not a secret, but says where one is.
fn is_shown(value: &[u8]) -> bool {
    value.starts_with(b"$") || tag::is_tag(value) || value == GONE.as_bytes()
}

/// Conceals the value of the name with a keyword at `at`. Returns where the search for names continues.
fn at_name(text: &[u8], at: usize, hidden: &mut Vec<Range<usize>>) -> usize {
    // Some keywords begin with what is before the name, as in `&sig=`.
    let at = at + usize::from(matches!(text.get(at), Some(b'&' | b'?' | b'"')));
    if let Some(value) = generic::after_scheme(text, at) {
        let start = value.start;
        hidden.push(value);
        return start.max(at + 1);
    }
    let Some(Assignment { name, value, is_quoted }) = assign::around(text, at) else {
        // A quote that is not closed: the text was cut, and with it the value.
        if let Some(rest) = unclosed(text, at) {
            hidden.push(rest);
        }
        return at + 1;
    };
    let (Some(word), Some(given)) = (text.get(name.clone()), text.get(value.clone())) else { return at + 1 };
    let words = names::words(word);
    let also = words.last().filter(|last| ALSO.contains(&last.as_str()));
    if also.is_none() && names::promise(&words).is_none() {
        return name.end;
    }
    // `--token --json`
    let is_option = !is_quoted && given.starts_with(b"-") && word.starts_with(b"-");
    if is_option || (is_reference(given) && is_reference(rest_of_word(text, value.start))) {
        return name.end;
    }
    match also {
        // A scheme and the credentials after it, or a list of pairs: to the end of the header.
        Some(last) if !is_quoted && HEADERS.contains(&last.as_str()) => {
            let scheme = SCHEMES.iter().any(|scheme| given.eq_ignore_ascii_case(scheme));
            let start = if scheme { value.end + spaces(text, value.end) } else { value.start };
            hidden.push(start..start + header(text, start));
        }
        Some(_) if !is_quoted => {
            hidden.push(value.start..value.start + rest_of_word(text, value.start).len());
        }
        _ => hidden.push(value.clone()),
    }
    name.end
}

/// Returns the length of what is left of a header.
fn header(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.iter().position(|byte| matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'`')).unwrap_or(rest.len())
}

fn spaces(text: &[u8], from: usize) -> usize {
    text.get(from..).unwrap_or_default().iter().take_while(|byte| **byte == b' ').count()
}

/// Returns the word from a position on.
fn rest_of_word(text: &[u8], from: usize) -> &[u8] {
    let rest = text.get(from..).unwrap_or_default();
    let length = rest.iter().position(|byte| is_space_or_quote(*byte)).unwrap_or(rest.len());
    rest.get(..length).unwrap_or_default()
}

const fn is_space_or_quote(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`')
}

/// Returns the value of a name at `at` whose quote is not closed.
fn unclosed(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let after = rest.get(length..)?;
    let joint = after.iter().take_while(|byte| matches!(byte, b'=' | b':' | b' ' | b'"' | b'\'')).count();
    let opens = after.get(..joint)?;
    let is_open = opens.contains(&b'=') || opens.contains(&b':');
    (is_open && matches!(opens.last(), Some(b'"' | b'\''))).then(|| {
        let start = at + length + joint;
        start..start + rest.get(length + joint..).map_or(0, <[u8]>::len)
    })
}

/// Returns the password of a URL, or its user if that is long enough to be a token. `://` is after `at`.
fn userinfo(text: &[u8], at: usize) -> Option<Range<usize>> {
    let colon = at + text.get(at..)?.windows(3).take(16).position(|three| three == b"://")?;
    let start = colon + 3;
    let word = rest_of_word(text, start);
    let authority = word.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(word.len());
    let sign = |part: &[u8]| part.iter().rposition(|byte| *byte == b'@');
    let first_colon = word.iter().position(|byte| *byte == b':');
    // A password may have a slash in it. A port has digits only.
    let sign = sign(word.get(..authority)?).or_else(|| {
        let port = word.get(first_colon? + 1..authority)?;
        (first_colon? < authority && !port.iter().all(u8::is_ascii_digit)).then(|| sign(word))?
    })?;
    match first_colon.filter(|colon| *colon < sign) {
        Some(colon) => Some(start + colon + 1..start + sign),
        // `git@` and the like are names.
        None => (sign >= PART).then_some(start..start + sign),
    }
}

/// Conceals what a dash begins: private keys from their first line to their end, or to the end of the text, and the passwords of
/// options whose value is `user:password`.
fn dashed(text: &[u8], begin: usize, hidden: &mut Vec<Range<usize>>) {
    let mut from = begin;
    let (strides, rest) = text.get(begin..).unwrap_or_default().as_chunks::<STRIDE>();
    for (number, stride) in strides.iter().map(<[u8; STRIDE]>::as_slice).chain([rest]).enumerate() {
        // Without a branch for each byte, so that many are compared at once.
        if !stride.iter().fold(false, |any, byte| any | (*byte == b'-')) {
            continue;
        }
        for (offset, _) in stride.iter().enumerate().filter(|(_, byte)| **byte == b'-') {
            let at = begin + number * STRIDE + offset;
            let rest = text.get(at..).unwrap_or_default();
            if at >= from && rest.starts_with(b"-----BEGIN") {
                from = at + key(rest, at, hidden);
            } else if at == begin || text.get(at - 1).is_some_and(u8::is_ascii_whitespace) {
                login(text, at, hidden);
            }
        }
    }
}

/// Conceals a key that begins at `at`, and returns the length of its block.
fn key(block: &[u8], at: usize, hidden: &mut Vec<Range<usize>>) -> usize {
    let find = |needle: &[u8], from: usize| {
        block.get(from..)?.windows(needle.len()).position(|window| window == needle).map(|at| from + at)
    };
    let end = find(b"-----END", 0).map(|end| end + 8);
    let end = end.map(|end| find(b"-----", end).map_or(block.len(), |dashes| dashes + 5));
    let end = end.unwrap_or(block.len());
    if block.get(..end).is_some_and(|key| key.windows(11).any(|window| window == b"PRIVATE KEY")) {
        hidden.push(at..at + end);
    }
    end
}

/// Conceals the password after an option at `dash` whose value is `user:password`.
fn login(text: &[u8], dash: usize, hidden: &mut Vec<Range<usize>>) {
    let rest = text.get(dash..).unwrap_or_default();
    let Some(option) = LOGINS.iter().rev().find(|option| rest.starts_with(option)) else { return };
    let after = rest.get(option.len()..).unwrap_or_default();
    let is_joined = matches!(after.first(), Some(b' ' | b'='));
    let gap = after.iter().take_while(|byte| matches!(byte, b' ' | b'=' | b'"' | b'\'')).count();
    let value = rest_of_word(text, dash + option.len() + gap);
    let colon = value.iter().position(|byte| *byte == b':');
    if let Some(colon) = colon.filter(|_| is_joined) {
        let start = dash + option.len() + gap;
        hidden.push(start + colon + 1..start + value.len());
    }
}

/// Conceals long words that are as rare as tokens.
fn rare_words(text: &[u8], begin: usize, hidden: &mut Vec<Range<usize>>) {
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=');
    let mut at = begin;
    while at < text.len() {
        // A word of this length covers the last byte of every stride.
        let Some(last) = text.get(at + WORD - 1) else { return };
        if !is_part(*last) {
            at += WORD;
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let before =
            rest.get(..WORD - 1).unwrap_or_default().iter().rev().take_while(|byte| is_part(**byte)).count();
        let start = at + WORD - 1 - before;
        let length = text.get(start..).unwrap_or_default().iter().take_while(|byte| is_part(**byte)).count();
        if length >= WORD {
            word(text, start..start + length, hidden);
        }
        at = start + length + 1;
    }
}

/// Conceals a word, or the pieces of a path, if they are as rare as tokens.
fn word(text: &[u8], range: Range<usize>, hidden: &mut Vec<Range<usize>>) {
    let Some(whole) = text.get(range.clone()) else { return };
    let is_path =
        matches!(whole.first(), Some(b'/' | b'.')) || text.get(range.start.wrapping_sub(1)) == Some(&b'~');
    let is_url = range.start > 0 && text.get(range.start - 1) == Some(&b':');
    let any = |fits: fn(&u8) -> bool| whole.iter().any(fits);
    let mixed = any(u8::is_ascii_digit) && any(u8::is_ascii_uppercase) && any(u8::is_ascii_lowercase);
    if whole.contains(&b'/') && !is_path && !is_url && mixed && whole.len() >= SLASHED {
        let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
        if whole.iter().all(is_base64) && rarity::is_rare(whole) {
            return hidden.push(range);
        }
    }
    let mut at = range.start;
    for piece in whole.split(|byte| *byte == b'/') {
        // `name=token`
        let joint = piece.iter().position(|byte| *byte == b'=').filter(|joint| joint + 1 < piece.len());
        let skipped = joint.map_or(0, |joint| joint + 1);
        let value = piece.get(skipped..).unwrap_or_default();
        if is_rare_token(value) {
            hidden.push(at + skipped..at + piece.len());
        }
        at += piece.len() + 1;
    }
}

fn is_rare_token(value: &[u8]) -> bool {
    // Hashes of git and of files are everywhere in commands.
    let is_hash =
        matches!(value.len(), 40 | 64) && value.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_random_part = |part: &[u8]| {
        part.len() >= PART && part.iter().any(u8::is_ascii_digit) && part.iter().any(u8::is_ascii_alphabetic)
    };
    value.len() >= WORD
        && !is_hash
        && value.split(|byte| matches!(byte, b'-' | b'_' | b'.')).any(is_random_part)
        && rarity::is_rare(value)
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Text that is not a secret stays, so that users know what they agree to.
    #[test]
    fn text_without_a_secret_stays() {
        for text in [
            "git push --force origin main",
            "rm -rf /home/dev/shop/target/x86_64-unknown-linux-gnu/release",
            "git clone git@github.com:acme/shop.git",
            "git clone ssh://git@github.com/acme/shop.git",
            "git show 9fceb02d0ae598e95dc970b74767f19372d61af8",
            "npm view https://registry.npmjs.org/@acme/shop",
            "curl -fsSL https://example.com/a/b?x=1&page=2",
            "curl -fsSL http://localhost:8080/users/@me",
            "curl -H 'Authorization: Bearer $TOKEN' https://example.com",
            "PGPASSWORD=$PGPASSWORD psql -h db -c 'drop table orders'",
            "delete /home/dev/.ssh/known_hosts (everything in it)",
            "docker run --rm -v /home/dev:/src rust:1.80 cargo test",
            "docker run -u 1000:$GROUP alpine",
            "kubectl delete pod web-7d4b9c6f5-x2x9z -n shop",
            "cd $PWD && PWD=/tmp make",
            "gh auth token",
            "gh auth login --with-token",
            "npm token list --json",
            "echo secret_github_token_k3f2q2x",
            "{\"file_path\":\"/home/dev/shop/a.rs\",\"content\":\"fn main() {}\"}",
        ] {
            assert_eq!(conceal(text), text);
        }
    }

    #[test]
    fn values_of_secret_names_and_rare_words_are_concealed() {
        for (text, expected) in [
            (
                "curl -H Authorization: Bearer ghp_abcDEF0123456789abcDEF0123456789",
                "curl -H Authorization: Bearer …",
            ),
            ("curl -H 'Authorization: token abc123' x", "curl -H 'Authorization: token …' x"),
            ("curl -H 'X-Api-Key: hunter2' x", "curl -H 'X-Api-Key: …' x"),
            ("curl -H 'Cookie: a=b; sid=hunter2' x", "curl -H 'Cookie: …' x"),
            (
                "git clone https://me:ghp_0123456789abcdef@github.com/a/b",
                "git clone https://me:…@github.com/a/b",
            ),
            ("git push https://ghp_0123456789abcdef@github.com/a/b", "git push https://…@github.com/a/b"),
            ("psql postgres://app:p/w@d@db/shop -c x", "psql postgres://app:…@db/shop -c x"),
            ("curl 'https://h/x?token=abc&y=1'", "curl 'https://h/x?token=…&y=1'"),
            ("DB_PASSWORD=hunter2 make", "DB_PASSWORD=… make"),
            ("DB_PASSWORD='correct horse battery' make", "DB_PASSWORD='…' make"),
            ("DB_PASSWORD='correct horse", "DB_PASSWORD='…"),
            ("mysql --password hunter2 --host db", "mysql --password … --host db"),
            ("curl --pass hunter2 'https://h/?x=1&sig=abc%2F'", "curl --pass … 'https://h/?x=1&sig=…'"),
            ("mysql --password=hunter2 --host db", "mysql --password=… --host db"),
            ("curl -u admin:hunter2 x", "curl -u admin:… x"),
            ("curl --proxy-user 'admin:hunter2' x", "curl --proxy-user 'admin:…' x"),
            (
                "{\"user\":\"a\",\"password\":\"hunter2 x\",\"n\":1}",
                "{\"user\":\"a\",\"password\":\"…\",\"n\":1}",
            ),
            ("{\"api_key\": \"hunter2\"}", "{\"api_key\": \"…\"}"),
            ("echo wJalrXUtnFEMI/K7MDENG/bPxRfiCYwKz81KEY", "echo …"),
            ("echo 3f2a91bc0d4e5f60718293a4b5c6d7e8", "echo …"),
            ("x -----BEGIN PRIVATE KEY-----\nMIIE\nabc\n-----END PRIVATE KEY----- y", "x … y"),
            ("echo '-----BEGIN PRIVATE KEY-----\nMIIE", "echo '…"),
        ] {
            assert_eq!(conceal(text), expected);
            assert_eq!(conceal(expected), expected);
        }
    }

    proptest! {
        /// However a token is given, it is not in what is kept.
        #[test]
        fn a_token_is_not_kept(
            token in "(ghp_|glpat-|xoxb-|sk-)[A-Za-z0-9]{28,40}",
            form in 0_usize..9,
            before in "[a-z ]{0,8}",
        ) {
            prop_assume!(token.bytes().any(|byte| byte.is_ascii_digit()) && rarity::is_rare(token.as_bytes()));
            let text = match form {
                0 => format!("curl {before} -H \"Authorization: Bearer {token}\" h"),
                1 => format!("{before} https://u:{token}@h/p"),
                2 => format!("{before} A_TOKEN={token}"),
                3 => format!("{before} --token {token}"),
                4 => format!("{before} {token}"),
                5 => format!("{{\"x\":\"{before}\",\"y\":\"{token}\"}}"),
                6 => format!("{before} 'https://h/?a=b&k={token}'"),
                7 => format!("printf {token} | {before}"),
                _ => format!("{before} x={token},y"),
            };
            prop_assert!(!conceal(&text).contains(&token), "{}", conceal(&text));
        }

        #[test]
        fn any_text_can_be_read(text in any::<String>(), odd in "[ \"'=:@/\\-A-Za-z$\n]{0,60}") {
            for text in [text.as_str(), odd.as_str()] {
                let shown = conceal(text);
                prop_assert_eq!(shown == text, is_plain(text.as_bytes()));
            }
        }
    }
}
