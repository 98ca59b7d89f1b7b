//! Files of plain lists: packages, unknown programs, and what other programs do with Checkrein.

use super::{
    constant,
    document::{Result, Section, plain},
};

/// The files of plain lists, and their keys.
pub(super) const LISTS: [(&str, &[&str]); 3] = [
    ("packages", &["ours", "managers", "of_a_project", "for_everybody", "looks", "adds"]),
    ("unknown_programs", &["unpacks", "looks", "own_language", "looking", "reading", "places", "putting"]),
    ("ourselves", &["naming", "builders", "lookups", "attaching", "replacing"]),
];

/// Returns the source of the lists of a file. Each is named after the first word of the file and its key.
pub(super) fn table(file: &Section) -> Result<String> {
    let known = LISTS.iter().find(|(name, _)| *name == file.stem());
    let (name, keys) = known.ok_or_else(|| file.place.problem("no table is named like this file"))?;
    let prefix = name.split('_').next().unwrap_or_default();
    file.only(keys)?;
    let lists = keys.iter().map(|key| {
        let list = file.strings(key)?;
        if list.is_empty() {
            return Err(file.place.problem(format_args!("`{key}` is missing")));
        }
        let mut list = plain(&list);
        if *name == "packages" {
            list.sort_unstable();
        }
        Ok(constant(&format!("{prefix}_{key}"), "&[&str]", &format!("&{list:?}")))
    });
    lists.collect()
}
