//! One start of an agent, and what it is to show.

use crate::canary::{Canary, PROMPT};

/// One start of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// Everything that hooks can do, one call after another.
    Abilities,
    /// A prompt that is refused.
    Prompt,
    /// A hook of ours that cannot be started.
    HookMissing,
    /// What the agent does when our program does not answer.
    ProgramHangs,
    /// What it does when our program makes a fault, and says its last word.
    ProgramCrashes,
    /// What it does when our program is killed in a way that leaves no time for a last word.
    ProgramKilled,
    /// What it does when our program is not there.
    ProgramMissing,
    /// What it does as long as the user has not trusted our entry, if it asks for that.
    Untrusted,
    /// A call of an agent that the agent has started.
    Subagent,
    /// A tool that runs a command in the background and watches it.
    Monitor,
    /// A shell that is opened to be typed into.
    Typed,
    /// A skill that is written, with a command in it.
    SkillWritten,
    /// A skill that is used, with a command in it.
    Skill,
    /// A call under the user's own settings.
    Own,
}

/// Our program as it waits for its event, until it is ready for a fault (which is seen in the signals that it catches, the
/// one to terminate among them), and then a fault.
const CRASHES: &str = r#"#!/bin/sh
: > "$0.asked"
mkfifo "$0.never"
CHECKREIN "$@" <> "$0.never" &
until grep -qs 'SigCgt:.*[4-7c-f]...$' /proc/$!/status; do
    kill -0 $! || break
done
kill -SEGV $!
wait $!
"#;

/// What stands for the quoted path of our program in a script.
pub(crate) const OURS: &str = "CHECKREIN";

impl Trial {
    const ALL: [Self; 14] = [
        Self::Abilities,
        Self::Prompt,
        Self::HookMissing,
        Self::ProgramHangs,
        Self::ProgramCrashes,
        Self::ProgramKilled,
        Self::ProgramMissing,
        Self::Untrusted,
        Self::Subagent,
        Self::Monitor,
        Self::Typed,
        Self::SkillWritten,
        Self::Skill,
        Self::Own,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Abilities => "abilities",
            Self::Prompt => "prompt",
            Self::HookMissing => "hook-missing",
            Self::ProgramHangs => "program-hangs",
            Self::ProgramCrashes => "program-crashes",
            Self::ProgramKilled => "program-killed",
            Self::ProgramMissing => "program-missing",
            Self::Untrusted => "untrusted",
            Self::Subagent => "subagent",
            Self::Monitor => "monitor",
            Self::Typed => "typed",
            Self::SkillWritten => "skill-written",
            Self::Skill => "skill",
            Self::Own => "own",
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
            Self::HookMissing => &[Canary::Missing],
            Self::ProgramHangs
            | Self::ProgramCrashes
            | Self::ProgramKilled
            | Self::ProgramMissing
            | Self::Untrusted => &[Canary::Deny],
            Self::Subagent => &[Canary::Subagent],
            Self::Monitor => &[Canary::Monitor],
            Self::Typed => &[Canary::Typed],
            Self::SkillWritten => &[Canary::SkillWritten],
            Self::Skill => &[Canary::Skill],
            Self::Own => &[Canary::Own],
        }
    }

    /// What the agent is asked to do. The model does not care, but our hook may.
    pub(crate) fn prompt(self) -> String {
        match self {
            Self::Prompt => format!("Let {PROMPT} sing."),
            Self::Abilities
            | Self::HookMissing
            | Self::ProgramHangs
            | Self::ProgramCrashes
            | Self::ProgramKilled
            | Self::ProgramMissing
            | Self::Untrusted
            | Self::Subagent
            | Self::Monitor
            | Self::Typed
            | Self::SkillWritten
            | Self::Skill
            | Self::Own => "Let the canaries sing.".to_owned(),
        }
    }

    /// What stands where our program should be.
    ///
    /// A script leaves a mark, since otherwise nobody could tell an agent that opens its gate from one that never asked.
    pub(crate) fn stand_in(self) -> StandIn {
        match self {
            Self::Abilities
            | Self::Prompt
            | Self::HookMissing
            | Self::Untrusted
            | Self::Subagent
            | Self::Monitor
            | Self::Typed
            | Self::SkillWritten
            | Self::Skill
            | Self::Own => StandIn::No,
            Self::ProgramHangs => StandIn::Script("#!/bin/sh\n: > \"$0.asked\"\nexec sleep 600\n"),
            Self::ProgramCrashes => StandIn::Script(CRASHES),
            Self::ProgramKilled => StandIn::Script("#!/bin/sh\n: > \"$0.asked\"\nkill -KILL $$\n"),
            Self::ProgramMissing => StandIn::Nothing,
        }
    }

    /// How long the agent waits for what stands in for us, in seconds, if that is less than what an installation says: one
    /// that never gets an answer need not wait half a minute for it.
    pub(crate) fn patience(self) -> Option<u32> {
        match self {
            Self::Abilities
            | Self::Prompt
            | Self::HookMissing
            | Self::ProgramCrashes
            | Self::ProgramKilled
            | Self::ProgramMissing
            | Self::Untrusted
            | Self::Subagent
            | Self::Monitor
            | Self::Typed
            | Self::SkillWritten
            | Self::Skill
            | Self::Own => None,
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
