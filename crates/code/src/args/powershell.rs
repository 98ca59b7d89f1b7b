//! The command line of PowerShell.

use super::{Code, Invocation};
use crate::{decode, unknown_word, value::word};
use checkrein_shell::{Part, Word};

include!(concat!(env!("OUT_DIR"), "/program.rs"));

/// PowerShell's own way: names may be shortened, and the rest of the line is the command.
pub(super) fn powershell(args: &[Word]) -> Invocation {
    let done = |code, operands: &[Word]| Invocation { code, in_place: false, operands: operands.to_vec() };
    let mut rest = args;
    while let Some((first, tail)) = rest.split_first() {
        let text = first.constant().unwrap_or_default().to_lowercase();
        let Some(name) = text
            .strip_prefix("--")
            .or_else(|| text.strip_prefix(['-', '/']))
            .filter(|name| !name.is_empty() && !name.contains('/'))
        else {
            let code = match text.as_str() {
                "-" => Code::Stdin,
                file if file.ends_with(".ps1") => return done(Code::File(first.clone()), tail),
                _ => Code::Text(spaced(rest)),
            };
            return done(code, &[]);
        };
        let short = |whole: &str, least: usize| name.len() >= least && whole.starts_with(name);
        if short("command", 1) || short("commandwithargs", 8) || name == "cwa" {
            let stdin = tail.first().and_then(Word::constant).as_deref() == Some("-");
            return done(if stdin { Code::Stdin } else { Code::Text(spaced(tail)) }, &[]);
        }
        if name == "ec" || short("encodedcommand", 1) {
            let encoded = tail.first().and_then(Word::constant).and_then(|text| decode::base64(&text));
            let decoded = encoded.and_then(|bytes| decode::utf16(&bytes));
            return done(Code::Text(decoded.map_or_else(unknown_word, |text| word(&text))), &[]);
        }
        if short("file", 1) {
            let Some((file, others)) = tail.split_first() else { return done(Code::Stdin, &[]) };
            let stdin = file.constant().as_deref() == Some("-");
            return done(if stdin { Code::Stdin } else { Code::File(file.clone()) }, others);
        }
        if short("help", 1)
            || name == "?"
            || name == "version" && tail.is_empty()
            || name == "v" && tail.is_empty()
        {
            return done(Code::None, &[]);
        }
        let valued =
            VALUED.iter().any(|known| known.starts_with(name)) || matches!(name, "ex" | "exec" | "w");
        rest = if valued { tail.get(1..).unwrap_or_default() } else { tail };
    }
    done(Code::Stdin, &[])
}

/// Joins the words with spaces.
fn spaced(words: &[Word]) -> Word {
    let mut made = Word { parts: Vec::new(), span: words.first().map_or(0..0, |word| word.span.clone()) };
    for (at, text) in words.iter().enumerate() {
        if at > 0 {
            made.push(Part::Text(" ".to_owned()));
        }
        text.parts.iter().for_each(|part| made.push(part.clone()));
    }
    made
}
