//! The commands of the program, one module each.

pub(crate) mod allow;
pub(crate) mod cat;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod help;
pub(crate) mod hook;
pub(crate) mod hooks;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod log;
pub(crate) mod managed;
pub(crate) mod monitor;
pub(crate) mod repair;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod scan;
pub(crate) mod schema;
pub(crate) mod stats;
pub(crate) mod suggest;
pub(crate) mod test;
pub(crate) mod trust;
pub(crate) mod uninstall;
