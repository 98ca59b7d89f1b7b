//! What the program texts of other languages do, as effects.

use super::forks;
use crate::{
    code::{self, Does, Language, Started},
    effect::Target,
    lower::{Context, Lowering},
    vocabulary::{Marks, Verb},
    word::{Among, Part, Unknown, Word},
};

impl Lowering<'_> {
    /// What the program text of another language does.
    pub(in crate::lower) fn acts(
        &mut self,
        language: Language,
        source: &str,
        started: &Started,
        context: &Context,
    ) {
        let acts = code::acts_with(language, source, started);
        let deleted: Vec<String> = acts
            .iter()
            .filter_map(|act| match &act.does {
                Does::Delete { path, .. } => Some(texts(path)),
                _ => None,
            })
            .flatten()
            .collect();
        // What is done to a database in memory ends with the program.
        let in_memory = source.contains(":memory:");
        // Whatever the plumbing between: who connects to another machine and starts a shell hands it over.
        let reaches_out =
            acts.iter().any(|act| matches!(&act.does, Does::Connect(host) if !self.host(host).local));
        let context = &Context { wired: context.wired || reaches_out, ..context.clone() };
        if forks::forks_on(source) {
            self.say(Verb::Exhaust, Target::Nothing, Marks::NONE, context);
        }
        for mut act in acts {
            if in_memory && matches!(act.does, Does::Query(_) | Does::Wipe) {
                continue;
            }
            if let Does::Delete { path, .. } = &mut act.does {
                limited(path, source, &act.span);
                if !without_built(path, &deleted) {
                    continue;
                }
            }
            self.act(act.does, language, context);
        }
    }
}

/// The texts that a word is, or is one of.
fn texts(word: &Word) -> Vec<String> {
    match (word.constant(), word.parts.as_slice()) {
        (Some(text), _) => vec![text.into_owned()],
        (None, [Part::Unknown(Unknown { among: Among::These(words), .. })]) => {
            words.iter().filter_map(Word::constant).map(Into::into).collect()
        }
        (None, _) => Vec::new(),
    }
}

/// Takes `bin` out of what is deleted where `obj` beside it goes, too: together they are what .NET builds, and `bin` alone may
/// be anything. Answers whether something is left.
fn without_built(path: &mut Word, deleted: &[String]) -> bool {
    let plain = |text: &str| text.trim_start_matches("./").trim_end_matches(['/', '\\']).to_owned();
    let is_built = |text: &str| {
        plain(text).strip_suffix("bin").is_some_and(|parent| {
            (parent.is_empty() || parent.ends_with(['/', '\\']))
                && deleted.iter().any(|other| plain(other) == format!("{parent}obj"))
        })
    };
    if path.constant().is_some_and(|text| is_built(&text)) {
        return false;
    }
    if let [Part::Unknown(Unknown { among: Among::These(words), .. })] = path.parts.as_mut_slice() {
        let kept: Vec<Word> = words
            .iter()
            .filter(|word| !word.constant().is_some_and(|text| is_built(&text)))
            .cloned()
            .collect();
        *words = kept.into();
    }
    true
}

/// Limits what a loop deletes to the ending that it asks for: `if name.endswith(".pyc")`.
fn limited(path: &mut Word, source: &str, span: &std::ops::Range<usize>) {
    const NEAR: usize = 200;
    let start = span.start.saturating_sub(NEAR);
    let end = span.end.saturating_add(NEAR).min(source.len());
    let Some(Part::Glob(last)) = path.parts.last_mut() else { return };
    if !last.ends_with('*') {
        return;
    }
    let near: String = source.bytes().skip(start).take(end - start).map(char::from).collect();
    let asks = ["endswith(", "endsWith(", "end_with?(", ".suffix == ", "extname(f) == ", "extname(f) === "];
    let ending = asks.iter().find_map(|ask| {
        let (_, rest) = near.split_once(ask)?;
        let quote = rest.chars().next().filter(|char| matches!(char, '"' | '\''))?;
        let ending = rest.get(1..)?.split(quote).next()?;
        (ending.starts_with('.') && ending.chars().skip(1).all(char::is_alphanumeric))
            .then(|| ending.to_owned())
    });
    if let Some(ending) = ending {
        last.push_str(&ending);
    }
}
