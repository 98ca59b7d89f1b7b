//! System-specific code, one module per concern.

pub(crate) mod anonymous_file;
pub(crate) mod child_end;
