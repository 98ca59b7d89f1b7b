//! Processes and their terminals on macOS, through `libproc` and `sysctl`.
//!
//! It has the functions of `processes.rs`. Whatever cannot be read is missing from an answer, and never an error: macOS
//! shows the arguments, the environment and the descriptors of a process only to its own user. It was built and linted, but
//! has not run on a Mac yet.
#![expect(unsafe_code, reason = "the standard library does not describe other processes, so libc is asked")]

use super::process_arguments;
use std::{
    ffi::{CStr, OsStr},
    mem::{size_of, zeroed},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    ptr::null_mut,
};

/// Tells the user how to let us see other processes.
pub(crate) const VISIBILITY_HINT: &str = "run checkrein as the user who runs the agent, outside of a sandbox";

/// `PROC_PIDFDVNODEPATHINFO` of `<sys/proc_info.h>`, which libc does not define.
const FILE_OF_A_DESCRIPTOR: libc::c_int = 2;
/// `PROX_FDTYPE_VNODE` of `<sys/proc_info.h>`: a descriptor of a file.
const IS_A_FILE: u32 = 1;

/// `struct vnode_fdinfowithpath` of `<sys/proc_info.h>`.
#[repr(C)]
struct OpenFile {
    info: OpenFileInfo,
    file: libc::vnode_info_path,
}

/// `struct proc_fileinfo` of `<sys/proc_info.h>`.
#[repr(C)]
struct OpenFileInfo {
    open_flags: u32,
    status: u32,
    offset: libc::off_t,
    kind: i32,
    guard_flags: u32,
}

// The kernel compares the size, and these are the sizes of the C types in Apple's headers.
const _: () = assert!(size_of::<OpenFileInfo>() == 24 && size_of::<OpenFile>() == 1200);

fn raw(id: u32) -> Option<libc::pid_t> {
    libc::pid_t::try_from(id).ok()
}

/// Asks for one record about a process.
///
/// # Safety
///
/// `T` is the record of `flavor`, and any bytes are a valid `T`.
unsafe fn record<T>(id: u32, flavor: libc::c_int) -> Option<T> {
    let size = libc::c_int::try_from(size_of::<T>()).ok()?;
    // SAFETY: the caller promises that zeros are a valid record.
    let mut found: T = unsafe { zeroed() };
    // SAFETY: the buffer is a local of exactly that size.
    let written = unsafe { libc::proc_pidinfo(raw(id)?, flavor, 0, (&raw mut found).cast(), size) };
    (written == size).then_some(found)
}

/// Returns the arguments and the environment of a process, as the kernel stores them.
fn arguments(id: u32) -> Option<Vec<u8>> {
    let mut name = [libc::CTL_KERN, libc::KERN_PROCARGS2, raw(id)?];
    let mut bytes = vec![0_u8; largest_arguments()?];
    let mut length = bytes.len();
    // SAFETY: the name has three parts, and the buffer has `length` bytes.
    let failed = unsafe {
        libc::sysctl(name.as_mut_ptr(), 3, bytes.as_mut_ptr().cast(), &raw mut length, null_mut(), 0)
    };
    bytes.truncate(length);
    (failed == 0).then_some(bytes)
}

fn largest_arguments() -> Option<usize> {
    let mut name = [libc::CTL_KERN, libc::KERN_ARGMAX];
    let (mut largest, mut length) = (0 as libc::c_int, size_of::<libc::c_int>());
    // SAFETY: the name has two parts, and the buffer is one integer.
    let failed = unsafe {
        libc::sysctl(name.as_mut_ptr(), 2, (&raw mut largest).cast(), &raw mut length, null_mut(), 0)
    };
    usize::try_from(largest).ok().filter(|largest| failed == 0 && *largest > 0)
}

/// Returns the command line of a process.
pub(crate) fn command_line(id: u32) -> Vec<String> {
    arguments(id).map(|bytes| process_arguments::read(&bytes).0).unwrap_or_default()
}

/// Returns the environment of a process, as `NAME=value`.
pub(crate) fn environment(id: u32) -> Vec<String> {
    arguments(id).map(|bytes| process_arguments::read(&bytes).1).unwrap_or_default()
}

/// Returns the file that a process runs.
pub(crate) fn program(id: u32) -> Option<PathBuf> {
    let mut path = vec![0_u8; usize::try_from(libc::PROC_PIDPATHINFO_MAXSIZE).ok()?];
    let size = u32::try_from(path.len()).ok()?;
    // SAFETY: the buffer has `size` bytes.
    let length = unsafe { libc::proc_pidpath(raw(id)?, path.as_mut_ptr().cast(), size) };
    let path = path.get(..usize::try_from(length).ok().filter(|length| *length > 0)?)?;
    Some(Path::new(OsStr::from_bytes(path)).to_owned())
}

/// Returns the process that started this one.
pub(crate) fn parent(id: u32) -> Option<u32> {
    // The short record: unlike the long one it is also shown for the processes of other users, such as `login`.
    // SAFETY: the record belongs to the flavour, and consists of numbers.
    let about = unsafe { record::<libc::proc_bsdshortinfo>(id, libc::PROC_PIDT_SHORTBSDINFO) }?;
    Some(about.pbsi_ppid)
}

/// Returns the device number of a process's controlling terminal, or `None` if it has none.
pub(crate) fn terminal(id: u32) -> Option<u32> {
    // SAFETY: the record belongs to the flavour, and consists of numbers.
    let about = unsafe { record::<libc::proc_bsdinfo>(id, libc::PROC_PIDTBSDINFO) }?;
    // `NODEV` is -1.
    Some(about.e_tdev).filter(|device| *device != 0 && *device != u32::MAX)
}

/// Returns the file of a terminal with this device number.
pub(crate) fn terminal_file(number: u32) -> Option<PathBuf> {
    // SAFETY: no pointers are passed.
    let name = unsafe { libc::devname(libc::dev_t::from_ne_bytes(number.to_ne_bytes()), libc::S_IFCHR) };
    if name.is_null() {
        return None;
    }
    // SAFETY: it is a C string that stays until this thread asks for the next name.
    let name = unsafe { CStr::from_ptr(name) };
    let path = Path::new("/dev").join(OsStr::from_bytes(name.to_bytes()));
    path.exists().then_some(path)
}

/// Returns the processes that hold the master side of our controlling pseudo-terminal: `/dev/ptmx` with our minor number.
pub(crate) fn holders_of_our_terminal() -> Vec<u32> {
    let Some(terminal) = terminal(std::process::id()) else { return Vec::new() };
    all().into_iter().filter(|id| holds(*id, minor(terminal))).collect()
}

/// The low 24 bits of a device number, as in `<sys/types.h>`.
const fn minor(device: u32) -> u32 {
    device & 0x00ff_ffff
}

/// Returns the ids of all processes.
fn all() -> Vec<u32> {
    // SAFETY: without a buffer, it only counts.
    let count = unsafe { libc::proc_listallpids(null_mut(), 0) };
    // Some may start in the meantime.
    let room = usize::try_from(count).unwrap_or_default() + 64;
    let mut ids: Vec<libc::pid_t> = vec![0; room];
    let Ok(size) = libc::c_int::try_from(size_of::<libc::pid_t>() * room) else { return Vec::new() };
    // SAFETY: the buffer has `size` bytes.
    let found = unsafe { libc::proc_listallpids(ids.as_mut_ptr().cast(), size) };
    ids.truncate(usize::try_from(found).unwrap_or_default());
    ids.into_iter().filter_map(|id| u32::try_from(id).ok()).filter(|id| *id > 0).collect()
}

/// Returns true if the process `id` has the master of the pseudo-terminal with this minor number open.
fn holds(id: u32, terminal: u32) -> bool {
    descriptors(id).iter().any(|descriptor| {
        file(id, *descriptor).is_some_and(|(path, device)| path == b"/dev/ptmx" && minor(device) == terminal)
    })
}

/// Returns the descriptors of a process that are files.
fn descriptors(id: u32) -> Vec<i32> {
    let list = |buffer: *mut libc::c_void, size: libc::c_int| -> Option<usize> {
        // SAFETY: the buffer is missing or has `size` bytes.
        let bytes = unsafe { libc::proc_pidinfo(raw(id)?, libc::PROC_PIDLISTFDS, 0, buffer, size) };
        Some(usize::try_from(bytes).ok()? / size_of::<libc::proc_fdinfo>())
    };
    let room = list(null_mut(), 0).unwrap_or_default();
    let nothing = || libc::proc_fdinfo { proc_fd: -1, proc_fdtype: 0 };
    let mut found: Vec<libc::proc_fdinfo> = (0..room).map(|_| nothing()).collect();
    let Ok(size) = libc::c_int::try_from(size_of::<libc::proc_fdinfo>() * room) else { return Vec::new() };
    let listed = list(found.as_mut_ptr().cast(), size).unwrap_or_default();
    found.truncate(listed);
    found.iter().filter(|about| about.proc_fdtype == IS_A_FILE).map(|about| about.proc_fd).collect()
}

/// Returns the path and the device number of an open file.
fn file(id: u32, descriptor: i32) -> Option<(Vec<u8>, u32)> {
    let size = libc::c_int::try_from(size_of::<OpenFile>()).ok()?;
    // SAFETY: the record consists of numbers.
    let mut found: OpenFile = unsafe { zeroed() };
    // SAFETY: the buffer is a local of exactly that size.
    let written = unsafe {
        libc::proc_pidfdinfo(raw(id)?, descriptor, FILE_OF_A_DESCRIPTOR, (&raw mut found).cast(), size)
    };
    let path = found.file.vip_path.as_flattened().iter().take_while(|byte| **byte != 0);
    let path = path.map(|byte| byte.to_ne_bytes()[0]).collect();
    (written == size).then_some((path, found.file.vip_vi.vi_stat.vst_rdev))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_described() {
        let id = std::process::id();
        assert_eq!(parent(id), Some(std::os::unix::process::parent_id()));
        assert_eq!(command_line(id), std::env::args().collect::<Vec<_>>());
        assert!(program(id).is_some_and(|program| program.is_file()));
        assert!(environment(id).iter().any(|variable| variable.starts_with("PATH=")));
    }

    #[test]
    fn an_open_file_is_found() {
        use std::os::fd::AsRawFd;
        let file = std::fs::File::open("/dev/null").unwrap();
        assert!(descriptors(std::process::id()).contains(&file.as_raw_fd()));
        let (path, _) = super::file(std::process::id(), file.as_raw_fd()).unwrap();
        assert_eq!(path, b"/dev/null");
    }
}
