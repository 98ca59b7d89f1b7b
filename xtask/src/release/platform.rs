//! The systems that we release for.

use crate::dist::Linker;
use std::{env::consts::ARCH, path::Path};

/// One system, with the names that the package managers have for it.
#[derive(Debug)]
pub(super) struct Platform {
    /// Node's name, which is also that of its npm package: `process.platform` and `process.arch`.
    pub(super) node: (&'static str, &'static str),
    /// The compiler's name of the program's target.
    pub(super) triple: &'static str,
    /// The targets of the Python extension, and the tag of each wheel where it is not the target's own.
    pub(super) wheels: &'static [(&'static str, Option<&'static str>)],
}

/// All systems. A static Linux program needs no library, so that one program serves every distribution; an
/// extension is loaded by the system's Python, so it needs one for each C library.
pub(super) const PLATFORMS: [Platform; 4] = [
    Platform {
        node: ("linux", "x64"),
        triple: "x86_64-unknown-linux-musl",
        wheels: &[
            ("x86_64-unknown-linux-gnu", Some("manylinux2014")),
            ("x86_64-unknown-linux-musl", Some("musllinux_1_2")),
        ],
    },
    Platform {
        node: ("linux", "arm64"),
        triple: "aarch64-unknown-linux-musl",
        wheels: &[
            ("aarch64-unknown-linux-gnu", Some("manylinux2014")),
            ("aarch64-unknown-linux-musl", Some("musllinux_1_2")),
        ],
    },
    Platform {
        node: ("darwin", "arm64"),
        triple: "aarch64-apple-darwin",
        wheels: &[("aarch64-apple-darwin", None)],
    },
    Platform {
        node: ("darwin", "x64"),
        triple: "x86_64-apple-darwin",
        wheels: &[("x86_64-apple-darwin", None)],
    },
];

impl Platform {
    /// Returns its short name, such as `linux-x64`.
    pub(super) fn name(&self) -> String {
        format!("{}-{}", self.node.0, self.node.1)
    }

    /// Returns its name for people.
    pub(super) fn title(&self) -> String {
        let system = if self.is_mac() { "macOS" } else { "Linux" };
        let architecture = if self.architecture() == "x86_64" { "x86-64" } else { "ARM64" };
        format!("{system} {architecture}{}", if self.is_mac() { " (never run)" } else { "" })
    }

    /// Returns the compiler's name of its architecture.
    pub(super) fn architecture(&self) -> &'static str {
        self.triple.split('-').next().unwrap_or_default()
    }

    pub(super) fn is_mac(&self) -> bool {
        self.node.0 == "darwin"
    }

    /// Returns the linker for its program, given the directory of our tools.
    pub(super) fn linker(&self, tools: &Path) -> Linker {
        if self.is_mac() {
            Linker::Zig(tools.to_owned())
        } else if self.architecture() == ARCH {
            Linker::System
        } else {
            Linker::Compiler
        }
    }

    /// Returns the command that runs its program on this machine, which is empty for this machine's own.
    /// The error is the reason why nothing can run it.
    pub(super) fn emulator(&self) -> Result<Vec<String>, String> {
        if self.is_mac() {
            return Err(
                "there is no Mac here: it was linked and its signature checked, but it never ran".into()
            );
        }
        if self.architecture() == ARCH {
            return Ok(Vec::new());
        }
        let emulator = format!("qemu-{}", self.architecture());
        let path = std::env::var_os("PATH").unwrap_or_default();
        if std::env::split_paths(&path).any(|directory| directory.join(&emulator).is_file()) {
            Ok(vec![emulator])
        } else {
            Err(format!("there is no `{emulator}` here, so it never ran; install the package `qemu-user`"))
        }
    }
}
