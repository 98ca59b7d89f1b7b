//! A registered hook: its event, scope, role, timeout and failure rule.

use crate::{Class, EventName, Hook, OnFailure, Scope, ToolCall, sanitize::one_line};
use std::{fmt, str::FromStr, sync::Arc, time::Duration};

/// The role of a hook: when it is called, and what it may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// No role was configured. The hook is called with the editors, and called again as a judge if the input changed
    /// after it had seen it. A plain list of hooks therefore behaves as its author expects, and every hook that
    /// could have denied the call has seen what runs.
    #[default]
    Plain,
    /// May rewrite and may decide. Editors are called first, in order; each sees the edits of those before it.
    Edit,
    /// Decides on the final input and cannot rewrite it.
    Judge,
    /// Watches after the decision is made. It changes nothing and delays nothing.
    Observe,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Edit, Self::Judge, Self::Observe];

    /// Returns the word for the role in configurations and listings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Edit => "edit",
            Self::Judge => "judge",
            Self::Observe => "observe",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error for a word that is not a role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown role `{0}`, expected `edit`, `judge` or `observe`")]
pub struct UnknownRole(String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // `plain` is the absence of a role and cannot be configured.
        let known = [Self::Edit, Self::Judge, Self::Observe].into_iter().find(|role| role.as_str() == text);
        known.ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

/// One hook of a [`Dispatcher`](crate::Dispatcher).
#[derive(Clone)]
pub struct Entry {
    pub(crate) hook: Arc<dyn Hook>,
    pub(crate) name: Arc<str>,
    pub(crate) event: EventName,
    pub(crate) scope: Scope,
    pub(crate) role: Role,
    pub(crate) on_failure: Option<OnFailure>,
    pub(crate) timeout: Duration,
    pub(crate) may_allow: bool,
    pub(crate) in_process: bool,
    pub(crate) own_voice: bool,
    pub(crate) rank: u8,
}

impl Entry {
    /// The default timeout of a hook.
    pub const TIMEOUT: Duration = Duration::from_secs(5);

    /// Registers `hook` for every `event`, without a role.
    pub fn new(event: EventName, hook: impl Hook + 'static) -> Self {
        let name = Self::shown_name(hook.name()).into();
        Self {
            hook: Arc::new(hook),
            name,
            event,
            scope: Scope::all(),
            role: Role::Plain,
            on_failure: None,
            timeout: Self::TIMEOUT,
            may_allow: false,
            in_process: false,
            own_voice: false,
            rank: 0,
        }
    }

    /// Returns the hook's name in a printable form: it prefixes everything that the hook says.
    pub(crate) fn shown_name(name: &str) -> String {
        const MOST: usize = 200;
        one_line(name, MOST)
    }

    /// Restricts the hook to the calls that `scope` covers.
    #[must_use]
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Sets the role.
    #[must_use]
    pub const fn with_role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// Sets the decision that replaces a failure.
    #[must_use]
    pub const fn with_on_failure(mut self, on_failure: OnFailure) -> Self {
        self.on_failure = Some(on_failure);
        self
    }

    /// Sets the timeout.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Lets the hook allow: its `allow` lets the host skip its own prompt.
    #[must_use]
    pub const fn with_may_allow(mut self, may_allow: bool) -> Self {
        self.may_allow = may_allow;
        self
    }

    /// Sets the rank among hooks of different authority; 0 is the highest. A hook of lower authority cannot bypass
    /// one of higher authority: an editor is called again as a judge if a lower rank changed what it had seen, and
    /// hooks of lower rank cannot use up the time of the highest rank.
    #[must_use]
    pub const fn with_rank(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }

    /// Says that the hook is a function of the application itself. If such a function crashes after a tool ran, the
    /// result is withheld by default: it may have been the one that redacts. If it answers after its timeout, that is a
    /// failure, since such a function cannot be interrupted; a timeout of a quarter of a second or more is checked to within
    /// ten milliseconds.
    #[must_use]
    pub const fn with_in_process(mut self, in_process: bool) -> Self {
        self.in_process = in_process;
        self
    }

    /// Returns true if the hook is a function of the application itself.
    pub const fn is_in_process(&self) -> bool {
        self.in_process
    }

    /// Says that the hook's texts name Checkrein themselves, so that they are shown without the hook's name.
    #[must_use]
    pub const fn with_own_voice(mut self, own_voice: bool) -> Self {
        self.own_voice = own_voice;
        self
    }

    /// Returns true if the hook's texts are shown without its name.
    pub(crate) const fn has_own_voice(&self) -> bool {
        self.own_voice
    }

    /// Replaces the hook by one that wraps it. The name and all settings stay.
    #[must_use]
    pub fn wrap<H: Hook + 'static>(mut self, wrap: impl FnOnce(Arc<dyn Hook>) -> H) -> Self {
        self.hook = Arc::new(wrap(self.hook));
        self
    }

    /// Returns the hook's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the event that the hook is called for.
    pub const fn event(&self) -> EventName {
        self.event
    }

    /// Returns the calls that the hook is called for.
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns the role.
    pub const fn role(&self) -> Role {
        self.role
    }

    /// Returns the timeout.
    pub const fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Returns true if the hook's `allow` counts.
    pub const fn may_allow(&self) -> bool {
        self.may_allow
    }

    /// Returns what a failure of the hook becomes. The default is a denial where a denial can still prevent
    /// something. After a tool ran it is a denial for a function of the application, and for any other hook only if a
    /// role was configured (a formatter that exits 1 must not withhold every result). Elsewhere, and for observers, a
    /// failure is ignored (a crashed hook must not keep an agent from stopping).
    pub fn failure_rule(&self) -> OnFailure {
        if let Some(rule) = self.on_failure {
            return rule;
        }
        match (self.role, self.event.class()) {
            (Role::Observe, _) => OnFailure::Ignore,
            (_, Class::Gate) => OnFailure::Deny,
            (_, Class::Result) if self.in_process => OnFailure::Deny,
            (Role::Edit | Role::Judge, Class::Result) if self.event == EventName::PostToolUse => {
                OnFailure::Deny
            }
            (_, Class::Result | Class::Finish | Class::Report) => OnFailure::Ignore,
        }
    }

    /// Returns true if the hook is called for an event of this name and call.
    pub fn matches(&self, event: EventName, call: Option<&ToolCall>) -> bool {
        self.event == event && self.scope.covers(call)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .field("event", &self.event)
            .field("scope", &self.scope)
            .field("role", &self.role)
            .field("on_failure", &self.failure_rule())
            .field("timeout", &self.timeout)
            .field("may_allow", &self.may_allow)
            .finish_non_exhaustive()
    }
}
