//! Lessons that a project shares in a file, which a user trusts by its content like a hook.

use super::{lesson::Lesson, store::MOST_BYTES};
use crate::trust::{Content, Store, TrustState};
use serde_json::{Value, json};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The name of the file, at the top of a project.
pub const SHARED_FILE: &str = ".checkrein-learned.json";

/// Returns the text of a file that shares lessons. Lessons about a single command are left out.
pub fn shared_text(lessons: &[Lesson]) -> String {
    let lessons: Vec<Value> =
        lessons.iter().filter(|lesson| lesson.is_shareable()).map(Lesson::to_json).collect();
    format!("{:#}\n", json!({"lessons": lessons}))
}

/// Returns the shared file of the project that a directory is in, as content that can be trusted.
///
/// # Errors
///
/// If there is a file that cannot be read.
pub fn shared_file(directory: &Path) -> io::Result<Option<Content>> {
    match path(directory) {
        Some(path) => Content::of_lessons(&path, MOST_BYTES).map(Some),
        None => Ok(None),
    }
}

/// Returns the lessons that a project shares and a user trusts.
pub(super) fn trusted(project: &Path, store: Option<&Store>) -> Vec<Lesson> {
    let lessons = || {
        let path = project.join(SHARED_FILE);
        path.symlink_metadata().ok()?;
        let content = Content::of_lessons(&path, MOST_BYTES).ok()?;
        let is_trusted = matches!(store?.look(&content), Ok(TrustState::Trusted(_)));
        let value =
            checkrein_core::json::parse_object(&content.files.first().filter(|_| is_trusted)?.bytes).ok()?;
        let lessons = value.get("lessons")?.as_array()?.iter().filter_map(Lesson::from_json);
        Some(lessons.filter(Lesson::is_shareable).collect())
    };
    lessons().unwrap_or_default()
}

fn path(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().map(|above| above.join(SHARED_FILE)).find(|path| path.symlink_metadata().is_ok())
}
