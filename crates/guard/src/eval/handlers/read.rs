//! `read` and its like: variables that get their values from a stream.

use super::{Call, WordReader};
use crate::{
    eval::{Evaluator, Frame, flow::Flow},
    qualities::qualities,
    vocabulary::Taint,
};
use checkrein_shell::Word;

/// `read`, `mapfile`: what comes in goes to the variables that are named, a field for each and the rest for the last.
pub(in crate::eval) fn read_variables(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    frame: &mut Frame,
) -> Flow {
    let words = call.words;
    let Some((name, rest)) = words.split_first() else { return Flow::default() };
    // The options of each that take a value.
    let valued = if name.lead() == "read" { "adinNptu" } else { "dnOsuCc" };
    let mut flow = frame.stdin.clone();
    let mut names: Vec<String> = Vec::new();
    let mut array = None;
    let mut reader = WordReader::new(rest);
    while let Some(word) = reader.next() {
        let Some(text) = word.constant() else { continue };
        let Some(letters) = text.strip_prefix('-') else {
            names.push(text.into_owned());
            continue;
        };
        // The first letter that takes a value has the rest of the word, or the next one.
        let Some(place) = letters.find(|char| valued.contains(char)) else { continue };
        let letter = letters.get(place..).and_then(|rest| rest.chars().next()).unwrap_or_default();
        let glued = letters.get(place + 1..).unwrap_or_default();
        let value = if glued.is_empty() {
            reader.next().cloned()
        } else {
            Some(Word::text(glued, word.span.clone()))
        };
        let Some(value) = value else { continue };
        match letter {
            'a' => array = value.constant().map(String::from),
            // From another descriptor than that of standard input.
            'u' => {
                let number = value.constant().unwrap_or_default();
                flow = evaluator
                    .duplicated_descriptor(&number, frame)
                    .unwrap_or_else(|| Flow::of(qualities![Taint::Computed]));
            }
            // `mapfile -d ,`: what is a line ends with this.
            'd' if name.lead() != "read" => {
                let ends = value.constant().unwrap_or_default();
                if !ends.is_empty() {
                    flow.text = flow.text.map(|text| text.replace(&*ends, "\n"));
                }
            }
            // `mapfile -C` evaluates a text for each line.
            'C' => evaluator.run_text(&value, frame),
            _ => {}
        }
    }
    flow.text = flow.text.map(|text| text.trim_end_matches('\n').to_owned());
    if flow.is_unknown() && !flow.typed {
        return Flow::default();
    }
    let separators = frame.exported.as_deref().and_then(|exported| exported.get("IFS")).cloned();
    let fields = |most: usize| -> Vec<Vec<String>> {
        let text = flow.text.as_deref().unwrap_or_default();
        text.lines().map(|line| fields_of(line, separators.as_deref(), most)).collect()
    };
    let mut found: Vec<(String, Flow)> = Vec::new();
    if let (Some(array), Some(_)) = (array, &flow.text) {
        // Each word of it is a line of its own here.
        let words: Vec<String> = fields(usize::MAX).into_iter().flatten().collect();
        found.push((array, Flow { text: Some(words.join("\n")), ..flow.clone() }));
    }
    if names.len() > 1 && flow.text.is_some() {
        let lines = fields(names.len());
        for (place, name) in names.into_iter().enumerate() {
            let values: Vec<&str> =
                lines.iter().filter_map(|fields| fields.get(place)).map(String::as_str).collect();
            found.push((name, Flow { text: Some(values.join("\n")), ..flow.clone() }));
        }
    } else {
        let usual = ["REPLY".to_owned(), "MAPFILE".to_owned()];
        found.extend(names.into_iter().chain(usual).map(|name| (name, flow.clone())));
    }
    if let Some(scope) = evaluator.scopes.last_mut() {
        // An element of an array is kept with all of it.
        let whole = |name: String| name.split('[').next().unwrap_or_default().to_owned();
        scope.variables.extend(found.into_iter().map(|(name, flow)| (whole(name), flow)));
    }
    Flow::default()
}

/// The fields of a line, at most so many: the last one has all that is left.
fn fields_of(line: &str, separators: Option<&str>, most: usize) -> Vec<String> {
    let separators = separators.unwrap_or(" \t\n");
    let separates = |char: char| separators.contains(char);
    let blank = |char: char| separates(char) && char.is_whitespace();
    let mut fields = Vec::new();
    let mut rest = line.trim_matches(blank);
    while fields.len() + 1 < most
        && let Some((field, after)) = rest.split_once(separates)
    {
        fields.push(field.trim_end_matches(blank).to_owned());
        rest = after.trim_start_matches(blank);
    }
    fields.push(rest.to_owned());
    fields
}
