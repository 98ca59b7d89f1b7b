//! Mistakes in the command line, in the form of every other error: one sentence, the usage, a hint.

use crate::{
    exit::ExitStatus,
    term::{err, style},
};
use clap::{
    Command, Error,
    error::{ContextKind, ContextValue, ErrorKind},
};
use std::process::ExitCode;

/// Lists of values that are longer say nothing in an error.
const MOST_VALUES: usize = 16;

/// Removed options: the command, the option, and its replacement.
const RENAMED: &[(&str, &str, &str)] = &[("allow", "--once", "checkrein allow CODE")];

/// Answers a command line that is not a command: prints the help that it asks for, or its mistake.
pub(crate) fn answer(error: &Error, program: &Command) -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let is_command = words.first().is_some_and(|word| program.find_subcommand(word).is_some());
    let status = match error.kind() {
        // An agent whose settings misspell `hook` must still be denied.
        ErrorKind::InvalidSubcommand
        | ErrorKind::MissingSubcommand
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            if !is_command =>
        {
            ExitStatus::Denied
        }
        _ if error.use_stderr() => ExitStatus::UsageError,
        _ => ExitStatus::Success,
    };
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // The stream may be closed, and there is no other place to print help to.
        let _ = error.print();
        return status.into();
    }
    let (message, hint) = mistake(error, &words);
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string().replacen("Usage: ", "\nusage: ", 1),
        _ => String::new(),
    };
    err!("checkrein: {}", style::lines(&format!("{message}{usage}\n\nhint: {hint}")));
    crate::report_as_json(&format!("{message}\n\nhint: {hint}"));
    status.into()
}

/// Returns what is wrong, and what to do.
fn mistake(error: &Error, words: &[String]) -> (String, String) {
    if let Some((option, new)) = renamed(words).filter(|_| error.kind() == ErrorKind::UnknownArgument) {
        return (format!("`{option}` was removed"), format!("use `{new}`"));
    }
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        Some(ContextValue::Strings(texts)) => texts.first().map(String::as_str),
        _ => None,
    };
    // Without the name of its value.
    let argument = text(ContextKind::InvalidArg).and_then(|text| text.split(' ').next()).unwrap_or_default();
    let value = text(ContextKind::InvalidValue).unwrap_or_default();
    let message = match error.kind() {
        ErrorKind::UnknownArgument => format!("unexpected argument `{argument}`"),
        ErrorKind::InvalidSubcommand => {
            format!("there is no command `{}`", text(ContextKind::InvalidSubcommand).unwrap_or_default())
        }
        ErrorKind::MissingRequiredArgument => match list(error, ContextKind::InvalidArg).as_slice() {
            [one] => format!("`{one}` is missing"),
            all => format!("{} are missing", quoted(all, "and")),
        },
        ErrorKind::InvalidValue if value.is_empty() => format!("`{argument}` needs a value"),
        ErrorKind::InvalidValue => format!("`{value}` is not a value of `{argument}`"),
        ErrorKind::ValueValidation => {
            let why = std::error::Error::source(error).map(|why| format!(": {why}")).unwrap_or_default();
            format!("`{value}` is not a value of `{argument}`{why}")
        }
        ErrorKind::ArgumentConflict => match text(ContextKind::PriorArg) {
            Some(other) => format!("`{argument}` cannot be used with `{other}`"),
            None => format!("`{argument}` cannot be used with the other arguments"),
        },
        _ => {
            let all = error.to_string();
            let first = all.lines().next().unwrap_or_default();
            first.trim_start_matches("error: ").to_owned()
        }
    };
    let near = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue]
        .into_iter()
        // The most similar one is the last.
        .find_map(|kind| list(error, kind).pop());
    let values = list(error, ContextKind::ValidValue);
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if (1..=MOST_VALUES).contains(&values.len()) => format!("expected {}", quoted(&values, "or")),
        None => help(error, words),
    };
    (message, hint)
}

/// Says where the right words are.
fn help(error: &Error, words: &[String]) -> String {
    if error.kind() == ErrorKind::InvalidSubcommand && words.len() == 1 {
        return "`checkrein help` lists the commands".to_owned();
    }
    let commands = words.iter().take_while(|word| !word.starts_with('-')).take(1);
    let named: Vec<&str> = std::iter::once("checkrein").chain(commands.map(String::as_str)).collect();
    format!("`{} --help` explains the arguments", named.join(" "))
}

fn list(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

/// Lists words, with another word before the last.
fn quoted(words: &[String], before_last: &str) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} {before_last} {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Returns the removed option that the command line has, and its replacement.
fn renamed(words: &[String]) -> Option<(String, &'static str)> {
    let has = |word: &String, option: &str| word.split('=').next() == Some(option);
    let is = |(command, option, _): &&(&str, &str, &str)| {
        words.first().is_some_and(|word| word == command) && words.iter().any(|word| has(word, option))
    };
    let (command, option, new) = RENAMED.iter().find(is)?;
    Some((format!("{command} {option}"), new))
}
