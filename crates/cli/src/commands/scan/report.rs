//! The output of a scan: lines for a reader, JSON lines, SARIF, or a baseline.

use super::locate::Located;
use crate::term::{data, out, style};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
    Sarif,
    Baseline,
}

pub(super) fn print(format: Format, found: &[Located]) -> anyhow::Result<()> {
    match format {
        Format::Text => found.iter().for_each(|one| {
            let place = format!("{}:{}:{}", one.path, one.line, one.column);
            out!("{}: {} {}", style::one_line(&place), one.kind, style::dim(&one.tag));
        }),
        Format::Json => found.iter().for_each(|one| data!("{}", style::json(object(one)))),
        Format::Sarif => data!("{}", serde_json::to_string_pretty(&sarif(found))?),
        Format::Baseline => {
            data!(
                "# Findings of `checkrein scan` that are accepted. One fingerprint per line; say why in a comment."
            );
            for one in found {
                let place = style::one_line(&format!("{}:{}", one.path, one.line));
                data!("{}  # {place} {}", one.fingerprint, one.kind);
            }
        }
    }
    Ok(())
}

fn object(one: &Located) -> Value {
    let mut object = json!({
        "path": one.path,
        "line": one.line,
        "column": one.column,
        "kind": one.kind,
        "class": one.class,
        "encoding": one.encoding,
        "tag": one.tag,
        "fingerprint": one.fingerprint,
    });
    if let (Some(blob), Some(object)) = (&one.blob, object.as_object_mut()) {
        object.insert("blob".to_owned(), blob.as_str().into());
    }
    object
}

/// The report in SARIF 2.1.0, as code hosts read it.
fn sarif(found: &[Located]) -> Value {
    let kinds: BTreeSet<&str> = found.iter().map(|one| one.kind.as_str()).collect();
    let rules: Vec<Value> = kinds
        .iter()
        .map(|kind| json!({"id": kind, "shortDescription": {"text": format!("A secret: {kind}")}}))
        .collect();
    let results: Vec<Value> = found
        .iter()
        .map(|one| {
            json!({
                "ruleId": one.kind,
                "level": if one.class == "generic" { "warning" } else { "error" },
                "message": {"text": format!("This looks like a secret ({}); its tag is {}", one.kind, one.tag)},
                "locations": [{"physicalLocation": {
                    "artifactLocation": {"uri": one.path},
                    "region": {"startLine": one.line, "startColumn": one.column, "endColumn": one.end_column},
                }}],
                "partialFingerprints": {"checkrein/v1": one.fingerprint},
            })
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "checkrein", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// One line at the end, for a reader.
pub(super) fn summary(found: usize, texts: u64, suppressed: u64) -> String {
    let secrets = match found {
        0 => "no secrets".to_owned(),
        1 => "1 secret".to_owned(),
        many => format!("{many} secrets"),
    };
    let known = if suppressed > 0 { format!("; {suppressed} in the baseline") } else { String::new() };
    let texts = if texts == 1 { "1 text".to_owned() } else { format!("{texts} texts") };
    format!("{secrets} in {texts}{known}")
}
