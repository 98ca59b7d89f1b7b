//! Replaces exact values in text that comes in pieces: the output of a program that was given them.

/// The forms of a value that a program may print it in.
fn forms(value: &[u8]) -> Vec<Vec<u8>> {
    let hex = |upper: bool| -> Vec<u8> {
        let digit = |byte: &u8| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") };
        value.iter().map(digit).collect::<String>().into_bytes()
    };
    let mut forms = vec![value.to_vec(), hex(false), hex(true), percent(value), escaped(value)];
    forms.extend(base64(value));
    // Shorter values occur in every text.
    forms.retain(|form| form.len() >= value.len().min(4) && !form.is_empty());
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    forms.dedup();
    forms
}

/// Escapes of URLs.
fn percent(value: &[u8]) -> Vec<u8> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    let escape = |byte: &u8| if is_plain(*byte) { vec![*byte] } else { format!("%{byte:02X}").into_bytes() };
    value.iter().flat_map(escape).collect()
}

/// Escapes of JSON.
fn escaped(value: &[u8]) -> Vec<u8> {
    value
        .iter()
        .flat_map(|byte| if matches!(byte, b'"' | b'\\') { vec![b'\\', *byte] } else { vec![*byte] })
        .collect()
}

/// The digits of base64 that depend on the value alone, for each of the three positions that it may have in a longer text, in both
/// alphabets.
fn base64(value: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (plus, slash) in [(b'+', b'/'), (b'-', b'_')] {
        let digit = |number: u32| match number {
            0..26 => b'A' + number as u8,
            26..52 => b'a' + (number - 26) as u8,
            52..62 => b'0' + (number - 52) as u8,
            62 => plus,
            _ => slash,
        };
        for before in 0..3_usize {
            // Digits that also depend on what is around the value are left out.
            let bits = |at: usize| -> Option<u32> {
                (0..6).try_fold(0, |number, bit| {
                    let bit = (at * 6 + bit).checked_sub(before * 8)?;
                    let byte = value.get(bit / 8)?;
                    Some(number << 1 | u32::from(byte >> (7 - bit % 8) & 1))
                })
            };
            let digits: Vec<u8> =
                (0..(before + value.len()) * 8 / 6 + 1).filter_map(bits).map(digit).collect();
            if digits.len() >= 8 {
                all.push(digits);
            }
        }
    }
    all
}

/// Values, and what replaces them.
#[derive(Clone, Default)]
pub struct Exact {
    /// The values, the longest first, each with its replacement.
    needles: Vec<(Vec<u8>, Vec<u8>)>,
    /// Bytes that may be the beginning of a value.
    kept: Vec<u8>,
}

impl std::fmt::Debug for Exact {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Exact(<{} forms>)", self.needles.len())
    }
}

impl Exact {
    /// Looks for these values, as they are and encoded once, and writes the texts in their place.
    pub fn new<'v>(values: impl IntoIterator<Item = (&'v str, &'v str)>) -> Self {
        let mut needles: Vec<(Vec<u8>, Vec<u8>)> = values
            .into_iter()
            .flat_map(|(value, text)| {
                forms(value.as_bytes()).into_iter().map(|form| (form, text.as_bytes().to_vec()))
            })
            .collect();
        needles.sort_by_key(|(needle, _)| std::cmp::Reverse(needle.len()));
        Self { needles, kept: Vec::new() }
    }

    /// Takes the next piece, and returns what can be shown: everything but an end that may be the beginning of a value.
    pub fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        self.kept.extend_from_slice(piece);
        let text = std::mem::take(&mut self.kept);
        let (mut shown, mut at) = (Vec::with_capacity(text.len()), 0);
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            if let Some((needle, instead)) = self.needles.iter().find(|(needle, _)| rest.starts_with(needle))
            {
                shown.extend_from_slice(instead);
                at += needle.len();
            } else if self.needles.iter().any(|(needle, _)| needle.starts_with(rest)) {
                self.kept = rest.to_vec();
                return shown;
            } else {
                shown.extend(rest.first());
                at += 1;
            }
        }
        shown
    }

    /// Ends the text, and returns the rest of it.
    pub fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const VALUE: &str = "kR4v\"T9xQ/2mWz7LpB";

    fn hidden(pieces: &[&[u8]]) -> String {
        let mut exact = Exact::new([(VALUE, "TAG")]);
        let mut shown: Vec<u8> = pieces.iter().flat_map(|piece| exact.push(piece)).collect();
        shown.extend(exact.finish());
        String::from_utf8(shown).unwrap()
    }

    #[test]
    fn a_value_is_replaced_in_every_form() {
        let hex: String = VALUE.bytes().map(|byte| format!("{byte:02x}")).collect();
        for text in [VALUE, "kR4v\\\"T9xQ/2mWz7LpB", "kR4v%22T9xQ%2F2mWz7LpB", &hex, &hex.to_uppercase()] {
            assert_eq!(hidden(&[format!("<{text}>").as_bytes()]), "<TAG>", "{text}");
        }
        // `user:` before it, as in a header of basic authentication.
        let encoded = "dXNlcjprUjR2IlQ5eFEvMm1XejdMcEI=";
        assert!(hidden(&[encoded.as_bytes()]).contains("TAG"));
        assert!(!hidden(&[encoded.as_bytes()]).contains("UjR2IlQ5"));
    }

    #[test]
    fn what_only_begins_like_a_value_is_shown_at_the_end() {
        assert_eq!(hidden(&[b"kR4v"]), "kR4v");
        assert_eq!(hidden(&[b"kkR4kR4v\"T9"]), "kkR4kR4v\"T9");
    }

    #[test]
    fn text_without_a_beginning_of_a_value_is_not_held_back() {
        let mut exact = Exact::new([(VALUE, "TAG")]);
        assert_eq!(exact.push(b"ready> "), b"ready> ");
    }

    proptest! {
        /// Borders of pieces change nothing.
        #[test]
        fn pieces_are_like_the_whole(before in "[ -~]{0,20}", after in "[ -~]{0,20}", cuts in prop::collection::vec(0_usize..60, 0..6)) {
            let text = format!("{before}{VALUE}{after}");
            let mut at: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            at.sort_unstable();
            let (mut pieces, mut start) = (Vec::new(), 0);
            for cut in at {
                pieces.push(&text.as_bytes()[start..cut]);
                start = cut;
            }
            pieces.push(&text.as_bytes()[start..]);
            let shown = hidden(&pieces);
            prop_assert_eq!(&shown, &hidden(&[text.as_bytes()]));
            prop_assert!(!shown.contains(VALUE), "{}", shown);
        }
    }
}
