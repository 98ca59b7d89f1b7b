//! The generated files in `schema/` match the program.

use crate::{PROGRAM, Place};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The command that regenerates all of it.
const UPDATE: &str = "UPDATE_GENERATED=1 cargo test -p checkrein-cli generated";

fn printed(arguments: &[&str]) -> String {
    // With the default width, and without a user's settings.
    let output = Command::new(PROGRAM).args(arguments).env_clear().output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns every generated file, by its path below `schema/`.
fn made() -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    for (file, arguments) in [
        ("checkrein.schema.json", &["schema"][..]),
        ("test.schema.json", &["schema", "--tests"]),
        ("default.toml", &["schema", "--default"]),
        ("../docs/configuration.md", &["schema", "--reference"]),
        ("../docs/rules.md", &["rules", "--reference"]),
        ("completions/checkrein.bash", &["completions", "bash"]),
        ("completions/_checkrein", &["completions", "zsh"]),
        ("completions/checkrein.fish", &["completions", "fish"]),
        ("completions/checkrein.elv", &["completions", "elvish"]),
        ("completions/_checkrein.ps1", &["completions", "powershell"]),
    ] {
        files.insert(PathBuf::from(file), printed(arguments));
    }
    let directory = tempfile::tempdir().unwrap();
    printed(&["man", directory.path().to_str().unwrap()]);
    for (file, text) in kept(directory.path()) {
        files.insert(Path::new("man").join(file), text);
    }
    files
}

/// Returns every file below `directory`.
fn kept(directory: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut left = vec![directory.to_owned()];
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
        } else if path.exists() {
            // They describe what is stored and printed, and tests compare the two (`outputs.rs`).
            if path.ends_with("trail.schema.json") || path.starts_with(directory.join("outputs")) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            files.insert(path.strip_prefix(directory).unwrap().to_owned(), text);
        }
    }
    files
}

#[test]
fn generated_files_are_up_to_date() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema");
    let (made, mut kept) = (made(), kept(&directory));
    for file in made.keys().filter(|file| file.starts_with("..")) {
        kept.extend(fs::read_to_string(directory.join(file)).ok().map(|text| (file.clone(), text)));
    }
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        for file in kept.keys().filter(|file| !made.contains_key(*file)) {
            fs::remove_file(directory.join(file)).unwrap();
        }
        for (file, text) in made.iter().filter(|(file, text)| kept.get(*file) != Some(text)) {
            let file = directory.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        return;
    }
    let stale: Vec<String> = made
        .keys()
        .chain(kept.keys())
        .filter(|file| made.get(*file) != kept.get(*file))
        .map(|file| format!("schema/{}", file.display()))
        .collect();
    assert!(
        stale.is_empty(),
        "not up to date: {}\nrun `{UPDATE}` and look at the difference",
        stale.join(", ")
    );
}

#[test]
fn generated_files_are_complete() {
    let made = made();
    let page = |name: &str| made.get(Path::new(name)).map(String::as_str).unwrap_or_default();
    for command in ["hook", "check", "explain", "test", "schema", "completions"] {
        assert!(page(&format!("man/checkrein-{command}.1")).starts_with(".ie"), "no page for `{command}`");
        for file in ["checkrein.bash", "_checkrein", "checkrein.fish", "checkrein.elv", "_checkrein.ps1"] {
            assert!(
                page(&format!("completions/{file}")).contains(command),
                "{file} does not know `{command}`"
            );
        }
    }
    for name in ["checkrein.schema.json", "test.schema.json"] {
        let schema: serde_json::Value = serde_json::from_str(page(name)).unwrap();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    }
}

#[test]
fn the_default_configuration_is_printed_unchanged_and_works() {
    let text = printed(&["schema", "--default"]);
    let place = Place::with(&text);
    assert!(text.starts_with("# The configuration of Checkrein"));
    let output = place.output(&["check", "--config", "hooks.toml", "ls"], b"");
    assert!(output.status.success() && output.stdout.starts_with(b"no objection"));
}

#[test]
fn every_key_is_in_the_schema_the_page_and_the_completions() {
    let made = made();
    let file = |name: &str| made.get(Path::new(name)).map(String::as_str).unwrap_or_default();
    for name in checkrein::key_names() {
        let (table, key) = name.rsplit_once('.').unwrap_or(("", name));
        let schemas = [file("checkrein.schema.json"), file("test.schema.json")];
        assert!(
            schemas.iter().any(|schema| schema.contains(&format!("\"{key}\": {{"))),
            "no schema has `{name}`"
        );
        let page = file("../docs/configuration.md");
        assert!(page.contains(&format!("| `{key}` |")), "the page does not explain `{name}`");
        assert!(table.is_empty() || page.contains(&format!("### `{table}`")), "the page has no `{table}`");
        // The other shells complete options only, as far as their generators go.
        for shell in ["checkrein.bash", "_checkrein"] {
            let words = file(&format!("completions/{shell}"));
            assert!(words.contains(name), "{shell} does not complete `{name}`");
        }
        assert!(printed(&["schema", name]).starts_with(&format!("{name}: ")));
    }
}

#[test]
fn one_key_is_explained() {
    insta::assert_snapshot!(printed(&["schema", "hook.cwd"]), @r#"
    hook.cwd: `session`, `config`

    Where the hook runs: in the session's working directory, or in the directory of this file.

    Default: "session"

    Example: cwd = "session"
    "#);
    let output = Command::new(PROGRAM).args(["schema", "hook.cwdd"]).output().unwrap();
    assert!(!output.status.success());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("did you mean `hook.cwd`?"), "{message}");
}

#[test]
fn bash_accepts_its_completions() {
    let place = Place::new();
    fs::write(place.path("checkrein.bash"), printed(&["completions", "bash"])).unwrap();
    let script = "source ./checkrein.bash; COMP_WORDS=(checkrein che); COMP_CWORD=1; _checkrein checkrein che checkrein; echo \"${COMPREPLY[@]}\"";
    let output =
        Command::new("bash").args(["-c", script]).current_dir(place.directory.path()).output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "check\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
