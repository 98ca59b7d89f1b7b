//! The reader of databases against SQLite itself, and on damaged files.
#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, clippy::indexing_slicing, reason = "tests")]

use checkrein_hosts::sqlite::{Database, DatabaseError, Omitted, Pages, Row};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::{fs, path::Path, process::Command, sync::LazyLock};
use tempfile::TempDir;

const NAMES: &[&str] = &["part", "session"];

/// Databases that SQLite wrote.
static WRITTEN: LazyLock<TempDir> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sqlite/databases.py");
    let status = Command::new("python3").arg(script).arg(directory.path()).arg("1").status();
    assert!(status.expect("python3 writes the databases of this test").success());
    directory
});

struct Files {
    database: Vec<u8>,
    log: Option<Vec<u8>>,
    expected: Value,
}

fn files(number: usize) -> Files {
    let name = |ending: &str| WRITTEN.path().join(format!("copy-{number}.{ending}"));
    Files {
        database: fs::read(name("db")).unwrap(),
        log: fs::read(name("db-wal")).ok(),
        expected: serde_json::from_str(&fs::read_to_string(name("json")).unwrap()).unwrap(),
    }
}

/// Rows with their tables, and what was left out.
type Found = (Vec<(&'static str, Row)>, Omitted);

fn rows(database: &Vec<u8>, log: Option<&Vec<u8>>, longest: usize) -> Result<Found, DatabaseError> {
    let log = log.map(|log| log as &dyn Pages);
    let mut rows = Vec::new();
    let omitted = Database::open(database, log)?.rows(NAMES, longest, &mut |table, row| {
        rows.push((table, row));
        Ok(())
    })?;
    Ok((rows, omitted))
}

#[test]
fn it_reads_what_sqlite_reads() {
    let mut all = 0;
    let mut with_log = 0;
    for number in 0..24 {
        let Files { database, log, expected } = files(number);
        with_log += usize::from(log.as_ref().is_some_and(|log| !log.is_empty()));
        let (found, omitted) = rows(&database, log.as_ref(), 1 << 20).unwrap();
        assert_eq!(omitted, Omitted::default(), "{number}");
        for table in NAMES {
            let found: Vec<Value> = found
                .iter()
                .filter(|(name, _)| name == table)
                .map(|(_, row)| {
                    let mut values = json!({"$row": row.id});
                    values.as_object_mut().unwrap().extend(row.values.clone());
                    values
                })
                .collect();
            assert_eq!(json!(found), expected[table], "{number}: {table}");
            all += found.len();
        }
    }
    assert!(all > 1000 && with_log > 5, "{all} rows, {with_log} logs");
}

/// A change that is not in the log as a whole does not count: it may be a write that is still going on.
#[test]
fn a_log_counts_up_to_its_last_whole_change() {
    let number = (0..24).find(|number| files(*number).log.is_some_and(|log| log.len() > 30_000)).unwrap();
    let Files { database, log, expected } = files(number);
    let log = log.unwrap();
    let whole = expected["part"].as_array().unwrap().len();
    let cut = log[..log.len() - 1].to_vec();
    let found = rows(&database, Some(&cut), 1 << 20).unwrap().0.len();
    assert!(found < whole + 3, "{found} of {whole}");
    let mut changed = log.clone();
    let middle = log.len() / 2;
    changed[middle] ^= 1;
    let found = rows(&database, Some(&changed), 1 << 20).map_or(0, |(rows, _)| rows.len());
    assert!(found < whole + 3, "{found} of {whole}");
}

#[test]
fn long_rows_are_counted() {
    let long = |files: &Files| {
        let rows = files.expected["part"].as_array().unwrap();
        rows.iter().filter(|row| row["data"].as_str().is_some_and(|text| text.len() > 2000)).count()
    };
    // SQLite deletes some rows by chance, so a small database may have no long row left.
    let files = (0..24).map(files).find(|files| long(files) > 0).unwrap();
    let most = long(&files) as u64;
    let Files { database, log, expected } = files;
    let (found, omitted) = rows(&database, log.as_ref(), 2000).unwrap();
    assert!(omitted.too_long >= most, "{omitted:?}");
    assert_eq!(found.len() + omitted.too_long as usize, expected["part"].as_array().unwrap().len() + 3);
}

#[test]
fn what_is_not_a_database_is_said() {
    for bytes in [vec![], b"SQLite format 3".to_vec(), vec![0; 4096], b"SQLite format 3\0".repeat(300)] {
        assert!(matches!(rows(&bytes, None, 1 << 20), Err(DatabaseError::Damaged(_))));
    }
}

/// A page that leads to itself ends the search, and does not go on forever.
#[test]
fn pages_in_a_circle_are_an_error() {
    let in_file = (0..24).map(files).filter(|files| files.log.is_none());
    let longest = in_file.max_by_key(|files| files.expected["part"].as_array().unwrap().len());
    let mut database = longest.unwrap().database;
    let size = match u16::from_be_bytes([database[16], database[17]]) {
        1 => 65_536,
        size => usize::from(size),
    };
    for page in 1..database.len() / size {
        let start = page * size;
        if database[start] == 0x05 {
            database[start + 8..start + 12].copy_from_slice(&(page as u32 + 1).to_be_bytes());
        }
    }
    let found = rows(&database, None, 1 << 20).map(|(rows, _)| rows.len());
    assert!(matches!(found, Err(DatabaseError::Damaged("its pages are in a circle"))), "{found:?}");
}

proptest! {
    #[test]
    fn damage_is_no_panic_and_costs_no_more_than_the_file(
        number in 0usize..24,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
        in_log in any::<bool>(),
    ) {
        let Files { mut database, mut log, .. } = files(number);
        for (at, byte) in changes {
            let bytes = match (&mut log, in_log) {
                (Some(log), true) if !log.is_empty() => log,
                _ => &mut database,
            };
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let most = database.len() + log.as_ref().map_or(0, Vec::len);
        if let Ok((rows, _)) = rows(&database, log.as_ref(), 1 << 20) {
            let held: usize = rows.iter().flat_map(|(_, row)| row.values.values()).map(|value| value.as_str().map_or(0, str::len)).sum();
            // Bytes that are not text become three bytes each.
            prop_assert!(held <= 3 * most, "{} of {}", held, most);
        }
    }

    #[test]
    fn a_cut_file_is_no_panic(number in 0usize..24, at in any::<prop::sample::Index>()) {
        let Files { mut database, log, .. } = files(number);
        database.truncate(at.index(database.len()));
        let _ = rows(&database, log.as_ref(), 1 << 20);
    }
}
