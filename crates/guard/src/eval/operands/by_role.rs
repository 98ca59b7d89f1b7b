//! The effects of an operand, by its role.

use super::Operands;
use crate::{
    effect::Target,
    eval::{
        Evaluator, Frame,
        agent_settings::Finds,
        handlers::chmod,
        network::{host_name, is_credential, remote},
        shell, size,
        words::show,
    },
    path::PathPattern,
    program::{ParseFlag, Role, Wraps, environment},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Environment, Modifier, Taint},
};
use checkrein_shell::Word;

impl Evaluator<'_> {
    /// Follows an operand that is read.
    pub(super) fn read_by_role(&mut self, role: Role, word: &Word, all: &mut Operands<'_>) {
        let Operands { frame, qualities, .. } = *all;
        match role {
            Role::Read => all.held.add(&self.read_file(word, &all.reading)),
            Role::View if word.lead().starts_with('+') => self.follow_escape(&word.skip(1), frame),
            Role::View => all.held.add(&self.read_file(word, frame)),
            Role::Source => {
                all.held.add(&self.content_quietly(word, &all.reading));
                self.write_operand(Action::Move, word, qualities, frame);
            }
            Role::RemoteRead => match remote(word) {
                Some(host) => {
                    all.held.qualities = all.held.qualities.with(Taint::Downloaded);
                    all.traffic.hosts.push(host);
                }
                None => all.held.add(&self.content_quietly(word, frame)),
            },
            _ => {}
        }
    }

    /// Follows an operand that is written, deleted or changed.
    pub(super) fn change_by_role(&mut self, role: Role, word: &Word, all: &Operands<'_>) {
        let Operands { parsed, frame, qualities, .. } = *all;
        match role {
            Role::Write => {
                for (target, more) in self.written_files(parsed, word, frame) {
                    if target.constant().as_deref() != Some("-") {
                        self.emit_arrival_at(&target, qualities.and(more), frame);
                    }
                }
                if parsed.qualities.has(ParseFlag::Hard) {
                    for (_, source) in parsed.roles.iter().filter(|(role, _)| *role == Role::Read) {
                        self.emit_if_ours(Action::Link, source, Qualities::NONE, frame);
                    }
                }
            }
            Role::Outlet if word.lead().starts_with(['|', '!']) => self.run_text(&word.skip(1), frame),
            Role::Outlet => self.write_operand(Action::Write, word, qualities, frame),
            Role::Append => self.write_operand(Action::Append, word, qualities, frame),
            Role::Truncate => self.write_operand(Action::Truncate, word, qualities, frame),
            Role::Create => {
                self.write_operand(Action::Create, word, qualities, frame);
                // `install -d -m 000`: one that is there gets these rights.
                let mode = parsed.roles.iter().find(|(role, _)| *role == Role::Permission);
                if mode.and_then(|(_, mode)| mode.constant()).is_some_and(|mode| !chmod::gives(&mode)) {
                    self.emit_if_ours(Action::Mode, word, Qualities::NONE, frame);
                }
            }
            // `bin` next to `obj` is what .NET builds; alone it may be anything.
            Role::Delete if super::is_built(&show(word), parsed.operands.iter().map(show)) => {}
            // `del 'dist/**' '!dist/.keep'`: what is kept. `!(a)` is everything but `a`.
            Role::Delete if is_kept(word) => {}
            Role::Delete => self.write_operand(Action::Delete, word, qualities, frame),
            Role::Mode => self.write_operand(Action::Mode, word, qualities, frame),
            Role::Owner => {
                // To give something to oneself is the usual repair.
                let owner = parsed.operands.first();
                let own = owner.is_some_and(|owner| self.flow_of(owner).has(Taint::Identity));
                let qualities = if own { qualities.with(Taint::Identity) } else { qualities };
                let kept = owner.is_some_and(|owner| self.is_own_name(owner));
                let qualities = if kept { qualities.with(ParseFlag::Gives) } else { qualities };
                self.write_operand(Action::Owner, word, qualities, frame);
            }
            Role::Link => {
                self.write_operand(Action::Link, word, qualities, frame);
                for (_, source) in parsed.roles.iter().filter(|(role, _)| *role == Role::Read) {
                    self.emit_if_ours(Action::Link, source, Qualities::NONE, frame);
                }
            }
            Role::Mount => {
                if self.texts(word).is_empty() {
                    // What was there is hidden now.
                    self.session.finds = self.session.finds.max(Finds::Unknown);
                }
                self.emit_if_ours(Action::Mount, word, qualities, frame);
            }
            Role::Into => self.emit_arrives_in(word, qualities, frame),
            Role::Made => {
                self.write_operand(Action::Create, word, qualities, frame);
                self.emit_arrives_in(word, qualities, frame);
            }
            Role::Prefix => self.arrives_by_name(word, qualities, frame),
            _ => {}
        }
    }

    /// Follows an operand that is run, or decides what is run.
    pub(super) fn run_by_role(&mut self, role: Role, word: &Word, all: &Operands<'_>) {
        let Operands { parsed, frame, .. } = *all;
        match role {
            Role::Library => self.load_library(word, frame),
            Role::Settings => {
                let text = self.content_of(word, frame).text.unwrap_or_default();
                for command in text.lines().take(64).filter_map(shell::kept_command) {
                    self.follow_text(&command, frame);
                }
            }
            Role::Recipe => self.suppose_recipe(word, frame),
            Role::Commas => {
                let words: Vec<Word> =
                    self.names_of(word).iter().flat_map(|text| text.split(',')).map(plain).collect();
                self.follow_argv(&words, frame);
            }
            Role::Binding => {
                for text in self.names_of(word) {
                    let command = text.get(keys(&text)..).unwrap_or_default().trim();
                    let inside = command.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                    self.follow_text(inside.unwrap_or(command), frame);
                }
            }
            Role::ShellThere => {
                let there = Frame {
                    qualities: frame.qualities.with(Environment::Elsewhere),
                    directories: vec![PathPattern::unknown()],
                    ..frame.clone()
                };
                self.run_text(word, &there);
            }
            Role::Exec => {
                let later = parsed.program.wraps == Wraps::Later;
                let qualities = if later { frame.qualities.with(Modifier::Later) } else { frame.qualities };
                self.run_file(word, &Frame { qualities, ..frame.clone() });
            }
            Role::Escape => self.follow_escape(word, frame),
            Role::Shell => {
                let inner = self.inner_frame(parsed, frame);
                self.run_text(word, &inner);
            }
            Role::Assignment => self.setting(word, frame),
            _ => {}
        }
    }

    /// Follows an operand that goes to another machine, or names one.
    pub(super) fn send_by_role(&mut self, role: Role, word: &Word, all: &mut Operands<'_>) {
        let Operands { parsed, frame, qualities, .. } = *all;
        match role {
            Role::Url | Role::Host => {
                // Who logs in elsewhere says who they are; others hide it in a name.
                // A name that is looked up as it is says nothing more than itself.
                let plain = role == Role::Host && word.parts.len() == 1;
                let carried = if plain || parsed.program.wraps == Wraps::Elsewhere {
                    Qualities::NONE
                } else {
                    self.flow_of(word)
                };
                all.traffic.sent = all.traffic.sent.and(carried);
                all.traffic.sends |= !carried.is_empty();
                if role == Role::Host && !carried.is_empty() {
                    all.traffic.sent = all.traffic.sent.with(Modifier::Lookup);
                }
                // Packages over a connection on which others can change them.
                if parsed.qualities.has(Modifier::Start)
                    && word.lead().starts_with("http://")
                    && !self.host(word).local
                {
                    let host = self.host(word);
                    self.emit(Action::Unprotect, Target::Host(host), Qualities::NONE, frame);
                }
                all.traffic.hosts.push(word.clone());
            }
            Role::Data | Role::Form => {
                all.traffic.sends = true;
                all.traffic.sent = all.traffic.sent.and(self.data_carried(role, word, frame));
            }
            Role::Upload => {
                all.traffic.sends = true;
                all.traffic.sent =
                    all.traffic.sent.with(Modifier::Uploads).and(self.file_or_input(word, frame).qualities);
            }
            Role::Header | Role::Login => {
                let flow = self.flow_of(word);
                let credential = role == Role::Login || is_credential(word.lead());
                all.traffic.sends |= !flow.is_empty();
                all.traffic.sent = all.traffic.sent.and(if credential && !flow.is_empty() {
                    qualities![Taint::Credential]
                } else {
                    flow
                });
            }
            Role::RemoteWrite => match remote(word) {
                Some(host) => {
                    if let Some(path) = self.path_on_this_machine(&host, word) {
                        for (target, more) in self.received_files(parsed, &path, frame) {
                            self.emit_arrival_at(&target, qualities.and(more), frame);
                        }
                    }
                    all.traffic.hosts.push(host);
                    all.traffic.sends = true;
                }
                None => {
                    for (target, more) in self.received_files(parsed, word, frame) {
                        self.emit_arrival_at(&target, qualities.and(more), frame);
                    }
                }
            },
            _ => {}
        }
    }

    /// Returns the path in `localhost:path`; a relative one begins in the home directory.
    fn path_on_this_machine(&self, host: &Word, word: &Word) -> Option<Word> {
        let name = host.constant()?;
        let local = matches!(host_name(&name).as_str(), "localhost" | "127.0.0.1" | "::1");
        if !local || word.lead().contains("://") {
            return None;
        }
        let path = word.skip((name.len() + 1).min(word.lead().len()));
        if path.lead().starts_with(['/', '~']) {
            return Some(path);
        }
        let mut whole = Word::text(&format!("{}/", self.home), word.span.clone());
        path.parts.iter().for_each(|part| whole.push(part.clone()));
        Some(whole)
    }

    /// Follows an operand that is a figure or the name of something.
    pub(super) fn name_by_role(&mut self, role: Role, word: &Word, all: &Operands<'_>) {
        let Operands { frame, qualities, .. } = *all;
        match role {
            Role::Size | Role::Extent => {
                let most = if role == Role::Size { size::HUGE } else { size::HUGE_WITH_HOLES };
                if size::bytes(word).is_some_and(|bytes| bytes >= most) {
                    self.emit(Action::Exhaust, Target::Nothing, qualities![Taint::File], frame);
                }
            }
            Role::Pid => {
                for name in self.names_of(word) {
                    self.emit(Action::Process, Target::Name(name), qualities, frame);
                }
            }
            Role::Environment => {
                let unknown = if word.is_unknown() { qualities.with(Certainty::Unknown) } else { qualities };
                for name in self.names_of(word).into_iter().filter(|name| !environment::is_file(name)) {
                    self.emit(Action::Connect, Target::Name(name), unknown.with(Environment::Remote), frame);
                }
            }
            Role::Package => self.package(word, qualities, frame),
            _ => {}
        }
    }

    /// Follows an operand that configures an agent.
    pub(super) fn agent_by_role(&mut self, role: Role, word: &Word, all: &Operands<'_>) {
        let Operands { frame, .. } = *all;
        match role {
            Role::AgentSettings => self.agent_settings(word, frame),
            Role::AgentSources => self.agent_sources(word, frame),
            Role::AgentServers => self.agent_servers(word, frame),
            Role::AgentDefinitions => self.agent_definitions(word, frame),
            Role::AgentFeature => self.agent_feature(word, frame),
            Role::AgentOverride => self.agent_override(word, frame),
            _ => {}
        }
    }
}

fn plain(text: &str) -> Word {
    Word::text(text, 0..0)
}

/// Returns the length of the keys before the command that is bound to them.
fn keys(binding: &str) -> usize {
    let quoted = binding.trim_start().strip_prefix('"').and_then(|rest| {
        let end = rest.find("\":")?;
        Some(binding.len() - rest.len() + end + "\":".len())
    });
    quoted.or_else(|| Some(binding.find(':')? + 1)).unwrap_or(0)
}

/// Returns true if a pattern names what is excluded.
fn is_kept(word: &Word) -> bool {
    word.constant().is_some_and(|text| text.starts_with('!') && !text.starts_with("!("))
}
