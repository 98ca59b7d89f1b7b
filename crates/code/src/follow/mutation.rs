//! Lists that are changed where they are: `list.append(x)`, `push @list, x`, `text << more`.

use super::{Args, Bound, Follower, Value, call::list_of};
use crate::{Language, lex::Tok, value::Shape};

/// The maximum number of elements of a list.
const MOST: usize = 256;

/// The way in which a list is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The arguments come to its end.
    Push,
    /// The elements of the arguments do.
    Extend,
    /// The arguments come to its beginning.
    Unshift,
    /// An argument comes to the place that another names.
    Insert,
    /// Its last element goes, or the one at the place that is named.
    Pop,
    /// Its first element goes.
    Shift,
    /// A map gets a value under a name.
    Put,
}

/// Returns how a method of this name changes its receiver.
fn of_method(language: Language, name: &str) -> Option<Change> {
    Some(match (language, name) {
        (Language::Python, "append") => Change::Push,
        (Language::Python, "extend") => Change::Extend,
        (Language::Python, "appendleft") => Change::Unshift,
        (Language::Python, "insert") => Change::Insert,
        (Language::Python, "pop") => Change::Pop,
        (Language::JavaScript, "set") => Change::Put,
        (Language::JavaScript, "push") | (Language::Ruby, "push" | "append") => Change::Push,
        (Language::Ruby, "concat") => Change::Extend,
        (Language::JavaScript, "unshift") | (Language::Ruby, "unshift" | "prepend") => Change::Unshift,
        (Language::JavaScript | Language::Ruby, "pop") => Change::Pop,
        (Language::JavaScript | Language::Ruby, "shift") => Change::Shift,
        _ => return None,
    })
}

/// Returns how a function of this name changes its first argument.
fn of_function(language: Language, name: &str) -> Option<Change> {
    Some(match (language, name) {
        (Language::Perl, "push") | (Language::Php, "array_push") | (Language::Lua, "table.insert") => {
            Change::Push
        }
        (Language::Perl, "unshift") | (Language::Php, "array_unshift") => Change::Unshift,
        (Language::Perl, "pop") | (Language::Php, "array_pop") => Change::Pop,
        (Language::Perl, "shift") | (Language::Php, "array_shift") => Change::Shift,
        _ => return None,
    })
}

/// The things that a value may be, or the one that it is.
fn alternatives(value: &Value) -> Vec<Value> {
    match &value.shape {
        Shape::OneOf(list) => list.clone(),
        _ => vec![value.clone()],
    }
}

impl Follower {
    /// Returns what a call that starts here changes, and how.
    pub(super) fn changes(&self, callee: &Value, method: Option<&str>) -> Option<(String, Change)> {
        if let Some(method) = method {
            let change = of_method(self.language, method)?;
            let owner = self.target.as_deref()?.strip_suffix(method)?.strip_suffix('.')?;
            return Some((owner.to_owned(), change));
        }
        let Shape::Name(name) = &callee.shape else { return None };
        let change = of_function(self.language, name)?;
        let place = usize::from(self.is_op("("));
        match self.after(place) {
            Some(Tok::Name(owner)) => Some((owner.clone(), change)),
            _ if self.language == Language::Perl && matches!(change, Change::Pop | Change::Shift) => {
                Some((self.own_arguments().to_owned(), change))
            }
            _ => None,
        }
    }

    /// Changes a list. `args`: what the call is given, without the list itself.
    pub(super) fn change(&mut self, owner: &str, change: Change, args: &Args) {
        if change == Change::Put {
            if let Some(Value { shape: Shape::Map(mut map), from }) = self.lookup(owner)
                && let Some(key) = args.at(0).constant()
                && map.len() < MOST
            {
                map.push((key, args.at(1)));
                self.put_back(owner, Value { shape: Shape::Map(map), from });
            }
            return;
        }
        let plain = matches!(self.language, Language::Perl | Language::Php);
        let (mut list, from) = match self.lookup(owner) {
            Some(Value { shape: Shape::List(list), from }) => (list, from),
            // A list with one known value has just that value, and a list that was only declared is empty.
            Some(one) if plain => (vec![one], Vec::new()),
            None if plain => (Vec::new(), Vec::new()),
            Some(_) | None => return,
        };
        let given: Vec<Value> = match change {
            Change::Extend => args.list.iter().flat_map(list_of).collect(),
            // Values that a loop binds one after another are pushed one after another.
            Change::Push => args.list.iter().flat_map(alternatives).collect(),
            Change::Unshift | Change::Insert | Change::Pop | Change::Shift | Change::Put => args.list.clone(),
        };
        let place =
            |value: Option<&Value>| value.and_then(Value::number).and_then(|at| usize::try_from(at).ok());
        match change {
            Change::Push | Change::Extend => list.extend(given),
            Change::Unshift => list = given.into_iter().chain(list).collect(),
            Change::Insert => {
                let at = place(given.first()).unwrap_or(list.len()).min(list.len());
                let rest = list.split_off(at);
                list.extend(given.into_iter().skip(1).chain(rest));
            }
            Change::Pop => match place(given.first()) {
                Some(at) if at < list.len() => drop(list.remove(at)),
                Some(_) | None => drop(list.pop()),
            },
            Change::Put => {}
            Change::Shift => {
                if !list.is_empty() {
                    list.remove(0);
                }
            }
        }
        let value = if list.len() > MOST { Value::too_much(from) } else { Value::list(list).with(from) };
        self.put_back(owner, value);
    }

    /// `map[key] = value`. What was there under the key may still be there: the branch may not be taken.
    pub(super) fn put_entry(&mut self, owner: &str, key: String, value: &Value) {
        let Some(Value { shape: Shape::Map(mut map), from }) = self.lookup(owner) else { return };
        if let Some((_, slot)) = map.iter_mut().find(|(known, _)| *known == key) {
            *slot = std::mem::take(slot).or(value.clone());
        } else if map.len() < MOST {
            map.push((key, value.clone()));
        } else {
            return;
        }
        let value = Value::map(map).with(from);
        self.put_back(owner, value);
    }

    /// `text << more`, `list << element`.
    pub(super) fn append(&mut self, owner: &str, left: Value, right: &Value) -> Value {
        let value = match left.shape {
            Shape::List(mut list) if list.len() < MOST => {
                list.push(right.clone());
                Value::list(list).with(left.from)
            }
            shape => Value { shape, from: left.from }.then(right),
        };
        self.put_back(owner, value.clone());
        value
    }

    /// Replaces the old value, even in a block, since the new value contains the old one.
    fn put_back(&mut self, owner: &str, value: Value) {
        self.spend(value.size());
        let level = self.bound.get(owner).map_or_else(|| self.level(), |bound| bound.level);
        self.bound.insert(owner.to_owned(), Bound { value, level });
    }
}
