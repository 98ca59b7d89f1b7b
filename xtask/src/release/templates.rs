//! The files that are made of templates: the installer, the formula for Homebrew, the Feature for dev containers.

use super::{Files, PLATFORMS, Platform, VERSION, read};
use crate::{Failed, Result, cannot, dist, root};
use std::{fs, path::Path};

/// Writes the files that are made of templates. Until `packaging/address` names where releases are, users of the installer and of
/// the Feature name it themselves, and there is no formula.
pub(super) fn write(directory: &Path, platforms: &[&Platform]) -> Result<()> {
    let address = address()?;
    put(directory, "install.sh", &filled("packaging/install.sh", &address)?)?;
    feature(directory, &address)?;
    if address.is_empty() {
        return Ok(());
    }
    put(directory, "checkrein.rb", &formula(directory, platforms, &address)?)
}

/// Returns the address of the directory with the packages of a release; empty until there is one.
pub(super) fn address() -> Result<String> {
    Ok(String::from_utf8_lossy(&read(&root().join("packaging/address"))?).trim().to_owned())
}

/// Returns the formula, with the checksum of each archive. It names all platforms, so all must have been built.
pub(super) fn formula(directory: &Path, platforms: &[&Platform], address: &str) -> Result<String> {
    let mut text = filled("packaging/homebrew/checkrein.rb", address)?;
    for platform in &PLATFORMS {
        let name = format!("checkrein-{VERSION}-{}.tar.gz", platform.triple);
        let mark = format!("@SHA256:{}@", platform.triple);
        if !text.contains(&mark) {
            return Err(Failed::Because(format!("the formula has no checksum for {}", platform.triple)));
        }
        // A part of a release is only for trying packages.
        let checksum = if platforms.iter().any(|built| built.triple == platform.triple) {
            dist::checksum(&read(&directory.join(name))?)
        } else {
            "not-built".to_owned()
        };
        text = text.replace(&mark, &checksum);
    }
    Ok(text)
}

/// Writes the Feature as the archive that dev containers read.
fn feature(directory: &Path, address: &str) -> Result<()> {
    let mut files = Files::default();
    for (name, is_program) in [("devcontainer-feature.json", false), ("install.sh", true), ("link.sh", true)]
    {
        let text = filled(&format!("packaging/devcontainer/{name}"), address)?;
        if is_program { files.add_program(name, text) } else { files.add(name, text) }
    }
    // The one that every other user runs, so that there is one place that downloads and verifies.
    files.add_program("checkrein-install.sh", filled("packaging/install.sh", address)?);
    files.write(".", &directory.join("devcontainer-feature-checkrein.tgz"))
}

fn filled(template: &str, address: &str) -> Result<String> {
    let text = String::from_utf8_lossy(&read(&root().join(template))?).into_owned();
    Ok(text.replace("@VERSION@", VERSION).replace("@ADDRESS@", address))
}

fn put(directory: &Path, name: &str, text: &str) -> Result<()> {
    let path = directory.join(name);
    fs::write(&path, text).map_err(|error| cannot("write", &path.to_string_lossy(), &error))
}
