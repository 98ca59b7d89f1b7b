//! From an effect to the files that it would take away.

use super::git;
use checkrein_guard::{
    Action, Effect, Judgement, Loss, Modifier, Places, Reach, ResolvedPath, Tag, Target, Zone, glob_matches,
};
use checkrein_undo::{Keeping, Take};
use std::path::Path;

/// Returns true if an effect removes or empties something. A file that is only written is not worth a line to the user.
pub(super) fn destroys(effect: &Effect) -> bool {
    matches!(
        effect.action,
        Action::Delete | Action::Truncate | Action::Discard | Action::Forget | Action::Move
    )
}

/// Returns true if an effect is about the project, or about what git has of it.
pub(super) fn is_in_project(effect: &Effect) -> bool {
    match &effect.target {
        Target::Path(spot) => {
            matches!(spot.zone, Zone::Project)
                || matches!(effect.action, Action::Discard) && spot.zone == Zone::ProjectRoot
        }
        Target::Name(_) => effect.action == Action::Forget,
        Target::Host(_) | Target::Nothing => false,
    }
}

/// Keeps what an effect would take away. The error is why not all of it was kept; then nothing of it was.
pub(super) fn keep(
    keeping: &mut Keeping<'_>,
    effect: &Effect,
    loss: &Loss,
    judgement: &Judgement,
    places: &Places,
) -> Result<(), String> {
    // Git has all of it.
    if effect.how.has(Modifier::Committed) {
        return Ok(());
    }
    match (&effect.target, effect.action) {
        (_, Action::Discard | Action::Forget) => {
            git::keep(keeping, effect, loss, judgement, places).map_err(|why| format!("{effect}: {why}"))
        }
        (Target::Path(spot), _) => {
            // What is added to keeps what it has. A tool that edits a file is another matter.
            let adds = effect.action == Action::Append && !effect.how.has(Modifier::InPlace);
            if adds && !judgement.ran.is_empty() {
                return Ok(());
            }
            keep_path(keeping, effect, loss, spot, places).map_err(|why| format!("{}: {why}", spot.path))
        }
        _ => Err(format!("{effect} is not known exactly")),
    }
}

fn keep_path(
    keeping: &mut Keeping<'_>,
    effect: &Effect,
    loss: &Loss,
    spot: &ResolvedPath,
    places: &Places,
) -> Result<(), String> {
    match spot.zone {
        Zone::Generated | Zone::Temporary | Zone::TemporaryRoot | Zone::Nowhere => return Ok(()),
        Zone::Root | Zone::System | Zone::HomeRoot | Zone::Device | Zone::Unknown => {
            return Err("it is too large, or not known".to_owned());
        }
        _ => {}
    }
    if effect.how.has(Modifier::Wipes) {
        return Err("it is to be wiped".to_owned());
    }
    if let Some(why) = refusal(spot.tags.iter()) {
        return Err(format!("it {why}"));
    }
    // Which files match is for the search itself to find out, so that all of them are kept.
    if let Some(directory) = loss.searched_in(effect) {
        let select = |path: &Path, _: bool| take(path, places);
        return keeping.path(Path::new(directory), &select).map(drop).map_err(|error| error.to_string());
    }
    let path = spot.path.as_str();
    if path.contains('…') {
        return Err("the path is not known before the call runs".to_owned());
    }
    let select = |path: &Path, _: bool| take(path, places);
    // A name may look like a pattern, so the path itself comes first.
    let itself = keeping.path(Path::new(path), &select).map_err(|error| error.to_string())?;
    if itself == 0 && !keeping.has(Path::new(path)) && is_odd(path) {
        return Err("the paths are not known exactly".to_owned());
    }
    if !path.contains(['*', '?', '[']) && spot.reach == Reach::Itself {
        return Ok(());
    }
    let Some((directory, pattern)) =
        path.rsplit_once('/').filter(|(directory, _)| !directory.contains(['*', '?', '[']))
    else {
        return Err("the paths are not known exactly".to_owned());
    };
    let directory = Path::new(if directory.is_empty() { "/" } else { directory });
    let among = |found: &Path, _: bool| {
        if found == directory {
            return Take::Below;
        }
        let below = found.strip_prefix(directory).ok().and_then(|below| below.components().next());
        let is_meant = below.is_some_and(|first| {
            let name = first.as_os_str().to_string_lossy();
            // With `nocaseglob`, or on a disk that folds case.
            glob_matches(pattern, &name) || glob_matches(&pattern.to_lowercase(), &name.to_lowercase())
        });
        if is_meant { take(found, places) } else { Take::Skip }
    };
    keeping.path(directory, &among).map(drop).map_err(|error| error.to_string())
}

/// Returns true if the last step of a path has signs that some shells read as more than names: `*(.)`, `^x`, `@(a|b)`, `*~x`.
fn is_odd(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    // `*~` are the copies that an editor leaves behind.
    name.strip_suffix('~').unwrap_or(name).contains(['(', ')', '|', '^', '~', '#', '<', '>'])
}

/// Returns if a file below a path is kept.
pub(super) fn take(path: &Path, places: &Places) -> Take {
    let (zone, tags) = places.of(&path.to_string_lossy());
    match refusal(tags.iter()) {
        Some(why) => Take::Refuse(why),
        None if zone == Zone::Generated => Take::Skip,
        None => Take::Keep,
    }
}

pub(super) fn refusal(mut tags: impl Iterator<Item = Tag>) -> Option<&'static str> {
    tags.find_map(|tag| match tag {
        Tag::Secret => Some("holds secrets, which are not copied"),
        Tag::Checkrein | Tag::Remembered => Some("belongs to Checkrein"),
        _ => None,
    })
}
