//! Copies: which files they write, and what those hold.

use crate::{
    eval::{Evaluator, Frame, flow::Flow, session::Content},
    path::{LinkPolicy, ResolvedPath},
    program::{ParseFlag, Parsed, Prints, Role, Trait},
    qualities::{Qualities, qualities},
    vocabulary::{Modifier, Zone},
    world::FileKind,
};
use checkrein_shell::Word;

impl Evaluator<'_> {
    /// The files that a copy writes, and how. A directory that is plainly one is not overwritten: it gets another file.
    pub(super) fn written_files(
        &self,
        parsed: &Parsed,
        target: &Word,
        frame: &Frame,
    ) -> Vec<(Word, Qualities)> {
        let itself = || vec![(target.clone(), Qualities::NONE)];
        let sources: Vec<&Word> = parsed
            .roles
            .iter()
            .filter(|(role, _)| matches!(role, Role::Read | Role::Source))
            .map(|(_, word)| word)
            .collect();
        let places = self.places(target, LinkPolicy::Follow, frame);
        let takes = parsed.program.has(Trait::TakesPlace);
        if !sources.is_empty() && places.iter().any(|(spot, _)| self.is_holder(spot)) {
            // What is moved onto a directory takes its place.
            if takes && parsed.qualities.has(ParseFlag::Exact) {
                return itself();
            }
            return self.emit_arrival(&sources, target, parsed.qualities, frame);
        }
        let is_directory = |(spot, _): &(ResolvedPath, Qualities)| {
            matches!(spot.zone, Zone::HomeRoot | Zone::ProjectRoot | Zone::TemporaryRoot)
                || self.world.entry(&spot.path) == Some(FileKind::Directory)
        };
        if places.is_empty() || !places.iter().all(is_directory) {
            return itself();
        }
        let mut files = Vec::new();
        let mut unknown = false;
        for source in sources {
            if source.is_unknown() && self.texts(source).is_empty() {
                unknown = true;
                continue;
            }
            let name = self.texts(source).first().and_then(|path| {
                let path = path.trim_end_matches('/');
                path.rsplit('/').next().filter(|name| !matches!(*name, "" | "." | "..")).map(str::to_owned)
            });
            let Some(name) = name else { return itself() };
            let mut file = target.clone();
            file.push_text(&format!("/{name}"));
            files.push((file, Qualities::NONE));
        }
        if files.is_empty() && !unknown { itself() } else { files }
    }

    /// The files that a copy from another machine, or by `rsync`, writes here.
    pub(super) fn received_files(
        &self,
        parsed: &Parsed,
        target: &Word,
        frame: &Frame,
    ) -> Vec<(Word, Qualities)> {
        let holds = |(spot, _): &(ResolvedPath, Qualities)| self.is_holder(spot);
        if !self.places(target, LinkPolicy::Follow, frame).iter().any(holds) {
            return vec![(target.clone(), Qualities::NONE)];
        }
        let sources: Vec<&Word> =
            parsed.roles.iter().filter(|(role, _)| *role == Role::RemoteRead).map(|(_, word)| word).collect();
        // `directory/` means what is in it.
        let qualities = if parsed.program.has(Trait::SlashMeansContents) {
            qualities![Modifier::Mirror]
        } else {
            Qualities::NONE
        };
        // These copy what is below a name.
        let below = parsed.program.has(Trait::CopiesBelow) && parsed.qualities.has(Modifier::Recursive);
        let qualities = if parsed.qualities.has(Modifier::Extracts) || below {
            qualities.with(Modifier::Extracts)
        } else {
            qualities
        };
        self.emit_arrival(&sources, target, qualities, frame)
    }

    /// Returns true if a copy goes from the project to the project.
    pub(super) fn stays_in_project(&self, parsed: &Parsed, frame: &Frame) -> bool {
        let ours = |word: &Word| {
            self.places(word, LinkPolicy::Follow, frame)
                .iter()
                .all(|(spot, _)| matches!(spot.zone, Zone::Project | Zone::ProjectRoot | Zone::Generated))
        };
        let mut files =
            parsed.roles.iter().filter(|(role, _)| matches!(role, Role::Read | Role::Source | Role::Write));
        parsed.program.has(Trait::Copies) && files.all(|(_, word)| ours(word))
    }

    /// Remembers what a copy holds.
    pub(super) fn record_copy(&mut self, parsed: &Parsed, held: &Flow, frame: &Frame) {
        let of = |wanted: &[Role]| -> Vec<Word> {
            parsed
                .roles
                .iter()
                .filter(|(role, _)| wanted.contains(role))
                .map(|(_, word)| word.clone())
                .collect()
        };
        // `tee` writes what it reads.
        if parsed.program.prints == Prints::Input && of(&[Role::Read]).is_empty() {
            for target in of(&[Role::Write]) {
                self.write_file(&target, &frame.stdin.clone(), false, frame);
            }
            for target in of(&[Role::Append]) {
                self.write_file(&target, &frame.stdin.clone(), true, frame);
            }
            return;
        }
        let (targets, sources) = (
            of(&[Role::Write, Role::Link, Role::RemoteWrite]),
            of(&[Role::Read, Role::Source, Role::RemoteRead]),
        );
        let [target] = targets.as_slice() else { return };
        let program = match sources.as_slice() {
            [source] => {
                let found = self.texts(source).into_iter().next();
                // `$(which tool)` is the path of that program.
                found
                    .and_then(|path| program_at(&path).or_else(|| Some(path).filter(|_| source.is_unknown())))
            }
            _ => None,
        };
        // Into a directory it goes by its own name.
        let own = match sources.as_slice() {
            [source] => {
                self.texts(source).first().and_then(|path| path.rsplit(['/', ':']).next().map(str::to_owned))
            }
            _ => None,
        };
        for (spot, _) in self.places(target, LinkPolicy::Follow, frame) {
            if held.text.as_deref() == Some("") && program.is_none() {
                self.emit_emptied(&spot, frame);
            }
            if program.is_some() || !held.is_unknown() {
                let content = Content { program: program.clone(), flow: held.clone() };
                if let Some(own) = own.as_ref().filter(|own| !own.is_empty()) {
                    self.session
                        .files
                        .insert(format!("{}/{own}", spot.path.trim_end_matches('/')), content.clone());
                }
                self.session.files.insert(spot.path, content);
            }
        }
    }
}

/// Returns the name of the program at a path in a directory of programs.
fn program_at(path: &str) -> Option<String> {
    let (directory, name) = path.rsplit_once('/')?;
    (directory.ends_with("bin")).then(|| name.to_owned())
}
