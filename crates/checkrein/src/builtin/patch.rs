//! The files that a patch changes, in the form that `apply_patch` takes: `*** Add File: x`, its lines after a `+`, and so on.
//!
//! Every line that looks like the head of a file is taken for one, wherever it stands: those who apply patches forgive
//! blanks before it, and a file too many is only judged once more.

use super::call::{FileAccess, Unreadable};
use checkrein_guard::Verb;

/// Maximum number of files in one patch.
const MOST: usize = 500;

/// Returns whether a text is a patch of this form.
pub(super) fn is_patch(text: &str) -> bool {
    text.trim_start().starts_with("*** Begin Patch")
}

/// Adds the files that `text` names.
pub(super) fn touches<'a>(text: &'a str, touches: &mut Vec<FileAccess<'a>>) -> Result<(), Unreadable> {
    for line in text.lines() {
        if let Some(head) = line.trim().strip_prefix("***") {
            let Some((what, path)) = head.split_once(':') else { continue };
            let (what, path) = (what.trim(), path.trim());
            let verb = match what {
                "Add File" => Verb::Write,
                "Update File" => Verb::Append,
                "Delete File" => Verb::Delete,
                "Move to" => {
                    // The file is not where it was; what the patch leaves of it is written elsewhere.
                    if let Some(FileAccess { path, .. }) = touches.last().cloned() {
                        touches.push(FileAccess { verb: Verb::Move, path, content: None });
                    }
                    Verb::Write
                }
                _ => continue,
            };
            if touches.len() >= MOST {
                return Err(Unreadable::Wrong(format!("the patch changes more than {MOST} files")));
            }
            touches.push(FileAccess { verb, path: path.into(), content: None });
        } else if let (Some(added), Some(touch)) = (line.strip_prefix('+'), touches.last_mut()) {
            let content = touch.content.get_or_insert_default().to_mut();
            content.push_str(added);
            content.push('\n');
        }
    }
    Ok(())
}
