//! `data/packages.toml`: our own packages, and the programs that install, replace and remove packages.

use super::{
    constant,
    document::{Result, Section, plain},
};

pub(super) fn table(file: &Section) -> Result<String> {
    const KEYS: [&str; 6] = ["ours", "managers", "of_a_project", "for_everybody", "looks", "adds"];
    file.only(&KEYS)?;
    let lists = KEYS.iter().map(|key| {
        let mut list = plain(&file.strings(key)?);
        list.sort_unstable();
        Ok(constant(&format!("packages_{key}"), "&[&str]", &format!("&{list:?}")))
    });
    lists.collect()
}
