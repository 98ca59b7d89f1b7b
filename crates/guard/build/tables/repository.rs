//! `data/repository.toml`: what may happen before git is asked about a work tree.

use super::{
    constant,
    document::{Result, Section, plain},
};

pub(super) fn table(file: &Section) -> Result<String> {
    const KEYS: [&str; 4] = ["looks", "git_looks", "git_fetches", "variables"];
    file.only(&KEYS)?;
    let lists = KEYS.iter().map(|key| {
        let list = plain(&file.strings(key)?);
        Ok(constant(&format!("repository_{key}"), "&[&str]", &format!("&{list:?}")))
    });
    lists.collect()
}
