//! From a command of git to the files, names and objects that it would take away.

use super::plan::{refusal, take};
use checkrein_git::{Head, Part, Question, Taken};
use checkrein_guard::{Action, Effect, Judgement, Loss, Modifier, Places, Target, Zone};
use checkrein_undo::{Keeping, NotKept, Role, Take};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// The permissions of a name, and those of an object.
const NAME: u32 = 0o644;
const OBJECT: u32 = 0o444;

/// Keeps everything that a discard or a lost name would take away. The error is why not all of it was kept; then nothing of it was.
pub(super) fn keep(
    keeping: &mut Keeping<'_>,
    effect: &Effect,
    loss: &Loss,
    judgement: &Judgement,
    places: &Places,
) -> Result<(), String> {
    let taken = match (&effect.target, effect.action) {
        (_, Action::Discard) => Taken::Work,
        (Target::Name(_), Action::Forget) if effect.how.has(Modifier::Stash) => Taken::Stash,
        (Target::Name(name), Action::Forget) => Taken::Name(name),
        _ => return Err("it is not known exactly".to_owned()),
    };
    let questions: Option<Vec<&Question>> = loss.questions.iter().map(Option::as_ref).collect();
    let questions = questions.filter(|questions| !questions.is_empty() && loss.exact);
    let questions = questions.ok_or_else(|| "it is not known exactly".to_owned())?;
    let gone = gone(judgement);
    let home = places.home();
    keeping.all_of(|keeping| {
        questions.iter().try_for_each(|question| {
            let top = top(question, places)?;
            let mut parts = Parts { keeping, places, top };
            checkrein_git::going(&taken, question, &gone, home.as_deref(), &mut |part| parts.keep(&part))
        })
    })
}

/// The names that the call removes or moves: none of them keeps a commit.
fn gone(judgement: &Judgement) -> BTreeSet<String> {
    let forgotten = judgement.losses.iter().filter_map(|loss| judgement.effects.get(loss.effect));
    let names = forgotten.filter(|effect| effect.action == Action::Forget);
    names
        .filter_map(|effect| match &effect.target {
            Target::Name(name) => Some(name.clone()),
            _ => None,
        })
        .collect()
}

/// Returns the top of the work tree, which has to be the project's or one that goes as a whole.
fn top(question: &Question, places: &Places) -> Result<PathBuf, String> {
    let top = checkrein_git::work_tree(&question.directory).ok_or("there is no work tree")?.top;
    match places.of(&top.to_string_lossy()).0 {
        Zone::Project | Zone::ProjectRoot => Ok(top),
        Zone::Root | Zone::System | Zone::HomeRoot | Zone::Device | Zone::Unknown => {
            Err("the work tree is too large, or not known".to_owned())
        }
        _ if question.head == Head::Goes => Ok(top),
        _ => Err("the work tree is not the project's".to_owned()),
    }
}

struct Parts<'p, 'k> {
    keeping: &'p mut Keeping<'k>,
    places: &'p Places,
    top: PathBuf,
}

impl Parts<'_, '_> {
    fn keep(&mut self, part: &Part<'_>) -> Result<(), String> {
        let kept = match part {
            Part::Tracked(path) => self.tracked(path),
            Part::Untracked(path) => self.below(path, &|path, _| take(path, self.places)),
            Part::Directory(path) => self.directory(path),
            Part::Tree(path) => self.keeping.path(path, &|path, _| take(path, self.places)).map(drop),
            Part::Index(path) => self.of_git(path, Role::Index),
            Part::File(path) => self.of_git(path, Role::Git),
            Part::Name(path, value) => {
                self.keeping.given(path, Role::Name, NAME, format!("{value}\n").as_bytes())
            }
            Part::Object(path, None) => self.of_git(path, Role::Object),
            Part::Object(path, Some(content)) => self.keeping.given(path, Role::Object, OBJECT, content),
            _ => return Err("it is of an unknown kind".to_owned()),
        };
        kept.map_err(|why| why.to_string())
    }

    /// Keeps what is at a path that git tracks, or that another commit has.
    fn tracked(&mut self, path: &Path) -> Result<(), NotKept> {
        // Work in what tools generate is work if git tracks it.
        let all = |path: &Path, _: bool| {
            let (_, tags) = self.places.of(&path.to_string_lossy());
            refusal(tags.iter()).map_or(Take::Keep, Take::Refuse)
        };
        let path = checkrein_git::obstacle(path, &self.top).unwrap_or_else(|| path.to_owned());
        self.above(&path)?;
        if path.symlink_metadata().is_ok() {
            return self.keeping.path(&path, &all).map(drop);
        }
        // What the command puts there goes again, with the directories that it makes for it.
        let missing: Vec<&Path> = path
            .ancestors()
            .take_while(|above| *above != self.top && above.symlink_metadata().is_err())
            .collect();
        missing.into_iter().rev().try_for_each(|path| self.keeping.absent(path))
    }

    fn below(&mut self, path: &Path, selection: &dyn Fn(&Path, bool) -> Take) -> Result<(), NotKept> {
        if selection(path, false) == Take::Skip {
            return Ok(());
        }
        self.above(path)?;
        self.keeping.path(path, selection).map(drop)
    }

    fn directory(&mut self, path: &Path) -> Result<(), NotKept> {
        if take(path, self.places) == Take::Skip {
            return Ok(());
        }
        self.above(path)?;
        self.keeping.single(path).map(drop)
    }

    /// Keeps the directories above a path: git removes those that become empty.
    fn above(&mut self, path: &Path) -> Result<(), NotKept> {
        let above =
            path.ancestors().skip(1).take_while(|above| *above != self.top && above.starts_with(&self.top));
        let above: Vec<&Path> = above.filter(|above| above.is_dir()).collect();
        above.into_iter().rev().try_for_each(|above| self.keeping.single(above).map(drop))
    }

    /// Keeps a file of git, which has to be there.
    fn of_git(&mut self, path: &Path, role: Role) -> Result<(), NotKept> {
        match self.keeping.of_git(path, role)? {
            0 if !self.keeping.has(path) => Err(NotKept::Unsupported(path.to_owned())),
            _ => Ok(()),
        }
    }
}
