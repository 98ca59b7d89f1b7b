//! The plugins: from one description, the packages of every plugin system that can carry hooks.
//!
//! Each package registers the program for one agent with a file of its own. There is no `hooks/hooks.json`, which several agents would
//! all load; only Gemini CLI reads that name and no other, so its package has nothing else in it. The program travels inside, below
//! `program/`, behind a script that runs only files whose SHA-256 it has (`packaging/plugins/checkrein.sh`).
//!
//! ```text
//! target/plugins/
//!   marketplace/            what a user adds to Claude Code, Codex or Copilot CLI
//!     .claude-plugin/, .agents/plugins/, .github/plugin/
//!     checkrein/            one plugin with a manifest and a file of hooks for each of these agents
//!   gemini/, qwen/          an extension each
//!   pi/, opencode/          a package of npm each
//! ```

mod package;
mod selector;

use crate::{
    Failed, Result, cannot,
    release::{self, archive::Files},
    root, run, say, target,
};
use package::Description;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

pub(crate) use selector::Carried;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Writes the plugins, with programs for the platforms that are named, for all, or with none.
pub(crate) fn plugins(arguments: &[&str]) -> Result<()> {
    let carried = match arguments {
        ["--debug"] => return make_for_tests(&debug_program()?),
        ["--without-programs"] => Vec::new(),
        [] | ["--fast" | "--platform", ..] => release::programs(arguments)?,
        [unknown, ..] => {
            return Err(Failed::Because(format!(
                "unknown argument `{unknown}`; there are `--fast`, `--platform NAME`, `--debug` and `--without-programs`"
            )));
        }
    };
    write(&carried)?;
    check()
}

/// Returns this machine's program as it was built for tests.
pub(crate) fn debug_program() -> Result<Carried> {
    run(crate::cargo().args(["build", "--package", "checkrein-cli"]))?;
    let platform = format!(
        "{}-{}",
        if cfg!(target_os = "macos") { "darwin" } else { "linux" },
        if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" }
    );
    Ok(Carried { platform, file: target().join("debug/checkrein") })
}

/// Returns the directory of the plugins.
pub(crate) fn directory() -> PathBuf {
    target().join("plugins")
}

/// Writes the plugins with the program that was built for tests.
pub(crate) fn make_for_tests(program: &Carried) -> Result<()> {
    write(std::slice::from_ref(program))?;
    check()
}

/// Writes the plugins for a release, and packs them into `packages`. Gemini CLI chooses an archive by the name of the platform.
pub(crate) fn make(carried: &[Carried], packages: &Path) -> Result<()> {
    write(carried)?;
    check()?;
    let pack = |place: &str, carried: &[Carried], name: &str| {
        let mut files = Files::default();
        add(&mut files, &directory().join(place), "", &|path| {
            let platform = path.strip_prefix("program/").and_then(|rest| rest.strip_suffix("/checkrein"));
            platform.is_none_or(|platform| carried.iter().any(|one| one.platform == platform))
        })?;
        files.write("checkrein", &packages.join(name))
    };
    pack("marketplace", carried, &format!("checkrein-plugins-{VERSION}.tar.gz"))?;
    pack("qwen", carried, &format!("checkrein-qwen-{VERSION}.tar.gz"))?;
    for program in carried {
        let platform = program.platform.replace('-', ".");
        pack("gemini", std::slice::from_ref(program), &format!("{platform}.checkrein.tar.gz"))?;
    }
    for host in ["pi", "opencode"] {
        let mut files = Files::default();
        add(&mut files, &directory().join(host), "", &|_| true)?;
        files.write("package", &packages.join(format!("checkrein-{host}-{VERSION}.tgz")))?;
    }
    Ok(())
}

/// Adds the files below a directory that are wanted, by their path in it.
fn add(files: &mut Files, directory: &Path, below: &str, is_wanted: &dyn Fn(&str) -> bool) -> Result<()> {
    let unreadable = |error| cannot("read", &directory.to_string_lossy(), &error);
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = format!("{below}{}", entry.file_name().to_string_lossy());
        let metadata = entry.metadata().map_err(unreadable)?;
        if metadata.is_dir() {
            add(files, &entry.path(), &format!("{path}/"), is_wanted)?;
        } else if is_wanted(&path) && metadata.permissions().mode() & 0o100 != 0 {
            files.add_program(path, read(&entry.path())?);
        } else if is_wanted(&path) {
            files.add(path, read(&entry.path())?);
        }
    }
    Ok(())
}

/// Writes all plugins with these programs.
pub(crate) fn write(carried: &[Carried]) -> Result<()> {
    let directory = directory();
    // It may not be there yet.
    let _ = fs::remove_dir_all(&directory);
    let description = Description::read(&root().join("packaging/plugins/description.json"))?;
    let selector = selector::text(carried)?;
    for (path, text) in package::files(&description)? {
        write_file(&directory.join(path), text.as_bytes())?;
    }
    for place in package::PLACES {
        let place = directory.join(place);
        selector::write(&place, &selector, carried)?;
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            write_file(&place.join(licence), &read(&root().join(licence))?)?;
        }
        write_file(&place.join("README.md"), &read(&root().join("packaging/plugins/README.md"))?)?;
    }
    say(&format!("wrote {}", directory.display()));
    Ok(())
}

/// Checks what was written, as far as that needs no agent.
fn check() -> Result<()> {
    let directory = directory();
    for place in package::PLACES {
        let selector = directory.join(place).join("program/checkrein");
        for shell in ["sh", "dash", "busybox"] {
            let mut command = Command::new(shell);
            if shell == "busybox" {
                command.arg("sh");
            }
            if command.arg("-n").arg(&selector).status().is_ok_and(|status| !status.success()) {
                return Err(Failed::Because(format!("{shell} cannot read {}", selector.display())));
            }
        }
    }
    package::check(&directory)
}

fn write_file(path: &Path, content: &[u8]) -> Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)
            .map_err(|error| cannot("create", &directory.to_string_lossy(), &error))?;
    }
    fs::write(path, content).map_err(|error| cannot("write", &path.to_string_lossy(), &error))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| cannot("read", &path.to_string_lossy(), &error))
}
