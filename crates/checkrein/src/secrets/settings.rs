//! The settings of `[secrets]`.

/// The handling of a prompt with a secret. The stricter of two layers counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PromptRule {
    /// The user is told, and the model is told not to repeat it.
    #[default]
    Notice,
    /// The prompt is denied.
    Deny,
}

impl PromptRule {
    /// The word for it in configurations.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Deny => "deny",
        }
    }
}

/// The secrets in tool results that are replaced. The stricter of two layers counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OutputRule {
    /// Nothing is replaced.
    Off,
    /// Only values with a checksum or a vendor's prefix.
    Sure,
    /// Everything that is found.
    #[default]
    Redact,
}

impl OutputRule {
    /// The word for it in configurations.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Sure => "sure",
            Self::Redact => "redact",
        }
    }
}

/// The table `[secrets]` of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) prompt: PromptRule,
    /// Nothing, if the file does not say.
    pub(crate) output: Option<OutputRule>,
    pub(crate) handles: Vec<super::handles::table::Handle>,
}
