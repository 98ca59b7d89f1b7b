//! System-specific code, one module per concern.

pub(crate) mod memory;
#[cfg(any(test, target_os = "macos"))]
mod process_arguments;
#[cfg_attr(target_os = "macos", path = "processes_macos.rs")]
pub(crate) mod processes;
