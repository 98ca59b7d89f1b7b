//! What arrives in a directory under names that somebody else chose: archives and patches.

use crate::{
    lower::{Context, Lowering},
    program::{Parsed, Role},
    vocabulary::{Mark, Marks, Verb},
    word::Word,
};

/// How many files of a patch are looked at.
const FILES: usize = 256;

impl Lowering<'_> {
    /// Notes what a program takes out of an archive or a patch, if it lands where something of ours is.
    pub(in crate::lower) fn unpacks(&mut self, parsed: &Parsed, context: &Context) {
        if parsed.marks.has_any(Marks::of(&[Mark::Lists, Mark::DryRun, Mark::OutputGiven, Mark::Help])) {
            return;
        }
        let given = parsed.roles.iter().any(|(role, _)| matches!(role, Role::Create | Role::Write));
        let here = Word::text(".", 0..0);
        if parsed.marks.has(Mark::Extracts) && !given {
            self.touches_ours(Verb::Create, &here, Marks::of(&[Mark::Extracts]), context);
        }
        if parsed.marks.has(Mark::Extracts) && matches!(parsed.program.name, ["unrar" | "rar" | "7z", ..]) {
            // The last of its names may be the directory.
            let last =
                parsed.roles.iter().rev().find(|(role, _)| *role == Role::Text).map(|(_, word)| word.clone());
            if let Some(last) = last.filter(|word| word.constant().is_some_and(|text| text.ends_with('/'))) {
                self.touches_ours(Verb::Create, &last, Marks::of(&[Mark::Extracts]), context);
            }
        }
        if parsed.program.name != ["patch"] || parsed.roles.iter().any(|(role, _)| *role == Role::Append) {
            return;
        }
        let file = parsed.roles.iter().find(|(role, _)| *role == Role::Read).map(|(_, word)| word);
        let text = match file {
            Some(file) => self.content_of(file, context).text,
            None => context.stdin.text.clone(),
        };
        let Some(text) = text else {
            self.touches_ours(Verb::Create, &here, Marks::of(&[Mark::Extracts]), context);
            return;
        };
        for name in patched(&text).take(FILES) {
            // How many directories are taken off is an option; each of what is left may be meant.
            for (place, _) in std::iter::once((0, "")).chain(name.match_indices('/')).take(16) {
                let rest = name.get(place..).unwrap_or_default();
                let rest = if place == 0 { rest } else { rest.trim_start_matches('/') };
                self.touches_ours(Verb::Append, &Word::text(rest, 0..0), Marks::NONE, context);
            }
        }
    }
}

/// The files that a patch names.
fn patched(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let name = ["+++ ", "--- ", "*** ", "Index: ", "rename to ", "rename from ", "copy to "]
            .iter()
            .find_map(|start| line.strip_prefix(start))?;
        let name = name.split('\t').next().unwrap_or_default().trim().trim_matches('"');
        (!name.is_empty() && name != "/dev/null").then_some(name)
    })
}
