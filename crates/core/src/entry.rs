//! A hook in its place: which event, which calls, which role, what its failure means.

use crate::{Class, EventName, Hook, OnFailure, Scope, ToolCall, sanitize::one_line};
use std::{fmt, str::FromStr, sync::Arc, time::Duration};

/// When a hook is asked, and what it may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// No role was written: it is asked among the editors, and asked once more, as a judge, if the input changed
    /// after it had seen it. So a plain list of hooks behaves as its author expects, and whoever could have said no
    /// has seen what runs.
    #[default]
    Plain,
    /// May rewrite, may decide. Asked first, in order; each sees its predecessors' work.
    Edit,
    /// Decides on the final input and cannot rewrite.
    Judge,
    /// Watches when everything is decided. Changes nothing, delays nothing.
    Observe,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Edit, Self::Judge, Self::Observe];

    /// The word for it in configurations and listings.
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

/// A word that is no role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown role `{0}`, expected `edit`, `judge` or `observe`")]
pub struct UnknownRole(String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // `plain` is the absence of a role and cannot be written.
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
    pub(crate) rank: u8,
}

impl Entry {
    /// The time that a hook has unless it is told otherwise.
    pub const TIMEOUT: Duration = Duration::from_secs(5);

    /// `hook` on every `event`, without a role.
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
            rank: 0,
        }
    }

    /// A hook's name as it is shown: it stands before everything that the hook says.
    pub(crate) fn shown_name(name: &str) -> String {
        const MOST: usize = 200;
        one_line(name, MOST)
    }

    /// Only on calls that `scope` covers.
    #[must_use]
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// In this role.
    #[must_use]
    pub const fn with_role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// With this answer in place of a failure.
    #[must_use]
    pub const fn with_on_failure(mut self, on_failure: OnFailure) -> Self {
        self.on_failure = Some(on_failure);
        self
    }

    /// With this much time.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// With the right to allow: its `allow` lets the host skip its own question.
    #[must_use]
    pub const fn with_may_allow(mut self, may_allow: bool) -> Self {
        self.may_allow = may_allow;
        self
    }

    /// With this rank among hooks of different authority: 0 is the highest. What hooks of lower authority do cannot get
    /// round those of a higher one: who may rewrite is asked once more, as a judge, if a hook of lower authority changed
    /// what they had seen, and the time that they take is not that of the highest rank.
    #[must_use]
    pub const fn with_rank(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }

    /// The hook's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The event that it is asked about.
    pub const fn event(&self) -> EventName {
        self.event
    }

    /// The calls that it is asked about.
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Its role.
    pub const fn role(&self) -> Role {
        self.role
    }

    /// The time that it has.
    pub const fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Whether its `allow` counts.
    pub const fn may_allow(&self) -> bool {
        self.may_allow
    }

    /// What its failure becomes. Unless it was said: a denial where that can still prevent something; after a tool
    /// ran, only if a role was written (a formatter that exits 1 must not withhold every result); silence elsewhere
    /// (a crashed hook must not keep an agent from stopping) and for observers.
    pub fn failure_rule(&self) -> OnFailure {
        if let Some(rule) = self.on_failure {
            return rule;
        }
        match (self.role, self.event.class()) {
            (Role::Observe, _) => OnFailure::Ignore,
            (_, Class::Gate) => OnFailure::Deny,
            (Role::Edit | Role::Judge, Class::Result) if self.event == EventName::PostToolUse => {
                OnFailure::Deny
            }
            (_, Class::Result | Class::Finish | Class::Report) => OnFailure::Ignore,
        }
    }

    /// Whether it is asked about an event of this name and call.
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
