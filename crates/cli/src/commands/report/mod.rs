//! `checkrein report --html FILE`: one page with everything, which needs no server and no network.
//!
//! All data is in one JSON block, in which nothing can end the block. The script shows it by `textContent` only, and a
//! Content-Security-Policy with the hashes of our own script and style lets nothing else run.

use crate::{
    args::Report,
    commands::{log, stats},
    exit::ExitStatus,
    term::{err, out, style},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;

const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");

pub(crate) fn run(report: &Report) -> anyhow::Result<ExitStatus> {
    let directory = log::directory()?;
    let filter = log::filter(&report.records)?;
    let read = || Ok((log::newest(&directory, &filter, report.limit)?, stats::count(&directory, &filter)?));
    let (newest, counted) = match read() {
        Ok(read) => read,
        Err(error) => return Ok(log::unreadable(&directory, &error)),
    };
    let records: Vec<Value> = newest
        .into_iter()
        .filter_map(|(stored, honored)| {
            let mut fields = stored.record?.fields;
            fields.insert("honored".into(), honored.as_str().into());
            // The page does not show them, and the page is passed on.
            for name in ["prev", "hash", "digest", "final_digest", "input"] {
                fields.shift_remove(name);
            }
            Some(Value::Object(fields))
        })
        .collect();
    let count = records.len();
    let data = json!({"records": records, "stats": counted.json(), "version": env!("CARGO_PKG_VERSION")});
    if let Err(error) = fs::write(&report.html, page(&data)) {
        err!("checkrein: cannot write `{}`: {error}", style::harmless(&report.html.display().to_string()));
        return Ok(ExitStatus::Impossible);
    }
    let file = style::harmless(&report.html.display().to_string());
    out!("wrote {file} with {}", log::many(count as u64, "event"));
    Ok(ExitStatus::Success)
}

/// Returns the page.
fn page(data: &Value) -> String {
    // Nothing in the block can end it, and nothing in it is markup.
    let data = data.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    let data = checkrein::sanitize::json(data);
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    );
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Checkrein report</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main id=\"page\"></main>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// Returns the hash of an inline text in the form of a Content-Security-Policy.
fn hash(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::from("sha256-");
    for chunk in Sha256::digest(text).chunks(3) {
        let bits =
            chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = DIGITS.get((bits >> (18 - 6 * place) & 63) as usize).copied().unwrap_or_default();
            encoded.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_base64() {
        assert_eq!(hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    #[test]
    fn data_cannot_leave_its_block() {
        let page =
            page(&json!({"records": [{"tool": "</script><script>alert(1)</script><!--"}], "stats": {}}));
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("<!--"));
    }

    /// The policy has hashes of exactly what is in the page, so no line break may be added.
    #[test]
    fn the_script_and_the_style_end_nothing() {
        assert!(!SCRIPT.contains("</") && !STYLE.contains("</"));
        for word in
            ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "setAttribute(\"on"]
        {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }
}
