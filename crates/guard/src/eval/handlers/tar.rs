//! `tar`: its letters in any form, and what an archive holds or becomes.

use super::{WordReader, long_option};
use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call},
    program::{ParseFlag, Role},
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
    let line = TarLine::read(call.rest());
    for text in &line.commands {
        evaluator.run_text(text, frame);
    }
    let mut inner = frame.clone();
    for directory in &line.directories {
        evaluator.change_directory(directory.as_ref(), &mut inner);
    }
    if line.letters.contains('x') {
        extract(evaluator, &line, &inner, frame)
    } else if line.letters.contains(['c', 'r', 'u']) {
        pack(evaluator, &line, &inner, frame)
    } else {
        Flow::default()
    }
}

/// Follows `pax`: it reads an archive, writes one, or copies.
pub(in crate::eval) fn pax(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let extracts = parsed.qualities.has(Modifier::Extracts);
    if extracts && !parsed.qualities.has(ParseFlag::Packs) {
        let here = Word::text(".", 0..0);
        evaluator.emit_path(Action::Create, &here, qualities![Modifier::Extracts], frame);
    }
    if extracts {
        // `-s ,old,new,`
        let renamed = parsed.roles.iter().filter(|(role, _)| *role == Role::Name).map(|(_, word)| word);
        let renamed: Vec<String> = renamed.filter_map(|word| renamed_into(&word.constant()?)).collect();
        for directory in renamed {
            evaluator.emit_arrives_in(&Word::text(&directory, 0..0), Qualities::NONE, frame);
        }
    }
    evaluator.follow_table(parsed, call.rest(), frame)
}

/// Returns the directory that a rule for names moves them to: `../x/` of `s,^,../x/,`.
fn renamed_into(rule: &str) -> Option<String> {
    let rule = rule
        .strip_prefix('s')
        .filter(|rest| rest.starts_with(|char: char| !char.is_alphanumeric()))
        .unwrap_or(rule);
    let separator = rule.chars().next()?;
    let (directory, _) = rule.split(separator).nth(2)?.rsplit_once('/')?;
    Some(if directory.is_empty() { "/".to_owned() } else { directory.to_owned() })
}

/// Follows what an archive becomes. `inner`: in the directory that the options select.
fn extract(evaluator: &mut Evaluator<'_>, line: &TarLine, inner: &Frame, frame: &Frame) -> Flow {
    let here = Word::text(".", 0..0);
    let mut fetched = frame.stdin.qualities.has(Taint::Downloaded);
    if let Some(archive) = line.archive_file() {
        evaluator.emit_path(Action::Read, archive, Qualities::NONE, frame);
        fetched = evaluator.content_of(archive, frame).qualities.has(Taint::Downloaded);
    }
    if !line.prints {
        // Members that are named are all that arrives.
        let named = !line.renames
            && !line.members.is_empty()
            && line.members.iter().all(|member| evaluator.is_member(member));
        let qualities = qualities![Modifier::Extracts];
        let qualities = if named { qualities.with(ParseFlag::Merged) } else { qualities };
        evaluator.emit_path(Action::Create, &here, qualities, inner);
        for member in line.members.iter().filter(|_| named) {
            evaluator.emit_if_ours(Action::Write, member, Qualities::NONE, inner);
        }
        for directory in &line.moved {
            evaluator.emit_arrives_in(directory, Qualities::NONE, inner);
        }
        if line.keeps_absolute && !named {
            // Its members may be anywhere, including our state directory.
            let anywhere = Word::text(&format!("{}/.local/state", evaluator.home), 0..0);
            evaluator.emit_if_ours(Action::Create, &anywhere, qualities![Modifier::Extracts], inner);
        }
        if fetched {
            evaluator.record_fetched(&here, inner);
        }
    }
    evaluator.passthrough(&line.members, frame)
}

/// Follows what becomes an archive.
fn pack(evaluator: &mut Evaluator<'_>, line: &TarLine, inner: &Frame, frame: &Frame) -> Flow {
    let mut held = Flow::default();
    for member in &line.members {
        held.add(&evaluator.read_file(member, inner));
        if line.removes {
            evaluator.emit_path(Action::Delete, member, qualities![Modifier::Recursive], inner);
        }
    }
    let packed = Flow { qualities: held.qualities, ..Flow::default() };
    match line.archive_file() {
        Some(archive) => {
            evaluator.emit_path(Action::Write, archive, Qualities::NONE, frame);
            evaluator.write_file(archive, &packed, false, frame);
            Flow::default()
        }
        None => packed,
    }
}

/// The words of `tar`, read.
#[derive(Default)]
struct TarLine {
    /// The letters that have no value: `x` extracts, `c` packs.
    letters: String,
    archive: Option<Word>,
    members: Vec<Word>,
    /// Directories that it changes to, one after another.
    directories: Vec<Option<Word>>,
    /// Texts that it gives to a shell.
    commands: Vec<Word>,
    /// It removes what it has packed.
    removes: bool,
    /// It prints what it extracts.
    prints: bool,
    /// True if what arrives may have other names than the members.
    renames: bool,
    /// Members that begin with a slash stay where they say.
    keeps_absolute: bool,
    /// Other directories in which members arrive.
    moved: Vec<Word>,
}

impl TarLine {
    fn read(rest: &[Word]) -> Self {
        let mut line = Self::default();
        let mut reader = WordReader::new(rest);
        let mut first = true;
        while let Some(word) = reader.next() {
            let lead = word.lead();
            let old_style = first
                && !lead.starts_with('-')
                && lead.chars().all(|char| char.is_ascii_alphabetic())
                && word.constant().is_some();
            first = false;
            if let Some(long) = lead.strip_prefix("--") {
                line.read_long(long, word, &mut reader);
            } else if old_style || lead.len() > 1 && lead.starts_with('-') {
                line.read_letters(word, old_style, &mut reader);
            } else {
                line.members.push(word.clone());
            }
        }
        let has = |wanted: &str| rest.iter().any(|word| word.lead() == wanted);
        // The names come from elsewhere.
        line.renames |= rest.iter().any(|word| word.lead().starts_with("-s")) || has("--wildcards");
        // `-s ,old,new,` of bsdtar; the letter of GNU tar has no value.
        let given = rest.windows(2).filter_map(|pair| match pair {
            [option, rule] if option.lead() == "-s" => renamed_into(&rule.constant()?),
            _ => None,
        });
        line.moved.extend(given.map(|directory| Word::text(&directory, 0..0)));
        line.keeps_absolute = line.letters.contains('P') || has("--absolute-names");
        line
    }

    /// Reads a long option. `long`: the word without its dashes.
    fn read_long(&mut self, long: &str, word: &Word, reader: &mut WordReader<'_>) {
        let (name, joined) = match long.split_once('=') {
            Some((name, _)) => (name, Some(word.skip(name.len() + "--=".len()))),
            None => (long, None),
        };
        let mut value = || joined.clone().or_else(|| reader.next().cloned());
        match long_option(name, LONG) {
            "create" | "catenate" | "append" | "update" => self.letters.push('c'),
            "extract" | "get" => self.letters.push('x'),
            "list" | "diff" | "compare" => self.letters.push('t'),
            "to-stdout" => self.prints = true,
            "remove-files" => self.removes = true,
            "file" => self.archive = value(),
            "directory" => self.directories.push(value()),
            "to-command" | "use-compress-program" | "rsh-command" | "info-script" => {
                self.commands.extend(value());
            }
            "checkpoint-action" => {
                let action = value().filter(|action| action.lead().starts_with("exec="));
                self.commands.extend(action.map(|action| action.skip("exec=".len())));
            }
            "transform" => {
                self.renames = true;
                let directory = value().and_then(|rule| renamed_into(&rule.constant()?));
                self.moved.extend(directory.map(|directory| Word::text(&directory, 0..0)));
            }
            "one-top-level" => self.moved.extend(joined.clone()),
            "strip-components" | "files-from" => {
                self.renames = true;
                drop(value());
            }
            "exclude-from" | "exclude" | "owner" | "group" | "mode" => drop(value()),
            _ => {}
        }
    }

    /// Reads letters: after a dash, or without one as the first word, where the values are the words that follow.
    fn read_letters(&mut self, word: &Word, old_style: bool, reader: &mut WordReader<'_>) {
        let lead = word.lead();
        let cluster = if old_style { lead } else { lead.trim_start_matches('-') };
        for (place, letter) in cluster.char_indices() {
            let joined = || {
                Some(word.skip(lead.len() - cluster.len() + place + 1))
                    .filter(|rest| !old_style && !rest.parts.is_empty())
            };
            match letter {
                'f' | 'C' | 'I' | 'T' | 'X' | 'F' => {
                    let value = joined().or_else(|| reader.next().cloned());
                    match letter {
                        'f' => self.archive = value,
                        'C' => self.directories.push(value),
                        'I' | 'F' => self.commands.extend(value),
                        'T' => self.renames = true,
                        _ => {}
                    }
                    if !old_style {
                        break;
                    }
                }
                'O' => self.prints = true,
                _ => self.letters.push(letter),
            }
        }
    }

    /// Returns the archive, if it is a file and not standard input or output.
    fn archive_file(&self) -> Option<&Word> {
        self.archive.as_ref().filter(|archive| archive.constant().as_deref() != Some("-"))
    }
}

impl Evaluator<'_> {
    /// Returns true if a word names one member of an archive.
    fn is_member(&self, word: &Word) -> bool {
        self.texts(word).first().is_some_and(|name| !name.contains(['*', '?', '[']) && !name.contains(".."))
            && !word.is_unknown()
    }
}
