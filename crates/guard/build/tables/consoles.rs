//! `data/consoles.toml`: programs that do what is typed into them. The head of the file explains the conditions.

use super::{
    constant,
    document::{Result, Section},
};
use std::fmt::Write;

pub(super) fn table(file: &Section) -> Result<String> {
    let mut all = String::new();
    for (name, conditions) in file.entries() {
        let (mut unless, mut unless_told, mut only) = (Vec::new(), Vec::new(), Vec::new());
        let (mut alone, mut operands) = (false, None);
        for condition in conditions.strings()? {
            if let Some(pattern) = condition.text.strip_prefix('!') {
                unless.push(pattern);
            } else if let Some(pattern) = condition.text.strip_prefix('>') {
                unless_told.push(pattern);
            } else if let Some(pattern) = condition.text.strip_prefix('+') {
                only.push(pattern);
            } else if condition.text == "alone" {
                alone = true;
            } else {
                let wrong = |_| {
                    let text = condition.text;
                    condition.problem(format_args!(
                        "unknown condition `{text}`; write `!pattern`, `>option pattern`, `+pattern`, `alone` or a number"
                    ))
                };
                operands = Some(condition.text.parse::<u8>().map_err(wrong)?);
            }
        }
        let words: Vec<&str> = name.text.split(' ').collect();
        if words.len() > 2 {
            return Err(name.problem("expected a program, or a program and one subcommand"));
        }
        let _infallible = write!(
            all,
            "Console {{ name: &{words:?}, unless: &{unless:?}, unless_told: &{unless_told:?}, only: &{only:?}, alone: {alone}, operands: {operands:?} }}, "
        );
    }
    Ok(constant("consoles", "&[Console]", &format!("&[{all}]")))
}
