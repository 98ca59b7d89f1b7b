//! Removes secrets from text before it is stored on disk.
//!
//! Denied calls are remembered, so that a user can review and allow them. A command can contain a token, and our files must
//! not be one more place to find it. A permission is bound to a digest of the whole call; the text that is kept to be shown
//! goes through [`redact`], which is the only function that knows what a secret looks like.
//!
//! It knows values that are named (`password=`, `--token`, `Authorization:`), the user information before the `@` of
//! a URL, keys in PEM, the prefixes of services' tokens, and long words that look random. It does not know a password
//! without a name that looks like a word, a UUID, or a value that a program takes by its position.

use std::collections::HashMap;

/// The text in place of a secret.
const GONE: &str = "…";

/// Returns the text without the secrets in it.
pub(crate) fn redact(text: &str) -> String {
    let mut reader = Reader { rest: text, shown: String::with_capacity(text.len()), next: Next::Shown };
    while reader.step() {}
    reader.shown
}

/// The treatment of the next word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Shown,
    /// It is the value of something secret.
    Hidden,
    /// It is what a header of authorization holds: a word for the way, and then the secret, or the secret at once.
    Authorization,
    /// A name and a password, of which the name can be shown.
    UserAndPassword,
}

struct Reader<'t> {
    rest: &'t str,
    shown: String,
    next: Next,
}

impl Reader<'_> {
    /// Reads one word or the text between two, and returns true if there was any.
    fn step(&mut self) -> bool {
        let Some(first) = self.rest.chars().next() else { return false };
        if self.rest.starts_with("-----BEGIN") {
            self.key();
        } else if is_quote(first) && self.next == Next::Hidden && self.quoted(first) {
            self.next = Next::Shown;
        } else if is_between(first) {
            let between = self.take(|char| is_between(char) && !is_quote(char)).len();
            if between == 0 {
                self.take_one(first);
            }
            if matches!(first, ';' | '|' | '\n') {
                self.next = Next::Shown;
            }
        } else {
            self.word();
        }
        true
    }

    /// Shows the beginning of the rest that fits.
    fn take(&mut self, fits: impl Fn(char) -> bool) -> &str {
        let end = self.rest.find(|char| !fits(char)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        self.shown.push_str(taken);
        taken
    }

    fn take_one(&mut self, char: char) {
        self.shown.push(char);
        self.rest = self.rest.get(char.len_utf8()..).unwrap_or_default();
    }

    /// A key in PEM, to its end.
    fn key(&mut self) {
        self.shown.push_str("-----BEGIN ");
        self.shown.push_str(GONE);
        let end = self.rest.find("-----END").and_then(|end| {
            let after = self.rest.get(end + 8..)?;
            Some(end + 8 + after.find("-----").map_or(after.len(), |dashes| dashes + 5))
        });
        self.rest = end.and_then(|end| self.rest.get(end..)).unwrap_or_default();
    }

    /// A quoted text that is secret, if its quote is closed.
    fn quoted(&mut self, quote: char) -> bool {
        let inner = self.rest.get(quote.len_utf8()..).unwrap_or_default();
        let Some(end) = inner.find(quote).filter(|end| *end > 0) else { return false };
        let is_joint =
            inner.get(..end).is_some_and(|inner| inner.chars().all(|char| matches!(char, ':' | '=' | ' ')));
        // A variable is not a secret, and neither is the text between a name in quotes and its value.
        if inner.starts_with('$') || is_joint {
            return false;
        }
        self.shown.push(quote);
        self.shown.push_str(GONE);
        self.shown.push(quote);
        self.rest = inner.get(end + quote.len_utf8()..).unwrap_or_default();
        true
    }

    fn word(&mut self) {
        let end = self.rest.find(is_between).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        // What only joins a name and its value.
        if word.chars().all(|char| matches!(char, ':' | '=' | '>')) {
            self.shown.push_str(word);
            return;
        }
        let lower = word.to_ascii_lowercase();
        match std::mem::replace(&mut self.next, Next::Shown) {
            Next::Hidden if !word.starts_with('$') => return self.shown.push_str(GONE),
            Next::Authorization if WAYS.contains(&lower.as_str()) => {
                self.next = Next::Hidden;
                return self.shown.push_str(word);
            }
            Next::Authorization if !word.starts_with('$') => return self.shown.push_str(GONE),
            Next::UserAndPassword => {
                return match word.split_once(':') {
                    Some((user, password)) if !password.starts_with('$') => {
                        self.shown.push_str(user);
                        self.shown.push(':');
                        self.shown.push_str(GONE);
                    }
                    Some(_) | None => self.shown.push_str(word),
                };
            }
            Next::Hidden | Next::Authorization | Next::Shown => {}
        }
        self.next = next(&lower, self.rest);
        self.shown.push_str(&one(word));
    }
}

/// Returns what a word says about the one after it.
fn next(lower: &str, rest: &str) -> Next {
    let name = lower.trim_end_matches([':', '=']);
    let is_open = name.len() < lower.len();
    // `"name": value`
    let quoted = rest.trim_start_matches(is_quote).trim_start();
    let joined = is_open || quoted.starts_with([':', '=']) && !rest.starts_with([' ', '\n']);
    if matches!(last_part(name), "authorization" | "proxy-authorization") && joined {
        return Next::Authorization;
    }
    if matches!(lower, "bearer" | "basic") {
        return Next::Hidden;
    }
    if matches!(lower, "-u" | "--user" | "--proxy-user") {
        return Next::UserAndPassword;
    }
    let is_option = lower.starts_with('-') && !lower.contains('=') && !rest.trim_start().starts_with('-');
    match is_secret(last_part(name)) && (joined || is_option) {
        true => Next::Hidden,
        false => Next::Shown,
    }
}

/// A word without what is secret in it.
fn one(word: &str) -> String {
    let word = without_userinfo(word);
    for (at, joint) in word.match_indices(['=', ':']) {
        let (name, value) = (word.get(..at).unwrap_or_default(), word.get(at + 1..).unwrap_or_default());
        let given = !value.is_empty() && !value.starts_with('$') && !value.starts_with("//");
        if given && is_secret(last_part(&name.to_ascii_lowercase())) {
            return format!("{name}{joint}{GONE}");
        }
    }
    without_tokens(&word)
}

/// Authorization schemes, which precede the secret itself.
const WAYS: &[&str] = &["bearer", "basic", "token", "digest", "negotiate", "apikey", "bot"];

/// Words between which nothing is one word.
fn is_between(char: char) -> bool {
    is_quote(char)
        || char.is_whitespace()
        || matches!(char, '(' | ')' | '<' | '>' | '|' | ';' | ',' | '&' | '{' | '}' | '[' | ']' | '\\')
}

const fn is_quote(char: char) -> bool {
    matches!(char, '\'' | '"' | '`')
}

/// The last name in a text, such as `token` of `https://host/path?token`.
fn last_part(text: &str) -> &str {
    let from = text.rfind(|char: char| !char.is_ascii_alphanumeric() && !matches!(char, '-' | '_' | '.'));
    text.get(from.map_or(0, |from| from + 1)..).unwrap_or(text)
}

/// Returns true if a name in lower case says that its value is a secret.
fn is_secret(name: &str) -> bool {
    const PARTS: &[&str] = &[
        "token",
        "secret",
        "passw",
        "passphrase",
        "apikey",
        "accesskey",
        "accountkey",
        "sharedkey",
        "privatekey",
        "credential",
        "authorization",
        "cookie",
        "signature",
    ];
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    PARTS.iter().any(|part| plain.contains(part))
        || plain.ends_with("auth")
        || matches!(plain.as_str(), "sig" | "pass" | "pat" | "pin")
        // The working directory is called so, too.
        || plain.ends_with("pwd") && !matches!(plain.as_str(), "pwd" | "oldpwd")
}

/// Returns a URL with `user:…@` in place of its user information.
fn without_userinfo(word: &str) -> String {
    let Some((scheme, rest)) = word.split_once("://") else { return word.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
    // A password may hold an `@`, and what follows it a slash that is none of the path's.
    let Some((info, host)) = authority.rsplit_once('@').or_else(|| rest.rsplit_once('@')) else {
        return word.to_owned();
    };
    let path = if authority.contains('@') { path } else { "" };
    match info.split_once(':') {
        Some((_, password)) if password.starts_with('$') => word.to_owned(),
        Some((user, _)) if one_token(user).is_none() => format!("{scheme}://{user}:{GONE}@{host}{path}"),
        // A user that is known by a name, as with ssh.
        None if one_token(info).is_none() && info.len() < 16 => word.to_owned(),
        Some(_) | None => format!("{scheme}://{GONE}@{host}{path}"),
    }
}

/// The beginnings that services give their tokens.
const BEGINNINGS: &[&str] = &[
    "AKIA",
    "ASIA",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "gldt-",
    "glrt-",
    "sk-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "pk_live_",
    "whsec_",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xoxr-",
    "xoxs-",
    "xapp-",
    "AIza",
    "ya29.",
    "npm_",
    "pypi-",
    "hf_",
    "dop_v1_",
    "shpat_",
    "SG.",
    "eyJ",
    "AGE-SECRET-KEY-",
    "hvs.",
    "dckr_pat_",
    "figd_",
    "lin_api_",
    "tskey-",
    "op_",
];

/// Returns a word without the tokens in it, whatever is around them.
fn without_tokens(word: &str) -> String {
    let in_a_token = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.' | '+' | '=');
    // Base64 has slashes, and so have paths.
    if !word.starts_with(['/', '.', '~']) && !word.contains("://") && is_base64_with_slashes(word) {
        return beginning(word, 4);
    }
    let mut shown = String::with_capacity(word.len());
    let mut rest = word;
    while !rest.is_empty() {
        let end = rest.find(|char| !in_a_token(char)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        match one_token(piece) {
            Some(known) => shown.push_str(&beginning(piece, known)),
            None => shown.push_str(piece),
        }
        let between = after.chars().next().map_or(0, char::len_utf8);
        let (between, after) = after.split_at_checked(between).unwrap_or((after, ""));
        shown.push_str(between);
        rest = after;
    }
    shown
}

/// Returns how much of a token can be shown, if a piece of a word is one.
fn one_token(piece: &str) -> Option<usize> {
    /// The shortest rest of a token that has a known beginning.
    const REST: usize = 10;
    // `name=token`
    let start = piece.find('=').filter(|at| at + 1 < piece.len()).map_or(0, |at| at + 1);
    let token = piece.get(start..).unwrap_or(piece);
    let known =
        BEGINNINGS.iter().find(|known| token.starts_with(**known) && token.len() >= known.len() + REST);
    match known {
        Some(known) => Some(start + known.len()),
        None => looks_random(token).then_some(start + 4),
    }
}

fn beginning(text: &str, length: usize) -> String {
    format!("{}{GONE}", text.get(..length).unwrap_or_default())
}

/// Returns true if a long word looks random: letters and digits of many kinds in a part that is not a word.
fn looks_random(word: &str) -> bool {
    const SHORTEST: usize = 24;
    const PART: usize = 16;
    let mixed = |part: &str| {
        part.len() >= PART
            && part.contains(|char: char| char.is_ascii_digit())
            && part.contains(|char: char| char.is_ascii_alphabetic())
    };
    word.len() >= SHORTEST && word.split(['-', '_', '.']).any(mixed) && entropy(word) >= 3.2
}

fn is_base64_with_slashes(word: &str) -> bool {
    const SHORTEST: usize = 32;
    let fits = |char: char| char.is_ascii_alphanumeric() || matches!(char, '+' | '/' | '=');
    word.len() >= SHORTEST
        && word.contains('/')
        && word.chars().all(fits)
        && word.contains(|char: char| char.is_ascii_digit())
        && word.contains(|char: char| char.is_ascii_uppercase())
        && word.contains(|char: char| char.is_ascii_lowercase())
        && entropy(word) >= 4.2
}

/// Bits for each character, by how often each of them occurs.
fn entropy(word: &str) -> f64 {
    let mut counts: HashMap<u8, u32> = HashMap::new();
    word.bytes().for_each(|byte| *counts.entry(byte).or_default() += 1);
    let length = f64::from(u32::try_from(word.len()).unwrap_or(u32::MAX));
    counts.values().map(|count| f64::from(*count) / length * log2(length / f64::from(*count))).sum()
}

/// The logarithm of a number from 1 on, to some four digits. That of the standard library is the only function of `libm` in
/// the program, which would be loaded for it with every event.
fn log2(number: f64) -> f64 {
    let (mut rest, mut whole) = (number, 0.0);
    while rest >= 2.0 {
        rest /= 2.0;
        whole += 1.0;
    }
    let mut bit = 0.5;
    for _ in 0..16 {
        rest *= rest;
        if rest >= 2.0 {
            rest /= 2.0;
            whole += bit;
        }
        bit /= 2.0;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_near_enough() {
        for number in [1.0, 1.5, 2.0, 3.0, 7.3, 40.0, 65_537.0_f64] {
            assert!((log2(number) - number.log2()).abs() < 1e-3, "{number}");
        }
    }
    use proptest::prelude::*;

    /// Text that is not a secret stays, so that users know what they agree to.
    #[test]
    fn what_is_no_secret_stays() {
        for text in [
            "git push --force origin main",
            "rm -rf /home/dev/shop/target/x86_64-unknown-linux-gnu/release",
            "git clone git@github.com:acme/shop.git",
            "git clone ssh://git@github.com/acme/shop.git",
            "curl -fsSL https://example.com/a/b?x=1&page=2",
            "curl -H 'Authorization: Bearer $TOKEN' https://example.com",
            "PGPASSWORD=$PGPASSWORD psql -h db -c 'drop table orders'",
            "delete /home/dev/.ssh/known_hosts (everything in it)",
            "docker run --rm -v /home/dev:/src rust:1.80 cargo test",
            "kubectl delete pod web-7d4b9c6f5-x2x9z -n shop",
            "cd $PWD && PWD=/tmp make",
            "gh auth token",
            "{\"file_path\":\"/home/dev/shop/a.rs\",\"content\":\"fn main() {}\"}",
        ] {
            assert_eq!(redact(text), text);
        }
    }

    #[test]
    fn secrets_go() {
        for (text, expected) in [
            (
                "curl -H Authorization: Bearer ghp_abcDEF0123456789abcDEF0123456789",
                "curl -H Authorization: Bearer …",
            ),
            ("curl -H 'Authorization: token abc123' x", "curl -H 'Authorization: token …' x"),
            ("curl -H 'X-Api-Key: hunter2' x", "curl -H 'X-Api-Key: …' x"),
            (
                "git clone https://me:ghp_0123456789abcdef@github.com/a/b",
                "git clone https://me:…@github.com/a/b",
            ),
            ("git push https://ghp_0123456789abcdef@github.com/a/b", "git push https://…@github.com/a/b"),
            ("psql postgres://app:p/w@d@db/shop -c x", "psql postgres://app:…@db/shop -c x"),
            ("curl 'https://h/x?token=abc&y=1'", "curl 'https://h/x?token=…&y=1'"),
            ("DB_PASSWORD=hunter2 make", "DB_PASSWORD=… make"),
            ("DB_PASSWORD='correct horse battery' make", "DB_PASSWORD='…' make"),
            ("mysql --password hunter2 --host db", "mysql --password … --host db"),
            ("mysql --password=hunter2 --host db", "mysql --password=… --host db"),
            ("curl -u admin:hunter2 x", "curl -u admin:… x"),
            (
                "{\"user\":\"a\",\"password\":\"hunter2 x\",\"n\":1}",
                "{\"user\":\"a\",\"password\":\"…\",\"n\":1}",
            ),
            ("{\"api_key\": \"hunter2\"}", "{\"api_key\": \"…\"}"),
            ("echo AKIAIOSFODNN7EXAMPLE", "echo AKIA…"),
            ("echo x:ghp_abcdefghijklmnop", "echo x:ghp_…"),
            ("echo wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "echo wJal…"),
            ("echo 3f2a91bc0d4e5f60718293a4b5c6d7e8", "echo 3f2a…"),
            ("x -----BEGIN PRIVATE KEY-----\nMIIE\nabc\n-----END PRIVATE KEY----- y", "x -----BEGIN … y"),
            ("echo '-----BEGIN PRIVATE KEY-----\nMIIE", "echo '-----BEGIN …"),
        ] {
            assert_eq!(redact(text), expected);
        }
    }

    proptest! {
        /// However a token is given, it is not in what is kept.
        #[test]
        fn a_token_is_not_kept(
            token in "(ghp_|glpat-|xoxb-|sk-)[A-Za-z0-9]{20,40}",
            form in 0_usize..9,
            before in "[a-z ]{0,8}",
        ) {
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
            prop_assert!(!redact(&text).contains(&token), "{}", redact(&text));
        }

        #[test]
        fn any_text_can_be_read(text in any::<String>(), odd in "[ \"'=:@/\\-A-Za-z$\n]{0,60}") {
            let _ = redact(&text);
            let _ = redact(&odd);
        }
    }
}
