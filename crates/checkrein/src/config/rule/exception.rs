//! `[[exception]]`: an exception to what rules object to, with its scope, its reason and its end.
//!
//! It loosens, so only the user and the administrator can write one, and a project's file may not. All that
//! can be wrong with it is an error: its author relies on it, and must hear on the day that they write it that it does
//! nothing.

use super::{LONGEST_TEXT, Written, only, texts};
use crate::config::{
    layer::Layer,
    raw::{At, Reader, Slot, Texts},
    rule::prefix,
    tree::{Node, Span},
};
use checkrein_core::nearest::nearest;
use checkrein_guard::{Authority, Day, Exception, NEVER_SUPPRESSED, glob_matches, rules};

/// The keys of an exception.
pub(crate) const KEYS: &[&str] = &["rules", "programs", "target", "directory", "reason", "until"];

/// Those of them that hold one text.
const LINES: &[&str] = &["reason", "until"];

/// What an exception needs, and an example of it.
const NEEDED: [(&str, &str); 3] = [
    ("rules", "rules = \"secrets.read-secret\""),
    ("reason", "reason = \"the fixtures hold no real keys\""),
    ("until", "until = \"2027-01-31\""),
];

/// The word for an exception that does not end.
pub(super) const NEVER: &str = "never";

impl<'t> Reader<'_, 't> {
    /// Understands every exception of the list.
    pub(crate) fn exceptions(&mut self, node: Node<'t>, key_span: &Span) -> Vec<Exception> {
        self.tables("exception", node, key_span, |reader, node| {
            let written = reader.written_table(node, KEYS, LINES)?;
            reader.exception(written)
        })
    }

    fn exception(&mut self, mut written: Written<'_>) -> Option<Exception> {
        self.needs("an exception", &written, &NEEDED);
        let line = self.line_of(&written);
        let rules = self.suppressed_rules(written.take("rules"));
        let programs = self.patterns_of("programs", written.take("programs"));
        let targets = self.patterns_of("target", written.take("target"));
        let directories = self.directories(written.take("directory"));
        let reason = self.line("reason", written.take("reason"));
        let until = self.until(written.take("until"));
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

    /// Patterns of the ids of rules. Each must be about a rule that there is, or that a configuration may have.
    fn suppressed_rules(&mut self, slot: Slot<Texts<'_>>) -> Option<Vec<String>> {
        let Slot::Is(At { value, .. }) = slot else { return None };
        let mut patterns = Some(Vec::new());
        for At { span, value } in value {
            match (self.wrong_rules(&value), &mut patterns) {
                (None, Some(patterns)) => patterns.push(value.into_owned()),
                (None, None) => {}
                (Some((message, hint)), _) => {
                    self.problem("rules", &span, &message, hint.as_deref());
                    patterns = None;
                }
            }
        }
        patterns
    }

    /// Returns what is wrong with a pattern of ids, and a hint.
    fn wrong_rules(&self, pattern: &str) -> Option<(String, Option<String>)> {
        let Some((pack, _)) = pattern.split_once('.').filter(|(pack, name)| {
            !name.is_empty() && !pack.contains(['*', '?', '[']) && pattern.chars().count() <= LONGEST_TEXT
        }) else {
            let hint = "name a rule, such as `git.force-push`, or a pack, such as `secrets.*`".to_owned();
            return Some((format!("`{pattern}` names no rules"), Some(hint)));
        };
        if NEVER_SUPPRESSED.iter().any(|never| never.trim_end_matches('.') == pack) {
            return Some((format!("there are no exceptions to `{pack}`"), None));
        }
        if pack == prefix(Layer::Managed) && self.layer != Layer::Managed {
            return Some(("only the managed layer makes exceptions to its rules".to_owned(), None));
        }
        // Rules of layers may stand in files that are not read here.
        if Layer::ALL.iter().any(|layer| prefix(*layer) == pack) {
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

    /// Directories, as whole paths.
    fn directories(&mut self, slot: Slot<Texts<'_>>) -> Option<Vec<String>> {
        let mut right = true;
        if let Slot::Is(directories) = &slot {
            for At { span, value } in &directories.value {
                let whole = value.starts_with('/') || &**value == "~" || value.starts_with("~/");
                let plain = !value.contains(['*', '?', '[']) && !value.split('/').any(|step| step == "..");
                if !whole || !plain || value.trim_matches('/').is_empty() {
                    let message =
                        format!("`{value}` is no directory below which something can be suppressed");
                    let hint = "write a whole path without patterns, such as `~/shop`";
                    self.problem("directory", span, &message, Some(hint));
                    right = false;
                }
            }
        }
        let directories = texts(slot)?;
        right.then(|| directories.into_iter().map(std::borrow::Cow::into_owned).collect())
    }

    fn until(&mut self, slot: Slot<Texts<'_>>) -> Option<Option<Day>> {
        let At { span, value } = only(slot)?;
        if value == NEVER {
            return Some(None);
        }
        let day = value.parse::<Day>().ok();
        if day.is_none() {
            let message = format!("`{value}` is no day");
            let hint = format!("for example `2027-01-31`, or `{NEVER}`");
            self.problem("until", &span, &message, Some(&hint));
        }
        day.map(Some)
    }
}

/// Whose an exception of a layer is.
pub(super) const fn authority(layer: Layer) -> Authority {
    match layer {
        Layer::Managed => Authority::Managed,
        Layer::User | Layer::Project | Layer::Flag => Authority::User,
    }
}
