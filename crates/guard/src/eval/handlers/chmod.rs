//! `chmod`, and what a mode gives away or takes away.

use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call},
    path::{LinkPolicy, ResolvedPath},
    program::ParseFlag,
    qualities::Qualities,
    vocabulary::{Action, Modifier, Tag, Zone},
};
use std::borrow::Cow;

/// Returns true if the owner keeps every right to a directory.
pub(in crate::eval) fn gives(mode: &str) -> bool {
    if mode.chars().all(|char| char.is_digit(8)) && !mode.is_empty() {
        return u32::from_str_radix(mode, 8).is_ok_and(|value| value & 0o700 == 0o700);
    }
    !mode.is_empty()
        && mode.split(',').all(|clause| {
            let Some(place) = clause.find(['+', '-', '=']) else { return false };
            let (who, what) = clause.split_at(place);
            let others = !who.is_empty() && who.chars().all(|char| matches!(char, 'g' | 'o'));
            let whole = what.contains('r') && what.contains('w') && what.contains(['x', 'X']);
            // `u+x-w` says more than one thing.
            let only_adds = what.starts_with('+') && !what.contains(['-', '=']);
            others || only_adds || what.starts_with('=') && whole && !what.contains('-')
        })
}

/// Returns true if a mode removes the right to run.
fn stops(mode: &str) -> bool {
    if mode.chars().all(|char| char.is_digit(8)) && !mode.is_empty() {
        return u32::from_str_radix(mode, 8).is_ok_and(|value| value & 0o111 == 0);
    }
    mode.split(',').filter_map(|clause| clause.split_once('-')).any(|(_, what)| what.contains('x'))
}

/// Returns true if a mode lets others read.
fn opens(mode: &str) -> bool {
    if mode.chars().all(|char| char.is_digit(8)) && !mode.is_empty() {
        return u32::from_str_radix(mode, 8).is_ok_and(|value| value & 0o044 != 0);
    }
    mode.split(',')
        .filter_map(|clause| clause.split_once(['+', '=']))
        .any(|(who, what)| what.contains('r') && (who.is_empty() || who.contains(['o', 'a', 'g'])))
}

/// Returns true if a mode takes rights from others and leaves those of the owner unchanged.
fn closes(mode: &str) -> bool {
    !mode.is_empty()
        && mode.split(',').all(|clause| {
            let (who, what) = clause.split_at(clause.find(['+', '-', '=']).unwrap_or(0));
            let others = !who.is_empty() && who.chars().all(|char| matches!(char, 'g' | 'o'));
            others && (what.starts_with('-') || what == "=")
        })
}

/// Returns the rights that a mode of `chmod` or `install -m` gives away.
pub(in crate::eval) fn permissions(mode: &str) -> Qualities {
    let mut qualities = Qualities::NONE;
    if mode.chars().all(|char| char.is_digit(8)) && !mode.is_empty() {
        let value = u32::from_str_radix(mode, 8).unwrap_or(0);
        if value & 0o4000 != 0 {
            qualities = qualities.with(Modifier::Setuid);
        }
        if value & 0o002 != 0 && value & 0o1000 == 0 {
            qualities = qualities.with(Modifier::World);
        }
        if value & 0o700 == 0 {
            qualities = qualities.with(Modifier::Immutable);
        }
        return qualities;
    }
    for clause in mode.split(',') {
        // An entry of a list: `o::rwx`, `other:rw`.
        if let Some((who, what)) = clause.split_once(':') {
            if matches!(who, "o" | "other") && what.contains('w') {
                qualities = qualities.with(Modifier::World);
            }
            continue;
        }
        let Some(place) = clause.find(['+', '=']) else { continue };
        let (who, what) = clause.split_at(place);
        // For a group it is the usual way to share a directory.
        if what.contains('s') && who != "g" {
            qualities = qualities.with(Modifier::Setuid);
        }
        if what.contains('w') && who.contains(['o', 'a']) {
            qualities = qualities.with(Modifier::World);
        }
    }
    qualities
}

/// Follows `chmod`.
pub(in crate::eval) fn chmod(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let mut qualities = Qualities::NONE;
    let mut mode: Option<Cow<'_, str>> = None;
    let mut files = Vec::new();
    for word in rest {
        let lead = word.lead();
        let symbolic = lead.len() > 1
            && lead.starts_with('-')
            && lead.chars().skip(1).all(|char| "rwxXst".contains(char));
        match lead {
            "-R" | "--recursive" | "-Rf" | "-fR" | "-Rv" | "-vR" => {
                qualities = qualities.with(Modifier::Recursive);
            }
            "--help" | "--version" => return Flow::default(),
            _ if lead.starts_with("--reference") => mode = Some(Cow::default()),
            _ if lead.starts_with('-') && !symbolic => {
                if lead.contains('R') && !lead.starts_with("--") {
                    qualities = qualities.with(Modifier::Recursive);
                }
            }
            _ if mode.is_none() => mode = word.constant().or(Some(Cow::default())),
            _ => files.push(word.clone()),
        }
    }
    let mode = mode.unwrap_or_default();
    qualities = qualities.and(permissions(&mode));
    if gives(&mode) {
        qualities = qualities.with(ParseFlag::Gives);
    }
    for file in &files {
        // In the home directory users may exclude others; elsewhere others need access.
        let own = |(spot, _): &(ResolvedPath, Qualities)| {
            matches!(
                spot.zone,
                Zone::HomeRoot | Zone::Personal | Zone::Home | Zone::ProjectRoot | Zone::Project
            )
        };
        if closes(&mode) && evaluator.places(file, LinkPolicy::Follow, frame).iter().all(own) {
            continue;
        }
        let secret = || {
            evaluator
                .places(file, LinkPolicy::Follow, frame)
                .iter()
                .any(|(spot, _)| spot.tags.has(Tag::Secret))
        };
        let qualities = if opens(&mode) && secret() { qualities.with(Modifier::World) } else { qualities };
        if stops(&mode)
            && evaluator.is_agents(file, frame)
            && !file.lead().ends_with("json")
            && !file.lead().ends_with("toml")
        {
            // A hook that cannot run is none.
            evaluator.emit_path(Action::Write, file, qualities.with(Modifier::Unhooks), frame);
        }
        evaluator.emit_path(Action::Mode, file, qualities, frame);
    }
    Flow::default()
}
