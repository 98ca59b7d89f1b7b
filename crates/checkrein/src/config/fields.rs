//! Reads a table of a file by the definition of its keys.
//!
//! Everything that a row of [`keys`](crate::config::keys) says is checked here, once for all tables: which keys there are, which types
//! their values have, which keys are required, and which layers may set them. The result holds the values with their
//! positions. Their meaning is decided next to the type that they become, such as [`hook`](crate::config::hook).

use crate::config::{
    format::Notation,
    keys::{Absent, Key, KeyType, Table},
    reader::ConfigReader,
    tree::{Field, Node, NodeValue, Span},
};
use checkrein_core::nearest::nearest;
use std::borrow::Cow;

/// A value and its position.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub(crate) span: Span,
    pub(crate) value: T,
}

/// The value of a key.
#[derive(Clone, Debug)]
pub(crate) enum Slot<T> {
    /// The key is not there.
    Absent,
    /// The key is there, and its value is a problem that has been reported.
    Broken,
    /// The key has a value.
    Is(At<T>),
}

impl<T> Slot<T> {
    /// Returns the value, if there is one.
    pub(crate) fn value(self) -> Option<At<T>> {
        match self {
            Self::Is(value) => Some(value),
            Self::Absent | Self::Broken => None,
        }
    }

    /// Returns the position of the value, if there is one.
    pub(crate) const fn span(&self) -> Option<&Span> {
        match self {
            Self::Is(at) => Some(&at.span),
            Self::Absent | Self::Broken => None,
        }
    }

    /// Converts the value.
    pub(crate) fn map<U>(self, convert: impl FnOnce(T) -> U) -> Slot<U> {
        match self {
            Self::Absent => Slot::Absent,
            Self::Broken => Slot::Broken,
            Self::Is(At { span, value }) => Slot::Is(At { span, value: convert(value) }),
        }
    }
}

pub(crate) type Text<'t> = Cow<'t, str>;
/// Several strings, each with its position.
pub(crate) type Texts<'t> = Vec<At<Text<'t>>>;

/// A command: a text for the shell, or a program and its arguments.
#[derive(Clone, Debug)]
pub(crate) enum CommandText<'t> {
    Shell(Text<'t>),
    List(Texts<'t>),
}

/// A value of the type that its key demands.
#[derive(Clone, Debug)]
enum FieldValue<'t> {
    Text(Text<'t>),
    Texts(Texts<'t>),
    Flag(bool),
    Number(f64),
    Table(Fields<'t>),
    Tables(Vec<Node<'t>>),
    Any(NodeValue<'t>),
}

/// The values of one table.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'t> {
    /// The start of the table.
    pub(crate) span: Span,
    table: &'static Table,
    values: Vec<(&'static str, Slot<FieldValue<'t>>)>,
    /// Keys that were probably meant by unknown ones. They are not reported as missing as well.
    meant: Vec<&'static str>,
}

impl<'t> Fields<'t> {
    fn take(&mut self, key: &str) -> Slot<FieldValue<'t>> {
        debug_assert!(self.table.keys.iter().any(|known| known.name == key), "there is no key `{key}`");
        match self.values.iter().position(|(known, _)| *known == key) {
            Some(place) => self.values.swap_remove(place).1,
            None if self.meant.contains(&key) => Slot::Broken,
            None => Slot::Absent,
        }
    }

    fn take_as<T>(&mut self, key: &str, convert: impl FnOnce(FieldValue<'t>) -> Option<T>) -> Slot<T> {
        match self.take(key) {
            Slot::Absent => Slot::Absent,
            Slot::Broken => Slot::Broken,
            Slot::Is(At { span, value }) => {
                let value = convert(value);
                debug_assert!(value.is_some(), "the key `{key}` has another type");
                value.map_or(Slot::Broken, |value| Slot::Is(At { span, value }))
            }
        }
    }

    /// Returns the position of a key's value, without taking it.
    pub(crate) fn span_of(&self, key: &str) -> Span {
        let value = self.values.iter().find(|(known, _)| *known == key);
        value.and_then(|(_, slot)| slot.span().cloned()).unwrap_or(self.span.start..self.span.start)
    }

    /// Takes the value of a key that holds one string.
    pub(crate) fn text(&mut self, key: &str) -> Slot<Text<'t>> {
        self.take_as(key, |value| if let FieldValue::Text(text) = value { Some(text) } else { None })
    }

    /// Returns the place of a key's value, without taking it.
    pub(crate) fn span(&self, key: &str) -> Option<std::ops::Range<usize>> {
        match self.values.iter().find(|(known, _)| *known == key) {
            Some((_, Slot::Is(At { span, .. }))) => Some(span.clone()),
            _ => None,
        }
    }

    /// Takes the value of a key that holds several strings.
    pub(crate) fn texts(&mut self, key: &str) -> Slot<Texts<'t>> {
        self.take_as(key, |value| if let FieldValue::Texts(texts) = value { Some(texts) } else { None })
    }

    /// Takes the value of a key that holds a command.
    pub(crate) fn command(&mut self, key: &str) -> Slot<CommandText<'t>> {
        self.take_as(key, |value| match value {
            FieldValue::Text(text) => Some(CommandText::Shell(text)),
            FieldValue::Texts(list) => Some(CommandText::List(list)),
            _ => None,
        })
    }

    /// Takes the value of a flag, with its position.
    pub(crate) fn flag_at(&mut self, key: &str) -> Slot<bool> {
        self.take_as(key, |value| if let FieldValue::Flag(flag) = value { Some(flag) } else { None })
    }

    /// Takes the value of a number, with its position.
    pub(crate) fn number_at(&mut self, key: &str) -> Slot<f64> {
        self.take_as(key, |value| if let FieldValue::Number(number) = value { Some(number) } else { None })
    }

    /// Returns a number without taking it.
    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        match self.values.iter().find(|(known, _)| *known == key) {
            Some((_, Slot::Is(At { value: FieldValue::Number(number), .. }))) => Some(*number),
            _ => None,
        }
    }

    /// Takes a table in this table.
    pub(crate) fn table(&mut self, key: &str) -> Slot<Self> {
        self.take_as(key, |value| if let FieldValue::Table(fields) = value { Some(fields) } else { None })
    }

    /// Takes a list of tables.
    pub(crate) fn tables(&mut self, key: &str) -> Vec<Node<'t>> {
        let slot =
            self.take_as(key, |value| if let FieldValue::Tables(nodes) = value { Some(nodes) } else { None });
        slot.value().map(|nodes| nodes.value).unwrap_or_default()
    }

    /// Takes a value of any type.
    pub(crate) fn any(&mut self, key: &str) -> Slot<NodeValue<'t>> {
        self.take_as(key, |value| if let FieldValue::Any(value) = value { Some(value) } else { None })
    }

    /// Takes the value of a flag, or its default.
    pub(crate) fn flag(&mut self, key: &str) -> bool {
        let row = self.table.keys.iter().find(|known| known.name == key);
        let default = row.is_some_and(Key::is_on_by_default);
        self.flag_at(key).value().map_or(default, |flag| flag.value)
    }

    /// Ends the reading of a table. A key that nothing has taken is a row without a meaning, which tests find here.
    pub(crate) fn finish(self) {
        debug_assert!(
            self.values.is_empty(),
            "no meaning for {:?}",
            self.values.iter().map(|(key, _)| *key).collect::<Vec<_>>()
        );
    }
}

impl<'t> ConfigReader<'_, 't> {
    /// Reads a table; `None` if the value is something else.
    pub(crate) fn table(&mut self, node: Node<'t>, table: &'static Table) -> Option<Fields<'t>> {
        match node.value {
            NodeValue::Table(fields) => Some(self.fields(node.span, fields, table, "")),
            _ => {
                self.mismatch::<()>("", &node, self.notation.table());
                None
            }
        }
    }

    /// Reads each table of a list.
    pub(crate) fn each_table<T>(
        &mut self,
        list: Vec<Node<'t>>,
        table: &'static Table,
        most: usize,
        mut define: impl FnMut(&mut Self, Fields<'t>) -> Option<T>,
    ) -> Vec<T> {
        if let Some(first) = list.get(most) {
            let count = list.len();
            let message =
                format!("{count} times `[[{}]]`, and a file of this layer may have {most}", table.name);
            self.report.add(table.name, &first.span, &message, None);
        }
        let mut defined = Vec::new();
        for (index, node) in list.into_iter().take(most).enumerate() {
            if self.report.is_full() {
                break;
            }
            self.position = Some((table.name, index));
            if let Some(fields) = self.table(node, table) {
                defined.extend(define(self, fields));
            }
        }
        self.position = None;
        defined
    }

    /// Reads the keys of a table, whose own name is `prefix` with a dot, if it is a table in a table.
    pub(crate) fn fields(
        &mut self,
        span: Span,
        fields: Vec<Field<'t>>,
        table: &'static Table,
        prefix: &str,
    ) -> Fields<'t> {
        let mut read = Fields { span, table, values: Vec::with_capacity(fields.len()), meant: Vec::new() };
        for field in fields {
            match table.key(&field.key, self.notation) {
                Some(key) => {
                    let value = self.field(key, field, prefix);
                    read.values.push((key.name, value));
                }
                None => read.meant.extend(self.unknown(&field, table, prefix)),
            }
        }
        // A list of tables that must not be empty is a matter of the whole file.
        let is_required =
            |key: &&Key| matches!(key.absent, Absent::Required) && !matches!(key.holds, KeyType::Tables(_));
        for key in table.keys.iter().filter(is_required) {
            let is_there =
                |(name, slot): &(&str, Slot<_>)| *name == key.name && !matches!(slot, Slot::Absent);
            if !read.values.iter().any(is_there) && !read.meant.contains(&key.name) {
                let hint = format!("for example `{} = {}`", key.name, key.example_value());
                let hint = (self.notation == Notation::Toml).then_some(&*hint);
                let message = format!("{} needs `{}`", table.one, key.name);
                self.problem(prefix.trim_end_matches('.'), &read.span, &message, hint);
            }
        }
        read
    }

    fn field(&mut self, key: &'static Key, field: Field<'t>, prefix: &str) -> Slot<FieldValue<'t>> {
        let path =
            if prefix.is_empty() { Cow::Borrowed(key.name) } else { format!("{prefix}{}", key.name).into() };
        let Field { key_span, node, .. } = field;
        if let Some(why) = key.refused_in(self.layer) {
            let whole_key = self.whole_key(&path);
            match (key.holds, &node.value) {
                // Every layer may say what is the case without it.
                (KeyType::Flag, NodeValue::Bool(flag)) if *flag != key.is_on_by_default() => {
                    self.report.add_refused(whole_key, &node.span, why);
                }
                (KeyType::Flag, _) => {}
                _ => {
                    self.report.add_refused(whole_key, &key_span, why);
                    return Slot::Broken;
                }
            }
        }
        let span = node.span.clone();
        let slot = match key.holds {
            KeyType::Text | KeyType::Word(_) | KeyType::Callable | KeyType::Id | KeyType::Line(_) => {
                self.text(&path, node).map(FieldValue::Text)
            }
            KeyType::Day | KeyType::Date => self.day(&path, node).map(FieldValue::Text),
            KeyType::Flag => self.flag(&path, node).map(FieldValue::Flag),
            KeyType::Seconds(_) | KeyType::Whole(_) => self.number(&path, node).map(FieldValue::Number),
            KeyType::Command => match node.value {
                NodeValue::Text(text) => Slot::Is(At { span, value: FieldValue::Text(text) }),
                _ => self.one_or_more(&path, node).map(FieldValue::Texts),
            },
            KeyType::Names | KeyType::Variables | KeyType::Files => {
                self.texts(&path, node).map(FieldValue::Texts)
            }
            KeyType::Patterns(_)
            | KeyType::Texts
            | KeyType::Words(_)
            | KeyType::RuleIds
            | KeyType::Directories
            | KeyType::Commands => self.one_or_more(&path, node).map(FieldValue::Texts),
            KeyType::Object | KeyType::ObjectOrText | KeyType::FlagOrObject => {
                Slot::Is(At { span, value: FieldValue::Any(node.value) })
            }
            KeyType::Table(table) => match node.value {
                NodeValue::Table(fields) => {
                    let fields = self.fields(node.span, fields, table, &format!("{path}."));
                    Slot::Is(At { span, value: FieldValue::Table(fields) })
                }
                _ => self.mismatch(&path, &node, self.notation.table()),
            },
            KeyType::Tables(table) => match node.value {
                NodeValue::List(list) => Slot::Is(At { span, value: FieldValue::Tables(list) }),
                other => {
                    let message =
                        format!("expected a list of tables, found {}", self.notation.type_of(&other));
                    let hint = format!("write `[[{}]]`, and its keys below it", table.name);
                    self.problem(&path, &key_span, &message, Some(&hint));
                    Slot::Broken
                }
            },
        };
        match &slot {
            Slot::Is(At { span, value: FieldValue::Texts(list) })
                if list.is_empty() && key.holds.refuses_empty() =>
            {
                self.problem(&path, span, "the list is empty", Some("leave the key out instead"));
                Slot::Broken
            }
            _ => slot,
        }
    }

    /// Reports a key that the table does not have, and returns the key that was probably meant.
    fn unknown(&mut self, field: &Field<'t>, table: &'static Table, prefix: &str) -> Option<&'static str> {
        let written = &*field.key;
        let known: Vec<&'static str> = table.keys_in(self.notation).map(|key| key.name).collect();
        let near = nearest(written, known.iter().copied());
        let renamed = table.renamed(written).filter(|key| known.contains(&key.name));
        let hint = match renamed {
            _ if self.notation == Notation::Json && table.key(written, Notation::Toml).is_some() => {
                format!("the JSON list has no `{written}`; write the configuration in TOML")
            }
            Some(Key { name, holds: KeyType::Tables(_), .. }) => format!("it is called `[[{name}]]` now"),
            Some(key) => format!("it is called `{}` now", key.name),
            None => match table.hints.iter().find(|(keys, _)| keys.contains(&written)) {
                Some((_, hint)) => (*hint).to_owned(),
                None => hint_for(written, &known),
            },
        };
        let meant = renamed.map(|key| Cow::Borrowed(key.name)).or(near.map(Cow::from));
        let path = match self.position {
            None if prefix.is_empty() => String::new(),
            _ => self.whole_key(&format!("{prefix}{written}")),
        };
        self.report.add_key(path, &field.key_span, &format!("unknown key `{written}`"), &hint);
        known.into_iter().find(|key| Some(*key) == meant.as_deref())
    }

    fn text(&mut self, key: &str, node: Node<'t>) -> Slot<Text<'t>> {
        match node.value {
            NodeValue::Text(value) => Slot::Is(At { span: node.span, value }),
            _ => self.mismatch(key, &node, "a string"),
        }
    }

    /// A day is a date of TOML, or the same as a string.
    fn day(&mut self, key: &str, node: Node<'t>) -> Slot<Text<'t>> {
        match node.value {
            NodeValue::Date(date) => Slot::Is(At { span: node.span, value: date.into() }),
            _ => self.text(key, node),
        }
    }

    fn number(&mut self, key: &str, node: Node<'t>) -> Slot<f64> {
        match node.value {
            NodeValue::Number(value) => Slot::Is(At { span: node.span, value }),
            _ => self.mismatch(key, &node, "a number"),
        }
    }

    fn flag(&mut self, key: &str, node: Node<'t>) -> Slot<bool> {
        match node.value {
            NodeValue::Bool(value) => Slot::Is(At { span: node.span, value }),
            _ => self.mismatch(key, &node, "`true` or `false`"),
        }
    }

    fn texts(&mut self, key: &str, node: Node<'t>) -> Slot<Texts<'t>> {
        let span = node.span.clone();
        match node.value {
            NodeValue::List(list) => match self.each_text(key, list) {
                Some(value) => Slot::Is(At { span, value }),
                None => Slot::Broken,
            },
            _ => self.mismatch(key, &node, "a list of strings"),
        }
    }

    fn one_or_more(&mut self, key: &str, node: Node<'t>) -> Slot<Texts<'t>> {
        let span = node.span.clone();
        match node.value {
            NodeValue::Text(value) => Slot::Is(At { span: span.clone(), value: vec![At { span, value }] }),
            NodeValue::List(_) => self.texts(key, node),
            _ => self.mismatch(key, &node, "a string or a list of strings"),
        }
    }

    /// Returns the strings of a list; `None` if something else is among them.
    fn each_text(&mut self, key: &str, list: Vec<Node<'t>>) -> Option<Texts<'t>> {
        let mut texts = Some(Vec::with_capacity(list.len()));
        for (index, node) in list.into_iter().enumerate() {
            match (node.value, &mut texts) {
                (NodeValue::Text(value), Some(texts)) => texts.push(At { span: node.span, value }),
                (NodeValue::Text(_), None) => {}
                (value, _) => {
                    let found = self.notation.type_of(&value);
                    let message = format!("expected a string, found {found}");
                    self.problem(&format!("{key}[{index}]"), &node.span, &message, None);
                    texts = None;
                }
            }
        }
        texts
    }

    /// Reports a value of a wrong type. mini-coding-agent reads a null as an absent key, so its lists may hold one.
    pub(crate) fn mismatch<T>(&mut self, key: &str, node: &Node<'t>, expected: &str) -> Slot<T> {
        if self.notation == Notation::Json && matches!(node.value, NodeValue::Null) && !key.is_empty() {
            return Slot::Absent;
        }
        let message = format!("expected {expected}, found {}", self.notation.type_of(&node.value));
        self.problem(key, &node.span, &message, None);
        Slot::Broken
    }
}

/// Proposes the nearest of `known`, or all of them.
fn hint_for(word: &str, known: &[&'static str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("expected {}", one_of(known)),
    }
}

/// Returns a list of words for a message: `a`, `b` or `c`.
pub(crate) fn one_of(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => format!("`{one}`"),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|word| format!("`{word}`")).collect();
            format!("{} or `{last}`", first.join(", "))
        }
    }
}
