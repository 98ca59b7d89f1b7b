//! Tests of the definitions, and of CONTRIBUTING's recipe for a new key: the fictional table `[example]` appears in
//! everything that knows keys.

use super::{FILE, TESTS, example::EXAMPLE};
use crate::config::{
    Config,
    default_file::default_config,
    layer::Layer,
    reference::{key_names, key_reference, reference},
    schema::config_schema,
};
use std::{collections::BTreeMap, fs, path::Path};

fn parse(text: &str) -> Result<Config, String> {
    Config::parse_as(Layer::User, text, Path::new("config.toml")).map_err(|problems| problems.to_string())
}

#[test]
fn a_new_key_is_read() {
    assert!(!parse("").unwrap().content.settings.example_shown);
    assert!(parse("[example]\nshown = true\n").unwrap().content.settings.example_shown);
}

#[test]
fn mistakes_with_a_new_key_are_reported_with_their_position() {
    assert_eq!(
        parse("[example]\nshwon = true\n").unwrap_err(),
        "config.toml:2:1: example.shwon: unknown key `shwon`\n2 | shwon = true\n  | ^^^^^\nhint: did you mean `shown`?"
    );
    assert_eq!(
        parse("[example]\nshown = 1\n").unwrap_err(),
        "config.toml:2:9: example.shown: expected `true` or `false`, found a number\n2 | shown = 1\n  |         ^"
    );
}

#[test]
fn a_new_key_is_in_the_schema_the_page_the_defaults_and_the_completions() {
    let doc = EXAMPLE.keys[0].doc;
    let shown = &config_schema()["properties"]["example"]["properties"]["shown"];
    assert_eq!(shown["description"], doc);
    assert_eq!(shown["default"], false);
    assert!(reference().contains(&format!("### `example`\n\nAn example. Without it: the defaults of its keys.\n\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n| `shown` | `true` or `false` | `false` | {doc} |\n")));
    assert!(default_config().contains(&format!("#[example]\n\n# {doc}\n#shown = false\n")));
    assert!(key_names().any(|name| name == "example.shown"));
    assert!(key_reference("example.shown").unwrap().contains(doc));
}

/// The number of places that CONTRIBUTING promises.
#[test]
fn a_new_key_is_in_as_many_places_as_the_recipe_says() {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut left = vec![root.clone()];
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        if name.contains("tests") || name.ends_with("keys/example.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let count = text.split("#[cfg(test)]\n").skip(1).filter(|part| {
            part.lines().next().is_some_and(|line| line.contains("example") && !line.contains("mod "))
        });
        let count = count.count();
        if count > 0 {
            places.insert(name, count);
        }
    }
    let expected = [("config/content.rs", 3), ("config/keys/file.rs", 1)];
    assert_eq!(places, expected.map(|(name, count)| (name.to_owned(), count)).into());
}

#[test]
fn every_definition_is_complete() {
    for root in [&FILE, &TESTS] {
        root.visit("", &mut |name, table| {
            for key in table.keys {
                let whole = format!("{name}.{}", key.name);
                assert!(key.doc.ends_with('.') && !key.doc.ends_with(".."), "{whole}: {}", key.doc);
                assert!(key.note.is_empty() || key.note.ends_with('.'), "{whole}: {}", key.note);
                for old in key.renamed {
                    assert!(
                        table.keys.iter().all(|other| other.name != *old),
                        "{whole} was `{old}`, which exists"
                    );
                }
                assert_eq!(
                    table.keys.iter().filter(|other| other.name == key.name).count(),
                    1,
                    "{whole} twice"
                );
            }
            let elsewhere = table.hints.iter().flat_map(|(keys, _)| keys.iter());
            assert!(elsewhere.into_iter().all(|old| table.keys.iter().all(|key| key.name != *old)), "{name}");
        });
    }
}

/// No former word of the guard is known, and every new one is.
#[test]
fn renamed_words_lead_to_known_ones() {
    use crate::config::reader::RENAMED_WORDS;
    use checkrein_guard::Environment;
    assert!(
        RENAMED_WORDS
            .iter()
            .all(|(old, new)| Environment::of(old).is_none() && Environment::of(new).is_some())
    );
}
