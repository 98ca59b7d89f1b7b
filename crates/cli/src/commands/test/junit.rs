//! The results as JUnit XML, which CI systems show.

use super::Result;
use checkrein::{cases::Difference, sanitize};
use std::fmt::Write;

/// Returns the whole report: a suite for each file.
pub(super) fn report(results: &[Result<'_>]) -> String {
    let failures =
        |results: &[Result<'_>]| results.iter().filter(|result| !result.differences.is_empty()).count();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites tests=\"{}\" failures=\"{}\">", results.len(), failures(results));
    for suite in results.chunk_by(|one, next| one.file == next.file) {
        let file =
            suite.first().map(|result| escaped(&result.file.display().to_string())).unwrap_or_default();
        let _ = writeln!(
            text,
            "  <testsuite name=\"{file}\" tests=\"{}\" failures=\"{}\">",
            suite.len(),
            failures(suite)
        );
        for result in suite {
            let name = escaped(&result.case.name);
            let head =
                format!("    <testcase classname=\"{file}\" name=\"{name}\" line=\"{}\"", result.case.line);
            if result.differences.is_empty() {
                let _ = writeln!(text, "{head}/>");
                continue;
            }
            let message: Vec<&str> = result.differences.iter().map(|difference| difference.field).collect();
            let body: Vec<String> = result.differences.iter().map(one).collect();
            let _ = writeln!(text, "{head}>");
            let _ = writeln!(
                text,
                "      <failure message=\"{}\">{}</failure>",
                escaped(&message.join(", ")),
                escaped(&body.join("\n"))
            );
            let _ = writeln!(text, "    </testcase>");
        }
        let _ = writeln!(text, "  </testsuite>");
    }
    text + "</testsuites>\n"
}

fn one(Difference { field, expected, found }: &Difference) -> String {
    format!("{field}: expected {}, found {}", expected.trim_end(), found.trim_end())
}

/// Escapes a text for XML, which has no way to write most control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(char),
            // XML has no place for control characters, nor for the last two code points of the first plane.
            char if sanitize::is_hidden(char) || u32::from(char) | 1 == 0xffff => escaped.push('\u{fffd}'),
            char => escaped.push(char),
        }
    }
    escaped
}
