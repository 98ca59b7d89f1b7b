//! The part of the README and of docs/install.md that says what to install. It is written from the packages that a release makes, so a
//! package that no page names, and a page that names a package which is not made, both fail.

use super::{PLATFORMS, VERSION, listed, platform::Platform, read, templates};
use crate::{Failed, Result, cannot, root};
use std::{fs, path::Path};

/// The pages with a part that is written.
const PAGES: [(&str, Part); 2] = [("README.md", Part::Commands), ("docs/install.md", Part::Packages)];
const BEGIN: &str = "<!-- install: written by `cargo xtask release --pages` -->";
const END: &str = "<!-- end of install -->";

/// The part of a page that is written.
#[derive(Clone, Copy)]
enum Part {
    /// The commands of a newcomer.
    Commands,
    /// A table of all packages.
    Packages,
}

/// One way to install, and the files that it needs.
struct Package {
    /// The names of its files. `@` in a name means the version, and `*` means anything.
    files: &'static [&'static str],
    what: &'static str,
    install: &'static str,
    remove: &'static str,
    /// It is made only if releases have an address.
    needs_address: bool,
}

/// All ways. A file belongs to the first one that names it.
const PACKAGES: [Package; 9] = [
    Package {
        files: &["checkrein-@.tgz", "checkrein-linux-*-@.tgz", "checkrein-darwin-*-@.tgz"],
        what: "npm: `checkrein`, and one package per system, of which npm installs the right one; no install script",
        install: "`npm install --global checkrein`",
        remove: "`npm uninstall --global checkrein`",
        needs_address: false,
    },
    Package {
        files: &["checkrein-@-*.whl", "checkrein-@.tar.gz"],
        what: "PyPI: wheels with the program and the Python library, and a source distribution",
        install: "`pip install checkrein`, `uv tool install checkrein`",
        remove: "`pip uninstall checkrein`",
        needs_address: false,
    },
    Package {
        files: &["install.sh"],
        what: "`install.sh` with archives and `SHA256SUMS`",
        install: "`sh install.sh`",
        remove: "`sh install.sh --remove`",
        needs_address: false,
    },
    Package {
        files: &["checkrein-@-*.tar.gz"],
        what: "archives with the program, manual pages, completions, licences and a bill of materials",
        install: "unpack",
        remove: "delete",
        needs_address: false,
    },
    Package {
        files: &["checkrein_@_*.deb"],
        what: "`checkrein_VERSION_ARCH.deb`: Debian and its descendants, from the same static program",
        install: "`apt install ./checkrein_*.deb`",
        remove: "`apt purge checkrein`",
        needs_address: false,
    },
    Package {
        files: &["checkrein.rb"],
        what: "`checkrein.rb`: a formula for Homebrew, once releases have an address",
        install: "`brew install ./checkrein.rb`",
        remove: "`brew uninstall checkrein`",
        needs_address: true,
    },
    Package {
        files: &["devcontainer-feature-checkrein.tgz"],
        what: "`devcontainer-feature-checkrein.tgz`: a Feature for dev containers",
        install: "name it in `devcontainer.json`",
        remove: "remove it there",
        needs_address: false,
    },
    Package {
        files: &[
            "checkrein-plugins-@.tar.gz",
            "checkrein-qwen-@.tar.gz",
            "checkrein-pi-@.tgz",
            "checkrein-opencode-@.tgz",
            "*.checkrein.tar.gz",
        ],
        what: "plugins of agents ([below](#plugins))",
        install: "with the agent's own command",
        remove: "with the agent's own command",
        needs_address: false,
    },
    Package {
        files: &[],
        what: "the Rust registry: the program is in `checkrein-cli`",
        install: "`cargo install checkrein-cli`, `cargo binstall checkrein-cli`",
        remove: "`cargo uninstall checkrein-cli`",
        needs_address: false,
    },
];

/// Files that are about the others.
const ABOUT: [&str; 2] = ["SHA256SUMS", "SHA256SUMS.minisig"];

/// Writes the parts of the pages.
pub(super) fn write() -> Result<()> {
    for (page, text, written) in pages()? {
        if text != written {
            let path = root().join(page);
            fs::write(&path, written).map_err(|error| cannot("write", page, &error))?;
        }
    }
    Ok(())
}

/// Checks that the pages have these parts, and that every file in `directory` belongs to a way to install, and every way has its files if
/// this is a whole release.
pub(super) fn check(directory: &Path, is_whole: bool) -> Result<()> {
    for (page, text, written) in pages()? {
        if text != written {
            return Err(Failed::Because(format!(
                "{page} does not say what a release makes\nhint: `cargo xtask release --pages` writes it"
            )));
        }
    }
    let made: Vec<String> = listed(directory)?.into_iter().map(|(name, _)| name).collect();
    let has_address = !templates::address()?.is_empty();
    for way in PACKAGES.iter().filter(|way| is_whole && (has_address || !way.needs_address)) {
        if let Some(missing) = way.files.iter().find(|file| !made.iter().any(|name| is_named(name, file))) {
            return Err(Failed::Because(format!("docs/install.md promises `{missing}`, which was not made")));
        }
    }
    let known =
        |name: &str| PACKAGES.iter().flat_map(|way| way.files).chain(&ABOUT).any(|file| is_named(name, file));
    match made.iter().find(|name| !known(name)) {
        None => Ok(()),
        Some(name) => Err(Failed::Because(format!(
            "`{name}` was made, and no way to install it is known\nhint: add it to xtask/src/release/pages.rs"
        ))),
    }
}

/// Returns each page: its name, its text, and its text as it should be.
fn pages() -> Result<Vec<(&'static str, String, String)>> {
    let is_published = !templates::address()?.is_empty();
    let mut pages = Vec::new();
    for (page, part) in PAGES {
        let text = String::from_utf8_lossy(&read(&root().join(page))?).into_owned();
        let part = match part {
            Part::Commands => commands(is_published),
            Part::Packages => packages(),
        };
        let lost = || Failed::Because(format!("{page} has no lines `{BEGIN}` and `{END}`"));
        let (before, rest) = text.split_once(BEGIN).ok_or_else(lost)?;
        let (_, after) = rest.split_once(END).ok_or_else(lost)?;
        let written = format!("{before}{BEGIN}\n\n{part}\n{END}{after}");
        pages.push((page, text, written));
    }
    Ok(pages)
}

/// Returns the commands of a newcomer. Before the first release there is only the checkout.
fn commands(is_published: bool) -> String {
    let install = if is_published {
        "npm install --global checkrein    # or `pip install checkrein`, or see docs/install.md"
    } else {
        "cargo install --path crates/cli   # puts `checkrein` on your PATH"
    };
    let packages = if is_published {
        String::new()
    } else {
        let systems = PLATFORMS.each_ref().map(Platform::title).join(", ");
        format!(
            "\nPackages for npm, PyPI, Debian and others are ready but not yet published ([packages](docs/install.md)): {systems}.\n"
        )
    };
    format!(
        "```sh\n{install}\ncheckrein init                    # finds your agents, shows what would change, asks, writes\n\
         checkrein doctor                  # checks that each agent really calls checkrein, and says how to fix it if not\n```\n{packages}"
    )
}

/// Returns the table of all packages.
fn packages() -> String {
    let rows = PACKAGES
        .iter()
        .map(|package| format!("| {} | {} | {} |\n", package.what, package.install, package.remove));
    format!("| package | install | remove |\n| --- | --- | --- |\n{}", rows.collect::<String>())
}

/// Returns true if a file has such a name.
fn is_named(name: &str, pattern: &str) -> bool {
    let pattern = pattern.replace('@', VERSION);
    match pattern.split_once('*') {
        None => name == pattern,
        Some((start, end)) => name
            .strip_prefix(start)
            .and_then(|rest| rest.strip_suffix(end))
            .is_some_and(|rest| !rest.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_say_what_a_release_makes() {
        for (page, text, written) in pages().unwrap_or_default() {
            assert!(text == written, "{page}: run `cargo xtask release --pages`");
        }
        assert_eq!(pages().map_or(0, |pages| pages.len()), PAGES.len());
    }

    #[test]
    fn a_file_is_known_by_its_whole_name() {
        let name = |text: &str| text.replace('@', VERSION);
        assert!(is_named(&name("checkrein-@.tgz"), "checkrein-@.tgz"));
        assert!(is_named(&name("checkrein-linux-x64-@.tgz"), "checkrein-linux-*-@.tgz"));
        assert!(!is_named(&name("checkrein-@.tgz.part"), "checkrein-@.tgz"));
        assert!(!is_named(&name("checkrein-linux--@.tgz"), "checkrein-linux-*-@.tgz"));
    }
}
