//! Realistic files of every agent (`corpus/agents`): our entries come and go, and nothing but spaces in an empty list is left.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_hosts::install::{COPILOT, QWEN, Recipe, Wanted, entries, install, recipes, uninstall};
use std::{fs, path::Path};

fn wanted(recipe: &Recipe) -> Vec<Wanted> {
    recipe.registered(None, &[]).map(|fired| Wanted::new(recipe, None, fired, "/opt/checkrein")).collect()
}

#[test]
fn our_entries_come_and_go_in_every_file() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/agents");
    for recipe in recipes() {
        let Ok(files) = fs::read_dir(corpus.join(recipe.host)) else { continue };
        let mut seen = 0;
        for file in files {
            let path = file.unwrap().path();
            let before = fs::read_to_string(&path).unwrap();
            let installed = install(&before, recipe, &wanted(recipe)).unwrap();
            let found = entries(&installed.text, recipe).unwrap();
            let ours = found.iter().filter(|entry| !entry.command.is_handmade);
            assert_eq!(ours.count(), wanted(recipe).len(), "{}", path.display());
            let again = install(&installed.text, recipe, &wanted(recipe)).unwrap();
            assert_eq!(again.text, installed.text, "{}", path.display());
            // An empty file becomes an object, and the program restores it from its record.
            if !before.trim_start_matches('\u{feff}').trim().is_empty() {
                let after = uninstall(&installed.text, recipe, Some(&installed.made)).unwrap();
                let same = |text: &str| text.split_whitespace().collect::<String>();
                assert_eq!(same(&after), same(&before), "{}", path.display());
            }
            seen += 1;
        }
        assert!(seen >= 5, "only {seen} files of {}", recipe.host);
    }
}

/// Of several answers Qwen Code takes the last, so an `allow` after ours would cancel a denial.
#[test]
fn qwen_ours_must_be_the_last_entry() {
    let ours = install("", &QWEN, &wanted(&QWEN)).unwrap().text;
    let mut file: serde_json::Value = serde_json::from_str(&ours).unwrap();
    let theirs = serde_json::json!({"matcher": "*", "hooks": [{"type": "command", "command": "allow-all"}]});
    file["hooks"]["PreToolUse"].as_array_mut().unwrap().push(theirs);
    let fixed = install(&file.to_string(), &QWEN, &wanted(&QWEN)).unwrap().text;
    let fixed: serde_json::Value = serde_json::from_str(&fixed).unwrap();
    let list = fixed["hooks"]["PreToolUse"].as_array().unwrap();
    let last = list.last().unwrap().to_string();
    assert!(list.len() == 2 && last.contains("/opt/checkrein hook --host qwen"), "{last}");
}

/// Copilot CLI rejects a file without the version of its format.
#[test]
fn a_new_file_of_copilot_has_its_version() {
    let text = install("", &COPILOT, &wanted(&COPILOT)).unwrap().text;
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["version"], 1);
}
