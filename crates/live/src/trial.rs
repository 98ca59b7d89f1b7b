//! One start of an agent, and what it is to show.

use crate::canary::{Canary, PROMPT};

/// One start of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// Everything that hooks can do, one call after another.
    Abilities,
    /// A prompt that is refused.
    Prompt,
    /// What the agent does when our program does not answer.
    ProgramHangs,
    /// What it does when our program is killed in a way that leaves no time for a last word.
    ProgramCrashes,
    /// What it does when our program is not there.
    ProgramMissing,
    /// What it does as long as the person has not trusted our entry, if it asks for that.
    Untrusted,
}

impl Trial {
    const ALL: [Self; 6] = [
        Self::Abilities,
        Self::Prompt,
        Self::ProgramHangs,
        Self::ProgramCrashes,
        Self::ProgramMissing,
        Self::Untrusted,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Abilities => "abilities",
            Self::Prompt => "prompt",
            Self::ProgramHangs => "program-hangs",
            Self::ProgramCrashes => "program-crashes",
            Self::ProgramMissing => "program-missing",
            Self::Untrusted => "untrusted",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|trial| trial.as_str() == word)
    }

    /// What the model has the agent try, in order.
    pub(crate) fn canaries(self) -> &'static [Canary] {
        match self {
            Self::Abilities => &Canary::ABILITIES,
            Self::Prompt => &[Canary::Pass],
            Self::ProgramHangs | Self::ProgramCrashes | Self::ProgramMissing | Self::Untrusted => {
                &[Canary::Deny]
            }
        }
    }

    /// What the agent is asked to do. The model does not care, but our hook may.
    pub(crate) fn prompt(self) -> String {
        match self {
            Self::Prompt => format!("Let {PROMPT} sing."),
            Self::Abilities
            | Self::ProgramHangs
            | Self::ProgramCrashes
            | Self::ProgramMissing
            | Self::Untrusted => "Let the canaries sing.".to_owned(),
        }
    }

    /// What stands where our program should be.
    ///
    /// A script leaves a mark, since otherwise nobody could tell an agent that opens its gate from one that never asked.
    pub(crate) fn stand_in(self) -> StandIn {
        match self {
            Self::Abilities | Self::Prompt | Self::Untrusted => StandIn::No,
            Self::ProgramHangs => StandIn::Script("#!/bin/sh\n: > \"$0.asked\"\nexec sleep 600\n"),
            Self::ProgramCrashes => StandIn::Script("#!/bin/sh\n: > \"$0.asked\"\nkill -KILL $$\n"),
            Self::ProgramMissing => StandIn::Nothing,
        }
    }

    /// How long the agent waits for what stands in for us, in seconds, if that is less than what an installation says: one
    /// that never gets an answer need not wait half a minute for it.
    pub(crate) fn patience(self) -> Option<u32> {
        match self {
            Self::Abilities
            | Self::Prompt
            | Self::ProgramCrashes
            | Self::ProgramMissing
            | Self::Untrusted => None,
            Self::ProgramHangs => Some(2),
        }
    }
}

/// What stands where our program should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StandIn {
    /// Our program.
    No,
    /// This script.
    Script(&'static str),
    /// Nothing at all.
    Nothing,
}
