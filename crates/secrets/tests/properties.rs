//! Properties over generated values: encodings, borders of pieces, redaction of text and JSON.

#![allow(clippy::indexing_slicing, reason = "a test")]

use checkrein_secrets::{
    Class, Encoding, Key, Kind, Known, Patterns, Redactor, Scanner, Stream, redact,
    sample::{self, Random},
    scan,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The kinds whose generated text is one word: no lines, no URL around it.
fn words() -> Vec<Kind> {
    let is_word = |kind: &Kind| {
        let value = sample::of(*kind, &mut Random::new(1)).unwrap_or_default();
        kind.class() != Class::Generic
            && !value.contains(['\n', ' ', '?', '%', '=', '$'])
            && !value.contains("://")
    };
    Kind::all().filter(is_word).collect()
}

fn prose(random: &mut Random, length: usize) -> String {
    const WORDS: &[&str] = &[
        "the",
        "build",
        "of",
        "target/debug",
        "warning:",
        "fn",
        "main()",
        "token",
        "key",
        "is",
        "0x1f",
        "\n",
    ];
    let mut text = String::new();
    while text.len() < length {
        text.push_str(WORDS[random.below(WORDS.len())]);
        text.push(' ');
    }
    text
}

#[test]
fn every_kind_is_found_in_every_encoding() {
    let mut missed = Vec::new();
    for (index, kind) in words().into_iter().enumerate() {
        let value = sample::of(kind, &mut Random::new(index as u64)).unwrap();
        let base64 =
            String::from_utf8(sample::base64(format!("x {value} and more words\n").as_bytes(), false))
                .unwrap();
        let hex: String = value.bytes().map(|byte| format!("{byte:02x}")).collect();
        let url: String = value
            .chars()
            .map(|char| {
                if char.is_ascii_alphanumeric() { char.to_string() } else { format!("%{:02X}", char as u32) }
            })
            .collect();
        let json: String = value
            .chars()
            .map(|char| {
                if char.is_ascii_alphanumeric() {
                    char.to_string()
                } else {
                    format!("\\u{:04x}", char as u32)
                }
            })
            .collect();
        for (encoding, encoded) in [("base64", base64), ("hex", hex), ("url", url), ("json", json)] {
            if encoding == "hex" && encoded.len() < 48 {
                continue;
            }
            let text = format!("before \"{encoded}\" after");
            let found = scan(text.as_bytes());
            let is_whole = found.iter().any(|finding| finding.kind.label() == kind.label());
            if !is_whole {
                missed.push(format!("{} in {encoding}: {text} gave {found:?}", kind.name()));
            }
        }
        let little: Vec<u8> = format!("a: {value}\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> =
            format!("\u{feff}a: {value}\r\n").encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [little, big] {
            let found = scan(&bytes);
            if !found
                .iter()
                .any(|finding| finding.encoding == Encoding::Utf16 && finding.kind.label() == kind.label())
            {
                missed.push(format!("{} in UTF-16: {value} gave {found:?}", kind.name()));
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed[..missed.len().min(12)].join("\n"));
}

#[test]
fn a_value_that_a_line_break_splits_is_found() {
    for kind in words()
        .into_iter()
        .filter(|kind| kind.class() == Class::Checksum && kind.name() != "gitlab-pat-routable")
    {
        let value = sample::of(kind, &mut Random::new(5)).unwrap();
        for at in [31, 35] {
            let (first, second) = value.split_at(at);
            for between in ["\n", "\r\n", "\n    "] {
                let text = format!("see {first}{between}{second} there");
                let found = scan(text.as_bytes());
                assert!(
                    found.iter().any(|finding| finding.range == (4..4 + value.len() + between.len())),
                    "{text:?} gave {found:?}"
                );
            }
        }
    }
    // Two lines of prose are no token.
    assert!(scan(b"tokens begin with sk_live_followed\nby twenty or more letters and digits").is_empty());
}

/// `base64` and mail programs break lines, also in the strings of JSON.
#[test]
fn a_block_of_base64_or_hexadecimal_digits_is_one_text() {
    let wrapped = |text: &str, width: usize, line_break: &str| {
        let lines: Vec<&[u8]> = text.as_bytes().chunks(width).collect();
        lines.iter().map(|line| std::str::from_utf8(line).unwrap()).collect::<Vec<_>>().join(line_break)
    };
    let values = words().into_iter().map(|kind| sample::of(kind, &mut Random::new(9)).unwrap());
    let urls = ["postgres://app:kR4vT9xQ2mWz7LpB@db.shop.internal/orders", "DB_PASSWORD=kR4vT9xQ2mWz7LpB"];
    let mut missed = Vec::new();
    for value in values.chain(urls.map(str::to_owned)) {
        let plain = format!("# settings of the shop, for the tests\nPORT=5432\n{value}\nLOG=info\n");
        let base64 = String::from_utf8(sample::base64(plain.as_bytes(), false)).unwrap();
        let hex: String = plain.bytes().map(|byte| format!("{byte:02x}")).collect();
        for (encoded, width) in [(&base64, 76), (&base64, 64), (&hex, 60)] {
            for line_break in ["\n", "\r\n", "\n    ", "\\n"] {
                let block = wrapped(encoded, width, line_break);
                let text = format!("before\n{block}\nafter it\n");
                let found = scan(text.as_bytes());
                let whole = 7..7 + block.len();
                if !found.iter().any(|finding| finding.range == whole) {
                    missed.push(format!("{text:?} gave {found:?}"));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed[..missed.len().min(6)].join("\n"));
}

/// Programs colour what they show, and `grep` a part of it.
#[test]
fn escapes_of_terminals_hide_nothing() {
    let mut missed = Vec::new();
    for (index, kind) in words().into_iter().enumerate() {
        let value = sample::of(kind, &mut Random::new(index as u64)).unwrap();
        let (first, second) = value.split_at(4);
        for text in [
            format!("\u{1b}[32m{value}\u{1b}[0m"),
            format!("key\u{1b}[32m{value}\u{1b}[0m"),
            format!("a.txt:\u{1b}[01;31m\u{1b}[K{first}\u{1b}[m\u{1b}[K{second} x"),
            format!("\"\\u001b[1m{value}\\u001b[22m\""),
            format!("\u{1b}]8;;https://h.test\u{7}{value}\u{1b}]8;;\u{7}"),
        ] {
            let found = scan(text.as_bytes());
            let end = text.find(second).unwrap() + second.len();
            if !found.iter().any(|one| one.kind.label() == kind.label() && one.range.end == end) {
                missed.push(format!("{}: {text:?} gave {found:?}", kind.name()));
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed[..missed.len().min(6)].join("\n"));
    let text = "\u{1b}[35mDB_\u{1b}[01;31mPASSWORD\u{1b}[0m=kR4vT9xQ2mWz7LpB\u{1b}[0m";
    let (shown, _) = redact(text, &Key::new([1; 32]));
    assert!(shown.starts_with("\u{1b}[35mDB_\u{1b}[01;31mPASSWORD\u{1b}[0m=secret_value_"), "{shown:?}");
    assert!(shown.ends_with("\u{1b}[0m"), "{shown:?}");
}

#[test]
fn a_known_value_is_found_in_colours() {
    let key = Key::new([1; 32]);
    let mut known = Known::new(&key);
    assert!(known.add("DB_PASSWORD", b"tr0ub4dor&3-horse"));
    let scanner = Scanner::new().with_known(known);
    let text = b".env:\x1b[01;31m\x1b[Ktr0ub\x1b[m\x1b[K4dor&3-horse\n";
    let found = scanner.scan(text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].range.start, found[0].range.end), (16, text.len() - 1));
}

/// A URL with a password is found where it is a parameter of another one.
#[test]
fn a_url_in_a_url_has_no_password() {
    let text = "https://h.test/?next=postgres%3A%2F%2Fapp%3AkR4vT9xQ2mWz7LpB%40db.shop.internal%2Forders&x=1";
    let (shown, _) = redact(text, &Key::new([1; 32]));
    assert!(!shown.contains("kR4vT9xQ2mWz7LpB") && shown.ends_with("&x=1"), "{shown}");
}

#[test]
fn a_border_between_two_pieces_changes_nothing() {
    let kinds = words();
    let scanner = Scanner::new();
    for round in 0..3_u64 {
        let mut random = Random::new(round);
        let mut text = String::new();
        let mut values = Vec::new();
        // A value across each border of the windows, and more in between.
        for border in 1..4 {
            let value = sample::of(kinds[random.below(kinds.len())], &mut random).unwrap();
            let gap = (border << 20) - text.len() - random.below(value.len());
            text.push_str(&prose(&mut random, gap.saturating_sub(20)));
            text.truncate((border << 20) - 10);
            text.push(' ');
            text.push_str(&value);
            text.push(' ');
            values.push(value);
        }
        let whole = scanner.scan(text.as_bytes());
        assert!(whole.len() >= 3, "{whole:?}");
        for size in [4_096, 65_537, 1 << 20, 3_000_000] {
            let mut stream = Stream::new(&scanner);
            let mut found: Vec<_> =
                text.as_bytes().chunks(size).flat_map(|piece| stream.push(piece)).collect();
            found.extend(stream.finish());
            assert_eq!(found, whole, "pieces of {size}");
        }
    }
}

#[test]
fn patterns_and_known_values_join_the_scan() {
    let key = Key::new([9; 32]);
    let mut known = Known::new(&key);
    assert!(known.add("DEPLOY", b"correct-horse-7-battery"));
    let patterns =
        Patterns::new([("acme", r"acme_(?P<secret>[a-z]{8})\b"), ("ticket", r"\bTICKET-[0-9]{6}\b")])
            .unwrap();
    let scanner = Scanner::new().with_patterns(patterns).with_known(known);
    let text = "a acme_abcdefgh b TICKET-123456 c correct-horse-7-battery d acme_ABC";
    let found: Vec<_> = scanner
        .scan(text.as_bytes())
        .iter()
        .map(|finding| (scanner.name(finding).to_owned(), text.get(finding.range.clone()).unwrap()))
        .collect();
    let expected = [("acme", "abcdefgh"), ("ticket", "TICKET-123456"), ("DEPLOY", "correct-horse-7-battery")];
    assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value)));
    assert!(Scanner::new().scan(text.as_bytes()).is_empty());
}

#[test]
fn json_is_redacted_at_any_depth_and_by_the_names_of_members() {
    let key = Key::new([9; 32]);
    let redactor = Redactor::new(Scanner::new(), key.clone());
    let token = sample::of(
        Kind::all().find(|kind| kind.name() == "github-pat-classic").unwrap(),
        &mut Random::new(4),
    )
    .unwrap();
    let tag = key.tag("github_token", token.as_bytes());
    let mut value = json!({
        "a": [{"b": {"c": format!("x {token} y")}}],
        "password": "tr0ub4dor&3",
        "port": 5432,
        "note": "the password is secret",
        token.clone(): true,
    });
    assert_eq!(redactor.json(&mut value), 3);
    assert_eq!(value["a"][0]["b"]["c"], format!("x {tag} y"));
    assert!(value["password"].as_str().unwrap().starts_with("secret_value_"));
    assert_eq!(value["note"], "the password is secret");
    assert_eq!(value[&tag], true);
    assert!(!value.to_string().contains(&token));
    let mut deep = json!(token);
    for _ in 0..50_000 {
        deep = Value::Array(vec![deep]);
    }
    assert_eq!(redactor.json(&mut deep), 1);
    // Dropping it would need the stack that redaction does not.
    while let Value::Array(mut items) = deep {
        deep = items.pop().unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn redaction_removes_values_keeps_the_rest_and_is_idempotent(seed in any::<u64>(), count in 1_usize..6) {
        let key = Key::new([3; 32]);
        let mut random = Random::new(seed);
        let kinds = words();
        let (mut text, mut expected) = (String::new(), String::new());
        let mut values = Vec::new();
        for _ in 0..count {
            let length = random.below(200);
            let between = prose(&mut random, length);
            let kind = kinds[random.below(kinds.len())];
            let value = sample::of(kind, &mut random).unwrap();
            let found = scan(format!(" {value} ").as_bytes());
            // A kind that hides a part keeps the rest.
            prop_assert_eq!(found.len(), 1, "{}: {}", kind.name(), value);
            let hidden = found[0].range.start - 1..found[0].range.end - 1;
            let secret = value.get(hidden.clone()).unwrap();
            text.push_str(&format!("{between} {value} "));
            let tag = key.tag(found[0].kind.label(), secret.as_bytes());
            expected.push_str(&format!("{between} {}{tag}{} ", value.get(..hidden.start).unwrap(), value.get(hidden.end..).unwrap()));
            values.push(secret.to_owned());
        }
        let (redacted, findings) = redact(&text, &key);
        prop_assert_eq!(findings.len(), count);
        prop_assert_eq!(&redacted, &expected);
        for value in &values {
            prop_assert!(!redacted.contains(value.as_str()));
        }
        prop_assert_eq!(&redact(&redacted, &key).0, &redacted);
    }

    #[test]
    fn any_bytes_can_be_scanned(bytes in proptest::collection::vec(any::<u8>(), 0..400), odd in "[a-zA-Z_=:\"'/%\\\\ \n@.-]{0,200}") {
        let _ = scan(&bytes);
        let key = Key::new([3; 32]);
        let (once, findings) = redact(&odd, &key);
        let end = findings.last().map_or(0, |finding| finding.range.end);
        prop_assert!(end <= odd.len());
        prop_assert_eq!(redact(&once, &key).0, once);
    }

    #[test]
    fn json_stays_json(name in "[a-zA-Z_]{0,12}", text in any::<String>(), seed in any::<u64>()) {
        let redactor = Redactor::new(Scanner::new(), Key::new([3; 32]));
        let value = sample::of(Kind::all().next().unwrap(), &mut Random::new(seed)).unwrap();
        let document = json!({name: text, "list": [value, {"token": value}]}).to_string();
        // As text, in which quotes and escapes are those of JSON.
        let (redacted, _) = redactor.text(&document);
        prop_assert!(serde_json::from_str::<Value>(&redacted).is_ok(), "{redacted}");
        prop_assert!(!redacted.contains(&value));
    }
}
