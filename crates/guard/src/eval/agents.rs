//! The settings of agents: tells if our entry among their hooks is removed or switched off.

use super::{Evaluator, Frame, flow::Flow};
use crate::{
    effect::Target,
    own::Kind,
    path::ResolvedPath,
    qualities::qualities,
    vocabulary::{Action, Modifier, Tag, Zone},
    world::FileKind,
};

impl Evaluator<'_> {
    /// Returns true if an effect on a file removes our entry from it. Where the disk cannot be read, the user's files
    /// are assumed to have one, and those of a project to have none.
    pub(super) fn removes_hooks(&self, action: Action, spot: &ResolvedPath, is_hook_file: bool) -> bool {
        if !spot.tags.has(Tag::AgentHooks) {
            return false;
        }
        let before = self.world.text(&spot.path);
        // A file that does not exist has no entry of ours. Only a real disk can tell, and only about a named file.
        let is_new = self.world.own().is_some() && self.world.entry(&spot.path).is_none();
        let is_ours = |text: &str| self.names_us(text);
        let had = |before: &Option<String>| before.as_deref().map(is_ours);
        let is_of_user = || is_hook_file || self.is_of_user(spot);
        match (action, &self.arriving) {
            (Action::Write, Some(after)) => {
                let lost = match &before {
                    Some(before) => self.loses_entry(before, after),
                    None => !is_new && is_of_user() && !is_ours(after),
                };
                lost || self.switches_hooks_off(after)
            }
            (Action::Append, Some(added)) => self.switches_hooks_off(added),
            (Action::Write, None) => had(&before).unwrap_or_else(is_of_user),
            // A file that does not exist has nothing to lose, and about one that cannot be read nothing is known.
            (Action::Truncate | Action::Delete | Action::Move | Action::Link, _) => {
                had(&before).unwrap_or(true)
            }
            _ => false,
        }
    }

    /// Returns true if one of our entries is no longer there as it was registered: another program, matcher, event,
    /// time or condition makes it another entry.
    fn loses_entry(&self, before: &str, after: &str) -> bool {
        let entries = |text: &str| self.world.own().and_then(|own| own.entries(text));
        match (entries(before), entries(after)) {
            (Some(before), Some(after)) => before.iter().any(|entry| !after.contains(entry)),
            // An agent passes over settings that it cannot read.
            (Some(before), None) => !before.is_empty(),
            (None, _) => self.names_us(before) && !self.names_us(after),
        }
    }

    fn switches_hooks_off(&self, text: &str) -> bool {
        switches_off(text)
            || text.contains('\\')
                && self.world.own().and_then(|own| own.plainly(text)).is_some_and(|text| switches_off(&text))
    }

    /// Returns true if text that a script replaces is in one of our entries.
    pub(super) fn is_in_entries(&self, file: &checkrein_shell::Word, text: &str, frame: &Frame) -> bool {
        let places = self.places(file, crate::path::LinkPolicy::Follow, frame);
        places.iter().any(|(spot, _)| {
            let before = self.world.text(&spot.path).unwrap_or_default();
            let entries = self.world.own().and_then(|own| own.entries(&before)).unwrap_or_default();
            entries.iter().any(|entry| entry.contains(text))
        })
    }

    /// Returns true if settings name us: by our name, or by a program that agents are told to call here.
    fn names_us(&self, text: &str) -> bool {
        let project = self.roots.project.as_ref().map(ToString::to_string);
        text.contains("checkrein")
            || self.world.own().is_some_and(|own| {
                let mut ours = own.belongings(project.as_deref()).into_iter();
                ours.any(|belonging| belonging.kind == Kind::Ours && text.contains(&belonging.path))
            })
    }

    /// Follows a text that is written to such a file by other means than a file tool.
    pub(super) fn follow_written_settings(&mut self, spot: &ResolvedPath, flow: &Flow, frame: &Frame) {
        let text = flow.text.as_deref().unwrap_or(&flow.also);
        if spot.tags.has(Tag::AgentHooks) && self.switches_hooks_off(text) {
            self.emit(Action::Write, Target::Path(spot.clone()), qualities![Modifier::Unhooks], frame);
        }
    }

    /// Returns true if a file applies to all projects: it is in a hidden directory of the home directory, or belongs
    /// to the machine.
    fn is_of_user(&self, spot: &ResolvedPath) -> bool {
        let below = spot.path.strip_prefix(self.home.as_str());
        match below.and_then(|below| below.strip_prefix('/')) {
            Some(below) => {
                below.starts_with('.') && self.world.entry(&spot.path) != Some(FileKind::Directory)
            }
            None => spot.zone != Zone::Project,
        }
    }
}

/// Returns true if settings disable hooks: `disableAllHooks: true`, `hooks = false`, `"enableHooks": false`.
fn switches_off(text: &str) -> bool {
    let plain: String = text
        .chars()
        .filter(|char| !char.is_whitespace() && !matches!(char, '"' | '\'' | '_' | '-'))
        .map(|char| char.to_ascii_lowercase())
        .collect();
    let is_name = |char: char| char.is_ascii_alphanumeric() || char == '.';
    plain.match_indices("hook").any(|(at, _)| {
        let (before, after) = plain.split_at(at);
        let start = before.rfind(|char: char| !is_name(char)).map_or(0, |place| place + 1);
        let name = before.get(start..).unwrap_or_default();
        let Some((rest, value)) = after.split_once([':', '=']) else { return false };
        if !rest.chars().all(is_name) {
            return false;
        }
        let off = ["disable", "skip", "no", "without"]
            .iter()
            .any(|word| name.ends_with(word) || name.ends_with(&format!("{word}all")));
        if off {
            value.starts_with("true") || value.starts_with('1')
        } else {
            value.starts_with("false") || value.starts_with('0')
        }
    })
}

#[cfg(test)]
mod tests {
    use super::switches_off;

    #[test]
    fn a_switch_is_found_however_it_is_written() {
        for text in [
            r#"{"disableAllHooks": true}"#,
            "{ 'disableAllHooks' : true }",
            "[features]\nhooks = false",
            "features.hooks=false",
            r#"{"tools": {"enableHooks": false}}"#,
            r#"{"hooksEnabled":false}"#,
            "codex_hooks = false",
        ] {
            assert!(switches_off(text), "{text}");
        }
        for text in [
            r#"{"hooks": {"PreToolUse": []}}"#,
            r#"{"disableAllHooks": false}"#,
            "hooks = true",
            r#"{"permissions": {"allow": ["Bash(ls)"]}}"#,
            "",
        ] {
            assert!(!switches_off(text), "{text}");
        }
    }
}
