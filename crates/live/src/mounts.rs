//! Mounts for the agent: copies and empty directories in place of the user's files.

use crate::{own::Bind, own::Stage};
use checkrein_hosts::install::recipes;
use std::{io, path::Path};

/// Returns the directories where administrators configure agents and checkrein. The agent sees only copies
/// of them.
pub(crate) fn managed() -> Vec<&'static Path> {
    let of_agents = recipes().flat_map(|recipe| recipe.managed).filter_map(|file| Path::new(file).parent());
    let mut all: Vec<&Path> = of_agents.filter(|directory| directory.starts_with("/etc")).collect();
    all.dedup();
    all.push(Path::new("/etc/checkrein"));
    all
}

/// Mounts everything. The namespace is ours alone: no other process sees it, and it ends with us.
pub(crate) fn mount(stage: &Stage, empty: &Path) -> io::Result<()> {
    let hidden = managed().into_iter();
    let hidden = hidden.filter(|at| at.is_dir() && !stage.binds.iter().any(|bind| bind.at == *at));
    let hidden = hidden.map(|at| Bind { from: empty.to_owned(), at: at.to_owned(), is_read_only: true });
    for bind in stage.binds.iter().cloned().chain(hidden) {
        let Bind { from, at, .. } = &bind;
        one(&bind).map_err(|error| {
            io::Error::other(format!("cannot show `{}` at `{}`: {error}", from.display(), at.display()))
        })?;
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn one(bind: &Bind) -> io::Result<()> {
    use rustix::{
        fs::{StatVfsMountFlags, statvfs},
        mount::{MountFlags, mount_bind_recursive, mount_remount},
    };
    mount_bind_recursive(&bind.from, &bind.at)?;
    if bind.is_read_only {
        // Only the machine's administrator may remove flags that the mount already has.
        let is = statvfs(&bind.at)?.f_flag;
        let kept = [
            (StatVfsMountFlags::NODEV, MountFlags::NODEV),
            (StatVfsMountFlags::NOSUID, MountFlags::NOSUID),
            (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
            (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
            (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
            (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
        ];
        let flags = kept.into_iter().filter(|(flag, _)| is.contains(*flag)).map(|(_, flag)| flag);
        let flags = flags.fold(MountFlags::BIND | MountFlags::RDONLY, |all, flag| all | flag);
        mount_remount(&bind.at, flags, "")?;
    }
    Ok(())
}

/// Other systems have no mount namespaces.
#[cfg(not(target_os = "linux"))]
fn one(_: &Bind) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod managed_tests {
    use super::*;

    #[test]
    fn every_agents_directory_is_hidden_once() {
        let all = managed();
        for directory in ["/etc/claude-code", "/etc/codex", "/etc/checkrein"] {
            assert_eq!(all.iter().filter(|known| **known == Path::new(directory)).count(), 1, "{all:?}");
        }
    }
}
