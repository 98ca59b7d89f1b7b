//! `[[rule]]`: a decision about effects, in the vocabulary of the built-in rules.
//!
//! A rule can only ask or deny, and it runs nothing, so it can only make an answer stricter. A project's rules therefore
//! count without trust. Texts are short, have one line and no control characters, and show by their id which
//! layer they come from. What a project writes into them is not repeated to a model or in a question at all, since it would be
//! read as our word: there, [`in_our_words`] is what such a rule says.

mod allow;
mod examples;
pub(crate) mod exception;
mod grade;
mod record;

pub(crate) use record::{allow_rule_to_json, exception_to_json, grade_to_json, to_json};

use crate::config::{
    fields::{At, Fields, Slot, Text, Texts, one_of},
    keys::{ConfigWord, LONGEST_TEXT, RULE, words},
    layer::Layer,
    reader::{Checks, ConfigReader},
    tree::{Node, Span},
};
use checkrein_core::{
    Decision,
    nearest::nearest,
    sanitize::{is_prose, prose},
};
use checkrein_guard::{
    Actions, Certainties, Domains, Environments, Modifiers, Rule, Tags, Taints, Zones, work,
};
use std::{borrow::Cow, collections::BTreeSet};

/// The longest id, in characters.
const LONGEST_ID: usize = 60;

impl<'t> ConfigReader<'_, 't> {
    /// Parses every rule of a list.
    pub(crate) fn rules(&mut self, list: Vec<Node<'t>>) -> Vec<Rule> {
        let mut ids = BTreeSet::new();
        let mut spent = 0;
        let define = |reader: &mut Self, fields| {
            let (rule, shown) = reader.rule(fields, &mut ids)?;
            if reader.checks == Checks::All {
                reader.examples(&rule, &shown, &mut spent);
            }
            Some(rule)
        };
        let most = self.bounds.tables;
        // All examples of a file may make as much work as one call.
        work::one_call(|| self.each_table(list, &RULE, most, define))
    }

    /// Parses one rule, and returns the positions of its examples.
    pub(crate) fn rule(
        &mut self,
        mut fields: Fields<'t>,
        ids: &mut BTreeSet<String>,
    ) -> Option<(Rule, Shown)> {
        let line = self.line_of(&fields);
        let id = self.id(fields.text("id"), ids);
        let actions = self.words("effect", fields.texts("effect"));
        let zones = self.words("zone", fields.texts("zone"));
        let (is, not) =
            (self.words("tag", fields.texts("tag")), self.words("not_tag", fields.texts("not_tag")));
        let with = self.words("with", fields.texts("with"));
        let with_any = self.words("with_any", fields.texts("with_any"));
        let unless = self.words("unless", fields.texts("unless"));
        let (data, not_data) =
            (self.words("data", fields.texts("data")), self.words("not_data", fields.texts("not_data")));
        let domain = self.words("domain", fields.texts("domain"));
        let not_domain = self.words("not_domain", fields.texts("not_domain"));
        let environment = self.words("environment", fields.texts("environment"));
        let not_environment = self.words("not_environment", fields.texts("not_environment"));
        let certainty = self.words("certainty", fields.texts("certainty"));
        let not_certainty = self.words("not_certainty", fields.texts("not_certainty"));
        let programs = self.patterns_of("programs", fields.texts("programs"));
        let targets = self.patterns_of("target", fields.texts("target"));
        let decision = self.decision(fields.text("decision"));
        let reason = self.line("reason", fields.text("reason"));
        let summary = self.line("summary", fields.text("summary"));
        let suggestion = self.line("suggestion", fields.text("suggestion"));
        let (matches, not_matches) = (fields.texts("match"), fields.texts("not_match"));
        let shown = Shown { matches: spans(&matches), not_matches: spans(&not_matches) };
        fields.finish();
        let id = format!("{}.{}", prefix(self.layer), id?);
        let rule = Rule {
            line,
            zones: Zones::of(&zones?),
            tags: Tags::of(&is?),
            not_tags: Tags::of(&not?),
            with: Modifiers::of(&with?),
            with_any: Modifiers::of(&with_any?),
            unless: Modifiers::of(&unless?),
            data: Taints::of(&data?),
            not_data: Taints::of(&not_data?),
            domain: Domains::of(&domain?),
            not_domain: Domains::of(&not_domain?),
            environment: Environments::of(&environment?),
            not_environment: Environments::of(&not_environment?),
            certainty: Certainties::of(&certainty?),
            not_certainty: Certainties::of(&not_certainty?),
            programs: programs?.into(),
            targets: targets?.into(),
            summary: summary?.into(),
            suggestion: suggestion?.into(),
            matches: texts(matches)?.into(),
            not_matches: texts(not_matches)?.into(),
            ..Rule::new(id.into(), Actions::of(&actions?), decision?, reason?.into())
        };
        Some((rule, shown))
    }

    fn id(&mut self, id: Slot<Text<'t>>, ids: &mut BTreeSet<String>) -> Option<String> {
        let At { span, value } = id.value()?;
        let fits = |c: char| c == '-' || c.is_ascii_lowercase() || c.is_ascii_digit();
        if value.is_empty() || value.starts_with('-') || !value.chars().all(fits) || value.len() > LONGEST_ID
        {
            let message = format!("`{value}` is not a valid id");
            let hint =
                format!("up to {LONGEST_ID} lower-case letters, digits and `-`, such as `no-push-to-main`");
            self.problem("id", &span, &message, Some(&hint));
            return None;
        }
        if !ids.insert(value.clone().into_owned()) {
            self.problem("id", &span, &format!("another rule of this file has the id `{value}`"), None);
        }
        Some(value.into_owned())
    }

    fn patterns_of(&mut self, key: &str, slot: Slot<Texts<'_>>) -> Option<Vec<Cow<'static, str>>> {
        if let Slot::Is(patterns) = &slot {
            let Some(left) = self.bounds.rule_patterns.checked_sub(patterns.value.len()) else {
                let message = "the rules of this file have too many patterns together";
                self.problem(key, &patterns.span, message, Some("`*` matches any text"));
                return None;
            };
            self.bounds.rule_patterns = left;
            for At { span, value } in &patterns.value {
                if value.trim().is_empty() {
                    self.problem(key, span, "the pattern is empty", Some("`*` matches everything"));
                } else if value.chars().nth(LONGEST_TEXT).is_some() {
                    let message = format!("the pattern is longer than {LONGEST_TEXT} characters");
                    self.problem(key, span, &message, None);
                }
            }
        }
        texts(slot)
    }

    fn decision(&mut self, slot: Slot<Text<'t>>) -> Option<Decision> {
        let At { span, value } = slot.value()?;
        let known = Decision::of_word(&value);
        if known.is_none() {
            let words = words::<Decision>();
            let message = format!("unknown decision `{value}`, expected {}", one_of(&words));
            let hint = match &*value {
                "allow" => Some("a rule can only make answers stricter".to_owned()),
                other => nearest(other, words).map(|near| format!("did you mean `{near}`?")),
            };
            self.problem("decision", &span, &message, hint.as_deref());
        }
        known
    }

    /// Parses a text that is shown; empty if there is none.
    fn line(&mut self, key: &str, slot: Slot<Text<'t>>) -> Option<String> {
        let At { span, value } = match slot {
            Slot::Absent => return Some(String::new()),
            Slot::Broken => return None,
            Slot::Is(text) => text,
        };
        let problem = if value.trim().is_empty() {
            Some("the text is empty".to_owned())
        } else if value.contains('\n') || !is_prose(&value) {
            Some("the text contains a line break or a hidden character".to_owned())
        } else {
            let long = value.chars().nth(LONGEST_TEXT).is_some();
            long.then(|| format!("the text is longer than {LONGEST_TEXT} characters"))
        };
        if let Some(message) = problem {
            self.problem(key, &span, &message, None);
            return None;
        }
        Some(prose(&value).into_owned())
    }
}

/// The positions of a rule's examples.
#[derive(Debug)]
pub(crate) struct Shown {
    matches: Vec<Span>,
    not_matches: Vec<Span>,
}

/// A project's rule as it is applied: it matches the same effects, and has none of its own texts.
pub(crate) fn in_our_words(rule: &Rule) -> Rule {
    const REASON: &str = "a rule of this project, which no user has trusted, objects";
    Rule { reason: REASON.into(), summary: REASON.into(), suggestion: "".into(), ..rule.clone() }
}

/// Returns true if a rule came with a project.
pub(crate) fn is_of_a_project(rule: &Rule) -> bool {
    let layer = rule.id.split_once('.').map(|(layer, _)| layer);
    layer == Some(prefix(Layer::Project))
}

/// Returns the first part of the ids of a layer's rules.
pub(crate) const fn prefix(layer: Layer) -> &'static str {
    match layer {
        Layer::Managed => "managed",
        Layer::User => "user",
        Layer::Project => "project",
        // The word in listings is an option of the command line, which cannot be an id.
        Layer::Flag => "config",
    }
}

fn spans(slot: &Slot<Texts<'_>>) -> Vec<Span> {
    match slot {
        Slot::Is(texts) => texts.value.iter().map(|text| text.span.clone()).collect(),
        Slot::Absent | Slot::Broken => Vec::new(),
    }
}

fn texts(slot: Slot<Texts<'_>>) -> Option<Vec<Cow<'static, str>>> {
    match slot {
        Slot::Absent => Some(Vec::new()),
        Slot::Broken => None,
        Slot::Is(texts) => Some(texts.value.into_iter().map(|text| text.value.into_owned().into()).collect()),
    }
}
