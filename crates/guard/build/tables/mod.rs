//! One file per table, and what they share: `document` reads TOML with the line of every value, `words` checks words.

mod agents;
mod consoles;
mod document;
mod lists;
mod option;
mod paths;
mod pools;
mod programs;
mod repository;
mod rules;
mod run_files;
mod tools;
mod usual;
mod variables;
mod words;

pub(crate) use document::{Problem, Result, Section};
#[allow(unused_imports, reason = "for `tests/tables.rs`")]
pub(crate) use programs::KEYS;
use std::path::{Path, PathBuf};

macro_rules! handlers {
    ($($name:literal => $follow:expr,)+) => {
        /// The handlers that an entry may name.
        const HANDLERS: &[&str] = &[$($name),+];
    };
}

include!("../../src/eval/handlers/registry.rs");

/// Returns the source of all tables.
pub(crate) fn generate() -> Result<String> {
    let mut code = String::new();
    code.push_str(&paths::table(&read("data/paths.toml")?, &agents::patterns(&read("data/agents.toml")?)?)?);
    code.push_str(&variables::table(&read("data/variables.toml")?)?);
    code.push_str(&consoles::table(&read("data/consoles.toml")?)?);
    for (name, _) in lists::LISTS {
        code.push_str(&lists::table(&read(format!("data/{name}.toml"))?)?);
    }
    code.push_str(&tools::table(&read("data/tools.toml")?)?);
    code.push_str(&tools::arguments(&read("data/arguments.toml")?)?);
    code.push_str(&run_files::table(&read("data/run_files.toml")?)?);
    code.push_str(&repository::table(&read("data/repository.toml")?)?);
    let programs = programs::Programs::of(&all("programs")?)?;
    let places = usual::Places::of(programs, &read("data/usual.toml")?)?;
    code.push_str(&places.table());
    code.push_str(&rules::table(&all("rules")?, &places)?);
    Ok(code)
}

/// Checks one file, by the directory that it is in, next to a table with the program `one`.
#[allow(dead_code, reason = "for `tests/tables.rs`")]
pub(crate) fn check(file: &Section) -> Result<()> {
    let one = Section::parse(Path::new("programs/one.toml"), "[one]".to_owned())?;
    let usual = Section::parse(Path::new("data/usual.toml"), String::new())?;
    let places = |files: &[Section]| usual::Places::of(programs::Programs::of(files)?, &usual);
    match (file.directory(), file.stem()) {
        ("programs", _) => places(&[*file]).map(drop),
        ("rules", _) => rules::table(&[*file], &places(&[one])?).map(drop),
        (_, "tools") => tools::table(file).map(drop),
        (_, "arguments") => tools::arguments(file).map(drop),
        (_, "agents") => agents::patterns(file).map(drop),
        (_, "consoles") => consoles::table(file).map(drop),
        (_, "paths") => paths::table(file, &[]).map(drop),
        (_, "run_files") => run_files::table(file).map(drop),
        (_, "repository") => repository::table(file).map(drop),
        (_, "variables") => variables::table(file).map(drop),
        (_, _) => lists::table(file).map(drop),
    }
}

fn read(path: impl AsRef<Path>) -> Result<Section> {
    let path = path.as_ref();
    let text = std::fs::read_to_string(path).map_err(|error| Problem::about(path, error))?;
    Section::parse(path, text)
}

/// Reads the files of a directory in order.
fn all(directory: &str) -> Result<Vec<Section>> {
    let problem = |error| Problem::about(Path::new(directory), error);
    let entries = std::fs::read_dir(directory).map_err(problem)?;
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path()).map_err(problem)).collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files.into_iter().map(read).collect()
}

/// Returns the source of a constant table.
fn constant(name: &str, kind: &str, value: &str) -> String {
    format!("pub(crate) static {}: {kind} = {value};\n", name.to_uppercase())
}
