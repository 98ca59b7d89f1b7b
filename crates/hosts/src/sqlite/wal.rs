//! The log of changes next to a database (`-wal`), with newer pages than the file.
//!
//! A frame is a header of 24 bytes and a page. It counts if it carries the salts of the log's header, if its checksum continues that of
//! the frame before, and if a frame at or after it ends a transaction. What was written to disk only in part is thereby left out.

use super::{
    DatabaseError,
    pages::{Pages, number},
};
use std::{collections::BTreeMap, io};

const HEADER: u64 = 32;
const FRAME: u64 = 24;
/// The longest log that is read.
const LONGEST: u64 = 1 << 30;

/// A log, and where the newest version of each page is in it.
pub(super) struct Wal<'a> {
    file: &'a dyn Pages,
    pub(super) page_size: usize,
    places: BTreeMap<u32, u64>,
}

impl<'a> Wal<'a> {
    /// Opens a log; `None` if it has no change that is complete.
    pub(super) fn open(file: &'a dyn Pages) -> Result<Option<Self>, DatabaseError> {
        let length = file.length();
        if length < HEADER {
            return Ok(None);
        }
        if length > LONGEST {
            return Err(DatabaseError::Damaged("its log is too long"));
        }
        let mut header = vec![0; 32];
        file.read_at(0, &mut header)?;
        let order = match number(&header, 0, 4) {
            Some(0x377f_0682) => u32::from_le_bytes,
            Some(0x377f_0683) => u32::from_be_bytes,
            // The end of a log that was cleared.
            _ => return Ok(None),
        };
        let size = number(&header, 8, 4).unwrap_or_default();
        if !(512..=65_536).contains(&size) || !size.is_power_of_two() {
            return Err(DatabaseError::Damaged("its log has pages of an impossible size"));
        }
        let mut sum = Checksum { order, first: 0, second: 0 };
        sum.add(header.get(..24).unwrap_or_default());
        if !sum.is_at(&header, 24) {
            return Ok(None);
        }
        let mut wal = Self { file, page_size: size as usize, places: BTreeMap::new() };
        wal.frames(header.get(16..24).unwrap_or_default(), sum)?;
        Ok((!wal.places.is_empty()).then_some(wal))
    }

    /// Notes the frames of every transaction that is complete.
    fn frames(&mut self, salts: &[u8], mut sum: Checksum) -> io::Result<()> {
        let mut frame = vec![0; FRAME as usize + self.page_size];
        let mut offset = HEADER;
        let mut open: Vec<(u32, u64)> = Vec::new();
        while offset + frame.len() as u64 <= self.file.length() {
            self.file.read_at(offset, &mut frame)?;
            let (head, page) = frame.split_at(FRAME as usize);
            sum.add(head.get(..8).unwrap_or_default());
            sum.add(page);
            if head.get(8..16) != Some(salts) || !sum.is_at(head, 16) {
                break;
            }
            open.push((number(head, 0, 4).unwrap_or_default(), offset + FRAME));
            if number(head, 4, 4).is_some_and(|pages| pages > 0) {
                self.places.extend(open.drain(..));
            }
            offset += frame.len() as u64;
        }
        Ok(())
    }

    pub(super) fn length(&self) -> u64 {
        self.file.length()
    }

    pub(super) fn has(&self, page: u32) -> bool {
        self.places.contains_key(&page)
    }

    /// Reads the beginning of a page.
    pub(super) fn read(&self, page: u32, buffer: &mut [u8]) -> io::Result<()> {
        let place = self.places.get(&page).ok_or(io::ErrorKind::NotFound)?;
        self.file.read_at(*place, buffer)
    }
}

/// The running checksum of a log.
struct Checksum {
    order: fn([u8; 4]) -> u32,
    first: u32,
    second: u32,
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        let (words, _) = bytes.as_chunks::<4>();
        for pair in words.chunks_exact(2) {
            if let [one, two] = pair {
                self.first = self.first.wrapping_add((self.order)(*one)).wrapping_add(self.second);
                self.second = self.second.wrapping_add((self.order)(*two)).wrapping_add(self.first);
            }
        }
    }

    /// Returns whether this checksum is written at a position.
    fn is_at(&self, bytes: &[u8], at: usize) -> bool {
        number(bytes, at, 4) == Some(self.first) && number(bytes, at + 4, 4) == Some(self.second)
    }
}
