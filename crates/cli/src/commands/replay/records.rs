//! Reads one file of an agent: lines, a document, or a database.
//!
//! The file is hostile input. Records that are too long or of an unknown kind are counted, and the rest is read.

use super::summary::End;
use crate::bounded_line::{self, BoundedLine};
use checkrein::Map;
use checkrein_hosts::{
    sqlite::{Database, Pages},
    transcript::{Form, Reader, RecordedCall, Transcripts},
};
use serde_json::Value;
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

/// The longest record that is read.
const RECORD: u64 = 4 << 20;
/// The longest document that is read.
const DOCUMENT: u64 = 64 << 20;
/// The most that a compressed file may become.
const UNPACKED: u64 = 4 << 30;
/// The number of times that a database is read because its agent changed it in the meantime.
const ATTEMPTS: usize = 4;

/// Takes a call.
type Take<'t> = dyn FnMut(RecordedCall, &mut End) -> io::Result<()> + 't;

/// Reads a file, and hands over every call in it. A file that cannot be opened is a problem, which the figures have.
pub(super) fn read(
    transcripts: &Transcripts,
    file: &Path,
    end: &mut End,
    take: &mut Take<'_>,
) -> io::Result<()> {
    let mut records = Records { reader: (transcripts.reader)(), calls: Vec::new() };
    let opened = match File::open(file) {
        Ok(opened) => opened,
        Err(error) => {
            end.problem = Some(format!("{}: {error}", file.display()));
            return Ok(());
        }
    };
    if let Some(companion) = transcripts.companion.and_then(|companion| companion(&file.to_string_lossy())) {
        // Without it, the directory is not known, and each call reports that.
        if let Ok(companion) = File::open(companion) {
            records.document(companion, &mut End::default())?;
            records.calls.clear();
        }
    }
    match transcripts.form {
        Form::Lines => records.lines(&mut *unpacked(opened, file)?, end, take)?,
        Form::Document => records.document(opened, end)?,
        Form::Database(tables) => {
            if let Err(error) = records.database(&opened, file, tables, end, take) {
                end.problem = Some(format!("{}: {error}", file.display()));
            }
        }
    }
    records.reader.finish(&mut records.calls);
    end.incomplete += records.reader.incomplete();
    records.hand_over(end, take)
}

/// Returns the content of a file that may be compressed.
fn unpacked(opened: File, file: &Path) -> io::Result<Box<dyn BufRead>> {
    if file.extension().is_none_or(|ending| ending != "zst") {
        return Ok(Box::new(BufReader::with_capacity(1 << 16, opened)));
    }
    let unpacked = ruzstd::decoding::StreamingDecoder::new(BufReader::new(opened));
    Ok(Box::new(BufReader::with_capacity(1 << 16, unpacked.map_err(io::Error::other)?.take(UNPACKED))))
}

/// A reader, and the calls that it found last.
struct Records {
    reader: Box<dyn Reader>,
    calls: Vec<RecordedCall>,
}

impl Records {
    fn hand_over(&mut self, end: &mut End, take: &mut Take<'_>) -> io::Result<()> {
        self.calls.drain(..).try_for_each(|call| take(call, end))
    }

    fn record(&mut self, record: &[u8], line: u64, end: &mut End) {
        if record.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        match serde_json::from_slice::<Map>(record) {
            Ok(record) if self.reader.record(&record, line, &mut self.calls) => {}
            Ok(_) | Err(_) => end.unknown += 1,
        }
    }

    fn lines(&mut self, input: &mut dyn BufRead, end: &mut End, take: &mut Take<'_>) -> io::Result<()> {
        let mut line = 0;
        while let Some(record) = next_line(input, end)? {
            line += 1;
            self.record(&record, line, end);
            self.hand_over(end, take)?;
        }
        Ok(())
    }

    fn document(&mut self, opened: File, end: &mut End) -> io::Result<()> {
        let mut document = Vec::new();
        opened.take(DOCUMENT + 1).read_to_end(&mut document)?;
        if document.len() as u64 > DOCUMENT {
            end.too_long += 1;
        } else {
            self.record(&document, 1, end);
        }
        Ok(())
    }

    /// Reads the tables. If the agent overwrites what is read, they are read again; calls that are found twice count once.
    fn database(
        &mut self,
        opened: &File,
        file: &Path,
        tables: &[&'static str],
        end: &mut End,
        take: &mut Take<'_>,
    ) -> io::Result<()> {
        for _ in 0..ATTEMPTS {
            let pages = FilePages::of(opened.try_clone()?)?;
            let log = FilePages::of_log(file)?;
            let log = log.as_ref().map(|log| log as &dyn Pages);
            let before = Database::version(&pages, log)?;
            let mut figures = End::default();
            let database = Database::open(&pages, log).map_err(io::Error::other)?;
            let mut see = |table: &'static str, row: checkrein_hosts::sqlite::Row| {
                let line = u64::try_from(row.id).unwrap_or_default();
                let record = [("table", Value::from(table)), ("row", Value::Object(row.values))];
                let record: Map = record.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
                if !self.reader.record(&record, line, &mut self.calls) {
                    figures.unknown += 1;
                }
                self.calls.drain(..).try_for_each(|call| take(call, &mut figures))
            };
            let omitted = database.rows(tables, RECORD as usize, &mut see).map_err(io::Error::other)?;
            if Database::version(&FilePages::of(opened.try_clone()?)?, log)? == before {
                end.too_long += omitted.too_long;
                end.unknown += figures.unknown + omitted.damaged;
                end.older += figures.older;
                return Ok(());
            }
        }
        end.problem = Some(format!("{}: its agent changes it all the time; try again later", file.display()));
        Ok(())
    }
}

/// Reads the next line. One that is too long is counted, and is empty here.
fn next_line(input: &mut dyn BufRead, end: &mut End) -> io::Result<Option<Vec<u8>>> {
    Ok(match bounded_line::next(input, RECORD)? {
        BoundedLine::End => None,
        BoundedLine::Whole(line) => Some(line),
        BoundedLine::TooLong => {
            end.too_long += 1;
            Some(Vec::new())
        }
    })
}

/// A file as the reader of databases wants it.
struct FilePages {
    file: File,
    length: u64,
}

impl FilePages {
    fn of(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file, length })
    }

    /// Opens the log of changes next to a database.
    fn of_log(file: &Path) -> io::Result<Option<Self>> {
        let mut name = file.as_os_str().to_owned();
        name.push("-wal");
        match File::open(PathBuf::from(name)) {
            Ok(log) => Self::of(log).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Pages for FilePages {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(buffer, offset)
    }
}
