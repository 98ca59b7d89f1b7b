//! The hook that replaces secrets in what a tool returned, before a model reads it.

use super::{NAME, Secrets, handles, known, origin::Origin, restore, settings::OutputRule};
use checkrein_core::{Deadline, Edit, Failure, Hook, Output, Payload, Verdict};
use checkrein_secrets::{Class, Finding, Key, Redactor, Scanner};
use serde_json::Value;
use std::{cell::RefCell, path::Path};

/// An output with more values of the same length as a known secret than this is a list of guesses.
const GUESSES: usize = 20;

/// Replaces secrets in results and error texts by tags.
#[derive(Clone, Debug)]
pub(super) struct Redact(pub(super) Secrets);

impl Hook for Redact {
    fn name(&self) -> &str {
        NAME
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        let told = restore::after(&self.0, payload);
        let verdict = match payload.event.output() {
            Some(output) => self.redacted(payload, output)?,
            None => Verdict::abstain(),
        };
        self.learn(payload, &verdict);
        Ok(told
            .into_iter()
            .fold(verdict, |verdict, text| verdict.with_context(text.clone()).with_notice(text)))
    }
}

impl Redact {
    /// Records where the values came from that the model is shown as tags: here, or by `checkrein cat`.
    fn learn(&self, payload: &Payload, verdict: &Verdict) {
        let native = match &verdict.edit {
            Some(Edit::Output(output)) => output.native(),
            _ => payload.event.output().and_then(Output::native),
        };
        let has_tags =
            |native: &Value| strings(native).any(|text| checkrein_secrets::tags(text).next().is_some());
        if !native.as_deref().is_some_and(has_tags) {
            return;
        }
        let mut files = Origin::new(payload).files_read();
        files.extend(directories(payload).iter().flat_map(|directory| known::files(directory)));
        handles::learn::learn(&self.0, payload, &files, true);
    }

    fn redacted(&self, payload: &Payload, output: &Output) -> Result<Verdict, Failure> {
        if self.0.output == OutputRule::Off {
            return Ok(Verdict::abstain());
        }
        let is_sure_only = self.0.output == OutputRule::Sure;
        let Some(mut native) = output.native().map(std::borrow::Cow::into_owned) else {
            return Ok(Verdict::abstain());
        };
        let broken = |_| Failure::Other("there is no key for the tags that replace secrets".into());
        let mut made = None;
        let mut key = || -> Option<Key> {
            if made.is_none() {
                made = self.0.key().ok();
            }
            made.clone()
        };
        let known = if is_sure_only { None } else { known::known(&directories(payload), &mut key) };
        let scanner = match known {
            Some(known) => Scanner::new().with_known(known),
            None => Scanner::new(),
        };
        let origin = RefCell::new(Origin::new(payload));
        let secret_file = if is_sure_only { None } else { origin.borrow_mut().secret_file() };
        let is_search = !is_sure_only && origin.borrow().is_search();
        let has_named_line = |text: &str| is_search && text.lines().any(|line| secret_line(line).is_some());
        // Most results have no secret, and need no key.
        if secret_file.is_none()
            && !strings(&native).any(|text| has_candidate(&scanner, text) || has_named_line(text))
        {
            return Ok(Verdict::abstain());
        }
        let key = match key() {
            Some(key) => key,
            None => self.0.key().map_err(broken)?,
        };
        let redactor = Redactor::new(scanner, key);
        if let Some(text) = guessed(&redactor, &native) {
            return Ok(Verdict::deny(text));
        }
        let mut count = 0;
        if let Some(path) = secret_file {
            count += by_structure(&redactor, &path, &mut native);
        }
        if is_search {
            count += by_line(&redactor, &mut native, &mut |path| origin.borrow_mut().is_secret_file(path));
        }
        count += redactor.json_where(&mut native, &|text, finding| {
            finding.kind.class() > Class::Generic
                || !is_sure_only && !origin.borrow_mut().is_tracked(text, finding)
        });
        if count == 0 {
            return Ok(Verdict::abstain());
        }
        Ok(Verdict::edit(Edit::Output(Output::from_native(native))).with_context(told(count)))
    }
}

/// The directories whose `.env` files count.
fn directories(payload: &Payload) -> Vec<&Path> {
    let mut directories: Vec<&Path> =
        [&payload.session.project_dir, &payload.session.cwd].into_iter().flatten().map(Path::new).collect();
    directories.dedup();
    directories
}

fn told(count: usize) -> String {
    let what = if count == 1 {
        "1 secret in this result is".to_owned()
    } else {
        format!("{count} secrets in this result are")
    };
    format!(
        "{what} replaced by tags (`secret_…`), where this agent can replace results; do not repeat a value that you still see. A value has the \
         same tag each time. The files are unchanged. Leave tags as they are when you write the file that they came from."
    )
}

/// Every string of a value, and every name of a member.
fn strings(value: &Value) -> impl Iterator<Item = &str> {
    let mut left = vec![value];
    let mut names: Vec<&str> = Vec::new();
    std::iter::from_fn(move || {
        loop {
            if let Some(name) = names.pop() {
                return Some(name);
            }
            match left.pop()? {
                Value::String(text) => return Some(text),
                Value::Array(items) => left.extend(items),
                Value::Object(members) => {
                    // A name counts for its value, so both are looked at.
                    names.extend(members.keys().map(String::as_str));
                    left.extend(members.values());
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
    })
}

/// Returns true if a text has a secret, or is a name that makes its value one.
fn has_candidate(scanner: &Scanner, text: &str) -> bool {
    Scanner::is_secret_name(text) || !scanner.scan(text.as_bytes()).is_empty()
}

/// Hides every value of a file with secrets that a tool has read.
fn by_structure(redactor: &Redactor, path: &str, value: &mut Value) -> usize {
    each_string(value, &mut |text| {
        let (redacted, findings) = redactor.file(path, text);
        *text = redacted;
        findings.len()
    })
}

/// Hides the values in the lines that a search found in files with secrets: `.env:3:NAME=value`.
fn by_line(redactor: &Redactor, value: &mut Value, is_secret_file: &mut dyn FnMut(&str) -> bool) -> usize {
    each_string(value, &mut |text| {
        if !text.lines().any(|line| secret_line(line).is_some()) {
            return 0;
        }
        let (mut whole, mut count) = (String::with_capacity(text.len()), 0);
        for line in text.split_inclusive('\n') {
            let (shown, found) = match secret_line(line).filter(|(path, _)| is_secret_file(path)) {
                Some((path, start)) => {
                    let (shown, found) = redactor.file(path, line.get(start..).unwrap_or_default());
                    (format!("{}{shown}", line.get(..start).unwrap_or_default()), found.len())
                }
                None => (line.to_owned(), 0),
            };
            whole.push_str(&shown);
            count += found;
        }
        *text = whole;
        count
    })
}

/// Returns the name of a file with secrets that a search wrote before a line, and where the line of the file begins: after `name:`,
/// `name:12:` or, around what was found, `name-12-`.
fn secret_line(line: &str) -> Option<(&str, usize)> {
    let is_file = |path: &str| !path.is_empty() && !path.contains(['=', ' ']) && Redactor::has_form(path);
    if let Some((path, rest)) = line.split_once(':').filter(|(path, _)| is_file(path)) {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = if digits > 0 && rest.as_bytes().get(digits) == Some(&b':') { digits + 1 } else { 0 };
        return Some((path, path.len() + 1 + number));
    }
    line.match_indices('-').find_map(|(at, _)| {
        let rest = line.get(at + 1..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let path = line.get(..at)?;
        (digits > 0 && rest.as_bytes().get(digits) == Some(&b'-') && is_file(path))
            .then_some((path, at + digits + 2))
    })
}

/// Calls `change` with every string of a value, and returns the sum of its results.
fn each_string(value: &mut Value, change: &mut dyn FnMut(&mut String) -> usize) -> usize {
    let mut count = 0;
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Value::String(text) => count += change(text),
            Value::Array(items) => left.extend(items),
            Value::Object(members) => left.extend(members.values_mut()),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    count
}

/// Returns the reason to withhold an output in which a known value is one of many of its length: a program that prints guesses would
/// learn from the tag which of them is right.
fn guessed(redactor: &Redactor, native: &Value) -> Option<String> {
    let is_known = |finding: &&Finding| finding.number.is_some();
    strings(native).find_map(|text| {
        let findings = redactor.scanner().scan(text.as_bytes());
        findings.iter().filter(is_known).find_map(|finding| {
            let is_between = |char: char| char.is_whitespace() || matches!(char, '"' | '\'' | ',' | '=' | ':');
            let alike = |length: usize| text.split(is_between).filter(|word| word.len() == length).count();
            // An encoded value is a part of its word.
            let before = text.get(..finding.range.start).unwrap_or_default();
            let after = text.get(finding.range.end..).unwrap_or_default();
            let length = before.rsplit(is_between).next().map_or(0, str::len)
                + finding.range.len()
                + after.split(is_between).next().map_or(0, str::len);
            let alike = alike(length).max(alike(finding.range.len()));
            (alike > GUESSES).then(|| {
                format!("this output is withheld: it has a secret of this machine among {alike} texts of the same length, as a list of guesses would")
            })
        })
    })
}
