//! The programs that settings make git run.

use super::{
    Repo, alias,
    config_keys::{Means, is_usual, means},
    discard::is_false,
    options::{Line, options},
    refs::is_now,
};
use crate::{
    effect::Target,
    eval::{Evaluator, Frame, flow::Flow, network::host_name},
    path::LinkPolicy,
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Environment, Modifier, Zone},
};
use checkrein_shell::{Part, Word};

/// The lifetime of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// For one command.
    Once,
    /// In the repository, from now on.
    Here,
    /// For every repository of the user or the machine.
    Everywhere,
}

/// `key=value`; without a value it is `true`.
pub(super) fn pair(word: &Word) -> (String, Word) {
    let lead = word.lead();
    match lead.split_once('=') {
        Some((key, _)) => (key.to_owned(), word.skip(key.len() + 1)),
        None => (crate::eval::words::show(word), Word::text("true", word.span.clone())),
    }
}

impl Evaluator<'_> {
    /// `-c key=value`.
    pub(super) fn git_pair(&mut self, word: &Word, repo: &mut Repo) {
        if word.is_unknown() && !word.lead().contains('=') {
            self.emit(
                Action::Configure,
                Target::Name("git …".to_owned()),
                qualities![Certainty::Unknown],
                &repo.frame,
            );
            return;
        }
        let (key, value) = pair(word);
        let frame = repo.frame.clone();
        self.git_set(&key, &value, Kept::Once, &frame);
        repo.settings.push((key.to_ascii_lowercase(), value));
    }

    /// `key=VARIABLE` with the value of the variable, if that is known.
    pub(super) fn git_from_environment(&self, word: &Word) -> Word {
        let Some((key, name)) = word
            .constant()
            .and_then(|pair| pair.rsplit_once('=').map(|(key, name)| (key.to_owned(), name.to_owned())))
        else {
            return word.clone();
        };
        let mut pair = Word::text(&format!("{key}="), word.span.clone());
        let value = checkrein_shell::Unknown::new(checkrein_shell::UnknownSource::Variable(name));
        pair.push(Part::Unknown(value));
        pair
    }

    /// Follows what a setting does.
    pub(super) fn git_set(&mut self, key: &str, value: &Word, kept: Kept, frame: &Frame) {
        let qualities = match kept {
            Kept::Once => Qualities::NONE,
            Kept::Here => qualities![Modifier::Later],
            Kept::Everywhere => qualities![Modifier::Later, Modifier::Global],
        };
        let text = value.constant().unwrap_or_default();
        let named = || Target::Name(format!("git {key}"));
        match means(key) {
            Means::Plain => {}
            Means::Program => self.git_program(key, value, qualities.with(Modifier::Shell), frame),
            Means::Editor => self.git_program(key, value, qualities, frame),
            Means::Helper => match value.lead().strip_prefix('!') {
                Some(_) => self.git_program(key, &value.skip(1), qualities.with(Modifier::Shell), frame),
                // A helper without a path is one that git brings along, or was installed for it.
                None if value.lead().starts_with(['/', '.', '~'])
                    || value.starts_with_unknown().is_some() =>
                {
                    self.git_program(key, value, qualities.with(Modifier::Shell), frame);
                }
                None => {}
            },
            Means::Bang => {
                if value.lead().starts_with('!') {
                    self.git_program(key, &value.skip(1), qualities.with(Modifier::Shell), frame);
                }
            }
            Means::Alias => self.git_sets_alias(key, value, kept, frame),
            Means::Programs if matches!(&*text, "" | "/dev/null") && !value.is_unknown() => {
                if key.eq_ignore_ascii_case("core.hooksPath") {
                    self.emit(Action::Bypass, Target::Name(key.to_owned()), qualities, frame);
                }
            }
            Means::Programs => self.git_programs_in(key, value, frame),
            Means::Settings => {
                let foreign = self.git_is_foreign(value, frame);
                let qualities = if foreign { qualities.with(Modifier::Shell) } else { qualities };
                self.emit(Action::Configure, named(), qualities, frame);
            }
            Means::Address => {
                let base = key.split_once('.').map_or("", |(_, rest)| rest);
                let base = base.rsplit_once('.').map_or(base, |(base, _)| base);
                self.git_helper_address(&Word::text(base, 0..0), frame);
                self.git_helper_address(value, frame);
                // Everything of one machine is taken from another.
                let (there, here) = (host_name(base), host_name(&text));
                let swaps = key.to_ascii_lowercase().ends_with("insteadof");
                if swaps && there != here && !there.is_empty() && !here.is_empty() {
                    self.emit(Action::Configure, named(), qualities.without(Modifier::Shell), frame);
                }
            }
            Means::Protocol => {
                if text != "never" {
                    self.emit(Action::Configure, named(), qualities, frame);
                }
            }
            Means::Certificates => {
                if is_false(&text) && !value.is_unknown() {
                    self.emit(Action::Unprotect, Target::Name(key.to_owned()), qualities, frame);
                }
            }
            Means::Expiry => {
                if is_now(value) {
                    let qualities = if key.to_ascii_lowercase().contains("reflog") {
                        qualities.with(Modifier::All)
                    } else {
                        qualities
                    };
                    self.emit(Action::Forget, Target::Name("reflog".to_owned()), qualities, frame);
                }
            }
            Means::Push => {
                if text.starts_with('+') && kept == Kept::Once {
                    let qualities = qualities![Environment::Remote, Modifier::Force];
                    self.emit(Action::Overwrite, Target::Name(text.into_owned()), qualities, frame);
                }
            }
            Means::Mirror => {
                if !is_false(&text) && kept == Kept::Once {
                    let qualities = qualities![Environment::Remote, Modifier::Mirror, Modifier::All];
                    self.emit(Action::Overwrite, Target::Name("everything".to_owned()), qualities, frame);
                }
            }
        }
    }

    fn git_sets_alias(&mut self, key: &str, value: &Word, kept: Kept, frame: &Frame) {
        let texts = self.texts(value);
        if let (Some(name), Some(text)) = (alias::name_of(key), texts.first()) {
            self.session.git.aliases.insert(name, text.clone());
        }
        if value.starts_with_unknown().is_some() && texts.is_empty() {
            self.emit(
                Action::Configure,
                Target::Name(format!("git {key}")),
                qualities![Certainty::Unknown],
                frame,
            );
        }
        if value.lead().starts_with('!') {
            let text = value.skip(1);
            match kept {
                Kept::Once => self.run_text(&text, frame),
                Kept::Here => self.git_program(key, &text, qualities![Modifier::Later], frame),
                Kept::Everywhere => {
                    self.git_program(key, &text, qualities![Modifier::Later, Modifier::Global], frame);
                }
            }
        }
    }

    /// A text that git gives to a shell. It is followed; and unless it is one of the programs that are usually configured,
    /// the fact that it is configured counts.
    pub(super) fn git_program(&mut self, key: &str, value: &Word, qualities: Qualities, frame: &Frame) {
        let source = self.source_of(value);
        let text = source.text();
        if matches!(
            text.to_ascii_lowercase().as_str(),
            "" | "true" | "false" | "yes" | "no" | "on" | "off" | "0" | "1"
        ) {
            return;
        }
        if !is_usual(text) {
            self.emit(Action::Configure, Target::Name(format!("git {key}")), qualities, frame);
        }
        let qualities = if qualities.has(Modifier::Later) {
            frame.qualities.with(Modifier::Later)
        } else {
            frame.qualities
        };
        let inner = Frame { qualities, stdin: Flow::default(), ..frame.clone() };
        self.run_text(value, &inner);
    }

    /// A directory from which git takes programs.
    pub(super) fn git_programs_in(&mut self, key: &str, directory: &Word, frame: &Frame) {
        let foreign = self.git_is_foreign(directory, frame);
        let own = self.places(directory, LinkPolicy::Follow, frame).iter().all(|(spot, _)| {
            matches!(spot.zone, Zone::Project | Zone::ProjectRoot | Zone::Generated | Zone::Repository)
        });
        if foreign {
            self.emit(
                Action::Configure,
                Target::Name(format!("git {key}")),
                qualities![Modifier::Shell],
                frame,
            );
        } else if !own {
            self.emit(Action::Configure, Target::Name(format!("git {key}")), Qualities::NONE, frame);
        }
    }

    /// Returns true if a path is outside the directories of the user and the project.
    fn git_is_foreign(&self, word: &Word, frame: &Frame) -> bool {
        let places = self.places(word, LinkPolicy::Follow, frame);
        places.is_empty()
            || places.iter().any(|(spot, _)| {
                !matches!(
                    spot.zone,
                    Zone::Project
                        | Zone::ProjectRoot
                        | Zone::Generated
                        | Zone::Repository
                        | Zone::Home
                        | Zone::Personal
                        | Zone::System
                        | Zone::Nowhere
                )
            })
    }

    /// Follows once what a repository's own file makes git run, as if the command had said it.
    pub(super) fn git_own_settings(&mut self, repo: &Repo) {
        for path in self.git_files(repo) {
            for (key, value) in self.git_load(&path) {
                let text = match means(&key) {
                    Means::Program | Means::Editor => Some(value.as_str()),
                    Means::Helper | Means::Bang => value.strip_prefix('!'),
                    Means::Plain
                    | Means::Programs
                    | Means::Settings
                    | Means::Alias
                    | Means::Address
                    | Means::Protocol
                    | Means::Certificates
                    | Means::Expiry
                    | Means::Push
                    | Means::Mirror => None,
                };
                if let Some(text) = text.filter(|text| text.contains(' ') || !is_usual(text)) {
                    let inner = Frame { stdin: Flow::default(), ..repo.frame.clone() };
                    self.follow_text(text, &inner);
                }
            }
        }
    }

    /// `git config`: what it sets is followed, what it shows is not.
    pub(super) fn git_config(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "f/file= add replace-all unset unset-all get get-all get-regexp get-urlmatch get-color= get-colorbool= l/list \
             e/edit global system local worktree blob= type= t= bool int bool-or-int path expiry-date default= comment= value= \
             fixed-value name-only z/null show-origin show-scope includes rename-section remove-section all"
            ),
            rest,
        );
        let file = line.value("file");
        let operands = line.all();
        let shows = line.has_any(&["get", "get-all", "get-regexp", "get-urlmatch", "list", "blob", "edit"]);
        let first = operands.first().map(|word| word.constant().unwrap_or_default());
        let operands = match first.as_deref() {
            Some("set") => operands.get(1..).unwrap_or_default(),
            Some("get" | "list" | "unset" | "edit" | "rename-section" | "remove-section") => &[],
            _ => operands.as_slice(),
        };
        let removes = line.has_any(&["unset", "unset-all", "rename-section", "remove-section"]);
        let (key, value) = match operands {
            [key, value, ..] if !shows && !removes => (key, value),
            _ => {
                if let Some(file) = &file {
                    let action = if removes { Action::Append } else { Action::Read };
                    self.emit_path(action, file, Qualities::NONE, &repo.frame);
                }
                return;
            }
        };
        if let Some(file) = &file {
            self.emit_path(Action::Append, file, Qualities::NONE, &repo.frame);
        }
        let kept = if line.has_any(&["global", "system"]) { Kept::Everywhere } else { Kept::Here };
        for key in self.names_of(key) {
            self.git_set(&key, value, kept, &repo.frame);
        }
    }
}
