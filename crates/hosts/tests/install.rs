//! Property test: our entries come and go in any agent's file, and nothing else changes.
#![allow(clippy::unwrap_used, reason = "tests")]

use checkrein_core::EventName;
use checkrein_hosts::install::{
    BomPolicy, Comments, Kind, Nesting, Recipe, Wanted, entries, install, recipes, uninstall,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Returns the agents whose file has more than our entries.
fn shared() -> impl Iterator<Item = &'static Recipe> {
    recipes().filter(|recipe| recipe.layout.kind == Kind::Entries)
}

fn wanted(recipe: &Recipe) -> Vec<Wanted> {
    let configured = [EventName::PreCompact];
    recipe
        .registered(None, &configured)
        .map(|fired| Wanted::new(recipe, None, fired, "/opt/it's here/checkrein"))
        .collect()
}

/// A foreign hook, or something that only looks like one.
fn handlers() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[a-z./]{0,12}".prop_map(|command| json!({"type": "command", "command": command, "timeout": 5})),
        Just(json!({"type": "prompt", "prompt": "{\"hooks\": []}"})),
        Just(json!({"type": "command", "command": "checkrein hook --host claude"})),
        Just(json!({"command": ["list"]})),
        Just(json!(null)),
    ]
}

fn groups() -> impl Strategy<Value = Value> {
    let group = (prop::option::of("[A-Za-z|*]{0,6}"), prop::collection::vec(handlers(), 0..3));
    prop_oneof![
        4 => group.prop_map(|(matcher, hooks)| {
            let mut group = Map::new();
            if let Some(matcher) = matcher {
                group.insert("matcher".into(), matcher.into());
            }
            group.insert("hooks".into(), hooks.into());
            Value::Object(group)
        }),
        1 => Just(json!("not a group")),
    ]
}

fn hooks() -> impl Strategy<Value = Value> {
    let events = prop::sample::select(vec![
        "PreToolUse",
        "Stop",
        "SessionStart",
        "Unknown",
        "PreCompact",
        "BeforeTool",
    ]);
    prop::collection::btree_map(events, prop::collection::vec(groups(), 0..3), 0..4).prop_map(|events| {
        events.into_iter().map(|(event, list)| (event.to_owned(), Value::from(list))).collect()
    })
}

fn files(recipe: &'static Recipe) -> impl Strategy<Value = Value> {
    let others = if recipe.keys.is_empty() {
        prop::sample::select(vec!["model", "env", "permissions", "hooks ", "näme", "$schema"]).boxed()
    } else {
        let others = recipe.keys.iter().copied().filter(|key| !matches!(*key, "hooks" | "version"));
        prop::sample::select(others.collect::<Vec<_>>()).boxed()
    };
    let values = prop_oneof![
        Just(json!({"a": [1, {"b": "\"},{\\"}], "c": null})),
        Just(json!("text with \"quotes\", [brackets] and \u{1f600}")),
        Just(json!([])),
        Just(json!(1.5e300)),
    ];
    (prop::collection::vec((others, values), 0..3), prop::option::of(hooks()), any::<bool>()).prop_map(
        |(others, hooks, first)| {
            let mut file = Map::new();
            let hooks: Vec<(String, Value)> =
                hooks.into_iter().map(|hooks| ("hooks".to_owned(), hooks)).collect();
            let others = others.into_iter().map(|(key, value)| (key.to_owned(), value));
            if first {
                file.extend(hooks.into_iter().chain(others));
            } else {
                file.extend(others.chain(hooks));
            }
            Value::Object(file)
        },
    )
}

/// Returns the JSON in a random layout.
fn written(recipe: &Recipe, value: &Value, hand: usize) -> String {
    let pretty = serde_json::to_string_pretty(value).unwrap();
    match hand {
        0 => value.to_string(),
        1 => format!("{pretty}\n"),
        2 => pretty.replace("\n", "\r\n"),
        3 => {
            let mark = if recipe.bom == BomPolicy::Skip { "\u{feff}" } else { "" };
            format!("{mark}{}\n\n", pretty.replace("  ", "\t"))
        }
        4 => format!(" {pretty} ").replace("[\n", "[").replace("{\n", "{ "),
        5 if recipe.layout.comments == Comments::Skipped => {
            format!(
                "// \"first\": {{\n{}// last",
                pretty.replace(",\n", ", // {,}\n").replace("[\n", "[ /* ] */\n")
            )
        }
        _ => pretty.replace("  ", "    ").replace("\": ", "\" :  ").replace(",\n", " ,\n\n"),
    }
}

proptest! {
    #[test]
    fn our_entries_come_and_go(
        (recipe, value) in prop::sample::select(shared().collect::<Vec<_>>())
            .prop_flat_map(|recipe| files(recipe).prop_map(move |value| (recipe, value))),
        hand in 0..6_usize,
    ) {
        let text = written(recipe, &value, hand);
        // The random layout may have changed a string.
        let value = recipe.layout.parse(&text).unwrap().to_json();
        let before = entries(&text, recipe).unwrap();
        let wanted = wanted(recipe);
        let installed = install(&text, recipe, &wanted).unwrap();

        // All entries are there, at the end of their lists.
        let root = recipe.layout.parse(&installed.text).unwrap().to_json();
        let ours: Vec<_> = entries(&installed.text, recipe).unwrap();
        prop_assert_eq!(ours.len(), before.len() + wanted.len());
        for wanted in &wanted {
            let list = root.pointer(&format!("/hooks/{}", wanted.key)).unwrap().as_array().unwrap();
            let last = list.last().unwrap();
            let last = match recipe.layout.nesting {
                Nesting::Groups => last.pointer("/hooks/0").unwrap(),
                Nesting::Flat => last,
            };
            let last = last.get(recipe.layout.command).unwrap().as_str().unwrap();
            let line = format!("hook --host {} --event {}", recipe.host, wanted.event);
            prop_assert!(last.ends_with(&line), "{}", last);
        }

        // Installing twice changes nothing.
        prop_assert_eq!(&install(&installed.text, recipe, &wanted).unwrap().text, &installed.text);

        // Uninstalling restores the values, and the bytes unless an empty list or object had to be opened.
        let back = uninstall(&installed.text, recipe, Some(&installed.made)).unwrap();
        prop_assert_eq!(&recipe.layout.parse(&back).unwrap().to_json(), &value);
        let opened = value.as_object().unwrap().is_empty()
            || value.pointer("/hooks").is_some_and(|hooks| {
                let hooks = hooks.as_object().unwrap();
                hooks.is_empty() || hooks.values().any(|list| list.as_array().unwrap().is_empty())
            });
        if !opened {
            prop_assert_eq!(back, text);
        }
    }

    #[test]
    fn nothing_panics(text in "[\\[\\]{}\",:\\\\ \n\u{e9}a-c0-9/]{0,60}") {
        for recipe in shared() {
            if let Ok(installed) = install(&text, recipe, &wanted(recipe)) {
                recipe.layout.parse(&installed.text).unwrap();
                uninstall(&installed.text, recipe, None).unwrap();
            }
            let _ = entries(&text, recipe);
        }
    }
}
