//! A download that would be run right away is kept in a file and shown instead: the shell at the end becomes `tee FILE`.

use super::text::Scene;
use checkrein_guard::{
    CommandId, Edits, Input, NewWord, Output, Part, SimpleCommand, UnknownSource, Word, quoted_if_needed,
    read, shown,
};
use sha2::{Digest, Sha256};

/// The rule that objects to it.
const RULE: &str = "execution.run-download";

/// Returns the text that shows the download; `None` if the command has an unknown form.
pub(super) fn change(scene: &Scene<'_>) -> Option<String> {
    let mut found = scene.judgement().findings.iter().filter(|finding| finding.rule.id == RULE);
    let finding = found.next()?;
    let effect = scene.judgement().effects.get(finding.effect)?;
    let runs = &scene.judgement().ran.get(effect.by)?.words;
    let (id, simple) = runner(scene, runs)?;
    // Commands after it would run without what the download was meant to install.
    let is_last = scene
        .script
        .commands
        .iter()
        .all(|other| other.span.start <= simple.span.start || inside(other, simple));
    let is_shown = matches!(simple.stdout, Output::Inherited)
        && simple.assignments.is_empty()
        && simple.redirects.iter().all(|redirect| redirect.descriptor == Some(2));
    if !is_last || !is_shown {
        return None;
    }
    match (&simple.stdin, substituted(scene, simple)) {
        (Input::Pipe(_), None) => {
            let words = ["tee".to_owned(), file(scene.text)].map(NewWord::New);
            scene.with(&vec![(id, words.to_vec())])
        }
        (Input::Inherited, Some(inner)) if simple.redirects.is_empty() => {
            let file = quoted_if_needed(&file(inner));
            let mut edits = Edits::default();
            edits.replace(simple.span.clone(), format!("{inner} | tee {file}"));
            edits.apply(scene.text).filter(|new| ends_with_tee(new))
        }
        _ => None,
    }
}

/// The command that runs the download, by the words that the guard saw: these may be behind others.
fn runner<'s>(scene: &'s Scene<'_>, words: &[String]) -> Option<(CommandId, &'s SimpleCommand)> {
    let ends = |simple: &SimpleCommand| {
        let all: Vec<String> = simple.words.iter().map(shown).collect();
        all.ends_with(words)
    };
    let mut found = scene.script.commands.iter().enumerate().filter(|(_, simple)| ends(simple));
    let (at, simple) = found.next()?;
    found.next().is_none().then_some((CommandId(at), simple))
}

/// Returns true if a command is written inside the words of another.
fn inside(inner: &SimpleCommand, outer: &SimpleCommand) -> bool {
    outer.span.start <= inner.span.start && inner.span.end <= outer.span.end
}

/// The source of the one substitution whose output is run: `sh -c "$(…)"`, `bash <(…)`, `eval "$(…)"`.
fn substituted<'t>(scene: &Scene<'t>, simple: &SimpleCommand) -> Option<&'t str> {
    let is_output = |word: &Word| {
        matches!(word.parts.as_slice(), [Part::Unknown(unknown)]
            if matches!(unknown.why, UnknownSource::Substitution(_) | UnknownSource::Process(_)))
    };
    let mut unknown = simple.words.iter().filter(|word| word.is_unknown());
    let word = unknown.next().filter(|word| is_output(word))?;
    if unknown.next().is_some() {
        return None;
    }
    let source = scene.text.get(word.span.clone())?.trim_matches('"');
    let inner = source.strip_prefix("$(").or_else(|| source.strip_prefix("<("))?.strip_suffix(')')?.trim();
    (!inner.is_empty()).then_some(inner)
}

/// Returns true if a text is understood and its last command saves and shows its input.
fn ends_with_tee(text: &str) -> bool {
    let script = read(text, &checkrein_guard::ShellEnv::default());
    let is_tee = |simple: &SimpleCommand| {
        simple.words.first().and_then(Word::constant).is_some_and(|word| word == "tee")
            && matches!(simple.stdin, Input::Pipe(_))
    };
    script.opaque.is_empty() && script.commands.last().is_some_and(is_tee)
}

/// A file that has the same name for the same download.
fn file(text: &str) -> String {
    let digest: String =
        Sha256::digest(text.as_bytes()).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    std::env::temp_dir().join(format!("download-{digest}.sh")).display().to_string()
}
