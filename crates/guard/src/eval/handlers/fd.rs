//! `fd`, which finds as `find` does and is told so in other words.

use super::{
    find_expression::Filter,
    xargs_find::{found, put},
};
use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call, stdout::pattern_steps},
    program::ParseFlag,
};
use checkrein_shell::Word;

/// The placeholders for a file that was found; without one of them it is added at the end.
const MARKS: [&str; 5] = ["{}", "{/}", "{//}", "{.}", "{/.}"];

/// Returns the limits that the pattern and the options set.
fn filter(pattern: Option<&Word>, rest: &[Word]) -> Filter {
    let mut filter = Filter::default();
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        let lead = word.lead();
        let joined =
            |option: &str| lead.strip_prefix(option).filter(|rest| !rest.is_empty()).map(str::to_owned);
        if matches!(lead, "-e" | "--extension") {
            filter.name(words.next().map(|word| format!("*.{}", word.lead())));
        } else if let Some(extension) = joined("--extension=") {
            filter.name(Some(format!("*.{extension}")));
        } else if matches!(lead, "-t" | "--type") {
            filter.files |= words.next().is_some_and(|word| matches!(word.lead(), "f" | "file"));
        } else if matches!(lead, "-tf" | "--type=f" | "--type=file") {
            filter.files = true;
        } else if ["-S", "--size", "--changed-", "-o", "--owner", "-te", "--type=e"]
            .iter()
            .any(|option| lead.starts_with(option))
        {
            filter.narrow = true;
        } else if matches!(lead, "-x" | "-X" | "--exec" | "--exec-batch") {
            break;
        }
    }
    // A pattern is a regular expression somewhere in the name; one that is a plain word is such a name.
    let text = pattern.map(|word| word.constant().unwrap_or_default()).unwrap_or_default();
    let plain = text.trim_start_matches('^').trim_end_matches('$').replace("\\.", ".");
    let is_name = plain.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.'));
    if is_name && plain.chars().any(char::is_alphanumeric) {
        let start = if text.starts_with('^') { "" } else { "*" };
        let end = if text.ends_with('$') { "" } else { "*" };
        // A whole word is more often the name itself than a part of it.
        filter.name(Some(plain.clone()));
        filter.name(Some(format!("{start}{plain}{end}")));
    } else if plain.chars().any(char::is_alphanumeric) || pattern.is_some_and(Word::is_unknown) {
        filter.narrow = true;
    }
    filter
}

impl Filter {
    fn name(&mut self, name: Option<String>) {
        if let Some(name) = name {
            self.names.push(pattern_steps(&name).steps.to_vec());
        }
    }
}

/// Follows `fd`.
pub(in crate::eval) fn fd(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    if parsed.qualities.has(ParseFlag::Help) {
        return Flow::default();
    }
    let here = [Word::text(".", 0..0)];
    let (pattern, starts) = match parsed.operands.split_first() {
        Some((pattern, [])) => (Some(pattern), here.as_slice()),
        Some((pattern, starts)) => (Some(pattern), starts),
        None => (None, here.as_slice()),
    };
    let frame = &evaluator.in_directory(parsed, frame);
    let filter = filter(pattern, rest);
    let paths = evaluator.found_paths(starts, &filter, frame);
    let qualities = evaluator.finds_us(starts, &filter, frame);
    let printed = Flow { files: filter.files, qualities, ..Flow::paths(paths) };
    evaluator.bind_placeholder(printed.clone());
    let end = parsed.command.iter().position(|word| word.lead() == ";").unwrap_or(parsed.command.len());
    let command = parsed.command.get(..end).unwrap_or_default();
    if command.is_empty() {
        return printed;
    }
    let mentions = |word: &Word| MARKS.iter().any(|mark| word.lead().contains(mark));
    let mut full: Vec<Word> =
        command.iter().map(|word| MARKS.iter().fold(word.clone(), |word, mark| put(&word, mark))).collect();
    if !command.iter().any(mentions) {
        full.push(Word { parts: vec![found()], span: 0..0 });
    }
    let inner = Frame { stdin: frame.stdin.left(), ..frame.clone() };
    evaluator.follow_argv(&full, &inner)
}
