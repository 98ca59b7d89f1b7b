//! The room: where the cells are started, with nothing of the machine in it but `/usr`, which cannot be written.

use crate::{cell, tree};
use rustix::{
    fs::{StatVfsMountFlags, statvfs},
    mount::{MountFlags, UnmountFlags, mount, mount_bind, mount_remount, unmount},
    process::pivot_root,
};
use std::{
    fs, io,
    net::{SocketAddr, TcpStream},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    time::Duration,
};

/// The devices of a room and of its cells: those that hold no data.
pub const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom"];

/// Directories that hold the programs of a machine. Each is a directory of its own, or a link into `/usr`.
pub const SYSTEM: &[&str] = &["bin", "sbin", "lib", "lib32", "lib64", "libx32"];

/// Where the room has its program, its scratch trees and its logs.
pub const OURS: &str = "/soundness";
/// The tree that every cell gets a copy of.
pub const TEMPLATE: &str = "/template";
/// The roots of the cells.
pub const CELLS: &str = "/cells";
/// The logs of `strace`.
pub const LOGS: &str = "/logs";

/// What must not be reachable from the room: the proof that it is apart from the machine.
#[derive(Clone, Debug)]
pub struct Canary {
    /// A file outside.
    pub file: PathBuf,
    /// A port of this machine, on which someone listens.
    pub port: u16,
}

/// Moves this process into the room, and checks that it is one.
///
/// # Errors
///
/// If the room cannot be made, or if something of the machine is still within reach: then nothing may run.
pub fn enter(base: &Path, canary: &Canary) -> io::Result<()> {
    named(
        "mount a tmpfs",
        mount("tmpfs", base, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, c"size=512m,mode=755"),
    )?;
    for directory in ["usr", "proc", "dev", "etc/alternatives", "tmp", "cells", "logs", "template", "root"] {
        fs::create_dir_all(base.join(directory))?;
    }
    show("/usr", &base.join("usr"))?;
    system(base)?;
    if Path::new("/etc/alternatives").is_dir() {
        show("/etc/alternatives", &base.join("etc/alternatives"))?;
    }
    devices(base)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    named("mount /proc", mount("proc", base.join("proc"), "proc", flags, None))?;
    fs::copy("/proc/self/exe", base.join(OURS.trim_start_matches('/')))?;
    move_into(base)?;
    check(canary)
}

/// Makes a directory the root of this process; the old one is gone.
pub(crate) fn move_into(root: &Path) -> io::Result<()> {
    std::env::set_current_dir(root)?;
    named("change the root", pivot_root(".", "."))?;
    named("leave the old root", unmount(".", UnmountFlags::DETACH))?;
    std::env::set_current_dir("/")
}

/// Shows a directory of the machine, read-only, without its devices and without rights that its programs give.
pub(crate) fn show(from: &str, at: &Path) -> io::Result<()> {
    named(&format!("show {from}"), mount_bind(from, at))?;
    // Flags that the mount has already must stay.
    let is = statvfs(at)?.f_flag;
    let kept = [
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ];
    let kept = kept.into_iter().filter(|(flag, _)| is.contains(*flag)).map(|(_, flag)| flag);
    let always = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
    named(
        &format!("make {from} read-only"),
        mount_remount(at, kept.fold(always, |all, flag| all | flag), c""),
    )
}

/// Programs and libraries outside `/usr`, or the links that lead there.
pub(crate) fn system(root: &Path) -> io::Result<()> {
    for name in SYSTEM {
        let (original, here) = (Path::new("/").join(name), root.join(name));
        let Ok(metadata) = original.symlink_metadata() else { continue };
        if metadata.is_symlink() {
            symlink(fs::read_link(&original)?, here)?;
        } else if metadata.is_dir() {
            fs::create_dir_all(&here)?;
            show(&original.to_string_lossy(), &here)?;
        }
    }
    Ok(())
}

pub(crate) fn devices(root: &Path) -> io::Result<()> {
    for name in DEVICES {
        let here = root.join("dev").join(name);
        fs::write(&here, "")?;
        named(&format!("show /dev/{name}"), mount_bind(format!("/dev/{name}").as_str(), &here))?;
    }
    for (name, target) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ] {
        symlink(target, root.join("dev").join(name))?;
    }
    Ok(())
}

/// Fails if anything of the machine is within reach.
fn check(canary: &Canary) -> io::Result<()> {
    if canary.file.symlink_metadata().is_ok() {
        return Err(breach(&format!("{} is visible", canary.file.display())));
    }
    let known = ["usr", "proc", "dev", "etc", "tmp", "cells", "logs", "template", "root", "soundness"];
    for entry in fs::read_dir("/")? {
        let name = entry?.file_name();
        if !known.iter().chain(SYSTEM).any(|known| name == *known) {
            return Err(breach(&format!("/{} is visible", name.to_string_lossy())));
        }
    }
    for directory in ["usr", "usr/bin", "usr/lib", "usr/local", "etc/alternatives"] {
        let file = Path::new("/").join(directory).join("checkrein-canary");
        match fs::write(&file, "") {
            Err(error) if error.kind() == io::ErrorKind::ReadOnlyFilesystem => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(breach(&format!("/{directory} is not read-only: {error}"))),
            Ok(()) => return Err(breach(&format!("/{directory} can be written"))),
        }
    }
    let address = SocketAddr::from(([127, 0, 0, 1], canary.port));
    if TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_ok() {
        return Err(breach("a port of the machine answers"));
    }
    let map = fs::read_to_string("/proc/self/uid_map")?;
    let outside: Vec<&str> = map.split_whitespace().collect();
    if outside.len() != 3 || outside.get(1) == Some(&"0") || outside.get(2) != Some(&"1") {
        return Err(breach(&format!("the user outside is root, or more than one: {map}")));
    }
    if std::process::id() != 1 {
        return Err(breach("processes of the machine may be visible"));
    }
    Ok(())
}

fn breach(what: &str) -> io::Error {
    io::Error::other(format!("the room is not apart from the machine, so nothing runs in it: {what}"))
}

pub(crate) fn named<T>(what: &str, result: rustix::io::Result<T>) -> io::Result<T> {
    result.map_err(|error| io::Error::other(format!("cannot {what}: {}", io::Error::from(error))))
}

/// Writes the tree that every cell gets a copy of, and tries one cell.
///
/// # Errors
///
/// If the tree cannot be written, or if the cell is not one.
pub fn prepare() -> io::Result<()> {
    tree::write(Path::new(TEMPLATE))?;
    cell::check()
}
