//! Allow rules: what a user lets agents do without being asked.
//!
//! The guard objects or is silent, and silence leaves the question to the host. An allow rule does more: the host need not ask.
//! So every part of a call must be covered, and an unknown part never is. Each command that would run, those inside of others
//! too, must fit a pattern of an allow rule, word by word; and each of its effects, those of its redirections too, must be one
//! that the same allow rule names. A text with a substitution, a variable, an assignment or a function is covered by nothing,
//! whatever its commands are; only a here-document in quotes that `cat` prints is a constant. A command is not covered where a
//! setting names a program that it would run ([`Judgement::settings`]).

use crate::{
    effect::{Effect, Host, Invocation, Target},
    exception::{is_below, is_certain, is_plain},
    glob,
    judge::{CallContext, Judgement},
    settings,
    vocabulary::{
        Action, Actions, Certainties, Domains, Environments, Modifiers, Tag, Tags, Taints, Zone, Zones,
    },
    world::World,
};
use checkrein_shell::{
    Candidates, Input, Nesting as Within, Part, RedirectKind, Script, SimpleCommand, Unknown, UnknownSource,
    Word,
};
use std::fmt;

/// An allow rule: these commands, if they do nothing else than this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowRule {
    /// Its line in the configuration file.
    pub line: u32,
    /// Whole commands, word by word: every word except the first may be a pattern. `*` as the last one matches any
    /// number of further words.
    pub programs: Vec<String>,
    /// The actions that are allowed.
    pub actions: Actions,
    /// The zones of the paths that may be affected.
    pub zones: Zones,
    /// To what they may do it: one of these patterns, if there are any.
    pub targets: Vec<String>,
}

/// Something in a text that no allow rule covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCoverable {
    /// The output of a command becomes text, or a file.
    Substitution,
    /// A word depends on the run.
    Variable,
    /// A variable is set.
    Assignment,
    /// A function or an alias is defined.
    Definition,
    /// A redirection without a command.
    Redirection,
    /// A pattern of file names that may become an option.
    Pattern,
    /// An option that decodes data, or changes what the command that it runs can see.
    Option,
}

impl NotCoverable {
    /// The first of them in a text.
    pub(crate) fn of(script: &Script, text: &str) -> Option<Self> {
        // A condition evaluates the subscript of a name once more, even a quoted one: `[[ -v 'a[$(x)]' ]]`.
        let evaluates = text.contains("[[") || text.contains("((");
        if evaluates && (text.contains("$(") || text.contains('`')) {
            return Some(Self::Substitution);
        }
        if !script.functions.is_empty() || !script.aliases.is_empty() {
            return Some(Self::Definition);
        }
        script.commands.iter().find_map(Self::of_command)
    }

    fn of_command(simple: &SimpleCommand) -> Option<Self> {
        let targets = || simple.redirects.iter().chain(&simple.inherited).map(|redirect| &redirect.target);
        let inside = |place: &Within| matches!(place, Within::Substitution | Within::Process | Within::Sink);
        if simple.within.iter().any(inside) && !prints_document(simple) {
            Some(Self::Substitution)
        } else if !simple.assignments.is_empty() {
            Some(Self::Assignment)
        } else if simple.words.iter().chain(targets()).any(depends_on_run) {
            Some(Self::Variable)
        } else if simple.words.is_empty() {
            Some(Self::Redirection)
        } else if simple
            .words
            .iter()
            .chain(targets())
            .any(|word| matches!(word.parts.first(), Some(Part::Glob(_))))
        {
            Some(Self::Pattern)
        } else {
            None
        }
    }
}

/// Returns true if a word depends on the run. The text of a here-document in quotes does not: `-m "$(cat <<'END' … END)"` is how
/// agents write the message of a commit. A word that begins with it may be an option, and so may a word of several.
pub(crate) fn depends_on_run(word: &Word) -> bool {
    let is_option = word.starts_with_unknown().and_then(document).is_some_and(|text| text.starts_with('-'));
    is_option || word.unknowns().any(|unknown| document(unknown).is_none() || unknown.splits || unknown.many)
}

/// Returns the text of a here-document that a substitution prints.
fn document(unknown: &Unknown) -> Option<std::borrow::Cow<'_, str>> {
    match (&unknown.why, &unknown.among) {
        (UnknownSource::Substitution(_), Candidates::These(texts)) => match &**texts {
            [text] => text.constant(),
            _ => None,
        },
        _ => None,
    }
}

/// Returns true if a command prints a here-document without expansions in it, and does nothing else, directly in a
/// substitution.
fn prints_document(simple: &SimpleCommand) -> bool {
    let is_cat = matches!(simple.words.as_slice(), [cat] if cat.constant().as_deref() == Some("cat"));
    let is_alone =
        simple.assignments.is_empty() && simple.inherited.is_empty() && simple.redirects.len() == 1;
    let inside = |place: &&Within| matches!(place, Within::Substitution | Within::Process | Within::Sink);
    let is_direct = matches!(simple.within.last(), Some(Within::Substitution))
        && simple.within.iter().filter(inside).count() == 1;
    let is_constant = match &simple.stdin {
        Input::Text(redirect) => redirect.kind == RedirectKind::Document && !redirect.target.is_unknown(),
        _ => false,
    };
    is_cat && is_alone && is_direct && is_constant
}

impl fmt::Display for NotCoverable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Substitution => "a substitution",
            Self::Variable => "a word that depends on the run",
            Self::Assignment => "an assignment",
            Self::Definition => "a function or an alias",
            Self::Redirection => "a redirection without a command",
            Self::Pattern => "a pattern that may become an option (write `./*`)",
            Self::Option => "an option that no allow rule covers (it decodes, or hides what runs)",
        })
    }
}

/// The reason why a call is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAllowed {
    /// Something objects, or did until an exception took it away.
    Objection,
    /// It runs no command.
    NoCommand,
    /// It cannot be read.
    Unreadable,
    /// It holds something that no allow rule covers.
    NotCoverable(NotCoverable),
    /// No grant names this command: an index into [`Judgement::ran`].
    Command(usize),
    /// This command runs outside the project: an index into [`Judgement::ran`].
    Directory(usize),
    /// No allow rule that names the command covers this effect: an index into [`Judgement::effects`].
    Effect(usize),
    /// A setting names a program that this command may run: an index into [`Judgement::ran`].
    Setting(usize),
}

/// The tags that a path may have if an action on it is allowed.
const PLAIN: Tags = Tags::of(&[Tag::Log, Tag::Source]);

/// Programs that run another one and do nothing else.
const WRAPPERS: &[&str] = &["timeout", "nice", "command"];
/// Shells, which run a text.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh"];

impl AllowRule {
    /// The places that are meant if none is named.
    pub const ZONES: Zones =
        Zones::of(&[Zone::ProjectRoot, Zone::Project, Zone::Generated, Zone::Repository]);

    /// The default, if no action is listed.
    pub const ACTIONS: Actions = Actions::of(&[Action::Read]);

    /// Returns true if it names a command.
    fn names_command(&self, ran: &Invocation) -> bool {
        self.programs.iter().any(|pattern| {
            let mut words = ran.words.iter();
            let mut patterns = pattern.split_whitespace().peekable();
            while let Some(pattern) = patterns.next() {
                if pattern == "*" && patterns.peek().is_none() {
                    return true;
                }
                if !words.next().is_some_and(|word| glob::matches(pattern, word)) {
                    return false;
                }
            }
            words.next().is_none()
        })
    }

    /// Returns true if it covers an effect.
    fn covers(&self, effect: &Effect) -> bool {
        let named = |name: &str| {
            self.targets.is_empty() || self.targets.iter().any(|pattern| glob::matches(pattern, name))
        };
        if effect.action == Action::Opaque || !is_ordinary(effect) {
            return false;
        }
        match &effect.target {
            // Nothing is kept there.
            Target::Path(spot) if spot.zone == Zone::Nowhere => is_file_action(effect.action),
            Target::Path(spot) => {
                self.actions.has(effect.action)
                    && self.zones.has(spot.zone)
                    && is_certain(spot)
                    && spot.tags.only(PLAIN) == spot.tags
                    && named(&spot.path)
            }
            Target::Host(Host { name, .. }) | Target::Name(name) => {
                self.actions.has(effect.action) && is_plain(name) && named(name)
            }
            Target::Nothing => self.actions.has(effect.action) && self.targets.is_empty(),
        }
    }
}

/// Returns true if an effect is qualified only by words that the vocabulary marks as ordinary.
const fn is_ordinary(effect: &Effect) -> bool {
    effect.how.minus(Modifiers::ORDINARY).is_empty()
        && effect.data.minus(Taints::ORDINARY).is_empty()
        && effect.domain.minus(Domains::ORDINARY).is_empty()
        && effect.environment.minus(Environments::ORDINARY).is_empty()
        && effect.certainty.minus(Certainties::ORDINARY).is_empty()
}

const fn is_file_action(action: Action) -> bool {
    matches!(action, Action::Read | Action::Write | Action::Append | Action::Truncate)
}

impl Judgement {
    /// Checks that allow rules cover everything that the call would do. The error says why they do not.
    pub fn allowed(&self, allow_rules: &[AllowRule], place: &CallContext) -> Result<(), NotAllowed> {
        if !self.findings.is_empty() || !self.suppressed.is_empty() {
            return Err(NotAllowed::Objection);
        }
        if !self.opaque.is_empty() {
            return Err(NotAllowed::Unreadable);
        }
        if let Some(loose) = self.loose {
            return Err(NotAllowed::NotCoverable(loose));
        }
        if self.ran.is_empty() {
            return Err(NotAllowed::NoCommand);
        }
        let home = place.project.as_deref().or(place.cwd.as_deref());
        for (index, ran) in self.ran.iter().enumerate() {
            // It only copies its input to its output; effects on these still need an allow rule.
            let copies = matches!(ran.words.as_slice(), [cat] if cat == "cat");
            let is_named = || allow_rules.iter().any(|allow| allow.names_command(ran));
            if !copies && !self.is_transparent(index) && !is_named() {
                return Err(NotAllowed::Command(index));
            }
            let inside =
                ran.directory.as_deref().zip(home).is_some_and(|(directory, home)| is_below(directory, home));
            if !inside {
                return Err(NotAllowed::Directory(index));
            }
        }
        for (index, effect) in self.effects.iter().enumerate() {
            let by = self.runner(effect.by);
            let covers =
                |allow: &&AllowRule| by.is_some_and(|ran| allow.names_command(ran)) && allow.covers(effect);
            if !allow_rules.iter().any(|allow| covers(&allow)) {
                return Err(NotAllowed::Effect(index));
            }
        }
        Ok(())
    }

    /// Checks that no setting names a program that a command of the call may run. Only asked about what would be allowed, since
    /// it reads the files with the settings.
    pub fn settings(&self, world: &dyn World) -> Result<(), NotAllowed> {
        let names = |ran: &Invocation| settings::name_program(&ran.words, ran.directory.as_deref(), world);
        self.ran.iter().position(names).map_or(Ok(()), |index| Err(NotAllowed::Setting(index)))
    }

    /// The command that answers for what is done by the command at `index`: itself, or the one that it runs.
    fn runner(&self, index: usize) -> Option<&Invocation> {
        let first = (index..self.ran.len()).find(|index| !self.is_transparent(*index))?;
        self.ran.get(first)
    }

    /// Returns true if the command at `index` does nothing but run the next one in the list.
    fn is_transparent(&self, index: usize) -> bool {
        let (Some(ran), Some(inner)) = (self.ran.get(index), self.ran.get(index + 1)) else { return false };
        let is_inside = inner.depth > ran.depth;
        match ran.words.as_slice() {
            [shell, option, _] if SHELLS.contains(&shell.as_str()) => {
                is_inside && matches!(option.as_str(), "-c" | "-lc")
            }
            [wrapper, rest @ ..] if WRAPPERS.contains(&wrapper.as_str()) => {
                is_inside && !inner.words.is_empty() && rest.ends_with(&inner.words)
            }
            _ => false,
        }
    }
}
