//! A path as it is usually written, on a file system that knows it by other names, too.

use super::{PathPattern, Roots, Segment};
use crate::{ours::same, own::Own, world::World};

/// Returns the path with the usual names of the roots above it, and true if names there are compared without regard
/// to case. Almost every path stays as it is.
pub(super) fn as_usual(steps: PathPattern, roots: &Roots, world: &dyn World) -> (PathPattern, bool) {
    let Some(own) = world.own().filter(|_| steps.absolute && !roots.elsewhere) else { return (steps, false) };
    let steps = without_synonym(steps, own);
    if !is_unusual(&steps) {
        return (steps, false);
    }
    let home = roots.home.as_ref().map_or_else(|| "/".to_owned(), ToString::to_string);
    if !own.folds(&home) {
        return (steps, false);
    }
    let root = [&roots.project, &roots.home].into_iter().flatten().find(|root| begins(&steps, root));
    let steps = match root {
        Some(root) => {
            let rest = steps.steps.get(root.steps.len()..).unwrap_or_default();
            root.clone().join(rest.iter().cloned(), steps.slash)
        }
        None => steps,
    };
    (steps, true)
}

/// Returns true if a name in it may be another spelling of a usual one.
fn is_unusual(steps: &PathPattern) -> bool {
    steps.steps.iter().any(|step| match step {
        Segment::Name(name) | Segment::Pattern(name) => {
            name.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii())
                || matches!(&**name, "users" | "library" | "applications" | "system" | "volumes")
        }
        Segment::Unknown => false,
    })
}

fn begins(steps: &PathPattern, root: &PathPattern) -> bool {
    let names = |one: &Segment, other: &Segment| match (one, other) {
        (Segment::Name(one), Segment::Name(other)) => same(one, other),
        _ => false,
    };
    steps.steps.len() >= root.steps.len()
        && steps.steps.iter().zip(root.steps.iter()).all(|(one, other)| names(one, other))
}

/// The path without the beginning that the file system takes for another.
fn without_synonym(steps: PathPattern, own: &dyn Own) -> PathPattern {
    for (synonym, usual) in own.synonyms() {
        let synonym = PathPattern::of(synonym);
        if begins(&steps, &synonym) && steps.steps.len() > synonym.steps.len() {
            let rest: Vec<Segment> = steps.steps.iter().skip(synonym.steps.len()).cloned().collect();
            return PathPattern::of("/").walk(usual).join(rest, steps.slash);
        }
    }
    steps
}
