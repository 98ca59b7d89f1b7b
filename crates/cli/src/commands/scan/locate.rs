//! The place of a finding, as a user sees it, and its fingerprint.

use checkrein_secrets::{Finding, Redactor};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// A finding in its place.
#[derive(Debug)]
pub(super) struct Located {
    pub(super) path: String,
    /// The blob of the history that has it.
    pub(super) blob: Option<String>,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) end_column: usize,
    pub(super) kind: String,
    pub(super) class: &'static str,
    pub(super) encoding: &'static str,
    pub(super) tag: String,
    pub(super) fingerprint: String,
    /// Its line says that it is not a secret.
    pub(super) is_marked: bool,
}

/// Comments that mark a line without a real secret, ours and those of other scanners.
const MARKS: &[&str] = &["checkrein:not-a-secret", "gitleaks:allow", "pragma: allowlist secret", "nosecret"];

/// The lines of a text, read once from its beginning as findings come in order.
pub(super) struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    number: usize,
    start: usize,
    /// The number of times that the same kind was found in the same line of text.
    seen: HashMap<[u8; 8], u32>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t [u8], number: usize) -> Self {
        Self { text, at: 0, number, start: 0, seen: HashMap::new() }
    }

    pub(super) fn locate(
        &mut self,
        path: &str,
        blob: Option<&str>,
        finding: &Finding,
        redactor: &Redactor,
    ) -> Located {
        for (offset, byte) in
            self.text.get(self.at..finding.range.start).unwrap_or_default().iter().enumerate()
        {
            if *byte == b'\n' {
                self.number += 1;
                self.start = self.at + offset + 1;
            }
        }
        self.at = finding.range.start;
        let characters = |from: usize, to: usize| {
            String::from_utf8_lossy(self.text.get(from..to).unwrap_or_default()).chars().count()
        };
        let rest = self.text.get(finding.range.end..).unwrap_or_default();
        let end = finding.range.end
            + rest.iter().take(2_000).position(|byte| *byte == b'\n').unwrap_or(rest.len().min(2_000));
        let column = characters(self.start, finding.range.start) + 1;
        let length = characters(finding.range.start, finding.range.end);
        let kind = redactor.scanner().name(finding).to_owned();
        let before = self
            .text
            .get(self.start.max(finding.range.start.saturating_sub(2_000))..finding.range.start)
            .unwrap_or_default();
        let after = self.text.get(finding.range.end..end).unwrap_or_default();
        let line = [before, after].concat();
        let is_marked =
            MARKS.iter().any(|mark| line.windows(mark.len()).any(|window| window == mark.as_bytes()));
        Located {
            path: path.to_owned(),
            blob: blob.map(str::to_owned),
            line: self.number,
            column,
            end_column: column + length,
            class: finding.kind.class().name(),
            encoding: finding.encoding.name(),
            tag: redactor.tag(self.text, finding),
            fingerprint: self.fingerprint(path, &kind, before, after),
            kind,
            is_marked,
        }
    }

    /// Recognises a finding in the next scan: by path, kind and the text around it, wherever its line has moved.
    ///
    /// The value is not a part of it: a digest of a weak password could be guessed.
    fn fingerprint(&mut self, path: &str, kind: &str, before: &[u8], after: &[u8]) -> String {
        let digest = |number: u32| {
            let text =
                Sha256::new().chain_update(path).chain_update([0]).chain_update(kind).chain_update([0]);
            let text = text
                .chain_update(before)
                .chain_update([0])
                .chain_update(after)
                .chain_update(number.to_le_bytes());
            let digest = text.finalize();
            digest.first_chunk::<8>().copied().unwrap_or_default()
        };
        let number = self.seen.entry(digest(0)).or_default();
        *number += 1;
        digest(*number).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
