//! A decision about effects.

use crate::{
    effect::{Effect, Invocation, Target},
    filled::Template,
    glob,
    vocabulary::{Actions, Certainties, Domains, Environments, Modifiers, Tags, Taints, Zones},
};
use checkrein_core::Decision;
use std::borrow::Cow;

/// A text or a list that is compiled in, or comes from a configuration.
pub(crate) type Text = Cow<'static, str>;

/// A rule: which effects, what to decide, and what to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// `pack.name`; of a configuration, `layer.name`.
    pub id: Text,
    /// Its line in the file of its pack or layer.
    pub line: u32,
    /// The actions; one of them must match.
    pub actions: Actions,
    /// The zones; if there are any, one of them must match.
    pub zones: Zones,
    /// To what: it is one of these, if there are any.
    pub tags: Tags,
    /// And none of these.
    pub not_tags: Tags,
    /// The modifiers that the effect must all have.
    pub with: Modifiers,
    /// Modifiers; if there are any, the effect must have one of them.
    pub with_any: Modifiers,
    /// Modifiers that the effect must not have.
    pub unless: Modifiers,
    /// The origins of its data; if there are any, one of them must match.
    pub data: Taints,
    /// The origins that its data must not have.
    pub not_data: Taints,
    /// The kinds of systems; if there are any, one of them must match.
    pub domain: Domains,
    /// The kinds of systems that must not match.
    pub not_domain: Domains,
    /// In which environment it happens: one of these, if there are any.
    pub environment: Environments,
    /// In which environments it does not happen.
    pub not_environment: Environments,
    /// The uncertainties; if there are any, one of them must match.
    pub certainty: Certainties,
    /// The uncertainties that the effect must not have.
    pub not_certainty: Certainties,
    /// By which program: one of these patterns, if there are any.
    pub programs: Cow<'static, [Text]>,
    /// The name of the machine or thing: one of these patterns, if there are any.
    pub targets: Cow<'static, [Text]>,
    /// The decision.
    pub decision: Decision,
    /// The reason, for the model.
    pub reason: Text,
    /// The reason, for the user. A configuration may leave it empty.
    pub summary: Text,
    /// The call in words, as a phrase that follows `Checkrein blocked`. A configuration leaves it empty.
    pub phrase: Text,
    /// An alternative to the call. A configuration may leave it empty.
    pub suggestion: Text,
    /// Alternatives for some programs, filled in from the effect.
    pub templates: &'static [Template],
    /// True if the rule is about what can be kept before the call and restored after it: then it need not be raised.
    pub recoverable: bool,
    /// Commands that the rule is about.
    pub matches: Cow<'static, [Text]>,
    /// Commands that look like it and are none of its business.
    pub not_matches: Cow<'static, [Text]>,
}

impl Rule {
    /// Returns a rule about these actions, wherever and however they are done.
    pub const fn new(id: Text, actions: Actions, decision: Decision, reason: Text) -> Self {
        Self {
            id,
            line: 0,
            actions,
            zones: Zones::NONE,
            tags: Tags::NONE,
            not_tags: Tags::NONE,
            with: Modifiers::NONE,
            with_any: Modifiers::NONE,
            unless: Modifiers::NONE,
            data: Taints::NONE,
            not_data: Taints::NONE,
            domain: Domains::NONE,
            not_domain: Domains::NONE,
            environment: Environments::NONE,
            not_environment: Environments::NONE,
            certainty: Certainties::NONE,
            not_certainty: Certainties::NONE,
            programs: Cow::Borrowed(&[]),
            targets: Cow::Borrowed(&[]),
            decision,
            reason,
            summary: Cow::Borrowed(""),
            phrase: Cow::Borrowed(""),
            suggestion: Cow::Borrowed(""),
            templates: &[],
            recoverable: false,
            matches: Cow::Borrowed(&[]),
            not_matches: Cow::Borrowed(&[]),
        }
    }

    /// Returns true if the rule matches an effect.
    pub fn is_about(&self, effect: &Effect, ran: Option<&Invocation>) -> bool {
        self.actions.has(effect.action)
            && self.qualifies(effect)
            && self.fits(&effect.target)
            && (self.programs.is_empty() || ran.is_some_and(|ran| self.is_by(ran)))
    }

    fn qualifies(&self, effect: &Effect) -> bool {
        effect.how.has_all(self.with)
            && (self.with_any.is_empty() || effect.how.has_any(self.with_any))
            && !effect.how.has_any(self.unless)
            && (self.data.is_empty() || effect.data.has_any(self.data))
            && !effect.data.has_any(self.not_data)
            && (self.domain.is_empty() || effect.domain.has_any(self.domain))
            && !effect.domain.has_any(self.not_domain)
            && (self.environment.is_empty() || effect.environment.has_any(self.environment))
            && !effect.environment.has_any(self.not_environment)
            && (self.certainty.is_empty() || effect.certainty.has_any(self.certainty))
            && !effect.certainty.has_any(self.not_certainty)
    }

    fn fits(&self, target: &Target) -> bool {
        let named = |name: &str| {
            self.targets.is_empty() || self.targets.iter().any(|pattern| glob::matches(pattern, name))
        };
        let plain = self.zones.is_empty() && self.tags.is_empty();
        match target {
            Target::Path(spot) => {
                (self.zones.is_empty() || self.zones.has(spot.zone))
                    && (self.tags.is_empty() || spot.tags.has_any(self.tags))
                    && !spot.tags.has_any(self.not_tags)
                    && named(&spot.path)
            }
            Target::Host(host) => plain && named(&host.name),
            Target::Name(name) => plain && named(name),
            Target::Nothing => plain && self.targets.is_empty(),
        }
    }

    /// Returns true if the program is one of these, by the name of its entry, or by its words as far as they are
    /// names of commands.
    fn is_by(&self, ran: &Invocation) -> bool {
        let name = ran.known_as.as_deref().or(ran.words.first().map(String::as_str)).unwrap_or_default();
        let spelled = || {
            let words = ran.words.iter().filter(|word| !word.starts_with('-'));
            words.map(String::as_str).collect::<Vec<_>>().join(" ")
        };
        self.programs.iter().any(|program| glob::matches(program, name))
            || self.programs.iter().any(|program| program.contains(' '))
                && self.programs.iter().any(|program| glob::matches(program, &spelled()))
    }
}
