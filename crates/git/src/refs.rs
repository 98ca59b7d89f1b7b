//! Names of commits: branches, tags, remotes and `HEAD`.

use crate::{
    Objection,
    budget::Budget,
    bytes::{Oid, oid_of},
    discover::{Found, line},
};
use std::{collections::BTreeMap, fs, path::Path};

/// The longest list of packed names that is read.
const LONGEST: u64 = 4 * 1024 * 1024;
/// The names that keep a commit.
const KEEPING: [&str; 3] = ["refs/heads", "refs/tags", "refs/remotes"];
/// The maximum depth of directories of names.
const DEEPEST: usize = 12;

/// The names of a repository, and what is checked out.
pub(crate) struct Refs {
    /// Branches, tags and remotes.
    pub(crate) named: BTreeMap<String, Oid>,
    /// The branch that is checked out.
    pub(crate) branch: Option<String>,
    /// The commit that is checked out.
    pub(crate) head: Oid,
}

impl Refs {
    pub(crate) fn read(found: &Found, budget: &Budget) -> Result<Self, Objection> {
        let mut named = packed(&found.common, budget)?;
        for kind in KEEPING {
            loose(&found.common.join(kind), kind, &mut named, DEEPEST, budget)?;
        }
        let text = line(&found.own.join("HEAD"))?;
        let branch = text.strip_prefix("ref: ").map(|name| name.trim().to_owned());
        let head = match &branch {
            Some(branch) => named.get(branch).copied(),
            None => oid_of(text.trim()),
        };
        let head = head.ok_or_else(|| Objection::unknown("there is no commit yet"))?;
        Ok(Self { named, branch, head })
    }

    /// Returns the object that a name means, as git resolves it.
    pub(crate) fn resolve(&self, name: &str) -> Option<Oid> {
        if matches!(name, "HEAD" | "@") {
            return Some(self.head);
        }
        let forms = [
            name.to_owned(),
            format!("refs/{name}"),
            format!("refs/tags/{name}"),
            format!("refs/heads/{name}"),
            format!("refs/remotes/{name}"),
            format!("refs/remotes/{name}/HEAD"),
        ];
        forms.iter().find_map(|form| self.named.get(form).copied()).or_else(|| oid_of(name))
    }
}

/// The object that one name means, whatever kind of name it is.
pub(crate) fn value(common: &Path, name: &str) -> Option<Oid> {
    if let Ok(text) = line(&common.join(name)) {
        return oid_of(text.trim());
    }
    let text = packed_text(common).ok()??;
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(_, packed)| *packed == name).and_then(|(oid, _)| oid_of(oid))
}

/// The text of the file with many names; `None` if there is none.
fn packed_text(common: &Path) -> Result<Option<String>, Objection> {
    let path = common.join("packed-refs");
    let Ok(metadata) = path.symlink_metadata() else { return Ok(None) };
    if !metadata.is_file() || metadata.len() > LONGEST {
        return Err(Objection::unknown("there are too many branches"));
    }
    Ok(Some(fs::read_to_string(path)?))
}

/// The names in one file.
fn packed(common: &Path, budget: &Budget) -> Result<BTreeMap<String, Oid>, Objection> {
    let mut named = BTreeMap::new();
    for line in packed_text(common)?.unwrap_or_default().lines() {
        budget.step()?;
        if let Some((oid, name)) = line.split_once(' ')
            && let Some(oid) = oid_of(oid)
            && KEEPING.iter().any(|kind| name.starts_with(kind))
        {
            named.insert(name.to_owned(), oid);
        }
    }
    Ok(named)
}

/// The names that have a file of their own.
fn loose(
    directory: &Path,
    name: &str,
    named: &mut BTreeMap<String, Oid>,
    depth: usize,
    budget: &Budget,
) -> Result<(), Objection> {
    let Ok(files) = fs::read_dir(directory) else { return Ok(()) };
    for file in files {
        budget.step()?;
        let file = file?;
        let Ok(last) = file.file_name().into_string() else { continue };
        let full = format!("{name}/{last}");
        let kind = file.file_type()?;
        if kind.is_dir() && depth > 0 {
            loose(&file.path(), &full, named, depth - 1, budget)?;
        } else if kind.is_file() {
            // A name that refers to another one is found under that.
            if let Some(oid) = line(&file.path()).ok().and_then(|text| oid_of(text.trim())) {
                named.insert(full, oid);
            }
        }
    }
    Ok(())
}
