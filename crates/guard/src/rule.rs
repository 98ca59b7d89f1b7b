//! A decision about effects.

use crate::{
    effect::{Effect, Invocation, Target},
    glob,
    vocabulary::{Marks, Tags, Verbs, Zones},
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
    /// Where it stands in the file of its pack or of its layer.
    pub line: u32,
    /// What is done: one of these.
    pub verbs: Verbs,
    /// Where: one of these, if there are any.
    pub zones: Zones,
    /// To what: it is one of these, if there are any.
    pub tags: Tags,
    /// And none of these.
    pub not_tags: Tags,
    /// How: all of these.
    pub with: Marks,
    /// One of these, if there are any.
    pub with_any: Marks,
    /// None of these.
    pub unless: Marks,
    /// By which program: one of these patterns, if there are any.
    pub programs: Cow<'static, [Text]>,
    /// The name of the machine or thing: one of these patterns, if there are any.
    pub targets: Cow<'static, [Text]>,
    /// What is decided.
    pub decision: Decision,
    /// Why, for the model.
    pub reason: Text,
    /// Why, for the user. A configuration may leave it empty.
    pub summary: Text,
    /// What to do instead. A configuration may leave it empty.
    pub suggestion: Text,
    /// Commands that the rule is about.
    pub matches: Cow<'static, [Text]>,
    /// Commands that look like it and are none of its business.
    pub not_matches: Cow<'static, [Text]>,
}

impl Rule {
    /// Whether the rule is about an effect.
    pub fn is_about(&self, effect: &Effect, ran: Option<&Invocation>) -> bool {
        self.verbs.has(effect.verb)
            && effect.marks.has_all(self.with)
            && (self.with_any.is_empty() || effect.marks.has_any(self.with_any))
            && !effect.marks.has_any(self.unless)
            && self.fits(&effect.target)
            && (self.programs.is_empty() || ran.is_some_and(|ran| self.is_by(ran)))
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

    fn is_by(&self, ran: &Invocation) -> bool {
        let name = ran.known_as.as_deref().or(ran.words.first().map(String::as_str)).unwrap_or_default();
        self.programs.iter().any(|program| glob::matches(program, name))
    }
}
