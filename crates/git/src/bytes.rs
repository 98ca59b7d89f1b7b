//! Numbers and names in the files of git.

use crate::Objection;

/// The length of the name of an object.
pub(crate) const OID: usize = 20;

/// The name of an object.
pub(crate) type Oid = [u8; OID];

/// Bytes that are taken from the front.
pub(crate) struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Objection> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(broken)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Objection> {
        self.take(1)?.first().copied().ok_or_else(broken)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Objection> {
        Ok(u16::from_be_bytes(self.take(2)?.try_into().map_err(|_| broken())?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Objection> {
        Ok(u32::from_be_bytes(self.take(4)?.try_into().map_err(|_| broken())?))
    }

    pub(crate) fn oid(&mut self) -> Result<Oid, Objection> {
        self.take(OID)?.try_into().map_err(|_| broken())
    }

    /// Takes what is before a byte, and the byte.
    pub(crate) fn until(&mut self, end: u8) -> Result<&'a [u8], Objection> {
        let length = self.0.iter().position(|byte| *byte == end).ok_or_else(broken)?;
        let taken = self.take(length)?;
        self.take(1)?;
        Ok(taken)
    }

    /// A number of variable length in which each further byte adds one, as pack files and the index have it.
    pub(crate) fn offset(&mut self) -> Result<u64, Objection> {
        let mut byte = self.byte()?;
        let mut value = u64::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = self.byte()?;
            value = value.checked_add(1).filter(|value| *value < 1 << 56).ok_or_else(broken)?;
            value = (value << 7) | u64::from(byte & 0x7f);
        }
        Ok(value)
    }

    /// A number of variable length, the low bits first.
    pub(crate) fn size(&mut self) -> Result<usize, Objection> {
        let (mut value, mut shift) = (0usize, 0u32);
        loop {
            let byte = self.byte()?;
            value |= usize::from(byte & 0x7f).checked_shl(shift).ok_or_else(broken)?;
            shift += 7;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            if shift > 49 {
                return Err(broken());
            }
        }
    }
}

/// A file of git that is not what it should be.
pub(crate) fn broken() -> Objection {
    Objection::unknown("a file of git cannot be read")
}

/// The name of an object, from its 40 digits.
pub(crate) fn oid_of(text: &str) -> Option<Oid> {
    let digits = text.as_bytes();
    let mut oid = [0; OID];
    if digits.len() != 2 * OID {
        return None;
    }
    for (byte, pair) in oid.iter_mut().zip(digits.chunks_exact(2)) {
        let [high, low] = pair else { return None };
        let digit = |char: u8| char::from(char).to_digit(16);
        *byte = u8::try_from(digit(*high)? << 4 | digit(*low)?).ok()?;
    }
    Some(oid)
}

/// The 40 digits of the name of an object.
pub(crate) fn hex(oid: &Oid) -> String {
    oid.iter().map(|byte| format!("{byte:02x}")).collect()
}
