//! Packs: many objects in one file, some only as the difference from another.

use crate::{
    Objection,
    bytes::{Cursor, OID, Oid, broken},
    object::{Kind, LONGEST, inflate},
};
use std::{
    fs::{self, File},
    os::unix::fs::FileExt,
    path::Path,
};

/// The maximum number of packs that are searched.
const PACKS: usize = 64;
/// The maximum length of a chain of differences: git itself makes none longer than 50.
const CHAIN: usize = 256;
/// The number of bytes of a pack that are read at first for one object: enough for most trees and commits.
const PIECE: usize = 4096;
/// The offset of the table with the number of names for each first byte.
const FANOUT: u64 = 8;
/// The offset of the names.
const NAMES: u64 = FANOUT + 256 * 4;

/// The packs of a repository.
pub(crate) struct Packs(Vec<Pack>);

struct Pack {
    index: File,
    data: File,
    count: u32,
}

impl Packs {
    pub(crate) fn open(directory: &Path) -> Result<Self, Objection> {
        let Ok(files) = fs::read_dir(directory) else { return Ok(Self(Vec::new())) };
        let mut packs = Vec::new();
        for file in files {
            let path = file?.path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            if ending == Some("promisor") {
                return Err(Objection::unknown("the clone is partial"));
            }
            if ending == Some("idx") {
                if packs.len() == PACKS {
                    return Err(Objection::unknown("there are too many packs"));
                }
                packs.push(Pack::open(&path)?);
            }
        }
        Ok(Self(packs))
    }

    pub(crate) fn read(&self, oid: &Oid) -> Result<Option<(Kind, Vec<u8>)>, Objection> {
        for pack in &self.0 {
            if let Some(offset) = pack.find(oid)? {
                return pack.object(offset, self, 0).map(Some);
            }
        }
        Ok(None)
    }
}

impl Pack {
    fn open(path: &Path) -> Result<Self, Objection> {
        let index = File::open(path)?;
        let data = File::open(path.with_extension("pack"))?;
        let mut pack = Self { index, data, count: 0 };
        if pack.bytes(&pack.index, 0, 8)? != *b"\xfftOc\0\0\0\x02" {
            return Err(Objection::unknown("a pack has another format"));
        }
        pack.count = pack.number(FANOUT + 255 * 4)?;
        Ok(pack)
    }

    fn bytes(&self, file: &File, offset: u64, count: usize) -> Result<Vec<u8>, Objection> {
        let mut bytes = vec![0; count];
        file.read_exact_at(&mut bytes, offset)?;
        Ok(bytes)
    }

    fn number(&self, offset: u64) -> Result<u32, Objection> {
        Cursor::new(&self.bytes(&self.index, offset, 4)?).u32()
    }

    /// Returns the offset of an object.
    fn find(&self, oid: &Oid) -> Result<Option<u64>, Objection> {
        let first = u64::from(*oid.first().ok_or_else(broken)?);
        let mut low = if first == 0 { 0 } else { u64::from(self.number(FANOUT + (first - 1) * 4)?) };
        let mut high = u64::from(self.number(FANOUT + first * 4)?);
        while low < high {
            let middle = low.midpoint(high);
            let name = self.bytes(&self.index, NAMES + middle * OID as u64, OID)?;
            match name.as_slice().cmp(oid.as_slice()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.offset(middle).map(Some),
            }
        }
        Ok(None)
    }

    fn offset(&self, place: u64) -> Result<u64, Objection> {
        let count = u64::from(self.count);
        // After the names come the checksums, then the places.
        let small = NAMES + count * (OID as u64 + 4);
        let offset = self.number(small + place * 4)?;
        if offset & 0x8000_0000 == 0 {
            return Ok(u64::from(offset));
        }
        let large = small + count * 4 + u64::from(offset & 0x7fff_ffff) * 8;
        let bytes = self.bytes(&self.index, large, 8)?;
        Ok(u64::from_be_bytes(bytes.try_into().map_err(|_| broken())?))
    }

    fn object(&self, offset: u64, packs: &Packs, depth: usize) -> Result<(Kind, Vec<u8>), Objection> {
        if depth > CHAIN {
            return Err(broken());
        }
        let piece = self.piece(offset, PIECE)?;
        let mut cursor = Cursor::new(&piece);
        let first = cursor.byte()?;
        let mut size = usize::from(first & 0x0f);
        if first & 0x80 != 0 {
            size |= cursor.size()?.checked_shl(4).ok_or_else(broken)?;
        }
        if size > LONGEST {
            return Err(Objection::unknown("an object of git is too long"));
        }
        let kind = first >> 4 & 7;
        let base = match kind {
            1 => Err(Kind::Commit),
            2 => Err(Kind::Tree),
            3 => Err(Kind::Blob),
            4 => Err(Kind::Tag),
            6 => {
                let back = cursor.offset()?;
                let from = offset.checked_sub(back).filter(|_| back > 0).ok_or_else(broken)?;
                Ok(self.object(from, packs, depth + 1)?)
            }
            7 => Ok(packs.read(&cursor.oid()?)?.ok_or_else(broken)?),
            _ => return Err(broken()),
        };
        let used = piece.len() - cursor.len();
        let content = self.content(offset + used as u64, size)?;
        match base {
            Err(kind) => Ok((kind, content)),
            Ok((kind, base)) => Ok((kind, apply(&base, &content)?)),
        }
    }

    fn piece(&self, offset: u64, wanted: usize) -> Result<Vec<u8>, Objection> {
        let length = self.data.metadata()?.len();
        let left = length.checked_sub(offset).ok_or_else(broken)?;
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(wanted);
        self.bytes(&self.data, offset, wanted)
    }

    /// Returns the decompressed content at an offset. Its compressed length is only known after decompression: it may
    /// be longer than the content.
    fn content(&self, offset: u64, size: usize) -> Result<Vec<u8>, Objection> {
        let wanted = size + size / 1000 + 64;
        let content = inflate(&self.piece(offset, wanted)?)?;
        if content.len() == size { Ok(content) } else { Err(broken()) }
    }
}

/// Makes an object of another and the difference from it.
fn apply(base: &[u8], difference: &[u8]) -> Result<Vec<u8>, Objection> {
    let mut cursor = Cursor::new(difference);
    if cursor.size()? != base.len() {
        return Err(broken());
    }
    let size = cursor.size()?;
    if size > LONGEST {
        return Err(Objection::unknown("an object of git is too long"));
    }
    let mut whole = Vec::with_capacity(size);
    while cursor.len() > 0 {
        let step = cursor.byte()?;
        if step & 0x80 == 0 {
            whole.extend_from_slice(cursor.take(usize::from(step))?);
            continue;
        }
        let mut number = |bits: std::ops::Range<u8>| -> Result<usize, Objection> {
            let mut value = 0;
            for (place, bit) in bits.enumerate() {
                if step & 1 << bit != 0 {
                    value |= usize::from(cursor.byte()?) << (8 * place);
                }
            }
            Ok(value)
        };
        let offset = number(0..4)?;
        let length = match number(4..7)? {
            0 => 0x10000,
            length => length,
        };
        let end = offset.checked_add(length).ok_or_else(broken)?;
        whole.extend_from_slice(base.get(offset..end).ok_or_else(broken)?);
        if whole.len() > size {
            return Err(broken());
        }
    }
    if whole.len() == size { Ok(whole) } else { Err(broken()) }
}
