//! Fills the index of a session: the origins of the values that a model is shown as tags.
//!
//! A file is looked at when its tags are shown, and before it is changed: what an agent writes next to a value afterwards says
//! nothing about where the value may go.

use super::{
    super::{Secrets, known},
    neighbours,
};
use crate::state::origins::{self, Origin, Source};
use checkrein_core::{Payload, ToolCall, ToolKind};
use checkrein_guard::{FileAccess, ToolCommand};
use checkrein_secrets::{Finding, Key, Redactor, Scanner};
use std::{
    ops::Range,
    path::{Path, PathBuf},
};

/// The number of characters of a tag that depend on the value.
pub(in super::super) const DIGEST: usize = 7;

/// Looks at files and at the variables of this process, and adds what the session does not know yet. Only the use of tags depends
/// on it, so an error has no other effect.
pub(in super::super) fn learn(secrets: &Secrets, payload: &Payload, files: &[PathBuf], with_variables: bool) {
    let (Some(state), Some(session), Ok(key)) =
        (secrets.state.as_deref(), payload.session.id.as_deref(), secrets.key())
    else {
        return;
    };
    if !secrets.remembers {
        return;
    }
    let redactor = Redactor::new(Scanner::new(), key.clone());
    let mut found: Vec<Origin> = Vec::new();
    for path in files {
        let Some(text) = known::text(path) else { continue };
        // For a link, the file that it leads to: the link may lead elsewhere later.
        let path = path.canonicalize().unwrap_or_else(|_| path.clone());
        for (range, value) in values(&redactor, &path, &text) {
            found.push(Origin {
                name: neighbours::name(&text, &range),
                servers: neighbours::servers(&path.to_string_lossy(), &text, &range),
                ..origin(&key, value, Source::File(path.clone()))
            });
        }
    }
    if with_variables {
        for (name, value) in crate::environment::with_secret_names() {
            found.push(Origin { name: name.clone(), ..origin(&key, &value, Source::Variable(name)) });
        }
    }
    // A tag that cannot be used is answered with the reason.
    let _ = origins::add(state, session, found);
}

/// Returns the files with secrets that a call names, which are looked at before the call runs.
pub(in super::super) fn named_files(call: &ToolCall, cwd: &Path) -> Vec<PathBuf> {
    let is_between = |char: char| {
        char.is_whitespace() || matches!(char, '\'' | '"' | ';' | '|' | '&' | '(' | ')' | '<' | '>' | '=')
    };
    match ToolCommand::of(call) {
        Some(ToolCommand::Shell(text)) => {
            let words = text.split(is_between).filter(|word| word.len() > 3 && Redactor::has_form(word));
            words.map(|word| cwd.join(word)).collect()
        }
        _ if matches!(call.kind, ToolKind::Edit | ToolKind::Write | ToolKind::Read) => {
            let paths = FileAccess::of(call).into_iter().map(|access| cwd.join(access.path.as_ref()));
            paths.filter(|path| path.to_str().is_some_and(Redactor::has_form)).collect()
        }
        _ => Vec::new(),
    }
}

fn origin(key: &Key, value: &str, source: Source) -> Origin {
    let tag = key.tag("value", value.as_bytes());
    let tag = tag.len().checked_sub(DIGEST).and_then(|at| tag.get(at..)).unwrap_or_default().to_owned();
    Origin { tag, digest: digest(key, value), source, name: String::new(), servers: Vec::new() }
}

/// The digest by which a value is recognised when its origin is read again.
fn digest(key: &Key, value: &str) -> String {
    key.digest(value.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The values of a file that any of our answers may show tags of.
fn values<'t>(redactor: &Redactor, path: &Path, text: &'t str) -> Vec<(Range<usize>, &'t str)> {
    let shown = path.to_string_lossy();
    let found = redactor.file(&shown, text).1.into_iter().chain(redactor.text(text).1);
    found.filter_map(|finding: Finding| Some((finding.range.clone(), text.get(finding.range)?))).collect()
}

/// A value that was read from its origin again.
pub(super) struct Recovered {
    pub(super) value: String,
    /// The hosts of the service that tokens of its form are for.
    pub(super) hosts: Vec<&'static str>,
}

/// Reads the value of an origin again; an error says why that is impossible.
pub(super) fn recover(key: &Key, origin: &Origin) -> Result<Recovered, String> {
    let is_it = |value: &str| digest(key, value) == origin.digest;
    let value = match &origin.source {
        Source::Variable(name) => {
            let value = crate::variable(name).and_then(|value| value.into_string().ok());
            value
                .filter(|value| is_it(value))
                .ok_or_else(|| format!("the variable `{name}` has another value now"))?
        }
        Source::File(path) => {
            let text = known::text(path).ok_or_else(|| format!("`{}` cannot be read", path.display()))?;
            let redactor = Redactor::new(Scanner::new(), key.clone());
            let found = values(&redactor, path, &text).into_iter().find(|(_, value)| is_it(value));
            found
                .map(|(_, value)| value.to_owned())
                .ok_or_else(|| format!("`{}` no longer has the value", path.display()))?
        }
    };
    let kinds = checkrein_secrets::scan(value.as_bytes());
    let whole = kinds.iter().filter(|finding| finding.range == (0..value.len()));
    let hosts = whole.flat_map(|finding| finding.kind.hosts()).collect();
    Ok(Recovered { value, hosts })
}
