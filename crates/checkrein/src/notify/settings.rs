//! The settings of `[notify]`.

/// An event that the user can be notified about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotifyOn {
    /// A call was denied.
    Deny,
    /// The user is asked.
    Ask,
    /// A session ended in which something was denied.
    End,
}

impl NotifyOn {
    /// Every event.
    pub const ALL: &'static [Self] = &[Self::Deny, Self::Ask, Self::End];

    /// The word for it in configurations.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::End => "end",
        }
    }
}

/// The table of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotifySettings {
    /// True if the desktop shows a notification.
    pub desktop: bool,
    /// A program and its first arguments; the texts follow as further arguments.
    pub command: Vec<String>,
    /// The events; all, if there are none.
    pub on: Vec<NotifyOn>,
    /// True if the texts name what was called.
    pub detail: bool,
}

impl NotifySettings {
    /// Returns whether the user is notified about an event.
    pub fn wants(&self, event: NotifyOn) -> bool {
        self.on.is_empty() || self.on.contains(&event)
    }
}
