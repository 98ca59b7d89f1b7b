//! A page that needs no server and no network.
//!
//! All data is in one JSON block, in which nothing can end the block. The script shows it by `textContent` only, and a
//! Content-Security-Policy with the hashes of our own script and style lets nothing else run.

use serde_json::Value;
use sha2::{Digest, Sha256};

pub(crate) const STYLE: &str = include_str!("page.css");

/// Returns a page with a script that shows the data.
pub(crate) fn page(title: &str, script: &str, data: &Value) -> String {
    // Nothing in the block can end it, and nothing in it is markup.
    let data = data.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    let data = checkrein::sanitize::json(data);
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(STYLE)
    );
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main id=\"page\"></main>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n"
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
    use serde_json::json;

    #[test]
    fn the_hash_is_base64() {
        assert_eq!(hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    #[test]
    fn data_cannot_leave_its_block() {
        let page = page("A page", "1", &json!({"tool": "</script><script>alert(1)</script><!--"}));
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("<!--"));
    }

    /// The policy has hashes of exactly what is in a page, so no line break may be added.
    #[test]
    fn the_scripts_and_the_style_end_nothing() {
        assert!(!STYLE.contains("</"));
        for script in [super::super::SCRIPT, crate::commands::replay::SCRIPT] {
            for word in [
                "</",
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "setAttribute(\"on",
            ] {
                assert!(!script.contains(word), "{word}");
            }
        }
    }
}
