//! The raw form of a configuration: its keys, the types of their values, and their positions.
//!
//! Reading ends here in a type that mirrors the text. What the words mean is decided in
//! [`hook`](crate::config::hook), so that a new key or a new format is one change in each of two places.

use crate::config::{
    bounds::Bounds,
    format::Notation,
    layer::Layer,
    problem::Report,
    renamed,
    tree::{Field, Node, Span, Value},
};
use checkrein_core::nearest::nearest;
use std::borrow::Cow;

/// A value and its place.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub(crate) span: Span,
    pub(crate) value: T,
}

/// What stands for a key.
#[derive(Clone, Debug)]
pub(crate) enum Slot<T> {
    /// Nothing.
    Absent,
    /// Something of a wrong type, which is in the report.
    Broken,
    /// A value.
    Is(At<T>),
}

impl<T> Slot<T> {
    /// Makes it broken if nothing stands for `key` because another name was written for it.
    fn miss(&mut self, key: &str, meant: Option<&str>) {
        if matches!(self, Self::Absent) && meant == Some(key) {
            *self = Self::Broken;
        }
    }

    /// The value, if there is one.
    pub(crate) fn value(self) -> Option<At<T>> {
        match self {
            Self::Is(value) => Some(value),
            Self::Absent | Self::Broken => None,
        }
    }
}

type Text<'t> = Cow<'t, str>;
/// Several texts, each in its place.
pub(crate) type Texts<'t> = Vec<At<Text<'t>>>;

/// What to run.
#[derive(Clone, Debug)]
pub(crate) enum WrittenCommand<'t> {
    /// A text for the shell.
    Shell(Text<'t>),
    /// A program and its arguments.
    List(Texts<'t>),
}

/// One hook.
#[derive(Clone, Debug)]
pub(crate) struct WrittenHook<'t> {
    /// Where it begins.
    pub(crate) span: Span,
    pub(crate) event: Slot<Text<'t>>,
    pub(crate) name: Slot<Text<'t>>,
    pub(crate) tool: Slot<Texts<'t>>,
    pub(crate) except: Slot<Texts<'t>>,
    pub(crate) command: Slot<WrittenCommand<'t>>,
    pub(crate) callable: Slot<Text<'t>>,
    pub(crate) role: Slot<Text<'t>>,
    pub(crate) timeout: Slot<f64>,
    pub(crate) on_failure: Slot<Text<'t>>,
    pub(crate) may_allow: Slot<bool>,
    pub(crate) cwd: Slot<Text<'t>>,
    pub(crate) env: Slot<Texts<'t>>,
    pub(crate) files: Slot<Texts<'t>>,
    pub(crate) required: Slot<bool>,
    pub(crate) overridable: Slot<bool>,
}

/// The report, as seen from one hook or rule of a configuration.
pub(crate) struct Reader<'r, 't> {
    pub(crate) report: &'r mut Report<'t>,
    pub(crate) notation: Notation,
    pub(crate) layer: Layer,
    /// What is left of what this file may hold.
    pub(crate) bounds: Bounds,
    /// What is read: `hook` or `rule`.
    pub(crate) table: &'static str,
    pub(crate) index: usize,
}

impl<'t> Reader<'_, 't> {
    /// Adds a problem with `key` of this hook or rule, or with it as a whole.
    pub(crate) fn problem(&mut self, key: &str, span: &Span, message: &str, hint: Option<&str>) {
        self.report.add(self.whole_key(key), span, message, hint);
    }

    /// A key with the table that it stands in.
    pub(crate) fn whole_key(&self, key: &str) -> String {
        let root = match self.notation {
            Notation::Toml => self.table,
            Notation::Json => "",
        };
        let dot = if key.is_empty() { "" } else { "." };
        format!("{root}[{}]{dot}{key}", self.index)
    }

    /// Reads one hook; `None` if it is not even a table.
    pub(crate) fn hook(&mut self, node: Node<'t>) -> Option<WrittenHook<'t>> {
        let Value::Table(fields) = node.value else {
            self.mismatch::<()>("", &node, self.notation.table());
            return None;
        };
        let mut hook = WrittenHook {
            span: node.span,
            event: Slot::Absent,
            name: Slot::Absent,
            tool: Slot::Absent,
            except: Slot::Absent,
            command: Slot::Absent,
            callable: Slot::Absent,
            role: Slot::Absent,
            timeout: Slot::Absent,
            on_failure: Slot::Absent,
            may_allow: Slot::Absent,
            cwd: Slot::Absent,
            env: Slot::Absent,
            files: Slot::Absent,
            required: Slot::Absent,
            overridable: Slot::Absent,
        };
        for field in fields {
            let key = match self.known_key(&field, "", self.notation.keys()) {
                Ok(key) => key,
                // What was meant is there, so it must not be missed as well.
                Err(meant) => {
                    hook.event.miss("event", meant);
                    hook.command.miss("command", meant);
                    continue;
                }
            };
            let node = field.node;
            match key {
                "event" => hook.event = self.text("event", node),
                "name" => hook.name = self.text("name", node),
                "match" => (hook.tool, hook.except) = self.matcher(node),
                "command" => hook.command = self.command(node),
                "callable" => hook.callable = self.text("callable", node),
                "role" => hook.role = self.text("role", node),
                "timeout" => hook.timeout = self.number("timeout", node),
                "on_failure" => hook.on_failure = self.text("on_failure", node),
                "may_allow" => hook.may_allow = self.boolean("may_allow", node),
                "cwd" => hook.cwd = self.text("cwd", node),
                "env" => hook.env = self.texts("env", node),
                "files" => hook.files = self.texts("files", node),
                "required" => hook.required = self.boolean("required", node),
                "overridable" => hook.overridable = self.boolean("overridable", node),
                _ => {}
            }
        }
        Some(hook)
    }

    fn matcher(&mut self, node: Node<'t>) -> (Slot<Texts<'t>>, Slot<Texts<'t>>) {
        let fields = match node.value {
            Value::Table(fields) => fields,
            Value::Null if self.notation == Notation::Json => return (Slot::Absent, Slot::Absent),
            _ => return (self.mismatch("match", &node, self.notation.table()), Slot::Broken),
        };
        let (mut tool, mut except) = (Slot::Absent, Slot::Absent);
        for field in fields {
            let Ok(key) = self.known_key(&field, "match.", self.notation.match_keys()) else { continue };
            match key {
                "tool" => tool = self.one_or_more("match.tool", field.node),
                "except" => except = self.one_or_more("match.except", field.node),
                _ => {}
            }
        }
        (tool, except)
    }

    fn command(&mut self, node: Node<'t>) -> Slot<WrittenCommand<'t>> {
        let span = node.span.clone();
        match node.value {
            Value::Text(text) => Slot::Is(At { span, value: WrittenCommand::Shell(text) }),
            Value::List(list) => match self.each_text("command", list) {
                Some(list) => Slot::Is(At { span, value: WrittenCommand::List(list) }),
                None => Slot::Broken,
            },
            _ => self.mismatch("command", &node, "a string or a list of strings"),
        }
    }

    pub(crate) fn text(&mut self, key: &str, node: Node<'t>) -> Slot<Text<'t>> {
        match node.value {
            Value::Text(value) => Slot::Is(At { span: node.span, value }),
            _ => self.mismatch(key, &node, "a string"),
        }
    }

    fn number(&mut self, key: &str, node: Node<'t>) -> Slot<f64> {
        match node.value {
            Value::Number(value) => Slot::Is(At { span: node.span, value }),
            _ => self.mismatch(key, &node, "a number"),
        }
    }

    fn boolean(&mut self, key: &str, node: Node<'t>) -> Slot<bool> {
        match node.value {
            Value::Bool(value) => Slot::Is(At { span: node.span, value }),
            _ => self.mismatch(key, &node, "`true` or `false`"),
        }
    }

    fn texts(&mut self, key: &str, node: Node<'t>) -> Slot<Texts<'t>> {
        let span = node.span.clone();
        match node.value {
            Value::List(list) => match self.each_text(key, list) {
                Some(value) => Slot::Is(At { span, value }),
                None => Slot::Broken,
            },
            _ => self.mismatch(key, &node, "a list of strings"),
        }
    }

    pub(crate) fn one_or_more(&mut self, key: &str, node: Node<'t>) -> Slot<Texts<'t>> {
        let span = node.span.clone();
        match node.value {
            Value::Text(value) => Slot::Is(At { span: span.clone(), value: vec![At { span, value }] }),
            Value::List(_) => self.texts(key, node),
            _ => self.mismatch(key, &node, "a string or a list of strings"),
        }
    }

    /// The texts of a list; `None` if something else is among them.
    fn each_text(&mut self, key: &str, list: Vec<Node<'t>>) -> Option<Texts<'t>> {
        let mut texts = Some(Vec::with_capacity(list.len()));
        for (index, node) in list.into_iter().enumerate() {
            match (node.value, &mut texts) {
                (Value::Text(value), Some(texts)) => texts.push(At { span: node.span, value }),
                (Value::Text(_), None) => {}
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

    /// A value of a wrong type. mini-coding-agent reads a null as an absent key, so its lists may hold one.
    pub(crate) fn mismatch<T>(&mut self, key: &str, node: &Node<'t>, expected: &str) -> Slot<T> {
        if self.notation == Notation::Json && matches!(node.value, Value::Null) && !key.is_empty() {
            return Slot::Absent;
        }
        let message = format!("expected {expected}, found {}", self.notation.type_of(&node.value));
        self.problem(key, &node.span, &message, None);
        Slot::Broken
    }

    /// The key of `field`, if it is one of `known`; else that is a problem, and the key that was probably meant.
    pub(crate) fn known_key(
        &mut self,
        field: &Field<'t>,
        prefix: &str,
        known: &[&'static str],
    ) -> Result<&'static str, Option<&'static str>> {
        let written = &*field.key;
        if let Some(key) = known.iter().find(|key| **key == written) {
            return Ok(key);
        }
        let renamed =
            renamed::key(self.table, written).filter(|new| prefix.is_empty() && known.contains(new));
        let meant =
            renamed.map(Cow::Borrowed).or_else(|| nearest(written, known.iter().copied()).map(Cow::from));
        let hint = if self.notation == Notation::Json && Notation::Toml.has(written) {
            format!("the JSON list has no `{written}`; write the configuration in TOML")
        } else {
            let renamed = renamed::hint(self.table, written).filter(|_| prefix.is_empty());
            renamed.unwrap_or_else(|| hint_for(written, known))
        };
        let message = format!("unknown key `{written}`");
        let key = self.whole_key(&format!("{prefix}{written}"));
        self.report.add_key(key, &field.key_span, &message, &hint);
        Err(known.iter().copied().find(|key| Some(*key) == meant.as_deref()))
    }
}

/// Proposes the nearest of `known`, or all of them.
pub(crate) fn hint_for(word: &str, known: &[&'static str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("expected {}", one_of(known)),
    }
}

/// `a`, `b` or `c`.
pub(crate) fn one_of(words: &[&'static str]) -> String {
    match words {
        [] => String::new(),
        [one] => format!("`{one}`"),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|word| format!("`{word}`")).collect();
            format!("{} or `{last}`", first.join(", "))
        }
    }
}
