//! Reads a test file by the definition of its keys. [`resolve`](super::resolve) decides what the values mean.

use super::{Case, Rewritten, value};
use crate::config::{
    fields::{At, Fields, Slot},
    format::Notation,
    keys::{CASE, TESTS},
    layer::Layer,
    problem::{ConfigError, Problem, ProblemCollector},
    reader::{Checks, ConfigReader},
    toml_file,
    tree::{Node, NodeValue, Span},
};
use checkrein_core::{Map, Retry};
use std::path::Path;

/// The content of a test file.
#[derive(Debug, Default)]
pub(super) struct TestContent {
    pub(super) config: Option<String>,
    pub(super) cases: Vec<Case>,
}

/// Reads `text`, whose cases are about `directory`.
pub(super) fn read(text: &str, path: &Path, directory: &Path) -> Result<TestContent, ConfigError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut problems = ProblemCollector::new(path, text);
    let root = toml_file::parse(text, &mut problems);
    let reader = ConfigReader::new(&mut problems, Notation::Toml, Layer::Flag, Checks::All);
    let mut reader = CaseReader { reader, text, directory };
    let content = root.map(|root| reader.file(root)).unwrap_or_default();
    problems.finish()?;
    if content.cases.is_empty() {
        // A test that cannot fail is worse than none.
        return Err(Problem::of_file(path, "there is no `[[case]]` in the test file").into());
    }
    Ok(content)
}

/// Reads the cases of one file.
pub(super) struct CaseReader<'r, 't> {
    reader: ConfigReader<'r, 't>,
    text: &'t str,
    /// The directory that the cases are about.
    pub(super) directory: &'r Path,
}

impl<'t> CaseReader<'_, 't> {
    /// Adds a problem with `key` of this case, or with the case as a whole.
    pub(super) fn problem(&mut self, key: &str, span: &Span, message: &str, hint: Option<&str>) {
        self.reader.problem(key, span, message, hint);
    }

    fn file(&mut self, root: Node<'t>) -> TestContent {
        let Some(mut fields) = self.reader.table(root, &TESTS) else { return TestContent::default() };
        let config = self.text(&mut fields, "config").value().map(|config| config.value);
        let mut cases = Vec::new();
        let tables = self.reader.each_table(fields.tables("case"), &CASE, usize::MAX, |reader, fields| {
            Some((reader.position, fields))
        });
        fields.finish();
        for (position, fields) in tables {
            self.reader.position = position;
            let line = usize::try_from(self.reader.line_of(&fields)).unwrap_or(usize::MAX);
            cases.extend(self.case(fields, line));
        }
        self.reader.position = None;
        TestContent { config, cases }
    }

    /// Takes a string that is not empty: an empty one would be found in everything.
    pub(super) fn text(&mut self, fields: &mut Fields<'t>, key: &str) -> Slot<String> {
        match fields.text(key) {
            Slot::Is(At { span, value }) if value.trim().is_empty() => {
                self.problem(key, &span, "the text is empty", None);
                Slot::Broken
            }
            text => text.map(|text| text.into_owned()),
        }
    }

    /// Takes strings that are not empty.
    pub(super) fn texts(&mut self, fields: &mut Fields<'t>, key: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for At { span, value } in fields.texts(key).value().map(|texts| texts.value).unwrap_or_default() {
            if value.trim().is_empty() {
                self.problem(key, &span, "the text is empty", None);
            }
            texts.push(value.into_owned());
        }
        texts
    }

    /// Takes a table as a JSON object.
    pub(super) fn object(&mut self, fields: &mut Fields<'t>, key: &str) -> Slot<Map> {
        match fields.any(key) {
            Slot::Absent => Slot::Absent,
            Slot::Broken => Slot::Broken,
            Slot::Is(At { span, value }) => self.as_object(key, Node { span, value }),
        }
    }

    fn as_object(&mut self, key: &str, node: Node<'t>) -> Slot<Map> {
        let Node { span, value: NodeValue::Table(fields) } = node else {
            return self.reader.mismatch(key, &node, "a table");
        };
        let mut wrong = Vec::new();
        let value = value::object(self.text, fields, &mut wrong);
        for value::NotJson { span, message } in &wrong {
            self.problem(key, span, message, None);
        }
        if wrong.is_empty() { Slot::Is(At { span, value }) } else { Slot::Broken }
    }

    /// Takes the expected rewrite.
    pub(super) fn rewritten(&mut self, fields: &mut Fields<'t>) -> Slot<Rewritten> {
        let key = "rewritten";
        match fields.any(key) {
            Slot::Absent => Slot::Absent,
            Slot::Broken => Slot::Broken,
            Slot::Is(At { span, value: NodeValue::Text(text) }) => {
                Slot::Is(At { span, value: Rewritten::Text(text.into_owned()) })
            }
            Slot::Is(At { span, value: value @ NodeValue::Table(_) }) => {
                self.as_object(key, Node { span, value }).map(Rewritten::Input)
            }
            Slot::Is(At { span, value }) => {
                let expected = "the whole input as a table, or a text";
                self.reader.mismatch(key, &Node { span, value }, expected)
            }
        }
    }

    /// Takes the expected retry.
    pub(super) fn retry(&mut self, fields: &mut Fields<'t>) -> Option<Retry> {
        let key = "retry";
        let At { span, value } = fields.any(key).value()?;
        let retry: Slot<Option<Retry>> = match value {
            NodeValue::Bool(is) => Slot::Is(At { span, value: is.then_some(Retry::Same) }),
            NodeValue::Table(_) => {
                self.as_object(key, Node { span, value }).map(|changes| Some(Retry::With(changes)))
            }
            _ => {
                let expected = "`true`, or a table of the arguments to change";
                self.reader.mismatch(key, &Node { span, value }, expected)
            }
        };
        retry.value()?.value
    }
}
