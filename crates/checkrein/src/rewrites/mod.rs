//! Commands in a safer or more fitting form: suggested, or applied where the user wants that.
//!
//! | file | what becomes of a command |
//! | --- | --- |
//! | `force_push.rs` | a force push gets a lease |
//! | `run_download.rs` | a download that would be run is kept in a file and shown |
//! | `install_scripts.rs` | packages are installed without running their scripts |
//! | `add_secrets.rs` | files with secrets are not added |
//! | `replace.rs` | another program runs: the one of the project's lock file, or of a rule |
//! | `trailers.rs` | a commit message loses a trailer, or gets another one |
//!
//! All of them change the words of parsed commands at their places in the text (`text.rs`), so that quotes, wrappers and pipes stay.
//! What results is judged again. A rewrite that answers an objection must leave none; any other must add none. The first is told as
//! the suggestion of the denial, the others once in a session; `apply` makes an edit of them, which a host that cannot rewrite turns
//! into a denial with the proposed input.

mod add_secrets;
mod force_push;
mod install_scripts;
mod replace;
mod run_download;
pub(crate) mod settings;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod text;
mod trailers;

pub(crate) use settings::{Mode, Replace};

use crate::{builtin::Disk, builtin::Guard, state::session_file};
use checkrein_core::{
    Deadline, Decision, Event, Failure, Hook, Map, Payload, Verdict, sanitize::one_line as short,
};
use checkrein_guard::{CachedWorld, CallContext, Judgement, ToolCommand, World, call_context};
use replace::By;
use std::{cell::OnceCell, path::PathBuf};
use text::Known;

/// The name of the hook.
pub(crate) const NAME: &str = "rewrites";

/// The longest command that a text shows.
const SHOWN: usize = 160;

/// The built-in rewrites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A force push gets a lease.
    ForcePush,
    /// A download that would be run is kept and shown.
    RunDownload,
    /// Packages are installed without their scripts.
    InstallScripts,
    /// Files with secrets are not added.
    AddSecrets,
    /// The package manager of the lock file is used.
    PackageManager,
}

impl Kind {
    /// Every kind, in the order in which they are applied.
    pub(crate) const ALL: [Self; 5] =
        [Self::PackageManager, Self::InstallScripts, Self::AddSecrets, Self::ForcePush, Self::RunDownload];

    /// The key in `[rewrite]`.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::ForcePush => "force_push",
            Self::RunDownload => "run_download",
            Self::InstallScripts => "install_scripts",
            Self::AddSecrets => "add_secrets",
            Self::PackageManager => "package_manager",
        }
    }

    /// The rule whose objection it answers; `None` if it is about calls that nothing objects to.
    const fn answers(self) -> Option<&'static str> {
        match self {
            Self::ForcePush => Some("git.force-push"),
            Self::RunDownload => Some("execution.run-download"),
            Self::AddSecrets => Some("resources.publish"),
            Self::InstallScripts | Self::PackageManager => None,
        }
    }

    /// The reason for it, after the command.
    const fn why(self) -> &'static str {
        match self {
            Self::ForcePush => "stops if others pushed",
            Self::RunDownload => "keeps the download in a file and shows it",
            Self::InstallScripts => "runs no scripts of packages",
            Self::AddSecrets => "adds everything else",
            Self::PackageManager => "is the package manager of this project's lock file",
        }
    }

    /// Words without which it is not about a text.
    const fn about(self) -> &'static [&'static str] {
        match self {
            Self::ForcePush => &["push"],
            Self::RunDownload => &["curl", "wget", "http", "fetch"],
            Self::InstallScripts => &["npm", "yarn", "bun"],
            Self::AddSecrets => &["add", "stage"],
            Self::PackageManager => &["npm", "yarn", "npx", "pip"],
        }
    }
}

/// One rewrite: a built-in one, or a rule of a configuration.
#[derive(Clone, Copy)]
enum Source<'a> {
    Kind(Kind),
    Rule(&'a Replace),
}

impl Source<'_> {
    fn why(&self) -> String {
        match self {
            Self::Kind(kind) => kind.why().to_owned(),
            Self::Rule(replace) if replace.trailer.is_empty() => {
                format!("runs `{}` in place of `{}`, as the user wants", replace.with, replace.program)
            }
            Self::Rule(replace) => format!("has the trailer `{}` as the user wants", replace.trailer),
        }
    }

    fn key(&self) -> String {
        match self {
            Self::Kind(kind) => kind.key().to_owned(),
            Self::Rule(replace) => format!("replace {} {}", replace.program, replace.trailer),
        }
    }

    const fn answers(&self) -> Option<&'static str> {
        match self {
            Self::Kind(kind) => kind.answers(),
            Self::Rule(_) => None,
        }
    }

    fn is_about(&self, text: &str) -> bool {
        match self {
            Self::Kind(kind) => kind.about().iter().any(|word| text.contains(word)),
            Self::Rule(replace) if replace.trailer.is_empty() => {
                text.contains(replace.program.split(' ').next().unwrap_or_default())
            }
            Self::Rule(replace) => {
                text.contains("commit")
                    && text.to_ascii_lowercase().contains(&replace.trailer.to_ascii_lowercase())
            }
        }
    }

    /// Returns what a text becomes; an error says why it stays although it is meant.
    fn rewritten(
        &self,
        text: &str,
        mode: Mode,
        place: &CallContext,
        world: &dyn World,
        known: Known<'_>,
    ) -> Result<Option<String>, String> {
        match self {
            Self::Kind(Kind::ForcePush) => {
                text::rewritten(text, place, world, known, &|scene| Ok(force_push::change(scene)))
            }
            Self::Kind(Kind::RunDownload) => {
                Ok(text::Scene::read(text, place, world, known)
                    .and_then(|scene| run_download::change(&scene)))
            }
            Self::Kind(Kind::InstallScripts) => {
                text::rewritten(text, place, world, known, &|scene| Ok(install_scripts::change(scene, mode)))
            }
            Self::Kind(Kind::AddSecrets) => text::rewritten(text, place, world, known, &add_secrets::change),
            Self::Kind(Kind::PackageManager) => {
                text::rewritten(text, place, world, known, &|scene| replace::change(scene, &By::Lock))
            }
            Self::Rule(replace) if replace.trailer.is_empty() => {
                text::rewritten(text, place, world, known, &|scene| {
                    replace::change(scene, &By::Rule(replace))
                })
            }
            Self::Rule(replace) => match text::Scene::read(text, place, world, known) {
                Some(scene) => trailers::change(&scene, replace),
                None => Ok(None),
            },
        }
    }
}

/// The rewrites of a policy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rewrites {
    pub(crate) modes: Vec<(Kind, Mode)>,
    pub(crate) replaces: Vec<Replace>,
    /// The directory for what a session was told, if anything is remembered.
    pub(crate) told: Option<PathBuf>,
}

impl Rewrites {
    fn mode(&self, kind: Kind) -> Mode {
        self.modes.iter().find(|(known, _)| *known == kind).map(|(_, mode)| *mode).unwrap_or_default()
    }

    fn sources(&self) -> impl Iterator<Item = (Source<'_>, Mode)> {
        let rules = self.replaces.iter().map(|replace| (Source::Rule(replace), replace.mode));
        let kinds = Kind::ALL.into_iter().map(|kind| (Source::Kind(kind), self.mode(kind)));
        rules.chain(kinds)
    }

    /// Returns whether the editor may have something to say about a call.
    pub(crate) fn concerns(&self, payload: &Payload) -> bool {
        let Some(ToolCommand::Shell(text)) = payload.event.call().and_then(ToolCommand::of) else {
            return false;
        };
        self.sources().any(|(source, mode)| {
            let is_said = mode == Mode::Apply || mode == Mode::Suggest && source.answers().is_none();
            is_said && source.is_about(text)
        })
    }

    /// Returns suggestions for a text that the guard objects to: what passes in its place, and why.
    pub(crate) fn suggestions(
        &self,
        text: &str,
        judgement: &Judgement,
        place: &CallContext,
        world: &dyn World,
    ) -> Vec<(String, &'static str)> {
        let is_found = |id: &str| judgement.findings.iter().any(|finding| finding.rule.id == id);
        let kinds = Kind::ALL.into_iter().filter(|kind| {
            self.mode(*kind) != Mode::Off
                && kind.answers().is_some_and(is_found)
                && Source::Kind(*kind).is_about(text)
        });
        let suggested = |kind: Kind| {
            let known = |other: &str| (other == text).then(|| judgement.clone());
            let source = Source::Kind(kind);
            Some((source.rewritten(text, Mode::Suggest, place, world, &known).ok()??, kind.why()))
        };
        kinds.filter_map(suggested).collect()
    }
}

/// The editor.
pub(crate) struct Editor {
    pub(crate) rewrites: Rewrites,
    pub(crate) guard: Guard,
}

/// A call whose command changes.
struct Draft<'a> {
    payload: &'a Payload,
    guard: &'a Guard,
    text: String,
    /// The judgement of the text. Only what would change is compared with it.
    judgement: OnceCell<Judgement>,
    /// The reason of each rewrite that was applied.
    applied: Vec<String>,
}

impl<'a> Draft<'a> {
    fn judged(payload: &Payload, guard: &Guard, old: &str, new: &str) -> Judgement {
        let mut payload = payload.clone();
        if let Event::PreToolUse { call } = &mut payload.event {
            for value in call.input.values_mut().filter(|value| value.as_str() == Some(old)) {
                *value = new.into();
            }
        }
        guard.judgement(&payload).unwrap_or_default()
    }

    fn new(payload: &'a Payload, guard: &'a Guard, text: &str) -> Self {
        Self { payload, guard, text: text.to_owned(), judgement: OnceCell::new(), applied: Vec::new() }
    }

    /// Returns the judgement of the text before the next change.
    fn judgement(&self, original: &str) -> &Judgement {
        self.judgement.get_or_init(|| Self::judged(self.payload, self.guard, original, &self.text))
    }

    /// Returns the command that a rewrite produces, with its judgement, if it may run.
    fn proposed(
        &self,
        (source, mode): (&Source<'_>, Mode),
        original: &str,
        place: &CallContext,
        world: &dyn World,
    ) -> Result<Option<(String, Judgement)>, String> {
        let is_found =
            |id: &str| self.judgement(original).findings.iter().any(|finding| finding.rule.id == id);
        if !source.is_about(&self.text) || source.answers().is_some_and(|rule| !is_found(rule)) {
            return Ok(None);
        }
        let known = |text: &str| (text == original).then(|| self.guard.first_look(self.payload)).flatten();
        let Some(new) = source.rewritten(&self.text, mode, place, world, &known)? else { return Ok(None) };
        let after = Self::judged(self.payload, self.guard, original, &new);
        let adds_none = after.findings.iter().all(|finding| is_found(&finding.rule.id))
            && after.decision <= self.judgement(original).decision;
        let may_run = match source.answers() {
            Some(_) => matches!(after.decision, Decision::Abstain | Decision::Allow),
            None => adds_none,
        };
        Ok(may_run.then_some((new, after)))
    }
}

impl Hook for Editor {
    fn name(&self) -> &str {
        NAME
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        let Some(call) = payload.event.call() else { return Ok(Verdict::abstain()) };
        let Some(ToolCommand::Shell(text)) = ToolCommand::of(call) else { return Ok(Verdict::abstain()) };
        if !self.rewrites.concerns(payload) {
            return Ok(Verdict::abstain());
        }
        let world = CachedWorld::new(&Disk);
        let place = call_context(call, payload, &world);
        let mut draft = Draft::new(payload, &self.guard, text);
        let mut told: Vec<String> = Vec::new();
        for (source, mode) in self.rewrites.sources() {
            if mode == Mode::Off || mode == Mode::Suggest && source.answers().is_some() {
                continue;
            }
            match (draft.proposed((&source, mode), text, &place, &world), mode) {
                (Ok(None), _) | (_, Mode::Off) => {}
                (Ok(Some((new, judgement))), Mode::Apply) => {
                    draft.text = new;
                    draft.judgement = judgement.into();
                    draft.applied.push(source.why());
                }
                (Ok(Some((new, _))), Mode::Suggest) => {
                    if self.is_new(payload, &source.key()) {
                        told.push(format!("Checkrein suggests: `{}` {}.", short(&new, SHOWN), source.why()));
                    }
                }
                (Err(why), _) => {
                    if self.is_new(payload, &format!("{} {why}", source.key())) {
                        told.push(format!("Checkrein did not rewrite the command: {}.", short(&why, SHOWN)));
                    }
                }
            }
        }
        let mut verdict = Verdict::abstain();
        if !draft.applied.is_empty() {
            let changed = call.input.iter().filter(|(_, value)| value.as_str() == Some(text));
            let changes: Map = changed.map(|(key, _)| (key.clone(), draft.text.clone().into())).collect();
            let shown = short(&draft.text, SHOWN);
            verdict = Verdict::rewrite(changes).with_notice(format!(
                "Checkrein rewrote the command: `{shown}` {}.",
                draft.applied.join("; it ")
            ));
            told.insert(
                0,
                format!("Checkrein rewrote the command: `{shown}` {}.", draft.applied.join("; it ")),
            );
        }
        Ok(told.into_iter().fold(verdict, Verdict::with_context))
    }
}

impl Editor {
    /// Returns whether a session has not been told this.
    fn is_new(&self, payload: &Payload, what: &str) -> bool {
        let (Some(directory), Some(session)) = (&self.rewrites.told, &payload.session.id) else {
            return true;
        };
        session_file::is_first(directory, &format!("{session} {what}"))
    }
}
