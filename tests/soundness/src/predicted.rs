//! What the guard predicts for a text in the scratch tree, and whether that covers something that happened.

use crate::{
    observed::{Happened, Kind},
    room::TEMPLATE,
    trace::base,
    tree::{HOME, PROJECT},
};
use checkrein_guard::{
    Action, Belonging, CallContext, Certainty, Domain, Effect, FileKind, Identity, Judgement, Modifier, Own,
    Tag, Tags, Target, World, Zone, judge,
};
use std::{fs, os::unix::fs::MetadataExt, path::PathBuf};

/// The scratch tree as the guard sees it.
#[derive(Clone, Copy, Debug)]
pub struct Scratch;

impl Scratch {
    fn at(path: &str) -> PathBuf {
        PathBuf::from(format!("{TEMPLATE}{path}"))
    }
}

impl World for Scratch {
    fn home(&self) -> Option<String> {
        Some(HOME.to_owned())
    }

    fn variable(&self, name: &str) -> Option<String> {
        let known = [("HOME", HOME), ("PWD", PROJECT), ("USER", "dev"), ("LOGNAME", "dev")];
        known.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        let path = Self::at(path);
        let kind = path.symlink_metadata().ok()?.file_type();
        Some(if kind.is_symlink() {
            FileKind::Link(fs::read_link(&path).ok()?.to_string_lossy().into_owned())
        } else if kind.is_dir() {
            FileKind::Directory
        } else if kind.is_file() {
            FileKind::File
        } else {
            FileKind::Other
        })
    }

    fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(Self::at(path)).ok()
    }

    fn own(&self) -> Option<&dyn Own> {
        Some(self)
    }
}

/// The guard of the scratch tree. That files arrive in a directory matters to a guard whose own files could be among them, and only then
/// it says so: so this one has files in the places where commands work.
impl Own for Scratch {
    fn belongings(&self, _: Option<&str>) -> Vec<Belonging> {
        let ours = [format!("{HOME}/.config/checkrein/config.toml"), format!("{PROJECT}/.checkrein.toml")];
        ours.map(Belonging::ours).to_vec()
    }

    fn identity(&self, path: &str) -> Option<Identity> {
        let metadata = Self::at(path).symlink_metadata().ok()?;
        Some(Identity { device: metadata.dev(), inode: metadata.ino(), links: metadata.nlink() })
    }

    fn names(&self, directory: &str) -> Vec<String> {
        let entries = fs::read_dir(Self::at(directory)).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    fn folds(&self, _: &str) -> bool {
        false
    }
}

/// A predicted effect on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicted {
    /// What is done.
    pub action: Action,
    /// The path, with patterns.
    pub path: String,
    /// Whether it includes what is below the path.
    pub below: bool,
    /// Whether it is only supposed, or depends on something that is not known.
    pub vague: bool,
    /// Whether the program asks first.
    pub asks: bool,
    /// Whether the name goes as well.
    pub removes: bool,
    /// The words of the command that does it.
    pub by: String,
}

/// Everything that is predicted for a text.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The effects on paths.
    pub paths: Vec<Predicted>,
    /// The programs that run.
    pub programs: Vec<String>,
    /// Whether something goes to another machine.
    pub connects: bool,
    /// Whether names of commits are removed.
    pub forgets: bool,
    /// Whether accounts, packages, services or mounts change.
    pub administers: bool,
    /// The programs that change what is in a database.
    pub databases: Vec<String>,
    /// Whether the guard says that a part of what runs is not known.
    pub unknown: bool,
    /// Whether a rule objects.
    pub decision: &'static str,
}

/// Predicts what a text does.
pub fn predict(text: &str) -> Prediction {
    let place =
        CallContext { cwd: Some(PROJECT.to_owned()), project: Some(PROJECT.to_owned()), typed: false };
    let judgement = judge(text, &place, &Scratch);
    let mut prediction = of(&judgement);
    // A script is read when it is run; its effects are not among those of the call.
    for script in judgement.scripts.iter().filter(|script| script.unread.is_none()) {
        let inner = Scratch.text(&script.path).unwrap_or_default();
        let inner = if inner.starts_with("#!") { of(&judge(&inner, &place, &Scratch)) } else { unread() };
        prediction.paths.extend(inner.paths);
        prediction.programs.extend(inner.programs);
        prediction.connects |= inner.connects;
        prediction.forgets |= inner.forgets;
        prediction.administers |= inner.administers;
        prediction.databases.extend(inner.databases);
        prediction.unknown |= inner.unknown;
    }
    prediction
}

/// What a file is that no program keeps for itself alone. A secret is not among them: a new keyring of `gpg`, or a log that a client
/// writes next to its credentials, takes nothing away and gives no access, and an old one that changes counts anyway.
const NAMED: &[Tag] = &[
    Tag::Profile,
    Tag::Startup,
    Tag::Autostart,
    Tag::Agent,
    Tag::AgentHooks,
    Tag::AgentRuns,
    Tag::Checkrein,
    Tag::GitHooks,
    Tag::Administered,
    Tag::Shadow,
];

/// Whether the guard has a name for what a file is: a file that something starts or reads later, an agent's own. Rules object to such
/// files by that name.
pub fn matters(path: &str) -> bool {
    let place =
        CallContext { cwd: Some(PROJECT.to_owned()), project: Some(PROJECT.to_owned()), typed: false };
    let quoted = path.replace('\'', "'\\''");
    judge(&format!("touch '{quoted}'"), &place, &Scratch)
        .effects
        .iter()
        .any(|effect| matches!(&effect.target, Target::Path(spot) if spot.tags.has_any(Tags::of(NAMED))))
}

/// What is known of a file in a form that this program does not read.
const fn unread() -> Prediction {
    Prediction {
        paths: Vec::new(),
        programs: Vec::new(),
        connects: false,
        forgets: false,
        administers: false,
        databases: Vec::new(),
        unknown: true,
        decision: "",
    }
}

fn of(judgement: &Judgement) -> Prediction {
    let paths = judgement.effects.iter().filter_map(|effect| path(effect, judgement)).collect();
    let programs = judgement.ran.iter().filter_map(|ran| ran.words.first());
    let files = judgement.effects.iter().filter(|effect| effect.action == Action::Run);
    let files = files.filter_map(|effect| match &effect.target {
        Target::Path(spot) => Some(base(&spot.path).to_owned()),
        _ => None,
    });
    let programs = programs.map(|word| base(word).to_owned()).chain(files).collect();
    let away =
        [Action::Connect, Action::Send, Action::Expose, Action::Publish, Action::Package, Action::Destroy];
    let connects = judgement
        .effects
        .iter()
        .any(|effect| away.contains(&effect.action) || matches!(effect.target, Target::Host(_)));
    let unknown = !judgement.opaque.is_empty()
        || judgement.effects.iter().any(|effect| match &effect.target {
            Target::Path(spot) => effect.action == Action::Opaque || spot.zone == Zone::Unknown,
            _ => effect.action == Action::Opaque,
        });
    let forgets = judgement
        .effects
        .iter()
        .any(|effect| matches!(effect.action, Action::Forget | Action::Overwrite | Action::Discard));
    let system =
        [Action::Account, Action::Package, Action::Service, Action::Mount, Action::Machine, Action::Device];
    let administers = judgement.effects.iter().any(|effect| system.contains(&effect.action));
    let of_database = |effect: &&Effect| effect.domain.has(Domain::Database);
    let databases = judgement
        .effects
        .iter()
        .filter(of_database)
        .filter_map(|effect| judgement.ran.get(effect.by)?.words.first());
    let databases = databases.map(|word| base(word).to_owned()).collect();
    Prediction {
        paths,
        programs,
        connects,
        forgets,
        administers,
        databases,
        unknown,
        decision: judgement.decision.as_str(),
    }
}

fn path(effect: &Effect, judgement: &Judgement) -> Option<Predicted> {
    let Target::Path(spot) = &effect.target else { return None };
    let wide = [
        Modifier::Recursive,
        Modifier::Extracts,
        Modifier::Arrives,
        Modifier::Mirror,
        Modifier::Sweeping,
        Modifier::All,
    ];
    let by = judgement.ran.get(effect.by).map(|ran| ran.words.join(" ")).unwrap_or_default();
    let vague = effect.certainty.has(Certainty::Supposed) || effect.certainty.has(Certainty::Unknown);
    Some(Predicted {
        action: effect.action,
        path: spot.path.clone(),
        below: matches!(effect.action, Action::Move | Action::Discard)
            || wide.iter().any(|word| effect.how.has(*word)),
        vague,
        asks: effect.how.has(Modifier::Asks),
        removes: effect.how.has(Modifier::Remove),
        by,
    })
}

impl Prediction {
    /// Returns whether something that happened was predicted.
    pub fn covers(&self, happened: &Happened) -> bool {
        match happened.kind {
            Kind::Started => self.starts(&happened.what),
            Kind::Connected => self.connects,
            // What happens to the branches and tags of a repository is predicted by their names.
            Kind::Deleted if is_of_names(&happened.what) && self.forgets => true,
            // What the configuration says about a branch goes with it.
            Kind::Changed if happened.what.ends_with("/.git/config") && self.forgets => true,
            // What a database holds is in files, and is predicted by the names of tables.
            Kind::Changed if self.databases.contains(&happened.by) => true,
            // So is what belongs to the system: accounts, packages, services.
            Kind::Changed | Kind::Created | Kind::Mode
                if self.administers && is_of_system(&happened.what) =>
            {
                true
            }
            kind => self.paths.iter().any(|predicted| predicted.covers(kind, &happened.what)),
        }
    }

    fn starts(&self, program: &str) -> bool {
        self.programs.iter().any(|known| known == base(program))
    }
}

impl Predicted {
    fn covers(&self, kind: Kind, path: &str) -> bool {
        let fits = match kind {
            Kind::Deleted => {
                matches!(self.action, Action::Delete | Action::Move | Action::Discard) || self.removes
            }
            Kind::Changed => {
                self.changes()
                    || matches!(self.action, Action::Delete | Action::Move | Action::Discard | Action::Link)
                    || (self.action == Action::Create && self.below)
            }
            Kind::Created => {
                self.changes()
                    || matches!(self.action, Action::Create | Action::Link | Action::Move | Action::Discard)
                    || (self.action == Action::Read && path.starts_with(&format!("{}.", self.path)))
            }
            Kind::Mode | Kind::Owner => {
                self.changes()
                    || matches!(self.action, Action::Mode | Action::Owner | Action::Delete | Action::Create)
            }
            Kind::Opened | Kind::Started | Kind::Connected => false,
        };
        fits && self.reaches(kind, path)
    }

    const fn changes(&self) -> bool {
        matches!(self.action, Action::Write | Action::Append | Action::Truncate)
    }

    fn reaches(&self, kind: Kind, path: &str) -> bool {
        if fits(&self.path, path) {
            return true;
        }
        let above = parent(path);
        // What is written into a directory that is there arrives in it, under its own name.
        if kind != Kind::Deleted && !self.below && self.changes() && fits(&self.path, above) {
            return true;
        }
        let mut parents =
            std::iter::successors(Some(above), |above| (!above.is_empty()).then(|| parent(above)));
        if self.below && parents.any(|above| fits(&self.path, above)) {
            return true;
        }
        // A directory is made on the way to what is made in it; backups, parts and packed files have names that
        // start with the given one, and unpacked files the other way round.
        kind == Kind::Created
            && (self.path.starts_with(&format!("{path}/"))
                || path.starts_with(self.path.as_str())
                || self.path.starts_with(&format!("{path}.")))
    }

    /// Returns whether this is an effect that a run would show, if it happens.
    pub fn shows(&self) -> bool {
        let shown = [
            Action::Delete,
            Action::Move,
            Action::Write,
            Action::Append,
            Action::Truncate,
            Action::Create,
            Action::Link,
            Action::Mode,
            Action::Owner,
        ];
        // Nobody is there to say yes.
        shown.contains(&self.action) && !self.asks
    }

    /// Returns whether one of the things that happened is what this predicted.
    pub fn is_seen(&self, happened: &[Happened]) -> bool {
        happened.iter().any(|happened| self.covers(happened.kind, &happened.what))
    }
}

/// Whether a path is where git keeps a branch or a tag, or what it was before.
fn is_of_names(path: &str) -> bool {
    path.contains("/.git/refs/") || path.contains("/.git/logs/refs/")
}

fn is_of_system(path: &str) -> bool {
    ["/etc/", "/var/", "/run/", "/boot/"].iter().any(|place| path.starts_with(place))
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map(|(parent, _)| parent).unwrap_or_default()
}

/// Compares a path with one that has patterns: `…` is anything, `*` and `?` are within a name.
pub fn fits(pattern: &str, path: &str) -> bool {
    if !pattern.contains(['…', '*', '?', '[']) && !pattern.contains("XXX") {
        return pattern == path || (pattern == "/" && path.is_empty());
    }
    let pattern = random(pattern);
    let whole = pattern.replace("/…/", "/**/");
    let whole = whole.replace('…', "**");
    let (pattern, path): (Vec<char>, Vec<char>) = (whole.chars().collect(), path.chars().collect());
    matches(&pattern, &path)
}

/// Makes of the place for random characters, at least three times `X`, one for any characters.
fn random(pattern: &str) -> String {
    let mut made = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(start) = rest.find("XXX") {
        let (before, from) = rest.split_at(start);
        let after = from.trim_start_matches('X');
        made.push_str(before);
        made.push_str(&"?".repeat(from.len() - after.len()));
        rest = after;
    }
    made + rest
}

fn matches(pattern: &[char], path: &[char]) -> bool {
    match (pattern, path) {
        ([], rest) => rest.is_empty(),
        (['/', '*', '*', '/', tail @ ..], ['/', rest @ ..]) if matches(tail, rest) => true,
        (['*', '*', tail @ ..], rest) => {
            (0..=rest.len()).any(|skip| rest.get(skip..).is_some_and(|rest| matches(tail, rest)))
        }
        (['*', tail @ ..], rest) => {
            let name = rest.iter().take_while(|char| **char != '/').count();
            (0..=name).any(|skip| rest.get(skip..).is_some_and(|rest| matches(tail, rest)))
        }
        (['?', tail @ ..], [char, rest @ ..]) => *char != '/' && matches(tail, rest),
        (['[', tail @ ..], [char, rest @ ..]) => {
            let Some(end) = tail.iter().position(|char| *char == ']') else { return false };
            // A set of characters: which ones does not matter here.
            *char != '/' && tail.get(end + 1..).is_some_and(|tail| matches(tail, rest))
        }
        ([one, tail @ ..], [other, rest @ ..]) => one == other && matches(tail, rest),
        (_, []) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_cover_paths() {
        for (pattern, path, expected) in [
            ("/p/a", "/p/a", true),
            ("/p/a", "/p/ab", false),
            ("/p/*.log", "/p/x.log", true),
            ("/p/*.log", "/p/d/x.log", false),
            ("/p/…/*.log", "/p/d/e/x.log", true),
            ("/p/…/*.log", "/p/x.log", true),
            ("/p/…", "/p/d/e", true),
            ("/p/[ab]c", "/p/ac", true),
            ("…", "/p/a", true),
            ("/tmp/tmp.XXXXXXXXXX", "/tmp/tmp.Qj6SHSRPhv", true),
            ("/p/made-XXXX", "/p/made-c1Nx", true),
            ("/p/made-XXXX", "/p/made-c1N", false),
        ] {
            assert_eq!(fits(pattern, path), expected, "{pattern} {path}");
        }
    }
}
