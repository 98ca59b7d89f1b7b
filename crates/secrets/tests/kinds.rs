//! Every kind: generated values are found in the notations in which they occur, and what only looks like one is not.

use checkrein_secrets::{
    Class, Kind,
    sample::{self, Random},
    scan,
};

/// The notations that a value is tried in. A value with line breaks keeps them.
const AROUND: &[(&str, &str)] = &[
    ("", ""),
    ("export X=", "\n"),
    ("x: \"", "\","),
    ("{\"a\":[{\"b\":\"", "\"}]}"),
    ("curl -H 'X: ", "' https://h"),
    ("(", ")"),
    ("<td>", "</td>"),
    ("see ", ". Then"),
    ("line\\n", "\\nline"),
    ("?a=b&c=", "&d=e"),
];

fn labels(text: &str) -> Vec<&'static str> {
    scan(text.as_bytes()).into_iter().map(|finding| finding.kind.label()).collect()
}

#[test]
fn there_are_at_least_120_kinds_and_most_have_a_prefix() {
    let sure = Kind::all().filter(|kind| kind.class() != Class::Generic).count();
    assert!(sure >= 120, "{sure}");
}

#[test]
fn generated_values_are_found_in_every_notation() {
    let mut missed = Vec::new();
    for (index, kind) in Kind::all().filter(|kind| kind.class() != Class::Generic).enumerate() {
        for round in 0..12 {
            let mut random = Random::new((index * 100 + round) as u64);
            let value =
                sample::of(kind, &mut random).unwrap_or_else(|| panic!("no sample of {}", kind.name()));
            for (before, after) in AROUND {
                let text = format!("{before}{value}{after}");
                let found = labels(&text);
                if !found.contains(&kind.label()) {
                    missed.push(format!("{}: {text:?} gave {found:?}", kind.name()));
                }
            }
        }
    }
    assert!(
        missed.is_empty(),
        "{} missed, for example:\n{}",
        missed.len(),
        missed[..missed.len().min(20)].join("\n")
    );
}

#[test]
fn a_wrong_checksum_is_no_value() {
    for (index, kind) in Kind::all().filter(|kind| kind.class() == Class::Checksum).enumerate() {
        let mut random = Random::new(index as u64);
        let value = sample::of(kind, &mut random).unwrap();
        let last = value.chars().last().unwrap();
        let other = if last == 'q' || last == 'Q' { "p" } else { "q" };
        let other = if last.is_ascii_uppercase() || kind.name() == "nats-seed" {
            other.to_uppercase()
        } else {
            other.to_owned()
        };
        let mut wrong = value.clone();
        wrong.pop();
        wrong.push_str(&other);
        // A macaroon's signature cannot be checked without its key, so that only its structure counts.
        if kind.name().starts_with("pypi") {
            wrong = value.replace("-Ag", "-Bg");
        }
        if kind.name() == "gitlab-pat-routable" {
            // Without its checksum it is still a token with the prefix.
            assert!(scan(wrong.as_bytes()).iter().all(|finding| finding.kind != kind), "{}", kind.name());
            continue;
        }
        assert!(scan(wrong.as_bytes()).is_empty(), "{}: {:?}", kind.name(), scan(wrong.as_bytes()));
    }
}

/// The harmless twins of a kind: its prefix before a placeholder, a reference, a description, and a value that is cut off.
#[test]
fn what_only_begins_like_a_value_is_none() {
    let mut wrong = Vec::new();
    for (index, kind) in Kind::all().filter(|kind| kind.class() != Class::Generic).enumerate() {
        let mut random = Random::new(index as u64);
        let value = sample::of(kind, &mut random).unwrap();
        let start = value
            .find(['_', '-', '.', ':', '='])
            .filter(|at| *at < 24)
            .map_or(4, |at| at + 1)
            .min(value.len());
        let prefix = value.get(..start).unwrap();
        let filler = "x".repeat(value.len() - start);
        for twin in [
            format!("{prefix}{filler}"),
            format!("{prefix}..."),
            format!("{prefix}<your token>"),
            format!("tokens begin with {prefix} and are secret"),
            format!("{prefix}$TOKEN"),
            format!("{prefix}${{TOKEN}}"),
        ] {
            if !scan(twin.as_bytes()).is_empty() {
                wrong.push(format!("{}: {twin:?} gave {:?}", kind.name(), labels(&twin)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A value is not found in the middle of a longer word, unless a checksum proves it.
#[test]
fn a_prefix_in_the_middle_of_a_word_is_none() {
    for kind in Kind::all() {
        let name = kind.name();
        if ["stripe-secret-live", "huggingface-user", "replicate-token", "sendgrid-key", "figma-pat"]
            .contains(&name)
        {
            let value = sample::of(kind, &mut Random::new(3)).unwrap();
            assert!(scan(format!("abc{value}").as_bytes()).is_empty(), "{name}");
        }
    }
}

#[test]
fn hosts_are_names_of_machines() {
    for kind in Kind::all() {
        for host in kind.hosts() {
            let plain = host.strip_prefix("*.").unwrap_or(host);
            assert!(
                plain.contains('.')
                    && plain.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte)),
                "{host}"
            );
        }
    }
}
