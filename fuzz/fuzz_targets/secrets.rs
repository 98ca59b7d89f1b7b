//! Looks for bytes on which the scanner of secrets panics, whose findings are not in order, or whose redaction is not idempotent.

#![no_main]

use checkrein_secrets::{Key, Scanner, Stream, redact, scan};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let findings = scan(bytes);
    let mut end = 0;
    for finding in &findings {
        assert!(finding.range.start >= end && finding.range.end <= bytes.len() && !finding.range.is_empty());
        end = finding.range.end;
    }
    let scanner = Scanner::new();
    let mut stream = Stream::new(&scanner);
    let mut pieces: Vec<_> = bytes.chunks(7).flat_map(|piece| stream.push(piece)).collect();
    pieces.extend(stream.finish());
    assert_eq!(pieces, findings);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let key = Key::new([7; 32]);
        let (once, _) = redact(text, &key);
        assert_eq!(redact(&once, &key).0, once);
    }
});
