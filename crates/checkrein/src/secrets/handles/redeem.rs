//! Redeems a ticket for `checkrein run`: reads the values again and says how the program gets them.

use super::learn;
use crate::{
    secrets::machine_key,
    state::{origins, tickets},
};
use checkrein_core::SmallSort as _;
use checkrein_secrets::tags;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A program with everything that it is given.
#[derive(Clone)]
pub struct Granted {
    /// The program, by its path.
    pub program: PathBuf,
    /// Its arguments. None has a value of a secret.
    pub arguments: Vec<String>,
    /// Its whole environment.
    pub environment: Vec<(String, String)>,
    /// The text that its standard input must be, and the bytes that are passed on instead; without it, standard input is empty.
    pub stdin: Option<(String, Vec<u8>)>,
    /// The descriptors that it reads from.
    pub descriptors: Vec<Descriptor>,
    /// The values that its output must not have, and what replaces them.
    pub hidden: Vec<(String, String)>,
}

/// A descriptor that an argument names.
#[derive(Clone)]
pub struct Descriptor {
    /// The number of the argument, in which `{}` is the path of the descriptor.
    pub argument: usize,
    /// The bytes that can be read from it.
    pub content: Vec<u8>,
}

/// Only what is not a value.
impl std::fmt::Debug for Granted {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Granted")
            .field("program", &self.program)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

/// Only what is not a value.
impl std::fmt::Debug for Descriptor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Descriptor").field("argument", &self.argument).finish_non_exhaustive()
    }
}

/// Uses up a ticket. An error says why the program gets nothing; the ticket is used up even then.
///
/// # Errors
///
/// If there is no such ticket, if it is for something else, or if a value cannot be read from its origin any more.
pub fn redeem(
    state: &Path,
    ticket: &str,
    secrets: &[String],
    words: &[String],
    directory: &Path,
) -> Result<Granted, String> {
    let key = machine_key(Some(state)).map_err(|_| "there is no key for tags")?;
    let ticket = tickets::take(state, &key, ticket)
        .ok_or("there is no such ticket: `checkrein run` is started only by Checkrein itself, once, in place of a command with a tag")?;
    let directory =
        directory.canonicalize().map_err(|error| format!("the directory cannot be read: {error}"))?;
    if ticket.secrets != secrets || ticket.words != words || Path::new(&ticket.directory) != directory {
        return Err("the ticket is for another command or another directory".to_owned());
    }
    let (program, rest) = words.split_first().ok_or("no program is named")?;
    let texts = |key: &str| strings(ticket.plan.get(key));
    let environment = ticket.plan.get("environment").and_then(Value::as_array).into_iter().flatten();
    let mut granted = Granted {
        program: PathBuf::from(program),
        arguments: rest.to_vec(),
        environment: environment
            .filter_map(|pair| Some((pair.get(0)?.as_str()?.to_owned(), pair.get(1)?.as_str()?.to_owned())))
            .collect(),
        stdin: None,
        descriptors: Vec::new(),
        hidden: Vec::new(),
    };
    // From the back, so that a word that becomes two does not move the others.
    let mut passes: Vec<&Value> =
        ticket.plan.get("passes").and_then(Value::as_array).into_iter().flatten().collect();
    passes.small_sort_by_key(|pass| std::cmp::Reverse(pass.get("word").and_then(Value::as_u64)));
    for pass in passes {
        let tag = pass.get("tag").and_then(Value::as_str).unwrap_or_default();
        let origin =
            origins::find(state, &ticket.session, tag).ok_or("the origin of the value is no longer known")?;
        let value = learn::recover(&key, &origin)?.value;
        pass_on(&mut granted, pass, tag, &value);
        granted.hidden.push((value, tag.to_owned()));
    }
    for argument in &mut granted.arguments {
        *argument = without_tag(argument);
    }
    let before = texts("before");
    for descriptor in &mut granted.descriptors {
        descriptor.argument += before.len();
    }
    granted.arguments.splice(0..0, before);
    Ok(granted)
}

fn strings(value: Option<&Value>) -> Vec<String> {
    value
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

fn pass_on(granted: &mut Granted, pass: &Value, tag: &str, value: &str) {
    let text = |key: &str| pass.get(key).and_then(Value::as_str).unwrap_or_default();
    let content = |whole: &str| {
        let quoted = whole.replace('\\', "\\\\").replace('"', "\\\"");
        let user = if text("user").is_empty() { "x-access-token" } else { text("user") };
        let template = text("content");
        if template.contains("{basic}") {
            template.replace("{basic}", &base64(format!("{user}:{whole}").as_bytes()))
        } else if template.contains("{quoted}") {
            template.replace("{quoted}", &quoted)
        } else {
            template.replace("{}", whole)
        }
    };
    match pass.get("word").and_then(Value::as_u64).and_then(|word| usize::try_from(word).ok()) {
        Some(word) => {
            let whole = granted.arguments.get(word).cloned().unwrap_or_default().replace(tag, value);
            let becomes = strings(pass.get("becomes"));
            // The option before the word goes, too.
            let (start, argument) =
                (word.saturating_sub(1), word.saturating_sub(1) + becomes.len().saturating_sub(1));
            granted.arguments.splice(start..(word + 1).min(granted.arguments.len()), becomes);
            granted.descriptors.push(Descriptor { argument, content: content(&whole).into_bytes() });
        }
        None if text("variable").is_empty() => {
            granted.stdin = Some((tag.to_owned(), content(value).into_bytes()));
        }
        None => granted.environment.push((text("variable").to_owned(), content(value))),
    }
    if text("content").contains("{basic}") {
        let user = if text("user").is_empty() { "x-access-token" } else { text("user") };
        granted.hidden.push((base64(format!("{user}:{value}").as_bytes()), tag.to_owned()));
    }
}

/// An address without the tag in it: `https://user:TAG@host/` becomes `https://user@host/`.
fn without_tag(argument: &str) -> String {
    let Some(tag) = tags(argument).next() else { return argument.to_owned() };
    let (before, after) =
        (argument.get(..tag.start).unwrap_or_default(), argument.get(tag.end..).unwrap_or_default());
    match (before.strip_suffix(':'), after.strip_prefix('@')) {
        (Some(before), Some(_)) if before.contains("://") => format!("{before}{after}"),
        (None, Some(after)) if before.ends_with("://") => format!("{before}{after}"),
        _ => argument.to_owned(),
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let number =
            (0..3).fold(0_u32, |number, at| number << 8 | u32::from(chunk.get(at).copied().unwrap_or(0)));
        for at in 0..4 {
            let digit = DIGITS.get((number >> (18 - 6 * at) & 63) as usize).copied().unwrap_or(b'=');
            text.push(if at <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        for (text, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ] {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    #[test]
    fn an_address_loses_its_tag() {
        let tag = checkrein_secrets::Key::new([7; 32]).tag("value", b"x");
        for (text, expected) in [
            (format!("https://app:{tag}@h.test/x"), "https://app@h.test/x".to_owned()),
            (format!("https://{tag}@h.test/x"), "https://h.test/x".to_owned()),
            ("https://h.test/".to_owned(), "https://h.test/".to_owned()),
        ] {
            assert_eq!(without_tag(&text), expected);
        }
    }
}
