//! `[[rule]]`: a decision about effects, in the vocabulary of the built-in rules.
//!
//! A rule can only ask or deny, and it runs nothing, so it can only make an answer stricter. A project's rules therefore
//! count without trust. Texts are short, have one line and no control characters, and show by their id which
//! layer they come from. What a project writes into them is not repeated to a model or in a question at all, since it would be
//! read as our word: there, [`in_our_words`] is what such a rule says.

mod allow;
mod examples;
mod exception;
mod record;

pub(crate) use examples::Examples;
pub(crate) use record::{
    allow_rule_from_json, allow_rule_to_json, exception_from_json, exception_to_json, from_json, to_json,
};
#[cfg(test)]
pub(crate) use {allow::KEYS as ALLOW_KEYS, exception::KEYS as EXCEPTION_KEYS};

use crate::config::{
    layer::Layer,
    raw::{At, Reader, Slot, Texts, one_of},
    renamed,
    tree::{Node, Span, Value},
};
use checkrein_core::{
    Decision,
    nearest::nearest,
    sanitize::{is_prose, prose},
};
use checkrein_guard::{
    Action, Actions, Certainties, Certainty, Domain, Domains, Environment, Environments, Modifier, Modifiers,
    Rule, Tag, Tags, Taint, Taints, Zone, Zones, work,
};
use std::{borrow::Cow, collections::HashSet};

/// The keys of a rule.
pub(crate) const KEYS: &[&str] = &[
    "id",
    "effect",
    "zone",
    "tag",
    "not_tag",
    "with",
    "with_any",
    "unless",
    "data",
    "not_data",
    "domain",
    "not_domain",
    "environment",
    "not_environment",
    "certainty",
    "not_certainty",
    "programs",
    "target",
    "decision",
    "reason",
    "summary",
    "suggestion",
    "match",
    "not_match",
];

/// Those of them that hold one text.
const LINES: &[&str] = &["id", "decision", "reason", "summary", "suggestion"];

/// The longest text that is shown, or pattern, and the longest id, in characters.
const LONGEST_TEXT: usize = 300;
const LONGEST_ID: usize = 60;

/// A rule, an exception or an allow rule as it is written. Keys that hold one word or a list of them are lists here.
#[derive(Debug)]
struct Written<'t> {
    /// Where it begins.
    span: Span,
    fields: Vec<(&'static str, Slot<Texts<'t>>)>,
}

impl<'t> Written<'t> {
    /// Returns what is written for a key.
    fn take(&mut self, key: &str) -> Slot<Texts<'t>> {
        let place = self.fields.iter().position(|(known, _)| *known == key);
        place.map_or(Slot::Absent, |place| self.fields.swap_remove(place).1)
    }
}

/// What a rule needs, and an example of it.
const NEEDED: [(&str, &str); 4] = [
    ("id", "id = \"no-push-to-main\""),
    ("effect", "effect = \"send\""),
    ("decision", "decision = \"deny\""),
    ("reason", "reason = \"pushes to main go through a review\""),
];

impl<'t> Reader<'_, 't> {
    /// Understands every rule of the list.
    pub(crate) fn rules(&mut self, node: Node<'t>, key_span: &Span, examples: Examples) -> Vec<Rule> {
        let mut ids = HashSet::new();
        let mut spent = 0;
        let understand = |reader: &mut Self, node| {
            let written = reader.written_table(node, KEYS, LINES)?;
            let (rule, shown) = reader.rule(written, &mut ids)?;
            if examples == Examples::Checked {
                reader.examples(&rule, &shown, &mut spent);
            }
            Some(rule)
        };
        // All examples of a file may make as much work as one call.
        work::one_call(|| self.tables("rule", node, key_span, understand))
    }

    /// Understands every table of a list.
    fn tables<T>(
        &mut self,
        table: &'static str,
        node: Node<'t>,
        key_span: &Span,
        mut understand: impl FnMut(&mut Self, Node<'t>) -> Option<T>,
    ) -> Vec<T> {
        let Value::List(list) = node.value else {
            let message = format!("expected a list of tables, found {}", self.notation.type_of(&node.value));
            let hint = format!("write `[[{table}]]`, and what it is about below it");
            self.report.add(table, key_span, &message, Some(&hint));
            return Vec::new();
        };
        self.table = table;
        let most = self.bounds.tables;
        if list.len() > most {
            let message =
                format!("{} times `[[{table}]]`, and a file of this layer may have {most}", list.len());
            self.report.add(table, key_span, &message, None);
        }
        let mut tables = Vec::new();
        for (index, node) in list.into_iter().take(most).enumerate() {
            if self.report.is_full() {
                break;
            }
            self.index = index;
            tables.extend(understand(self, node));
        }
        self.table = "hook";
        tables
    }

    /// Reads one table with these keys, of which `lines` hold one text; `None` if it is not even a table.
    fn written_table(
        &mut self,
        node: Node<'t>,
        keys: &[&'static str],
        lines: &[&'static str],
    ) -> Option<Written<'t>> {
        let Value::Table(fields) = node.value else {
            self.mismatch::<()>("", &node, self.notation.table());
            return None;
        };
        let mut written = Written { span: node.span, fields: Vec::new() };
        for field in fields {
            match self.known_key(&field, "", keys) {
                Ok(key) if lines.contains(&key) => {
                    let slot = match self.text(key, field.node) {
                        Slot::Is(At { span, value }) => {
                            Slot::Is(At { span: span.clone(), value: vec![At { span, value }] })
                        }
                        Slot::Absent => Slot::Absent,
                        Slot::Broken => Slot::Broken,
                    };
                    written.fields.push((key, slot));
                }
                Ok(key) => {
                    let mut slot = self.one_or_more(key, field.node);
                    if let Slot::Is(At { span, value }) = &slot
                        && value.is_empty()
                    {
                        self.problem(
                            key,
                            span,
                            "the list is empty",
                            Some("leave the key out to say nothing"),
                        );
                        slot = Slot::Broken;
                    }
                    written.fields.push((key, slot));
                }
                // What was meant is there, so it must not be missed as well.
                Err(meant) => written.fields.extend(meant.map(|key| (key, Slot::Broken))),
            }
        }
        Some(written)
    }

    /// Misses keys that must be there. `what` is missing them, and each has an example.
    fn needs(&mut self, what: &str, written: &Written<'_>, needed: &[(&str, &str)]) {
        for (key, example) in needed {
            if !written.fields.iter().any(|(known, _)| known == key) {
                let hint = format!("for example `{example}`");
                self.problem("", &written.span, &format!("{what} needs `{key}`"), Some(&hint));
            }
        }
    }

    fn line_of(&self, written: &Written<'_>) -> u32 {
        u32::try_from(self.report.line(&written.span)).unwrap_or(u32::MAX)
    }

    /// Understands one rule, and says where its examples stand.
    fn rule(&mut self, mut written: Written<'_>, ids: &mut HashSet<String>) -> Option<(Rule, Shown)> {
        self.needs("a rule", &written, &NEEDED);
        let id = self.id(written.take("id"), ids);
        let actions =
            self.words("effect", "effect", written.take("effect"), Action::of, Action::ALL, Action::as_str);
        let zones = self.words("zone", "zone", written.take("zone"), Zone::of, Zone::ALL, Zone::as_str);
        let mut tags = |key| self.words(key, "tag", written.take(key), Tag::of, Tag::ALL, Tag::as_str);
        let (is, not) = (tags("tag"), tags("not_tag"));
        let mut modifiers = |key| {
            self.words(key, "modifier", written.take(key), Modifier::of, Modifier::ALL, Modifier::as_str)
        };
        let (with, with_any, unless) = (modifiers("with"), modifiers("with_any"), modifiers("unless"));
        let mut taints =
            |key| self.words(key, "data", written.take(key), Taint::of, Taint::ALL, Taint::as_str);
        let (data, not_data) = (taints("data"), taints("not_data"));
        let mut domains =
            |key| self.words(key, "domain", written.take(key), Domain::of, Domain::ALL, Domain::as_str);
        let (domain, not_domain) = (domains("domain"), domains("not_domain"));
        let mut environments = |key| {
            let slot = written.take(key);
            self.words(key, "environment", slot, Environment::of, Environment::ALL, Environment::as_str)
        };
        let (environment, not_environment) = (environments("environment"), environments("not_environment"));
        let mut certainties = |key| {
            self.words(key, "certainty", written.take(key), Certainty::of, Certainty::ALL, Certainty::as_str)
        };
        let (certainty, not_certainty) = (certainties("certainty"), certainties("not_certainty"));
        let programs = self.patterns_of("programs", written.take("programs"));
        let targets = self.patterns_of("target", written.take("target"));
        let decision = self.decision(written.take("decision"));
        let reason = self.line("reason", written.take("reason"));
        let summary = self.line("summary", written.take("summary"));
        let suggestion = self.line("suggestion", written.take("suggestion"));
        let (matches, not_matches) = (written.take("match"), written.take("not_match"));
        let shown = Shown { matches: spans(&matches), not_matches: spans(&not_matches) };
        let line = self.line_of(&written);
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
            ..Rule::new(
                format!("{}.{}", prefix(self.layer), id?).into(),
                Actions::of(&actions?),
                decision?,
                reason?.into(),
            )
        };
        Some((rule, shown))
    }

    fn id(&mut self, id: Slot<Texts<'_>>, ids: &mut HashSet<String>) -> Option<String> {
        let At { span, value } = only(id)?;
        let fits = |c: char| c == '-' || c.is_ascii_lowercase() || c.is_ascii_digit();
        if value.is_empty() || value.starts_with('-') || !value.chars().all(fits) || value.len() > LONGEST_ID
        {
            let message = format!("`{value}` is no id");
            let hint = format!("up to {LONGEST_ID} small letters, digits and `-`, such as `no-push-to-main`");
            self.problem("id", &span, &message, Some(&hint));
            return None;
        }
        if !ids.insert(value.clone().into_owned()) {
            self.problem("id", &span, &format!("another rule of this file has the id `{value}`"), None);
        }
        Some(value.into_owned())
    }

    /// Words of a vocabulary of the guard.
    fn words<T: Copy>(
        &mut self,
        key: &str,
        what: &str,
        slot: Slot<Texts<'_>>,
        of: fn(&str) -> Option<T>,
        all: &[T],
        as_str: fn(T) -> &'static str,
    ) -> Option<Vec<T>> {
        let words = match slot {
            Slot::Absent => return Some(Vec::new()),
            Slot::Broken => return None,
            Slot::Is(words) => words.value,
        };
        let mut known = Some(Vec::new());
        for At { span, value } in words {
            match (of(&value), &mut known) {
                (Some(word), Some(known)) => known.push(word),
                (Some(_), None) => {}
                (None, _) => {
                    let near = || nearest(&value, all.iter().map(|word| as_str(*word)));
                    let new = renamed::word(&value);
                    let hint = match renamed::key_of_word(key, new.unwrap_or(&value)) {
                        Some(own) => format!("write `{own} = \"{}\"`", new.unwrap_or(&value)),
                        None => match new.map(Cow::Borrowed).or_else(|| near().map(Cow::from)) {
                            Some(near) => format!("did you mean `{near}`?"),
                            None => "`checkrein explain COMMAND` shows the words for what a command does"
                                .to_owned(),
                        },
                    };
                    self.problem(key, &span, &format!("unknown {what} `{value}`"), Some(&hint));
                    known = None;
                }
            }
        }
        known
    }

    fn patterns_of(&mut self, key: &str, slot: Slot<Texts<'_>>) -> Option<Vec<Cow<'static, str>>> {
        if let Slot::Is(patterns) = &slot {
            let Some(left) = self.bounds.rule_patterns.checked_sub(patterns.value.len()) else {
                let message = "the rules of this file have too many patterns together";
                self.problem(key, &patterns.span, message, Some("`*` stands for any text"));
                return None;
            };
            self.bounds.rule_patterns = left;
            for At { span, value } in &patterns.value {
                if value.trim().is_empty() {
                    self.problem(key, span, "the pattern is empty", Some("`*` fits everything"));
                } else if value.chars().nth(LONGEST_TEXT).is_some() {
                    let message = format!("the pattern is longer than {LONGEST_TEXT} characters");
                    self.problem(key, span, &message, None);
                }
            }
        }
        texts(slot)
    }

    fn decision(&mut self, slot: Slot<Texts<'_>>) -> Option<Decision> {
        let At { span, value } = only(slot)?;
        let decisions = [Decision::Ask, Decision::Deny];
        let known = decisions.into_iter().find(|decision| decision.as_str() == value);
        if known.is_none() {
            let words = decisions.map(Decision::as_str);
            let message = format!("unknown decision `{value}`, expected {}", one_of(&words));
            let hint = match &*value {
                "allow" => Some("a rule can only make answers stricter".to_owned()),
                other => nearest(other, words).map(|near| format!("did you mean `{near}`?")),
            };
            self.problem("decision", &span, &message, hint.as_deref());
        }
        known
    }

    /// A text that is shown; empty if there is none.
    fn line(&mut self, key: &str, slot: Slot<Texts<'_>>) -> Option<String> {
        let At { span, value } = match slot {
            Slot::Absent => return Some(String::new()),
            Slot::Broken => return None,
            slot @ Slot::Is(_) => only(slot)?,
        };
        let problem = if value.trim().is_empty() {
            Some("the text is empty".to_owned())
        } else if value.contains('\n') || !is_prose(&value) {
            Some("the text holds a line break, or a character that is not shown".to_owned())
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

/// Where the examples of a rule stand in the text.
#[derive(Debug)]
struct Shown {
    matches: Vec<Span>,
    not_matches: Vec<Span>,
}

/// A project's rule as it is asked: it is about the same, and says nothing of its own.
pub(crate) fn in_our_words(rule: &Rule) -> Rule {
    const REASON: &str = "a rule of this project, which nobody has trusted, objects";
    Rule { reason: REASON.into(), summary: REASON.into(), suggestion: "".into(), ..rule.clone() }
}

/// Returns whether a rule came with a project.
pub(crate) fn is_of_a_project(rule: &Rule) -> bool {
    let layer = rule.id.split_once('.').map(|(layer, _)| layer);
    layer == Some(prefix(Layer::Project))
}

/// Returns what stands before the ids of a layer's rules.
pub(crate) const fn prefix(layer: Layer) -> &'static str {
    match layer {
        Layer::Managed => "managed",
        Layer::User => "user",
        Layer::Project => "project",
        // The word in listings is an option of the command line, and no word for an id.
        Layer::Flag => "config",
    }
}

/// The one text of a key that holds no list.
fn only(slot: Slot<Texts<'_>>) -> Option<At<Cow<'_, str>>> {
    slot.value()?.value.into_iter().next()
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
