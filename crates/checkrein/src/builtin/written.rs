//! What is in a file that a tool writes, if somebody runs it.
//!
//! To write a script is not to run it, so what would be denied is asked about: a person who reads it may well want it. A part
//! of a file does not say what its variables are, and a file does not say with which arguments it is called. What depends on
//! those is no reason to ask, and neither is what cannot be read.

use super::together;
use checkrein_core::Decision;
use checkrein_guard::{
    CallPlace, Finding, Judgement, MAX_BYTES, Mark, Marks, Verb, World, judge, judge_argv,
};
use serde_json::Value;

/// How a program is run whose text is in a file of this ending.
const LANGUAGES: &[(&str, &[&str])] = &[
    ("py", &["python3", "-c"]),
    ("ipynb", &["python3", "-c"]),
    ("rb", &["ruby", "-e"]),
    ("pl", &["perl", "-e"]),
    ("js", &["node", "-e"]),
    ("mjs", &["node", "-e"]),
    ("cjs", &["node", "-e"]),
    ("ts", &["tsx", "-e"]),
    ("php", &["php", "-r"]),
    ("lua", &["lua", "-e"]),
    ("ps1", &["pwsh", "-Command"]),
    ("applescript", &["osascript", "-e"]),
];

/// Endings of scripts for shells.
const SHELLS: &[&str] = &["sh", "bash", "zsh", "ksh", "command", "bats", "envrc"];

/// What the commands in a file would come to, if that is worth a question.
pub(super) fn judged(path: &str, content: &str, place: &CallPlace, world: &dyn World) -> Option<Judgement> {
    if content.len() > MAX_BYTES {
        return None;
    }
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let said: Vec<Judgement> = if name == "package.json" {
        scripts(content).iter().map(|script| judge(script, place, world)).collect()
    } else if SHELLS.contains(&ending) || shebang(content).is_some_and(|program| program.ends_with("sh")) {
        vec![judge(content, place, world)]
    } else {
        let by_name = LANGUAGES.iter().find(|(known, _)| *known == ending).map(|(_, words)| *words);
        let words = by_name.or_else(|| {
            let program = shebang(content)?;
            let fits = |words: &&[&str]| {
                words.first().is_some_and(|known| program.starts_with(known.trim_end_matches('3')))
            };
            LANGUAGES.iter().map(|(_, words)| *words).find(fits)
        })?;
        let words: Vec<String> = words.iter().copied().chain([content]).map(str::to_owned).collect();
        vec![judge_argv(&words, place, world)]
    };
    let findings =
        said.iter().flat_map(|judgement| judgement.findings.iter().map(move |finding| (judgement, finding)));
    let worst = findings
        .filter(|(judgement, finding)| finding.rule.decision == Decision::Deny && is_told(judgement, finding))
        .map(|(_, finding)| finding)
        .next()?;
    Some(together::script(&worst.rule))
}

/// Whether the text itself says so, and not what somebody else puts into it.
fn is_told(judgement: &Judgement, finding: &Finding) -> bool {
    let open =
        Marks::of(&[Mark::Unknown, Mark::EmptyVariable, Mark::TooMuch, Mark::Unreadable, Mark::AnyProgram]);
    judgement
        .effects
        .get(finding.effect)
        .is_some_and(|effect| effect.verb != Verb::Opaque && !effect.marks.has_any(open))
}

/// The program that the first line of a script names.
fn shebang(content: &str) -> Option<&str> {
    let line = content.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    words.find(|word| *word != "env" && !word.starts_with('-'))
}

/// The scripts of a package.
fn scripts(content: &str) -> Vec<String> {
    let Ok(Value::Object(package)) = serde_json::from_str::<Value>(content) else { return Vec::new() };
    let Some(Value::Object(scripts)) = package.get("scripts") else { return Vec::new() };
    scripts.values().filter_map(Value::as_str).map(str::to_owned).collect()
}
