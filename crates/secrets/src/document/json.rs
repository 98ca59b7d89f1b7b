//! The strings of a JSON text with the names of their members. It need not be whole.

use super::{Value, is_secret};

/// The values of a text.
pub(super) fn values(text: &str, strict: bool) -> Vec<Value> {
    let mut values = Vec::new();
    // The name that the values at this point have, and those of the levels around it.
    let (mut name, mut around) = (String::new(), Vec::new());
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'"' => {
                let end = end_of_string(text, at + 1);
                let content = text.get(at + 1..end).unwrap_or_default();
                let after = text.get(end + 1..).unwrap_or_default().trim_start();
                if after.starts_with(':') {
                    content.clone_into(&mut name);
                } else {
                    values.push(Value { range: at + 1..end, is_secret: is_secret(&name, content, strict) });
                }
                at = end;
            }
            b'{' | b'[' => around.push(name.clone()),
            b'}' | b']' => name = around.pop().unwrap_or_default(),
            _ => {}
        }
        at += 1;
    }
    values
}

/// The position of the quote that ends a string, or of the end of the text.
fn end_of_string(text: &str, from: usize) -> usize {
    let mut escaped = false;
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    let end = rest.iter().position(|byte| {
        let is_end = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        is_end
    });
    end.map_or(text.len(), |end| from + end)
}
