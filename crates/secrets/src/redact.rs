//! Replaces secrets by tags.

use crate::{Finding, Key, scan};

/// Returns a text with a tag in place of each secret, and what was found in the original.
///
/// Every other byte stays, and a second call changes nothing.
pub fn redact(text: &str, key: &Key) -> (String, Vec<Finding>) {
    let findings = scan(text.as_bytes());
    let redacted = replace(text, &findings, key);
    (redacted, findings)
}

/// Returns a text with a tag in place of each finding.
pub(crate) fn replace(text: &str, findings: &[Finding], key: &Key) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut at = 0;
    for finding in findings {
        // A finding ends where a character does; if one did not, the text would stay as it is.
        let (Some(between), Some(value)) =
            (text.get(at..finding.range.start), text.get(finding.range.clone()))
        else {
            continue;
        };
        redacted.push_str(between);
        redacted.push_str(&key.tag(finding.kind.label(), value.as_bytes()));
        at = finding.range.end;
    }
    redacted.push_str(text.get(at..).unwrap_or_default());
    redacted
}
