//! `[[allow]]`: commands that agents may run without the user being asked.
//!
//! A pattern covers a whole command, so that it never allows more than is written: a `*` says what may follow.
//! What such a command does must be allowed as well, and that is reading in the project unless more is written.

use super::Written;
use crate::config::{
    raw::{At, Reader, Slot, Texts},
    tree::{Node, Span},
};
use checkrein_guard::{Action, Actions, AllowRule, Zone, Zones};
use std::borrow::Cow;

/// The keys of an allow rule.
pub(crate) const KEYS: &[&str] = &["programs", "effect", "zone", "target"];

/// What an allow rule needs, and an example of it.
const NEEDED: [(&str, &str); 1] = [("programs", "programs = [\"git status\", \"git log *\"]")];

impl<'t> Reader<'_, 't> {
    /// Understands every allow rule of the list.
    pub(crate) fn allow_list(&mut self, node: Node<'t>, key_span: &Span) -> Vec<AllowRule> {
        self.tables("allow", node, key_span, |reader, node| {
            let written = reader.written_table(node, KEYS, &[])?;
            reader.allow(written)
        })
    }

    fn allow(&mut self, mut written: Written<'_>) -> Option<AllowRule> {
        self.needs("an allow rule", &written, &NEEDED);
        let line = self.line_of(&written);
        let programs = self.commands(written.take("programs"));
        let effect = written.take("effect");
        let zone = written.take("zone");
        self.never(
            "effect",
            &effect,
            Action::Opaque.as_str(),
            "what is not known before it runs cannot be allowed",
        );
        self.never("zone", &zone, Zone::Unknown.as_str(), "a place that is not known cannot be allowed");
        let actions = self.words("effect", "effect", effect, Action::of, Action::ALL, Action::as_str);
        let zones = self.words("zone", "zone", zone, Zone::of, Zone::ALL, Zone::as_str);
        let targets = self.patterns_of("target", written.take("target"));
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

    /// A word that may not be among those of a key.
    fn never(&mut self, key: &str, slot: &Slot<Texts<'_>>, word: &str, why: &str) {
        if let Slot::Is(words) = slot {
            for At { span, .. } in words.value.iter().filter(|at| at.value == word) {
                self.problem(key, span, why, None);
            }
        }
    }

    /// Patterns of whole commands, whose first word is the name of a program.
    fn commands(&mut self, slot: Slot<Texts<'_>>) -> Option<Vec<String>> {
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

    fn patterns_checked(&mut self, key: &str, slot: Slot<Texts<'_>>) -> Option<Vec<Cow<'static, str>>> {
        match slot {
            Slot::Absent => None,
            slot @ (Slot::Broken | Slot::Is(_)) => self.patterns_of(key, slot),
        }
    }
}
