//! The files that a patch changes, in the form that `apply_patch` takes: `*** Add File: x`, its lines after a `+`, and so on.
//!
//! Every line that looks like the header of a file is taken for one: programs that apply patches ignore spaces before
//! it, and a file too many is only judged once more.

use super::call::{FileAccess, Unreadable};
use crate::Action;

/// Maximum number of files in one patch.
const MOST: usize = 500;

/// Returns true if a text is a patch of this form.
pub(super) fn is_patch(text: &str) -> bool {
    text.trim_start().starts_with("*** Begin Patch")
}

/// Adds the files that a unified diff names by their whole paths, or next to a first directory for the two sides.
pub(super) fn diffed<'a>(text: &'a str, touches: &mut Vec<FileAccess<'a>>) {
    let names = text.lines().filter_map(|line| {
        let name = ["+++ ", "--- ", "rename to ", "rename from "]
            .iter()
            .find_map(|start| line.strip_prefix(start))?;
        let name = name.split('\t').next().unwrap_or_default().trim().trim_matches('"');
        (!name.is_empty() && name != "/dev/null").then_some(name)
    });
    for name in names.take(MOST) {
        let path = name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")).unwrap_or(name);
        touches.push(FileAccess { action: Action::Append, path: path.into(), content: None });
    }
}

/// Adds the files that `text` names.
pub(super) fn touches<'a>(text: &'a str, touches: &mut Vec<FileAccess<'a>>) -> Result<(), Unreadable> {
    for line in text.lines() {
        if let Some(head) = line.trim().strip_prefix("***") {
            let Some((what, path)) = head.split_once(':') else { continue };
            let (what, path) = (what.trim(), path.trim());
            let action = match what {
                "Add File" => Action::Write,
                "Update File" => Action::Append,
                "Delete File" => Action::Delete,
                "Move to" => {
                    // The file is not where it was; what the patch leaves of it is written elsewhere.
                    if let Some(FileAccess { path, .. }) = touches.last().cloned() {
                        touches.push(FileAccess { action: Action::Move, path, content: None });
                    }
                    Action::Write
                }
                _ => continue,
            };
            if touches.len() >= MOST {
                return Err(Unreadable::Wrong(format!("the patch changes more than {MOST} files")));
            }
            touches.push(FileAccess { action, path: path.into(), content: None });
        } else if let (Some(added), Some(touch)) = (line.strip_prefix('+'), touches.last_mut()) {
            let content = touch.content.get_or_insert_default().to_mut();
            content.push_str(added);
            content.push('\n');
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{Action, tool::call::touches as touches_of};
    use checkrein_core::ToolCall;
    use serde_json::json;

    const PATCH: &str = "*** Begin Patch
*** Add File: src/new.rs
+fn new() {}
*** Update File: src/old.rs
*** Move to: src/older.rs
@@
-a
+b
*** Delete File: src/gone.rs
*** End Patch
";

    #[test]
    fn a_patch_is_judged_file_by_file() {
        let expected = [
            (Action::Write, "src/new.rs"),
            (Action::Append, "src/old.rs"),
            (Action::Move, "src/old.rs"),
            (Action::Write, "src/older.rs"),
            (Action::Delete, "src/gone.rs"),
        ];
        for input in
            [json!({"command": PATCH}), json!({"input": PATCH}), json!({"command": ["apply_patch", PATCH]})]
        {
            let call = ToolCall::new("apply_patch", input.as_object().unwrap().clone());
            let touches = touches_of(&call).unwrap();
            let found: Vec<(Action, &str)> =
                touches.iter().map(|touch| (touch.action, &*touch.path)).collect();
            assert_eq!(found, expected, "{input}");
            assert_eq!(touches[0].content.as_deref(), Some("fn new() {}\n"));
        }
    }

    /// A dialect may call it by our name; what the host calls it says what is in it.
    #[test]
    fn a_patch_is_one_by_the_name_of_the_host() {
        for name in ["Edit", "Write"] {
            let input = json!({"command": PATCH});
            let mut call = ToolCall::new(name, input.as_object().unwrap().clone());
            call.host_name = Some("apply_patch".to_owned());
            assert_eq!(touches_of(&call).map(|touches| touches.len()), Ok(5), "{name}");
        }
    }
}
