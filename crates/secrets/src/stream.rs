//! The scan of a text that comes in pieces: a secret at the border of two is found as if there were none.
//!
//! The text is scanned in windows that overlap. Text near the end of a window waits for the next one, so that a value that
//! goes on there is read as a whole.

use crate::{Finding, Scanner};

/// The part of a window that may belong to an incomplete value: more than the longest key.
const OVERLAP: usize = 1 << 16;
/// The number of bytes that are scanned at once.
const WINDOW: usize = 1 << 20;

/// A scan in progress.
#[derive(Debug)]
pub struct Stream<'s> {
    scanner: &'s Scanner,
    window: Vec<u8>,
    /// The position of the window in the whole text.
    start: usize,
    /// The end of what has been reported, in bytes of the whole text.
    reported: usize,
}

impl<'s> Stream<'s> {
    /// Begins a scan.
    pub const fn new(scanner: &'s Scanner) -> Self {
        Self { scanner, window: Vec::new(), start: 0, reported: 0 }
    }

    /// Takes the next piece. Returns findings with positions in the whole text, in order.
    pub fn push(&mut self, piece: &[u8]) -> Vec<Finding> {
        self.window.extend_from_slice(piece);
        if self.window.len() < WINDOW { Vec::new() } else { self.scan(false) }
    }

    /// Ends the scan, and returns the rest.
    pub fn finish(mut self) -> Vec<Finding> {
        self.scan(true)
    }

    fn scan(&mut self, is_end: bool) -> Vec<Finding> {
        let settled = if is_end { self.window.len() } else { self.window.len().saturating_sub(OVERLAP) };
        let mut findings = self.scanner.scan(&self.window);
        findings.retain_mut(|finding| {
            let is_settled = finding.range.end <= settled;
            finding.range = finding.range.start + self.start..finding.range.end + self.start;
            is_settled && finding.range.start >= self.reported
        });
        self.reported = findings.last().map_or(self.reported, |last| last.range.end);
        // The kept part begins before an incomplete match, with the text that may belong to it.
        let cut = settled.saturating_sub(OVERLAP).min(self.window.len());
        self.window.drain(..cut);
        self.start += cut;
        findings
    }
}
