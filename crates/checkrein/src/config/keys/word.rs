//! Types whose values are words of a configuration.

use crate::{
    config::{
        layer::{ExceptionPolicy, Unattended, Untrusted},
        mcp::{ChangedTools, ServerRequests},
        trail::{SyncWord, TrailWord},
    },
    notify::NotifyOn,
    rewrites::Mode,
    secrets::settings::{OutputRule, PromptRule},
};
use checkrein_core::{Decision, EventName, OnFailure, Role};
use checkrein_exec::Cwd;
use checkrein_guard::{Action, Certainty, Domain, Environment, Modifier, Tag, Taint, Zone};

/// A type with a word for each value.
pub(crate) trait ConfigWord: Copy + Sized + 'static {
    /// The noun for an unknown word in a message, such as `role`.
    const NOUN: &'static str;
    /// Every value that a configuration may name.
    const CHOICES: &'static [Self];

    /// Returns the word.
    fn word(self) -> &'static str;

    /// Returns the value of a word.
    fn of_word(word: &str) -> Option<Self> {
        Self::CHOICES.iter().copied().find(|value| value.word() == word)
    }
}

/// Returns all words of a type.
pub(crate) fn words<T: ConfigWord>() -> Vec<&'static str> {
    T::CHOICES.iter().map(|value| value.word()).collect()
}

macro_rules! config_words {
    ($($type:ident, $noun:literal, $choices:expr;)*) => {$(
        impl ConfigWord for $type {
            const NOUN: &'static str = $noun;
            const CHOICES: &'static [Self] = $choices;

            fn word(self) -> &'static str {
                self.as_str()
            }
        }
    )*};
}

config_words! {
    EventName, "event", EventName::ALL;
    Role, "role", &[Role::Edit, Role::Judge, Role::Observe];
    OnFailure, "answer to a failure", &[OnFailure::Deny, OnFailure::Ask, OnFailure::Ignore];
    Untrusted, "treatment of untrusted hooks", &[Untrusted::Skip, Untrusted::Deny];
    ExceptionPolicy, "treatment of exceptions", &[ExceptionPolicy::Accept, ExceptionPolicy::Refuse];
    PromptRule, "treatment of prompts", &[PromptRule::Notice, PromptRule::Deny];
    OutputRule, "treatment of results", &[OutputRule::Redact, OutputRule::Sure, OutputRule::Off];
    ServerRequests, "treatment of a server's requests", &[ServerRequests::Deny, ServerRequests::Pass];
    ChangedTools, "treatment of changed tools", &[ChangedTools::Ask, ChangedTools::Deny];
    TrailWord, "treatment of the trail", TrailWord::ALL;
    SyncWord, "treatment of the disk", SyncWord::ALL;
    Unattended, "treatment of questions that nobody answers", &[Unattended::Deny, Unattended::Undoable, Unattended::Ask];
    NotifyOn, "event of a notification", NotifyOn::ALL;
    Mode, "treatment of rewrites", &[Mode::Suggest, Mode::Apply, Mode::Off];
    // A rule can only make answers stricter.
    Decision, "decision", &[Decision::Ask, Decision::Deny];
}

/// Vocabularies of the guard, which find a word without a walk over all of them.
macro_rules! guard_words {
    ($($type:ident, $noun:literal;)*) => {$(
        impl ConfigWord for $type {
            const NOUN: &'static str = $noun;
            const CHOICES: &'static [Self] = Self::ALL;

            fn word(self) -> &'static str {
                self.as_str()
            }

            fn of_word(word: &str) -> Option<Self> {
                Self::of(word)
            }
        }
    )*};
}

guard_words! {
    Action, "effect";
    Zone, "zone";
    Tag, "tag";
    Modifier, "modifier";
    Taint, "data";
    Domain, "domain";
    Environment, "environment";
    Certainty, "certainty";
}

impl ConfigWord for Cwd {
    const NOUN: &'static str = "working directory";
    const CHOICES: &'static [Self] = &[Self::Session, Self::Config];

    fn word(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Config => "config",
        }
    }
}
