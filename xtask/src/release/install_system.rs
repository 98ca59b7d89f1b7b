//! Installs the packages for whole systems: Debian's, in a root of its own, and the Feature for dev containers.

use super::{
    Platform, debian, empty,
    install::{Place, below},
    server::Server,
};
use crate::{Failed, Result, cannot, run, say};
use std::{fs, path::Path, process::Command};

/// Installs the Debian package with dpkg into an empty root, uses it, and removes it without a trace.
pub(super) fn with_dpkg(packages: &Path, platform: &Platform) -> Result<()> {
    let is_there = Command::new("dpkg").arg("--version").output().is_ok_and(|output| output.status.success());
    let Some(package) = debian::name(platform).filter(|_| is_there) else {
        say("there is no dpkg here, so the Debian package is not installed");
        return Ok(());
    };
    let place = Place::new("debian")?;
    let database = place.installed().join("var/lib/dpkg");
    for name in ["info", "updates", "triggers"] {
        empty(&database.join(name))?;
    }
    for name in ["status", "available"] {
        fs::write(database.join(name), "").map_err(|error| cannot("write", name, &error))?;
    }
    let dpkg = |arguments: &[&str]| {
        let mut command = place.command("dpkg");
        command.args(["--force-not-root", "--root"]).arg(place.installed()).args(arguments);
        command.env("PATH", "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin");
        command
    };
    run(&mut dpkg(&["--install", &packages.join(package).to_string_lossy()]))?;
    place.uses(&place.installed().join("usr/bin/checkrein"))?;
    run(&mut dpkg(&["--purge", "checkrein"]))?;
    let left: Vec<_> = below(&place.installed())
        .into_iter()
        .filter(|path| !path.starts_with(place.installed().join("var")))
        .collect();
    if left.is_empty() {
        Ok(())
    } else {
        Err(Failed::Because(format!("these files are left after the package was removed: {left:?}")))
    }
}

/// Installs the Feature as a container does, under settings that name a program of the host.
pub(super) fn with_feature(packages: &Path, server: &Server) -> Result<()> {
    let place = Place::new("devcontainer")?;
    let feature = place.directory.join("tmp/feature");
    empty(&feature)?;
    run(place
        .command("tar")
        .arg("-xzf")
        .arg(packages.join("devcontainer-feature-checkrein.tgz"))
        .arg("-C")
        .arg(&feature))?;
    let mut install = place.command("sh");
    install.arg(feature.join("install.sh")).env("FROM", format!("{}/files", server.url()));
    run(install.env("CHECKREIN_TO", place.installed()))?;
    place.uses(&place.installed().join("bin/checkrein"))?;
    // The settings of the host, which the container sees under its own home.
    let (settings, elsewhere) =
        (place.directory.join("home/.claude"), place.directory.join("host/bin/checkrein"));
    empty(&settings)?;
    let command = format!("{} hook --host claude --event PreToolUse", elsewhere.display());
    let text =
        serde_json::json!({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]}})
            .to_string();
    let file = settings.join("settings.json");
    fs::write(&file, &text).map_err(|error| cannot("write", "settings.json", &error))?;
    let mut link = place.command("sh");
    link.arg(place.installed().join("share/checkrein/link.sh"));
    run(link.env("CHECKREIN_PROGRAM", place.installed().join("bin/checkrein")))?;
    place.uses(&elsewhere)?;
    let after = fs::read_to_string(&file).map_err(|error| cannot("read", "settings.json", &error))?;
    if after == text {
        Ok(())
    } else {
        Err(Failed::Because("the Feature changed the settings of the host".into()))
    }
}
