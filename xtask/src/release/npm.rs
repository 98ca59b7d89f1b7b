//! The npm packages: `checkrein`, and one optional package for each platform, of which npm installs the one
//! that fits. There is no install script.

use super::{
    archive::Files,
    platform::{PLATFORMS, Platform},
};
use crate::{Result, cannot, root};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Our version, which all packages have.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Writes the package of a platform into `directory`, and returns its path.
pub(super) fn platform(platform: &Platform, program: &Path, directory: &Path) -> Result<PathBuf> {
    let name = format!("checkrein-{}", platform.name());
    let mut files = Files::default();
    let mut manifest = manifest(&name, &format!("The program of Checkrein for {}", platform.name()));
    if let Some(fields) = manifest.as_object_mut() {
        fields.insert("os".into(), json!([platform.node.0]));
        fields.insert("cpu".into(), json!([platform.node.1]));
        // Yarn would otherwise run it from an archive.
        fields.insert("preferUnplugged".into(), json!(true));
    }
    files.add_program("bin/checkrein", read(program)?);
    files.add("README.md", "The program of Checkrein for one system. Install the package `checkrein`, which chooses the right one.\n");
    write(files, &manifest, &name, directory)
}

/// Writes the package that users install into `directory`, and returns its path.
pub(super) fn main(directory: &Path) -> Result<PathBuf> {
    let mut manifest = manifest("checkrein", "A hook engine for coding agents");
    let platforms =
        PLATFORMS.iter().map(|platform| (format!("checkrein-{}", platform.name()), Value::from(VERSION)));
    if let Some(fields) = manifest.as_object_mut() {
        fields.insert("bin".into(), json!({"checkrein": "bin/checkrein.js"}));
        fields.insert("optionalDependencies".into(), platforms.collect::<serde_json::Map<_, _>>().into());
        fields.insert("keywords".into(), json!(["hook", "coding-agent", "claude-code", "codex", "guard"]));
    }
    let mut files = Files::default();
    files.add_program("bin/checkrein.js", read(&root().join("packaging/npm/checkrein.js"))?);
    files.add("README.md", read(&root().join("README.md"))?);
    write(files, &manifest, "checkrein", directory)
}

fn manifest(name: &str, description: &str) -> Value {
    json!({
        "name": name,
        "version": VERSION,
        "description": description,
        "license": "MIT OR Apache-2.0",
        "engines": {"node": ">=18"},
    })
}

/// Adds what every package has, and writes it as npm does.
fn write(mut files: Files, manifest: &Value, name: &str, directory: &Path) -> Result<PathBuf> {
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        files.add(licence, read(&root().join(licence))?);
    }
    files.add("package.json", format!("{manifest:#}\n"));
    let archive = directory.join(format!("{name}-{VERSION}.tgz"));
    files.write("package", &archive)?;
    Ok(archive)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| cannot("read", &path.to_string_lossy(), &error))
}
