//! A secret in any field of an event is in no line, at any level.

use super::{cleaner, draft};
use crate::{Draft, HookEntry, Level};
use checkrein_core::{Decision, Map};
use checkrein_secrets::{Kind, sample};
use serde_json::json;

/// Plants the secret into one field after another.
#[test]
fn a_secret_in_any_field_is_in_no_line() {
    tokens().iter().for_each(|token| is_in_no_line(token));
}

fn is_in_no_line(token: &str) {
    let mut input = Map::new();
    input.insert("command".into(), json!(format!("echo {token}")));
    input.insert(token.to_owned(), json!({"deep": [{"er": token}]}));
    type Plant = for<'a> fn(&mut Draft<'a>, &'a str);
    let plants: [(&str, Plant); 14] = [
        ("host", |draft, secret| draft.host = Some(secret)),
        ("session", |draft, secret| draft.session = Some(secret)),
        ("agent", |draft, secret| draft.agent = Some(secret)),
        ("parent", |draft, secret| draft.parent = Some(secret)),
        ("event", |draft, secret| draft.event = secret),
        ("tool", |draft, secret| draft.tool = Some(secret)),
        ("call", |draft, secret| draft.call = Some(secret)),
        ("summary", |draft, secret| {
            draft.summary = Some(format!("curl -H 'Authorization: Bearer {secret}' x"));
        }),
        ("effects", |draft, secret| draft.effects = vec![format!("connect {secret}")]),
        ("rules", |draft, secret| draft.rules = vec![secret.to_owned()]),
        ("reason", |draft, secret| draft.reason = Some(format!("no: {secret}."))),
        ("cwd", |draft, secret| draft.cwd = Some(secret)),
        ("before", |draft, secret| {
            draft.before = Some(format!("curl -H 'Authorization: Bearer {secret}' x"));
        }),
        ("undo", |draft, secret| draft.undo = Some(secret)),
    ];
    for level in [Level::Structure, Level::Summary, Level::Full] {
        for (name, plant) in &plants {
            let mut draft = draft("PreToolUse", "c1", Decision::Deny);
            plant(&mut draft, token);
            let line = draft.line(level, &cleaner()).text();
            assert!(!line.contains(token), "{name}: {line}");
        }
        let mut draft = draft("PreToolUse", "c1", Decision::Deny);
        draft.hooks = vec![HookEntry { name: token, decision: Decision::Deny, micros: None }];
        draft.input = Some(&input);
        let line = draft.line(level, &cleaner()).text();
        assert!(!line.contains(token), "{line}");
    }
}

/// A value of a kind with a checksum, and of any other one that fits into a name.
fn tokens() -> Vec<String> {
    let mut random = sample::Random::new(11);
    let values = Kind::all().filter_map(|kind| sample::of(kind, &mut random));
    let tokens: Vec<String> = values
        .filter(|value| {
            // The value alone must be recognised, and not only with what is around it.
            let found = checkrein_secrets::scan(value.as_bytes());
            !value.contains('\n') && found.first().is_some_and(|found| found.range == (0..value.len()))
        })
        .collect();
    assert!(tokens.len() > 100, "{}", tokens.len());
    tokens
}

fn token() -> String {
    tokens().into_iter().find(|token| token.starts_with("ghp_")).unwrap()
}

/// The rest of a secret in a cut text is not shown either.
#[test]
fn the_end_of_a_long_text_shows_no_half_secret() {
    let token = token();
    let key = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----", "MIIE".repeat(1900));
    for padding in 0..64 {
        let mut draft = draft("PreToolUse", "c1", Decision::Deny);
        draft.summary = Some(format!("{key} {}{token}", "x".repeat(400 + padding)));
        let line = draft.line(Level::Summary, &cleaner()).text();
        assert!(!line.contains(token.get(..12).unwrap()), "{padding}: {line}");
    }
}

/// Without a key nothing can be replaced by a tag, so the whole text goes.
#[test]
fn without_a_key_a_text_with_a_secret_goes() {
    let cleaner = crate::Cleaner::new(&|| None);
    let mut draft = draft("PreToolUse", "c1", Decision::Deny);
    draft.summary = Some(format!("echo {}", token()));
    assert!(draft.line(Level::Summary, &cleaner).text().contains("\"summary\":\"…\""));
}

/// Examining all texts together finds whatever examining each of them finds.
#[test]
fn examining_together_misses_nothing() {
    let odd =
        ["", "x", "--password", "-u", "'", "\"", "DB_PASSWORD='", "https://", "=", "-----BEGIN", "aGVsbG8"];
    let utf16: String = token().chars().flat_map(|char| [char, '\0']).collect();
    for token in tokens().iter().step_by(9).map(String::as_str).chain([
        utf16.as_str(),
        "pw: hunter2",
        "--password hunter2",
    ]) {
        for before in odd {
            for after in odd {
                let mut draft = draft("PreToolUse", "c1", Decision::Deny);
                draft.session = Some(before);
                draft.reason = Some(before.to_owned());
                draft.cwd = Some(after);
                draft.effects = vec![token.to_owned(), after.to_owned()];
                let line = draft.line(Level::Summary, &cleaner()).text();
                let alone = {
                    let cleaner = cleaner();
                    let effect = cleaner.text(token, 160).into_owned();
                    serde_json::to_string(&effect).unwrap()
                };
                assert!(line.contains(&format!("\"effects\":[{alone},")), "{before:?} {after:?}: {line}");
            }
        }
    }
}
