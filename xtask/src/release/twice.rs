//! Makes the packages twice, from two copies of the repository in different directories, and compares every byte.

use super::{Platform, empty, listed, read};
use crate::{Failed, Result, cannot, root, run, say, target};
use std::{env::consts::ARCH, path::Path, process::Command};

/// Compares the packages for this machine of two builds. A release for all systems is made of the same steps.
pub(super) fn twice(fast: bool) -> Result<()> {
    let platform =
        super::PLATFORMS.iter().find(|platform| !platform.is_mac() && platform.architecture() == ARCH);
    let platform = platform.ok_or_else(|| Failed::Because("there is no package for this machine".into()))?;
    let top = target().join("twice");
    // Paths of different lengths: a path in the program would change its size, too.
    let copies = [top.join("one"), top.join("another/place")];
    for copy in &copies {
        make(copy, platform, fast)?;
    }
    let packages = |copy: &Path| copy.join("target").join(if fast { "packages-fast" } else { "packages" });
    let [one, another] = copies.each_ref().map(|copy| packages(copy));
    let names = listed(&one)?;
    for (name, _) in &names {
        if read(&one.join(name))? != read(&another.join(name))? {
            return Err(Failed::Because(format!(
                "`{name}` differs between two builds: see {}",
                top.display()
            )));
        }
    }
    println!("{} files are the same in two builds, byte for byte", names.len());
    Ok(())
}

/// Makes the packages of the committed state in another directory.
fn make(copy: &Path, platform: &Platform, fast: bool) -> Result<()> {
    say(&format!("making the packages in {}", copy.display()));
    empty(copy)?;
    let archive = copy.with_extension("tar");
    run(Command::new("git").current_dir(root()).args(["archive", "--output"]).arg(&archive).arg("HEAD"))?;
    run(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(copy))?;
    std::fs::remove_file(&archive).map_err(|error| cannot("remove", &archive.to_string_lossy(), &error))?;
    let mut release = Command::new("cargo");
    release.current_dir(copy).env_remove("CARGO_TARGET_DIR");
    release.args(["xtask", "release", "--dry-run", "--no-wheels", "--platform", &platform.name()]);
    run(release.args(fast.then_some("--fast")))
}
