//! Finds the commits that a name reaches.

use crate::{Objection, bytes::Oid, object::Objects, refs::Refs};
use std::collections::BTreeSet;

/// Clocks differ: a parent may seem to be younger than its child by so many seconds.
const SLOP: i64 = 24 * 60 * 60;

/// Returns true if a commit is one of these or a predecessor of one.
pub(crate) fn reached(wanted: &Oid, from: &[Oid], objects: &Objects<'_>) -> Result<bool, Objection> {
    if from.contains(wanted) {
        return Ok(true);
    }
    let (_, commit) = objects.commit(wanted)?;
    let oldest = commit.time.saturating_sub(SLOP);
    let mut seen: BTreeSet<Oid> = BTreeSet::new();
    let mut next: Vec<Oid> = from.to_vec();
    while let Some(oid) = next.pop() {
        if !seen.insert(oid) {
            continue;
        }
        // A tag of something that is not a commit reaches none.
        let Ok((oid, commit)) = objects.commit(&oid) else {
            objects.budget.step()?;
            continue;
        };
        if oid == *wanted || commit.parents.contains(wanted) {
            return Ok(true);
        }
        if commit.time >= oldest {
            next.extend(commit.parents);
        }
    }
    Ok(false)
}

/// The commit that a text names: `main`, `origin/main~2`, `HEAD^`, a name of 40 digits.
pub(crate) fn resolve(text: &str, refs: &Refs, objects: &Objects<'_>) -> Result<Oid, Objection> {
    let unknown = || Objection::unknown("the commit is not known");
    let end = text.find(['~', '^']).unwrap_or(text.len());
    let (name, mut steps) = text.split_at_checked(end).ok_or_else(unknown)?;
    let oid = refs.resolve(name).ok_or_else(unknown)?;
    let (mut oid, mut commit) = objects.commit(&oid)?;
    while let Some(step) = steps.chars().next() {
        steps = steps.strip_prefix(step).unwrap_or_default();
        let digits = steps.find(|char: char| !char.is_ascii_digit()).unwrap_or(steps.len());
        let (number, rest) = steps.split_at_checked(digits).ok_or_else(unknown)?;
        let number: usize = if number.is_empty() { 1 } else { number.parse().map_err(|_| unknown())? };
        steps = rest;
        // `~3` is the first parent three times, `^2` the second one.
        let (times, parent) = match step {
            '~' => (number, 0),
            '^' => (usize::from(number > 0), number.saturating_sub(1)),
            _ => return Err(unknown()),
        };
        for _ in 0..times {
            let parent = *commit.parents.get(parent).ok_or_else(unknown)?;
            (oid, commit) = objects.commit(&parent)?;
        }
    }
    Ok(oid)
}
