//! `[[allow]]`: commands that agents may run without the user being asked.
//!
//! A pattern covers a whole command, so that it never allows more than is written: a `*` says what may follow.
//! What such a command does must be allowed as well, and that is reading in the project unless more is written.

use crate::config::{
    fields::{At, Fields, Slot, Texts},
    reader::ConfigReader,
};
use checkrein_guard::{Action, Actions, AllowRule, Zone, Zones};
use std::borrow::Cow;

impl<'t> ConfigReader<'_, 't> {
    /// Parses one allow rule.
    pub(crate) fn allow_rule(&mut self, mut fields: Fields<'t>) -> Option<AllowRule> {
        let line = self.line_of(&fields);
        let programs = self.commands(fields.texts("programs"));
        let (effect, zone) = (fields.texts("effect"), fields.texts("zone"));
        self.never(
            "effect",
            &effect,
            Action::Opaque.as_str(),
            "what is not known before it runs cannot be allowed",
        );
        self.never("zone", &zone, Zone::Unknown.as_str(), "a place that is not known cannot be allowed");
        let actions = self.words("effect", effect);
        let zones = self.words("zone", zone);
        let targets = self.patterns_of("target", fields.texts("target"));
        fields.finish();
        let owned = |texts: Vec<_>| texts.into_iter().map(Cow::into_owned).collect();
        let (actions, zones) = (actions?, zones?);
        Some(AllowRule {
            line,
            programs: programs?,
            actions: if actions.is_empty() { AllowRule::ACTIONS } else { Actions::of(&actions) },
            zones: if zones.is_empty() { AllowRule::ZONES } else { Zones::of(&zones) },
            targets: owned(targets?),
        })
    }

    /// Reports a word that a key does not accept.
    fn never(&mut self, key: &str, slot: &Slot<Texts<'t>>, word: &str, why: &str) {
        if let Slot::Is(words) = slot {
            for At { span, .. } in words.value.iter().filter(|at| at.value == word) {
                self.problem(key, span, why, None);
            }
        }
    }

    /// Parses patterns for whole commands, whose first word is the name of a program.
    fn commands(&mut self, slot: Slot<Texts<'t>>) -> Option<Vec<String>> {
        if let Slot::Is(commands) = &slot {
            for At { span, value } in &commands.value {
                let first = value.split_whitespace().next().unwrap_or_default();
                if first.is_empty() || first.contains(['*', '?', '[']) {
                    let message = format!("`{value}` does not begin with the name of a program");
                    let hint = "name each program, such as `git log *`";
                    self.problem("programs", span, &message, Some(hint));
                }
            }
        }
        let patterns = self.patterns_checked("programs", slot)?;
        Some(patterns.into_iter().map(Cow::into_owned).collect())
    }

    fn patterns_checked(&mut self, key: &str, slot: Slot<Texts<'t>>) -> Option<Vec<Cow<'static, str>>> {
        match slot {
            Slot::Absent => None,
            slot @ (Slot::Broken | Slot::Is(_)) => self.patterns_of(key, slot),
        }
    }
}
