//! Values that are not secrets: placeholders, references to a secret that is elsewhere, documented examples, and our own tags.

use crate::tag;
use sha2::{Digest, Sha256};

/// Words that a value made up for a text has in it. Shorter ones would occur in random values.
const WORDS: &[&[u8]] = &[
    b"example",
    b"sample",
    b"dummy",
    b"placeholder",
    b"changeme",
    b"change-me",
    b"change_me",
    b"replace",
    b"your-",
    b"your_",
    b"yourtoken",
    b"yoursecret",
    b"yourkey",
    b"xxxx",
    b"redacted",
    b"masked",
    b"removed",
    b"secret-here",
    b"notreal",
    b"not-a-real",
    b"not_a_real",
    b"foobar",
    b"lorem",
    b"deadbeef",
    b"cafebabe",
    b"insecure",
    b"testing",
    b"notsecret",
    b"-here",
    b"_here",
    b"1234567",
    b"abcdefg",
    b"0123456",
    b"....",
    b"****",
];

/// The longest run of one character, or of characters in order, that a random value has.
const RUN: usize = 6;

/// Returns whether the part of a value that should be random was typed in to fill a space.
pub(crate) fn is_placeholder(body: &[u8]) -> bool {
    let lower = body.to_ascii_lowercase();
    let distinct = lower
        .iter()
        .enumerate()
        .filter(|(at, byte)| lower.get(..*at).is_none_or(|before| !before.contains(byte)));
    if distinct.count() <= 3 {
        return true;
    }
    let (mut same, mut rising) = (1, 1);
    for pair in lower.windows(2) {
        let &[a, b] = pair else { continue };
        same = if a == b { same + 1 } else { 1 };
        rising = if b == a.wrapping_add(1) && b.is_ascii_alphanumeric() { rising + 1 } else { 1 };
        if same >= RUN + 2 || rising >= RUN {
            return true;
        }
    }
    WORDS.iter().any(|word| lower.windows(word.len()).any(|window| window == *word)) || has_test_word(&lower)
}

/// `test` and `fake` are words only between others, and with a number behind them: `test1234`.
fn has_test_word(lower: &[u8]) -> bool {
    let mut words = lower.split(|byte| !byte.is_ascii_alphanumeric());
    words.any(|word| {
        let letters = word.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1);
        let word = word.get(..letters).unwrap_or_default();
        matches!(
            word,
            b"test" | b"fake" | b"foo" | b"bar" | b"todo" | b"tbd" | b"mock" | b"stub" | b"none" | b"null"
        )
    })
}

/// Beginnings of values that say where a secret is, or that are encrypted or public.
const REFERENCES: &[&str] = &[
    "op://",
    "vault:",
    "vault/",
    "secretref:",
    "arn:",
    "ssm:",
    "sm://",
    "projects/",
    "@microsoft.keyvault",
    "env:",
    "env.",
    "file:",
    "enc[",
    "enc(",
    "{cipher}",
    "process.env",
    "os.environ",
    "os.getenv",
    "secrets.",
    "sha1-",
    "sha256-",
    "sha384-",
    "sha512-",
    "sha256:",
    "sha512:",
    "md5:",
    "h1:",
    "data:",
    "ssh-rsa",
    "ssh-ed25519",
    "ecdsa-",
    "age1",
    "kms:",
    "urn:",
    "pk_live_",
    "pk_test_",
    "sk_test_",
    "rk_test_",
    "sb_publishable_",
    "django-insecure-",
];

/// Returns whether a value refers to a secret, or is not a plain text.
pub(crate) fn is_reference(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    let has = |needle: &[u8]| value.windows(needle.len()).any(|window| window == needle);
    let wrapped = matches!(
        (value.first(), value.last()),
        (Some(b'<'), Some(b'>'))
            | (Some(b'{'), Some(b'}'))
            | (Some(b'['), Some(b']'))
            | (Some(b'%'), Some(b'%'))
    ) || (value.starts_with(b"__") && value.ends_with(b"__"))
        || (value.len() > 2 && value.starts_with(b"@") && value.ends_with(b"@"));
    wrapped
        || matches!(value.first(), Some(b'$' | b'&' | b'*' | b'!' | b'<'))
        || has(b"${")
        || has(b"{{")
        || has(b"$(")
        || has(b"<%")
        || has(b"#{")
        || has(b"...")
        || value.windows(3).any(|window| window == "…".as_bytes())
        || REFERENCES.iter().any(|beginning| lower.starts_with(beginning.as_bytes()))
        || tag::is_tag(value)
}

/// Beginnings of values that name a place in a store of secrets, or that are encrypted or public. A password does not begin so.
const CERTAIN: &[&str] = &[
    "op://",
    "vault:",
    "arn:",
    "ssm:",
    "sm://",
    "secretref:",
    "@microsoft.keyvault",
    "kms:",
    "enc[",
    "enc(",
    "{cipher}",
    "ssh-rsa ",
    "ssh-ed25519 ",
    "ecdsa-sha2-",
    "age1",
    "pk_live_",
    "pk_test_",
];

/// Returns whether a value can be nothing but a reference: `$NAME`, `${NAME}`, `{{ name }}`, `<your-token>`. In a file of secrets a
/// password may begin with a sign, so that [`is_reference`] would show it.
pub(crate) fn is_certain_reference(value: &[u8]) -> bool {
    let inside = |open: &str, close: &str| {
        value.strip_prefix(open.as_bytes()).and_then(|rest| rest.strip_suffix(close.as_bytes()))
    };
    let is_variable = |name: &[u8]| {
        name.first().is_some_and(|first| !first.is_ascii_digit())
            && name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
    };
    let is_sign = |byte: &u8| matches!(byte, b'_' | b'-' | b' ' | b'.' | b'/');
    let is_words = |text: &[u8]| {
        text.split(|byte| is_sign(byte)).all(|word| {
            word.iter().all(u8::is_ascii_alphabetic) && !(word.len() >= 12 && crate::rarity::is_rare(word))
        })
    };
    let lower = value.to_ascii_lowercase();
    [inside("${", "}"), inside("$", ""), inside("%", "%"), inside("__", "__")]
        .into_iter()
        .flatten()
        .any(is_variable)
        || [inside("{{", "}}"), inside("${{", "}}"), inside("<%=", "%>"), inside("<", ">"), inside("$(", ")")]
            .into_iter()
            .flatten()
            .any(is_words)
        || CERTAIN.iter().any(|beginning| lower.starts_with(beginning.as_bytes()))
        || tag::is_tag(value)
}

/// The first eight bytes of the SHA-256 of values that vendors and standards print as examples.
const EXAMPLES: &[u64] = &[
    0x1a5d_44a2_dca1_9669,
    0xc6ea_27c5_34f9_93d3,
    0xcb20_d34a_7add_a2f5,
    0x7831_4b11_be2e_5815,
    0xe21b_597b_a6b9_cafa,
    0x0011_cc25_eb43_2071,
    0xaa65_4743_9583_c3a2,
    0x4b8c_bd96_c853_0f05,
    0xf2d6_ca16_5150_33e5,
    0x731f_a294_d036_e54f,
    0x0b5d_d075_ccdd_03c4,
    0x7f75_367e_7881_2551,
    0xcf4d_418e_d3de_92d7,
    0x6c96_130f_130a_b0d6,
    0x00cf_4c78_1dc3_7003,
    0xe997_4c50_7d2a_8021,
    0xb8e1_4854_5b13_c78b,
    0xbc3a_e723_f57c_6b9e,
    0x46bb_4afc_3692_5b03,
    0xb01c_db5d_fe45_278b,
    0x905f_e7cc_0a49_c622,
    0x9154_e2e6_fbfb_1e50,
    0x3b27_e79a_6d4d_cff8,
    0x3a12_151d_a54c_0029,
    0xaf1e_fb26_bd63_a9a0,
    0xa4b8_b245_ab28_bc4f,
];

/// Returns whether a value is a documented example. The list has digests, so that it triggers no other scanner.
pub(crate) fn is_documented(value: &[u8]) -> bool {
    let digest = Sha256::digest(value);
    digest.first_chunk().is_some_and(|first| EXAMPLES.contains(&u64::from_be_bytes(*first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_examples_are_known() {
        // Made of parts, so that this file has no key in it.
        assert!(is_documented(["AKIAIOSFODNN7", "EXAMPLE"].concat().as_bytes()));
        assert!(is_documented(b"abcdef.0123456789abcdef"));
        assert!(!is_documented(b"abcdef.0123456789abcdee"));
    }

    #[test]
    fn fillers_and_references_are_no_secrets() {
        for body in [
            "xxxxxxxxxxxxxxxx",
            "0000000000000000",
            "abcdefghijklmnopqrst",
            "YOUR_TOKEN_HERE",
            "my-test-token",
            "test1234",
        ] {
            assert!(is_placeholder(body.as_bytes()), "{body}");
        }
        for value in
            ["$TOKEN", "${TOKEN}", "{{ token }}", "<token>", "${{ secrets.X }}", "process.env.X", "%TOKEN%"]
        {
            assert!(is_reference(value.as_bytes()), "{value}");
        }
        for value in [
            "$TOKEN",
            "${TOKEN_2}",
            "%TOKEN%",
            "{{ vault.token }}",
            "${{ secrets.X }}",
            "<your-token>",
            "op://shop/db/password",
            "ENC[AES256_GCM,data:x]",
        ] {
            assert!(is_certain_reference(value.as_bytes()), "{value}");
        }
        for value in [
            "$ecretPa55w0rd!",
            "!Hunter22",
            "*abc9K!x",
            "&9skj28aks",
            "${X:-hunter2}",
            "<9akd82lkasd>",
            "[kjs82kdja]",
            "env:hunter22",
            "abc...def99",
            "$1abc",
            "a${B}c",
        ] {
            assert!(!is_certain_reference(value.as_bytes()), "{value}");
        }
        assert!(!is_placeholder(b"kR4vT9xQ2mWz7LpB"));
        assert!(!is_reference(b"kR4vT9xQ2mWz7LpB"));
    }
}
