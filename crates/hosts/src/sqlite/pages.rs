//! Bytes at positions: the only thing that the reader needs of a file.

use std::io;

/// A file, or a text in memory.
pub trait Pages {
    /// Returns the length in bytes.
    fn length(&self) -> u64;

    /// Fills the buffer with the bytes at a position.
    ///
    /// # Errors
    ///
    /// If there are not as many bytes, or if they cannot be read.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl Pages for Vec<u8> {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).ok();
        let bytes = start.and_then(|start| self.get(start..start.checked_add(buffer.len())?));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Returns the number of `length` bytes at a position, the highest byte first.
pub(super) fn number(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    Some(bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

/// Returns the number of four bytes at a position of a file; 0 if the file is shorter.
pub(super) fn number_at(pages: &dyn Pages, offset: u64) -> io::Result<u64> {
    if pages.length() < offset + 4 {
        return Ok(0);
    }
    let mut bytes = [0; 4];
    pages.read_at(offset, &mut bytes)?;
    Ok(u64::from(u32::from_be_bytes(bytes)))
}
