//! The tables of a database and their columns, from the text with which each was created.

use checkrein_core::Map;
use serde_json::Value;

/// The columns of the table that lists all tables.
pub(super) const OF_SCHEMA: [&str; 5] = ["type", "name", "tbl_name", "rootpage", "sql"];

/// A table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    /// The first page of its rows.
    pub(super) root: u32,
    /// Its columns in the order in which rows have them.
    pub(super) columns: Vec<Column>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    /// True for the number of the row, which is not among the values.
    pub(super) is_row_number: bool,
}

impl Column {
    pub(super) fn plain(name: &str) -> Self {
        Self { name: name.to_owned(), is_row_number: false }
    }
}

impl Table {
    /// Returns the table that a row of the schema describes. A table whose rows have no numbers is stored in another way, and is
    /// left out.
    pub(super) fn of_row(row: &Map) -> Option<Self> {
        let text = |key: &str| row.get(key).and_then(Value::as_str);
        let sql = text("sql").filter(|_| text("type") == Some("table"))?;
        Some(Self {
            name: text("name")?.to_owned(),
            root: row.get("rootpage").and_then(Value::as_u64).and_then(|root| u32::try_from(root).ok())?,
            columns: columns(sql)?,
        })
    }
}

/// Returns the columns of a `CREATE TABLE` text.
fn columns(sql: &str) -> Option<Vec<Column>> {
    let mut words = Words(sql);
    while words.next()? != Word::Sign('(') {}
    let mut columns = Vec::new();
    let mut definition = Vec::new();
    let mut depth = 0;
    loop {
        let word = words.next()?;
        match word {
            Word::Sign('(') => depth += 1,
            Word::Sign(')') if depth > 0 => depth -= 1,
            Word::Sign(',') | Word::Sign(')') if depth == 0 => {
                columns.extend(column(&definition));
                definition.clear();
                if word == Word::Sign(')') {
                    break;
                }
            }
            word if depth == 0 => definition.push(word),
            _ => {}
        }
    }
    // `WITHOUT ROWID`
    let is_plain = !std::iter::from_fn(|| words.next()).any(|word| word.is("without"));
    is_plain.then_some(columns)
}

/// Returns the column of a definition; `None` for a constraint, and for a column that is computed when it is read.
fn column(definition: &[Word<'_>]) -> Option<Column> {
    let (first, rest) = definition.split_first()?;
    let name = match first {
        Word::Quoted(name) => name.clone(),
        Word::Plain(name) => {
            let constraints = ["constraint", "primary", "unique", "check", "foreign"];
            if constraints.iter().any(|constraint| first.is(constraint)) {
                return None;
            }
            (*name).to_owned()
        }
        Word::Sign(_) => return None,
    };
    if rest.iter().any(|word| word.is("as")) && !rest.iter().any(|word| word.is("stored")) {
        return None;
    }
    let is_row_number = rest.first().is_some_and(|word| word.is("integer"))
        && rest.windows(2).any(|pair| matches!(pair, [one, two] if one.is("primary") && two.is("key")));
    Some(Column { name, is_row_number })
}

/// A word of SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Word<'s> {
    Plain(&'s str),
    Quoted(String),
    Sign(char),
}

impl Word<'_> {
    fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Plain(word) if word.eq_ignore_ascii_case(keyword))
    }
}

/// Cuts words off the front of a text.
struct Words<'s>(&'s str);

impl<'s> Words<'s> {
    fn next(&mut self) -> Option<Word<'s>> {
        loop {
            self.0 = self.0.trim_start();
            let comment_end = match (self.0.starts_with("--"), self.0.starts_with("/*")) {
                (true, _) => self.0.find('\n').map(|at| at + 1),
                (_, true) => self.0.find("*/").map(|at| at + 2),
                _ => break,
            };
            self.0 = self.0.get(comment_end?..)?;
        }
        let first = self.0.chars().next()?;
        if let Some(close) = match first {
            '"' | '`' | '\'' => Some(first),
            '[' => Some(']'),
            _ => None,
        } {
            return self.quoted(close);
        }
        let is_plain = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
        if !is_plain(first) {
            self.0 = self.0.get(first.len_utf8()..)?;
            return Some(Word::Sign(first));
        }
        let end = self.0.find(|char| !is_plain(char)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at_checked(end)?;
        self.0 = rest;
        Some(Word::Plain(word))
    }

    /// Reads a name in quotes, in which a doubled quote is one.
    fn quoted(&mut self, close: char) -> Option<Word<'s>> {
        let mut name = String::new();
        let mut chars = self.0.char_indices().skip(1).peekable();
        while let Some((at, char)) = chars.next() {
            if char != close {
                name.push(char);
            } else if chars.peek().is_some_and(|(_, next)| *next == close) {
                name.push(char);
                chars.next();
            } else {
                self.0 = self.0.get(at + close.len_utf8()..)?;
                return Some(Word::Quoted(name));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sql: &str) -> Option<Vec<String>> {
        Some(columns(sql)?.into_iter().map(|column| column.name).collect())
    }

    #[test]
    fn columns_are_found_in_any_notation() {
        let sql = "CREATE TABLE `a` (`id` text PRIMARY KEY, -- the, first\n \"b \"\"x\" text DEFAULT (1,2) NOT NULL, [c d] int,\n\
                   e AS (b || ','), f int AS (1) STORED, CONSTRAINT g CHECK (c > 0), FOREIGN KEY (`id`) REFERENCES z(`y`))";
        assert_eq!(names(sql).unwrap(), ["id", "b \"x", "c d", "f"]);
        assert!(columns("CREATE TABLE t (n INTEGER PRIMARY KEY, m)").unwrap()[0].is_row_number);
        assert!(!columns("CREATE TABLE t (n INT PRIMARY KEY)").unwrap()[0].is_row_number);
        assert_eq!(names("CREATE TABLE t (a PRIMARY KEY, b) WITHOUT ROWID"), None);
        for broken in
            ["", "CREATE TABLE t", "CREATE TABLE t (", "CREATE TABLE t (`a", "CREATE TABLE t (a /*", "("]
        {
            assert_eq!(names(broken), None, "{broken}");
        }
    }
}
