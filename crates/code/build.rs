//! Turns `names/*.toml`, `options.toml` and `powershell.toml` into constant tables, so that nothing is parsed when the program
//! starts.
//!
//! A mistake in a table is an error of the build that names the file and the line.

#![allow(clippy::panic, reason = "an error of the build")]

#[path = "src/names/call.rs"]
mod call;

use call::{Call, Deep, Encoding};
use std::{
    collections::BTreeMap,
    fmt::Write,
    path::{Path, PathBuf},
};
use toml::{Table, Value};

/// The languages that have a table.
const LANGUAGES: [&str; 7] = ["python", "perl", "ruby", "javascript", "php", "lua", "go"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/names/call.rs");
    let mut code = String::new();
    for language in LANGUAGES {
        let file = File::read(&Path::new("names").join(language).with_extension("toml"));
        file.table(&language.to_uppercase(), &mut code);
    }
    write("names.rs", &code);
    write("options.rs", &File::read(Path::new("options.toml")).options());
    let powershell = File::read(Path::new("powershell.toml"));
    write("cmdlets.rs", &powershell.lists("cmdlets", &["switches", "others"]));
    write("program.rs", &powershell.lists("program", &["valued"]));
}

fn write(name: &str, code: &str) {
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default().join(name);
    if let Err(error) = std::fs::write(&out, code) {
        panic!("{}: {error}", out.display());
    }
}

/// The interpreters with options of this kind, and their languages.
const INTERPRETERS: [(&str, &str); 10] = [
    ("python", "Python"),
    ("perl", "Perl"),
    ("ruby", "Ruby"),
    ("javascript", "JavaScript"),
    ("php", "Php"),
    ("lua", "Lua"),
    ("awk", "Awk"),
    ("sed", "Sed"),
    ("applescript", "AppleScript"),
    ("make", "Make"),
];

/// A file of names.
struct File {
    path: PathBuf,
    text: String,
    table: Table,
}

impl File {
    fn read(path: &Path) -> Self {
        println!("cargo::rerun-if-changed={}", path.display());
        let path = path.to_owned();
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self { path, text, table }
    }

    /// Ends the build. `word` is in the line that is wrong: in its last, if there are several.
    fn fail(&self, word: &str, what: &str) -> ! {
        let wrong = |line: &str| {
            line.split(['"', ' ', '[', ']', '.']).any(|part| part == word)
                || line.contains(&format!("\"{word}\""))
        };
        let line = self.text.lines().enumerate().filter(|(_, line)| wrong(line)).last();
        panic!("{}:{}: `{word}` {what}", self.path.display(), line.map_or(1, |(line, _)| line + 1));
    }

    /// Writes the constant of a language.
    fn table(&self, name: &str, code: &mut String) {
        const KEYS: [&str; 6] = ["environment", "joins", "dots", "commands", "functions", "methods"];
        if let Some(key) = self.table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            self.fail(key, "is no key of a table of names");
        }
        let commands = match self.table.get("commands") {
            Some(Value::Boolean(commands)) => *commands,
            Some(_) | None => self.fail("commands", "must be `true` or `false`"),
        };
        let mut put = |text: std::fmt::Arguments<'_>| {
            let _infallible = code.write_fmt(text);
        };
        put(format_args!("pub(super) const {name}: Table = Table {{ commands: {commands}, "));
        for key in ["environment", "joins", "dots"] {
            put(format_args!("{key}: &{:?}, ", self.list(&self.table, key)));
        }
        put(format_args!("functions: &["));
        let mut known = BTreeMap::new();
        for (function, call) in self.calls(self.section(&self.table, "functions"), &mut known) {
            put(format_args!("({function:?}, {call:?}), "));
        }
        put(format_args!("], methods: &["));
        let methods = self.table.get("methods").and_then(Value::as_table).cloned().unwrap_or_default();
        if let Some(key) = methods.keys().find(|key| !matches!(key.as_str(), "receiver" | "arguments")) {
            self.fail(key, "says nothing about a method: write `receiver` or `arguments`");
        }
        let mut known = BTreeMap::new();
        for (with, variant) in [("receiver", "With::Receiver"), ("arguments", "With::Arguments")] {
            for (method, call) in self.calls(self.section(&methods, with), &mut known) {
                put(format_args!("({method:?}, {variant}, {call:?}), "));
            }
        }
        put(format_args!("] }};\n"));
    }

    /// Returns the function that knows the options of each interpreter.
    fn options(&self) -> String {
        let mut code =
            "pub(super) fn options(language: Language) -> Options {\n    match language {\n".to_owned();
        for key in self.table.keys() {
            if !INTERPRETERS.iter().any(|(name, _)| name == key) {
                self.fail(key, "is no interpreter with options of this kind");
            }
        }
        let none = Table::new();
        for (name, language) in INTERPRETERS.into_iter().chain([("", "PowerShell | Language::Go")]) {
            let section = self.section(&self.table, name).unwrap_or(&none);
            let _infallible =
                writeln!(code, "        Language::{language} => {},", self.interpreter(section));
        }
        code + "    }\n}\n"
    }

    fn interpreter(&self, section: &Table) -> String {
        const LETTERS: [&str; 7] = ["code", "file", "module", "value", "rest", "none", "in_place"];
        const LONG: [&str; 4] = ["code_long", "file_long", "value_long", "in_place_long"];
        const SWITCHES: [&str; 2] = ["first_is_text", "ends"];
        let known = |key: &str| [LETTERS.as_slice(), &LONG, &SWITCHES].concat().contains(&key);
        if let Some(key) = section.keys().find(|key| !known(key)) {
            self.fail(key, "is no key of an interpreter");
        }
        let mut fields = String::new();
        for key in LETTERS {
            let letters = section.get(key).map_or(Some(""), Value::as_str);
            let letters = letters.unwrap_or_else(|| self.fail(key, "must be a string of letters"));
            let _infallible = write!(fields, "{key}: {letters:?}, ");
        }
        for key in LONG {
            let names = if section.contains_key(key) { self.list(section, key) } else { Vec::new() };
            if let Some(name) = names.iter().find(|name| !name.starts_with("--")) {
                self.fail(name, "is no long option");
            }
            let _infallible = write!(fields, "{key}: &{names:?}, ");
        }
        for key in SWITCHES {
            let is_set = section.get(key).map_or(Some(false), Value::as_bool);
            let is_set = is_set.unwrap_or_else(|| self.fail(key, "must be `true` or `false`"));
            let _infallible = write!(fields, "{key}: {is_set}, ");
        }
        format!("Options {{ {fields}}}")
    }

    /// Returns the lists of a section as constants.
    fn lists(&self, section: &str, keys: &[&str]) -> String {
        let Some(table) = self.section(&self.table, section) else { self.fail(section, "is missing") };
        if let Some(key) = table.keys().find(|key| !keys.contains(&key.as_str())) {
            self.fail(key, "is no key of this table");
        }
        let lists = keys.iter().map(|key| {
            let list = self.list(table, key);
            if let Some(name) = list.iter().find(|name| name.chars().any(|char| !char.is_ascii_lowercase())) {
                self.fail(name, "is not in small letters");
            }
            format!("const {}: &[&str] = &{list:?};\n", key.to_uppercase())
        });
        lists.collect()
    }

    fn section<'a>(&self, table: &'a Table, key: &str) -> Option<&'a Table> {
        match table.get(key) {
            Some(Value::Table(section)) => Some(section),
            Some(_) => self.fail(key, "must be a table"),
            None => None,
        }
    }

    /// The names of a section with what they do. A name has one meaning.
    fn calls(&self, section: Option<&Table>, known: &mut BTreeMap<String, Call>) -> Vec<(String, Call)> {
        let mut calls = Vec::new();
        for (word, _) in section.into_iter().flatten() {
            let call = call(word).unwrap_or_else(|| self.fail(word, "is no call"));
            for name in section.map(|section| self.list(section, word)).unwrap_or_default() {
                if let Some(before) = known.insert(name.clone(), call) {
                    self.fail(&name, &format!("is already in the table, as {before:?}"));
                }
                calls.push((name, call));
            }
        }
        calls
    }

    fn list(&self, table: &Table, key: &str) -> Vec<String> {
        let Some(list) = table.get(key).and_then(Value::as_array) else {
            self.fail(key, "must be a list of names");
        };
        let name = |value: &Value| match value.as_str() {
            Some(name) => name.to_owned(),
            None => self.fail(key, "must be a list of names"),
        };
        list.iter().map(name).collect()
    }
}

/// The call that a word of a table means: `delete`, `delete:recursive`, `vector:1`.
fn call(word: &str) -> Option<Call> {
    let (name, detail) = word.split_once(':').map_or((word, None), |(name, detail)| (name, Some(detail)));
    let deep = || match detail {
        None => Some(Deep::Never),
        Some("recursive") => Some(Deep::Always),
        Some("recursive-by-option") => Some(Deep::Option),
        Some(_) => None,
    };
    match name {
        "delete" => return deep().map(Call::Delete),
        "mode" => return deep().map(Call::Mode),
        "mode-first" => return deep().map(Call::ModeFirst),
        "vector" => return Some(Call::Vector(detail?.parse().ok()?)),
        "shown" => return Some(Call::Shown(detail?.to_owned().leak())),
        "decode" => {
            return Some(Call::Decode(match detail? {
                "base64" => Encoding::Base64,
                "hex" => Encoding::Hex,
                "rot13" => Encoding::Rot13,
                "named" => Encoding::Named,
                "other" => Encoding::Other,
                _ => return None,
            }));
        }
        _ => {}
    }
    Some(match word {
        "shell" => Call::Shell,
        "run" => Call::Run,
        "words" => Call::Words,
        "spawn" => Call::Spawn,
        "write" => Call::Write,
        "append" => Call::Append,
        "open" => Call::Open,
        "perl-open" => Call::PerlOpen,
        "move" => Call::Move,
        "copy" => Call::Copy,
        "link" => Call::Link,
        "link-to" => Call::LinkTo,
        "owner" => Call::Owner,
        "owner-last" => Call::OwnerLast,
        "read" => Call::Read,
        "read-or-fetch" => Call::ReadOrFetch,
        "fetch" => Call::Fetch,
        "fetch-to" => Call::FetchTo,
        "post" => Call::Post,
        "request" => Call::Request,
        "connect" => Call::Connect,
        "send" => Call::Send,
        "evaluate" => Call::Evaluate,
        "evaluate-last" => Call::EvaluateLast,
        "console" => Call::Console,
        "run-file" => Call::RunFile,
        "function-of" => Call::FunctionOf,
        "indirect" => Call::Indirect,
        "search" => Call::Search,
        "tie" => Call::Tie,
        "kill" => Call::Kill,
        "count" => Call::Count,
        "processes" => Call::Processes,
        "parent" => Call::Parent,
        "type" => Call::Type,
        "lookup" => Call::Lookup,
        "module" => Call::Module,
        "keys" => Call::Keys,
        "unseen" => Call::Unseen,
        "ioctl" => Call::Ioctl,
        "query" => Call::Query,
        "erase" => Call::Erase,
        "wipe" => Call::Wipe,
        "destroy" => Call::Destroy(false),
        "destroy:whole" => Call::Destroy(true),
        "everything" => Call::Everything,
        "wipe-all" => Call::WipeAll,
        "print" => Call::Print,
        "home" => Call::Home,
        "temporary" => Call::Temporary,
        "temporary-root" => Call::TemporaryRoot,
        "join" => Call::Join,
        "same" => Call::Same,
        "expand-user" => Call::ExpandUser,
        "glob" => Call::Glob,
        "glob-below" => Call::GlobBelow,
        "names" => Call::Names,
        "pairs" => Call::Pairs,
        "held" => Call::Held,
        "keys-of" => Call::KeysOf,
        "elements" => Call::Elements,
        "at" => Call::At,
        "default" => Call::Default,
        "declare" => Call::Declare,
        "json" => Call::Json,
        "last-part" => Call::LastPart,
        "bless" => Call::Bless,
        "drop-database" => Call::DropDatabase,
        "entries" => Call::Entries,
        "walk" => Call::Walk,
        "getenv" => Call::Getenv,
        "getattr" => Call::Getattr,
        "by-name" => Call::ByName,
        "import" => Call::Import,
        "chr" => Call::Chr,
        "chdir" => Call::Chdir,
        "join-list" => Call::JoinList,
        "join-with" => Call::JoinWith,
        "replace" => Call::Replace,
        "reverse" => Call::Reverse,
        "split" => Call::Split,
        "dirname" => Call::Dirname,
        "format" => Call::Format,
        "socket" => Call::Socket,
        "enumerate" => Call::Enumerate,
        "put" => Call::Put,
        "tuple" => Call::Tuple,
        "fresh" => Call::Fresh,
        "scope" => Call::Scope,
        "quoted" => Call::Quoted,
        "lower" => Call::Lower,
        "upper" => Call::Upper,
        "first" => Call::First,
        "last" => Call::Last,
        "slice" => Call::Slice,
        "nothing" => Call::Nothing,
        _ => return None,
    })
}
