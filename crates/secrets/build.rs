//! Turns the rules into tables of the program, so that nothing is parsed or built when it starts.
//!
//! The tables hold numbers and no pointers: a position-independent program would have to adjust every pointer when it starts.
//! A mistake in a rule is an error of the build that names the file and the line.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    dead_code,
    reason = "an error of the build"
)]

use std::{
    collections::BTreeMap,
    fmt::Write,
    path::{Path, PathBuf},
};
use toml::{Table, Value};

#[path = "src/class.rs"]
mod class;
#[path = "src/gram.rs"]
mod gram;

/// Tests of a whole value, by the names that the rules use, and the variants that they are.
const CHECKS: &[(&str, &str)] = &[
    ("crc32-base62", "Crc32Base62"),
    ("crc32-hex-le", "Crc32HexLe"),
    ("gitlab-routable", "GitlabRoutable"),
    ("macaroon", "Macaroon"),
    ("bech32", "Bech32"),
    ("base58", "Base58"),
    ("nkey", "Nkey"),
    ("luhn", "Luhn"),
    ("jwt", "Jwt"),
    ("basic", "Basic"),
    ("pem", "Pem"),
    ("putty", "Putty"),
    ("mixed", "Mixed"),
    ("mixed3", "Mixed3"),
    ("discord", "Discord"),
    ("aws-pair", "AwsPair"),
    ("azure-sas", "AzureSas"),
    ("not-firebase-web", "NotFirebaseWeb"),
    ("base64-json", "Base64Json"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=rules");
    let mut tables = Tables::default();
    for file in files("rules") {
        tables.read(&file);
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    std::fs::write(out.join("tables.rs"), tables.code()).expect("the build directory can be written");
}

fn files(directory: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(directory).expect(directory).map(|entry| entry.expect(directory).path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

/// The place of an entry, for messages.
struct Place<'a> {
    file: &'a Path,
    text: &'a str,
    name: String,
}

impl Place<'_> {
    fn fail(&self, problem: &str) -> ! {
        let quoted = format!("\"{}\"", self.name);
        let line = self.text.lines().position(|line| line.starts_with("name") && line.ends_with(&quoted));
        panic!("{}:{}: `{}`: {problem}", self.file.display(), line.map_or(0, |line| line + 1), self.name)
    }
}

#[derive(Clone, Debug)]
enum Item {
    Literal(Vec<u8>),
    Run { class: usize, min: u16, max: u16 },
}

struct Parsed {
    items: Vec<Item>,
    /// The item that the search starts at.
    anchor: usize,
    /// The first item that is hidden.
    hide: usize,
}

#[derive(Default)]
struct Tables {
    /// Literals and names, in one piece.
    bytes: Vec<u8>,
    kinds: String,
    kind_count: usize,
    labels: Vec<String>,
    names: BTreeMap<String, ()>,
    ops: Vec<String>,
    shapes: String,
    shape_count: usize,
    named: String,
    constants: String,
    named_count: usize,
    anchors: Vec<String>,
    /// The hash of a gram, and the anchor that it belongs to.
    entries: Vec<(u32, usize)>,
}

impl Tables {
    fn read(&mut self, file: &Path) {
        let text =
            std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let table: Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for (key, value) in &table {
            let list = value.as_array().unwrap_or_else(|| panic!("{}: `{key}` is no list", file.display()));
            for entry in list {
                match (key.as_str(), entry) {
                    ("kind", Value::Table(entry)) => self.kind(entry, &place(file, &text, entry)),
                    ("named", Value::Table(entry)) => self.named(entry, &place(file, &text, entry)),
                    ("special", Value::Table(entry)) => self.special(entry, &place(file, &text, entry)),
                    ("keyword", Value::String(word)) => self.keyword(word),
                    _ => panic!("{}: there is no key `{key}`", file.display()),
                }
            }
        }
    }

    fn kind(&mut self, entry: &Table, place: &Place<'_>) {
        only(entry, &["name", "label", "class", "shapes", "check", "left", "hosts", "twins"], place);
        let class = match text(entry, "class", place) {
            "checksum" => "Checksum",
            "prefix" => "Prefix",
            other => place.fail(&format!("there is no class `{other}`; there are checksum and prefix")),
        };
        let left = match entry.get("left").map(|_| text(entry, "left", place)) {
            None => false,
            Some("any") => true,
            Some(other) => place.fail(&format!("`left` is `any` or nothing, not `{other}`")),
        };
        let kind = self.add_kind(entry, class, left || class == "Checksum", place);
        for shape in strings(entry, "shapes", place) {
            let parsed = parse(shape, place);
            self.shape(kind, &parsed, true, place);
        }
    }

    fn named(&mut self, entry: &Table, place: &Place<'_>) {
        only(entry, &["name", "words", "value", "check"], place);
        let kind = self.add_kind(entry, "Generic", true, place);
        let words = text(entry, "words", place);
        let (at, length) = self.intern(words.as_bytes());
        let parsed = parse_at(text(entry, "value", place), Some(0), place);
        let shape = self.shape(kind, &parsed, false, place);
        writeln!(
            self.named,
            "    Named {{ words: Slice {{ at: {at}, length: {length} }}, shape: {shape} }},"
        )
        .unwrap();
        self.named_count += 1;
    }

    /// A kind that code finds, under a constant of its name.
    fn special(&mut self, entry: &Table, place: &Place<'_>) {
        only(entry, &["name", "label"], place);
        let kind = self.add_kind(entry, "Generic", true, place);
        let constant = text(entry, "name", place).replace('-', "_").to_uppercase();
        writeln!(self.constants, "pub(crate) const {constant}: Kind = Kind({kind});").unwrap();
    }

    fn add_kind(&mut self, entry: &Table, class: &str, left: bool, place: &Place<'_>) -> usize {
        let name = text(entry, "name", place);
        if self.names.insert(name.to_owned(), ()).is_some() {
            place.fail("this name is taken");
        }
        let default = if class == "Generic" { "value".to_owned() } else { name.replace('-', "_") };
        let label = entry.get("label").map_or(default, |_| text(entry, "label", place).to_owned());
        if !label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_') {
            place.fail("a label has small letters, digits and `_`");
        }
        let label = match self.labels.iter().position(|known| *known == label) {
            Some(at) => at,
            None => {
                self.labels.push(label);
                self.labels.len() - 1
            }
        };
        let (check, argument) = match entry.get("check") {
            None => ("None", ""),
            Some(_) => {
                let check = text(entry, "check", place);
                let (name, argument) = check.split_once(':').unwrap_or((check, ""));
                match CHECKS.iter().find(|(known, _)| *known == name) {
                    Some((_, variant)) => (*variant, argument),
                    None => place.fail(&format!("there is no check `{name}`")),
                }
            }
        };
        let hosts = if entry.contains_key("hosts") {
            strings(entry, "hosts", place).join(" ")
        } else {
            String::new()
        };
        let (name, argument, hosts) =
            (self.intern(name.as_bytes()), self.intern(argument.as_bytes()), self.intern(hosts.as_bytes()));
        let slice = |(at, length): (usize, usize)| format!("Slice {{ at: {at}, length: {length} }}");
        writeln!(
            self.kinds,
            "    KindRow {{ name: {}, label: {label}, class: Class::{class}, check: Check::{check}, argument: {}, left: {left}, hosts: {} }},",
            slice(name),
            slice(argument),
            slice(hosts),
        )
        .unwrap();
        self.kind_count += 1;
        self.kind_count - 1
    }

    fn shape(&mut self, kind: usize, parsed: &Parsed, anchored: bool, place: &Place<'_>) -> usize {
        let (before, after) = parsed.items.split_at(parsed.anchor);
        // The part before the anchor is read backwards.
        let before = self.add_ops(before.iter().rev());
        let after = self.add_ops(after.iter());
        let hide = parsed.hide - parsed.anchor.min(parsed.hide);
        writeln!(
            self.shapes,
            "    Shape {{ kind: {kind}, before: Slice {{ at: {}, length: {} }}, after: Slice {{ at: {}, length: {} }}, hide: {hide} }},",
            before.0, before.1, after.0, after.1,
        )
        .unwrap();
        let shape = self.shape_count;
        self.shape_count += 1;
        if anchored {
            let Item::Literal(literal) = &parsed.items[parsed.anchor] else {
                place.fail("a shape needs a literal to be searched for");
            };
            let next: Vec<u8> = match parsed.items.get(parsed.anchor + 1) {
                Some(Item::Run { class, min, .. }) if *min > 0 => class::members(class::CLASSES[*class].1),
                Some(Item::Literal(next)) => next.first().copied().into_iter().collect(),
                _ => Vec::new(),
            };
            self.anchor(literal, &next, false, shape, &|problem| place.fail(problem));
        }
        shape
    }

    fn keyword(&mut self, word: &str) {
        let fail = |problem: &str| panic!("keyword `{word}`: {problem}");
        match word {
            "://" => {
                for first in class::members("a-z0-9") {
                    self.anchor(&[&[first][..], b"://"].concat(), &[], true, usize::from(u16::MAX), &fail);
                }
            }
            _ => self.anchor(
                word.as_bytes(),
                &class::members(" =:\"'_>-"),
                true,
                usize::from(u16::MAX) - 1,
                &fail,
            ),
        }
    }

    /// Enters the rarest gram of a literal into the table of grams.
    fn anchor(&mut self, literal: &[u8], next: &[u8], fold: bool, target: usize, fail: &dyn Fn(&str)) {
        let (at, length) = self.intern(literal);
        let gram_at = gram::rarest(literal).unwrap_or(0);
        self.anchors.push(format!(
            "    Anchor {{ literal: Slice {{ at: {at}, length: {length} }}, gram_at: {gram_at}, fold: {fold}, target: {target} }},"
        ));
        let anchor = self.anchors.len() - 1;
        let grams: Vec<[u8; 4]> = match literal {
            [a, b, c] if !next.is_empty() => next.iter().map(|d| [*a, *b, *c, *d]).collect(),
            _ if literal.len() >= 4 => vec![literal[gram_at..gram_at + 4].try_into().unwrap()],
            _ => {
                fail("the literal is too short to be searched for");
                Vec::new()
            }
        };
        let mut hashes: Vec<u32> = grams.iter().map(|gram| gram::hash(u32::from_le_bytes(*gram))).collect();
        hashes.sort_unstable();
        hashes.dedup();
        self.entries.extend(hashes.into_iter().map(|hash| (hash, anchor)));
    }

    fn add_ops<'i>(&mut self, items: impl Iterator<Item = &'i Item>) -> (usize, usize) {
        let at = self.ops.len();
        for item in items {
            let op = match item {
                Item::Literal(literal) => {
                    let (at, length) = self.intern(literal);
                    format!("    Op {{ class: LITERAL, min: {at}, max: {length} }},")
                }
                Item::Run { class, min, max } => {
                    format!("    Op {{ class: {class}, min: {min}, max: {max} }},")
                }
            };
            self.ops.push(op);
        }
        (at, self.ops.len() - at)
    }

    fn intern(&mut self, bytes: &[u8]) -> (usize, usize) {
        let known = self.bytes.windows(bytes.len().max(1)).position(|window| window == bytes);
        let at = known.unwrap_or_else(|| {
            self.bytes.extend(bytes);
            self.bytes.len() - bytes.len()
        });
        (if bytes.is_empty() { 0 } else { at }, bytes.len())
    }

    fn code(mut self) -> String {
        let mut code = std::mem::take(&mut self.constants);
        let mut classes = [0_u32; 256];
        for (index, (_, description)) in class::CLASSES.iter().enumerate() {
            class::members(description).into_iter().for_each(|byte| classes[usize::from(byte)] |= 1 << index);
        }
        writeln!(code, "static CLASS_BITS: [u32; 256] = {classes:?};").unwrap();
        let mut bits = [0_u64; gram::BITS / 64];
        for (hash, _) in &self.entries {
            bits[*hash as usize / 64] |= 1 << (hash % 64);
        }
        writeln!(code, "pub(crate) static GRAM_BITS: [u64; {}] = {bits:?};", bits.len()).unwrap();
        self.entries.sort_unstable();
        let heads: Vec<usize> = (0..=gram::BUCKETS)
            .map(|bucket| self.entries.partition_point(|(hash, _)| gram::bucket(*hash) < bucket))
            .collect();
        writeln!(code, "static HEADS: [u16; {}] = {heads:?};", heads.len()).unwrap();
        writeln!(code, "static ENTRIES: [(u32, u16); {}] = {:?};", self.entries.len(), self.entries).unwrap();
        writeln!(
            code,
            "static ANCHORS: [Anchor; {}] = [\n{}\n];",
            self.anchors.len(),
            self.anchors.join("\n")
        )
        .unwrap();
        writeln!(code, "static OPS: [Op; {}] = [\n{}\n];", self.ops.len(), self.ops.join("\n")).unwrap();
        writeln!(code, "static SHAPES: [Shape; {}] = [\n{}];", self.shape_count, self.shapes).unwrap();
        writeln!(code, "static KINDS: [KindRow; {}] = [\n{}];", self.kind_count, self.kinds).unwrap();
        writeln!(code, "static NAMED: [Named; {}] = [\n{}];", self.named_count, self.named).unwrap();
        let labels: Vec<String> = std::mem::take(&mut self.labels);
        let slices: Vec<String> = labels
            .iter()
            .map(|label| {
                let (at, length) = self.intern(label.as_bytes());
                format!("Slice {{ at: {at}, length: {length} }}")
            })
            .collect();
        writeln!(code, "static LABELS: [Slice; {}] = [{}];", slices.len(), slices.join(", ")).unwrap();
        let bytes = String::from_utf8(self.bytes).expect("rules are ASCII");
        assert!(
            bytes.is_ascii() && bytes.len() < usize::from(u16::MAX),
            "the literals are too many: {}",
            bytes.len()
        );
        writeln!(code, "static BYTES: &str = {bytes:?};").unwrap();
        code
    }
}

fn place<'a>(file: &'a Path, text: &'a str, entry: &Table) -> Place<'a> {
    let name = entry.get("name").and_then(Value::as_str).unwrap_or("an entry without a name").to_owned();
    Place { file, text, name }
}

fn only(entry: &Table, keys: &[&str], place: &Place<'_>) {
    for key in entry.keys() {
        if !keys.contains(&key.as_str()) {
            place.fail(&format!("there is no key `{key}`; there are {keys:?}"));
        }
    }
}

fn text<'t>(entry: &'t Table, key: &str, place: &Place<'_>) -> &'t str {
    entry.get(key).and_then(Value::as_str).unwrap_or_else(|| place.fail(&format!("`{key}` must be a string")))
}

fn strings<'t>(entry: &'t Table, key: &str, place: &Place<'_>) -> Vec<&'t str> {
    let list = entry.get(key).and_then(Value::as_array);
    let list = list.unwrap_or_else(|| place.fail(&format!("`{key}` must be a list of strings")));
    list.iter()
        .map(|item| {
            item.as_str().unwrap_or_else(|| place.fail(&format!("`{key}` must be a list of strings")))
        })
        .collect()
}

fn parse(shape: &str, place: &Place<'_>) -> Parsed {
    parse_at(shape, None, place)
}

/// Reads a shape: literals in quotes, runs `class*count`, `uuid`, and brackets around what is hidden.
fn parse_at(shape: &str, anchor: Option<usize>, place: &Place<'_>) -> Parsed {
    let mut items = Vec::new();
    let (mut marked, mut hide, mut first_literal) = (anchor, None, None);
    let mut rest = shape.trim();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            hide = Some(items.len());
            rest = after.trim_start();
            continue;
        }
        if let Some(after) = rest.strip_prefix(']') {
            if !after.trim().is_empty() {
                place.fail("what is hidden is the end of a shape");
            }
            rest = "";
            continue;
        }
        if let Some(after) = rest.strip_prefix('@') {
            marked = Some(items.len());
            rest = after;
        }
        if let Some(after) = rest.strip_prefix('\'') {
            let end = after.find('\'').unwrap_or_else(|| place.fail("a literal is not closed"));
            first_literal = first_literal.or(Some(items.len()));
            items.push(Item::Literal(after.as_bytes()[..end].to_vec()));
            rest = after[end + 1..].trim_start();
            continue;
        }
        let end = rest.find(' ').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after.trim_start();
        if word == "uuid" {
            for (index, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
                if index > 0 {
                    items.push(Item::Literal(b"-".to_vec()));
                }
                items.push(run("xhex", &length.to_string(), place));
            }
            continue;
        }
        let (class, count) =
            word.split_once('*').unwrap_or_else(|| place.fail(&format!("`{word}` has no count")));
        items.push(run(class, count, place));
    }
    let anchor = marked.or(first_literal).unwrap_or_else(|| place.fail("a shape needs a literal"));
    if items.len() > 32 {
        place.fail("a shape has at most 32 items");
    }
    if hide.is_some_and(|hide| hide < anchor) {
        place.fail("what is hidden begins after the anchor");
    }
    Parsed { items, anchor, hide: hide.unwrap_or(0) }
}

fn run(class: &str, count: &str, place: &Place<'_>) -> Item {
    let number = |text: &str| text.parse().unwrap_or_else(|_| place.fail(&format!("`{text}` is no number")));
    let (min, max) = match count.split_once("..") {
        None => (number(count), number(count)),
        Some((min, "")) => (number(min), u16::MAX),
        Some((min, max)) => (number(min), number(max)),
    };
    let known = class::CLASSES.iter().position(|(name, _)| *name == class);
    Item::Run {
        class: known.unwrap_or_else(|| place.fail(&format!("there is no class `{class}`"))),
        min,
        max,
    }
}
