//! A finished record: who made it, and what is in it.

use crate::{
    entry::{Entry, Kind, Place},
    store::Summary,
};
use rustix::{fs::FlockOperation, io::Errno};
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The file with the summary and the entries.
pub(crate) const MANIFEST: &str = "record";
/// The file with the bytes of small files.
pub(crate) const PACK: &str = "pack";
/// The maximum time to wait for another process that restores the same record.
const WAIT: Duration = Duration::from_secs(5);
/// The longest manifest that is read.
const LONGEST: u64 = 64 << 20;

/// The call that a record was made for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The session.
    pub session: Option<String>,
    /// One line about the call, without secrets.
    pub summary: String,
    /// The project.
    pub project: Option<String>,
    /// True if an answer rests on the record, so that it stays for its whole time.
    pub relied_on: bool,
    /// The id of the record that was restored, if this was kept for that.
    pub restores: Option<String>,
    /// The parts of the call that were not kept, and why.
    pub left_out: Vec<String>,
}

impl Summary {
    /// Returns the first line of the manifest.
    pub(crate) fn line(&self) -> String {
        json!({
            "version": 1,
            "id": self.id,
            "made": self.made,
            "files": self.files,
            "bytes": self.bytes,
            "expires": self.expires,
            "git": self.git,
            "session": self.head.session,
            "summary": self.head.summary,
            "project": self.head.project,
            "relied_on": self.head.relied_on,
            "restores": self.head.restores,
            "left_out": self.head.left_out,
        })
        .to_string()
    }

    pub(crate) fn read(line: &str) -> Option<Self> {
        let line: Value = serde_json::from_str(line).ok()?;
        if line.get("version")?.as_u64()? != 1 {
            return None;
        }
        let text = |name: &str| line.get(name).and_then(Value::as_str).map(str::to_owned);
        let number = |name: &str| line.get(name).and_then(Value::as_u64);
        let left_out = line.get("left_out").and_then(Value::as_array);
        let left_out = left_out.into_iter().flatten().filter_map(|why| Some(why.as_str()?.to_owned()));
        Some(Self {
            id: text("id")?,
            made: number("made")?,
            files: usize::try_from(number("files")?).ok()?,
            bytes: number("bytes")?,
            expires: number("expires")?,
            git: line.get("git")?.as_bool()?,
            head: Head {
                session: text("session"),
                summary: text("summary")?,
                project: text("project"),
                relied_on: line.get("relied_on")?.as_bool()?,
                restores: text("restores"),
                left_out: left_out.collect(),
            },
        })
    }
}

/// A record of the store.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its summary.
    pub summary: Summary,
    /// Everything in it; a directory comes before what is below it.
    pub entries: Vec<Entry>,
    pub(crate) directory: PathBuf,
}

impl Record {
    pub(crate) fn open(directory: PathBuf) -> io::Result<Self> {
        let path = directory.join(MANIFEST);
        let broken = || io::Error::other(format!("`{}` cannot be read", path.display()));
        if fs::symlink_metadata(&path)?.len() > LONGEST {
            return Err(broken());
        }
        let text = fs::read_to_string(&path)?;
        let mut lines = text.lines();
        let summary = lines.next().and_then(Summary::read).ok_or_else(broken)?;
        let entries: Option<Vec<Entry>> = lines.map(Entry::read).collect();
        Ok(Self { summary, entries: entries.ok_or_else(broken)?, directory })
    }

    /// Reads the summary alone.
    pub(crate) fn summary_in(directory: &Path) -> Option<Summary> {
        use std::io::BufRead;
        let mut line = String::new();
        let file = File::open(directory.join(MANIFEST)).ok()?;
        io::BufReader::new(file.take(1 << 20)).read_line(&mut line).ok()?;
        Summary::read(line.trim_end())
    }

    /// Waits until no other process restores this record.
    pub(crate) fn lock(&self) -> io::Result<File> {
        let file = File::open(self.directory.join(MANIFEST))?;
        let end = Instant::now() + WAIT;
        loop {
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(file),
                Err(Errno::WOULDBLOCK | Errno::INTR) if Instant::now() < end => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(Errno::WOULDBLOCK) => return Err(io::Error::other("another process is restoring it")),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Opens the bytes of a kept file: a file at the right place, and how many of its bytes count.
    ///
    /// # Errors
    ///
    /// If they are not there.
    pub fn bytes(&self, entry: &Entry) -> io::Result<io::Take<File>> {
        let Kind::File { size, place } = entry.kind else {
            return Err(io::Error::other("it is not a file"));
        };
        let mut file = self.data(place)?;
        if let Place::Pack(start) = place {
            file.seek(SeekFrom::Start(start))?;
        }
        Ok(file.take(size))
    }

    pub(crate) fn data(&self, place: Place) -> io::Result<File> {
        File::open(match place {
            Place::Pack(_) => self.directory.join(PACK),
            Place::Own(number) => self.directory.join(number.to_string()),
        })
    }
}
