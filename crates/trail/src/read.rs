//! Reads the trail, forwards or backwards, one record at a time.

use crate::{
    Record,
    pending::{self, waiting},
    segment::{CURRENT, closed},
};
use std::{
    collections::{HashSet, VecDeque},
    fs::File,
    io::{self, BufRead, BufReader},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

/// The longest line that is read.
const LONGEST: usize = 2 * 1024 * 1024;

/// A line as it is stored, and what it says.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The file.
    pub file: PathBuf,
    /// The line, without its line break.
    pub line: Vec<u8>,
    /// Its content; `None` if it cannot be read.
    pub record: Option<Record>,
}

/// Opens every segment, the oldest first. What is opened stays the same file, whatever happens to names.
pub(crate) fn open_segments(directory: &Path) -> io::Result<Vec<(PathBuf, File)>> {
    loop {
        let before = closed(directory);
        let mut files = Vec::new();
        for (_, path) in &before {
            match File::open(path) {
                Ok(file) => files.push((path.clone(), file)),
                // It was removed for its age.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        let current = directory.join(CURRENT);
        match File::open(&current) {
            Ok(file) => files.push((current, file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        // A segment that was closed in between would be missing.
        if closed(directory).len() == before.len() || before.len() > 10_000 {
            return Ok(files);
        }
    }
}

/// The records from the oldest to the newest. A line that waits to be taken in comes last.
#[derive(Debug)]
pub struct Reader {
    files: VecDeque<(PathBuf, BufReader<File>)>,
    waiting: VecDeque<PathBuf>,
    late: Late,
}

impl Reader {
    /// Opens the trail in a directory. One that does not exist is empty.
    ///
    /// # Errors
    ///
    /// If a file cannot be opened.
    pub fn open(directory: &Path) -> io::Result<Self> {
        let files = open_segments(directory)?;
        let files = files.into_iter().map(|(path, file)| (path, BufReader::with_capacity(256 * 1024, file)));
        Ok(Self { files: files.collect(), waiting: waiting(directory).into(), late: Late::default() })
    }
}

impl Iterator for Reader {
    type Item = io::Result<Stored>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some((path, reader)) = self.files.front_mut() else {
                let path = self.waiting.pop_front()?;
                if let Some(stored) = of_waiting(path).filter(|stored| self.late.is_new(stored)) {
                    return Some(Ok(stored));
                }
                continue;
            };
            let mut line = Vec::new();
            match read_line(reader, &mut line) {
                Ok(0) => drop(self.files.pop_front()),
                Ok(_) => {
                    let stored = stored(path.clone(), line);
                    if self.late.is_new(&stored) {
                        return Some(Ok(stored));
                    }
                }
                Err(error) => {
                    self.files.pop_front();
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Reads a line of bounded length. What is longer comes in pieces, which no one can read.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    io::Read::take(reader, LONGEST as u64).read_until(b'\n', line)
}

fn stored(file: PathBuf, mut line: Vec<u8>) -> Stored {
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    let record = Record::parse(&line);
    Stored { file, line, record }
}

fn of_waiting(path: PathBuf) -> Option<Stored> {
    let line = pending::closed(&pending::read(&path)?);
    let record = Record::parse(&line)?;
    Some(Stored { file: path, line, record: Some(record) })
}

/// The ids of lines that were taken in late. A process that was killed while it took in a line may have left it to be taken in
/// again.
#[derive(Debug, Default)]
struct Late(HashSet<checkrein_core::EventId>);

impl Late {
    fn is_new(&mut self, stored: &Stored) -> bool {
        match &stored.record {
            Some(record) if record.is("late") => self.0.insert(record.id),
            _ => true,
        }
    }
}

/// The records from the newest to the oldest. Only the end of the trail is read until more is asked for.
#[derive(Debug)]
pub struct Newest {
    files: Vec<(PathBuf, File)>,
    waiting: Vec<PathBuf>,
    /// The file that is read, where what was read begins, and what of it is left.
    open: Option<(PathBuf, File, u64, Vec<u8>)>,
    late: Late,
}

impl Newest {
    /// Opens the trail in a directory. One that does not exist is empty.
    ///
    /// # Errors
    ///
    /// If a file cannot be opened.
    pub fn open(directory: &Path) -> io::Result<Self> {
        let files = open_segments(directory)?;
        Ok(Self { files, waiting: waiting(directory), open: None, late: Late::default() })
    }

    fn next_line(&mut self) -> io::Result<Option<Stored>> {
        const STEP: u64 = 128 * 1024;
        loop {
            let Some((path, file, start, text)) = &mut self.open else {
                let Some((path, file)) = self.files.pop() else { return Ok(None) };
                let size = file.metadata()?.len();
                self.open = Some((path, file, size, Vec::new()));
                continue;
            };
            // The line break at the end belongs to the last line.
            let body = text.strip_suffix(b"\n").unwrap_or(text);
            if let Some(at) = body.iter().rposition(|byte| *byte == b'\n') {
                let line = text.split_off(at + 1);
                return Ok(Some(stored(path.clone(), line)));
            }
            if *start == 0 || text.len() > LONGEST {
                let line = std::mem::take(text);
                let stored = (!line.is_empty()).then(|| stored(path.clone(), line));
                if *start == 0 {
                    self.open = None;
                }
                match stored {
                    Some(stored) => return Ok(Some(stored)),
                    None => continue,
                }
            }
            let from = start.saturating_sub(STEP);
            let mut piece = vec![0; usize::try_from(*start - from).unwrap_or_default()];
            file.read_exact_at(&mut piece, from)?;
            piece.append(text);
            *text = piece;
            *start = from;
        }
    }
}

impl Iterator for Newest {
    type Item = io::Result<Stored>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let stored = match self.waiting.pop() {
                Some(path) => of_waiting(path),
                None => match self.next_line() {
                    Ok(stored) => Some(stored?),
                    Err(error) => {
                        (self.files, self.open) = (Vec::new(), None);
                        return Some(Err(error));
                    }
                },
            };
            if let Some(stored) = stored.filter(|stored| self.late.is_new(stored)) {
                return Some(Ok(stored));
            }
        }
    }
}
