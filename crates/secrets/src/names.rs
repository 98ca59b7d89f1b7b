//! Returns whether a name says that its value is a secret.
//!
//! A name is split into words at signs and at changes of case; the last word decides, so that `token_url` and `max_tokens` are
//! no names of secrets.

/// The promise of a name about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Promise {
    /// A password, which may be short and made up by a user.
    Password,
    /// A token or a key, which is random.
    Token,
}

const PASSWORDS: &[&str] = &["password", "passwd", "pwd", "pass", "passphrase", "passcode"];
const TOKENS: &[&str] = &[
    "secret",
    "secrets",
    "token",
    "apikey",
    "pat",
    "credential",
    "credentials",
    "auth",
    "bearer",
    "mnemonic",
    "seed",
    "salt",
    "pepper",
    "cookie",
    "authtoken",
    "accesstoken",
];
/// `key` after one of these.
const KEYS: &[&str] = &[
    "api",
    "access",
    "secret",
    "private",
    "preshared",
    "signing",
    "encryption",
    "master",
    "app",
    "auth",
    "account",
    "license",
    "subscription",
    "service",
    "shared",
    "deploy",
];
/// Words with which a name is that of something public, of a page of results, of a parser's token or of a form.
const HARMLESS: &[&str] = &[
    "public",
    "publishable",
    "site",
    "bos",
    "eos",
    "pad",
    "unk",
    "cls",
    "sep",
    "mask",
    "page",
    "next",
    "continuation",
    "pagination",
    "cancellation",
    "cancel",
    "csrf",
    "xsrf",
    "design",
    "lexer",
    "parser",
    "start",
    "end",
    "stop",
    "punctuation",
    "keyword",
    "idempotency",
    "resume",
    "sync",
];
/// Ends of words that are written together.
const ENDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "secretkey",
    "privatekey",
    "accesskey",
    "authkey",
    "signingkey",
    "encryptionkey",
    "masterkey",
];

/// The words of a name, in small letters.
pub(crate) fn words(name: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = b' ';
    for (at, byte) in name.iter().copied().enumerate() {
        let next = name.get(at + 1).copied().unwrap_or(b' ');
        let starts = !before.is_ascii_alphanumeric()
            || (byte.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()))
            || (byte.is_ascii_uppercase() && before.is_ascii_uppercase() && next.is_ascii_lowercase());
        if byte.is_ascii_alphanumeric() {
            if starts || words.is_empty() {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push(char::from(byte.to_ascii_lowercase()));
            }
        }
        before = byte;
    }
    words
}

/// Returns what a name promises about its value, if anything.
pub(crate) fn promise(words: &[String]) -> Option<Promise> {
    let (last, before) = words.split_last()?;
    // `TOKEN_2`
    let (last, before) = match before.split_last() {
        Some((last_but_one, before)) if last.bytes().all(|byte| byte.is_ascii_digit()) => {
            (last_but_one, before)
        }
        _ => (last, before),
    };
    if before.iter().any(|word| HARMLESS.contains(&word.as_str())) {
        return None;
    }
    let last = last.as_str();
    if PASSWORDS.contains(&last) {
        // `PWD` is the working directory, and `pass` a word.
        return (last.len() > 4 || !before.is_empty()).then_some(Promise::Password);
    }
    let is_key = last == "key" && before.last().is_some_and(|word| KEYS.contains(&word.as_str()));
    if is_key || TOKENS.contains(&last) {
        return Some(Promise::Token);
    }
    let end = ENDS.iter().find(|end| last.ends_with(**end))?;
    Some(if end.starts_with("pass") { Promise::Password } else { Promise::Token })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_decides() {
        let of = |name: &str| promise(&words(name.as_bytes()));
        for name in ["DB_PASSWORD", "dbPassword", "mysql.password", "POSTGRES_PASSWORD", "smtpPass"] {
            assert_eq!(of(name), Some(Promise::Password), "{name}");
        }
        for name in [
            "GITHUB_TOKEN",
            "apiKey",
            "APIKey",
            "X-Api-Key",
            "client_secret",
            "githubtoken",
            "TOKEN_2",
            "_authToken",
        ] {
            assert_eq!(of(name), Some(Promise::Token), "{name}");
        }
        for name in [
            "max_tokens",
            "TOKEN_URL",
            "token_type",
            "SECRET_NAME",
            "public_key",
            "cache_key",
            "primary_key",
            "tokenizer",
            "PWD",
            "pass",
            "nextPageToken",
            "eos_token",
            "publishable_api_key",
            "author",
            "monkey",
            "passed",
            "secretary",
        ] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
