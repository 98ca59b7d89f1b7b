//! A file of TOML in which every value knows its line.
//!
//! The text of a file is never freed: a build ends soon, and without lifetimes the tables are easier to read.

use std::{
    fmt::{self, Display},
    path::Path,
};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

pub(crate) type Result<T> = std::result::Result<T, Problem>;

/// A mistake in the data, with its file and line.
#[derive(Debug)]
pub(crate) struct Problem(String);

impl Problem {
    /// Returns a problem with a whole file.
    pub(crate) fn about(path: &Path, what: impl Display) -> Self {
        Self(format!("{}: {what}", path.display()))
    }
}

impl Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A place in a file.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    path: &'static str,
    text: &'static str,
    offset: usize,
}

impl Place {
    fn of<T>(self, value: &Spanned<T>) -> Self {
        Self { offset: value.span().start, ..self }
    }

    pub(crate) fn line(self) -> usize {
        self.text.get(..self.offset).unwrap_or_default().matches('\n').count() + 1
    }

    /// Returns a problem in this line.
    pub(crate) fn problem(self, what: impl Display) -> Problem {
        Problem(format!("{}:{}: {what}", self.path, self.line()))
    }
}

/// A string of a file, or a part of it.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    pub(crate) text: &'static str,
    pub(crate) place: Place,
}

impl Text {
    /// Returns the words of the string.
    pub(crate) fn words(self) -> impl Iterator<Item = Self> {
        self.text.split_whitespace().map(move |word| self.part(word))
    }

    /// Returns a part of the string.
    pub(crate) fn part(self, text: &'static str) -> Self {
        Self { text, ..self }
    }

    /// Returns a problem with the string.
    pub(crate) fn problem(self, what: impl Display) -> Problem {
        self.place.problem(what)
    }
}

/// Returns the strings alone.
pub(crate) fn plain(texts: &[Text]) -> Vec<&'static str> {
    texts.iter().map(|text| text.text).collect()
}

/// A table of a file, or the whole file.
#[derive(Clone, Copy)]
pub(crate) struct Section {
    table: Option<&'static DeTable<'static>>,
    pub(crate) place: Place,
}

impl Section {
    /// Parses a file.
    pub(crate) fn parse(path: &Path, text: String) -> Result<Self> {
        let text: &'static str = text.leak();
        let table = DeTable::parse(text).map_err(|error| Problem::about(path, error))?.into_inner();
        let path = path.display().to_string().leak();
        Ok(Self { table: Some(Box::leak(Box::new(table))), place: Place { path, text, offset: 0 } })
    }

    /// Returns the name of the file without its ending.
    pub(crate) fn stem(&self) -> &'static str {
        Path::new(self.place.path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
    }

    /// Returns the directory of the file.
    pub(crate) fn directory(&self) -> &'static str {
        self.place.path.split('/').next().unwrap_or_default()
    }

    /// Fails if there is another key than these.
    pub(crate) fn only(&self, keys: &[&str]) -> Result<()> {
        match self.entries().find(|(key, _)| !keys.contains(&key.text)) {
            Some((key, _)) => Err(super::words::unknown("key", key, keys.iter().copied())),
            None => Ok(()),
        }
    }

    /// Returns the keys and values in the order of keys.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Text, Item)> {
        let place = self.place;
        let entries = self.table.into_iter().flatten();
        entries.map(move |(key, value)| {
            (Text { text: key.get_ref(), place: place.of(key) }, Item { value, place: place.of(value) })
        })
    }

    /// Returns the strings of a key: a string, a list of them, or none.
    pub(crate) fn strings(&self, key: &str) -> Result<Vec<Text>> {
        self.get(key).map_or_else(|| Ok(Vec::new()), Item::strings)
    }

    /// Returns the string of a key.
    pub(crate) fn string(&self, key: &str) -> Result<Option<Text>> {
        self.get(key).map(Item::string).transpose()
    }

    /// Returns the string of a key that must be there.
    pub(crate) fn need(&self, key: &str) -> Result<Text> {
        self.string(key)?.ok_or_else(|| self.place.problem(format_args!("`{key}` is missing")))
    }

    /// Returns true if a key is there and `true`.
    pub(crate) fn flag(&self, key: &str) -> Result<bool> {
        let Some(item) = self.get(key) else { return Ok(false) };
        item.value.get_ref().as_bool().ok_or_else(|| item.place.problem("expected `true` or `false`"))
    }

    /// Returns the table of a key, or an empty one.
    pub(crate) fn section(&self, key: &str) -> Result<Self> {
        self.get(key).map_or(Ok(Self { table: None, place: self.place }), Item::section)
    }

    /// Returns the tables in the list of a key.
    pub(crate) fn sections(&self, key: &str) -> Result<Vec<Self>> {
        let Some(item) = self.get(key) else { return Ok(Vec::new()) };
        let list = item.value.get_ref().as_array();
        let list = list.ok_or_else(|| item.place.problem("expected a list of tables"))?;
        list.iter().map(|value| Item { value, place: self.place.of(value) }.section()).collect()
    }

    fn get(&self, key: &str) -> Option<Item> {
        let value = self.table?.get(key)?;
        Some(Item { value, place: self.place.of(value) })
    }
}

/// A value of a file.
#[derive(Clone, Copy)]
pub(crate) struct Item {
    value: &'static Spanned<DeValue<'static>>,
    place: Place,
}

impl Item {
    /// Returns the string.
    pub(crate) fn string(self) -> Result<Text> {
        let text = self.value.get_ref().as_str().ok_or_else(|| self.place.problem("expected a string"))?;
        Ok(Text { text, place: self.place })
    }

    /// Returns the string, or the strings of the list.
    pub(crate) fn strings(self) -> Result<Vec<Text>> {
        let Some(list) = self.value.get_ref().as_array() else { return Ok(vec![self.string()?]) };
        list.iter().map(|value| Self { value, place: self.place.of(value) }.string()).collect()
    }

    /// Returns the table.
    pub(crate) fn section(self) -> Result<Section> {
        let table = self.value.get_ref().as_table().ok_or_else(|| self.place.problem("expected a table"))?;
        Ok(Section { table: Some(table), place: self.place })
    }
}
