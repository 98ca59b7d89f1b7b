//! The bounds of one record and of the store.

use std::time::Duration;

/// The bounds of one record and of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of files, directories and links of a record.
    pub entries: usize,
    /// The maximum number of bytes of a record.
    pub bytes: u64,
    /// The maximum time for making a record.
    pub time: Duration,
    /// The maximum number of bytes of all records.
    pub store: u64,
    /// The time after which a record is removed.
    pub life: Duration,
}

/// No record is removed before this time, whatever the store needs.
pub(crate) const GRACE: Duration = Duration::from_secs(24 * 3600);

/// The maximum number of records. Each is a directory, and all of them are listed when one is added.
pub(crate) const RECORDS: usize = 10_000;

impl Default for Limits {
    fn default() -> Self {
        Self {
            entries: 20_000,
            bytes: 512 << 20,
            time: Duration::from_millis(1500),
            store: 2 << 30,
            life: Duration::from_secs(14 * 24 * 3600),
        }
    }
}
