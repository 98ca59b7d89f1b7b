//! What commands really do, compared with what the guard predicted.
//!
//! Commands are made from the guard's own tables, from forms of the shell and from the corpora ([`cases`]). Each one runs in a box of
//! its own ([`room`], [`cell`]) under `strace` ([`trace`]); what happened to the scratch files ([`observed`]) is compared with the
//! effects that the guard predicted for the same text ([`predicted`]), and the differences are counted and listed ([`report`]).
//!
//! # The box
//!
//! The commands are destructive, so nothing of this machine is within their reach:
//!
//! 1. [`launch`] starts the *room* as a user who is not root, in new user, mount, process, network, IPC and host name namespaces.
//! 2. The room ([`room`]) moves into a root of its own: a small `tmpfs`, with nothing of the machine but `/usr`, read-only. It
//!    then checks that: a file outside that must not be there, a port outside that must not answer, a system directory that must not
//!    be writable. If one check fails, nothing runs.
//! 3. For every command the room starts a *cell* ([`cell`]): the same namespaces once more, so that the mounts of the room cannot be
//!    changed, a fresh copy of the scratch tree as its root, no capability, limits for time, memory, file size and processes.
//!
//! `strace` runs in the room, outside the cell: a command sees neither it nor its log.

#![forbid(unsafe_code)]
#![cfg(target_os = "linux")]

pub mod cases;
pub mod cell;
pub mod compare;
pub mod launch;
pub mod observed;
pub mod predicted;
pub mod report;
pub mod room;
pub mod trace;
pub mod tree;
