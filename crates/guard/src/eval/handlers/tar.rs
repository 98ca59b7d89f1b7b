//! `tar`: its letters in any form, and what an archive holds or becomes.

use super::{Reader, long_option};
use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call},
    program::ParseFlag,
    qualities::{Qualities, qualities},
    vocabulary::{Action, Modifier, Taint},
};
use checkrein_shell::Word;

/// Its long options, as far as one may be mistaken for another.
const LONG: &[&str] = &[
    "append",
    "catenate",
    "checkpoint",
    "checkpoint-action",
    "compare",
    "compress",
    "create",
    "diff",
    "directory",
    "exclude",
    "exclude-from",
    "extract",
    "file",
    "files-from",
    "get",
    "group",
    "info-script",
    "list",
    "mode",
    "owner",
    "remove-files",
    "rsh-command",
    "strip-components",
    "to-command",
    "to-stdout",
    "transform",
    "update",
    "use-compress-program",
];

/// Follows `tar`.
pub(in crate::eval) fn tar(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let mut inner = frame.clone();
    let (mut letters, mut archive, mut members) = (String::new(), None, Vec::new());
    let (mut removes, mut prints, mut renames) = (false, false, false);
    let mut reader = Reader::new(rest);
    let mut first = true;
    while let Some(word) = reader.next() {
        let lead = word.lead().to_owned();
        let old_style = first
            && !lead.starts_with('-')
            && lead.chars().all(|char| char.is_ascii_alphabetic())
            && word.constant().is_some();
        first = false;
        if let Some(long) = lead.strip_prefix("--") {
            let (name, value) = long
                .split_once('=')
                .map_or((long, None), |(name, _)| (name, Some(word.skip(name.len() + 3))));
            let mut value = || value.clone().or_else(|| reader.next().cloned());
            match long_option(name, LONG) {
                "create" | "catenate" | "append" | "update" => letters.push('c'),
                "extract" | "get" => letters.push('x'),
                "list" | "diff" | "compare" => letters.push('t'),
                "to-stdout" => prints = true,
                "remove-files" => removes = true,
                "file" => archive = value(),
                "directory" => evaluator.change_directory(value().as_ref(), &mut inner),
                "to-command" | "use-compress-program" | "rsh-command" | "info-script" => {
                    if let Some(text) = value() {
                        evaluator.run_text(&text, frame);
                    }
                }
                "checkpoint-action" => {
                    if let Some(text) = value()
                        && text.lead().starts_with("exec=")
                    {
                        evaluator.run_text(&text.skip("exec=".len()), frame);
                    }
                }
                "transform" | "strip-components" | "files-from" => {
                    renames = true;
                    drop(value());
                }
                "exclude-from" | "exclude" | "owner" | "group" | "mode" => drop(value()),
                _ => {}
            }
        } else if old_style || lead.len() > 1 && lead.starts_with('-') {
            let cluster = if old_style { lead.as_str() } else { lead.trim_start_matches('-') };
            for (place, letter) in cluster.char_indices() {
                let joined = || {
                    Some(word.skip(lead.len() - cluster.len() + place + 1))
                        .filter(|rest| !old_style && !rest.parts.is_empty())
                };
                match letter {
                    'f' | 'C' | 'I' | 'T' | 'X' | 'F' => {
                        let value = joined().or_else(|| reader.next().cloned());
                        match (letter, value) {
                            ('f', value) => archive = value,
                            ('C', value) => evaluator.change_directory(value.as_ref(), &mut inner),
                            ('I' | 'F', Some(value)) => evaluator.run_text(&value, frame),
                            ('T', _) => renames = true,
                            _ => {}
                        }
                        if !old_style {
                            break;
                        }
                    }
                    'O' => prints = true,
                    _ => letters.push(letter),
                }
            }
        } else {
            members.push(word.clone());
        }
    }
    // The names come from elsewhere.
    renames |= rest.iter().any(|word| word.lead().starts_with("-s") || word.lead() == "--wildcards");
    let is_stdout = archive.as_ref().is_none_or(|archive| archive.constant().as_deref() == Some("-"));
    if letters.contains('x') {
        let here = Word::text(".", 0..0);
        let mut fetched = frame.stdin.qualities.has(Taint::Downloaded);
        if let Some(archive) = archive.filter(|_| !is_stdout) {
            evaluator.emit_path(Action::Read, &archive, Qualities::NONE, frame);
            fetched = evaluator.content_of(&archive, frame).qualities.has(Taint::Downloaded);
        }
        if !prints {
            // Members that are named are all that arrives.
            let named =
                !renames && !members.is_empty() && members.iter().all(|member| evaluator.is_member(member));
            let qualities = qualities![Modifier::Extracts];
            let qualities = if named { qualities.with(ParseFlag::Merged) } else { qualities };
            evaluator.emit_path(Action::Create, &here, qualities, &inner);
            for member in members.iter().filter(|_| named) {
                evaluator.emit_if_ours(Action::Write, member, Qualities::NONE, &inner);
            }
            let absolute = letters.contains('P') || rest.iter().any(|word| word.lead() == "--absolute-names");
            if absolute && !named {
                // Its members may lie anywhere, also where we keep what we remember.
                let anywhere = Word::text(&format!("{}/.local/state", evaluator.home), 0..0);
                evaluator.emit_if_ours(Action::Create, &anywhere, qualities![Modifier::Extracts], &inner);
            }
            if fetched {
                evaluator.record_fetched(&here, &inner);
            }
        }
        return evaluator.passthrough(&members, frame);
    }
    if !letters.contains(['c', 'r', 'u']) {
        return Flow::default();
    }
    let mut held = Flow::default();
    for member in &members {
        held.add(&evaluator.read_file(member, &inner));
        if removes {
            evaluator.emit_path(Action::Delete, member, qualities![Modifier::Recursive], &inner);
        }
    }
    let packed = Flow { qualities: held.qualities, ..Flow::default() };
    match archive.filter(|_| !is_stdout) {
        Some(archive) => {
            evaluator.emit_path(Action::Write, &archive, Qualities::NONE, frame);
            evaluator.write_file(&archive, &packed, false, frame);
            Flow::default()
        }
        None => packed,
    }
}

impl Evaluator<'_> {
    /// Whether a word names one member of an archive.
    fn is_member(&self, word: &Word) -> bool {
        self.texts(word).first().is_some_and(|name| !name.contains(['*', '?', '[']) && !name.contains(".."))
            && !word.is_unknown()
    }
}
