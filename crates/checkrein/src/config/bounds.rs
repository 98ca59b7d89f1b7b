//! Limits on the size of a configuration.
//!
//! A project's file comes from a stranger and is read before any user has trusted it, with every event. Its cost is
//! therefore bounded here, before any of it is compiled, hashed or run. A larger file is broken, and a broken file denies.
//! The limits for the files of the user and of the administrator are far above anything useful.

use crate::config::layer::Layer;

/// The bounds of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Its size, in bytes.
    pub(crate) file: u64,
    /// The maximum number of hooks.
    pub(crate) hooks: usize,
    /// The maximum number of rules, exceptions and allow rules, each: every one is compared with every effect of
    /// every call.
    pub(crate) tables: usize,
    /// The maximum number of patterns that these have together.
    pub(crate) rule_patterns: usize,
    /// The maximum size of one compiled regular expression, in bytes.
    pub(crate) regex: usize,
    /// The maximum size of all of them together.
    pub(crate) regexes: usize,
}

const KIB: usize = 1024;

impl Bounds {
    const STRANGER: Self = Self {
        file: 256 * KIB as u64,
        hooks: 200,
        tables: 200,
        rule_patterns: 1000,
        regex: 64 * KIB,
        regexes: 1024 * KIB,
    };

    const OWN: Self = Self {
        file: 2 * 1024 * KIB as u64,
        hooks: 10_000,
        tables: 500,
        rule_patterns: 10_000,
        regex: 1024 * KIB,
        regexes: 32 * 1024 * KIB,
    };

    /// Those of a layer.
    pub(crate) const fn of(layer: Layer) -> Self {
        match layer {
            Layer::Project => Self::STRANGER,
            Layer::Managed | Layer::User | Layer::Flag => Self::OWN,
        }
    }
}

/// Maximum number of files of a project, from its root down to a directory of it.
pub(crate) const PROJECT_FILES: usize = 16;

/// Maximum number of bytes of a project's files that are hashed for one event, to find out whether they are the trusted ones.
pub(crate) const HASHED: u64 = 128 * 1024 * 1024;
