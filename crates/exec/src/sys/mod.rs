//! What each system does in its own way, one module per concern.

pub(crate) mod anonymous_file;
pub(crate) mod child_end;
