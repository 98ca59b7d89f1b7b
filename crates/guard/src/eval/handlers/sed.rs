//! `sed`: the script, and the files that it changes in place.

use super::{WordReader, long_option};
use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call, typed::TYPED},
    qualities::qualities,
    vocabulary::{Action, Modifier},
};
use checkrein_code::{Language, Started};
use checkrein_shell::Word;

/// Its long options.
const LONG: &[&str] = &[
    "debug",
    "expression",
    "file",
    "follow-symlinks",
    "help",
    "in-place",
    "line-length",
    "null-data",
    "posix",
    "quiet",
    "regexp-extended",
    "sandbox",
    "separate",
    "silent",
    "unbuffered",
    "version",
    "zero-terminated",
];

/// Follows `sed`.
pub(in crate::eval) fn sed(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let mut reader = WordReader::new(rest);
    let (mut scripts, mut files, mut in_place) = (Vec::new(), Vec::new(), false);
    let mut programs: Vec<Word> = Vec::new();
    let mut given = false;
    while let Some(word) = reader.next() {
        let mut lead = word.lead().to_owned();
        let mut word = word.clone();
        if let Some(long) = lead.strip_prefix("--") {
            let name = long.split('=').next().unwrap_or_default();
            let meant = format!("--{}", long_option(name, LONG));
            if meant.len() != name.len() + 2 {
                let value = word.skip(name.len() + 2);
                word = Word::text(&meant, word.span.clone());
                value.parts.into_iter().for_each(|part| word.push(part));
                lead = word.lead().to_owned();
            }
        }
        match lead.as_str() {
            "-e" | "--expression" => {
                given = true;
                scripts.extend(reader.next().cloned());
            }
            "-f" | "--file" => {
                given = true;
                programs.extend(reader.next().cloned());
            }
            _ if lead.starts_with("--file=") => {
                given = true;
                programs.push(word.skip("--file=".len()));
            }
            "-l" | "--line-length" => drop(reader.next()),
            "--help" | "--version" => return Flow::default(),
            _ if lead.starts_with("--expression=") => {
                given = true;
                scripts.push(word.skip("--expression=".len()));
            }
            _ if lead.starts_with("--in-place") => in_place = true,
            _ if lead.starts_with("--") => {}
            _ if lead.len() > 1 && lead.starts_with('-') => {
                // `-ne script`: the first letter with a value takes the rest, or the next word.
                let valued = lead.find(['e', 'f', 'i', 'l']);
                let letter = valued.and_then(|place| lead.get(place..)?.chars().next());
                in_place |= letter == Some('i');
                if let (Some(place), Some(letter @ ('e' | 'f'))) = (valued, letter) {
                    given = true;
                    let joined = word.skip(place + 1);
                    let value = if joined.parts.is_empty() { reader.next().cloned() } else { Some(joined) };
                    if letter == 'e' { scripts.extend(value) } else { programs.extend(value) }
                }
            }
            _ if !given && scripts.is_empty() => {
                given = true;
                scripts.push(word.clone());
            }
            _ => files.push(word.clone()),
        }
    }
    let input = match files.first() {
        Some(file) => evaluator.content_of(file, frame).text,
        None => {
            let typed = || frame.stdin.typed.then(|| TYPED.to_owned());
            frame.stdin.text.clone().or_else(typed)
        }
    };
    let started = Started { input, ..Started::default() };
    for script in scripts.iter().filter_map(Word::constant) {
        evaluator.follow_code(Language::Sed, &script, &started, frame);
    }
    for program in &programs {
        evaluator.code_file(Language::Sed, program, &started, frame);
    }
    let mut held = Flow::default();
    let empties = scripts.iter().filter_map(Word::constant).any(|script| keeps_nothing(&script));
    let unhooks = scripts.iter().filter_map(Word::constant).any(|script| {
        let script = script.to_ascii_lowercase();
        ["hook", "checkrein", "pretooluse", "beforetool"].iter().any(|word| script.contains(word))
    });
    for file in &files {
        if in_place && empties {
            evaluator.truncate_file(file, frame);
        } else if in_place
            && evaluator.is_agents(file, frame)
            && (unhooks || scripts.iter().any(|script| evaluator.hits_entries(script, file, frame)))
        {
            // What takes the hooks out of the file is the loss of them.
            evaluator.emit_path(Action::Write, file, qualities![Modifier::InPlace, Modifier::Unhooks], frame);
        } else if in_place {
            evaluator.emit_path(Action::Append, file, qualities![Modifier::InPlace], frame);
        } else {
            held.add(&evaluator.read_file(file, frame));
        }
    }
    let source = if files.is_empty() { &frame.stdin } else { &held };
    source.changed()
}

impl Evaluator<'_> {
    /// Returns true if a script replaces words in one of our entries.
    fn hits_entries(&self, script: &Word, file: &Word, frame: &Frame) -> bool {
        let Some(script) = script.constant() else { return false };
        let patterns = script.split([';', '\n']).filter_map(|command| {
            let rest = command.trim_start().strip_prefix('s')?;
            let delimiter = rest.chars().next()?;
            rest.get(delimiter.len_utf8()..)?.split(delimiter).next().map(str::to_owned)
        });
        let mut patterns = patterns.map(|pattern| pattern.replace('\\', ""));
        patterns.any(|pattern| !pattern.is_empty() && self.is_in_entries(file, &pattern, frame))
    }
}

/// Returns true if a sed script keeps no line, or nothing in any line.
fn keeps_nothing(script: &str) -> bool {
    let script = script.trim().trim_end_matches(';');
    matches!(
        script,
        "d" | "1,$d" | "/.*/d" | "/^/d" | "s/.*//" | "s/.*//g" | "s/^.*$//" | "s/^.*$//g" | "1,$ d"
    )
}
