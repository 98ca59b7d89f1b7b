//! The packages that cargo knows, and those among them that are in the program.

use super::{read, text};
use crate::{Failed, Result, cargo, output, root};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// All packages, by cargo's name for each.
pub(crate) struct Packages {
    all: BTreeMap<String, Package>,
    sources: BTreeSet<String>,
}

/// One package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) license: String,
    pub(super) description: String,
    pub(super) repository: String,
    /// The SHA-256 of the download; `None` for a package of this repository.
    pub(super) checksum: Option<String>,
    /// The directory with its sources.
    pub(super) directory: PathBuf,
    /// The packages that it uses at run time, as far as they are in the program.
    pub(super) uses: Vec<String>,
}

impl Package {
    /// Returns its package URL.
    pub(super) fn url(&self) -> String {
        // The only character of a version that has another meaning in a URL.
        format!("pkg:cargo/{}@{}", self.name, self.version.replace('+', "%2B"))
    }
}

impl Packages {
    pub(crate) fn read(triple: &str) -> Result<Self> {
        let mut command = cargo();
        command.args(["metadata", "--format-version=1", "--locked", "--filter-platform", triple]);
        let metadata = output(&mut command)?;
        let metadata = serde_json::from_str(&metadata)
            .map_err(|error| Failed::Because(format!("cargo's metadata cannot be read: {error}")))?;
        let lock = read(&root().join("Cargo.lock"))?;
        Ok(Self::parse(&metadata, &String::from_utf8_lossy(&lock)))
    }

    fn parse(metadata: &Value, lock: &str) -> Self {
        let checksums = checksums(lock);
        let mut uses = uses(metadata);
        let mut packages = Self { all: BTreeMap::new(), sources: BTreeSet::new() };
        for package in list(metadata, "/packages") {
            let (name, version) = (text(package, "/name").to_owned(), text(package, "/version").to_owned());
            let id = text(package, "/id").to_owned();
            let directory = Path::new(text(package, "/manifest_path")).parent().unwrap_or(Path::new(""));
            if !text(package, "/source").is_empty() {
                let source = directory.parent();
                packages.sources.extend(source.map(|source| source.to_string_lossy().into_owned()));
            }
            let package = Package {
                checksum: checksums.get(&(name.clone(), version.clone())).cloned(),
                // An older notation, which is not a valid SPDX expression.
                license: text(package, "/license").replace('/', " OR "),
                description: text(package, "/description").trim().replace('\n', " "),
                repository: text(package, "/repository").to_owned(),
                directory: directory.to_owned(),
                uses: uses.remove(&id).unwrap_or_default(),
                name,
                version,
            };
            packages.all.insert(id, package);
        }
        packages
    }

    /// Returns the directories into which cargo unpacked packages from elsewhere.
    pub(crate) const fn sources(&self) -> &BTreeSet<String> {
        &self.sources
    }

    /// Returns the packages with these names in alphabetical order; the packages that each uses are limited
    /// to these, as URLs.
    pub(crate) fn linked(&self, names: &[String]) -> Result<Vec<Package>> {
        let names: BTreeSet<&String> = names.iter().collect();
        let mut linked = Vec::new();
        for name in &names {
            let package = self.all.get(*name);
            let mut package = package
                .cloned()
                .ok_or_else(|| Failed::Because(format!("cargo built `{name}` and does not know it")))?;
            let used = package.uses.iter().filter(|used| names.contains(used));
            package.uses = used.filter_map(|used| self.all.get(used)).map(Package::url).collect();
            package.uses.sort_unstable();
            linked.push(package);
        }
        linked.sort_unstable_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
        Ok(linked)
    }
}

fn list<'a>(value: &'a Value, pointer: &str) -> impl Iterator<Item = &'a Value> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

/// Returns the packages that each package uses at run time, not only to build or test it.
fn uses(metadata: &Value) -> BTreeMap<String, Vec<String>> {
    let nodes = list(metadata, "/resolve/nodes").map(|node| {
        let normal = list(node, "/deps")
            .filter(|used| list(used, "/dep_kinds").any(|kind| kind.get("kind").is_none_or(Value::is_null)));
        (text(node, "/id").to_owned(), normal.map(|used| text(used, "/pkg").to_owned()).collect())
    });
    nodes.collect()
}

/// Returns the checksums in a `Cargo.lock`, which cargo always writes in the same form, one field per line.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut checksums = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let field = |name: &str| {
            let value = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
            value.map(|value| value.trim_matches('"').to_owned())
        };
        if let (Some(name), Some(version), Some(checksum)) =
            (field("name"), field("version"), field("checksum"))
        {
            checksums.insert((name, version), checksum);
        }
    }
    checksums
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn linked_packages_are_listed_with_what_they_use() {
        let metadata = json!({
            "packages": [
                {"id": "a", "name": "ours", "version": "0.1.0", "license": "MIT", "source": null,
                    "manifest_path": "/home/u/ours/Cargo.toml"},
                {"id": "b", "name": "theirs", "version": "2.0.0+x", "license": "MIT/Apache-2.0", "source": "registry",
                    "manifest_path": "/home/u/.cargo/registry/src/x/theirs-2.0.0/Cargo.toml", "description": "does\nit "},
                {"id": "c", "name": "helper", "version": "1.0.0", "source": "registry",
                    "manifest_path": "/home/u/.cargo/registry/src/x/helper-1.0.0/Cargo.toml"},
            ],
            "resolve": {"nodes": [
                {"id": "a", "deps": [
                    {"pkg": "c", "dep_kinds": [{"kind": "build"}]},
                    {"pkg": "b", "dep_kinds": [{"kind": "dev"}, {"kind": null}]},
                ]},
                {"id": "b", "deps": [{"pkg": "c", "dep_kinds": [{"kind": null}]}]},
            ]},
        });
        let lock = "version = 4\n\n[[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n\n\
            [[package]]\nname = \"theirs\"\nversion = \"2.0.0+x\"\nsource = \"registry\"\nchecksum = \"abc\"\n";
        let packages = Packages::parse(&metadata, lock);
        assert_eq!(packages.sources.iter().collect::<Vec<_>>(), ["/home/u/.cargo/registry/src/x"]);
        let Ok(linked) = packages.linked(&["b".into(), "a".into(), "b".into()]) else { panic!("not found") };
        let ours = Package {
            name: "ours".into(),
            version: "0.1.0".into(),
            license: "MIT".into(),
            directory: "/home/u/ours".into(),
            uses: vec!["pkg:cargo/theirs@2.0.0%2Bx".into()],
            ..Package::default()
        };
        let theirs = Package {
            name: "theirs".into(),
            version: "2.0.0+x".into(),
            license: "MIT OR Apache-2.0".into(),
            description: "does it".into(),
            directory: "/home/u/.cargo/registry/src/x/theirs-2.0.0".into(),
            checksum: Some("abc".into()),
            ..Package::default()
        };
        assert_eq!(linked, [ours, theirs]);
        assert!(packages.linked(&["d".into()]).is_err());
    }
}
