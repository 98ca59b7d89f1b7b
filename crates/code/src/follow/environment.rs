//! The variables that a program sets in its own environment: everything that it starts later inherits them.

use super::{Args, Follower, Value, call::list_of};
use crate::value::{Origin, Shape, word};
use checkrein_shell::Word;

/// The maximum number of variables that are kept.
const VARIABLES: usize = 256;

impl Follower {
    /// Returns true if a value is the environment, or was made of it.
    pub(super) fn is_environment(&self, value: &Value) -> bool {
        match &value.shape {
            Shape::Name(name) => self.table.environment.contains(&name.trim_start_matches(['%', '$', '@'])),
            _ => value.origins().contains(&Origin::Environment),
        }
    }

    /// A variable of the environment is named, and may be assigned to next.
    pub(super) fn names_variable(&mut self, value: &Value, key: &str) {
        if self.is_environment(value) {
            self.slot = Some(key.to_owned());
        } else if is_loud(key) {
            self.field = Some(key.to_owned());
        }
    }

    /// One variable of the environment: the value that the program assigned, or its value at the start.
    pub(super) fn variable_of(&self, name: &str) -> Value {
        let start = format!("{name}=");
        if let Some(set) = self.exported.iter().find(|known| known.lead().starts_with(&start)) {
            return Value::word(set.skip(start.len()));
        }
        match (self.surroundings.get(name), name) {
            (Some(value), _) => Value::text(value),
            (None, "HOME" | "USERPROFILE") => Value::home(),
            (None, _) => Value::default(),
        }
    }

    /// The variable that a key names. One after the other, they are all.
    pub(super) fn variable_at(&self, key: &Value) -> Value {
        if key.origins().contains(&Origin::Names) {
            return Value::of(Origin::Environment);
        }
        self.variable_of(&key.constant().unwrap_or_default())
    }

    /// A variable gets a value.
    pub(super) fn exports(&mut self, name: &str, value: &Value) {
        let Some(setting) = setting(name, value) else { return };
        let start = format!("{name}=");
        self.exported.retain(|known| !known.lead().starts_with(&start));
        if self.exported.len() < VARIABLES {
            self.spend(value.size());
            self.exported.push(setting);
        } else {
            self.cut = true;
        }
    }

    /// Assigns to a field whose name is that of a variable; the object may become the environment of a program.
    pub(super) fn holds(&mut self, name: &str, value: &Value) {
        if is_loud(name)
            && self.fields.len() < VARIABLES
            && let Some(setting) = setting(name, value)
        {
            self.spend(value.size());
            self.fields.push(setting);
        }
    }

    /// A variable is gone.
    pub(super) fn unsets(&mut self, name: &str) {
        if self.unset.len() < VARIABLES {
            self.unset.extend([word("-u"), word(name)]);
        }
    }

    /// Several get theirs: from a map, or from a list of names and values.
    pub(super) fn exports_all(&mut self, value: &Value) {
        match &value.shape {
            Shape::Map(map) => map.iter().for_each(|(name, value)| self.exports(name, value)),
            // A list of pairs.
            Shape::List(list) if list.iter().all(|pair| matches!(pair.shape, Shape::List(_))) => {
                list.iter().for_each(|pair| self.exports_all(pair));
            }
            Shape::List(list) => {
                for pair in list.chunks(2) {
                    let [name, value] = pair else { continue };
                    // A bare word is a text there.
                    let bare = match &name.shape {
                        Shape::Name(name) => Some(name.clone()),
                        _ => None,
                    };
                    if let Some(name) = name.constant().or(bare) {
                        self.exports(&name, value);
                    }
                }
            }
            _ => {}
        }
    }

    /// `environ.update(…)`, `dict(environ, NAME=…)`, `Object.assign(process.env, …)`, `putenv("NAME=value")`, `ENV.store(…)`.
    pub(super) fn called_with_environment(
        &mut self,
        name: Option<&str>,
        receiver: Option<&Value>,
        args: &Args,
    ) {
        let last = name.and_then(|name| name.rsplit(['.', ':']).next()).unwrap_or_default();
        let sets = matches!(last.to_ascii_lowercase().as_str(), "putenv" | "setenv");
        if last == "chroot"
            && let Some(root) = args.list.first()
        {
            self.root = Some(root.as_word());
        }
        self.limited |= last.eq_ignore_ascii_case("setrlimit");
        let owner = name.and_then(|name| name.rsplit_once('.')).map(|(owner, _)| Value::name(owner));
        let of_receiver = receiver.or(owner.as_ref()).is_some_and(|owner| self.is_environment(owner));
        let made_of_it = args.list.iter().any(|value| self.is_environment(value));
        if !sets && last != "unsetenv" && !of_receiver && !made_of_it {
            if last == "dict" {
                args.named.iter().for_each(|(name, value)| self.holds(name, value));
            }
            return;
        }
        if of_receiver || !sets {
            args.list.iter().for_each(|value| self.exports_all(value));
            args.named.iter().for_each(|(name, value)| self.exports(name, value));
        }
        if of_receiver && last == "clear" {
            self.exported.clear();
            self.unset = vec![word("-i")];
        }
        match args.list.as_slice() {
            [name, ..] if last == "unsetenv" || of_receiver && matches!(last, "pop" | "delete" | "unset") => {
                if let Some(name) = name.constant() {
                    self.unsets(&name);
                }
            }
            [one] if sets => {
                for text in list_of(one).iter().flat_map(Value::words) {
                    if let Some((name, _)) = text.lead().split_once('=') {
                        let value = Value::word(text.skip(name.len() + 1));
                        self.exports(name, &value);
                    }
                }
            }
            [name, value, ..]
                if sets || of_receiver && matches!(last, "setdefault" | "set" | "store" | "__setitem__") =>
            {
                if let Some(name) = name.constant() {
                    self.exports(&name, value);
                }
            }
            [owner, name, value, ..] if last == "set" && self.is_environment(owner) => {
                if let Some(name) = name.constant() {
                    self.exports(&name, value);
                }
            }
            _ => {}
        }
    }

    /// `NAME=value` for whatever is started now.
    pub(super) fn given_environment(&self) -> Vec<Word> {
        self.unset.iter().chain(&self.exported).chain(&self.environment).cloned().collect()
    }
}

/// `NAME=value`, if that can be the name of a variable.
pub(super) fn setting(name: &str, value: &Value) -> Option<Word> {
    let is_name = !name.starts_with(|char: char| char.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|char| char.is_alphanumeric() || char == '_');
    is_name.then(|| Value::text(&format!("{name}=")).then(value).as_word())
}

/// Returns true if a name is written as those of variables are.
fn is_loud(name: &str) -> bool {
    name.len() > 3
        && name.chars().all(|char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_')
}
