//! Turns the data of the guard into tables of the program, so that nothing is parsed when it starts.
//!
//! A mistake in the data is an error of the build that names the file and the entry.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "an error of the build"
)]

use std::{
    collections::BTreeMap,
    fmt::Write,
    path::{Path, PathBuf},
};
use toml::{Table, Value};

macro_rules! handlers {
    ($($name:literal => $follow:expr,)+) => {
        /// The handlers that an entry may name.
        const HANDLERS: &[&str] = &[$($name),+];
    };
}

include!("src/eval/handlers/registry.rs");

/// The source that declares the traits that an entry may have.
const TRAITS: &str = include_str!("src/program/mod.rs");

#[allow(dead_code, unused_imports, unreachable_pub, reason = "the build needs the words only")]
#[path = "src/program/flag.rs"]
mod flag;
#[allow(dead_code, unused_imports, unreachable_pub, reason = "the build needs the words only")]
#[path = "src/vocabulary/mod.rs"]
mod vocabulary;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut code = String::new();
    paths(&mut code);
    variables(&mut code);
    consoles(&mut code);
    packages(&mut code);
    programs(&mut code);
    rules(&mut code);
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    std::fs::write(out.join("data.rs"), code).expect("the build directory can be written");
}

fn read(path: &Path) -> Table {
    println!("cargo::rerun-if-changed={}", path.display());
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a directory, in order.
fn files(directory: &str) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={directory}");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(directory).expect(directory).map(|entry| entry.expect(directory).path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

/// `empty-variable` as the variant that it names.
fn variant(word: &str) -> String {
    word.split('-').map(|part| part[..1].to_uppercase() + &part[1..]).collect()
}

fn set(kind: &str, words: &[&str]) -> String {
    let members: Vec<String> = words.iter().map(|word| format!("{kind}::{}", variant(word))).collect();
    let set = if kind == "Certainty" { "Certainties".to_owned() } else { format!("{kind}s") };
    format!("{set}::of(&[{}])", members.join(", "))
}

/// The set of qualities that words of any kind name.
fn qualities(words: &[&str], of: &str) -> String {
    let mut sets: BTreeMap<&str, (&str, Vec<String>)> = BTreeMap::new();
    for word in words {
        let (field, set, kind) = kind(word).unwrap_or_else(|| panic!("{of}: unknown word `{word}`"));
        sets.entry(field).or_insert((set, Vec::new())).1.push(format!("{kind}::{}", variant(word)));
    }
    let fields = sets.iter().fold(String::new(), |mut fields, (field, (set, members))| {
        write!(fields, "{field}: {set}::of(&[{}]), ", members.join(", ")).unwrap();
        fields
    });
    if sets.is_empty() {
        "Qualities::NONE".to_owned()
    } else {
        format!("Qualities {{ {fields}..Qualities::NONE }}")
    }
}

/// The field, the set and the type of a word.
fn kind(word: &str) -> Option<(&'static str, &'static str, &'static str)> {
    use vocabulary::{Certainty, Domain, Environment, Modifier, Taint};
    let kinds = [
        (Modifier::of(word).is_some(), ("how", "Modifiers", "Modifier")),
        (Taint::of(word).is_some(), ("data", "Taints", "Taint")),
        (Domain::of(word).is_some(), ("domain", "Domains", "Domain")),
        (Environment::of(word).is_some(), ("environment", "Environments", "Environment")),
        (Certainty::of(word).is_some(), ("certainty", "Certainties", "Certainty")),
        (flag::ParseFlag::of(word).is_some(), ("flags", "ParseFlags", "ParseFlag")),
    ];
    kinds.into_iter().find(|(is, _)| *is).map(|(_, kind)| kind)
}

fn strings<'a>(value: Option<&'a Value>, of: &str) -> Vec<&'a str> {
    let Some(value) = value else { return Vec::new() };
    if let Some(text) = value.as_str() {
        return vec![text];
    }
    let list = value.as_array().unwrap_or_else(|| panic!("{of}: expected a text or a list of texts"));
    list.iter().map(|item| item.as_str().unwrap_or_else(|| panic!("{of}: expected a text"))).collect()
}

fn only(table: &Table, keys: &[&str], of: &str) {
    for key in table.keys() {
        assert!(keys.contains(&key.as_str()), "{of}: there is no key `{key}`; there are {keys:?}");
    }
}

fn paths(code: &mut String) {
    let table = read(Path::new("data/paths.toml"));
    for key in ["system", "personal", "made"] {
        writeln!(
            code,
            "pub(crate) static {}: &[&str] = &{:?};",
            key.to_uppercase(),
            strings(table.get(key), key)
        )
        .unwrap();
    }
    let hook_files = strings(table.get("hook_files"), "hook_files");
    writeln!(code, "pub(crate) static HOOK_FILES: &[&str] = &{hook_files:?};").unwrap();
    let programs = strings(table.get("agent_programs"), "agent_programs");
    writeln!(code, "/// The programs of agents, by the names that people call.").unwrap();
    writeln!(code, "pub static AGENT_PROGRAMS: &[&str] = &{programs:?};").unwrap();
    let belongings = ["belongings", "remembered"].into_iter().flat_map(|key| {
        strings(table.get(key), key).into_iter().map(move |path| (path, key == "remembered"))
    });
    writeln!(code, "pub(crate) static BELONGINGS: &[(&str, bool)] = &{:?};", belongings.collect::<Vec<_>>())
        .unwrap();
    let homes: Vec<(&str, &str, &str)> = strings(table.get("homes"), "homes")
        .into_iter()
        .map(|row| {
            let (variable, stands_for) = row.split_once(' ').expect("homes: a variable and a directory");
            let (variable, below) = variable.split_at(variable.find('/').unwrap_or(variable.len()));
            (variable, below, stands_for)
        })
        .collect();
    // The longest first, so that the most specific variable counts.
    let mut homes = homes;
    homes.sort_by_key(|(.., stands_for)| std::cmp::Reverse(stands_for.len()));
    writeln!(code, "pub(crate) static HOMES: &[(&str, &str, &str)] = &{homes:?};").unwrap();
    let generated = strings(table.get("generated"), "generated");
    let (globs, mut names): (Vec<&str>, Vec<&str>) =
        generated.iter().copied().partition(|name| is_glob(name));
    names.sort_unstable();
    writeln!(code, "pub(crate) static GENERATED: Names = Names {{ exact: &{names:?}, globs: &{globs:?} }};")
        .unwrap();
    for key in ["caches", "nowhere", "temporary", "fetched"] {
        let patterns: String = strings(table.get(key), key).iter().map(|text| pattern(text)).collect();
        writeln!(code, "pub(crate) static {}: &[Pattern] = &[{patterns}];", key.to_uppercase()).unwrap();
    }
    let mut tagged: Vec<(String, String)> = Vec::new();
    for (tag, patterns) in table["tags"].as_table().expect("tags") {
        tagged.extend(strings(Some(patterns), tag).iter().map(|text| (tag.clone(), (*text).to_owned())));
    }
    tagged.extend(agents());
    // By where they start and by their first step, so that a path is compared with the few that can fit.
    for (base, name) in [("~/", "HOME_TAGS"), ("/", "ROOT_TAGS"), ("", "NAME_TAGS")] {
        let (mut exact, mut globs) = (Vec::new(), Vec::new());
        {
            for (tag, text) in &tagged {
                let plain = text.trim_start_matches('!');
                let own = if plain.starts_with("~/") {
                    "~/"
                } else if plain.starts_with('/') {
                    "/"
                } else {
                    ""
                };
                if own == base {
                    let first = plain[base.len()..].split('/').next().expect("a step").to_owned();
                    let entry = format!("Tag::{}, {}), ", variant(tag), pattern(text).trim_end_matches(", "));
                    // `*.ext` is found by the ending of a name.
                    let ending =
                        first.strip_prefix('*').filter(|ending| ending.starts_with('.') && !is_glob(ending));
                    match ending.map(|ending| ending.rfind('.').map_or("", |dot| &ending[dot..]).to_owned()) {
                        Some(ending) => exact.push((ending, entry)),
                        None if is_glob(&first) => globs.push((first, entry)),
                        None => exact.push((first, entry)),
                    }
                }
            }
        }
        exact.sort_by(|one, other| one.0.cmp(&other.0));
        let keyed = |(key, entry): (String, String)| format!("(\"{key}\", {entry}");
        let exact: String = exact.into_iter().map(keyed).collect();
        let globs: Vec<String> = globs.into_iter().map(keyed).collect();
        writeln!(
            code,
            "pub(crate) static {name}: TagTable = TagTable {{ exact: &[{exact}], globs: &[{}] }};",
            globs.concat()
        )
        .unwrap();
    }
}

/// `data/agents.toml`: its head says what the rows mean.
fn agents() -> Vec<(String, String)> {
    let mut tagged = Vec::new();
    for (host, rows) in read(Path::new("data/agents.toml")) {
        let rows = rows.as_table().expect("a table per host").clone();
        only(&rows, &["directories", "decides", "runs", "data"], &host);
        for (row, tag) in [("directories", "agent"), ("decides", "agent-hooks"), ("runs", "agent-runs")] {
            for text in strings(rows.get(row), &host) {
                tagged.push((tag.to_owned(), text.to_owned()));
            }
        }
        // What decides is more than a file of the agent, what runs is read by itself, and data is nothing.
        for row in ["runs", "data"] {
            for text in strings(rows.get(row), &host) {
                tagged.push(("agent".to_owned(), format!("!{text}")));
            }
        }
        for text in strings(rows.get("decides"), &host) {
            tagged.push(("agent".to_owned(), text.to_owned()));
            tagged.push(("agent-runs".to_owned(), format!("!{text}")));
        }
    }
    tagged
}

fn packages(code: &mut String) {
    let table = read(Path::new("data/packages.toml"));
    for key in ["ours", "managers", "of_a_project", "for_everybody", "looks", "adds"] {
        let name = key.to_uppercase();
        let mut list = strings(table.get(key), key);
        list.sort_unstable();
        writeln!(code, "pub(crate) static PACKAGES_{name}: &[&str] = &{list:?};").unwrap();
    }
}

fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

fn variables(code: &mut String) {
    let table = read(Path::new("data/variables.toml"));
    let mut all: BTreeMap<&str, String> = BTreeMap::new();
    for (kind, names) in &table {
        for name in strings(Some(names), kind) {
            assert!(
                all.insert(name, format!("({name:?}, Kind::{}), ", variant(kind))).is_none(),
                "{name} is there twice"
            );
        }
    }
    let all: String = all.into_values().collect();
    writeln!(code, "pub(crate) static VARIABLES: &[(&str, Kind)] = &[{all}];").unwrap();
}

/// `data/consoles.toml`: its head says what the conditions mean.
fn consoles(code: &mut String) {
    let table = read(Path::new("data/consoles.toml"));
    let mut all = String::new();
    for (name, conditions) in &table {
        let (mut unless, mut only, mut alone, mut operands) = (Vec::new(), Vec::new(), false, None);
        for condition in strings(Some(conditions), name) {
            match condition.split_at(1) {
                ("!", pattern) => unless.push(pattern),
                ("+", pattern) => only.push(pattern),
                _ if condition == "alone" => alone = true,
                _ => {
                    let most = condition.parse::<u8>();
                    operands = Some(most.unwrap_or_else(|_| panic!("consoles.toml: {name}: `{condition}`")));
                }
            }
        }
        let name: Vec<&str> = name.split(' ').collect();
        assert!(name.len() <= 2, "consoles.toml: {name:?}: a program and one subcommand");
        write!(
            all,
            "Console {{ name: &{name:?}, unless: &{unless:?}, only: &{only:?}, alone: {alone}, operands: {operands:?} }}, "
        )
        .unwrap();
    }
    writeln!(code, "pub(crate) static CONSOLES: &[Console] = &[{all}];").unwrap();
}

fn pattern(text: &str) -> String {
    let (not, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
    let rest = text.strip_prefix("~/").or(text.strip_prefix('/')).unwrap_or(text);
    let steps: Vec<&str> = rest.split('/').collect();
    format!("Pattern {{ steps: &{steps:?}, not: {not} }}, ")
}

fn programs(code: &mut String) {
    let mut programs: BTreeMap<Vec<String>, String> = BTreeMap::new();
    let mut same: BTreeMap<String, String> = BTreeMap::new();
    for file in files("programs") {
        let mut table = read(&file);
        // Other names of a whole program with all of its subcommands.
        for (name, of) in table.remove("same").and_then(|same| same.as_table().cloned()).unwrap_or_default() {
            same.insert(name, of.as_str().expect("the name of a program").to_owned());
        }
        // What holds for everything in the file.
        let common = table.remove("marks");
        for (name, entry) in table {
            let of = format!("{}: [{name}]", file.display());
            let mut entry = match entry {
                Value::Table(entry) => entry,
                _ => panic!("{of}: expected a table"),
            };
            only(
                &entry,
                &[
                    "as", "options", "operands", "when", "does", "marks", "wraps", "prints", "style",
                    "handler", "traits",
                ],
                &of,
            );
            let marks: Vec<Value> = strings(common.as_ref(), &of)
                .into_iter()
                .chain(strings(entry.get("marks"), &of))
                .map(Value::from)
                .collect();
            entry.insert("marks".to_owned(), Value::Array(marks));
            for name in std::iter::once(name.as_str()).chain(strings(entry.get("as"), &of)) {
                let name: Vec<String> = name.split(' ').map(str::to_owned).collect();
                let text = program(&name, &entry, &of);
                let called = name.join(" ");
                assert!(programs.insert(name, text).is_none(), "{of}: `{called}` is there twice");
            }
        }
    }
    // A program without an entry of its own, but with subcommands.
    let parents: Vec<Vec<String>> =
        programs.keys().flat_map(|name| (1..name.len()).map(|length| name[..length].to_vec())).collect();
    for parent in parents {
        let text = program(&parent, &Table::new(), "");
        programs.entry(parent).or_insert(text);
    }
    families(code, programs, &same);
}

/// Where each program stands with its subcommands. The whole table is large and lies on many pages of the program, of which a
/// search should touch few: so it goes by numbers that lie together, and what is usual comes first.
fn families(code: &mut String, programs: BTreeMap<Vec<String>, String>, same: &BTreeMap<String, String>) {
    let mut families: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, program) in programs {
        families.entry(name[0].clone()).or_default().push(program);
    }
    let table = read(Path::new("data/usual.toml"));
    let usual = strings(table.get("programs"), "usual");
    for name in &usual {
        assert!(families.contains_key(*name), "data/usual.toml: there is no program `{name}`");
    }
    let others = families.keys().map(String::as_str).filter(|name| !usual.contains(name));
    // The first of each, and how many there are.
    let mut places: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut all: Vec<&str> = Vec::new();
    for name in usual.iter().copied().chain(others) {
        let place = (all.len(), families[name].len());
        assert!(places.insert(name, place).is_none(), "data/usual.toml: `{name}` is there twice");
        all.extend(families[name].iter().map(String::as_str));
    }
    for (name, of) in same {
        let place =
            *places.get(of.as_str()).unwrap_or_else(|| panic!("`{name}` is `{of}`, which is not there"));
        assert!(places.insert(name, place).is_none(), "`{name}` is there twice");
    }
    let keys: Vec<u64> = places.keys().map(|name| beginning(name)).collect();
    writeln!(code, "pub(crate) static FAMILY_KEYS: &[u64] = &{keys:?};").unwrap();
    let index = places.iter().fold(String::new(), |mut index, (name, (first, count))| {
        write!(index, "ProgramGroup {{ name: {name:?}, first: {first}, count: {count} }}, ").unwrap();
        index
    });
    writeln!(code, "pub(crate) static FAMILIES: &[ProgramGroup] = &[{index}];").unwrap();
    writeln!(code, "pub(crate) static PROGRAMS: &[Program] = &[{}];", all.join(",\n")).unwrap();
}

/// The first bytes of a name as a number, in the order of names; `program::beginning` is the same.
fn beginning(name: &str) -> u64 {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte);
    u64::from_be_bytes(bytes)
}

fn program(name: &[String], entry: &Table, of: &str) -> String {
    let options: String = strings(entry.get("options"), of).iter().map(|text| option(text, of)).collect();
    let cases: String = entry.get("when").and_then(Value::as_table).into_iter().flatten().fold(
        String::new(),
        |mut cases, (marks, case)| {
            let marks: Vec<&str> = marks.split(' ').collect();
            write!(cases, "({}, {}), ", qualities(&marks, of), operands(case.as_str().expect(of), of))
                .unwrap();
            cases
        },
    );
    let does: String = strings(entry.get("does"), of).iter().map(|text| does(text, of)).collect();
    let word =
        |key: &str, default: &str| variant(entry.get(key).map_or(default, |value| value.as_str().expect(of)));
    let traits: String = strings(entry.get("traits"), of)
        .iter()
        .map(|word| {
            // The names of traits are those of `Trait`, in the source that declares them.
            let known = TRAITS.contains(&format!("\n        {},\n", variant(word)));
            assert!(known, "{of}: there is no trait `{word}`; see `Trait` in src/program/mod.rs");
            format!("Trait::{}, ", variant(word))
        })
        .collect();
    let handler = entry.get("handler").map_or("None".to_owned(), |value| {
        let name = value.as_str().expect(of);
        let place = HANDLERS.iter().position(|known| *known == name);
        let place = place.unwrap_or_else(|| {
            panic!("{of}: there is no handler `{name}`; see src/eval/handlers/registry.rs")
        });
        format!("Some(Handler({place}))")
    });
    format!(
        "Program {{ name: &{name:?}, options: &[{options}], operands: {}, cases: &[{cases}], does: &[{does}], qualities: {}, wraps: Wraps::{}, \
         prints: Prints::{}, style: Style::{}, traits: &[{traits}], handler: {handler} }}",
        operands(entry.get("operands").map_or("", |value| value.as_str().expect(of)), of),
        qualities(&strings(entry.get("marks"), of), of),
        word("wraps", "plainly"),
        word("prints", "something"),
        word("style", "gnu"),
    )
}

/// `-o --output =write :mark`: names, what the value is (`?` if it must be joined), and a mark.
fn option(text: &str, of: &str) -> String {
    let (mut names, mut says, mut value) = (Vec::new(), "Qualities::NONE".to_owned(), "None".to_owned());
    for token in text.split_whitespace() {
        if let Some(role) = token.strip_prefix('=') {
            let role = variant(if role.is_empty() { "text" } else { role });
            value = match value.strip_prefix("Required(") {
                Some(first) => format!("Two({}, Role::{role})", first.trim_end_matches(')')),
                None => format!("Required(Role::{role})"),
            };
        } else if let Some(role) = token.strip_prefix('?') {
            value = format!("Optional(Role::{})", variant(if role.is_empty() { "text" } else { role }));
        } else if let Some(name) = token.strip_prefix(':') {
            says = qualities(&[name], of);
        } else {
            assert!(
                token.starts_with(['-', '+', '/']),
                "{of}: an option starts with a dash, and `{token}` does not"
            );
            names.push(token);
        }
    }
    assert!(!names.is_empty(), "{of}: an option without a name: `{text}`");
    format!("OptionSpec {{ names: &{names:?}, says: {says}, value: Value::{value} }}, ")
}

/// `read... write`: roles in order, `...` for any number of one.
fn operands(text: &str, of: &str) -> String {
    let roles: Vec<String> = text
        .split_whitespace()
        .map(|token| {
            let (role, many) = token.strip_suffix("...").map_or((token, false), |role| (role, true));
            format!("Operand {{ role: Role::{}, many: {many} }}", variant(role))
        })
        .collect();
    assert!(
        roles.iter().filter(|role| role.contains("many: true")).count() < 2,
        "{of}: only one role can be many"
    );
    format!("&[{}]", roles.join(", "))
}

/// `service +stop ?all !dry-run`: a verb, its marks, what must hold and what must not.
fn does(text: &str, of: &str) -> String {
    let mut tokens = text.split_whitespace();
    let verb = variant(tokens.next().expect("a verb"));
    let (mut marks, mut when, mut unless) = (Vec::new(), Vec::new(), Vec::new());
    for token in tokens {
        match token.split_at(1) {
            ("+", mark) => marks.push(mark),
            ("?", mark) => when.push(mark),
            ("!", mark) => unless.push(mark),
            _ => panic!("`{token}` in `{text}`: expected +mark, ?mark or !mark"),
        }
    }
    format!(
        "StaticEffect {{ action: Action::{verb}, qualities: {}, when: {}, unless: {} }}, ",
        qualities(&marks, of),
        qualities(&when, of),
        qualities(&unless, of)
    )
}

fn rules(code: &mut String) {
    let mut rules = Vec::new();
    for file in files("rules") {
        let table = read(&file);
        let pack = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        only(&table, &["about", "rule"], &file.display().to_string());
        for entry in table["rule"].as_array().expect("[[rule]]") {
            let entry = entry.as_table().expect("a table");
            let verbs: Vec<String> =
                strings(entry.get("effect"), &pack).iter().map(|verb| (*verb).to_owned()).collect();
            rules.push((verbs, rule(entry, &pack, &text)));
        }
    }
    let rules = repeated(&rules);
    // By verb, so that an effect is compared with the rules that can be about it.
    let mut by_verb: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, (verbs, _)) in rules.iter().enumerate() {
        verbs.iter().for_each(|verb| by_verb.entry(variant(verb)).or_default().push(place));
    }
    let arms: String = by_verb.iter().fold(String::new(), |mut arms, (verb, places)| {
        write!(arms, "Action::{verb} => &{places:?}, ").unwrap();
        arms
    });
    writeln!(code, "pub(crate) fn rules_of(action: Action) -> &'static [u16] {{ #[allow(unreachable_patterns, reason = \"generated\")] match action {{ {arms} _ => &[] }} }}").unwrap();
    let rules: Vec<String> = rules.into_iter().map(|(_, rule)| rule).collect();
    writeln!(code, "pub(crate) static RULES: &[Rule] = &[{}];", rules.join(",\n")).unwrap();
}

/// How often the benchmark wants every rule. It is for `cargo xtask bench` alone, which asks what a policy costs that is
/// ten times as large; a release is built without it.
const REPEAT: &str = "CHECKREIN_REPEAT_RULES";

/// The rules, and as often as is wanted the same again under other ids, since two of one id would be taken for one.
fn repeated(rules: &[(Vec<String>, String)]) -> Vec<(Vec<String>, String)> {
    println!("cargo::rerun-if-env-changed={REPEAT}");
    let Some(times) = std::env::var_os(REPEAT) else { return rules.to_vec() };
    let times = times.to_str().and_then(|times| times.parse::<usize>().ok());
    let times = times.unwrap_or_else(|| panic!("{REPEAT}: expected a number"));
    let copy = |number: usize| {
        rules.iter().map(move |(verbs, rule)| match number {
            0 => (verbs.clone(), rule.clone()),
            _ => (
                verbs.clone(),
                rule.replacen("id: Cow::Borrowed(\"", &format!("id: Cow::Borrowed(\"copy-{number}."), 1),
            ),
        })
    };
    (0..times.max(1)).flat_map(copy).collect()
}

fn rule(entry: &Table, pack: &str, text: &str) -> String {
    let id = entry.get("id").and_then(Value::as_str).expect("a rule has an id");
    let of = format!("rules/{pack}.toml: {id}");
    only(
        entry,
        &[
            "id",
            "effect",
            "zone",
            "tag",
            "with",
            "with_any",
            "unless",
            "data",
            "not_data",
            "domain",
            "not_domain",
            "environment",
            "not_environment",
            "certainty",
            "not_certainty",
            "not_tag",
            "programs",
            "target",
            "decision",
            "reason",
            "summary",
            "suggestion",
            "match",
            "not_match",
        ],
        &of,
    );
    let line =
        text.lines().position(|line| line.contains(&format!("id = \"{id}\""))).map_or(0, |line| line + 1);
    let list = |key: &str| strings(entry.get(key), &of);
    let need = |key: &str| {
        entry.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("{of}: `{key}` is missing"))
    };
    assert!(!list("effect").is_empty(), "{of}: `effect` is missing");
    let borrowed = |key: &str| {
        let items: Vec<String> = list(key).iter().map(|item| format!("Cow::Borrowed({item:?})")).collect();
        format!("Cow::Borrowed(&[{}])", items.join(", "))
    };
    format!(
        "Rule {{ id: Cow::Borrowed(\"{pack}.{id}\"), line: {line}, actions: {}, zones: {}, tags: {}, not_tags: {}, with: {}, with_any: {}, unless: {}, data: {}, not_data: {}, domain: {}, not_domain: {}, environment: {}, not_environment: {}, certainty: {}, not_certainty: {}, programs: {}, \
         targets: {}, decision: Decision::{}, reason: Cow::Borrowed({:?}), summary: Cow::Borrowed({:?}), suggestion: Cow::Borrowed({:?}), matches: {}, not_matches: {} }}",
        set("Action", &list("effect")),
        set("Zone", &list("zone")),
        set("Tag", &list("tag")),
        set("Tag", &list("not_tag")),
        set("Modifier", &list("with")),
        set("Modifier", &list("with_any")),
        set("Modifier", &list("unless")),
        set("Taint", &list("data")),
        set("Taint", &list("not_data")),
        set("Domain", &list("domain")),
        set("Domain", &list("not_domain")),
        set("Environment", &list("environment")),
        set("Environment", &list("not_environment")),
        set("Certainty", &list("certainty")),
        set("Certainty", &list("not_certainty")),
        borrowed("programs"),
        borrowed("target"),
        variant(need("decision")),
        need("reason"),
        need("summary"),
        need("suggestion"),
        borrowed("match"),
        borrowed("not_match"),
    )
}
