//! Texts in which nothing must be found: a false alarm is a defect.

use checkrein_secrets::scan;
use std::{fs, path::Path};

#[test]
fn nothing_is_found_in_harmless_texts() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/secrets/harmless");
    let mut alarms = Vec::new();
    let mut lines = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        lines += text.lines().count();
        for finding in scan(text.as_bytes()) {
            let line = text.get(..finding.range.start).unwrap().lines().count();
            let shown = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            alarms.push(format!("{}:{line}: {} in {shown}", path.display(), finding.kind.name()));
        }
    }
    assert!(lines > 80, "the corpus is there");
    assert!(alarms.is_empty(), "{} false alarms:\n{}", alarms.len(), alarms.join("\n"));
}
