//! `data/run_files.toml`: files that something runs. The head of the file explains the keys.

use super::{
    constant,
    document::{Result, Section, plain},
    words::unknown,
};
use std::fmt::Write;

/// The ways in which commands are kept in a file.
const FORMS: [(&str, &str); 6] = [
    ("shell", "Shell"),
    ("make", "Make"),
    ("just", "Just"),
    ("json", "Json"),
    ("toml", "Toml"),
    ("yaml", "Yaml"),
];

pub(super) fn table(file: &Section) -> Result<String> {
    file.only(&["file"])?;
    let (mut all, mut makefiles, mut justfiles) = (String::new(), Vec::new(), Vec::new());
    for row in file.sections("file")? {
        row.only(&["files", "form", "keys", "variables", "by", "elsewhere"])?;
        let form = row.need("form")?;
        let Some((_, variant)) = FORMS.iter().find(|(name, _)| *name == form.text) else {
            return Err(unknown("form", form, FORMS.map(|(name, _)| name)));
        };
        let files = row.strings("files")?;
        let keys = plain(&row.strings("keys")?);
        let variables = plain(&row.strings("variables")?);
        if files.is_empty() || row.strings("by")?.is_empty() {
            return Err(form.problem("a row needs `files` and `by`"));
        }
        if (keys.is_empty() && variables.is_empty()) == matches!(form.text, "json" | "toml" | "yaml") {
            return Err(form.problem("`json`, `toml` and `yaml` need `keys`, and the other forms have none"));
        }
        let names = plain(&files).into_iter().filter(|name| !name.contains(['*', '/']));
        match form.text {
            "make" => makefiles.extend(names),
            "just" => justfiles.extend(names),
            _ => {}
        }
        let steps: Vec<Vec<&str>> = plain(&files).iter().map(|file| file.split('/').collect()).collect();
        let steps: String = steps.iter().map(|steps| format!("&{steps:?}, ")).collect();
        let elsewhere = row.string("elsewhere")?.is_some_and(|word| word.text == "yes");
        let _infallible = write!(
            all,
            "RunRow {{ files: &[{steps}], form: RunForm::{variant}, keys: &{keys:?}, variables: &{variables:?}, elsewhere: {elsewhere} }}, "
        );
    }
    Ok([
        constant("run_makefiles", "&[&str]", &format!("&{makefiles:?}")),
        constant("run_justfiles", "&[&str]", &format!("&{justfiles:?}")),
        constant("run_files", "&[RunRow]", &format!("&[{all}]")),
    ]
    .concat())
}
