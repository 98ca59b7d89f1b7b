//! `checkrein rules` and `checkrein effects`: the reference of the built-in rules, and of the words that rules are written in.
//!
//! Both are printed from the tables that the guard runs on, so they cannot differ from it.

use crate::{
    args::{Effects, Rules},
    commands::{doctor::ours, explain::grader},
    exit::ExitStatus,
    term::{data, out, style, wrap::fitted},
};
use anyhow::bail;
use checkrein::guard::{
    Action, Certainty, Domain, Environment, Grade, Modifier, Rule, Tag, Taint, Zone, glob_matches, graded,
    is_suppressible, rules,
};
use checkrein::{Decision, nearest::nearest};
use serde_json::{Value, json};

pub(crate) fn run(arguments: &Rules) -> anyhow::Result<ExitStatus> {
    let wanted = |rule: &&Rule| {
        let id = arguments.id.as_deref();
        id.is_none_or(|id| glob_matches(id, &rule.id) || rule.id.split('.').next() == Some(id))
    };
    let grades = grades();
    let found: Vec<&Rule> = rules().iter().filter(wanted).collect();
    if let (Some(id), true) = (&arguments.id, found.is_empty()) {
        bail!("there is no rule `{id}`{}", near(id));
    }
    if arguments.reference {
        data!("{}", reference().trim_end());
    } else if arguments.json {
        data!(
            "{}",
            style::json(
                json!({"rules": found.iter().map(|rule| rule_json(rule, &grades)).collect::<Value>()})
            )
        );
    } else if let ([rule], Some(_)) = (found.as_slice(), &arguments.id) {
        show(rule, &grades);
    } else {
        list(&found, &grades);
    }
    Ok(ExitStatus::Success)
}

/// Returns the grades of the layers. A configuration that is broken has none, and everything is denied anyway.
fn grades() -> Vec<Grade> {
    ours::stack().map(|stack| stack.grades()).unwrap_or_default()
}

/// Returns the decision of a rule that counts here, and a remark if a layer changed it.
fn decision(rule: &Rule, grades: &[Grade]) -> (Decision, Option<String>) {
    match graded(rule, grades) {
        Some(graded) => {
            let remark = format!("{} changed it, built in: {}", grader(graded.by), rule.decision);
            (graded.decision, Some(remark))
        }
        None => (rule.decision, None),
    }
}

/// Says which rules have the words of an id that does not exist.
fn near(id: &str) -> String {
    let word = id.rsplit('.').next().unwrap_or(id);
    let mut like =
        rules().iter().filter(|rule| rule.id.contains(word) && !word.is_empty()).map(|rule| &rule.id);
    match like.next() {
        Some(first) => format!("\n\nhint: did you mean `{first}`? `checkrein rules` lists all of them"),
        None => match nearest(id, rules().iter().map(|rule| rule.id.as_ref())) {
            Some(near) => format!("\n\nhint: did you mean `{near}`? `checkrein rules` lists all of them"),
            None => "\n\nhint: `checkrein rules` lists all of them".to_owned(),
        },
    }
}

fn list(found: &[&Rule], grades: &[Grade]) {
    let mut pack = "";
    let widest = found.iter().map(|rule| rule.id.len()).max().unwrap_or_default();
    for rule in found {
        let (own, _) = rule.id.split_once('.').unwrap_or((&rule.id, ""));
        if own != pack {
            if !pack.is_empty() {
                out!("");
            }
            pack = own;
        }
        let (decision, changed) = decision(rule, grades);
        let changed = changed.map(|changed| format!(" ({changed})")).unwrap_or_default();
        let mut lines = fitted(&format!("{}{changed}", rule.summary), widest + 8).into_iter();
        out!("{:5} {:widest$}  {}", decision.as_str(), rule.id, lines.next().unwrap_or_default());
        for line in lines {
            out!("{:1$}{line}", "", widest + 8);
        }
    }
    out!(
        "\n{} rules. `checkrein rules ID` shows one with examples, `checkrein effects` explains the words.",
        found.len()
    );
}

fn show(rule: &Rule, grades: &[Grade]) {
    let line = |name: &str, text: &str| {
        let mut lines = fitted(text, 12).into_iter();
        out!("{name:11} {}", lines.next().unwrap_or_default());
        lines.for_each(|line| out!("{:12}{line}", ""));
    };
    let (decision, changed) = decision(rule, grades);
    out!("{}  {decision}", rule.id);
    if let Some(changed) = changed {
        line("changed", &changed);
    }
    line("summary", &rule.summary);
    line("reason", &rule.reason);
    line("suggestion", &rule.suggestion);
    for template in rule.templates {
        line("", &format!("{}: {}", template.by, template.text));
    }
    for (name, words) in conditions(rule) {
        line(name, &words);
    }
    for example in rule.matches.iter() {
        line("matches", example);
    }
    for example in rule.not_matches.iter() {
        line("but not", example);
    }
    line(
        "exceptions",
        if is_suppressible(rule) { "possible: `checkrein allow`, or `[[exception]]`" } else { "none" },
    );
}

/// Returns the conditions of a rule, by key.
fn conditions(rule: &Rule) -> Vec<(&'static str, String)> {
    fn words<T>(members: impl Iterator<Item = T>, word: fn(T) -> &'static str) -> String {
        members.map(word).collect::<Vec<_>>().join(", ")
    }
    let texts = |texts: &[std::borrow::Cow<'static, str>]| texts.join(", ");
    let all = vec![
        ("effect", words(rule.actions.iter(), Action::as_str)),
        ("zone", words(rule.zones.iter(), Zone::as_str)),
        ("tag", words(rule.tags.iter(), Tag::as_str)),
        ("not_tag", words(rule.not_tags.iter(), Tag::as_str)),
        ("with", words(rule.with.iter(), Modifier::as_str)),
        ("with_any", words(rule.with_any.iter(), Modifier::as_str)),
        ("unless", words(rule.unless.iter(), Modifier::as_str)),
        ("data", words(rule.data.iter(), Taint::as_str)),
        ("not_data", words(rule.not_data.iter(), Taint::as_str)),
        ("domain", words(rule.domain.iter(), Domain::as_str)),
        ("not_domain", words(rule.not_domain.iter(), Domain::as_str)),
        ("environment", words(rule.environment.iter(), Environment::as_str)),
        ("not_environment", words(rule.not_environment.iter(), Environment::as_str)),
        ("certainty", words(rule.certainty.iter(), Certainty::as_str)),
        ("not_certainty", words(rule.not_certainty.iter(), Certainty::as_str)),
        ("programs", texts(&rule.programs)),
        ("target", texts(&rule.targets)),
    ];
    all.into_iter().filter(|(_, words)| !words.is_empty()).collect()
}

fn rule_json(rule: &Rule, grades: &[Grade]) -> Value {
    let changed = graded(rule, grades);
    let conditions: serde_json::Map<String, Value> =
        conditions(rule).into_iter().map(|(name, words)| (name.to_owned(), words.into())).collect();
    json!({
        "id": rule.id,
        "decision": changed.map_or(rule.decision, |changed| changed.decision).as_str(),
        "built_in": rule.decision.as_str(),
        "changed_by": changed.map(|changed| grader(changed.by)),
        "summary": rule.summary,
        "reason": rule.reason,
        "suggestion": rule.suggestion,
        "conditions": conditions,
        "match": rule.matches,
        "not_match": rule.not_matches,
        "overridable": is_suppressible(rule),
        "recoverable": rule.recoverable,
    })
}

/// A kind of words, as rules name its key, with each word and its meaning.
type Vocabulary = (&'static str, &'static str, Vec<(&'static str, &'static str)>);

fn vocabularies() -> Vec<Vocabulary> {
    macro_rules! words {
        ($type:ident) => {
            $type::ALL.iter().map(|word| (word.as_str(), word.about())).collect()
        };
    }
    vec![
        ("effect", "What a call would do.", words!(Action)),
        ("with, with_any, unless", "How it is done.", words!(Modifier)),
        ("zone", "Where a path is.", words!(Zone)),
        ("tag", "What a path is.", words!(Tag)),
        ("data", "Where the data comes from.", words!(Taint)),
        ("domain", "Which kind of system it is in.", words!(Domain)),
        ("environment", "Which environment it happens in.", words!(Environment)),
        ("certainty", "What is not certain about it.", words!(Certainty)),
    ]
}

/// Runs `checkrein effects`.
pub(crate) fn effects(arguments: &Effects) -> anyhow::Result<ExitStatus> {
    let mut vocabularies = vocabularies();
    for (keys, _, words) in &mut vocabularies {
        let is_wanted = |word: &str| arguments.word.as_deref().is_none_or(|wanted| wanted == word);
        if !keys.split(", ").any(is_wanted) {
            words.retain(|(word, _)| is_wanted(word));
        }
    }
    vocabularies.retain(|(_, _, words)| !words.is_empty());
    if let (Some(word), true) = (&arguments.word, vocabularies.is_empty()) {
        bail!("there is no word `{word}`\n\nhint: {}", near_word(word));
    }
    if arguments.json {
        let rows: Vec<Value> = vocabularies
            .iter()
            .flat_map(|(key, _, words)| {
                words.iter().map(move |(word, about)| json!({"key": key, "word": word, "meaning": about}))
            })
            .collect();
        data!("{}", style::json(json!({"words": rows})));
        return Ok(ExitStatus::Success);
    }
    for (place, (key, about, words)) in vocabularies.iter().enumerate() {
        if place > 0 {
            out!("");
        }
        out!("{key}: {about}");
        for (word, meaning) in words {
            let mut lines = fitted(meaning, 20).into_iter();
            out!("  {word:16}  {}", lines.next().unwrap_or_default());
            lines.for_each(|line| out!("{:20}{line}", ""));
        }
    }
    Ok(ExitStatus::Success)
}

/// Says which word is meant by one that does not exist.
fn near_word(word: &str) -> String {
    if let Some(action) = Action::of_everyday_word(word) {
        return format!("`{word}` is the effect `{action}`");
    }
    let vocabularies = vocabularies();
    let words = vocabularies.iter().flat_map(|(_, _, words)| words.iter().map(|(word, _)| *word));
    let keys = vocabularies.iter().flat_map(|(keys, ..)| keys.split(", "));
    match nearest(word, words.chain(keys)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`checkrein effects` lists all of them; `checkrein explain COMMAND` shows those of a command"
            .to_owned(),
    }
}

/// The page `docs/rules.md`.
fn reference() -> String {
    let mut page = String::from(
        "# Rules reference\n\nThis page is generated from the guard's tables (`checkrein rules --reference`). `checkrein rules ID` shows one \
         rule in the terminal, `checkrein effects` the words that rules are written in, and `checkrein explain COMMAND` which of them apply \
         to a command.\n\nA rule that **denies** is about what cannot be undone or is never needed; one that **asks** is about what is \
         risky but normal. `checkrein allow CODE` overrides a rule for one call, a session or a directory, except where the table \
         says that there are no exceptions. A **recoverable** rule is not raised if everything that it is about was kept \
         before the call ([undo](undo.md)).\n\n## Rules\n",
    );
    let mut pack = "";
    for rule in rules() {
        let (own, _) = rule.id.split_once('.').unwrap_or((&rule.id, ""));
        if own != pack {
            pack = own;
            page.push_str(&format!("\n### {pack}\n\n| rule | decision | what | suggestion | example |\n| --- | --- | --- | --- | --- |\n"));
        }
        let example = rule.matches.first().map(|text| code(text)).unwrap_or_default();
        let fixed = match (is_suppressible(rule), rule.recoverable) {
            (false, _) => ", no exceptions",
            (true, true) => ", recoverable",
            (true, false) => "",
        };
        page.push_str(&format!(
            "| `{}` | {}{fixed} | {} | {} | {example} |\n",
            rule.id,
            rule.decision,
            cell(&rule.summary),
            cell(&rule.suggestion),
        ));
    }
    page.push_str(
        "\n## Words\n\nThe keys of `[[rule]]` take these words ([configuration](configuration.md)).\n",
    );
    for (key, about, words) in vocabularies() {
        page.push_str(&format!("\n### {key}\n\n{about}\n\n| word | meaning |\n| --- | --- |\n"));
        for (word, meaning) in words {
            page.push_str(&format!("| `{word}` | {} |\n", cell(meaning)));
        }
    }
    page
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// A command in a table, whatever characters it has.
fn code(text: &str) -> String {
    let ticks = if text.contains('`') { "``" } else { "`" };
    format!("{ticks}{}{ticks}", cell(&style::one_line(text)))
}
