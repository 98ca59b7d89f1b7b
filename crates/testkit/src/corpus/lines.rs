//! The list of all lines of the predecessors' specification: for each, whether a case shows it here,
//! which test checks it elsewhere, or why we changed it.

use super::read;
use std::{fs, path::Path};

/// The name of the list below the directory of the corpus.
pub(super) const FILE: &str = "lines.toml";

/// Every line of the predecessors' specification.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// Ids with their tags, for example `M33` and `K`.
    pub all: Vec<(String, String)>,
    /// Ids that we keep no longer, with the reason.
    pub changed: Vec<(String, String)>,
    /// Ids that only speak of other lines.
    pub notes: Vec<String>,
    /// Ids with the file and the name of a test that checks them outside the corpus.
    pub tests: Vec<(String, String, String)>,
}

/// Reads the list.
pub fn read_lines(directory: &Path) -> Result<Lines, String> {
    let file = directory.join(FILE);
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut top = read::table(&text)?;
    let mut lines = Lines::default();
    let Some(serde_json::Value::Object(tags)) = top.take("tags") else {
        return Err("no table `tags`".into());
    };
    for (tag, ids) in tags {
        let ids = ids.as_array().ok_or_else(|| format!("`{tag}` should be a list of ids"))?;
        for id in ids.iter().filter_map(|id| id.as_str()) {
            lines.all.push((id.to_owned(), tag.clone()));
        }
    }
    let Some(serde_json::Value::Object(tests)) = top.take("tests") else {
        return Err("no table `tests`".into());
    };
    for (id, test) in tests {
        let test = test.as_str().and_then(|test| test.split_once("::"));
        let (file, name) = test.ok_or_else(|| format!("`tests.{id}` should be `file::name`"))?;
        lines.tests.push((id, file.to_owned(), name.to_owned()));
    }
    let Some(serde_json::Value::Object(changed)) = top.take("changed") else {
        return Err("no table `changed`".into());
    };
    for (id, why) in changed {
        let why = why.as_str().ok_or_else(|| format!("`changed.{id}` should say why"))?;
        lines.changed.push((id, why.to_owned()));
    }
    let Some(serde_json::Value::Object(notes)) = top.take("notes") else {
        return Err("no table `notes`".into());
    };
    let mut notes = read::Fields(notes);
    lines.notes = notes.texts("ids")?.unwrap_or_default();
    notes.done("`notes`")?;
    top.done("the list").map(|()| lines)
}
