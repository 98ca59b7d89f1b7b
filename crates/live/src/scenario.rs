//! Scenarios: one start of an agent each, and the abilities that it shows.

use crate::canary::{Canary, PROMPT};

/// One start of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// All abilities of hooks, one call after another.
    Abilities,
    /// A prompt that a hook denies.
    Prompt,
    /// A hook of ours that cannot be started.
    HookMissing,
    /// Our program does not answer.
    ProgramHangs,
    /// Our program crashes and gives its last answer.
    ProgramCrashes,
    /// Our program is killed without time for an answer.
    ProgramKilled,
    /// Our program is missing.
    ProgramMissing,
    /// The user has not trusted our entry, where the agent requires that.
    Untrusted,
    /// A call of a subagent.
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
    /// A call under our plugin, which the agent itself has installed.
    Plugin,
}

/// Starts our program, waits until it has installed its handlers (visible in the signals that it catches,
/// SIGTERM among them), and then crashes it.
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

/// The placeholder for the quoted path of our program in a script.
pub(crate) const OURS: &str = "CHECKREIN";

impl Scenario {
    const ALL: [Self; 15] = [
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
        Self::Plugin,
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
            Self::Plugin => "plugin",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scenario| scenario.as_str() == word)
    }

    /// Returns the canaries that the model makes the agent try, in order.
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
            Self::Plugin => &[Canary::Plugin],
        }
    }

    /// Returns the prompt. The scripted model ignores it, but our hook may not.
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
            | Self::Own
            | Self::Plugin => "Let the canaries sing.".to_owned(),
        }
    }

    /// Returns the stand-in for our program.
    ///
    /// A script leaves a mark, because otherwise an agent that fails open looks like one that never called
    /// it.
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
            | Self::Own
            | Self::Plugin => StandIn::No,
            Self::ProgramHangs => StandIn::Script("#!/bin/sh\n: > \"$0.asked\"\nexec sleep 600\n"),
            Self::ProgramCrashes => StandIn::Script(CRASHES),
            Self::ProgramKilled => StandIn::Script("#!/bin/sh\n: > \"$0.asked\"\nkill -KILL $$\n"),
            Self::ProgramMissing => StandIn::Nothing,
        }
    }

    /// Returns how long the agent waits for the stand-in, in seconds, if that is less than the installed
    /// timeout: an agent that never gets an answer need not wait half a minute for it.
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
            | Self::Own
            | Self::Plugin => None,
            Self::ProgramHangs => Some(2),
        }
    }
}

/// The stand-in for our program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StandIn {
    /// No stand-in: our program itself.
    No,
    /// A script.
    Script(&'static str),
    /// Nothing at all.
    Nothing,
}
