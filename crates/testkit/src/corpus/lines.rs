//! The list of all lines of the predecessors' specification: for each, whether a case shows it here, or
//! where else it is checked.

use super::read;
use std::{fs, path::Path};

/// The name of the list below the directory of the corpus.
pub(super) const FILE: &str = "lines.toml";

/// Every line of the predecessors' specification.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// Ids with their tags, for example `M33` and `K`.
    pub all: Vec<(String, String)>,
    /// Ids that are checked elsewhere, with the place.
    pub elsewhere: Vec<(String, String)>,
    /// Ids with the file and the name of a test that checks them outside of the corpus.
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
    let Some(serde_json::Value::Array(places)) = top.take("elsewhere") else {
        return Err("no list `elsewhere`".into());
    };
    for place in places {
        let serde_json::Value::Object(place) = place else { return Err("`elsewhere` holds tables".into()) };
        let mut place = read::Fields(place);
        let why = place.text("why")?.ok_or("`elsewhere` without `why`")?;
        for id in place.texts("ids")?.unwrap_or_default() {
            lines.elsewhere.push((id, why.clone()));
        }
        place.done("`elsewhere`")?;
    }
    top.done("the list").map(|()| lines)
}
