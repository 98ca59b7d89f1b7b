//! Reads tables of an SQLite database, for agents that keep their sessions in one.
//!
//! This is a reader of the file format and nothing else: no query language, no indexes, no writing, and no locks that the agent
//! would have to wait for. The file is hostile input. A page is read at most once, what all rows together may hold is bounded
//! by the size of the file, and a row that is damaged is counted and left out.
//!
//! An agent may write while we read. Changes are in the log next to the database (`-wal`) until they are copied into it; the log is
//! read first, up to the last change that is complete. A caller that wants to know whether both stayed the same compares
//! [`Database::version`] before and after.

mod btree;
mod pages;
mod row;
mod schema;
mod wal;

pub use pages::Pages;

use checkrein_core::Map;
use pages::{number, number_at};
use schema::Table;
use std::{collections::BTreeSet, io};
use wal::Wal;

/// The number of bytes before the first page's own content.
const HEADER: usize = 100;

/// A database that is open for reading.
pub struct Database<'a> {
    file: &'a dyn Pages,
    wal: Option<Wal<'a>>,
    page_size: usize,
    /// The bytes of a page that hold content.
    usable: usize,
}

impl std::fmt::Debug for Database<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Database").field("page_size", &self.page_size).finish_non_exhaustive()
    }
}

/// The reason why a database cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file is something else, or damaged.
    #[error("this is not an SQLite database that can be read: {0}")]
    Damaged(&'static str),
    /// The file could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The rows that a scan left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omitted {
    /// Rows that are longer than allowed.
    pub too_long: u64,
    /// Rows that are damaged.
    pub damaged: u64,
}

/// One row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The number of the row, which grows with every row that is added.
    pub id: i64,
    /// The values by column. A value that is neither a number nor a text is `null`.
    pub values: Map,
}

impl<'a> Database<'a> {
    /// Opens a database, with its log of changes if there is one.
    ///
    /// # Errors
    ///
    /// If it is not a database, or cannot be read.
    pub fn open(file: &'a dyn Pages, wal: Option<&'a dyn Pages>) -> Result<Self, DatabaseError> {
        let wal = match wal {
            Some(wal) => Wal::open(wal)?,
            None => None,
        };
        let mut database = Self { file, wal, page_size: 512, usable: 512 };
        let mut header = vec![0; HEADER];
        match &database.wal {
            Some(wal) if wal.has(1) => wal.read(1, &mut header)?,
            _ if file.length() < HEADER as u64 => return Err(DatabaseError::Damaged("it is too short")),
            _ => file.read_at(0, &mut header)?,
        }
        if !header.starts_with(b"SQLite format 3\0") {
            return Err(DatabaseError::Damaged("it does not begin as one"));
        }
        if number(&header, 56, 4) != Some(1) {
            return Err(DatabaseError::Damaged("its text is not UTF-8"));
        }
        database.page_size = match number(&header, 16, 2) {
            Some(1) => 65_536,
            Some(size) if size >= 512 && size.is_power_of_two() => size as usize,
            _ => return Err(DatabaseError::Damaged("its pages have an impossible size")),
        };
        if database.wal.as_ref().is_some_and(|wal| wal.page_size != database.page_size) {
            return Err(DatabaseError::Damaged("its log has pages of another size"));
        }
        let reserved = number(&header, 20, 1).unwrap_or_default() as usize;
        database.usable = database.page_size - reserved;
        if database.usable < 480 {
            return Err(DatabaseError::Damaged("its pages have no room"));
        }
        Ok(database)
    }

    /// Returns numbers that change whenever the agent starts to overwrite what was read.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn version(file: &dyn Pages, wal: Option<&dyn Pages>) -> io::Result<[u64; 4]> {
        let at = |pages: &dyn Pages, offset| number_at(pages, offset);
        let salts = match wal {
            Some(wal) => [at(wal, 16)?, at(wal, 20)?],
            None => [0, 0],
        };
        // The counter of changes, and the length in pages: they change when the log is copied into the file.
        Ok([at(file, 24)?, at(file, 28)?, salts[0], salts[1]])
    }

    /// Calls `see` with every row of the tables of these names, in the order of the names and then of the rows. A table that
    /// does not exist has no rows. Rows over `longest` bytes are left out.
    ///
    /// # Errors
    ///
    /// If the tables cannot be read to their end, or what `see` returns.
    pub fn rows(
        &self,
        names: &[&'static str],
        longest: usize,
        see: &mut dyn FnMut(&'static str, Row) -> io::Result<()>,
    ) -> Result<Omitted, DatabaseError> {
        let mut omitted = Omitted::default();
        let mut budget = self.budget();
        let tables = self.tables(&mut budget)?;
        for name in names {
            let Some(table) = tables.iter().find(|table| table.name == *name) else { continue };
            let mut take = |id, payload: &[u8]| match row::decode(payload, id, &table.columns) {
                Some(values) => see(name, Row { id, values }).map(|()| true),
                None => Ok(false),
            };
            self.walk(table.root, longest, &mut budget, &mut omitted, &mut take)?;
        }
        Ok(omitted)
    }

    /// Returns the tables that the database has.
    fn tables(&self, budget: &mut Budget) -> Result<Vec<Table>, DatabaseError> {
        const LONGEST: usize = 1 << 20;
        let mut tables = Vec::new();
        let mut omitted = Omitted::default();
        let columns = schema::OF_SCHEMA;
        let mut take = |id, payload: &[u8]| {
            let values = row::decode(payload, id, &columns.map(schema::Column::plain));
            tables.extend(values.as_ref().and_then(Table::of_row));
            Ok(values.is_some())
        };
        self.walk(1, LONGEST, budget, &mut omitted, &mut take)?;
        Ok(tables)
    }

    fn budget(&self) -> Budget {
        let bytes = self.file.length() + self.wal.as_ref().map_or(0, Wal::length);
        Budget { seen: BTreeSet::new(), bytes }
    }

    /// Reads one page.
    fn page(&self, page: u32) -> Result<Vec<u8>, DatabaseError> {
        let mut bytes = vec![0; self.page_size];
        if let Some(wal) = self.wal.as_ref().filter(|wal| wal.has(page)) {
            wal.read(page, &mut bytes)?;
            return Ok(bytes);
        }
        let offset = u64::from(page).checked_sub(1).map(|before| before * self.page_size as u64);
        let offset = offset.filter(|offset| offset + self.page_size as u64 <= self.file.length());
        let Some(offset) = offset else { return Err(DatabaseError::Damaged("a page is missing")) };
        self.file.read_at(offset, &mut bytes)?;
        Ok(bytes)
    }
}

/// The work that the size of a file justifies.
struct Budget {
    /// The pages that were read. In a database that is not damaged, each belongs to one place.
    seen: BTreeSet<u32>,
    /// The bytes that rows may still hold.
    bytes: u64,
}
