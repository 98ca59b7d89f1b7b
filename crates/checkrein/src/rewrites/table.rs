//! The table of package managers: `rewrites/managers.toml`, which the build has checked. It is read only where one of them is named.

use super::text::Command;
use serde_json::Value;
use std::sync::LazyLock;

/// A package manager. `managers.toml` explains the fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Manager {
    pub(super) name: String,
    pub(super) values: Vec<String>,
    pub(super) installs: Vec<String>,
    pub(super) installs_alone: bool,
    pub(super) careful: bool,
    pub(super) without_scripts: String,
    pub(super) without_scripts_newer: String,
}

/// A file that says which manager a project uses.
#[derive(Clone, Debug, Default)]
pub(super) struct Lock {
    pub(super) family: String,
    pub(super) files: Vec<String>,
    pub(super) manager: String,
}

/// The commands of one program in the words of another.
#[derive(Clone, Debug, Default)]
pub(super) struct Mapping {
    pub(super) from: Vec<String>,
    pub(super) to: String,
    pub(super) commands: Vec<Said>,
}

/// A command in the words of another program.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    pub(super) from: Vec<String>,
    pub(super) with: String,
    pub(super) alone: Option<String>,
    pub(super) operands: Option<String>,
    pub(super) rest: bool,
    pub(super) options: Vec<Opt>,
}

/// An option with its counterpart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Opt {
    pub(super) names: Vec<String>,
    pub(super) has_value: bool,
    /// Another name; `None` if it stays, and empty if it is left out.
    pub(super) becomes: Option<String>,
}

impl Opt {
    /// Reads the notation of the table; `None` if it is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        const VALUE: &str = " VALUE";
        let text = text.trim();
        let (left, right) = match text.strip_suffix(" =") {
            Some(left) => (left, Some("")),
            None => match text.split_once(" = ") {
                Some((left, right)) => (left, Some(right)),
                None => (text, None),
            },
        };
        let (names, has_value) = left.strip_suffix(VALUE).map_or((left, false), |names| (names, true));
        let becomes = match right {
            Some(right) if has_value && !right.is_empty() => Some(right.strip_suffix(VALUE)?),
            other => other,
        };
        let is_option =
            |name: &&str| name.len() > 1 && name.starts_with('-') && !name.contains(char::is_whitespace);
        let names: Vec<&str> = names.split('|').collect();
        let is_known =
            names.iter().all(&is_option) && becomes.is_none_or(|name| name.is_empty() || is_option(&name));
        is_known.then(|| Self {
            names: names.into_iter().map(str::to_owned).collect(),
            has_value,
            becomes: becomes.map(str::to_owned),
        })
    }
}

/// A list of the table, which the build has checked.
macro_rules! rows {
    ($file:literal, $read:expr) => {{
        let rows: Vec<Value> =
            serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/", $file))).unwrap_or_default();
        rows.iter().map($read).collect()
    }};
}

// Each is read by itself, because a call that needs one rarely needs another.
static MANAGERS: LazyLock<Vec<Manager>> = LazyLock::new(|| rows!("managers.json", manager));
static LOCKS: LazyLock<Vec<Lock>> = LazyLock::new(|| rows!("locks.json", lock));
static MAPPINGS: LazyLock<Vec<Mapping>> = LazyLock::new(|| rows!("mappings.json", mapping));
/// The programs of the mappings.
const MAPPED: &str = include_str!(concat!(env!("OUT_DIR"), "/mapped.txt"));

fn rows<'j>(json: &'j Value, key: &str) -> impl Iterator<Item = &'j Value> {
    json.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn text(row: &Value, key: &str) -> String {
    row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn texts(row: &Value, key: &str) -> Vec<String> {
    rows(row, key).filter_map(Value::as_str).map(str::to_owned).collect()
}

fn manager(row: &Value) -> Manager {
    Manager {
        name: text(row, "name"),
        values: texts(row, "values"),
        installs: texts(row, "installs"),
        installs_alone: row.get("alone").and_then(Value::as_bool).unwrap_or_default(),
        careful: row.get("careful").and_then(Value::as_bool).unwrap_or_default(),
        without_scripts: text(row, "without_scripts"),
        without_scripts_newer: text(row, "newer"),
    }
}

fn lock(row: &Value) -> Lock {
    Lock { family: text(row, "family"), files: texts(row, "files"), manager: text(row, "manager") }
}

fn mapping(row: &Value) -> Mapping {
    let said = |row: &Value| Said {
        from: texts(row, "from"),
        with: text(row, "with"),
        alone: row.get("alone").and_then(Value::as_str).map(str::to_owned),
        operands: row.get("operands").and_then(Value::as_str).map(str::to_owned),
        rest: row.get("rest").and_then(Value::as_bool).unwrap_or_default(),
        options: texts(row, "options").iter().filter_map(|option| Opt::read(option)).collect(),
    };
    Mapping {
        from: texts(row, "from"),
        to: text(row, "to"),
        commands: rows(row, "command").map(said).collect(),
    }
}

/// Returns the manager of a name.
pub(super) fn manager_of(name: &str) -> Option<&'static Manager> {
    MANAGERS.iter().find(|manager| manager.name == name)
}

/// Returns the files that say which manager a project uses.
pub(super) fn locks() -> &'static [Lock] {
    &LOCKS
}

/// Returns the mappings from any program.
pub(super) fn mappings() -> &'static [Mapping] {
    &MAPPINGS
}

/// Returns whether a program has commands that can be said in another.
pub(super) fn has_mapping(program: &str) -> bool {
    MAPPED.split(' ').any(|known| known == program)
}

/// Returns whether the tables can translate the commands of one program into another's.
pub(crate) fn is_mapped(program: &str, with: &str) -> bool {
    mappings().iter().any(|mapping| mapping.to == with && mapping.from.iter().any(|from| from == program))
}

/// Returns whether a text is the notation for an option.
pub(crate) fn is_option(text: &str) -> bool {
    Opt::read(text).is_some()
}

/// Returns the index of the command of a manager among its words, `Some(None)` if it has none, and `None` if that is not known.
pub(super) fn subcommand(manager: &Manager, command: &Command<'_>) -> Option<Option<usize>> {
    let mut index = 1;
    while index < command.words().len() {
        let word = command.word(index)?;
        match word.as_str() {
            value if manager.values.iter().any(|known| known == value) => index += 2,
            option if option.starts_with('-') => index += 1,
            _ => return Some(Some(index)),
        }
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notation_of_options() {
        let read = |text: &str| {
            Opt::read(text).map(|option| (option.names.join(" "), option.has_value, option.becomes))
        };
        assert_eq!(read("--a"), Some(("--a".into(), false, None)));
        assert_eq!(read("-b|--bb = --c"), Some(("-b --bb".into(), false, Some("--c".into()))));
        assert_eq!(read("--d ="), Some(("--d".into(), false, Some(String::new()))));
        assert_eq!(read("--e VALUE"), Some(("--e".into(), true, None)));
        assert_eq!(read("--f VALUE = --g VALUE"), Some(("--f".into(), true, Some("--g".into()))));
        assert_eq!(read("--omit=dev = --prod"), Some(("--omit=dev".into(), false, Some("--prod".into()))));
        for wrong in ["", "a", "-", "--f VALUE = --g", "--a = b", "--a --b", "--a | --b"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    /// The build only knows the form of the table, so a typing error in a name is found here.
    #[test]
    fn every_row_is_understood() {
        assert!(MANAGERS.len() > 3 && LOCKS.len() > 5 && MAPPINGS.len() > 7);
        for lock in locks() {
            let is_target = mappings().iter().any(|mapping| mapping.to == lock.manager);
            assert!(is_target || manager_of(&lock.manager).is_some(), "{lock:?}");
            assert!(!lock.files.is_empty() && !lock.family.is_empty(), "{lock:?}");
        }
        let programs = mappings().iter().flat_map(|mapping| &mapping.from);
        assert!(programs.map(|from| from.split(' ').next().unwrap()).all(has_mapping) && !has_mapping("ls"));
        for mapping in mappings() {
            assert!(!mapping.from.is_empty() && !mapping.to.is_empty(), "{mapping:?}");
            assert!(!mapping.commands.is_empty(), "{mapping:?}");
            for said in &mapping.commands {
                assert!(!said.from.is_empty(), "{mapping:?}");
                let operands = said.operands.as_deref();
                assert!(matches!(operands, None | Some("none" | "some")), "{said:?}");
            }
        }
    }
}
