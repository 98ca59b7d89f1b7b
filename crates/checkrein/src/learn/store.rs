//! The lessons of each project, one file for each, which only the user can read and write.

use super::lesson::Lesson;
use crate::state::{self, prune, secure_fs, session_file::name_of};
use checkrein_core::SmallSort as _;
use serde_json::{Value, json};
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

/// The maximum number of lessons of a project, and of projects.
const MOST: usize = 50;
const MOST_PROJECTS: usize = 200;
/// The largest file.
pub(super) const MOST_BYTES: u64 = 64 * 1024;
/// A project that is not worked on is forgotten after this time, whatever the configuration says.
const LIFE: Duration = Duration::from_secs(3650 * 24 * 3600);
const DAY: u64 = 24 * 3600;

/// The memory of all projects of a user.
#[derive(Clone, Debug)]
pub struct Memory {
    directory: PathBuf,
    /// The number of seconds after which a lesson that was not seen again is forgotten.
    life: u64,
}

/// The memory of one project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectMemory {
    /// The directory of the project.
    pub project: PathBuf,
    /// The lessons, the newest first.
    pub lessons: Vec<Lesson>,
}

impl Memory {
    /// The memory below a state directory. A lesson that is not seen again is forgotten after so many days.
    pub fn new(state: &Path, days: u32) -> Self {
        Self { directory: state::learned(state), life: u64::from(days) * DAY }
    }

    /// Returns what is remembered of a project.
    pub fn of(&self, project: &Path) -> Vec<Lesson> {
        self.load(&self.file(project)).map(|memory| memory.lessons).unwrap_or_default()
    }

    /// Returns what is remembered of every project, by directory.
    pub fn all(&self) -> Vec<ProjectMemory> {
        let files = secure_fs::entries(&self.directory);
        let files = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json"));
        let mut all: Vec<ProjectMemory> = files.filter_map(|file| self.load(file)).collect();
        all.retain(|memory| !memory.lessons.is_empty());
        all.small_sort_by(|one, other| one.project.cmp(&other.project));
        all
    }

    /// Adds a lesson, which replaces an earlier one about the same failure.
    pub(super) fn add(&self, project: &Path, lesson: Lesson) -> io::Result<()> {
        self.change(project, |lessons| {
            let is_known = |known: &&Lesson| known.is_same_failure(&lesson);
            let seen = lessons
                .iter()
                .find(is_known)
                .filter(|known| known.worked == lesson.worked)
                .map_or(0, |known| known.seen);
            lessons.retain(|known| !known.is_same_failure(&lesson));
            lessons.insert(0, lesson.seen(seen.saturating_add(1)));
            lessons.truncate(MOST);
        })
    }

    /// Removes lessons. Returns how many there were.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn forget(&self, project: &Path, is_meant: impl Fn(&Lesson) -> bool) -> io::Result<usize> {
        if !self.of(project).iter().any(&is_meant) {
            return Ok(0);
        }
        let mut removed = 0;
        self.change(project, |lessons| {
            let before = lessons.len();
            lessons.retain(|lesson| !is_meant(lesson));
            removed = before - lessons.len();
        })?;
        Ok(removed)
    }

    fn change(&self, project: &Path, change: impl FnOnce(&mut Vec<Lesson>)) -> io::Result<()> {
        let _lock = secure_fs::lock(&self.directory)?;
        let file = self.file(project);
        let mut lessons = self.load(&file).map(|memory| memory.lessons).unwrap_or_default();
        change(&mut lessons);
        if lessons.is_empty() {
            return match fs::remove_file(&file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        if !file.exists() {
            prune(&self.directory, MOST_PROJECTS, LIFE);
        }
        let lessons: Vec<Value> = lessons.iter().map(Lesson::to_json).collect();
        let value = json!({"project": project.to_string_lossy(), "lessons": lessons});
        secure_fs::replace(&file, value.to_string().as_bytes())
    }

    fn file(&self, project: &Path) -> PathBuf {
        self.directory.join(name_of(&project.to_string_lossy())).with_extension("json")
    }

    /// Reads a file. A lesson that is too old, or not one of ours, is left out.
    fn load(&self, file: &Path) -> Option<ProjectMemory> {
        let value = checkrein_core::json::parse_object(&secure_fs::read(file, MOST_BYTES).ok()?).ok()?;
        let project = PathBuf::from(value.get("project")?.as_str()?);
        let lessons = value.get("lessons")?.as_array()?.iter().filter_map(Lesson::from_json);
        let oldest = state::now().saturating_sub(self.life);
        Some(ProjectMemory {
            project,
            lessons: lessons.filter(|lesson| lesson.time >= oldest).take(MOST).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{outline::Outline, result::FailureKind};

    fn lesson(failed: &str, worked: &str, time: u64) -> Lesson {
        let [failed, worked] = [failed, worked].map(|text| Outline::again(text).unwrap());
        Lesson::of(&failed, FailureKind::ProgramNotFound, &worked, time).unwrap()
    }

    #[test]
    fn lessons_decay_and_are_bounded() {
        let state = tempfile::tempdir().unwrap();
        let (memory, project, now) = (Memory::new(state.path(), 30), Path::new("/home/dev/p"), state::now());
        memory.add(project, lesson("pnpm install", "corepack pnpm install", now - 31 * DAY)).unwrap();
        assert!(memory.of(project).is_empty(), "it is too old");
        for _ in 0..3 {
            memory.add(project, lesson("pnpm install", "corepack pnpm install", now)).unwrap();
        }
        assert_eq!(memory.of(project).iter().map(|lesson| lesson.seen).collect::<Vec<_>>(), [3]);
        assert!(memory.of(Path::new("/home/dev/q")).is_empty());
        // A newer lesson replaces the one about the same failure.
        memory.add(project, lesson("pnpm install", "npm install", now)).unwrap();
        assert_eq!(
            memory.of(project).iter().map(|lesson| lesson.worked.as_str()).collect::<Vec<_>>(),
            ["npm install"]
        );
        for first in ["build", "check", "clippy", "fmt", "test", "run", "bench", "doc"] {
            for option in
                ["", " --release", " --locked", " --offline", " --frozen", " --workspace", " --all-features"]
            {
                let failed = format!("cargo {first}{option}");
                memory.add(project, lesson(&failed, &format!("corepack {failed}"), now)).unwrap();
            }
        }
        assert_eq!(memory.of(project).len(), MOST);
        assert_eq!(memory.forget(project, |lesson| lesson.failed.starts_with("cargo")).unwrap(), MOST);
        assert!(memory.all().is_empty());
    }

    #[test]
    fn a_file_that_another_user_could_write_is_not_believed() {
        use std::os::unix::fs::PermissionsExt;
        let state = tempfile::tempdir().unwrap();
        let (memory, project) = (Memory::new(state.path(), 30), Path::new("/home/dev/p"));
        memory.add(project, lesson("pnpm install", "npm install", state::now())).unwrap();
        fs::set_permissions(memory.file(project), fs::Permissions::from_mode(0o666)).unwrap();
        assert!(memory.of(project).is_empty());
        for text in ["", "{}", "[]", r#"{"project": 1}"#, r#"{"project": "/p", "lessons": [{"failed": 1}]}"#]
        {
            fs::remove_file(memory.file(project)).unwrap();
            secure_fs::replace(&memory.file(project), text.as_bytes()).unwrap();
            assert!(memory.of(project).is_empty(), "{text}");
        }
    }
}
