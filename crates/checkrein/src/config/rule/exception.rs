//! `[[exception]]`: an exception to what rules object to, with its scope, its reason and its end.
//!
//! It loosens, so only the user and the administrator can write one, and a project's file may not. Every mistake in it
//! is an error: its author relies on it, and must hear at once that it does nothing.

use super::texts;
use crate::config::{
    fields::{At, Fields, Slot, Text, Texts},
    keys::LONGEST_TEXT,
    layer::Layer,
    reader::{Checks, ConfigReader},
    rule::prefix,
};
use checkrein_core::nearest::nearest;
use checkrein_guard::{Authority, Day, Exception, NEVER_SUPPRESSED, glob_matches, rules};

/// The word for an exception that does not end.
pub(super) const NEVER: &str = "never";

impl<'t> ConfigReader<'_, 't> {
    /// Parses one exception.
    pub(crate) fn exception(&mut self, mut fields: Fields<'t>) -> Option<Exception> {
        let line = self.line_of(&fields);
        let rules = self.rule_patterns("rules", fields.texts("rules"), Purpose::Exception);
        let programs = self.patterns_of("programs", fields.texts("programs"));
        let targets = self.patterns_of("target", fields.texts("target"));
        let directories = self.directories(fields.texts("directory"));
        let reason = self.line("reason", fields.text("reason"));
        let until = self.until(fields.text("until"));
        fields.finish();
        let owned = |texts: Vec<_>| texts.into_iter().map(std::borrow::Cow::into_owned).collect();
        Some(Exception {
            line,
            authority: authority(self.layer),
            rules: rules?,
            programs: owned(programs?),
            targets: owned(targets?),
            directories: directories?,
            reason: reason?,
            until: until?,
        })
    }

    /// Reads patterns for the ids of rules. Each must match a rule that exists, or that a configuration may have.
    pub(crate) fn rule_patterns(
        &mut self,
        key: &str,
        slot: Slot<Texts<'t>>,
        purpose: Purpose,
    ) -> Option<Vec<String>> {
        let Slot::Is(At { value, .. }) = slot else { return None };
        // To compare a pattern with every rule takes longer than to read it.
        if self.checks == Checks::Compiled {
            return Some(value.into_iter().map(|pattern| pattern.value.into_owned()).collect());
        }
        let mut patterns = Some(Vec::new());
        for At { span, value } in value {
            match (self.wrong_rules(&value, purpose), &mut patterns) {
                (None, Some(patterns)) => patterns.push(value.into_owned()),
                (None, None) => {}
                (Some((message, hint)), _) => {
                    self.problem(key, &span, &message, hint.as_deref());
                    patterns = None;
                }
            }
        }
        patterns
    }

    /// Returns the problem with a pattern for ids, and a hint.
    fn wrong_rules(&self, pattern: &str, purpose: Purpose) -> Option<(String, Option<String>)> {
        let Some((pack, _)) = pattern.split_once('.').filter(|(pack, name)| {
            !name.is_empty() && !pack.contains(['*', '?', '[']) && pattern.chars().count() <= LONGEST_TEXT
        }) else {
            let hint = "name a rule, such as `git.force-push`, or a pack, such as `secrets.*`".to_owned();
            return Some((format!("`{pattern}` names no rules"), Some(hint)));
        };
        let is_of_a_layer = Layer::ALL.iter().any(|layer| prefix(*layer) == pack);
        let never = NEVER_SUPPRESSED.iter().any(|never| never.trim_end_matches('.') == pack);
        let beyond = pack == prefix(Layer::Managed) && self.layer != Layer::Managed;
        match purpose {
            Purpose::Exception if never => {
                return Some((format!("there are no exceptions to `{pack}`"), None));
            }
            Purpose::Monitor if never => {
                return Some((
                    format!("`{pack}` protects Checkrein itself and is never only monitored"),
                    None,
                ));
            }
            Purpose::Exception if beyond => {
                return Some(("only the managed layer makes exceptions to its rules".to_owned(), None));
            }
            Purpose::Monitor if beyond => {
                return Some(("only the managed layer monitors its rules".to_owned(), None));
            }
            Purpose::Grade if is_of_a_layer => {
                let hint = "change the `decision` of the `[[rule]]` itself".to_owned();
                return Some((format!("`{pattern}` is not a built-in rule"), Some(hint)));
            }
            Purpose::Exception | Purpose::Monitor | Purpose::Grade => {}
        }
        // Rules of layers may be in files that are not read here.
        if is_of_a_layer {
            return None;
        }
        if rules().iter().any(|rule| glob_matches(pattern, &rule.id)) {
            return None;
        }
        let hint = match nearest(pattern, rules().iter().map(|rule| rule.id.as_ref())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "a denial shows the id of its rule, and `checkrein hooks --json` lists all".to_owned(),
        };
        Some((format!("there is no rule `{pattern}`"), Some(hint)))
    }

    /// Parses directories, which must be absolute.
    fn directories(&mut self, slot: Slot<Texts<'t>>) -> Option<Vec<String>> {
        let mut right = true;
        if let Slot::Is(directories) = &slot {
            for At { span, value } in &directories.value {
                let whole = value.starts_with('/') || &**value == "~" || value.starts_with("~/");
                let plain = !value.contains(['*', '?', '[']) && !value.split('/').any(|step| step == "..");
                if !whole || !plain || value.trim_matches('/').is_empty() {
                    let message = format!("`{value}` is not a directory in which findings can be suppressed");
                    let hint = "write a whole path without patterns, such as `~/shop`";
                    self.problem("directory", span, &message, Some(hint));
                    right = false;
                }
            }
        }
        let directories = texts(slot)?;
        right.then(|| directories.into_iter().map(std::borrow::Cow::into_owned).collect())
    }

    fn until(&mut self, slot: Slot<Text<'t>>) -> Option<Option<Day>> {
        let At { span, value } = slot.value()?;
        if value == NEVER {
            return Some(None);
        }
        let day = value.parse::<Day>().ok();
        if day.is_none() {
            let message = format!("`{value}` is not a day");
            let hint = format!("for example `2027-01-31`, or `{NEVER}`");
            self.problem("until", &span, &message, Some(&hint));
        }
        day.map(Some)
    }
}

/// The purpose of patterns for rule ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Exception,
    Monitor,
    Grade,
}

/// Returns whose an entry of a layer is.
pub(crate) const fn authority(layer: Layer) -> Authority {
    match layer {
        Layer::Managed => Authority::Managed,
        Layer::User | Layer::Flag => Authority::User,
        Layer::Project => Authority::Project,
    }
}
