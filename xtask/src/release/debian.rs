//! The Debian package: the static program with its pages and completions, for every release of Debian and its descendants.

use super::{Documents, Files, Platform, Program, VERSION, read};
use crate::{Result, cannot, root};
use std::{fs, io, path::Path};

/// Debian's names of the architectures.
const ARCHITECTURES: [(&str, &str); 2] = [("x86_64", "amd64"), ("aarch64", "arm64")];

/// Returns the name of the package, if Debian has the platform.
pub(super) fn name(platform: &Platform) -> Option<String> {
    let (_, architecture) =
        ARCHITECTURES.iter().find(|(ours, _)| *ours == platform.architecture() && !platform.is_mac())?;
    Some(format!("checkrein_{VERSION}_{architecture}.deb"))
}

/// Writes the package of a platform, if Debian has it.
pub(super) fn pack(
    platform: &Platform,
    program: &Program,
    documents: &Documents,
    directory: &Path,
) -> Result<()> {
    let Some(name) = name(platform) else { return Ok(()) };
    let mut files = Files::default();
    files.add_program("usr/bin/checkrein", read(&program.file)?);
    files.add_directory("usr/share/man/man1", &documents.manual)?;
    for (path, text) in &documents.completions {
        files.add(format!("usr/{path}"), text.as_bytes());
    }
    let licences = ["LICENSE-MIT", "LICENSE-APACHE"].map(|name| read(&root().join(name)));
    let [mit, apache] = licences;
    let copyright =
        [mit?, b"\n".to_vec(), apache?, b"\n".to_vec(), program.notices.clone().into_bytes()].concat();
    files.add("usr/share/doc/checkrein/copyright", copyright);
    files.add("usr/share/doc/checkrein/README.md", read(&root().join("README.md"))?);
    files.add("usr/share/doc/checkrein/checkrein.cdx.json", program.bom.as_slice());
    let architecture = name.rsplit(['_', '.']).nth(1).unwrap_or_default();
    let mut control = Files::default();
    control.add("control", description(architecture, files.kibibytes()));
    let path = directory.join(&name);
    let bytes = archive(&control, &files).map_err(|error| cannot("pack", &name, &error))?;
    fs::write(&path, bytes).map_err(|error| cannot("write", &path.to_string_lossy(), &error))
}

fn description(architecture: &str, kibibytes: usize) -> String {
    format!(
        "Package: checkrein\nVersion: {VERSION}\nArchitecture: {architecture}\nMaintainer: Checkrein maintainers\n\
         Installed-Size: {kibibytes}\nSection: devel\nPriority: optional\n\
         Description: hook engine and guard for coding agents\n \
         Runs as the hook of coding agents, works out what each call would do, denies what\n \
         cannot be undone, asks about what is risky, and leaves ordinary work alone.\n \
         .\n \
         Run `checkrein uninstall` as each user before you remove the package.\n"
    )
}

/// Returns the three members of a Debian package in the archive format of `ar`, which has a header of 60 bytes for each.
fn archive(control: &Files, files: &Files) -> io::Result<Vec<u8>> {
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", control.pack(".")?),
        ("data.tar.gz", files.pack(".")?),
    ];
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, content) in members {
        bytes.extend(
            format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, "100644", content.len())
                .into_bytes(),
        );
        bytes.extend(&content);
        if content.len() % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    Ok(bytes)
}
