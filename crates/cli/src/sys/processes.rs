//! Processes and their terminals on Linux, read from `/proc`.
//!
//! `processes_macos.rs` has the same functions for macOS. Whatever cannot be read is missing from an answer, and never an
//! error.

use std::{
    fs,
    os::unix::fs::FileTypeExt,
    path::{Path, PathBuf},
};

/// Tells the user how to let us see other processes.
pub(crate) const VISIBILITY_HINT: &str = "mount `/proc` without `hidepid`";

fn place(id: u32) -> PathBuf {
    Path::new("/proc").join(id.to_string())
}

/// Returns words that each end with a zero byte.
fn words(id: u32, name: &str) -> Vec<String> {
    let bytes = fs::read(place(id).join(name)).unwrap_or_default();
    bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// Returns the command line of a process, which it can change.
pub(crate) fn command_line(id: u32) -> Vec<String> {
    let mut command = words(id, "cmdline");
    // A process that sets a title may leave many zero bytes after it.
    while command.last().is_some_and(String::is_empty) {
        command.pop();
    }
    command
}

/// Returns the environment of a process, as `NAME=value`.
pub(crate) fn environment(id: u32) -> Vec<String> {
    words(id, "environ")
}

/// Returns the file that a process runs.
pub(crate) fn program(id: u32) -> Option<PathBuf> {
    fs::read_link(place(id).join("exe")).ok()
}

/// Returns the fields of a process's `stat` after its name, which may itself contain spaces and brackets.
fn stat(id: u32) -> Option<Vec<String>> {
    let text = fs::read(place(id).join("stat")).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let (_, after) = text.rsplit_once(')')?;
    Some(after.split_whitespace().map(str::to_owned).collect())
}

/// Returns the process that started this one.
pub(crate) fn parent(id: u32) -> Option<u32> {
    stat(id)?.get(1)?.parse().ok()
}

/// Returns the device number of a process's controlling terminal, or `None` if it has none.
pub(crate) fn terminal(id: u32) -> Option<u32> {
    // It is printed as a signed number.
    let number: i64 = stat(id)?.get(4)?.parse().ok()?;
    u32::try_from(number).ok().filter(|number| *number != 0)
}

/// Returns the file of a terminal with this device number.
pub(crate) fn terminal_file(number: u32) -> Option<PathBuf> {
    let (major, minor) = parts(number);
    let path = match major {
        4 if minor < 64 => format!("/dev/tty{minor}"),
        4 => format!("/dev/ttyS{}", minor - 64),
        _ => format!("/dev/pts/{}", pseudo_terminal(number)?),
    };
    let path = PathBuf::from(path);
    fs::metadata(&path).ok().filter(|metadata| metadata.file_type().is_char_device()).map(|_| path)
}

/// Returns the processes that hold the master side of our controlling pseudo-terminal.
pub(crate) fn holders_of_our_terminal() -> Vec<u32> {
    let ours = std::process::id();
    let Some(terminal) = terminal(ours).and_then(pseudo_terminal) else { return Vec::new() };
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    // Each container numbers its terminals separately, so equal numbers in two containers are different
    // terminals.
    let namespace = |id: u32| fs::read_link(place(id).join("ns/mnt")).ok();
    let ours = namespace(ours);
    ids.filter(|id| namespace(*id) == ours && holds(*id, terminal)).collect()
}

/// Returns the major and the minor part of a device number.
const fn parts(device: u32) -> (u32, u32) {
    ((device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xf_ff00))
}

/// Returns the index of the pseudo-terminal with this device number, if it is one.
fn pseudo_terminal(device: u32) -> Option<u32> {
    const FIRST: u32 = 136;
    const MAJORS: u32 = 8;
    let (major, minor) = parts(device);
    let major = major.checked_sub(FIRST).filter(|major| *major < MAJORS)?;
    Some(major * 256 + minor)
}

/// Returns true if the process `id` has the master of this pseudo-terminal open.
fn holds(id: u32, terminal: u32) -> bool {
    let Ok(descriptors) = fs::read_dir(place(id).join("fd")) else { return false };
    descriptors.flatten().any(|descriptor| {
        let is_master = fs::read_link(descriptor.path())
            .is_ok_and(|target| target.file_name().is_some_and(|name| name == "ptmx"));
        let index = || {
            let about = fs::read_to_string(place(id).join("fdinfo").join(descriptor.file_name())).ok()?;
            let index = about.lines().find_map(|line| line.strip_prefix("tty-index:"))?;
            index.trim().parse::<u32>().ok()
        };
        is_master && index() == Some(terminal)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn this_process_is_described() {
        let id = std::process::id();
        assert_eq!(parent(id), Some(std::os::unix::process::parent_id()));
        assert_eq!(command_line(id), std::env::args().collect::<Vec<_>>());
        assert_eq!(program(id), std::env::current_exe().ok());
        assert!(environment(id).iter().any(|variable| variable.starts_with("PATH=")));
    }

    #[test]
    fn device_numbers_of_pseudo_terminals() {
        assert_eq!(pseudo_terminal(0x8800), Some(0));
        assert_eq!(pseudo_terminal(0x8803), Some(3));
        assert_eq!(pseudo_terminal(0x10_8803), Some(0x103));
        assert_eq!(pseudo_terminal(0x8901), Some(257));
        // None, a console, the highest number.
        assert_eq!(pseudo_terminal(0), None);
        assert_eq!(pseudo_terminal(0x0401), None);
        assert_eq!(pseudo_terminal(u32::MAX), None);
    }

    #[test]
    fn terminals_have_numbers() {
        // Where there is no terminal, there is no file of one.
        assert_eq!(terminal_file(1 << 8 | 3), None);
        for path in ["/dev/tty1", "/dev/ttyS0", "/dev/pts/0"] {
            let Ok(metadata) = fs::metadata(path) else { continue };
            let number = u32::try_from(metadata.rdev()).unwrap();
            assert_eq!(terminal_file(number), Some(path.into()));
        }
    }
}
