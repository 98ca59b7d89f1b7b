//! Checks the table of programs that may be given a secret, and turns it into JSON, which is read only when a call has a tag in it.
//! A mistake is an error of the build that names the entry.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "an error of the build")]

use std::path::PathBuf;
use toml::{Table, Value};

const FILE: &str = "handles/programs.toml";
/// The keys of a program that are lists of strings.
const LISTS: &[&str] = &[
    "names",
    "hosts",
    "commands",
    "switches",
    "values",
    "variables",
    "before",
    "environment",
    "absent",
    "host_options",
    "host_variables",
    "port_options",
    "port_variables",
    "address_options",
];
const SENDS: &[&str] = &["url", "repository", "server", "registry"];
const CHECKS: &[&str] =
    &["git-config", "no-meta-commands", "npm-config", "own-addresses", "plain-headers", "plain-region"];
const PLACE_LISTS: &[&str] = &["option", "headers", "address", "stdin", "becomes"];
const PLACE_TEXTS: &[&str] = &["variable", "becomes_variable", "content"];

const MANAGERS: &str = "rewrites/managers.toml";
/// The keys of each table of that file.
const MANAGER_KEYS: &[(&str, &[&str])] = &[
    ("manager", &["name", "values", "installs", "alone", "without_scripts", "newer", "careful"]),
    ("lock", &["family", "files", "manager"]),
    ("mapping", &["from", "to", "command"]),
];
const COMMAND_KEYS: &[&str] = &["from", "with", "alone", "operands", "rest", "options"];

fn main() {
    managers();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={FILE}");
    let text = std::fs::read_to_string(FILE).expect("the table can be read");
    let table: Table = text.parse().unwrap_or_else(|error| panic!("{FILE}: {error}"));
    let programs = list(&table, "program", FILE);
    assert!(
        table.len() == 1 && !programs.is_empty(),
        "{FILE}: it has a list of [[program]] and nothing else"
    );
    let mut seen: Vec<&str> = Vec::new();
    for program in programs {
        let program = program.as_table().expect("[[program]] is a table");
        let names = texts(program, "names", FILE);
        let at = format!("{FILE}: program {names:?}");
        assert!(!names.is_empty(), "{at}: it has no name");
        for name in names {
            assert!(!seen.contains(&name), "{at}: `{name}` has two entries");
            seen.push(name);
        }
        check_program(program, &at);
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let json = serde_json::to_string(&json(&Value::Array(programs.clone()))).expect("it is JSON");
    std::fs::write(out.join("handles.json"), json).expect("the build directory can be written");
}

/// Checks the table of package managers, and turns each of its lists into JSON. Most calls need none of them, and of those that
/// do most need one.
fn managers() {
    println!("cargo::rerun-if-changed={MANAGERS}");
    let text = std::fs::read_to_string(MANAGERS).expect("the table can be read");
    let table: Table = text.parse().unwrap_or_else(|error| panic!("{MANAGERS}: {error}"));
    for key in table.keys() {
        assert!(MANAGER_KEYS.iter().any(|(known, _)| known == key), "{MANAGERS}: unknown table `{key}`");
    }
    for (name, keys) in MANAGER_KEYS {
        for row in list(&table, name, MANAGERS) {
            let row = row.as_table().expect("a row is a table");
            let at = format!("{MANAGERS}: {name} {row:?}");
            for key in row.keys() {
                assert!(keys.contains(&key.as_str()), "{at}: unknown key `{key}`");
            }
            if *name == "mapping" {
                for command in list(row, "command", &at) {
                    let command = command.as_table().expect("[[mapping.command]] is a table");
                    for key in command.keys() {
                        assert!(COMMAND_KEYS.contains(&key.as_str()), "{at}: unknown key `{key}`");
                    }
                    assert!(!texts(command, "from", &at).is_empty(), "{at}: a command has no name");
                    for option in texts(command, "options", &at) {
                        assert!(option.starts_with('-'), "{at}: `{option}` is not an option");
                    }
                }
            }
        }
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let write = |name: String, text: String| {
        std::fs::write(out.join(name), text).expect("the build directory can be written");
    };
    for (name, _) in MANAGER_KEYS {
        let rows = json(&Value::Array(list(&table, name, MANAGERS).clone()));
        write(format!("{name}s.json"), serde_json::to_string(&rows).expect("it is JSON"));
    }
    // The programs that have a mapping, by which most texts are told apart without it.
    let rows = list(&table, "mapping", MANAGERS).iter().filter_map(Value::as_table);
    let programs = rows.flat_map(|row| texts(row, "from", MANAGERS));
    let mut programs: Vec<&str> = programs.map(|from| from.split(' ').next().unwrap_or_default()).collect();
    programs.sort_unstable();
    programs.dedup();
    write("mapped.txt".to_owned(), programs.join(" "));
}

fn check_program(program: &Table, at: &str) {
    for (key, value) in program {
        match key.as_str() {
            "sends" => {
                assert!(value.as_str().is_some_and(|word| SENDS.contains(&word)), "{at}: {key} = {value:?}");
            }
            "check" => {
                assert!(value.as_str().is_some_and(|word| CHECKS.contains(&word)), "{at}: {key} = {value:?}");
            }
            "port" => assert!(
                value.as_integer().is_some_and(|port| (1..65536).contains(&port)),
                "{at}: {key} = {value:?}"
            ),
            "place" => {}
            list if LISTS.contains(&list) => drop(texts(program, list, at)),
            _ => panic!("{at}: unknown key `{key}`"),
        }
    }
    let has_hosts = !texts(program, "hosts", at).is_empty();
    assert!(has_hosts != program.contains_key("sends"), "{at}: it has either `hosts` or `sends`");
    for pair in texts(program, "environment", at) {
        assert!(
            pair.split_once('=').is_some_and(|(name, _)| !name.is_empty()),
            "{at}: environment: `{pair}` has no name"
        );
    }
    for file in texts(program, "absent", at) {
        assert!(file.split(' ').count() <= 2, "{at}: absent: `{file}` is not a file and a key");
    }
    let options = texts(program, "switches", at).into_iter().chain(texts(program, "values", at));
    for option in options {
        assert!(option.len() > 1 && option.starts_with('-'), "{at}: `{option}` is not an option");
    }
    let (switches, values) = (texts(program, "switches", at), texts(program, "values", at));
    assert!(
        !switches.iter().any(|option| values.contains(option)),
        "{at}: an option is both a switch and has a value"
    );
    let places = list(program, "place", at);
    assert!(!places.is_empty(), "{at}: it has no place for a tag");
    for place in places {
        check_place(program, place.as_table().expect("[[program.place]] is a table"), at);
    }
}

fn check_place(program: &Table, place: &Table, at: &str) {
    for key in place.keys() {
        assert!(
            PLACE_LISTS.contains(&key.as_str()) || PLACE_TEXTS.contains(&key.as_str()),
            "{at}: place: unknown key `{key}`"
        );
    }
    let has = |key: &str| place.contains_key(key);
    PLACE_TEXTS.iter().filter(|key| has(key)).for_each(|key| {
        assert!(place.get(*key).expect("it is there").is_str(), "{at}: place: {key} is a string");
    });
    let values = texts(program, "values", at);
    let options = texts(place, "option", at);
    assert!(
        options.iter().all(|option| values.contains(option)),
        "{at}: place: {options:?} are not among `values`"
    );
    let switches = texts(program, "switches", at);
    let inputs = texts(place, "stdin", at);
    assert!(
        inputs.iter().all(|option| switches.contains(option)),
        "{at}: place: {inputs:?} are not among `switches`"
    );
    let kinds = [has("option"), has("address"), has("stdin"), has("variable") && !has("address")];
    assert_eq!(
        kinds.iter().filter(|kind| **kind).count(),
        1,
        "{at}: a place is one of variable, option, address, stdin"
    );
    assert!(!has("address") || has("variable"), "{at}: the password of an address needs a variable");
    assert_eq!(
        has("option"),
        has("becomes") && has("content"),
        "{at}: an option has `becomes` and `content`"
    );
}

fn list<'t>(table: &'t Table, key: &str, at: &str) -> &'t Vec<Value> {
    table.get(key).and_then(Value::as_array).unwrap_or_else(|| panic!("{at}: `{key}` is missing"))
}

/// The strings of a list; none if it is missing.
fn texts<'t>(table: &'t Table, key: &str, at: &str) -> Vec<&'t str> {
    let Some(value) = table.get(key) else { return Vec::new() };
    let list = value.as_array().unwrap_or_else(|| panic!("{at}: `{key}` is not a list"));
    list.iter()
        .map(|text| text.as_str().unwrap_or_else(|| panic!("{at}: `{key}` has {text:?}, which is no string")))
        .collect()
}

fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::String(text) => text.as_str().into(),
        Value::Integer(number) => (*number).into(),
        Value::Boolean(is) => (*is).into(),
        Value::Array(items) => items.iter().map(json).collect(),
        Value::Table(table) => table
            .iter()
            .map(|(key, value)| (key.clone(), json(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => panic!("{FILE}: {other:?} has no meaning here"),
    }
}
