//! `rules/*.toml`: decisions about effects.

use super::{
    constant,
    document::{Problem, Result, Section, Text},
    usual::Places,
    words::{member, set, unknown},
};
use crate::vocabulary::{Action, Certainty, Domain, Environment, Modifier, Tag, Taint, Zone};
use std::{collections::BTreeMap, fmt::Write, path::Path};

/// The keys of a rule.
const KEYS: [&str; 27] = [
    "id",
    "effect",
    "zone",
    "tag",
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
    "not_tag",
    "programs",
    "target",
    "decision",
    "reason",
    "summary",
    "phrase",
    "suggestion",
    "templates",
    "recoverable",
    "match",
    "not_match",
];

/// The source of a rule, and of the effects that it is about.
#[derive(Clone)]
struct Rule {
    actions: Vec<String>,
    source: String,
}

pub(super) fn table(files: &[Section], programs: &Places) -> Result<String> {
    let mut rules = Vec::new();
    for file in files {
        file.only(&["about", "rule"])?;
        for entry in file.sections("rule")? {
            rules.push(rule(&entry, file.stem(), programs)?);
        }
    }
    let rules = repeated(rules)?;
    // By effect, so that an effect is compared with the rules that can be about it.
    let mut by_action: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, rule) in rules.iter().enumerate() {
        rule.actions.iter().for_each(|action| by_action.entry(action).or_default().push(place));
    }
    let arms = by_action.iter().fold(String::new(), |mut arms, (action, places)| {
        let _infallible = write!(arms, "{action} => &{places:?}, ");
        arms
    });
    let sources: Vec<String> = rules.into_iter().map(|rule| rule.source).collect();
    Ok(format!(
        "pub(crate) fn rules_of(action: Action) -> &'static [u16] {{ #[allow(unreachable_patterns, reason = \"generated\")] \
         match action {{ {arms} _ => &[] }} }}\n{}",
        constant("rules", "&[Rule]", &format!("&[{}]", sources.join(",\n")))
    ))
}

/// The variable with which `cargo xtask bench` repeats every rule, to measure the cost of a policy that is ten times
/// as large. A release is built without it.
const REPEAT: &str = "CHECKREIN_REPEAT_RULES";

/// Returns the rules, and as often as is wanted the same again under other ids, since two of one id would be taken for one.
fn repeated(rules: Vec<Rule>) -> Result<Vec<Rule>> {
    println!("cargo::rerun-if-env-changed={REPEAT}");
    let Some(times) = std::env::var_os(REPEAT) else { return Ok(rules) };
    let times = times.to_str().and_then(|times| times.parse::<usize>().ok());
    let times = times.ok_or_else(|| Problem::about(Path::new(REPEAT), "expected a number"))?;
    let mut all = rules.clone();
    for number in 1..times {
        all.extend(rules.iter().map(|rule| Rule {
            source: rule.source.replacen(
                "id: Cow::Borrowed(\"",
                &format!("id: Cow::Borrowed(\"copy-{number}."),
                1,
            ),
            ..rule.clone()
        }));
    }
    Ok(all)
}

fn rule(entry: &Section, pack: &str, programs: &Places) -> Result<Rule> {
    entry.only(&KEYS)?;
    let id = entry.need("id")?;
    let effects = entry.strings("effect")?;
    if effects.is_empty() {
        return Err(id.problem("`effect` is missing"));
    }
    let actions = effects.iter().map(|effect| member::<Action>(*effect)).collect::<Result<_>>()?;
    let list = |key: &str| entry.strings(key);
    let source = format!(
        "Rule {{ id: Cow::Borrowed(\"{pack}.{}\"), line: {}, actions: {}, zones: {}, tags: {}, not_tags: {}, with: {}, with_any: {}, unless: {}, \
         data: {}, not_data: {}, domain: {}, not_domain: {}, environment: {}, not_environment: {}, certainty: {}, not_certainty: {}, \
         programs: {}, targets: {}, decision: {}, reason: Cow::Borrowed({:?}), summary: Cow::Borrowed({:?}), \
         phrase: Cow::Borrowed({:?}), suggestion: Cow::Borrowed({:?}), templates: &[{}], recoverable: {}, matches: {}, not_matches: {} }}",
        id.text,
        id.place.line(),
        set::<Action>(&effects)?,
        set::<Zone>(&list("zone")?)?,
        set::<Tag>(&list("tag")?)?,
        set::<Tag>(&list("not_tag")?)?,
        set::<Modifier>(&list("with")?)?,
        set::<Modifier>(&list("with_any")?)?,
        set::<Modifier>(&list("unless")?)?,
        set::<Taint>(&list("data")?)?,
        set::<Taint>(&list("not_data")?)?,
        set::<Domain>(&list("domain")?)?,
        set::<Domain>(&list("not_domain")?)?,
        set::<Environment>(&list("environment")?)?,
        set::<Environment>(&list("not_environment")?)?,
        set::<Certainty>(&list("certainty")?)?,
        set::<Certainty>(&list("not_certainty")?)?,
        borrowed(&known_programs(list("programs")?, programs)?),
        borrowed(&list("target")?),
        decision(entry.need("decision")?)?,
        entry.need("reason")?.text,
        entry.need("summary")?.text,
        entry.need("phrase")?.text,
        entry.need("suggestion")?.text,
        templates(entry)?,
        entry.flag("recoverable")?,
        borrowed(&list("match")?),
        borrowed(&list("not_match")?),
    );
    Ok(Rule { actions, source })
}

/// The suggestions of a rule that fit one program, each with the program that it is for.
fn templates(entry: &Section) -> Result<String> {
    let mut templates = Vec::new();
    for template in entry.sections("templates")? {
        template.only(&["by", "text"])?;
        let (by, text) = (template.need("by")?.text, template.need("text")?.text);
        templates.push(format!("Template {{ by: {by:?}, text: {text:?} }}"));
    }
    Ok(templates.join(", "))
}

fn borrowed(items: &[Text]) -> String {
    let items: Vec<String> = items.iter().map(|item| format!("Cow::Borrowed({:?})", item.text)).collect();
    format!("Cow::Borrowed(&[{}])", items.join(", "))
}

/// Fails if a rule names a program that no table has: it would never match.
fn known_programs(names: Vec<Text>, programs: &Places) -> Result<Vec<Text>> {
    match names.iter().find(|name| {
        !name.text.contains(['*', '?', '[']) && !programs.names().any(|known| known == name.text)
    }) {
        Some(name) => Err(unknown("program", *name, programs.names())),
        None => Ok(names),
    }
}

/// Returns the source of a decision. No rule of the guard allows.
fn decision(word: Text) -> Result<&'static str> {
    match word.text {
        "deny" => Ok("Decision::Deny"),
        "ask" => Ok("Decision::Ask"),
        _ => Err(unknown("decision", word, ["deny", "ask"])),
    }
}
